"""Import of an export with several users: each memory for the user whom the export names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from holdfast.api.importing import keep
from holdfast.core.errors import InvalidInput
from holdfast.features.transfer.formats.model import Item, Note

if TYPE_CHECKING:
    from holdfast.api.import_report import Report
    from holdfast.api.import_target import ImportOptions
    from holdfast.api.memory import Memory
    from holdfast.features.transfer.formats.opening import OpenedImport


def keep_for_each_user(
    memory: Memory,
    export: OpenedImport,
    *,
    dry_run: bool = False,
    advance: Callable[[int], None] = lambda _: None,
    **options: Unpack[ImportOptions],
) -> dict[str, Report]:
    """Stores an opened export as its users: the memories of each go to the user of that name, what names no
    user to the one who imports. Returns the report of each user. Every name is checked before anything is
    stored. Raises InvalidInput for a service, an export that names no user, or a name that cannot be used.
    """
    if memory.is_remote:
        raise InvalidInput(
            "a service imports for the user of its credential alone", code="argument_invalid",
            hint="run it beside the store, or import the memories of each user with a token of that user",
        )  # fmt: skip
    principal = memory._service.principal
    items: dict[str, list[Item]] = defaultdict(list)
    for item in export.items:
        named = item.user if isinstance(item, Note) else None
        items[named or principal.user].append(item)
    if not set(items) - {principal.user}:
        raise InvalidInput(
            f"{export.name} names no other user", code="argument_invalid",
            hint="import it without a memory for each user; exports of mem0 name users",
        )  # fmt: skip
    memories = {user: memory.as_user(user, agent=principal.agent) for user in items}
    reports = {}
    for user, own in items.items():
        skipped = export.skipped if user == principal.user else tuple
        part = replace(export, items=iter(own), skipped=skipped)
        reports[user] = keep(memories[user], part, dry_run=dry_run, advance=advance, **options)
    if principal.user not in reports and (left := export.skipped()):
        part = replace(export, items=iter(()), skipped=lambda: left)
        reports[principal.user] = keep(memory, part, dry_run=dry_run, **options)
    return reports

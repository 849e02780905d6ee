"""Own rules: what a person never wants remembered or believed, read past the limits of credentials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.core.arguments import LIMIT_MAX
from holdfast.core.kinds import EXCLUSION
from holdfast.core.views import Filter, personal_view
from holdfast.features.access.scoped_store import unlimited

if TYPE_CHECKING:
    from holdfast.core.places import Principal
    from holdfast.core.record import Memory
    from holdfast.stores.base.ports import Reader


def rules_in(reader: Reader, principal: Principal, name: str, now: int) -> list[Memory]:
    """Returns the rules with an external id that a principal's user has made. A credential that is limited to
    projects is bound by them too: they only take away, and it is not shown their texts."""
    view = personal_view(principal, Filter(kinds=frozenset({EXCLUSION}), owner=principal.user))
    return unlimited(reader).keyed(view, name, limit=LIMIT_MAX, now=now)

"""Assembles conversations with stable ids and without repeated messages (S2.20-S2.22)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from holdfast.features.transfer.formats.fields import stable_id
from holdfast.features.transfer.formats.model import (
    CONVERSATION,
    MESSAGE,
    ChatMessage,
    Conversation,
    Draft,
    ForeignProject,
    Note,
    Skipped,
    Thread,
)
from holdfast.language.secrets.find import find_secrets

MAX_PLACES = 100_000
"""Maximum number of entries in the list of skipped items; further places share one entry per reason."""

PART_MAX = 500_000
"""Most characters of one message; a longer one is taken in parts."""


class Assembler:
    """The conversations of one export and the list of skipped items."""

    def __init__(self) -> None:
        self._skipped: dict[tuple[str, str, str], int] = {}
        self._named: set[str] = set()
        self._openings: dict[str, int] = {}

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        return tuple(
            Skipped(where, reason, count, what) for (where, reason, what), count in self._skipped.items()
        )

    def skip(self, where: str, reason: str, item_type: str = MESSAGE, /) -> None:
        """Counts one item that was not used: one entry per place, reason and type."""
        key = (where, reason, item_type)
        if key not in self._skipped and len(self._skipped) >= MAX_PLACES:
            key = ("elsewhere", reason, item_type)
        self._skipped[key] = self._skipped.get(key, 0) + 1

    def items(
        self, threads: Iterable[Thread | Note | ForeignProject], platform: str
    ) -> Iterator[Conversation | Note | ForeignProject]:
        """Yields the conversations with at least one message, and notes and projects as they are."""
        for thread in threads:
            if isinstance(thread, Note | ForeignProject):
                yield thread
                continue
            drafts = self._with_text(thread)
            if not drafts:
                self.skip(thread.label, "no messages", CONVERSATION)
                continue
            if thread.id is not None and thread.id in self._named:
                self.skip(thread.label, "the same conversation came before", CONVERSATION)
                for draft in drafts:
                    self.skip(thread.label, "the same conversation came before", draft.item_type)
                continue
            identity = thread.id or self._generated_id(thread, drafts[0], platform)
            self._named.add(identity)
            messages = self._messages(drafts, identity, thread.label)
            created_at = thread.created_at if thread.created_at is not None else messages[0].at
            yield Conversation(
                identity, thread.title, messages, created_at, thread.project, thread.updated_at,
                tuple(dict.fromkeys(thread.replaced)),
            )  # fmt: skip

    def _with_text(self, thread: Thread) -> list[Draft]:
        """Returns the messages that have text; counts others, and parts left out, as skipped."""
        drafts = []
        for draft in thread.drafts:
            for what, reason in draft.left_out:
                self.skip(thread.label, reason, what)
            if draft.content:
                drafts.append(draft)
            else:
                self.skip(thread.label, "no text", draft.item_type)
        return drafts

    def _generated_id(self, thread: Thread, opening: Draft, platform: str) -> str:
        # from the first message only: a conversation that has grown since the last export keeps its id
        key = stable_id(platform, thread.title, opening.role, opening.content, opening.at)
        count = self._openings[key] = self._openings.get(key, 0) + 1
        return key if count == 1 else stable_id(key, count)

    def _messages(self, drafts: list[Draft], conversation: str, label: str) -> tuple[ChatMessage, ...]:
        """Returns each message once, with an id that is the same in every export; a long one in several
        parts, of which the first has the attachments."""
        messages: dict[str, ChatMessage] = {}
        for draft in drafts:
            # without an id, only role, text and time distinguish two messages
            identity = draft.id or stable_id(conversation, draft.role, draft.content, draft.at)
            if identity in messages:
                self.skip(label, "the same message came before", draft.item_type)
                continue
            for number, part in enumerate(parts_of(draft.content), 1):
                id = identity if number == 1 else stable_id(identity, "part", number)
                messages[id] = ChatMessage(
                    draft.role, part, draft.name, draft.at, id, len(messages), draft.item_type,
                    draft.attached if number == 1 else (),
                )  # fmt: skip
        return tuple(messages.values())


def parts_of(text: str) -> Iterator[str]:
    """Yields a text that is longer than a message may be in parts, between paragraphs if possible.

    One with a private block stays whole, and no secret is divided from what it is known by: a part of either
    would not be recognised.
    """
    if "<private" not in text.lower():
        while len(text) > PART_MAX:
            cut = _cut_of(text)
            yield text[:cut].rstrip()
            text = text[cut:].lstrip()
    if text:
        yield text


def _cut_of(text: str) -> int:
    """Returns where the first part of a longer text ends."""
    head = text[:PART_MAX]
    cut = next((at for mark in ("\n\n", "\n", " ") if (at := head.rfind(mark)) > 0), PART_MAX)
    block_start = head.rfind("-----BEGIN", 1, cut)
    if block_start > head.rfind("-----END", 0, cut):
        return block_start
    for _ in range(_TRIES):
        if (divided := _divided_at(text, cut)) is None:
            break
        before = max(min(divided, cut) - _BEFORE, 1)
        cut = next((at for mark in ("\n", " ") if (at := text.rfind(mark, 1, before)) > 0), before)
    return cut


_AROUND = 4_096
"""Characters on each side of a cut among which a secret is looked for."""
_BEFORE = 256
"""Characters in front of a secret with the words by which it is known: "the password is"."""
_TRIES = 8


def _divided_at(text: str, cut: int) -> int | None:
    """Returns where the first secret begins that is found in a whole text and not in its two parts."""
    start = max(cut - _AROUND, 0)
    whole, left, right = (
        {(first + finding.start, first + finding.end) for finding in find_secrets(text[first:end])}
        for first, end in ((start, cut + _AROUND), (start, cut), (cut, cut + _AROUND))
    )
    return min((secret_start for secret_start, _ in whole - left - right), default=None)


REPLACED = "replaced by a later version"
"""Why a message that is not on the screen is left out."""


def on_screen(
    parents: Mapping[str, str | None], leaf: object, order: Callable[[str], tuple[bool, int]]
) -> list[str]:
    """Returns the ids of the messages on the screen, in reading order.

    An edited question or another answer is a second child of its parent: the branch that ends in `leaf` is on
    the screen, or, where the export does not name it, the branch that ends in the newest message. Where a
    parent is not in the file, what is below it has a branch of its own. Messages that are parents of one
    another all stay. `order` is the key by which ids sort by time, missing times last.
    """
    trees: dict[tuple[str, str | None], list[str]] = {}
    for id, top in _tops(parents).items():
        trees.setdefault(top, []).append(id)
    branches = []
    for (kind, _), ids in trees.items():
        end = leaf if isinstance(leaf, str) and leaf in ids else _newest(ids, parents, order)
        branches.append(sorted(ids, key=order) if kind == "circle" else _branch(parents, end))
    if len(branches) > 1:
        branches.sort(key=lambda ids: min(map(order, ids)))
    return [id for ids in branches for id in ids]


def _tops(parents: Mapping[str, str | None]) -> dict[str, tuple[str, str | None]]:
    """Returns what each message hangs from: the first message, a parent that is not in the file, or a
    circle."""
    tops: dict[str, tuple[str, str | None]] = {}
    for id in parents:
        path: dict[str, None] = {}
        node: str | None = id
        while node is not None and node in parents and node not in tops and node not in path:
            path[node] = None
            node = parents[node]
        top: tuple[str, str | None]
        if node is None:
            top = ("first", next(reversed(path)))
        elif node in tops:
            top = tops[node]
        else:
            top = ("circle" if node in path else "missing", node)
        tops.update(dict.fromkeys(path, top))
    return tops


def _newest(
    ids: list[str], parents: Mapping[str, str | None], order: Callable[[str], tuple[bool, int]]
) -> str:
    """Returns the newest of the messages that have no answer; the last in the file of equally new ones."""
    answered = {parents[id] for id in ids}
    ends = [id for id in ids if id not in answered] or ids
    return max(reversed(ends), key=lambda id: (not order(id)[0], order(id)[1]))


def _branch(parents: Mapping[str, str | None], leaf: str) -> list[str]:
    """Returns the ids from the first message in the file to `leaf`."""
    chain = [leaf]
    while (parent := parents[chain[-1]]) is not None and parent in parents:
        chain.append(parent)
    return chain[::-1]

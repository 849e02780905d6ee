"""Messages and episodes of conversations, stored as evidence (S0.20, S0.21, S1.40, S1.41)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.core.arguments import checked_flag, checked_messages, safe_repr
from holdfast.core.episodes import answers_in, episode_text
from holdfast.core.errors import InvalidInput
from holdfast.core.kinds import KINDS
from holdfast.core.places import usable_name
from holdfast.core.record import TITLE_MAX, Kept, Outcome
from holdfast.core.speakers import speaker_role
from holdfast.features.admission.draft import Draft
from holdfast.features.memories.remember import remember, remember_many
from holdfast.features.service import Service
from holdfast.features.sessions.tool_calls import (
    TOOL_FIELDS,
    TOOL_ROLES,
    by_speaker,
    text_of_part,
    tool_calls_of,
)
from holdfast.language.private import strip_private

FIELDS = ("role", "content", "name", "at", "id", "metadata", "position")
"""The fields of a message; `content` is text or a list of parts with text."""
DEFAULT_SESSION = "default"
"""The conversation of messages for which none is named; one for each project."""


def add_messages(
    service: Service,
    messages: Sequence[Mapping[str, Any]],
    *,
    session: str | None = None,
    project: str | None = None,
    visibility: str | None = None,
    workspace: str | None = None,
    source: str | None = None,
    extract: bool = False,
) -> list[Kept]:
    """Stores the messages of one conversation in one transaction and returns one outcome each, in order.

    Results of tools in a message become a message of their own, of the tool. A message with an `id` is stored
    once; the same id with a new text becomes its next version. The session, and its project, are created with
    the first message (S0.22, S0.23). With `extract`, statements of the user in new or changed messages become
    candidate memories, in a transaction of their own.
    """
    messages = checked_messages(messages)
    session = default_session(session, project, workspace)
    parted = [by_speaker(_with_position(message, index)) for index, message in enumerate(messages)]
    talk = SessionMessages(session, [part for parts in parted for part in parts], project=project)
    drafted = drafts_of([talk], visibility=visibility, workspace=workspace, source=source)
    stored = drafted.outcomes(remember_many(service, drafted.drafts))
    if checked_flag(extract, "extract") and (
        ids := {outcome.memory.id for outcome in stored if outcome.memory}
    ):
        from holdfast.features.extraction.extract import extract_from

        extract_from(service, session, ids)
    outcomes = iter(stored)
    return [_one_outcome([next(outcomes) for _ in parts]) for parts in parted]


def _with_position(message: Any, index: int) -> Any:
    return {"position": index, **message} if isinstance(message, Mapping) else message


def _one_outcome(outcomes: Sequence[Kept]) -> Kept:
    """Returns the outcome of what was said, with what was removed from the results of tools beside it, and
    why these were refused."""
    *results, last = outcomes
    redactions = tuple(dict.fromkeys(name for outcome in outcomes for name in outcome.redactions))
    refused = [
        f"the results of tools beside it were refused: {result.reason}"
        for result in results
        if not result.memory
    ]
    return (
        replace(last, redactions=redactions, reason="; ".join([last.reason, *refused])) if results else last
    )


def default_session(session: str | None, project: str | None, workspace: str | None) -> str:
    """Returns the name of a session, by default that of the place."""
    if session is not None:
        return usable_name(session, "session")
    names = {"workspace": workspace, "project": project}
    return "/".join(
        [DEFAULT_SESSION, *(usable_name(name, what) for what, name in names.items() if name is not None)]
    )


@dataclass(frozen=True, slots=True)
class SessionMessages:
    """Messages of one conversation: the session they belong to, its title unless it has a name, its project,
    and when it began and ended (UTC epoch milliseconds). With the last of an import come its `version`, when
    the conversation was changed, and the `digest` of all of it."""

    session: str
    messages: Sequence[Mapping[str, Any]]
    title: str | None = None
    project: str | None = None
    began_at: int | None = None
    ended_at: int | None = None
    version: int | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class ConversationDrafts:
    """The messages of conversations as drafts, and the errors of invalid ones by their index among all
    messages."""

    drafts: Sequence[Draft]
    errors: Mapping[int, InvalidInput]

    def outcomes(self, draft_outcomes: Sequence[Kept]) -> list[Kept]:
        """Returns one outcome for each message, from those of the drafts."""
        outcomes = iter(draft_outcomes)
        return [
            Kept(Outcome.REFUSED, None, str(self.errors[i]), code=self.errors[i].code)
            if i in self.errors
            else next(outcomes)
            for i in range(len(self.drafts) + len(self.errors))
        ]


def drafts_of(
    talks: Sequence[SessionMessages],
    *,
    visibility: str | None = None,
    workspace: str | None = None,
    source: str | None = None,
) -> ConversationDrafts:
    """Converts the messages of several conversations to drafts, in order (S2.4). The first message of a
    conversation carries its title, so that recall finds it by that."""
    drafts: list[Draft] = []
    errors: dict[int, InvalidInput] = {}
    for talk in talks:
        for index, message in enumerate(talk.messages):
            try:
                draft = _draft_of(message, index, talk.session, talk.project, visibility, workspace, source)
                opens = talk.title is not None and draft.position == 0
                drafts.append(replace(draft, title=talk.title[:TITLE_MAX]) if opens and talk.title else draft)
            except InvalidInput as error:
                errors[len(drafts) + len(errors)] = error
    return ConversationDrafts(drafts, errors)


def add_episode(
    service: Service,
    user_message: str,
    ai_response: str,
    *,
    session: str,
    project: str | None = None,
    **options: Any,
) -> Kept:
    """Stores one exchange as one memory: the person's message and the response (S0.3, S0.8). An unclosed
    private block ends with its part."""
    if not isinstance(user_message, str) or not isinstance(ai_response, str):
        raise InvalidInput("an episode must be two texts", code="text_not_string")
    usable_name(session, "session")
    longest = KINDS["episode"].max_chars
    if len(user_message) + len(ai_response) > longest:
        raise InvalidInput(f"an episode may have at most {longest:,} characters", code="text_too_long")
    (user_text, hidden_in_message), (response_text, hidden_in_response) = (
        strip_private(user_message),
        strip_private(ai_response),
    )
    text = episode_text(user_text, response_text) if user_text.strip() or response_text.strip() else ""
    # one empty block for each that was removed, so that admission counts them
    text += "<private></private>" * (hidden_in_message + hidden_in_response)
    # what the message quotes of other answers does not end it
    position = answers_in(user_text) or None
    draft = Draft(text, kind="episode", session=session, project=project, position=position, **options)
    return remember(service, draft)


def _draft_of(
    message: Mapping[str, Any],
    index: int,
    session: str,
    project: str | None,
    visibility: str | None,
    workspace: str | None,
    source: str | None,
) -> Draft:
    """Returns the draft of a message, with its calls of tools as lines of its text; `index` is its position
    if it names none. Raises InvalidInput `message_invalid`."""
    if not isinstance(message, Mapping) or not {"content", *TOOL_FIELDS} & set(message):
        raise InvalidInput("a message must be an object with role and content", code="message_invalid")
    calls, message = tool_calls_of(message)
    unknown = set(message) - set(FIELDS)
    if unknown:
        raise InvalidInput(
            f"a message has no field {sorted(map(safe_repr, unknown))[0]}",
            code="message_invalid",
            hint=f"known fields: {', '.join(FIELDS)}",
        )
    position = message.get("position", index)
    if isinstance(position, bool) or not isinstance(position, int):
        raise InvalidInput("position must be a whole number", code="message_invalid")
    role = speaker_role(_text_field(message, "role")) or "user"
    parts = [_text_of_content(message.get("content") or ""), *calls]
    return Draft(
        text="\n".join(part for part in parts if part) or _text_of_content(message.get("content")),
        kind="message",
        session=session,
        project=project,
        visibility=visibility,
        workspace=workspace,
        role=role,
        origin="tool" if role in TOOL_ROLES else None,
        name=_text_field(message, "name"),
        at=message.get("at"),
        external_id=_text_field(message, "id"),
        metadata=message.get("metadata"),
        position=position,
        source=source,
    )


def _text_of_content(value: Any) -> str:
    """Returns a text, or the text parts of a multimodal content list."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [
            part if isinstance(part, str) else text_of_part(part)
            for part in value
            if isinstance(part, str | dict)
        ]
        return "\n".join(part for part in parts if isinstance(part, str))
    raise InvalidInput(f"content must be text, not {type(value).__name__}", code="text_not_string")


def _text_field(message: Mapping[str, Any], name: str) -> str | None:
    value = message.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"{name} must be text, not {type(value).__name__}", code="message_invalid")
    return value

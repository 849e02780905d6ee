"""`HoldfastToolset` and `HoldfastHistory`, tools and history of agents of Pydantic AI over a memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic_ai import FunctionToolset, RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.run import AgentRunResult

from holdfast.api.memory import Memory
from holdfast.integrations.assistant import Assistant

Memories = Memory | Callable[[RunContext[Any]], Memory]
"""A memory, or a function that returns that of the user of a run, such as `lambda run: run.deps.memory`."""


class HoldfastToolset(FunctionToolset[Any]):
    """Tools with which a model remembers, recalls and forgets in the memory of one user and project.

    Which user and which project is never up to the model. Open the memory with an `agent`, so that what the
    model writes counts as said by that agent. Its user alone sees it, unless `visibility` is
    "project" or "team".
    """

    def __init__(
        self,
        memory: Memories,
        *,
        project: str | None = None,
        personal: bool = True,
        visibility: str = "private",
        id: str = "holdfast",
    ) -> None:
        super().__init__(id=id)

        def assistant(run: RunContext[Any]) -> Assistant:
            return Assistant(_memory(memory, run), project, personal, visibility)

        def remember(run: RunContext[Any], text: str, kind: str = "note") -> str:
            """Saves something worth knowing in later conversations: one statement that is clear by itself.

            Args:
                text: The statement.
                kind: fact, preference, decision, convention, goal or note.
            """
            return assistant(run).remember(text, kind)

        def recall(run: RunContext[Any], query: str) -> str:
            """Searches what is remembered from earlier conversations.

            Args:
                query: A question or a few words.
            """
            return assistant(run).recall(query)

        def forget(run: RunContext[Any], id: str) -> str:
            """Forgets a memory that is wrong or that the user wants to be forgotten.

            Args:
                id: The id that recall has shown.
            """
            return assistant(run).forget(id)

        for tool in (remember, recall, forget):
            self.tool(tool)


@dataclass
class HoldfastHistory(AbstractCapability[Any]):
    """A capability that stores what is said in each run, and gives each prompt what is remembered about it.

    Prompts and responses are messages of the conversation that the run belongs to, its `conversation_id`.
    What is remembered, at most `budget` tokens, stands before the prompt in the request to the model, not in
    the history of messages. With `turns`, the request has only so many of the latest prompts with all that
    follows them; what was said before comes back from memory where it helps.
    """

    memory: Memories
    project: str | None = None
    turns: int | None = None
    budget: int = 1_000
    personal: bool = True
    _context: str | None = field(default=None, init=False, repr=False)

    async def for_run(self, ctx: RunContext[Any]) -> HoldfastHistory:
        """Returns a capability for one run, whose prompt is looked up once."""
        return replace(self)

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Shortens the messages of a request, and adds what is remembered about its prompt."""
        messages = list(request_context.messages)
        starts = [index for index, message in enumerate(messages) if _prompt(message)]
        if not starts:
            return request_context
        first = starts[max(0, len(starts) - self.turns)] if self.turns is not None and self.turns > 0 else 0
        latest = messages[starts[-1]]
        if self._context is None:
            window = sum(1 for _ in _spoken_turns(messages[first : starts[-1]]))
            self._context = await asyncio.to_thread(
                self._assistant(ctx).context, _prompt(latest), session=ctx.conversation_id,
                budget=self.budget, window=window,
            )  # fmt: skip
        if self._context and isinstance(latest, ModelRequest):
            parts = [UserPromptPart(self._context), *latest.parts]
            messages[starts[-1]] = replace(latest, parts=parts)
        return replace(request_context, messages=messages[first:])

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Stores what was said in a run. Raises InvalidInput if it cannot be stored."""
        messages = [
            {"id": f"{ctx.run_id}:{index}", "role": role, "content": text}
            for index, (role, text) in enumerate(_spoken_turns(result.new_messages()))
        ]
        session = str(ctx.conversation_id)
        await asyncio.to_thread(self._assistant(ctx).add, messages, session=session)
        return result

    def _assistant(self, run: RunContext[Any]) -> Assistant:
        return Assistant(_memory(self.memory, run), self.project, self.personal)


def _memory(memory: Memories, run: RunContext[Any]) -> Memory:
    return memory if isinstance(memory, Memory) else memory(run)


def _spoken_turns(messages: Sequence[ModelMessage]) -> Iterator[tuple[str, str]]:
    """Yields role and text of what was said, without calls of tools, their results and thoughts."""
    for message in messages:
        if isinstance(message, ModelResponse):
            text = "\n".join(part.content for part in message.parts if isinstance(part, TextPart))
        else:
            text = _prompt(message)
        if text.strip():
            yield ("assistant" if isinstance(message, ModelResponse) else "user"), text


def _prompt(message: ModelMessage) -> str:
    """Returns the text that a user has sent with a message."""
    contents = [part.content for part in message.parts if isinstance(part, UserPromptPart)]
    items = [item for content in contents for item in ([content] if isinstance(content, str) else content)]
    return "\n".join(item for item in items if isinstance(item, str))

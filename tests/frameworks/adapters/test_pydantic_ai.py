"""The toolset and the history of agents of Pydantic AI, run with a model that is scripted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from holdfast import Memory

pytest.importorskip("pydantic_ai")

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import FunctionModel

from holdfast.integrations.pydantic_ai import HoldfastHistory, HoldfastToolset


@dataclass
class Script:
    """A model that gives these responses in turn, and notes what it was asked."""

    responses: list[Any]
    requests: list[list[Any]] = field(default_factory=list)
    tools: tuple[Any, ...] = ()

    def __call__(self, messages: list[Any], info: Any) -> Any:
        self.requests.append(messages)
        self.tools = tuple(info.function_tools)
        return ModelResponse(parts=[self.responses.pop(0)])

    @property
    def prompt(self) -> str:
        """The text of the user's side of the last request."""
        parts = [part for message in self.requests[-1] for part in message.parts]
        return "\n".join(part.content for part in parts if isinstance(part, UserPromptPart))

    @property
    def returned(self) -> str:
        """What the last tool has returned."""
        return str(self.requests[-1][-1].parts[-1].content)


def run(script: Script, prompt: str, memory: Any, **place: Any) -> Any:
    """Runs an agent with our tools."""
    return Agent(FunctionModel(script), toolsets=[HoldfastToolset(memory, **place)]).run_sync(prompt)


def calls(name: str, **arguments: Any) -> list[Any]:
    return [ToolCallPart(name, arguments), TextPart("Done.")]


def test_what_a_tool_saves_is_recalled_by_another_run_and_forgotten(host: Memory) -> None:
    alex = host.as_user("alex", agent="kitchen")
    script = Script(calls("remember", text="Alex is allergic to nuts", kind="fact"))
    run(script, "I am allergic to nuts", alex)
    record = alex.list().memories[0]
    assert (record.text, record.kind, record.said_by) == ("Alex is allergic to nuts", "fact", "agent")
    assert record.id in script.returned

    script = Script(calls("recall", query="which allergies does the user have?"))
    run(script, "Bake me a cake", alex)
    assert f"{record.id} (fact, agent," in script.returned
    assert "Alex is allergic to nuts" in script.returned

    script = Script(calls("forget", id=record.id))
    run(script, "That was wrong", alex)
    assert script.returned == "Forgotten."
    assert not alex.list().memories


def test_the_model_is_told_of_three_tools_and_no_place(host: Memory) -> None:
    script = Script([TextPart("Hello.")])
    run(script, "Hello", host, project="cooking")
    arguments = {tool.name: set(tool.parameters_json_schema["properties"]) for tool in script.tools}
    assert arguments == {"remember": {"text", "kind"}, "recall": {"query"}, "forget": {"id"}}
    assert all(tool.description for tool in script.tools)


def test_a_toolset_sees_one_user_and_one_project(host: Memory) -> None:
    alex, kim = host.as_user("alex"), host.as_user("kim")
    hers = kim.remember("The door code of Kim is on the fridge").memory
    elsewhere = alex.remember("The door code at work is in the safe", project="work").memory
    run(Script(calls("remember", text="The door code of the kitchen is under the mat", kind="fact")),
        "Save it", alex, project="kitchen")  # fmt: skip
    assert not kim.recall("door code", project="kitchen", personal=False)
    assert hers is not None
    assert elsewhere is not None
    script = Script(calls("recall", query="door code"))
    run(script, "How do I get in?", alex, project="kitchen")
    assert "under the mat" in script.returned
    assert "fridge" not in script.returned
    assert "safe" not in script.returned
    for record in (hers, elsewhere):
        script = Script(calls("forget", id=record.id))
        run(script, "Forget it", alex, project="kitchen")
        assert "no memory" in script.returned
    assert kim.get(hers.id).deleted_at is None
    assert alex.get(elsewhere.id).deleted_at is None


def test_what_a_person_pinned_stays(host: Memory) -> None:
    record = host.remember("Never bake with nuts", kind="convention").memory
    assert record is not None
    host.pin(record.id)
    script = Script(calls("forget", id=record.id))
    run(script, "Forget it", host)
    assert "only a person" in script.returned
    assert host.get(record.id).pinned


def test_secrets_are_removed_and_what_is_never_remembered_is_refused(host: Memory) -> None:
    host.never("my salary")
    script = Script(calls("remember", text="The salary of the user is 90,000 euros"))
    run(script, "I earn 90,000 euros", host)
    assert script.returned.startswith("Not saved: ")
    script = Script(calls("remember", text="The password of the wiki is hunter2hunter2"))
    run(script, "Note it", host)
    assert not [record for record in host.list().memories if "hunter2" in record.text]


def test_the_user_of_a_run_is_that_of_its_deps(host: Memory) -> None:
    agent: Any = Agent(
        FunctionModel(Script(calls("remember", text="Likes olives") + calls("remember", text="Likes tea"))),
        toolsets=[HoldfastToolset(lambda run: host.as_user(run.deps))],
        deps_type=str,
    )
    agent.run_sync("I like olives", deps="alex")
    agent.run_sync("I like tea", deps="kim")
    said = {user: [memory.text for memory in host.as_user(user).list().memories] for user in ("alex", "kim")}
    assert said == {"alex": ["Likes olives"], "kim": ["Likes tea"]}


def test_history_is_stored_and_given_back_where_it_helps(host: Memory) -> None:
    alex, kim = host.as_user("alex"), host.as_user("kim")
    script = Script([TextPart("I will keep that in mind."), TextPart("Pasta."), TextPart("Pizza.")])
    agent: Any = Agent(
        FunctionModel(script), capabilities=[HoldfastHistory(lambda run: run.deps)], deps_type=Memory
    )
    first = agent.run_sync("I'm allergic to nuts.", deps=alex, conversation_id="c1")
    assert script.prompt == "I'm allergic to nuts."
    stored = alex.sessions.messages("c1").memories
    assert [(one.role, one.text) for one in stored] == [
        ("user", "I'm allergic to nuts."), ("assistant", "I will keep that in mind.")
    ]  # fmt: skip
    second = agent.run_sync("What must not be in my cake?", deps=alex, conversation_id="c2")
    assert "allergic to nuts" in script.prompt
    assert "allergic to nuts" not in str(second.all_messages())
    agent.run_sync("What must not be in my cake?", deps=kim, conversation_id="c1")
    assert "nuts" not in script.prompt
    assert first.output == "I will keep that in mind."


def test_a_long_conversation_is_shortened_to_its_latest_turns(host: Memory) -> None:
    script = Script([TextPart(f"Noted {number}.") for number in range(4)])
    agent: Any = Agent(FunctionModel(script), capabilities=[HoldfastHistory(host, turns=2)])
    history: Any = None
    for number in range(4):
        result = agent.run_sync(f"Thing number {number} is blue.", message_history=history)
        history = result.all_messages()
    last = [message for message in script.requests[-1] if "Thing number" in str(message)]
    assert len(script.requests[-1]) == 3
    assert "Thing number 2" in str(last[0])
    assert len(history) == 8
    (session,) = host.sessions.list().sessions
    assert len(host.sessions.messages(session.external_id).memories) == 8


def test_a_run_that_uses_tools_looks_up_its_prompt_once(host: Memory) -> None:
    host.remember("The oven needs ten minutes to heat")
    script = Script(calls("recall", query="oven"))
    agent: Any = Agent(
        FunctionModel(script), toolsets=[HoldfastToolset(host)], capabilities=[HoldfastHistory(host)]
    )
    agent.run_sync("How long does the oven need?")
    assert script.prompt.count("ten minutes") == 1
    assert [m.role for m in host.list(kinds="message").memories] == ["assistant", "user"]

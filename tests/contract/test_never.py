"""The store contract: what a person wants never to be remembered is kept out at every way in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from holdfast import HoldfastError, Memory
from holdfast.core.places import Principal, Role
from holdfast.core.record import Kept
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.stores.base.ports import Store
from tests.fakes import ManualClock
from tests.support import memory_on, texts


@pytest.mark.parametrize(
    ("example", "like", "unlike"),
    [
        (
            "I am allergic to peanuts",
            ["I'm allergic to walnuts", "You are allergic to bees.", "Ich bin allergisch gegen Nüsse"],
            ["I like peanut butter", "Walnuts grow in France"],
        ),
        (
            "health",
            ["I have diabetes", "Your diabetes is under control", "I'm pregnant"],
            ["I live in Rome", "The health of the servers is fine"],
        ),
        ("my salary", ["My salary went up to 95,000", "About salaries: mine is 90k"], ["We sell celery"]),
        (
            "I had a fight with my boss about money",
            ["The boss and I: money again, and a fight", "Fights over money with the boss"],
            ["My boss gave me a book"],
        ),
        ("my ex-husband Tom", ["Tom, my ex-husband, called"], ["My husband is Ben", "Tom Sawyer is a book"]),
    ],
)
def test_nothing_like_an_example_is_kept(
    memory: Memory, example: str, like: list[str], unlike: list[str]
) -> None:
    assert memory.never(example).outcome == "created"
    result = memory.remember_many([*like, *unlike])
    assert [(one.outcome, one.code) for one in result[: len(like)]] == [("refused", "excluded")] * len(like)
    assert all(example in one.reason for one in result[: len(like)])
    assert all(one.memory is not None for one in result[len(like) :])


def test_it_is_honoured_at_every_way_in(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, user="ana", clock=clock)
    memory.never("my salary")
    agent = memory_on(store, user="ana", agent="coder", clock=clock)
    ways: list[Callable[[], Kept]] = [
        lambda: memory.remember("Ana's salary is 90k"),
        lambda: agent.remember("The user's salary is 90k", kind="profile"),
        lambda: memory.add_messages([{"role": "user", "content": "My salary is 90k"}], session="s")[0],
        lambda: memory.add_episode("My salary is 90k", "A salary of 90k is fine", session="s"),
        lambda: memory.entities.create("Ana", "person", notes="has a salary of 90k"),
    ]
    for way in ways:
        kept = way()
        assert (kept.outcome, kept.code) == ("refused", "excluded")
    other = memory.remember("Works at Acme. The salary is 90k. Likes tea.", title="Salary of Ana")
    assert other.memory is not None
    assert other.memory.text == "Works at Acme. [not kept] Likes tea."
    assert (other.memory.title, other.outcome) == (None, "redacted")
    assert other.redactions == ("excluded",)
    with pytest.raises(HoldfastError) as refused:
        memory.revise(other.memory.id, text="The sal\u200bary is 90k")
    assert refused.value.code == "excluded"
    assert not [text for text in texts(memory.recall("salary 90k", project="*")) if "90k" in text]
    ben = memory_on(store, user="ben", clock=clock)
    assert ben.remember("My salary is 80k").memory is not None  # of somebody else


def test_it_is_left_out_of_all_that_stands_beside_a_text(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, user="ana", clock=clock)
    memory.never("my salary")
    memory.never("wage boss")
    result = memory.remember(
        "A note", name="My salary: 94321", tags=["salary 94321", "tea"],
        evidence={"quote": "my salary is 94321", "page": 4},
        metadata={
            "x": "my salary is 94321", "salary": 94321, "my_salary": {"in": 94321}, "mySalary": [94321],
            "deep": [{"note": "I like tea. My salary is 94321. And you?"}, ["salary", 94321]],
            "pair": {"name": "salary", "value": 94321}, "wage": "the boss pays 94321", "colour": "red",
        },
    )  # fmt: skip
    stored = result.memory
    assert stored is not None
    assert result.redactions == ("excluded", "excluded")
    assert "94321" not in str(memory.get(stored.id).as_dict())
    assert (stored.tags, stored.evidence) == (("tea",), {"quote": "[not kept]", "page": 4})
    assert stored.metadata["deep"][0] == {"note": "I like tea. [not kept] And you?"}
    assert stored.metadata["colour"] == "red"
    ways: list[Callable[[], object]] = [
        lambda: memory.sessions.create("s1", name="my salary is 94321"),
        lambda: memory.projects.create("p", description="My salary is 94321"),
        lambda: memory.entities.create("Salary 94321", "thing"),
    ]
    memory.sessions.create("s", name="Talk")
    ways.append(lambda: memory.sessions.update("s", name="My salary"))
    for way in ways:
        with pytest.raises(HoldfastError) as refused:
            way()
        assert refused.value.code == "excluded"
    assert memory.sessions.get("s").name == "Talk"
    made = memory.sessions.create("s2", name="Tea", metadata={"x": "my salary is 94321"})
    assert made.metadata == {"x": "[not kept]"}
    project = memory.projects.create("q", description="About tea. My salary is 94321.")
    assert project.description == "About tea. [not kept]"


def test_it_is_listed_and_lifted_by_a_person_only(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, user="ana", clock=clock)
    agent = memory_on(store, user="ana", agent="coder", clock=clock)
    kept = memory.remember("I am allergic to peanuts").memory
    assert kept is not None
    rule = memory.never(id=kept.id).memory
    assert rule is not None
    assert [record.id for record in memory.list(kinds=["exclusion"]).memories] == [rule.id]
    assert [record.id for record in memory.list().memories] == [kept.id]  # a rule is no memory
    assert memory.count() == memory.facets().total == 1
    assert "exclusion" not in memory.facets().kinds
    assert memory.facets(kinds="exclusion").total == 1
    assert memory.never("I am allergic to peanuts").outcome in ("duplicate", "merged")
    assert texts(memory.recall("peanuts")) == ["I am allergic to peanuts"]  # what is stored stays
    with pytest.raises(HoldfastError) as refused:
        agent.forget(rule.id)
    assert refused.value.code == "person_needed"
    stored = agent.never("my shoes").memory  # takes effect once a person approves it
    assert stored is not None
    assert stored.status == "pending"
    forged = agent.remember("my hat", kind="exclusion", external_id="exclusion", scope=("exclusion", "x"))
    assert forged.memory is None or forged.memory.status == "pending"
    assert memory.remember("My shoes are red").memory is not None
    memory.review.approve(stored.id)
    assert memory.remember("My shoes are blue").code == "excluded"
    memory.forget(rule.id)
    assert memory.remember("I am allergic to walnuts").memory is not None


def test_a_person_who_says_what_an_agent_asked_for_approves_it(store: Store, clock: ManualClock) -> None:
    memory = memory_on(store, user="ana", clock=clock)
    agent = memory_on(store, user="ana", agent="coder", clock=clock)
    assert agent.never("my salary").outcome == "pending"
    rule = memory.never("my salary").memory
    assert rule is not None
    assert rule.status == "approved"
    assert memory.remember("My salary is 5000 euros a month").code == "excluded"


def test_a_credential_of_a_project_is_bound_by_rules_that_it_may_not_read(memory: Memory) -> None:
    memory.projects.create("p")
    memory.never("my salary")
    limited = Grant(Principal("ana", Role.MEMBER), projects=frozenset({"p"}), credential="key:1")
    fenced = Memory.over(service_for(memory._service, limited))
    result = fenced.remember("My salary is 5000 euros a month", project="p")
    assert result.code == "excluded"
    assert "my salary" not in result.reason
    assert not fenced.list(kinds=["exclusion"]).memories


def test_what_is_no_example_is_refused(memory: Memory) -> None:
    for options in ({}, {"text": ""}, {"text": "the and of"}, {"text": "x" * 400}, {"text": "a", "id": "b"}):
        with pytest.raises(HoldfastError) as refused:
            memory.never(**options)
        assert refused.value.code == "argument_invalid"


def test_what_is_stored_stays_as_it_is_when_it_is_imported_again(memory: Memory) -> None:
    """Each message that is known and unchanged; one with another text obeys, and so does a new one."""
    messages = [
        {"role": "user", "content": "This is about Tobias burnout. We talk on Monday.", "id": "m1"},
        {"role": "user", "content": "Tobias burnout again. The plan changed.", "id": "m2"},
    ]
    memory.add_messages(messages, session="s")
    memory.never("Tobias burnout")
    messages[1]["content"] = "Tobias burnout again. The plan is dead."
    new = {"role": "user", "content": "Tobias burnout is long. Bring the files.", "id": "m3"}
    result = memory.add_messages([*messages, new], session="s")
    assert [one.outcome for one in result] == ["duplicate", "superseded", "redacted"]
    assert [record.text for record in memory.sessions.messages("s").memories] == [
        messages[0]["content"], "[not kept] The plan is dead.", "[not kept] Bring the files.",
    ]  # fmt: skip

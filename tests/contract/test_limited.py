"""What a credential limited to projects does inside them is what its user does there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from holdfast import AccessDenied, Memory, NotFound
from holdfast.features.access.access import Grant
from holdfast.features.access.keys import service_for
from holdfast.stores.base.ports import Store
from tests.support import open_store, service_on

PROJECTS = frozenset({"shop", "till"})


def face(store: Store, *, limited: bool) -> Memory:
    """Ana's memory, whose ids repeat, by a credential that is limited or is not."""
    service = service_on(store, seed=3)
    return Memory.over(service_for(service, Grant(service.principal, projects=PROJECTS if limited else None)))


def worked(memory: Memory) -> list[Any]:
    """Works in the projects; returns all that was answered."""
    said: list[Any] = []
    for project in ("shop", "till"):
        stored = memory.remember(f"The {project} opens at nine", project=project, title="Hours").memory
        assert stored is not None
        said += [stored, memory.revise(stored.id, text=f"The {project} opens at ten").memory]
        said.append(memory.redact(stored.id, 1))
        said += [memory.history(stored.id), memory.get(stored.id)]
        question = {"role": "user", "content": f"Where is the {project}?"}
        memory.add_messages([question], session=project, project=project)
    memory.sessions.update("till", archived=True)
    said += [memory.sessions.list(archived=flag) for flag in (False, True)]
    said += [memory.recall("when does it open?", project=name, mode=mode)
             for name in ("shop", "till", "*") for mode in ("words", "vectors")]  # fmt: skip
    memory.remember("The till is by the door", project="shop", kind="entity", name="till")
    said += [memory.projects.retag("shop", "till"), memory.list(project="till", kinds="entity")]
    said += [memory.sessions.delete("till"), memory.sessions.list()]
    said.append(memory.list(project="*", include=("deleted",)))
    return said


@pytest.mark.on_a_file
def test_a_limited_credential_works_in_its_projects_as_its_user_does(store: Store, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    other = open_store("sqlite", tmp_path / "whole")
    limited, whole = worked(face(store, limited=True)), worked(face(other, limited=False))
    other.close()
    for one, other in zip(limited, whole, strict=True):
        assert one == other


def test_a_limited_credential_revises_and_moves_nothing_elsewhere(store: Store) -> None:
    whole, limited = (face(store, limited=flag) for flag in (False, True))
    barn = whole.remember("The barn is red", project="barn").memory
    whole.projects.create("shop")
    assert barn is not None
    for attempt in (
        lambda: limited.revise(barn.id, text="The barn is blue"), lambda: limited.redact(barn.id, 1),
        lambda: limited.history(barn.id), lambda: limited.projects.retag("shop", "barn"),
        lambda: limited.projects.retag("barn", "shop"),
    ):  # fmt: skip
        with pytest.raises((AccessDenied, NotFound)):
            attempt()
    assert whole.get(barn.id) == barn


def test_a_limited_credential_resolves_the_citations_of_its_contexts(store: Store) -> None:
    whole, limited = (face(store, limited=flag) for flag in (False, True))
    for project in ("shop", "barn"):
        whole.remember(f"The {project} opens at nine", kind="convention", project=project)
    shop = limited.context("when does it open?", project="shop", session="in shop")
    barn = whole.context("when does it open?", project="barn", session="in barn")
    assert [cited.memory.text for cited in limited.citations(str(shop.id))] == ["The shop opens at nine"]
    assert [cited.memory.text for cited in whole.citations(str(barn.id))] == ["The barn opens at nine"]
    with pytest.raises(NotFound):
        limited.citations(str(barn.id))

"""One gate for every text: the setting `secret_entropy` holds wherever a text enters (S4.19, S4.21)."""

from __future__ import annotations

import inspect
import json
import pkgutil
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from holdfast import HoldfastError, InvalidInput, Memory, features
from holdfast.api import import_session as intake
from holdfast.api.importing import import_path
from holdfast.core.places import NAME_MAX
from holdfast.core.record import TAG_MAX, TAGS_MAX
from holdfast.features.admission.draft import Draft
from holdfast.features.admission.sanitizer import DEPTH_MAX, Cleaner
from holdfast.features.files import file_ingest as preparing
from holdfast.features.memories import prefetch as admitting
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD
from holdfast.language.secrets.find import redact_secrets
from holdfast.mcp.agent import TOOLS
from tests.support import gate_of

TOKEN = "kX9vQ2kX9vQ2kX9vQ2kX9v"
"""A secret by the strictest setting, and none by the usual one."""
SAID = f"The gate is {TOKEN} today"


def remembered(memory: Memory, text: str = "The boat is green", **given: object) -> str:
    stored = memory.remember(text, **given).memory  # type: ignore[arg-type]
    assert stored is not None
    return stored.id


def chat(folder: Path, count: int) -> Path:
    """An export of conversations whose titles and messages hold the token."""
    messages = [
        {"role": "user", "content": f"{number}: {SAID}", "id": f"m{number}"} for number in range(count)
    ]
    path = folder / "chat.json"
    path.write_text(json.dumps([{"id": "talk", "title": f"On {TOKEN}", "messages": messages}]), "utf-8")
    return path


def tree(folder: Path, *names: str) -> Path:
    root = folder / "notes"
    root.mkdir()
    for name in names:
        (root / name).write_text(f"def paint_{TOKEN}(boat):\n    # {SAID}\n    return boat\n", "utf-8")
    return root


def indexed(memory: Memory, root: Path) -> None:
    memory.folders.index(memory.folders.add(root, project="shop").id)


def indexed_apart(memory: Memory, folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preparing, "ALONE", 0)
        patch.setattr(preparing, "cores", lambda: 2)
        indexed(memory, tree(folder, *(f"{number}.py" for number in range(130))))


def imported_apart(memory: Memory, folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(admitting, "ALONE", 0)
        patch.setattr(admitting, "cores", lambda: 2)
        patch.setattr(intake, "BATCH", 10)
        import_path(memory, chat(folder, 40))


def scanned(memory: Memory, folder: Path) -> None:
    root = tree(folder, "app.py")
    (root / "README.md").write_text(
        f"# Shop\n\n{SAID}.\n\n## Conventions\n\n- Always use {TOKEN}.\n", "utf-8"
    )
    memory.maps.scan(root, project="shop")


def learned(memory: Memory, folder: Path) -> None:
    memory.learn(
        [
            {"type": "session", "id": TOKEN, "cwd": "/home/ana/shop"},
            {"type": "user", "text": f"No, use the key {TOKEN} instead of reading os.environ."},
            {"type": "edit", "path": f"{TOKEN}.py"},
            {"type": "assistant", "text": f"It turns out that the header {TOKEN} takes seconds."},
            {"type": "end", "outcome": "success"},
        ],
        project="shop",
    )


def taken_back(memory: Memory, folder: Path) -> None:
    """The export of a store without the setting, which holds the token in all that an export holds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("HOLDFAST_SECRET_ENTROPY", raising=False)
        with Memory(folder / "other.db", user="ana") as other:
            source = other.sources.add("chat", "a" * 64, filename=TOKEN, metadata={"from": TOKEN})
            other.projects.create("shop", notes=SAID)
            other.sessions.create("talk", project="shop", name=TOKEN, metadata={"from": TOKEN})
            remembered(other, SAID, project="shop", session="talk", kind="message", source=source.id)
            other.review.reject(remembered(other, "A mast", status="pending"), reason=SAID)
            other.forget(remembered(other, "A sail"), reason=SAID)
            path = folder / "export.jsonl"
            path.write_text("".join(f"{line}\n" for line in other.export()), "utf-8")
            assert path.read_text("utf-8").count(TOKEN) == 9
    import_path(memory, path)


PLACES: dict[str, Callable[[Memory, Path], object]] = {
    "text": lambda m, _: m.remember(SAID),
    "title": lambda m, _: m.remember("x", title=SAID),
    "summary": lambda m, _: m.remember("x", summary=SAID),
    "tags": lambda m, _: m.remember("x", tags=[TOKEN]),
    "metadata": lambda m, _: m.remember("x", metadata={"list": [TOKEN]}),
    "name of metadata": lambda m, _: m.remember("x", metadata={TOKEN: 1}),
    "evidence": lambda m, _: m.remember("x", evidence={"said": SAID}),
    "speaker": lambda m, _: m.remember("x", kind="message", name=TOKEN),
    "revision": lambda m, _: m.revise(remembered(m), text=SAID),
    "messages": lambda m, _: m.add_messages([{"role": "user", "content": SAID}], session="talk"),
    "episode": lambda m, _: m.add_episode("Where is it?", SAID, session="talk"),
    "fact": lambda m, _: m.facts.add("colors", [TOKEN]),
    "extraction": lambda m, _: m.extract(text=f"I prefer {TOKEN} for the gate."),
    "observation": lambda m, _: m.entities.observe(remembered(m, kind="entity"), [SAID]),
    "name of an entity": lambda m, _: m.entities.create(f"Boat {TOKEN}"),
    "type of an entity": lambda m, _: m.entities.create("Boat", TOKEN),
    "settings of a project": lambda m, _: m.projects.create("shop", notes=SAID, icon=TOKEN),
    "new settings of a project": lambda m, _: m.projects.update(m.projects.create("a").name, colour=TOKEN),
    "name of a session": lambda m, _: m.sessions.create("talk", name=TOKEN),
    "new name of a session": lambda m, _: (m.sessions.create("talk"), m.sessions.update("talk", name=TOKEN)),
    "metadata of a session": lambda m, _: m.sessions.create("talk", metadata={"from": TOKEN}),
    "reason to forget": lambda m, _: m.forget(remembered(m), reason=SAID),
    "reason to reject": lambda m, _: m.review.reject(remembered(m, status="pending"), reason=SAID),
    "edit in review": lambda m, _: m.review.edit(remembered(m, status="pending"), text=SAID),
    "note on what is wrong": lambda m, _: m.review.wrong(remembered(m), note=SAID),
    "description of a module": lambda m, _: m.maps.update("boats", project="shop", description=SAID),
    "list of a module": lambda m, _: m.maps.update("boats", project="shop", keywords=["hull", TOKEN]),
    "path of a module": lambda m, _: m.maps.update("boats", project="shop", core_files=[f"{TOKEN}.py"]),
    "scan": scanned,
    "worklog": learned,
    "source": lambda m, _: m.sources.add("chat", "a" * 64, filename=TOKEN),
    "metadata of a source": lambda m, _: m.sources.add("chat", "a" * 64, metadata={"from": TOKEN}),
    "name of a folder": lambda m, folder: m.folders.add(tree(folder), name=TOKEN),
    "pattern of a folder": lambda m, folder: m.folders.add(tree(folder), exclude=[f"{TOKEN}/*"]),
    "path of a folder": lambda m, folder: m.folders.add(tree(folder).rename(folder / f"src {TOKEN}")),
    "file": lambda m, folder: indexed(m, tree(folder, "app.py")),
    "name of a file": lambda m, folder: indexed(m, tree(folder, f"{TOKEN}.txt")),
    "files, by another process": indexed_apart,
    "import": lambda m, folder: import_path(m, chat(folder, 3)),
    "import, by another process": imported_apart,
    "export that is taken back": taken_back,
}
"""How a text gets into a store. Names and ids of projects, sessions and the like are not among them: there a
random word is usual (`features/admission/names`)."""


@pytest.mark.parametrize("place", PLACES)
def test_s4_21_the_entropy_of_a_secret_holds_wherever_a_text_enters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """S4.19, S4.21: by the strictest setting no byte of it is stored, and by the usual one it is."""
    found = {}
    for bits in (0, ENTROPY_THRESHOLD):
        assert bool(redact_secrets(SAID, entropy=bits)[1]) == (bits == 0)
        monkeypatch.setenv("HOLDFAST_SECRET_ENTROPY", str(bits))
        folder = tmp_path / str(bits)
        (folder / "store").mkdir(parents=True)
        with Memory(folder / "store" / "store.db", user="ana") as memory, suppress(InvalidInput):
            PLACES[place](memory, folder)  # a name that cannot be redacted is refused
        found[bits] = any(TOKEN.encode() in path.read_bytes() for path in (folder / "store").iterdir())
    assert found == {0: False, ENTROPY_THRESHOLD: True}


def test_s4_20_what_stands_beside_a_text_in_a_map_hides_no_secret(tmp_path: Path) -> None:
    """A certificate is public up to its end; what another entry says is none of it."""
    token = "aQ7dM2xK9vaQ7dM2xK9vZf6Lp3"
    with Memory(tmp_path / "store.db") as memory:
        begin = "-----BEGIN CERTIFICATE-----"
        result = memory.maps.update("gate", project="shop", keywords=[begin, token, "hull"])
    assert begin in result.keywords
    assert not any(token in word for word in result.keywords)


def test_s4_21_no_cleaner_has_a_threshold_of_its_own() -> None:
    """Whoever cleans says by which setting, so that none can be forgotten."""
    functions = [
        value
        for module in pkgutil.walk_packages(features.__path__, "holdfast.features.")
        if not module.name.startswith("holdfast.features.reading")
        for value in vars(import_module(module.name)).values()
        if inspect.isfunction(value) and value.__module__ == module.name
    ]
    cleaners: list[Callable[..., object]] = [*functions, Cleaner]
    asked = [inspect.signature(cleaner).parameters for cleaner in cleaners]
    given = [parameters["entropy"].default for parameters in asked if "entropy" in parameters]
    assert given
    assert set(given) == {inspect.Parameter.empty}


def test_s4_21_many_texts_are_cleaned_as_each_alone() -> None:
    gate = gate_of("ana")
    texts = [f"sail {number}" for number in range(200)] + ["the password: hunter2secret99", " ", "<private>x"]
    assert gate.clean_texts(texts) == {text: gate.clean_text(text) for text in texts}
    assert gate.storable(texts) == set(texts[:200])


def test_the_gate_tells_what_is_wrong_with_a_draft() -> None:
    with pytest.raises(HoldfastError) as error:
        gate_of("ana").admit(Draft(" "), id="m", now=0)
    assert error.value.code == "text_empty"


def test_a_tag_has_the_same_limits_wherever_it_is_given(tmp_path: Path) -> None:
    """A tag that is taken by one face is taken by all, and can be asked for."""
    longest = "t" * TAG_MAX
    (tmp_path / "note.md").write_text(f"---\ntags: {longest}t, boat\n---\nThe hull is green.\n", "utf-8")
    with Memory(tmp_path / "store.db") as memory:
        assert memory.remember("The mast is oak", tags=[longest]).memory
        assert memory.recall("mast", tags=[longest])
        with pytest.raises(InvalidInput, match=str(TAG_MAX)):
            memory.remember("x", tags=[f"{longest}t"])
        import_path(memory, tmp_path / "note.md")
        assert memory.recall("hull", tags=[longest])  # cut to what fits
    (remember,) = (tool for tool in TOOLS if tool.name == "remember")
    assert remember.input["properties"]["tags"]["items"]["maxLength"] == TAG_MAX


def test_what_is_as_much_as_may_be_given_is_taken(memory: Memory) -> None:
    """And nothing that is one more."""

    def nested(levels: int) -> dict[str, Any]:
        return {"inner": nested(levels - 1) if levels > 1 else "oak"}

    def given(more: int) -> dict[str, Any]:
        return {
            "project": "p" * (NAME_MAX + more), "tags": [f"tag {n}" for n in range(TAGS_MAX + more)],
            "metadata": nested(DEPTH_MAX + more),
        }  # fmt: skip

    assert memory.remember("The mast is oak", **given(0)).memory
    for name, value in given(1).items():
        with pytest.raises(InvalidInput):
            memory.remember("The hull is green", **{name: value})


def test_what_stands_beside_a_known_secret_in_metadata_goes_with_it(memory: Memory) -> None:
    metadata = {"password": "Zebra9x ghp_16C7e42F292c6912E7710c838347Ae178B4a tail", "place": "the shed"}
    stored = memory.remember("The login of the till", metadata=metadata).memory
    assert stored is not None
    assert stored.metadata["place"] == "the shed"
    assert not any(word in stored.metadata["password"] for word in ("Zebra9x", "ghp_", "tail"))

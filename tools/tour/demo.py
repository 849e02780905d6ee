"""Demo data for the tour: a small web shop, its team, their agents, and somebody's own chats.

`fill(store, folder)` writes `story.json` through the public interface, with the dates of the story.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from holdfast import Memory
from holdfast.api.importing import import_path

ROOT = Path(__file__).parents[2]
STORY: dict[str, Any] = json.loads((Path(__file__).parent / "story.json").read_text("utf-8"))
TODAY = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
PROJECT, OWNER = "shop", "ana"


class _Clock:
    """The time of the story, which only the story moves."""

    def __init__(self) -> None:
        self.now = TODAY

    def __call__(self) -> int:
        self.now += timedelta(milliseconds=7)
        return int(self.now.timestamp() * 1000)

    def go(self, days_ago: float) -> datetime:
        """Sets the time to so many days before today, and returns it."""
        self.now = TODAY - timedelta(days=days_ago)
        return self.now


def fill(store: str | Path, folder: Path) -> None:
    """Fills a new store with the story; `folder` receives the code of the shop."""
    clock = _Clock()
    for path, text in STORY["code"].items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        written = (TODAY - timedelta(days=30)).timestamp()
        os.utime(file, (written, written))
    with Memory(store, user=OWNER, clock=clock) as ana:
        _own_chats(ana, clock)
        _shop(ana, clock)
        _agents(ana, clock, folder)
        _team(ana, clock)
        clock.go(0)


def _own_chats(ana: Memory, clock: _Clock) -> None:
    for n, said in enumerate(STORY["about_me"]):
        at = clock.go(said["days_ago"])
        talk = [{"role": "user", "content": said["text"]}, {"role": "assistant", "content": "Noted."}]
        ana.add_messages([{**one, "at": at} for one in talk], session=f"about-{n}", extract=True)
        ana.sessions.update(f"about-{n}", name=said["text"].partition(".")[0])
    clock.go(9)
    import_path(ana, ROOT / "examples" / "chatgpt-export.json")


def _shop(ana: Memory, clock: _Clock) -> None:
    clock.go(70)
    ana.projects.create(PROJECT, description="The web shop: checkout, payments, catalogue")
    ana.projects.create("garden", description="The allotment: what grows where")
    for one in STORY["knowledge"]:
        at = clock.go(one["days_ago"])
        fields = {name: value for name, value in one.items() if name not in ("days_ago", "pinned")}
        kept = ana.remember(**fields, project=PROJECT, at=at, visibility="team")
        if kept.memory is not None and one.get("pinned"):
            ana.pin(kept.memory.id)
    clock.go(2)
    support = ana.list(project=PROJECT, kinds="fact").memories[0]
    ana.revise(support.id, text=support.text.replace("from 9 to 17", "from 8 to 18"))
    for one in STORY["garden"]:
        ana.remember(one["text"], project="garden", at=clock.go(one["days_ago"]))
    clock.go(40)
    for name, kind, notes in STORY["things"]:
        ana.entities.create(name, kind, notes=notes, project=PROJECT)
    for subject, relation, target in STORY["relations"]:
        ana.entities.relate(subject, relation, target, project=PROJECT)


def _agents(ana: Memory, clock: _Clock, folder: Path) -> None:
    at = clock.go(5)
    ana.maps.scan(folder, project=PROJECT, seed=True)
    agent = ana.as_user(OWNER, agent="claude-code")
    talk = [{**one, "at": at + timedelta(minutes=2 * n)} for n, one in enumerate(STORY["agent_talk"])]
    agent.add_messages(talk, session="fix-logout", project=PROJECT)
    ana.sessions.update("fix-logout", name="Customers are logged out")
    here: dict[str, Any] = {"project": PROJECT, "session": "fix-logout"}
    agent.context("Customers are logged out after five minutes", **here)
    agent.maps.opened(["shop/auth/tokens.py", "shop/auth/login.py"], **here)
    for hours, one in enumerate(STORY["proposals"]):
        clock.go(2 - hours / 12)
        evidence = {"session": "fix-logout", "quote": one["text"].partition(":")[0]}
        agent.remember(**one, project=PROJECT, status="pending", evidence=evidence)
    clock.go(1)
    ana.remember(
        "Support answers on weekdays from 10 to 16 (Berlin).", kind="fact", project=PROJECT, origin="web",
        title="Support hours on the site",
    )  # fmt: skip
    source = ana.folders.add(folder, name="shop repository", project=PROJECT, visibility="team", watch=False)
    ana.folders.index(source.id)
    for question in ("Which Redis do we need?", "How do refunds work?", "When may migrations run?"):
        agent.recall(question, **here, repeat=False)


def _team(ana: Memory, clock: _Clock) -> None:
    clock.go(20)
    for user, role in ((OWNER, "owner"), ("marta", "admin"), ("jonas", "member"), ("ci", "service")):
        ana.members.add(user, role)
    clock.go(4)
    ana.as_user("jonas").remember(
        "Synonyms for search by colour are kept in shop/catalogue/synonyms.yml.", kind="fact",
        title="Where synonyms are", project=PROJECT, visibility="team",
    )  # fmt: skip

"""What fuzzing begins with: sound files of every format that is imported, and texts that state things."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from holdfast.api.importing import import_bytes
from holdfast.features.extraction.rules import RULES
from tests.oracle import OracleStore
from tests.support import memory_on
from tests.unit.chat_samples import chatgpt, claude, content, node, record, turn

SAID = (
    "My favorite colors are:\n1) blue\n2) green\n3) red",
    "I live in Lisbon. Call me at +1 (212) 555-0187 or ada@example.org.",
    "password = hunter2-Zk39xQ7!aB\n<private>not this</private> but this",
    "请记住：我叫李雷，我喜欢茶。",
    "a line\r\nanother\ttab \u200bhidden\u202e \U0001f468‍\U0001f469 e\u0301",
)
NOTE = """---
title: Trip to Lisbon
permalink: trips/lisbon
type: journey
tags: [travel, "2026", spring]
date: 2026-05-01
---

# Trip to Lisbon

By train, #slowly. See [[Ada Lovelace]] and [[trips/Porto|Porto]].

## Observations
- [plan] Book the hotel in April #booking
- [x] a box that was ticked
- [price] About 300 euros (per person)

## Relations
- goes_with [[Ada Lovelace]]
- "is part of" [[Summer#June]]

```python
# no heading
print("[[no link]]")
```

### Deeper
| a | b |
|---|---|
"""
TURNS = """Some words first.
User: What is the capital of France?
Assistant: Paris.
**Me:** and of Portugal?
```
user: root
```
AI: Lisbon.
我：你好
助手：你好！
"""
QUESTIONS = (
    "What is my second favorite color?",
    "list my top 3 favorite colors and my favorite candies, please",
    "which crypto did I rank third?",
    "wait a second, what is issue #12?",
    "What's my #2 on my list of movies?",
    "I forgot my favorites. Which color is my 3rd favorite",
    "first things first: show me the code",
    "I ranked six cryptos. What are the last two, and how many colors are on my list?",
    "My favorites: color, candy. Which one is it?",
    "items 2 to 4 and the third from the bottom of my favourit colors",
)
STATED = (
    "My favorite colors are blue, green, and red.",
    "My second favorite color is “light blue”.",
    "Move green to #1 in my favorite colors.",
    "Add purple and pink to my favorite colors.",
    "Remove blue from my favorite colors.",
    "My favorite movies:\n1. Up\n2. Heat [M3]\n3) Alien\n\n## Model: x\n3 May 2026, 10:11",
    "Blue is my favorite color, and my favorite candy is licorice because it is black.",
    "first: tea, second: coffee, third: milk are my favorite drinks",
    "#1 BTC #2 ETH #3 SOL - these are my favorite cryptos",
)


def chatgpt_file() -> Any:
    return [
        chatgpt(
            node("a", None, "system", ""), node("b", "a", text=SAID[0], at=1_770_000_000.5),
            node("c", "b", "assistant", "\ue200entity\ue202[\"city\",\"Lisbon\"]\ue201 is fine"),
            node("d", "b", "tool", "42", weight=0), node("e", "c", text=SAID[2]), current="e",
        ),
        chatgpt(node("a", None, text=SAID[3]), node("b", "a", "assistant", SAID[4]))
        | {"id": "c-2", "title": "Second"},
    ]  # fmt: skip


def claude_file() -> Any:
    blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": SAID[1]}]
    return [
        claude(
            turn("1", "human", SAID[0]), turn("2", "assistant", "Noted.", "1", content=blocks),
            turn("3", "human", SAID[2], "2"), turn("4", "human", SAID[3], "2", at=None),
        ),
        claude(turn("5", "human", SAID[4]), uuid="k-2", name="Other"),
    ]  # fmt: skip


def gemini_file() -> Any:
    asked = content("user", SAID[0])
    return [
        {"request": {"contents": [asked]}, "response": {"candidates": [{"content": content("model", "ok")}]}},
        {"request": {"contents": [asked, content("model", "ok"), content("user", SAID[1])]}, "response": {}},
        {"chunkedPrompt": {"chunks": [{"role": "user", "text": SAID[3]}, {"isThought": True, "text": "x"}]}},
        record(
            "Prompted " + SAID[2], "2026-02-03T09:00:00Z", "<p>An &amp; answer<br>of lines</p>",
            titleUrl="https://gemini.google.com/app/abc?hl=en",
        ),
        record("Said " + SAID[4], "2026-02-03T09:10:00Z"),
    ]  # fmt: skip


def messages_file() -> Any:
    return {
        "id": "talk", "title": "A talk", "created_at": 1_770_000_000,
        "messages": [
            {"role": "user", "content": SAID[0], "id": 1, "timestamp": "2026-01-01T00:00:00+02:00"},
            {"role": "assistant", "content": [{"type": "text", "text": SAID[1]}], "id": "two"},
            {"sender": {"name": "Bo"}, "parts": [SAID[2], {"value": SAID[3]}]},
        ],
        "meta": {"more": [{"from": "system", "text": SAID[4]}]},
    }  # fmt: skip


def pairs_file() -> Any:
    return [
        {"prompt": SAID[0], "response": "Noted.", "id": "p1", "created_at": 1_770_000_000_000},
        {"question": SAID[1], "answer": SAID[2]},
        {"input": SAID[3], "output": SAID[4]},
        {"rows": [{"prompt": "deeper", "completion": "yes"}]},
    ]


def mem0_file() -> Any:
    return {
        "results": [
            {"id": "m-1", "memory": "Likes tea", "user_id": "ana", "created_at": "2026-01-02T03:04:05Z",
             "metadata": {"topic": "drink", "n": 1}, "categories": ["food"], "hash": "00"},
            {"id": 2, "memory": SAID[2], "updated_at": None, "score": 0.5},
            {"id": "m-3", "memory": SAID[1], "metadata": None},
        ],
        "relations": [
            {"source": "ana", "relationship": "works_at", "target": "Acme"},
            {"source": "Acme", "relationship": "located_in", "destination": "Porto"},
        ],
    }  # fmt: skip


def graph_file() -> Any:
    return [
        {"type": "entity", "name": "Ada", "entityType": "person", "observations": ["likes tea", SAID[1]]},
        {"type": "entity", "name": "Acme", "entityType": "company", "observations": [SAID[2]]},
        {"type": "relation", "from": "Ada", "to": "Acme", "relationType": "works_at"},
        {"type": "relation", "from": "Ada", "to": "Nobody", "relationType": "knows"},
    ]


@cache
def own_files() -> tuple[list[Any], str]:
    """An export of our own with every kind of record, as records and as Markdown; the same every time."""
    with memory_on(OracleStore(), seed=1) as memory:
        memory.projects.create("shop", description="sells boats")
        import_bytes(memory, json.dumps(chatgpt_file()).encode(), project="shop")
        note = memory.remember("The boat is kept by Ada", tags=["boat"], metadata={"n": 1}, title="Boat")
        assert note.memory is not None
        memory.revise(note.memory.id, text="The boat is kept by Ida")
        memory.pin(note.memory.id)
        memory.remember(SAID[1])
        memory.entities.create("Ada", "person")
        memory.entities.create("Acme", "company")
        memory.entities.observe("Ada", ["likes tea", "rows"])
        memory.entities.relate("Ada", "works_at", "Acme")
        result = memory.remember("To be forgotten")
        assert result.memory is not None
        memory.forget(result.memory.id)
        records = [json.loads(line) for line in memory.export(user_data=True)]
        return records, "".join(memory.export(format="markdown"))


def stated_by_rules() -> tuple[str, ...]:
    """Clauses in every form that extraction knows, and those that it must leave alone."""
    return tuple(clause for rule in RULES for clause in (*rule.yes, *rule.no))

"""Prompts that have nothing to do with any lesson, and how many of them are given one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.evaluation.learning import PARTS, Share, tasks_of, taught

SEEN = (
    "thanks, that's it for today", "yes please, go on", "ok", "was gibt es noch zu tun?",
    "how do I center a div?", "what's the capital of France?", "commit this and push",
    "good morning! ready to start?", "undo that", "show me the diff", "what did we do yesterday?",
    "explain it like I'm five", "can you summarize what you changed?", "write a haiku about autumn",
    "please continue where you left off", "looks good, next one", "danke, das passt so",
    "mach bitte weiter", "which model are you?", "translate the readme to German", "run it again",
    "try a different approach", "I'll be back in ten minutes", "is there anything else I should know?",
    "open a pull request with a short description",
)  # fmt: skip
"""Prompts that the limits were chosen with."""
UNSEEN = (
    "perfect", "sure, do it", "no wait, let me think", "hm, are you sure about that?", "stop",
    "what time is it in Tokyo?", "make it shorter", "and now the other one", "guten Morgen, los geht's",
    "kannst du das nochmal erklären?", "sieht gut aus", "warum nicht?",
    "why is the fan of my laptop so loud?",
    "who won the world cup in 1998?", "give me three ideas for a team event", "push it", "I agree, go ahead",
    "can you speak a bit slower?", "forget what I said", "how long will that take?", "let's take a break",
    "recommend a good book about sailing", "what would you do?", "done, what's next on the list?",
    "bin gleich wieder da",
)  # fmt: skip
"""Prompts by the same author, written after the limits and run once."""


ASIDE = {"seen": SEEN, "unseen": UNSEEN}


def given_aside(prompts: Sequence[str]) -> Share:
    """Returns how many prompts hooks give a memory to, with the lessons of each package of each part."""
    given = asked = 0
    for part in PARTS:
        tasks = tasks_of(part)
        for package in dict.fromkeys(task.package for task in tasks):
            own = [task for task in tasks if task.package == package]
            with tempfile.TemporaryDirectory() as temp, taught(Path(temp) / package, package, own) as memory:
                for number, prompt in enumerate(prompts):
                    answer = memory.agents.event(
                        "prompt", project=package, session=f"aside-{number}", prompt=prompt
                    )
                    given += bool(answer.entries)
                    asked += 1
    return Share(given, asked)

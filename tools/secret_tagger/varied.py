"""Varies labelled texts: another secret in the same place, another way to write who speaks."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from tools.secret_tagger.labelled import Labelled

_SPEAKER = re.compile(
    r"(?:\[[^\]\n]{1,24}\]\s*)?(?:[-*>•]\s*)?<?([^\W\d_][\w.' -]{0,24}?)\s?(?:\([^)\n]{1,16}\))?[:>]\s+"
)
_NAMES = (
    "Ana Tom Lena Ben me you A B Q mum Dad IT Support user Kunde Oma agent Jo Kit caller nurse Max Ida"
    " sis boss"
).split()
_STYLES = (
    "{who}: {said}", "{who}: {said}", "[09:4{number}] {who}: {said}", "<{who}> {said}", "- {said}",
    "> {said}", "{said}", '"{said}"',
)  # fmt: skip


def varied(texts: Sequence[Labelled], copies: int, seed: int) -> Iterator[Labelled]:
    """Yields so many variations of each text; some equal it and are left out."""
    rng = random.Random(seed)
    others = [
        secret for text in texts for secret in text.secrets if not _is_number(secret) and len(secret) < 40
    ]
    for text in texts:
        for _ in range(copies):
            changed = text.text
            for number, secret in enumerate(text.secrets):
                changed = changed.replace(secret, f"\1{number}\2")
            changed = _respoken(changed, rng)
            if rng.random() < 0.12:
                changed = changed.lower()
            secrets = [_another(secret, others, rng) for secret in text.secrets]
            for number, secret in enumerate(secrets):
                changed = changed.replace(f"\1{number}\2", secret)
            if not secrets and rng.random() < 0.5:
                changed = re.sub(r"[1-9]", lambda _: rng.choice("0123456789"), changed)
            if changed != text.text and "\1" not in changed:
                yield Labelled(changed, tuple(secrets))


def _is_number(secret: str) -> bool:
    return not any(map(str.isalpha, secret))


def _another(secret: str, others: Sequence[str], rng: random.Random) -> str:
    if not _is_number(secret):
        return rng.choice(others) if rng.random() < 0.75 and len(secret) < 40 and others else secret
    if rng.random() < 0.6:
        return re.sub(r"\d", lambda _: rng.choice("0123456789"), secret)
    digits = "".join(rng.choice("0123456789") for _ in range(rng.choice((3, 4, 4, 4, 4, 5, 6, 6, 8))))
    return rng.choice(
        (digits, digits, digits, digits, "-".join(digits), " ".join(digits), f"{digits}#", f"C{digits}")
    )


def _respoken(text: str, rng: random.Random) -> str:
    """Returns a conversation whose speakers have other names and another mark."""
    lines = text.split("\n")
    turns = [_SPEAKER.match(line) for line in lines]
    if len(lines) < 2 or not all(turns):
        return text
    names: dict[str, str] = {}
    free = rng.sample(_NAMES, 8)
    style = rng.choice(_STYLES)
    spoken = []
    for number, (line, turn) in enumerate(zip(lines, turns, strict=True)):
        assert turn is not None
        who = names.setdefault(turn.group(1), free[len(names) % 8])
        spoken.append(style.format(who=who, said=line[turn.end() :], number=number % 10))
    return "\n".join(spoken)

"""Precision and recall of merging, on labelled pairs made by rules that share nothing with the merger.

Each pair is stored through `Memory.remember`, in a project of its own; it counts as merged if the second text
became the first memory. Pairs that say the same are made by rewriting a sentence without changing what it
says; pairs that do not are made by changing one thing that matters, or by saying the same of another file.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdfast import Memory, Outcome

MERGED = (Outcome.MERGED, Outcome.DUPLICATE)

SUBJECTS = (
    "the staging server", "the billing service", "the nightly backup", "the mobile app", "the search index",
    "the payment worker", "the export job", "the login page", "the image cache", "the audit log",
)  # fmt: skip
SENTENCES: tuple[tuple[str, dict[str, tuple[str, ...]]], ...] = (
    ("{S} listens on port {n}", {"n": ("8080", "5432", "9200", "3000")}),
    ("{S} must be restarted after each deploy", {}),
    ("{S} keeps its data for {n} days", {"n": ("7", "30", "90", "14")}),
    ("{S} does not work without the VPN", {}),
    ("{S} is owned by {p}", {"p": ("Ada", "Grace", "Linus", "Barbara")}),
    ("We deploy {s} on {d}", {"d": ("Tuesdays", "Fridays", "Mondays")}),
    ("{S} writes its logs to {f}", {"f": ("/var/log/app.log", "/srv/logs/out.txt", "/tmp/run.log")}),
    ("Run the migrations before you restart {s}", {}),
    ("{S} cannot handle files above {n} MB", {"n": ("20", "64", "512")}),
    ("{S} uses {t} for its queue", {"t": ("Redis", "RabbitMQ", "Kafka")}),
    ("Always test {s} with an empty database", {}),
    ("{S} sends an email to {p} when a job fails", {"p": ("Ada", "Grace", "Linus")}),
    ("In {m}, {s} is read only", {"m": ("December", "August", "January")}),
    ("{S} is written in {t}", {"t": ("Go", "Rust", "Python")}),
)
VALUES = {key: values for _, slots in SENTENCES for key, values in slots.items()}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, whether they say the same, by which rule they were made, and the scopes of both."""

    first: str
    second: str
    same: bool
    rule: str
    scopes: tuple[str, str] = ("a", "a")


def _contracted(text: str) -> str:
    for long, short in (("does not", "doesn't"), ("cannot", "can't"), ("is not", "isn't")):
        text = text.replace(long, short)
    return text


def _fronted(text: str) -> str:
    if match := re.fullmatch(r"In (\w+), (.+)", text):
        return f"{match[2][:1].upper()}{match[2][1:]} in {match[1]}"
    if match := re.fullmatch(r"(.+?) (before you .+|after each deploy|on (?:Tues|Fri|Mon)days)", text):
        rest = match[1][:1].lower() + match[1][1:]
        return f"{match[2][:1].upper()}{match[2][1:]}, {rest}"
    return text


SAME: dict[str, Callable[[str], str]] = {
    "final stop": lambda text: f"{text}.",
    "lower case at the beginning": lambda text: text[:1].lower() + text[1:],
    "contraction": _contracted,
    "white space": lambda text: text.replace(" ", "  ", 2),
    "please": lambda text: f"Please {text[:1].lower()}{text[1:]}" if text[:3] in ("Run", "Alw") else text,
    "note that": lambda text: f"Note that {text[:1].lower()}{text[1:]}",
    "exclamation": lambda text: f"{text}!",
    "moved phrase": _fronted,
    "article left out": lambda text: re.sub(r"^The (\w)", lambda match: match[1].upper(), text),
    "quotes": lambda text: f'"{text}"',
}
"""Ways to write a sentence anew that leave what it says; one that does not apply leaves the text as it is."""


def _other_value(text: str, dice: random.Random) -> str:
    for values in VALUES.values():
        for value in values:
            if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text):
                other = dice.choice([one for one in values if one != value])
                return re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", other, text, count=1)
    return text


def _negated(text: str, _: random.Random) -> str:
    for plain, other in (
        (" does not work", " works"), (" must be", " must not be"), (" cannot ", " can "),
        (" is ", " is not "), (" keeps ", " does not keep "), (" uses ", " does not use "),
        (" sends ", " does not send "), (" writes ", " does not write "),
        (" listens ", " does not listen "), ("We deploy", "We do not deploy"),
        ("Always test", "Never test"), ("Run the", "Do not run the"),
    ):  # fmt: skip
        if plain in text:
            return text.replace(plain, other, 1)
    return text


def _other_subject(text: str, dice: random.Random) -> str:
    for subject in SUBJECTS:
        if subject in text.lower():
            other = dice.choice([one for one in SUBJECTS if one != subject])
            at = text.lower().index(subject)
            return text[:at] + (other.capitalize() if at == 0 else other) + text[at + len(subject) :]
    return text


def _exchanged(text: str, words: Sequence[tuple[str, str]]) -> str:
    table = dict(words) | {after: before for before, after in words}
    return re.sub("|".join(table), lambda match: table[match[0]], text)


DIFFERENT: dict[str, Callable[[str, random.Random], str]] = {
    "another number, name or day": _other_value,
    "negation": _negated,
    "another thing": _other_subject,
    "a condition": lambda text, dice: f"{text} unless {dice.choice(('it is Friday', 'it is empty'))}",
    "before and after": lambda text, _: _exchanged(text, [("before", "after")]),
    "another degree": lambda text, _: _exchanged(
        text, [("Always", "Sometimes"), ("must", "may"), ("above", "below")]
    ),
    "a part of it": lambda text, dice: f"{text} on {dice.choice(('Linux', 'the old cluster'))}",
}
"""Ways to change one thing that matters."""


def pairs(count: int, seed: int) -> Iterator[Pair]:
    """Yields labelled pairs, as many that say the same as that do not."""
    dice = random.Random(seed)
    seen: set[tuple[str, str]] = set()
    yielded = {True: 0, False: 0}
    while min(yielded.values()) < count // 2:
        form, slots = dice.choice(SENTENCES)
        subject = dice.choice(SUBJECTS)
        text = form.format(
            S=subject.capitalize(), s=subject, **{key: dice.choice(v) for key, v in slots.items()}
        )
        rule = dice.choice(list(SAME))
        second = SAME[rule](text)
        found = [Pair(text, second, True, rule)] if second != text else []
        rule = dice.choice(list(DIFFERENT))
        second = DIFFERENT[rule](text, dice)
        found += [Pair(text, second, False, rule)] if second != text else []
        if dice.random() < 0.15:
            found.append(Pair(text, text, False, "the same of another file", ("a", "b")))
        for pair in found:
            key = (pair.first, pair.second + pair.scopes[1])
            if key not in seen and yielded[pair.same] < count // 2:
                seen.add(key)
                yielded[pair.same] += 1
                yield pair


def written(file: Path) -> Iterator[Pair]:
    """Yields pairs that a person labelled: lines of JSON with `first`, `second`, `same` and `sort`."""
    for line in file.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        yield Pair(one["first"], one["second"], one["same"], one["sort"].partition(":")[0])


def main() -> None:
    """Measures and prints a table by rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, help="Labelled pairs, such as benchmarks/merging_pairs.jsonl.")
    parser.add_argument("--pairs", type=int, default=1_200)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--show", action="store_true", help="Print the pairs that were judged wrongly.")
    options = parser.parse_args()
    counts: dict[tuple[bool, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "merging.db") as memory:
        judged = written(options.file) if options.file else pairs(options.pairs, options.seed)
        for number, pair in enumerate(judged):
            project = f"p{number}"
            outcome = None
            for text, scope in zip((pair.first, pair.second), pair.scopes, strict=True):
                kept = memory.remember(text, kind="convention", project=project, scope=("file", scope))
                outcome = kept.outcome
            row = counts[pair.same, pair.rule]
            row[0] += 1
            row[1] += outcome in MERGED
            row[2] += outcome is Outcome.SUPERSEDED
            if options.show and (outcome in MERGED) is not pair.same:
                print(f"{pair.rule}: {pair.first!r} / {pair.second!r}: {outcome}")
    for (same, rule), row in sorted(counts.items(), key=lambda pair: (not pair[0][0], pair[0][1])):
        label = "same" if same else "different"
        print(f"{label:10} {rule:30} {row[0]:>5} {row[1]:>5} merged {row[2]:>5} superseded")
    right = sum(row[1] for (same, _), row in counts.items() if same)
    wrong = sum(row[1] for (same, _), row in counts.items() if not same)
    positives = sum(row[0] for (same, _), row in counts.items() if same)
    total = sum(row[0] for row in counts.values())
    print(f"{total} pairs: precision {right / (right + wrong):.4f}, recall {right / positives:.4f}")


if __name__ == "__main__":
    main()

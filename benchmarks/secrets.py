"""Measures text hygiene: what is found, what is flagged by mistake, and the time it takes."""

from __future__ import annotations

import argparse
import json
import os
import string
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from statistics import median
from typing import Any

from holdfast.core.text import normalise
from holdfast.language.injection import injection_flags
from holdfast.language.pii import find_pii, pii_risk
from holdfast.language.private import strip_private
from holdfast.language.secrets.find import redact_secrets
from holdfast.language.secrets.rules import RULES
from tools.evaluation.corpora.injection import ATTACKS, ORDINARY, held_out
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.evaluation.corpora.passwords import Cell, cells, half_survives, harmless
from tools.evaluation.corpora.pii import planted_pii
from tools.evaluation.corpora.secrets import HELD_OUT_SEED, planted_secrets, survives
from tools.evaluation.corpora.templates import pick

HOSTILE_LENGTH = 20_000

_COLD_START = """
import dataclasses, functools, typing, time
begin = time.process_time()
from holdfast.language.private import strip_private
from holdfast.language.secrets.find import redact_secrets
loaded = time.process_time()
redact_secrets("The cache key must hold the language; the token expires after 24 hours.")
print(1e3 * (loaded - begin), 1e3 * (time.process_time() - loaded))
"""


def secrets_found(seed: int, per_family: int) -> dict[str, Any]:
    """Return the share of planted secrets of which nothing survives redaction, in all and per family."""
    planted = planted_secrets(seed, per_family)
    total, missed = Counter[str](), Counter[str]()
    for text in planted:
        total[text.family] += 1
        missed[text.family] += survives(text.secret, redact_secrets(text.text)[0])
    return {
        "texts": len(planted),
        "recall": 1 - missed.total() / len(planted),
        "per_family": {family: 1 - missed[family] / count for family, count in sorted(total.items())},
    }


def false_alarms(seed: int, count: int) -> dict[str, Any]:
    """Return the share of ordinary memories in which something is redacted, rated 2 or flagged."""
    texts = ordinary_memories(seed, count)
    types = Counter(kind for text in texts for kind in set(redact_secrets(text)[1]))
    return {
        "texts": count,
        "secrets": sum(bool(redact_secrets(text)[1]) for text in texts) / count,
        "secret_types": types,
        "pii": sum(pii_risk(text) == 2 for text in texts) / count,
        "injection": sum(bool(injection_flags(text)) for text in texts) / count,
    }


def grid_found(grid: Iterable[Cell]) -> dict[str, Any]:
    """Return the share of cells of which less than half survives, by form, alphabet and length, and each."""
    total: dict[str, Counter[str]] = {kind: Counter() for kind in _KINDS}
    missed: dict[str, Counter[str]] = {kind: Counter() for kind in _KINDS}
    table: dict[str, dict[str, str]] = {}
    count = lost = 0
    texts = []
    for cell in grid:
        is_missed = half_survives(cell.secret, redact_secrets(cell.text)[0])
        count += 1
        lost += is_missed
        for kind in _KINDS:
            total[kind][str(getattr(cell, kind))] += 1
            missed[kind][str(getattr(cell, kind))] += is_missed
        row = table.setdefault(cell.form, {})
        row[cell.alphabet] = row.get(cell.alphabet, "") + ("x" if is_missed else ".")
        if is_missed:
            texts.append(cell.text)
    return {
        "texts": count,
        "recall": 1 - lost / max(1, count),
        "by": {
            kind: {name: 1 - missed[kind][name] / n for name, n in total[kind].items()} for kind in _KINDS
        },
        "table": table,
        "missed": texts,
    }


_KINDS = ("form", "alphabet", "length")


def harmless_alarms(texts: list[str]) -> dict[str, Any]:
    """Return the share of texts without a secret in which something is redacted."""
    alarms = [text for text in texts if redact_secrets(text)[1]]
    return {"texts": len(texts), "alarms": len(alarms) / max(1, len(texts)), "examples": alarms}


def of_file(path: str) -> dict[str, Any]:
    """Return the figures of a JSONL file: lines with `text` and `secret`, or with `text` alone."""
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.strip()]
    grid = [
        Cell(
            str(line.get("form", line.get("provider", "-"))), str(line.get("alphabet", "-")),
            int(line.get("length", len(line["secret"]))), line["text"], line["secret"],
        )
        for line in lines if line.get("secret")
    ]  # fmt: skip
    return {
        "grid": grid_found(grid),
        "harmless": harmless_alarms([line["text"] for line in lines if not line.get("secret")]),
    }


def pii_found(seed: int, per_kind: int) -> dict[str, float]:
    """Return per kind the share of planted personal data that is covered by a finding of its type."""
    total, found = Counter[str](), Counter[str]()
    for text in planted_pii(seed, per_kind):
        start = text.text.index(text.secret)
        end = start + len(text.secret)
        total[text.family] += 1
        found[text.family] += any(
            finding.type == text.family.partition(" ")[0] and finding.start <= start and end <= finding.end
            for finding in find_pii(text.text)
        )
    return {kind: found[kind] / count for kind, count in total.items()}


def instructions_found() -> dict[str, Any]:
    """Return the share of attacks and of look-alike sentences that are flagged, of the half held out."""
    attacks, ordinary = held_out(ATTACKS), held_out(ORDINARY)
    return {
        "attacks": len(attacks),
        "recall": sum(bool(injection_flags(text)) for text in attacks) / len(attacks),
        "look_alikes": len(ordinary),
        "look_alikes_flagged": sum(bool(injection_flags(text)) for text in ordinary) / len(ordinary),
    }


def hostile_texts(seed: int = 7) -> dict[str, str]:
    """Return texts of 20,000 characters made to be slow: many keywords, near matches and real matches."""
    rng = Random(seed)
    keywords = [word.lstrip("~") for rule in RULES for word in rule.keywords]
    builders: dict[str, Callable[[], str]] = {
        "every keyword": lambda: " ".join(keywords),
        "near matches": lambda: " ".join(f"{word}{pick(rng, 'alnum', 12)}" for word in keywords),
        "one prefix": lambda: "sk-" * 500,
        "long run": lambda: pick(rng, "alnum", 20_000),
        "digits": lambda: pick(rng, "digit", 20_000),
        "punctuation": lambda: "".join(rng.choice(string.punctuation) for _ in range(20_000)),
        "name without value": lambda: "password=" * 100,
        "1,000 passwords": lambda: f"password={pick(rng, 'alnum', 8)}1 ",
        "500 named keys": lambda: f"api_key={pick(rng, 'alnum', 32)} ",
        "prose of passwords": lambda: "the password for the old server of the team is not known and ",
        "500 known tokens": lambda: f"ghp_{pick(rng, 'alnum', 36)} ",
        "900 unknown tokens": lambda: f"{pick(rng, 'alnum', 20)} ",
        "identifiers": lambda: "getUserAccountById2FAController ",
        "key blocks": lambda: "-----BEGIN RSA PRIVATE KEY-----\n" + pick(rng, "base64", 64) + "\n",
        "URLs": lambda: "postgres://a:b@c:d@e:",
        "JWT heads": lambda: "eyJhbGciOiJ.eyJ",
        "markers": lambda: "[REDACTED: jwt] ",
        "quotes": lambda: "password='\"",
        "CJK": lambda: "密码是：密码",
        "seed words": lambda: "seed phrase: orbit lunar velvet canyon ribbon tiger maple ocean ",
        "numbers": lambda: f"+{pick(rng, 'digit', 3)} ({pick(rng, 'digit', 3)}) {pick(rng, 'digit', 4)}-",
        "instructions": lambda: "ignore all of the previous system ",
        "private tags": lambda: "<private>",
        "zero-width": lambda: "a\u200b" * 500,
    }
    return {name: _repeated(build) for name, build in builders.items()}


def _repeated(build: Callable[[], str]) -> str:
    parts: list[str] = []
    length = 0
    while length < HOSTILE_LENGTH:
        parts.append(build())
        length += len(parts[-1]) + 1
    return " ".join(parts)[:HOSTILE_LENGTH]


def best_time(call: Callable[[], object], repeats: int) -> float:
    """Return the CPU seconds of the shortest of `repeats` runs, the one that was disturbed least."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        call()
        times.append(time.process_time() - begin)
    return min(times)


_STEPS: dict[str, Callable[[str], object]] = {
    "normalise": normalise,
    "strip_private": strip_private,
    "redact_secrets": redact_secrets,
    "pii_risk": pii_risk,
    "injection_flags": injection_flags,
}


def ordinary_times() -> dict[str, dict[str, float]]:
    """Return per step the microseconds for an ordinary memory of 200 characters."""
    texts = ordinary_memories(HELD_OUT_SEED, 2_400)
    joined = [" ".join(texts[at : at + 4])[:200] for at in range(0, len(texts), 4)]
    figures = {}
    for name, step in _STEPS.items():
        times = sorted(1e6 * best_time(partial(step, text), 5) for text in joined)
        figures[name] = {"median_us": median(times), "p95_us": times[int(0.95 * len(times))]}
    return figures


def hostile_times() -> dict[str, dict[str, float]]:
    """Return per step and kind of hostile text the milliseconds for 20,000 characters."""
    texts = hostile_texts()
    return {
        name: {kind: 1e3 * best_time(partial(step, text), 5) for kind, text in texts.items()}
        for name, step in _STEPS.items()
    }


def cold_start(repeats: int = 7) -> dict[str, float]:
    """Return the CPU milliseconds of a fresh process that loads the scanner and scans its first text."""
    command = [sys.executable, "-c", _COLD_START]
    with tempfile.TemporaryDirectory() as folder:  # compiled files, as an installed package has them
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        runs = [
            subprocess.run(command, capture_output=True, check=True, env=environment).stdout.split()
            for _ in range(repeats)
        ]
    load, first = (min(map(float, values)) for values in zip(*runs, strict=True))
    return {"import_ms": load, "first_scan_ms": first}


def main() -> None:
    """Print the figures; exit 1 if recall or false alarms of secrets miss the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seed", type=int, default=HELD_OUT_SEED)
    parser.add_argument("--per-family", type=int, default=20)
    parser.add_argument("--ordinary", type=int, default=6_000)
    parser.add_argument("--file", help="measure the texts of a JSONL file instead")
    parser.add_argument("--table", action="store_true", help="show every cell of alphabet, length and form")
    options = parser.parse_args()
    if options.file:
        measured = of_file(options.file)
        print(
            json.dumps(measured, indent=2) if options.json else "\n".join(_grid_lines(measured, table=True))
        )
        return
    figures: dict[str, Any] = {
        "seed": options.seed,
        "rules": len(RULES),
        "secrets": secrets_found(options.seed, options.per_family),
        "passwords": {
            "grid": grid_found(cells(options.seed)),
            "harmless": harmless_alarms(harmless(options.seed, options.ordinary)),
        },
        "pii": pii_found(options.seed, 5 * options.per_family),
        "instructions": instructions_found(),
        "false_alarms": false_alarms(options.seed, options.ordinary),
        "ordinary_times": ordinary_times(),
        "hostile_times": hostile_times(),
        "cold_start": cold_start(),
    }
    lines = [*_lines(figures), *_grid_lines(figures["passwords"], table=options.table)]
    print(json.dumps(figures, indent=2) if options.json else "\n".join(lines))
    recalls = (figures["secrets"]["recall"], figures["passwords"]["grid"]["recall"])
    alarms = (figures["false_alarms"]["secrets"], figures["passwords"]["harmless"]["alarms"])
    if min(recalls) < 0.98 or max(alarms) > 0.005:
        sys.exit(1)


def _grid_lines(figures: dict[str, Any], *, table: bool) -> list[str]:
    grid, alarms = figures["grid"], figures["harmless"]
    lines = [f"passwords    {grid['recall']:.2%} of {grid['texts']} cells, alphabet x length x form"]
    for kind, shares in grid["by"].items():
        lines += [f"             {share:.1%} {kind} {name}" for name, share in shares.items() if share < 1]
    lines.append(f"             {alarms['alarms']:.2%} of {alarms['texts']} harmless values and sentences")
    lines += [f"             flagged: {text!r}" for text in list(dict.fromkeys(alarms["examples"]))[:20]]
    if table:
        alphabets = list(dict.fromkeys(name for row in grid["table"].values() for name in row))
        lines += [f"missed: {text!r}" for text in grid["missed"][:40]]
        lines.append("a dot for each length, shortest first, an x where half of the secret stays")
        width = max(map(len, grid["table"]), default=0)
        cell = max(10, *(len(marks) for row in grid["table"].values() for marks in row.values()), 10)
        lines.append(" ".join([" " * width, *(name[:cell].ljust(cell) for name in alphabets)]))
        for form, row in grid["table"].items():
            marks = (row.get(name, "").ljust(cell) for name in alphabets)
            lines.append(" ".join([form.ljust(width), *marks]))
    return lines


def _lines(figures: dict[str, Any]) -> list[str]:
    found, alarms, cold = figures["secrets"], figures["false_alarms"], figures["cold_start"]
    families = found["per_family"]
    lines = [f"secrets      {found['recall']:.2%} of {found['texts']} planted, {len(families)} families"]
    lines += [f"             {share:.2%} {family}" for family, share in families.items() if share < 1]
    lines += [f"PII          {share:.2%} {kind}" for kind, share in figures["pii"].items()]
    stored = figures["instructions"]
    lines.append(
        f"instructions {stored['recall']:.2%} of {stored['attacks']} attacks,"
        f" {stored['look_alikes_flagged']:.2%} of {stored['look_alikes']} look-alike sentences"
    )
    lines += [
        f"false alarms {alarms[kind]:.2%} {kind}, {alarms['texts']} ordinary memories"
        for kind in ("secrets", "pii", "injection")
    ]
    lines += [
        f"time         {times['median_us']:5.1f} us median, {times['p95_us']:5.1f} us p95: {name}, 200 chars"
        for name, times in figures["ordinary_times"].items()
    ]
    for name, kinds in figures["hostile_times"].items():
        slowest = sorted(kinds, key=kinds.__getitem__, reverse=True)
        shown = ", ".join(f"{kind} {kinds[kind]:.1f}" for kind in slowest[:5])
        lines.append(f"hostile      {name}, 20,000 characters, ms: {shown}; {len(kinds)} kinds")
    lines.append(
        f"cold start   {cold['import_ms']:.1f} ms import, {cold['first_scan_ms']:.1f} ms first scan,"
        f" {figures['rules']} rules"
    )
    return lines


if __name__ == "__main__":
    main()

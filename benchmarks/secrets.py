"""Measures the secret scanner: recall, false alarms, and the time of ordinary and hostile texts."""
# ruff: noqa: A005

from __future__ import annotations

import argparse
import json
import string
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from holdfast.domain.injection import injection_flags
from holdfast.domain.pii import pii_risk
from holdfast.domain.secret_rules import RULES
from holdfast.domain.secrets import redact_secrets
from holdfast.domain.text import normalise, strip_private
from holdfast.testing.ordinary_corpus import ordinary_memories
from holdfast.testing.secret_corpus import HELD_OUT_SEED, planted_secrets, survives

HOSTILE_LENGTH = 20_000

_COLD_START = """
import time
import dataclasses, functools, typing
begin = time.perf_counter()
from holdfast.domain.secrets import redact_secrets
loaded = time.perf_counter()
redact_secrets("The cache key must hold the language; the token expires after 24 hours.")
print(1e3 * (loaded - begin), 1e3 * (time.perf_counter() - loaded))
"""


def recall(seed: int, per_family: int) -> dict[str, Any]:
    """Return the share of planted secrets that do not survive redaction, in all and per family."""
    planted = planted_secrets(seed, per_family)
    total, missed = Counter[str](), Counter[str]()
    for text in planted:
        redacted, _ = redact_secrets(text.text)
        total[text.family] += 1
        missed[text.family] += survives(text.secret, redacted)
    return {
        "texts": len(planted),
        "recall": 1 - missed.total() / len(planted),
        "per_family": {family: 1 - missed[family] / count for family, count in sorted(total.items())},
    }


def false_alarms(seed: int, count: int) -> dict[str, Any]:
    """Return the share of ordinary memories in which something is redacted."""
    types = [kinds for text in ordinary_memories(seed, count) if (kinds := redact_secrets(text)[1])]
    return {
        "texts": count,
        "rate": len(types) / count,
        "types": Counter(kind for kinds in types for kind in kinds),
    }


def hostile_texts(seed: int = 7) -> dict[str, str]:
    """Return texts of 20,000 characters made to be slow: many keywords, near matches and real matches."""
    rng = Random(seed)

    def pick(alphabet: str, length: int) -> str:
        return "".join(rng.choice(alphabet) for _ in range(length))

    keywords = [word.lstrip("~") for rule in RULES for word in rule.keywords]
    alnum = string.ascii_letters + string.digits
    texts = {
        "every keyword": lambda: " ".join(keywords),
        "near matches": lambda: " ".join(f"{word}{pick(alnum, 12)}" for word in keywords),
        "one prefix": lambda: "sk-" * 500,
        "long run": lambda: pick(alnum, 20_000),
        "digits": lambda: pick(string.digits, 20_000),
        "name without value": lambda: "password=" * 100,
        "assigned passwords": lambda: f"password={pick(alnum, 8)}1 ",
        "assigned keys": lambda: f"api_key={pick(alnum, 32)} ",
        "prose passwords": lambda: "the password for the old server of the team is not known and ",
        "tokens": lambda: f"ghp_{pick(alnum, 36)} ",
        "unknown tokens": lambda: f"{pick(alnum, 20)} ",
        "names": lambda: "getUserAccountById2FAController ",
        "key blocks": lambda: "-----BEGIN RSA PRIVATE KEY-----\n" + pick(alnum, 64) + "\n",
        "URLs": lambda: "postgres://a:b@c:d@e:",
        "JWT heads": lambda: "eyJhbGciOiJ.eyJ",
        "markers": lambda: "[REDACTED: jwt] ",
        "quotes": lambda: "password='\"",
        "CJK": lambda: "密码是：密码",
        "seed words": lambda: "seed phrase: orbit lunar velvet canyon ribbon tiger maple ocean ",
    }
    return {name: _fill(build) for name, build in texts.items()}


def _fill(build: Callable[[], str]) -> str:
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


def timing() -> dict[str, Any]:
    """Return microseconds per ordinary memory of about 200 characters and milliseconds per hostile text."""
    ordinary = ordinary_memories(HELD_OUT_SEED, 1_200)
    joined = [" ".join(ordinary[at : at + 3])[:200] for at in range(0, len(ordinary), 3)]
    steps: dict[str, Callable[[str], object]] = {
        "normalise": normalise,
        "strip_private": strip_private,
        "redact_secrets": redact_secrets,
        "pii_risk": pii_risk,
        "injection_flags": injection_flags,
    }
    per_memory = {}
    for name, step in steps.items():
        times = [best_time(lambda text=text, step=step: step(text), 5) for text in joined]  # type: ignore[misc]
        per_memory[name] = {
            "median_us": 1e6 * median(times),
            "p95_us": 1e6 * sorted(times)[int(0.95 * len(times))],
        }
    hostile = {
        name: 1e3 * best_time(lambda text=text: redact_secrets(text), 5)  # type: ignore[misc]
        for name, text in hostile_texts().items()
    }
    return {"memory_chars": median(map(len, joined)), "per_memory": per_memory, "hostile_ms": hostile}


def cold_start(repeats: int = 7) -> dict[str, float]:
    """Return milliseconds a fresh process needs to load the scanner and to scan its first text."""
    runs = [
        tuple(
            map(
                float,
                subprocess.run(
                    [sys.executable, "-c", _COLD_START], capture_output=True, check=True
                ).stdout.split(),
            )
        )
        for _ in range(repeats)
    ]
    load, first = (min(values) for values in zip(*runs, strict=True))
    return {"import_ms": load, "first_scan_ms": first, "rules": len(RULES)}


def main() -> None:
    """Print the figures; exit 1 if recall or false alarms miss the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--seed", type=int, default=HELD_OUT_SEED)
    parser.add_argument("--per-family", type=int, default=20)
    parser.add_argument("--ordinary", type=int, default=2_400)
    options = parser.parse_args()
    figures = {
        "seed": options.seed,
        "recall": recall(options.seed, options.per_family),
        "false_alarms": false_alarms(options.seed, options.ordinary),
        "timing": timing(),
        "cold_start": cold_start(),
    }
    if options.json:
        print(json.dumps(figures, indent=2))
    else:
        _print(figures)
    if figures["recall"]["recall"] < 0.98 or figures["false_alarms"]["rate"] > 0.005:
        sys.exit(1)


def _print(figures: dict[str, Any]) -> None:
    found, alarms, times = figures["recall"], figures["false_alarms"], figures["timing"]
    print(
        f"recall        {found['recall']:.4f} of {found['texts']} planted secrets, {len(found['per_family'])} families"
    )
    for family, share in found["per_family"].items():
        if share < 1:
            print(f"              {share:.3f} {family}")
    print(
        f"false alarms  {alarms['rate']:.4f} of {alarms['texts']} ordinary memories {dict(alarms['types']) or ''}"
    )
    for name, value in times["per_memory"].items():
        print(
            f"time          {value['median_us']:7.1f} us median, {value['p95_us']:7.1f} us p95  {name}, 200 characters"
        )
    for name, milliseconds in sorted(times["hostile_ms"].items(), key=lambda item: -item[1]):
        print(f"hostile       {milliseconds:7.2f} ms  {name}, 20,000 characters")
    cold = figures["cold_start"]
    print(
        f"cold start    {cold['import_ms']:.1f} ms import, {cold['first_scan_ms']:.1f} ms first scan, {cold['rules']} rules"
    )


if __name__ == "__main__":
    main()

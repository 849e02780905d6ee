"""The table: one column a peer, one row a figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from benchmarks.peers.catalogue import PEERS

Result = dict[str, Any]

_NOTHING = "–"


def render(results: Sequence[Result]) -> str:
    """Results of some peers as a Markdown table, with what went wrong below it."""
    names = [result["peer"] for result in results]
    lines = [["", *names], ["---"] * (1 + len(names))]
    for title, figure in _rows(results):
        lines.append([title, *(_cell(figure, result) for result in results)])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    problems = [f"- {result['peer']}: {what}" for result in results for what in result.get("problems", ())]
    return "\n".join([table, "", *problems]).rstrip()


def _rows(results: Sequence[Result]) -> Iterator[tuple[str, Callable[[Result], str]]]:
    yield "version", lambda r: str(r["installed"]["version"])
    yield "searches", lambda r: PEERS[r["peer"]].searches
    yield "installed: MB (packages)", lambda r: f"{r['installed']['mb']:,.0f} ({r['installed']['packages']})"
    yield "cold start to first hit, ms", lambda r: _times(r["cold"], digits=0)
    yield "memory while serving, MB", lambda r: f"{r['memory']:,.0f}"
    sizes = sorted({int(size) for result in results for size in result.get("sizes", ())})
    for title, figure in (
        ("one add at {:,}, ms", lambda at: _times(at["add"])),
        ("batches up to {:,}, texts/s", lambda at: f"{at['batch']:,.0f}"),
        ("recall at {:,}, ms", lambda at: _times(at["recall"])),
    ):
        for size in sizes:
            yield title.format(size), partial(_at, size, figure)
    yield "syncs per add", lambda r: f"{r['syncs']:.1f}"
    yield "lost of acknowledged, kill -9", lambda r: ", ".join(map(_killed, r["kills"]))
    if any("locomo" in result for result in results):
        yield "LoCoMo recall@10, %", lambda r: f"{r['locomo']['recall']:.1f}"


def _at(size: int, figure: Callable[[Result], str], result: Result) -> str:
    return figure(result["sizes"][str(size)])


def _killed(round_: Result) -> str:
    return "does not open" if "error" in round_ else f"{round_['lost']}/{round_['acknowledged']}"


def _times(times: Result, *, digits: int = 2) -> str:
    """p50 / p95, and in brackets the p50 as a multiple of the yardstick's."""
    text = f"{times['p50']:,.{digits}f} / {times['p95']:,.{digits}f}"
    if "ratio" in times:
        text += f" (×{times['ratio']:.1f})"
    if times.get("short"):
        text += f", {times['short']} of {times['count']} short"
    return text


def _cell(figure: Callable[[Result], str], result: Result) -> str:
    try:
        return figure(result) or _NOTHING
    except (KeyError, TypeError):
        return _NOTHING

"""Module maps of real repositories: scan time, files placed, and whether tasks find their modules.

    python -m benchmarks.maps FOLDER...

Each folder is an unpacked source distribution, named as the registry names it (`flask-3.1.3`). The tasks
stand in `maps_tasks.jsonl`, written before the matcher was tuned: 20 to tune it by, 20 of other packages that
it was not tuned by. A task counts as found when the module holds one of the files that are to be changed.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from pathlib import Path
from statistics import median

from holdfast.core.module_map import ModuleMap
from holdfast.embeddings.static import StaticEmbedder
from holdfast.features.modulemap.match import Similar, match
from holdfast.features.modulemap.module_maps import similar_by
from holdfast.features.modulemap.scan.files import Role, list_files
from holdfast.features.modulemap.scan.scan import scan

TASKS = Path(__file__).parent / "maps_tasks.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--words", action="store_true", help="without meaning: words and concerns alone")
    parser.add_argument("--show", action="store_true", help="show every task with what was found")
    parser.add_argument("--set", choices=("tuning", "held-out"), help="only these tasks")
    options = parser.parse_args()
    similar = None if options.words else similar_by(StaticEmbedder())
    maps = {}
    print(
        f"{'package':<22}{'files':>7}{'seconds':>9}{'files/s':>9}{'placed':>8}{'modules':>9}{'median':>8}{'largest':>9}"
    )
    for folder in options.folders:
        name = re.sub(r"-v?\d.*", "", folder.resolve().name)
        maps[name] = _scanned(folder)
    tasks = [json.loads(line) for line in TASKS.read_text(encoding="utf-8").splitlines()]
    for part in ("tuning", "held-out"):
        if options.set in (None, part):
            _matched(
                part,
                [one for one in tasks if one["set"] == part and one["package"] in maps],
                maps,
                similar,
                options.show,
            )


def _scanned(folder: Path) -> ModuleMap:
    began = time.perf_counter()
    found = scan(folder, "benchmark").module_map
    seconds = time.perf_counter() - began
    sources = [one for one in list_files(folder).sources if one.is_code or one.role is not Role.OTHER]
    held = {path for module in found.modules.values() for path in module.files}
    code = [one.path for one in sources if one.is_code]
    placed = sum(path in held for path in code) / max(1, len(code))
    sizes = sorted(
        len([*one.core_files, *one.entry_points, *one.frontend_files]) for one in found.modules.values()
    )
    print(
        f"{folder.resolve().name:<22}{len(sources):>7}{seconds:>9.2f}{len(sources) / seconds:>9.0f}"
        f"{placed:>8.1%}"
        f"{len(found.modules):>9}{median(sizes):>8.0f}{sizes[-1] / max(1, sum(sizes)):>9.0%}"
    )
    return found


def _matched(
    part: str, tasks: list[dict[str, object]], maps: dict[str, ModuleMap], similar: Similar | None, show: bool
) -> None:
    first = third = 0
    for task in tasks:
        found = match(maps[str(task["package"])], str(task["task"]), limit=3, similar=similar)
        wanted = [str(one) for one in task["files"]]  # type: ignore[attr-defined]
        hits = [any(path.endswith(one) for one in wanted for path in hit.module.files) for hit in found]
        first += hits[:1] == [True]
        third += any(hits)
        if show:
            told = ", ".join(f"{hit.module.name} {hit.score:.2f} {hit.why}" for hit in found)
            mark = "1" if hits[:1] == [True] else "3" if any(hits) else "-"
            print(f"{mark} {task['package']}: {task['task']}\n    {told}")
    if tasks:
        print(f"{part}: {len(tasks)} tasks, hit@1 {first / len(tasks):.2f}, hit@3 {third / len(tasks):.2f}")


if __name__ == "__main__":
    main()

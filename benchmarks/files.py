"""How fast a folder is walked, read and cut into chunks, on one core.

python -m benchmarks.files FOLDER                     every file that is read
python -m benchmarks.files FOLDER --include '*.py'    only those
python -m benchmarks.files FOLDER --profile           also where the time goes
python -m benchmarks.files FOLDER --whole             indexed as `holdfast folders index` does, then again


Times are those of the processor, so that other work on the machine does not count; what another process
spends on documents (`holdfast.features.reading.sandbox`) is not in them.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import resource
import shutil
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from holdfast import Memory
from holdfast.core.folders import Indexed
from holdfast.features.reading.chunking import cut
from holdfast.features.reading.file_reader import Extracted, read_file
from holdfast.features.reading.skip_reasons import Skipped
from holdfast.features.reading.walking import FoundFile, walk


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--all", action="store_true", help="with what is excluded by default")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--whole", action="store_true", help="admission, vectors and store as well")
    options = parser.parse_args()
    if options.whole:
        whole(options.folder, options.include)
        return
    profile = cProfile.Profile()
    if options.profile:
        profile.enable()

    began = time.process_time()
    met = list(walk(options.folder, include=options.include, default_excludes=not options.all))
    walked = time.process_time()
    found = [one for one in met if isinstance(one, FoundFile)]
    left = Counter(one.reason_code for one in met if isinstance(one, Skipped))
    size = texts = chunks = 0
    reading = chunking = 0.0
    kinds: Counter[str] = Counter()
    for one in found:
        start = time.process_time()
        read = read_file(options.folder, one.path)
        reading += time.process_time() - start
        if not isinstance(read, Extracted):
            left[read.reason_code] += 1
            continue
        start = time.process_time()
        chunks += len(cut(read.text, read.filetype, read.language)[0])
        chunking += time.process_time() - start
        texts += 1
        size += read.size
        kinds[read.filetype] += 1
    walking = walked - began

    profile.disable()
    total = walking + reading + chunking
    print(f"{len(met):,} files met, {texts:,} read, {size / 1e6:.1f} MB, {chunks:,} chunks")
    for name, seconds in (("walk", walking), ("read", reading), ("chunk", chunking), ("all", total)):
        print(f"{name:6} {seconds:7.2f} s {size / 1e6 / seconds:8.1f} MB/s {len(met) / seconds:9.0f} files/s")
    print("read:", ", ".join(f"{name} {count:,}" for name, count in kinds.most_common(12)))
    print("left:", ", ".join(f"{name} {count:,}" for name, count in left.most_common()))
    if options.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(15)


def whole(folder: Path, include: list[str]) -> None:
    """Indexes a folder into a store of its own: everything, then with nothing changed, then after a change of
    every tenth file. The processor's time is that of all processes together."""

    def timed(name: str, act: Callable[[], Indexed]) -> tuple[float, Indexed]:
        began, cpu = time.perf_counter(), _cpu()
        report = act()
        seconds, used = time.perf_counter() - began, _cpu() - cpu
        read = f"{report.bytes / 1e6 / seconds:6.2f} MB/s {report.bytes / 1e6 / used:6.2f} MB/s of processor"
        print(f"{name:12}{seconds:8.2f} s {used:7.2f} s of processor  {read if report.bytes else ''}")
        return seconds, report

    with TemporaryDirectory() as place:
        copy = Path(place) / "copy"
        shutil.copytree(folder, copy, symlinks=True)
        with Memory(Path(place) / "store.db", user="bench") as memory:
            added = memory.folders.add(copy, include=include)
            memory.remember("The models and rules are loaded before the clock starts.")
            first, report = timed("index", lambda: memory.folders.index(added.id))
            again, _ = timed("again", lambda: memory.folders.index(added.id))
            changed = memory.folders.files(added.id, state="indexed", limit=1_000)[::10]
            for file in changed:
                path = copy / file.path
                path.write_bytes(path.read_bytes() + b"\n# one line more\n")
            timed("a tenth", lambda: memory.folders.index(added.id))
            size = Path(memory.path).stat().st_size
    print(f"{report.new:,} files, {report.bytes / 1e6:.1f} MB, {report.chunks:,} passages")
    print(f"a re-scan takes 1/{first / again:.0f} of the time; the store has {size / 1e6:.1f} MB")


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()

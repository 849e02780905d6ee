"""How fast a folder is walked, read and cut into chunks, on one core.

python -m benchmarks.files FOLDER                     every file that is read
python -m benchmarks.files FOLDER --include '*.py'    only those
python -m benchmarks.files FOLDER --profile           also where the time goes

Times are those of the processor, so that other work on the machine does not count; what another process
spends on documents (`holdfast.extractors.workshop`) is not in them.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from collections import Counter
from pathlib import Path

from holdfast.extractors.chunking import cut
from holdfast.extractors.left import Left
from holdfast.extractors.reading import Extracted, read_file
from holdfast.extractors.walking import Found, walk


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--all", action="store_true", help="with what is excluded by default")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    profile = cProfile.Profile()
    if options.profile:
        profile.enable()

    began = time.process_time()
    met = list(walk(options.folder, include=options.include, default_excludes=not options.all))
    walked = time.process_time()
    found = [one for one in met if isinstance(one, Found)]
    left = Counter(one.reason_code for one in met if isinstance(one, Left))
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


if __name__ == "__main__":
    main()

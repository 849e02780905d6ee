"""Histories of many clients under kills and cut connections, checked for anomalies.

python -m benchmarks.histories --seconds 900 python -m benchmarks.histories --scene postgres --seconds 300
python -m benchmarks.histories --fault drop --seconds 5

Each scene takes its share of the seconds: processes on one file, a service over HTTP, a PostgreSQL server.
Prints the operations, what was killed and cut, and each anomaly; ends with status 1 if there is any. With
`--fault` all clients have a defect, and it ends with 1 if that is not found.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.reliability.histories.clients import FAULTS
from tests.reliability.histories.rounds import SCENES, run, scene_of


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scene", choices=SCENES, action="append")
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--clients", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", choices=FAULTS)
    options = parser.parse_args()
    scenes = options.scene or SCENES
    failed = False
    for name in scenes:
        with (
            tempfile.TemporaryDirectory(prefix="holdfast-histories-") as folder,
            scene_of(name, Path(folder)) as scene,
        ):
            tally = run(
                scene, seconds=options.seconds / len(scenes), clients=options.clients, seed=options.seed,
                folder=Path(folder), fault=options.fault, said=lambda line: print(line, file=sys.stderr),
            )  # fmt: skip
        print(f"{name}: {tally}", flush=True)
        for anomaly in tally.anomalies[:10]:
            print(f"  {anomaly}")
        failed |= bool(tally.anomalies) != (options.fault is not None)
    sys.exit(failed)


if __name__ == "__main__":
    main()

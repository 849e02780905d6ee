"""Fuzzing the HTTP service with Schemathesis: no 5xx, and no answer that the document does not tell.

`make fuzz-http` runs it; shorter: `make fuzz-http FUZZ="--examples 20"`. Each run is a service of its own:
without a password, then asked with an owner's key, with the key of a member limited to a project, with a key
that only reads, and without any.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

HOLDFAST = [sys.executable, "-c", "from holdfast.cli.main import main; main()"]
SCHEMATHESIS = [sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()"]
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
OTHERS = r"^/v1/(models/[^/]+/test|answer)$"
"""Routes that ask another machine, and so answer 503 where there is none."""
ONE_METHOD = '[phases.coverage]\nunexpected-methods = ["trace"]\n'
"""All methods that a path does not have are refused by the same line."""
CALLERS: dict[str, list[str] | None] = {
    "local": None,
    "owner": ["--role", "owner"],
    "limited": ["--project", "shop"],
    "read-only": ["--role", "owner", "--read-only"],
    "nobody": [],
}
"""Who calls, and the options of the key that is made (None: no key is needed)."""


def fuzz(
    caller: str,
    examples: int,
    *,
    seed: int | None = None,
    phases: str | None = None,
    paths: str | None = None,
    is_thin: bool = False,
) -> tuple[bool, str]:
    """Runs Schemathesis as one caller, on all paths or on those that a pattern finds, or with each optional
    argument at one operation only. Returns whether nothing was found, and its report."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), caller) as (url, key):
        document = f"{url}/openapi.json"
        with urlopen(document) as response:  # the first request makes it, slowly
            known = json.load(response)
        if is_thin:
            thin = thinned(known)
            document = str(Path(folder) / "thin.json")
            Path(document).write_text(json.dumps(thin))
            Path(folder, "schemathesis.toml").write_text(ONE_METHOD)
        command = [
            *SCHEMATHESIS, "run", document, "--url", url, "--checks", CHECKS, "--no-color",
            "--max-examples", str(examples), "--generation-database", "none",
            "--exclude-path-regex", OTHERS,
        ]  # fmt: skip
        command += ["--seed", str(seed)] if seed is not None else []
        command += ["--phases", phases] if phases is not None else []
        command += ["--include-path-regex", paths] if paths is not None else []
        command += ["--header", f"X-API-Key: {key}"] if key else []
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        return done.returncode == 0, done.stdout + done.stderr


def thinned(document: dict[str, Any]) -> dict[str, Any]:
    """Leaves each optional argument to the first operation that takes it: one of the same name, schema and
    place is read by the same code wherever it is taken. Changes the document, and returns it."""
    schemas = document["components"]["schemas"]
    seen: set[str] = set()

    def is_new(*argument: Any) -> bool:
        known = len(seen)
        seen.add(json.dumps(argument, sort_keys=True))
        return len(seen) > known

    for operation in (one for methods in document["paths"].values() for one in methods.values()):
        if "parameters" in operation:
            operation["parameters"] = [
                one for one in operation["parameters"] if one["required"] or is_new("parameter", one)
            ]
        for body in operation.get("requestBody", {}).get("content", {}).values():
            model = schemas.get(body["schema"].get("$ref", "").rpartition("/")[2], {})
            if "properties" in model:
                needed = model.get("required", ())
                model["properties"] = {
                    name: one
                    for name, one in model["properties"].items()
                    if name in needed or is_new("body", name, one)
                }
    return document


@contextmanager
def served(folder: Path, caller: str) -> Iterator[tuple[str, str | None]]:
    """A running service: its address, and the key of the caller."""
    store = ["--store", str(folder / "fuzz.db")]
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    options = CALLERS[caller]
    key = None
    if options is not None:
        command = [*HOLDFAST, "keys", "create", *store, *options, "--json"]
        made = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
        key = json.loads(made)["key"] if options else None
    asked = [*HOLDFAST, "serve", *store, "--port", "0", "--json"]
    asked += ["--require-credential"] if options is not None else []
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        assert process.stdout is not None
        try:
            lines = ""
            while "}" not in lines:
                line = process.stdout.readline()
                if not line:
                    raise RuntimeError((folder / "log").read_text())
                lines += line
            yield json.loads(lines)["url"], key
        finally:
            process.terminate()
            process.wait(60)
            process.stdout.close()


def main() -> int:
    """Fuzzes as every caller and prints what was tried and found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=200, help="cases for each operation and phase")
    parser.add_argument("--caller", choices=CALLERS, action="append", help="only this one (may be repeated)")
    given = parser.parse_args()
    failed = False
    for caller in given.caller or CALLERS:
        is_sound, report = fuzz(caller, given.examples)
        counted = re.search(r"(\d+) generated", report)
        cases = counted[1] if counted else "no"
        print(f"{caller}: {cases} cases, {'nothing found' if is_sound else 'FOUND:'}")
        if not is_sound:
            failed = True
            print(report)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

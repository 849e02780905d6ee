"""Runs the containers of the Helm chart without a cluster, in a root file system made like the image.

`python -m benchmarks.chart ROOT` (as root, with mmdebstrap, unshare and the packages helm-python-sdk and
kubernetes-validate) renders the chart with several sets of values, checks the result against the schemas of
many versions of Kubernetes, makes the root file system in the folder ROOT unless it is there, and runs from
the rendered manifests: the job that prepares the tables, the service with its probes under requests until it
is told to end, the backup and the drill. Each is process 1 of namespaces of its own, as the user, with the
environment, the volumes and the read-only root that the manifest says.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import yaml

from tests import temporary
from tests.postgres.server import APPLICATION, OWNER, Server
from tests.test_deploy import copied_into_the_image
from tests.test_helm_chart import CHART, SETS

REPOSITORY = Path(__file__).parents[1]
IMAGE_ENVIRONMENT = {"PATH": "/opt/holdfast/bin:/usr/local/bin:/usr/bin:/bin", "PYTHONUNBUFFERED": "1"}
ENTRY = "/opt/holdfast/bin/holdfast"
USER = 10_001
NO_NEW_PRIVILEGES = 38
FACTS = ("NSpid", "Uid", "CapEff", "NoNewPrivs")
DEVICES = ("null", "zero", "full", "random", "urandom")
FIRST_VERSION, LAST_VERSION = 25, 37
ASKING = """
import sys, urllib.request
name, value, url = sys.argv[1:]
with urllib.request.urlopen(urllib.request.Request(url, headers={name: value}), timeout=5) as answer:
    print(answer.status)
"""
CLIENT = """
import json, sys, time, urllib.request
key, done, failed = sys.argv[1], 0, []
print("begun", flush=True)
until = time.monotonic() + float(sys.argv[2])
while time.monotonic() < until:
    body = json.dumps({"text": f"Note {done} of the harbour"}).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Host": "127.0.0.1"}
    try:
        sent = urllib.request.Request("http://127.0.0.1:5858/v1/memories", body, headers)
        urllib.request.urlopen(sent, timeout=10)
        done += 1
    except Exception as error:
        failed.append(repr(error))
        break
print(done, failed, flush=True)
"""


def main() -> None:
    if sys.argv[1] == "--inside":
        _become(json.loads(sys.argv[2]))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    options = parser.parse_args()
    rendered = {name: _rendered(values) for name, values in SETS.items()}
    _validate(rendered)
    root = options.root.absolute()
    if not (root / "opt").exists():
        _make(root)
    folder = Path(tempfile.mkdtemp(prefix="holdfast-chart-", dir=temporary.folder()))
    folder.chmod(0o755)
    server = Server(folder / "data")
    server.start()
    server.folder.chmod(0o711)  # for the socket; the server minds only when it starts
    try:
        Cluster(root, server, folder, rendered["everything"]).run()
    finally:
        server.halt()
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _rendered(values: dict[str, Any]) -> list[dict[str, Any]]:
    from helm_python import chart  # type: ignore[import-not-found,unused-ignore]

    texts = chart.Chart.load(str(CHART)).render(values, name="team", namespace="memory")
    return [
        one
        for name, text in texts.items()
        if name.endswith(".yaml")
        for one in yaml.safe_load_all(text)
        if one
    ]


def _validate(rendered: dict[str, list[dict[str, Any]]]) -> None:
    import kubernetes_validate  # type: ignore[import-not-found,unused-ignore]

    documents = [one for found in rendered.values() for one in found]
    ours = [one for one in documents if not one["apiVersion"].startswith("monitoring.")]
    versions = [f"1.{number}" for number in range(FIRST_VERSION, LAST_VERSION + 1)]
    for version in versions:
        for one in ours:
            kubernetes_validate.validate(one, version, strict=True)
    print(
        f"{len(ours)} documents of {len(rendered)} sets of values fit {versions[0]} to {versions[-1]}",
        flush=True,
    )


def _make(root: Path) -> None:
    """Makes the root file system: Debian with Python, and Holdfast from its wheel as in the Dockerfile."""
    packages = "python3,python3-venv,ca-certificates"
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={packages}", "bookworm", root], check=True
    )
    wheels = root / "wheels"
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    context = root / "build"
    for name in copied_into_the_image():
        target = context / name
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (REPOSITORY / name).is_dir() else shutil.copyfile
        copy(REPOSITORY / name, target)
    subprocess.run([*pip, "--wheel-dir", wheels, ".[server,mcp,postgres]"], cwd=context, check=True)
    shutil.rmtree(context)
    for command in (
        ["python3", "-m", "venv", "/opt/holdfast"],
        ["/opt/holdfast/bin/pip", "install", "--quiet", "--no-index", "--find-links", "/wheels",
         "holdfast[server,mcp,postgres]"],
        ["useradd", "--uid", str(USER), "--create-home", "holdfast"],
        ["rm", "-r", "/wheels"],
    ):  # fmt: skip
        subprocess.run(["chroot", root, *command], check=True)


class Cluster:
    """Runs containers of rendered manifests one after the other."""

    def __init__(self, root: Path, server: Server, folder: Path, documents: list[dict[str, Any]]) -> None:
        self._root, self._server, self._folder = root, server, folder
        self._documents = documents
        self._volumes = {"backups": folder / "backups", "secret": folder / "secret", "keys": folder / "keys"}
        for one in self._volumes.values():
            one.mkdir()
            os.chown(one, USER, USER)
        (folder / "secret" / "backup.key").write_bytes(os.urandom(32).hex().encode())
        os.chown(folder / "secret" / "backup.key", 0, USER)
        (folder / "secret" / "backup.key").chmod(0o440)

    def run(self) -> None:
        (prepare,) = self._pods("Job")
        self._finish(prepare["containers"][0])
        (service,) = self._pods("Deployment")
        self._serve(service)
        for pod in self._pods("CronJob"):
            for container in (*pod.get("initContainers", ()), *pod["containers"]):
                self._finish(container)

    def _pods(self, kind: str) -> list[dict[str, Any]]:
        found = [one["spec"] for one in self._documents if one["kind"] == kind]
        specs = [one["jobTemplate"]["spec"] if "jobTemplate" in one else one for one in found]
        return [one["template"]["spec"] for one in specs]

    def _secret(self, name: str, key: str) -> str:
        """Returns what the secrets of the chart would hold."""
        if key != "url":
            return "unused"
        role, tenant = (OWNER, None) if "owner" in name else (APPLICATION, "team")
        return self._server.url(role, tenant=tenant)

    def _environment(self, container: dict[str, Any]) -> dict[str, str]:
        found = dict(IMAGE_ENVIRONMENT)
        for one in container.get("env", ()):
            source = one.get("valueFrom", {}).get("secretKeyRef")
            found[one["name"]] = self._secret(source["name"], source["key"]) if source else one["value"]
        return found

    @contextmanager
    def _started(
        self, container: dict[str, Any], words: list[str] | None = None
    ) -> Iterator[tuple[subprocess.Popen[str], int]]:
        """Starts a container, or another command in one like it, and yields it with its first process."""
        environment = self._environment(container)
        given = words or [*container.get("command", [ENTRY]), *container.get("args", ())]
        filled = [re.sub(r"\$\((\w+)\)", lambda match: environment[match[1]], word) for word in given]
        mounts = {
            one["mountPath"]: str(self._volumes.get(one["name"], "")) for one in container["volumeMounts"]
        }
        what = {
            "root": str(self._root), "words": filled, "environment": environment,
            "mounts": {**mounts, str(self._folder): str(self._folder)},
        }  # fmt: skip
        isolated = ["unshare", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork", "--kill-child"]
        command = [*isolated, sys.executable, "-m", "benchmarks.chart", "--inside", json.dumps(what)]
        process = subprocess.Popen(
            command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        try:
            while not (children := psutil.Process(process.pid).children()):
                time.sleep(0.01)
            yield process, children[0].pid
        finally:
            process.kill()
            process.wait()

    def _finish(self, container: dict[str, Any], words: list[str] | None = None) -> str:
        with self._started(container, words) as (process, _):
            output = process.communicate()[0]
        shown = " ".join(words or [*container.get("command", ["holdfast"]), *container.get("args", ())])
        print(f"{shown}: exit {process.returncode}", flush=True)
        if process.returncode:
            sys.exit(output)
        return output

    def _serve(self, pod: dict[str, Any]) -> None:
        (container,) = pod["containers"]
        made = self._finish(container, [ENTRY, "keys", "create", "--for", "ana", "--role", "owner", "--json"])
        key = json.loads(made[made.index("{") :])["key"]
        began = time.monotonic()
        with self._started(container) as (process, first):
            probes = ("startupProbe", "readinessProbe", "livenessProbe")
            for name in probes:
                self._probe(name, container[name], first, began)
            status = Path(f"/proc/{first}/status").read_text()
            found = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
            print(", ".join(f"{name} {found[name].split()[-1]}" for name in FACTS), flush=True)
            inside = ["nsenter", "--target", str(first), "--net", sys.executable, "-c"]
            with subprocess.Popen([*inside, CLIENT, key, "8"], stdout=subprocess.PIPE, text=True) as client:
                assert client.stdout is not None
                client.stdout.readline()
                time.sleep(1)
                hook = container.get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command")
                told = time.monotonic()
                if hook:  # meanwhile a cluster takes the pod out of the service, and clients go elsewhere
                    subprocess.run(
                        [
                            "nsenter",
                            "--target",
                            str(first),
                            "--pid",
                            "--mount",
                            f"--root=/proc/{first}/root",
                            *hook,
                        ],
                        check=True,
                    )
                self._probe("readinessProbe", container["readinessProbe"], first, told)
                held = time.monotonic() - told
                os.kill(first, signal.SIGTERM)
                log = process.communicate(timeout=pod["terminationGracePeriodSeconds"])[0]
                ended = time.monotonic() - told
                done, failed = client.communicate()[0].split(" ", 1)
        refused = "refused" in failed or "Remote end" in failed or "reset" in failed
        print(f"told to end: gone after {ended:.1f} s, {held:.1f} s of it preStop; exit {process.returncode}")
        print(f"{done} notes acknowledged, then {failed.strip()}", flush=True)
        with self._server.as_superuser("holdfast") as connection:
            row = connection.execute("SELECT count(DISTINCT text) FROM holdfast.memories").fetchone()
        assert row is not None
        stored = int(str(row[0]))
        print(f"notes in the store: {stored}", flush=True)
        lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
        problems = [line for line in lines if line.get("level") in ("error", "critical")]
        if process.returncode or problems or not refused or stored < int(done):
            sys.exit(f"{problems}\n{log[-2000:]}")

    def _probe(self, name: str, probe: dict[str, Any], first: int, began: float) -> None:
        get = probe["httpGet"]
        (header,) = get["httpHeaders"]
        command = ["nsenter", "--target", str(first), "--net", sys.executable, "-c", ASKING, header["name"]]
        for attempt in range(probe["failureThreshold"]):
            asked = subprocess.run(
                [*command, header["value"], f"http://127.0.0.1:5858{get['path']}"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            if asked.returncode == 0:
                print(f"{name} {get['path']}: {asked.stdout.strip()} after {time.monotonic() - began:.1f} s,"
                      f" attempt {attempt + 1}", flush=True)  # fmt: skip
                return
            time.sleep(probe["periodSeconds"])
        sys.exit(f"{name} failed: {asked.stderr[-500:]}")


def _become(what: dict[str, Any]) -> None:
    """Becomes the container: its volumes, its root, its user, then its command."""
    root = Path(what["root"])

    def mount(*words: object) -> None:
        subprocess.run(["mount", *map(str, words)], check=True)

    mount("--make-rprivate", "/")
    mount("--bind", root, root)
    mount("-t", "proc", "proc", root / "proc")
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", root / "dev")
    for name in DEVICES:
        (root / "dev" / name).touch()
        mount("--bind", f"/dev/{name}", root / "dev" / name)
    for place, source in what["mounts"].items():
        target = root / place.strip("/")
        target.mkdir(parents=True, exist_ok=True)
        if source:
            mount("--bind", source, target)
        else:
            mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", target)
    mount("-o", "remount,bind,ro", root)
    with socket.socket() as one:  # the loopback of the new network
        fcntl.ioctl(one, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))
    os.chroot(root)
    os.chdir("/")
    os.setgroups([USER])
    os.setresgid(USER, USER, USER)
    os.setresuid(USER, USER, USER)
    ctypes.CDLL(None).prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    words = what["words"]
    program = words[0] if "/" in words[0] else f"/usr/bin/{words[0]}"
    os.execve(program, words, what["environment"])


if __name__ == "__main__":
    main()

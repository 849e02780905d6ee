"""Processes of Holdfast that tests start, forked from one that has everything imported: a tenth of a start.

`python -P -m tests.warm SOCKET` is the parent of the forks. A fork is a process as any other: it has its own
pid, streams, folder and environment, is a child of the process of the tests, and ends as Python ends. What is
asked for in none of the ways of `_way` starts as usual, and so do the processes of the tests in `COLD`.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

ROOT = Path(__file__).parents[1]
HOLDFAST = str(Path(sys.executable).with_name("holdfast"))
COLD = {
    "cli/test_process", "http/test_processes", "tests/test_architecture", "tests/test_docs",
    "tests/test_telemetry",
}  # fmt: skip
"""Modules of tests about what a start imports, or how a process starts and ends."""
MODULES = ("holdfast", "holdfast.features.jobs.worker_pool", "tests.reliability.nursery")
"""What may be run by `-m`."""
APART = ("holdfast.integrations.anthropic", "holdfast.integrations.openai")
"""What no command loads, and takes long."""
OF_PYTHON = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_")
"""Variables that are read as Python starts: with other values than here a process starts as usual."""
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl: whose parent ends becomes a child of this process."""
MESSAGE_MAX = 200_000
"""Bytes of a message to the parent of the forks."""

_start_as_usual = subprocess.Popen._execute_child  # type: ignore[attr-defined]
_lock = threading.Lock()
_owner = os.getpid()
_may_fork = False


def use() -> None:
    """Has `Popen` fork where it can: on Linux alone."""
    if sys.platform == "linux":
        subprocess.Popen._execute_child = _execute_child  # type: ignore[attr-defined]


def allow(path: Path) -> None:
    """Says which module of tests runs now."""
    global _may_fork
    _may_fork = f"{path.parent.name}/{path.stem}" not in COLD


def _execute_child(
    process: subprocess.Popen[Any], args: Any, executable: Any, preexec_fn: Any, close_fds: bool,
    pass_fds: Any, cwd: Any, env: Any, startupinfo: Any, creationflags: Any, shell: bool, *more: Any,
) -> None:  # fmt: skip
    *pipes, _, gid, gids, uid, umask, new_session, group = more
    words = _words(args)
    plain = close_fds and not (pass_fds or shell) and umask == group == -1
    plain = plain and (executable, preexec_fn, gid, gids, uid) == (None,) * 5
    may_fork = _may_fork and os.getpid() == _owner and _is_usual(os.environ if env is None else env)
    if not (may_fork and plain and words and _way(words)):
        _start_as_usual(
            process, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, startupinfo, creationflags,
            shell, *more,
        )  # fmt: skip
        return
    given, _, _, out, _, err = pipes
    job = {
        "words": words, "cwd": os.fsdecode(os.getcwd() if cwd is None else cwd),
        "env": {os.fsdecode(name): os.fsdecode(value) for name, value in (env or os.environ).items()},
        "session": new_session, "parent": os.getpid(),
    }  # fmt: skip
    if not Path(job["cwd"]).is_dir():
        raise FileNotFoundError(2, os.strerror(2), job["cwd"])
    process.pid = _fork(job, [number if fd == -1 else fd for number, fd in enumerate((given, out, err))])
    process._child_created = True  # type: ignore[attr-defined]
    process._close_pipe_fds(*pipes)  # type: ignore[attr-defined]


def _words(args: Any) -> list[str] | None:
    if isinstance(args, str | bytes | os.PathLike):
        return None
    return [os.fsdecode(arg) for arg in args]


def _way(words: list[str]) -> tuple[str, str, list[str]] | None:
    """Returns how a command is asked for, what is run, and the arguments of that."""
    if words[0] == HOLDFAST:
        return "file", HOLDFAST, words[1:]
    if words[0] != sys.executable:
        return None
    match words[1:]:
        case ["-P", "-m", name, *more] | ["-m", name, *more] if name in MODULES:
            return "module", name, more
        case ["-P", "-c", code, *more] | ["-c", code, *more] if "sys.modules" not in code:
            return "code", code, more
    return None


def _is_usual(env: Any) -> bool:
    return _of_python(env).items() <= _usual.items()


def _of_python(env: Any) -> dict[str, str]:
    named = {os.fsdecode(name): os.fsdecode(value) for name, value in env.items()}
    return {name: value for name, value in named.items() if name.startswith(OF_PYTHON)}


_usual = _of_python(os.environ)


def _fork(job: dict[str, Any], streams: list[int]) -> int:
    """Has the parent of the forks make one, which becomes a child of this process; returns its pid."""
    with _lock:
        asked = _parent()
        adopt = partial(ctypes.CDLL(None).prctl, SUBREAPER)
        adopt(1, 0, 0, 0)
        try:
            socket.send_fds(asked, [json.dumps(job).encode()], streams)
            return int(asked.recv(100))
        finally:
            adopt(0, 0, 0, 0)


@cache
def _parent() -> socket.socket:
    """Returns the connection to the parent of the forks, which ends with this process."""
    mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        command = [sys.executable, "-P", "-m", "tests.warm", str(its.fileno())]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        null = subprocess.DEVNULL
        process = subprocess.Popen(command, pass_fds=[its.fileno()], stdin=null, stdout=null, env=environment)

    def end() -> None:
        mine.close()
        process.wait()

    atexit.register(end)
    return mine


def main() -> None:
    """Imports everything, and forks a process for each job that comes."""
    asked = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _import_all()
    while True:
        content, streams, _, _ = socket.recv_fds(asked, MESSAGE_MAX, 3)
        if not content:
            return
        mine, its = os.pipe()
        between = os.fork()
        if between == 0:
            pid = os.fork()
            if pid == 0:
                break
            os.write(its, str(pid).encode())
            os._exit(0)
        os.waitpid(between, 0)
        for one in (*streams, its):
            os.close(one)
        asked.send(os.read(mine, 100))
        os.close(mine)
    job = json.loads(content)
    _become(job, streams)
    _end(_status_of(partial(_run, job["words"])))


def _import_all() -> None:
    import gc

    import holdfast

    for module in pkgutil.walk_packages(holdfast.__path__, "holdfast."):
        if not module.name.endswith("__main__") and not module.name.startswith(APART):
            with suppress(ImportError):
                import_module(module.name)
    from holdfast.embeddings.static import StaticEmbedder
    from holdfast.http.app import _served

    _served()
    StaticEmbedder(256).embed(["a boat"])
    gc.collect()
    gc.freeze()


def _become(job: dict[str, Any], streams: list[int]) -> None:
    """Gives this process what was asked for, once its parent is that of the tests."""
    for number, fd in enumerate(streams):
        os.dup2(fd, number)
    for fd in map(int, os.listdir("/proc/self/fd")):
        if fd > 2:
            with suppress(OSError):  # the folder itself
                os.close(fd)
    if job["session"]:
        os.setsid()
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        lines = name == "stderr" or os.isatty(number)
        stream = open(  # noqa: SIM115
            number, "w" if number else "r", 1 if lines else -1, encoding=getattr(sys, name).encoding,
            errors=getattr(sys, name).errors, closefd=False,
        )  # fmt: skip
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    while os.getppid() != job["parent"]:
        time.sleep(0.001)


def _run(words: list[str]) -> None:
    """Runs what a command asks for, as Python would."""
    way, what, arguments = _way(words) or ("", "", [])
    sys.argv = [{"code": "-c"}.get(way, what), *arguments]
    sys.path[:] = [one for one in sys.path if one != str(ROOT)]
    if way == "module":
        if "-P" not in words[:2]:
            sys.path.insert(0, os.getcwd())
        sys.modules.pop(what, None) if what != "holdfast" else None
        runpy.run_module(what, run_name="__main__", alter_sys=True)
        return
    if "-P" not in words[:2]:
        sys.path.insert(0, "" if way == "code" else str(Path(what).parent))
    module = sys.modules["__main__"] = ModuleType("__main__")
    source, name = (Path(what).read_text(), what) if way == "file" else (what, "<string>")
    exec(compile(source, name, "exec", dont_inherit=True), module.__dict__)


def _status_of(run: Callable[[], None]) -> int:
    """Runs a program and returns its exit status."""
    try:
        run()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        sys.excepthook(type(error), error, error.__traceback__)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
        return 1
    return 0


def _end(status: int) -> NoReturn:
    """Ends this process as Python does, but for taking apart the modules, which takes longer than a start."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        status = 120
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(status & 0xFF)


if __name__ == "__main__":
    main()

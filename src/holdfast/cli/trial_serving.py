"""The last stage of `holdfast try --serve`: serves what was stored, with commands to paste."""

from __future__ import annotations

import json
import signal
import socket
import threading
from typing import TYPE_CHECKING

from holdfast.cli import output
from holdfast.cli.face import Face

if TYPE_CHECKING:
    from holdfast.http.app import MountedApp

QUESTION = "When are my cello lessons?"
STATEMENT = {"text": "The reseller signs on Friday", "kind": "fact", "project": "trial"}


def serve_trial(face: Face, store: str, port: int, seconds: float | None) -> None:
    """Serves a store on this machine until it is interrupted, or for some seconds. Takes another port if this
    one is in use."""
    from holdfast.cli.serve import check_installed, mcp_beside
    from holdfast.http.serve import Options, serve

    check_installed()
    mcp_app = mcp_beside()
    ending = threading.Timer(seconds or 0, signal.raise_signal, [signal.SIGTERM])
    ending.daemon = True

    def started(at: int) -> None:
        url = f"http://127.0.0.1:{at}"
        _print_result(url, one_time_link(url, one_time_code(memory._service)), mcp_app, seconds)
        if seconds is not None:
            ending.start()

    from holdfast.cli.browser_link import one_time_link
    from holdfast.features.access.browser_sessions import one_time_code

    with face.open(store) as memory:
        options = Options(port=port if _is_free(port) else 0, log_json=False, mcp_app=mcp_app)
        try:
            serve(memory._service, options, started=started)
        finally:
            ending.cancel()
    output.done("The service has stopped.")


def _is_free(port: int) -> bool:
    """Returns whether a port of this machine can be bound."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _print_result(url: str, link: str, mcp_app: MountedApp | None, seconds: float | None) -> None:
    """Lines that work as they are pasted into another terminal."""
    until = "until Ctrl-C" if seconds is None else f"for {seconds:g} s"
    output.say()
    output.done(f"All of this is now served at {url}, {until}. Open it in a browser:")
    output.say(f"\n  {link}")
    output.note("The link works once, within five minutes.")
    output.say("\nOr paste into another terminal:")
    ask = {"query": QUESTION, "project": "*", "limit": 1}
    output.say("\n  # ask it, and keep something")
    output.say("  " + _curl(f"{url}/v1/recall", ask))
    output.say("  " + _curl(f"{url}/v1/memories", STATEMENT))
    if mcp_app is not None:
        mcp = url + mcp_app.paths[0]
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "recall", "arguments": {"query": QUESTION, "project": "*", "limit": 1}},
        }
        output.say("\n  # ask it as an agent does, over MCP")
        output.say("  " + _curl(mcp, call, accept="application/json, text/event-stream"))
        output.say("\n  # let an agent use it, such as Claude Code")
        output.say(f"  claude mcp add --transport http holdfast-trial {mcp}")
    output.say()


def _curl(url: str, body: object, accept: str | None = None) -> str:
    accepted = f" -H 'Accept: {accept}'" if accept else ""
    return f"curl -s {url} -H 'Content-Type: application/json'{accepted} -d '{json.dumps(body)}'"

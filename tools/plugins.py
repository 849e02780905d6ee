"""Writes the plugin of Claude Code with its marketplace, and the extension of Gemini CLI, from the hooks.

python -m tools.plugins
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from holdfast import __version__
from holdfast.integrations.agents.setup import HOOKS

ROOT = Path(__file__).resolve().parent.parent
ABOUT = (
    "Memory of a project for coding agents: what is going on, what answers a prompt, the traps of a file. "
    "Local, without a model."
)
OWNER = {"name": "The Holdfast developers"}


def files() -> dict[str, str]:
    """Returns the files by their paths in the repository."""
    named = {"name": "holdfast", "version": __version__, "description": ABOUT}
    listed = {
        "name": "holdfast", "source": "./plugins/claude-code", "description": ABOUT, "license": "Apache-2.0",
        "category": "memory",
    }  # fmt: skip
    documents: dict[str, Any] = {
        ".claude-plugin/marketplace.json": {
            "name": "holdfast", "owner": OWNER, "plugins": [listed],
            "metadata": {"description": "Holdfast for Claude Code", "version": __version__},
        },
        "plugins/claude-code/.claude-plugin/plugin.json": named
        | {
            "author": OWNER, "license": "Apache-2.0", "keywords": ["memory", "context", "learning"],
            "network": {"hosts": []},
        },
        "plugins/claude-code/.mcp.json": _server("claude-code"),
        "plugins/claude-code/hooks/hooks.json": {
            "description": "Tells the agent what is remembered, and learns from its sessions.",
            **_hooks("claude-code"),
        },
        "plugins/gemini/gemini-extension.json": named | _server("gemini"),
        "plugins/gemini/hooks/hooks.json": _hooks("gemini"),
    }  # fmt: skip
    return {path: json.dumps(document, indent=2) + "\n" for path, document in documents.items()}


def _hooks(client: str) -> Any:
    return json.loads(HOOKS[client].merged("", client, lambda event: ["holdfast", "hook", client, event]))


def _server(client: str) -> dict[str, Any]:
    return {"mcpServers": {"holdfast": {"command": "holdfast", "args": ["mcp", "--agent", client]}}}


def main() -> None:
    """Writes all files."""
    for path, text in files().items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

"""A home, a store and a checkout for a real client from npm, with a model on the loopback."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from holdfast import Memory

PACKAGES = {
    "claude-code": ("@anthropic-ai/claude-code@2.1.332", "claude"),
    "codex": ("@openai/codex@0.171.0", "codex"),
    "gemini": ("@google/gemini-cli@0.61.0", "gemini"),
    "opencode": ("opencode-ai@1.18.33", "opencode"),
    "copilot": ("@github/copilot@1.0.102", "copilot"),
}
"""The package and the command of each client."""
HOLDFAST = str(Path(sys.executable).with_name("holdfast"))
PATH = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
"""Where commands are looked for: Node.js of the environment comes before one of the machine."""
PROMPT = "what do we know about JWT over sessions for the public API?"
TOLD = {
    "start": "Finish the refund endpoint", "prompt": "We chose JWT over sessions",
    "file": "exp is in seconds", "failure": "run make mount first",
}  # fmt: skip
"""What each event is answered with."""
KINDS = {"start": "todo", "prompt": "note", "file": "gotcha", "failure": "error_pattern"}
COMMAND = "ls /volume/of/heron"
FAILED = "ls: cannot access '/volume/of/heron': No such file or directory"
CLIENTS = Path(__file__).resolve().parents[2] / "build" / "agents"
"""Where clients are installed."""
SECONDS = 180


@dataclass(frozen=True)
class Bench:
    """A home, a store and a checkout of their own for a client."""

    root: Path
    bin: Path

    @property
    def shop(self) -> Path:
        return self.root / "shop"

    @property
    def store(self) -> Path:
        return self.root / "memory.db"

    def environment(self, url: str) -> dict[str, str]:
        """Returns the environment of a client: nothing of the user's own, and the model on the loopback."""
        home = self.root / "home"
        return {
            "PATH": os.pathsep.join((str(self.bin), PATH)), "HOME": str(home), "TERM": "dumb",
            "XDG_CONFIG_HOME": str(home / ".config"), "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"), "XDG_CACHE_HOME": str(home / "cache"),
            "HOLDFAST_STORE": str(self.store), "HOLDFAST_USER": "ana",
            "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "x", "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            "MODEL_KEY": "x", "GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "COPILOT_PROVIDER_BASE_URL": url, "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_API_KEY": "x", "COPILOT_MODEL": "claude-sonnet-4.5",
            "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false",
        }  # fmt: skip

    def set_up(self, client: str, url: str) -> dict[str, str]:
        """Makes home, store and checkout, and sets the client up. Returns its environment."""
        env = self.environment(url)
        home = Path(env["HOME"])
        (self.shop / ".git").mkdir(parents=True)
        (self.shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (self.shop / "src").mkdir()
        (self.shop / "src" / "token.py").write_text("EXP = 300\n")
        home.mkdir()
        with Memory(self.store, user="ana") as memory:
            for event, text in TOLD.items():
                metadata = {"file": "src/token.py"} if event == "file" else None
                whole = f"{text}, because the API is public" if event == "prompt" else text
                whole = f"{FAILED} means that it is not mounted: {text}" if event == "failure" else whole
                memory.remember(whole, kind=KINDS[event], project="shop", metadata=metadata)
        _settings(client, home, url)
        command = [HOLDFAST, "agents", "install", client, "--project", "shop"]
        subprocess.run(command, env=env, cwd=self.shop, check=True, capture_output=True)
        return env


def _settings(client: str, home: Path, url: str) -> None:
    """Writes the settings that name the model on the loopback."""
    if client == "codex":
        (home / ".codex").mkdir()
        (home / ".codex" / "config.toml").write_text(
            'model = "gpt-5"\nmodel_provider = "here"\n[model_providers.here]\nname = "here"\n'
            f'base_url = "{url}/v1"\nwire_api = "responses"\nenv_key = "MODEL_KEY"\n'
        )
    elif client == "gemini":
        (home / ".gemini").mkdir()
        auth = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
        (home / ".gemini" / "settings.json").write_text(json.dumps(auth))
    elif client == "opencode":
        folder = home / ".config" / "opencode"
        folder.mkdir(parents=True)
        model = "anthropic/claude-sonnet-4-5"
        options = {"baseURL": f"{url}/v1", "apiKey": "x"}
        settings = {
            "model": model, "small_model": model, "autoupdate": False, "share": "disabled",
            "provider": {"anthropic": {"options": options}},
        }  # fmt: skip
        (folder / "opencode.json").write_text(json.dumps(settings))


def installed(folder: Path, client: str) -> Path:
    """Installs a client from npm in a folder of its own, unless it is there. Returns where its command is."""
    package, command = PACKAGES[client]
    home = folder / client
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two tests may need it at the same time
        stamp = home / "installed"
        if not stamp.is_file() or stamp.read_text() != package:
            install = ("npm", "install", "--no-audit", "--no-fund", package)
            result = subprocess.run(
                install,
                cwd=home,
                env={**os.environ, "PATH": PATH},
                capture_output=True,
                text=True,
                check=False,
            )
            if result.returncode or not (home / "node_modules" / ".bin" / command).exists():
                raise RuntimeError(f"{package} could not be installed:\n{result.stdout}{result.stderr}")
            stamp.write_text(package)
    return home / "node_modules" / ".bin"

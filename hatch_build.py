"""Build hook: puts the built web interface into wheels and source packages.

A source package carries the build, so installing it needs no Node.js. An installation from a checkout without
Node.js works, without the web interface, and the service says so.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebInterface(BuildHookInterface):  # type: ignore[misc,type-arg]
    """Builds the application where the sources are newer than the build."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the application, but not for an editable installation, where `make web` does."""
        script = Path(self.root) / "web" / "build.py"
        if version == "editable" or not script.with_name("package.json").is_file():
            return
        spec = importlib.util.spec_from_file_location("web_build", script)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if not module.ensure():
            self.app.display_warning("built without the web interface: it needs Node.js 20 or newer with npm")

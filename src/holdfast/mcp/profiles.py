"""Profiles: which tools a server offers. `--profile` names one."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput
from holdfast.mcp.tools import Tool

PROFILES: dict[str, str] = {
    "agent": "holdfast.mcp.agent",
    "search-fetch": "holdfast.mcp.search_fetch",
    "reference": "holdfast.mcp.reference",
    "runner": "holdfast.mcp.runner",
    "data": "holdfast.mcp.data",
}
"""Profiles with the module of their `TOOLS` and `INSTRUCTIONS`, loaded on demand."""
DEFAULT = "agent"


@dataclass(frozen=True, slots=True)
class Profile:
    """The tools of one server and its instructions for a model."""

    name: str
    tools: tuple[Tool, ...]
    instructions: str


def profile_named(name: str) -> Profile:
    """Returns the profile with this name. Raises InvalidInput `argument_invalid`."""
    if name not in PROFILES:
        raise InvalidInput(
            f"there is no profile {safe_repr(name)}", code="argument_invalid", hint=" or ".join(PROFILES)
        )
    module = import_module(PROFILES[name])
    return Profile(name, module.TOOLS, module.INSTRUCTIONS)

"""Packages that a reader needs and that are not part of the plain installation."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from holdfast.core.errors import InvalidInput
from holdfast.core.extras import how_to_install


def required(package: str, extra: str, purpose: str) -> Any:
    """Returns a package of an extra. Raises InvalidInput `extra_missing`."""
    try:
        return import_module(package)
    except ImportError:
        raise InvalidInput(
            f"reading {purpose} needs the package {package.replace('_', '-')}", code="extra_missing",
            hint=how_to_install(extra),
        ) from None  # fmt: skip

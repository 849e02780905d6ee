"""Builds the error for a missing optional package."""

from __future__ import annotations

from holdfast.core.errors import HoldfastError, InvalidInput
from holdfast.core.extras import how_to_install


def missing_extra(error: ModuleNotFoundError, extra: str) -> HoldfastError:
    """Returns the error for a package of the extra `code` or `files`."""
    return InvalidInput(
        f"reading files needs the package {error.name}",
        code="extra_missing",
        hint=how_to_install(extra),
    )

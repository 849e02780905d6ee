"""The option with which commands that erase write a certificate of deletion."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from holdfast.core.certificates import Certificate

certificate_option = click.option(
    "--certificate",
    metavar="FILE",
    type=click.File("x", lazy=False),
    help="Write a certificate of deletion to this file.",
)


def write_certificate(certificate: Certificate | None, file: TextIO | None) -> None:
    """Writes the certificate of an erasure to a file, if both are there."""
    if certificate is not None and file is not None:
        json.dump(certificate.as_dict(), file, indent=1)

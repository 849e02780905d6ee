"""The option with which commands that erase write a certificate of deletion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from holdfast.cli.face import Usage

if TYPE_CHECKING:
    from holdfast.core.certificates import Certificate

certificate_option = click.option(
    "--certificate",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a certificate of deletion to this file.",
)


class Certificates:
    """The file for a certificate, which was made before anything is erased."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.is_written = False

    def write(self, certificate: Certificate | None) -> None:
        """Writes the certificate of an erasure, if there is one and a file for it."""
        if certificate is not None and self.path is not None:
            self.path.write_text(json.dumps(certificate.as_dict(), indent=1), "utf-8")
            self.is_written = True


@contextmanager
def certificate_file(path: Path | None) -> Iterator[Certificates]:
    """Makes the file before anything is erased, so that no certificate is lost, and takes it away again if
    nothing was written. Raises Usage for one that exists or cannot be made."""
    file = Certificates(path)
    if path is not None:
        try:
            path.open("x").close()
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise Usage(f"{path} cannot be made: {why}", "--certificate names a new file") from error
    try:
        yield file
    finally:
        if path is not None and not file.is_written:
            path.unlink(missing_ok=True)

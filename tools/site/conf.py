"""The documentation site: the same pages as in the repository, by Sphinx, without anything from elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VERSION_FILE = ROOT / "src" / "holdfast" / "_version.py"

project = "Holdfast"
author = "The Holdfast developers"
release = version = re.findall(r'^__version__ = "(.+)"', VERSION_FILE.read_text("utf-8"), re.MULTILINE)[0]
extensions = ["myst_parser"]
include_patterns = [
    "README.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "SECURITY.md",
    "training/MODEL_CARD.md", "training/README.md", "tools/claim_tagger/README.md",
    "tools/secret_tagger/README.md", "docs/**.md",
]  # fmt: skip
root_doc = "docs/index"
myst_heading_anchors = 6
html_theme = "furo"
html_title = f"Holdfast {release}"
html_copy_source = False
html_theme_options: dict[str, Any] = {"top_of_page_buttons": []}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
suppress_warnings = ["misc.highlighting_failure", "toc.not_included"]
INDEXES = ("docs/ARCHITECTURE", "docs/decisions/index")
"""Pages that list the pages of a folder."""
CHAPTERS = ("architecture", "decisions")
LINK = re.compile(r"^\| \[[^\]]+\]\(([^)#]+\.md)\)", re.MULTILINE)


def add_navigation(_: Any, name: str, source: list[str]) -> None:
    """Adds what the side of the page shows: of the first page its sections with the links of their tables, of
    an index its chapters."""
    if name == root_doc:
        for section in source[0].split("\n## ")[1:]:
            title, _, body = section.partition("\n")
            source[0] += _tree(LINK.findall(body), f":caption: {title}\n")
    elif name in INDEXES:
        folder = ROOT / Path(name).parent
        links = dict.fromkeys(re.findall(r"\]\(([\w./-]+\.md)\)", source[0]))
        source[0] += _tree([link for link in links if (folder / link).parent.name in CHAPTERS], "")


def _tree(pages: list[str], options: str) -> str:
    return f"\n\n```{{toctree}}\n:hidden:\n{options}\n" + "\n".join(pages) + "\n```\n"


def setup(app: Any) -> None:
    """Connects what this site adds."""
    app.connect("source-read", add_navigation)

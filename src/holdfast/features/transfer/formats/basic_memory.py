"""Reader of basic-memory folders: each file is an entity with observations, its prose a note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from holdfast.features.transfer.formats import frontmatter, notes
from holdfast.features.transfer.formats.fields import clean, line_of
from holdfast.features.transfer.formats.folder import TextFile, texts
from holdfast.features.transfer.formats.model import ImportedEntity, Item, Link, Note, Observed, Skip

_OBSERVATION = re.compile(r"[ \t]*[-*][ \t]+\[([^\]\[\n]{1,64})\][ \t]+(\S.*)")
_RELATION = re.compile(
    r"[ \t]*[-*][ \t]+(?:\"([^\"\n]{1,100})\"|'([^'\n]{1,100})'|([^\[\]\n]{0,100}?))[ \t]{0,8}"
    r"\[\[([^\]\n]{1,200})\]\](.*)"
)
_WIKI = re.compile(r"\[\[([^\]\n]{1,200})\]\]")
_CHECKBOXES = ("x", "X", " ", "-")
_TAG = re.compile(r"(?<![\w/&#])#([A-Za-z\u00c0-\uffff][\w/-]{0,60})")
_SECTION = re.compile(r"#{1,6}[ \t]+(?:observations|relations)[ \t]*", re.IGNORECASE)
INLINE = "links_to"
"""The type of a relation for a link within text, as in basic-memory."""


def recognises(files: Sequence[TextFile]) -> bool:
    """Returns whether one of the first files has a permalink in its head, which basic-memory always
    writes."""
    heads = (frontmatter.split(text)[0] for _, text in texts(files[:20], lambda *_: None))
    return any(frontmatter.word(head, "permalink") for head in heads)


def items(files: Iterable[TextFile], root: str, skip: Skip) -> Iterator[Item]:
    """Yields entities with their observations, notes with the prose, and at the end all relations."""
    links: list[Link] = []
    seen: set[str] = set()
    for file, text in texts(files, skip):
        head, body = frontmatter.split(text)
        name = line_of(frontmatter.word(head, "title")) or file.name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
        observed, relations, prose = _parts(body)
        type = line_of(frontmatter.word(head, "type")) or "note"
        yield ImportedEntity(name[:200], type[:200], tuple(observed))
        links += [Link(name[:200], kind, target, make=True) for kind, target in relations]
        if _has_prose(prose):
            permalink = frontmatter.word(head, "permalink") or file.name
            for note in notes.of_text({**head, "title": name}, prose, file, root, skip):
                yield Note(
                    note.text, note.id, title=note.title, tags=note.tags,
                    metadata={**note.metadata, "permalink": permalink[:500]}, at=note.at,
                )  # fmt: skip
    for link in links:
        key = "\n".join((link.subject, link.type, link.target)).casefold()
        if key in seen:
            skip(link.subject, "the same relation came before", "relation")
        else:
            seen.add(key)
            yield link


def _parts(body: str) -> tuple[list[Observed], list[tuple[str, str]], str]:
    """Returns the observations, the relations as type and target, and the prose. A line in a code fence is
    prose; links within prose are relations too."""
    observed: list[Observed] = []
    relations: list[tuple[str, str]] = []
    prose: list[str] = []
    fenced = False
    for line in body.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced:
            prose.append(line)
        elif (match := _OBSERVATION.fullmatch(line)) and match[1] not in _CHECKBOXES:
            text = clean(match[2])
            observed.append(Observed(text, tuple(dict.fromkeys(_TAG.findall(text)))[:12], clean(match[1])))
        elif (match := _RELATION.fullmatch(line)) and not _WIKI.search(match[5]):
            relation_type = clean(match[1] or match[2] or match[3] or "")
            relations.append((relation_type or "relates_to", _target(match[4])))
        else:
            prose.append(line)
            relations += [(INLINE, _target(target)) for target in _WIKI.findall(line)]
    prose_lines = [line for line in prose if not _SECTION.fullmatch(line)]
    return observed, [(kind, target) for kind, target in relations if target], "\n".join(prose_lines)


def _target(text: str) -> str:
    """Returns the name in a link: `name|shown`, `name#heading` and `folder/name` all name the note."""
    name = text.partition("|")[0].partition("#")[0].strip()
    return line_of(name.rsplit("/", 1)[-1]) or ""


def _has_prose(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in text.split("\n"))

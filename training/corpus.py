"""Reads folders of documentation, dictionaries, chat and Python code into one file of texts and text pairs.

Each output line is ``{"s": source, "a": text, "b": text}``: ``a`` is short (a title, a term, a docstring's first
line, an utterance, a sentence) and ``b`` is what belongs to it (a definition, a body, the next sentence) or empty.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import html
import json
import random
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

Record = tuple[str, str]
SENTENCE = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z\"'(])")
SPACE = re.compile(r"\s+")


def squeeze(text: str) -> str:
    return SPACE.sub(" ", text).strip()


def read(path: Path) -> str:
    data = gzip.open(path).read() if path.suffix in {".gz", ".dz"} else path.read_bytes()
    return data.decode("utf-8", "replace")


def prose(paragraph: str) -> Iterator[Record]:
    """Neighbouring sentences of a paragraph as pairs."""
    sentences = [s for s in SENTENCE.split(squeeze(paragraph)) if 12 < len(s) < 500 and s.count(" ") > 1]
    for i in range(0, len(sentences), 2):
        yield sentences[i], sentences[i + 1] if i + 1 < len(sentences) else ""


def chat(path: Path) -> Iterator[Record]:
    for line in read(path).split("\n"):
        if 3 < len(line):
            yield line[:400], ""


def wordnet(path: Path) -> Iterator[Record]:
    for line in read(path).split("\n"):
        if line[:1].isdigit() and " | " in line:
            left, gloss = line.split(" | ", 1)
            fields = left.split()
            terms = [t.split("(")[0].replace("_", " ") for t in fields[4 : 4 + 2 * int(fields[3], 16) : 2]]
            meaning, *examples = [g.strip(' ;"') for g in gloss.split('; "')]
            yield ", ".join(terms[:3]), meaning
            if len(terms) > 1:
                yield terms[0], terms[1]
            for example in examples[:2]:
                yield example, f"{terms[0]}: {meaning}"


def dictionary(path: Path) -> Iterator[Record]:
    """dictd databases: a headword at the margin, its text indented."""
    head, body = "", []
    for line in [*read(path).split("\n"), "end"]:
        if line and not line[0].isspace():
            text = squeeze(re.sub(r"\[[^\]]*\]|<[^>]*>|[{}]|--[A-Z].*$", "", " ".join(body)))
            if head and len(text) > 12:
                yield head, text[:300]
            head, body = squeeze(re.sub(r"\\.*|\[.*|[\"`*]", "", line)), []
        elif line.strip():
            body.append(line)


def thesaurus(path: Path) -> Iterator[Record]:
    term = ""
    for line in read(path).split("\n"):
        fields = [f for f in line.split("|") if f]
        if len(fields) == 2 and fields[1].isdecimal():
            term = fields[0]
        elif len(fields) > 2 and term:
            yield f"{term} {fields[0]}", re.sub(r" \([^)]*\)", "", ", ".join(fields[1:5]))


def fortunes(path: Path) -> Iterator[Record]:
    for item in read(path).split("\n%\n"):
        yield from prose(item)


HEADING = re.compile(r"<h([1-6])[^>]*>(.*?)</h\1>|<(?:p|dd|li|td)\b[^>]*>(.*?)(?=</?(?:p|dd|li|td|h\d|div|pre)\b)|<dt\b[^>]*>(.*?)</dt>", re.S | re.I)
TAG = re.compile(r"<[^>]+>")


def web(path: Path) -> Iterator[Record]:
    title = ""
    for level, heading, body, term in HEADING.findall(read(path)[:600_000]):
        text = squeeze(html.unescape(TAG.sub("", heading or body or term))).replace("¶", "")
        if level or term:
            title = text[:160]
        elif len(text) > 40:
            if title:
                yield title, text[:400]
                title = ""
                text = text[400:]
            yield from prose(text)


def plain(path: Path) -> Iterator[Record]:
    """reStructuredText, Markdown, Texinfo-like or plain text: a short first line titles the paragraph after it."""
    title = ""
    for paragraph in re.split(r"\n\s*\n", read(path)[:400_000]):
        lines = paragraph.strip().split("\n")
        if re.search(r"[{}|<>\\]{2,}|(^|\n)[.#]{2,} \w+::", paragraph):
            continue
        if len(lines) <= 2 and len(paragraph) < 90 and re.match(r"[#=\d.* ]*\w", lines[0]):
            title = squeeze(lines[0].strip("#=*- "))
            continue
        text = squeeze(re.sub(r"[`*]|\n[=~^\"'-]{3,}", "", paragraph))
        if len(text) > 40 and text.count(" ") > 6:
            if title:
                yield title, text[:400]
                title = ""
            else:
                yield from prose(text)


MACRO = re.compile(r"^[.'][A-Za-z]+ ?|\\f[A-Z]|\\f\([A-Z]{2}|\\&|\\s-?\d", re.M)


def manual(path: Path) -> Iterator[Record]:
    text = read(path)
    section = ""
    for part in re.split(r"^\.(?:SH|SS|Sh) ", text, flags=re.M)[1:]:
        section, _, body = part.partition("\n")
        body = squeeze(MACRO.sub("", re.sub(r'^[.\']\\".*$', "", body, flags=re.M)).replace("\\-", "-").replace('"', ""))
        if section.strip('" ') == "NAME" and " - " in body:
            name, _, what = body.partition(" - ")
            yield what[:200], f"{name[:80]} {path.name.split('.')[0]}"
        else:
            yield from prose(body)


def python(path: Path) -> Iterator[Record]:
    """Docstring's first line with the function's code without it; name with docstring; comment with next lines."""
    source = read(path)
    if len(source) > 300_000:
        return
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = source.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            continue
        doc = ast.get_docstring(node)
        if not doc or len(doc) < 15 or not doc.isascii():
            continue
        first = squeeze(doc.split("\n\n")[0])[:250]
        start = node.body[0].end_lineno or node.lineno
        head = " ".join(lines[node.lineno - 1 : node.body[0].lineno - 1])
        body = textwrap.dedent("\n".join(lines[start : node.end_lineno]))
        yield first, squeeze(f"{head} {body}")[:600]
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("test"):
            yield node.name.strip("_").replace("_", " "), squeeze(doc)[:300]


COMMENTED = re.compile(r"/\*\*(.*?)\*/\s*((?:[^\n]*\n){1,14})|((?:^//[^\n]*\n)+)((?:func|type) (?:[^\n]*\n){1,12})", re.S | re.M)


def commented(path: Path) -> Iterator[Record]:
    """Java, JavaScript, TypeScript, Go: a comment's first sentence with the code after it; the name with the comment."""
    source = read(path)[:300_000]
    for block, code, lines, after in COMMENTED.findall(source):
        text = re.sub(r"^\s*(?:\*|//) ?", "", block or lines, flags=re.M)
        text = squeeze(re.sub(r"\{@\w+ ([^}]*)\}|<[^>]+>", r"\1", re.split(r"\n\s*@|<p>|\n\s*\n", text)[0]))
        body = code or after
        name = re.search(r"(\w+)\s*[(=:]", body)
        if 15 < len(text) < 500 and text.isascii() and not text.startswith(("Copyright", "{@", "Licensed")) and name:
            first = text.split(". ")[0][:250]
            yield first, squeeze(body)[:600]
            if len(name[1]) > 5:
                yield re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name[1]).lower(), text[:300]


READERS = {
    "wordnet": (["**/wordnet/data.*"], wordnet),
    "dictionary": (["**/gcide.dict.dz", "**/foldoc.dict.dz", "**/jargon.dict.dz", "**/devil.dict.dz"], dictionary),
    "thesaurus": (["**/th_en_US*.dat"], thesaurus),
    "fortunes": (["**/games/fortunes/*"], fortunes),
    "manual": (["**/man[1-8]/*.gz"], manual),
    "html": (["**/*.html", "**/*.htm"], web),
    "text": (["**/*.rst", "**/*.rst.gz", "**/*.rst.txt", "**/*.md", "**/vim*/doc/*.txt", "**/METADATA"], plain),
    "python": (["**/*.py"], python),
    "code": (["**/*.java", "**/*.go", "**/*.js", "**/*.ts"], commented),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chat", type=Path, nargs="*", default=[], help="files of one utterance a line (.gz or plain)")
    parser.add_argument("--folder", type=Path, nargs="*", default=[], help="unpacked packages, documentation, sources")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--per-package", type=int, default=4000, help="pairs kept per package and kind")
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    seen: set[tuple[str, str]] = set()
    with gzip.open(options.out, "wt", compresslevel=3) as out:

        def write(source: str, records: list[Record]) -> None:
            for a, b in records:
                if (a, b) not in seen and len(a) > 2:
                    seen.add((a, b))
                    out.write(json.dumps({"s": source, "a": a, "b": b}) + "\n")

        for path in options.chat:
            write("chat", list(chat(path)))
        for package in (p for folder in options.folder for p in sorted(folder.iterdir()) if p.is_dir()):
            for source, (globs, reader) in READERS.items():
                paths = sorted({p for g in globs for p in package.glob(g) if p.is_file() and not p.is_symlink()})
                rng.shuffle(paths)
                records: list[Record] = []
                limit = options.per_package * (100 if source in {"wordnet", "dictionary", "thesaurus"} else 1)
                for path in paths:
                    if len(records) >= limit * 3:
                        break
                    try:
                        records += [(a[:400], b[:600]) for a, b in reader(path)][: max(limit // 8, 400) if len(paths) > 8 else None]
                    except (OSError, EOFError, ValueError, IndexError, MemoryError):
                        continue
                rng.shuffle(records)
                if records:
                    write(source, records[:limit])
                    print(f"{package.name} {source}: {len(records)} found, {min(limit, len(records))} kept", flush=True)


if __name__ == "__main__":
    main()

"""Reads the imports, definitions, summary and words of source files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from holdfast.core.shortening import shortened

SYMBOLS_MAX = 60
"""Most symbols of one file."""
IMPORTS_MAX = 400
"""Most imports of one file that are followed."""
WORDS_READ = 64 * 1024
"""Most characters of a file whose words are counted."""
_SENTENCE = 200


@dataclass(frozen=True, slots=True)
class Code:
    """The scanned properties of one file. `imports` are as written, in the forms of `resolving`; `lines` are
    those read."""

    imports: tuple[str, ...]
    symbols: tuple[str, ...]
    summary: str
    words: Counter[str]
    lines: int


_WORD = re.compile(r"[A-Z]?[a-z]{2,24}|[A-Z]{3,24}(?![a-z])")
_PY_IMPORT = re.compile(
    r"^[ \t]{0,40}(?:from[ \t]+([.\w]{1,200})[ \t]+import[ \t]+(\([^)]{0,4000}\)|[^\n(#]{1,500})"
    r"|import[ \t]+([\w., \t]{1,500}))",
    re.MULTILINE,
)
_PY_LONG = re.compile(r"(\"\"\"|''').*?\1", re.DOTALL)
_JS_IMPORT = re.compile(
    r"(?:\bfrom[ \t]{0,4}|\brequire\([ \t]{0,4}|\bimport[ \t]{0,4}\(?[ \t]{0,4})['\"]([^'\"\n]{1,300})['\"]"
)
_GO_BLOCK = re.compile(
    r"^import[ \t]*\(([^)]{0,20000})\)|^import[ \t]+(?:[\w.]+[ \t]+)?\"([^\"\n]{1,300})\"", re.MULTILINE
)
_GO_PATH = re.compile(r"\"([^\"\n]{1,300})\"")
_RUST_IMPORT = re.compile(
    r"^[ \t]{0,40}(?:pub(?:\([\w: ]{0,40}\))?[ \t]+)?(?:(use)|(mod)|extern[ \t]+crate)[ \t]+"
    r"((?:::)?[\w:]{1,200})(?:::\{([^}]{0,2000})\})?",
    re.MULTILINE,
)
_JAVA_IMPORT = re.compile(r"^[ \t]{0,8}import[ \t]+(?:static[ \t]+)?([\w.]{1,300})", re.MULTILINE)
_C_IMPORT = re.compile(r"^[ \t]{0,8}#[ \t]*include[ \t]+\"([^\"\n]{1,300})\"", re.MULTILINE)
_RUBY_IMPORT = re.compile(r"^[ \t]{0,20}require_relative[ \t(]+['\"]([^'\"\n]{1,300})['\"]", re.MULTILINE)

_DEFINED = {
    "python": r"^([ \t]{4}|\t)?(?:async[ \t]+)?(def|class)[ \t]+(\w{1,80})",
    "javascript": r"^(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?function\*?[ \t]+"
    r"([A-Za-z_$][\w$]{1,80})"
    r"|^[ \t]{0,4}(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?"
    r"(?:class|interface|type|enum)[ \t]+([A-Za-z_$][\w$]{1,80})"
    r"|^(?:export[ \t]+)?(?:const|let|var)[ \t]+([A-Za-z_$][\w$]{1,80})"
    r"(?![\w$]|[ \t]*=[ \t]*(?:await[ \t]+)?(?:require|import)\b)"
    r"|^(?:module\.)?exports\.(\w{1,80})[ \t]*="
    r"|^[A-Za-z_$][\w$]{0,60}\.(?:prototype\.)?(\w{1,80})[ \t]*=[ \t]*(?:async[ \t]+)?function",
    "go": r"^func[ \t]+(?:\([^)\n]{0,100}\)[ \t]*)?(\w{1,80})|^type[ \t]+(\w{1,80})",
    "rust": r"^[ \t]{0,8}(?:pub(?:\([\w: ]{0,40}\))?[ \t]+)?(?:async[ \t]+)?(?:unsafe[ \t]+)?(?:const[ \t]+)?"
    r"(?:fn|struct|enum|trait|type|macro_rules!)[ \t]+(\w{1,80})",
    "java": r"^[ \t]{0,8}(?:public|protected|private|static|final|abstract|open|data|sealed|[ \t]){0,8}"
    r"(?:class|interface|enum|record|object|fun)[ \t]+(\w{1,80})",
    "c": r"^(?:typedef[ \t]+)?(?:struct|union|enum(?:[ \t]+class)?|class|namespace)[ \t]+(\w{1,80})"
    r"(?:[^;\n({]{0,100}\{|[^;\n(]{0,200}$)"
    r"|^(?!return\b|else\b|typedef\b)[A-Za-z_][\w:<>,*& \t]{0,100}[ \t*&](\w{1,80})[ \t]?\([^;\n]{0,300}$"
    r"|^#[ \t]{0,8}define[ \t]+(\w{1,80})\(",
    "other": r"^[ \t]{0,8}(?:(?:public|private|protected|internal|static|export|local|abstract|final|readonly"
    r"|sealed|partial|override|async)[ \t]+){0,4}"
    r"(?:def|class|module|function|func|fn|sub|struct|interface|trait|enum|object|fun|protocol|extension|record)"
    r"[ \t]+(?:self\.)?(\w{1,80})",
}
_FAMILY = {
    "javascript": "javascript", "typescript": "javascript", "tsx": "javascript", "vue": "javascript",
    "svelte": "javascript", "astro": "javascript", "python": "python", "go": "go", "rust": "rust",
    "java": "java", "kotlin": "java", "scala": "java", "groovy": "java", "c": "c", "cpp": "c",
    "objective-c": "c", "ruby": "ruby",
}  # fmt: skip
_INDENTED = ("vue", "svelte", "astro")
_INDENT = re.compile(r"^(?:\t|  )", re.MULTILINE)
"""The indentation that all lines of a script inside markup share."""
_DEFINITIONS = {family: re.compile(pattern, re.MULTILINE) for family, pattern in _DEFINED.items()}
_PY_DOC = re.compile(r"\A(?:[ \t]*(?:#[^\n]*)?\n){0,60}[ \t]*[rRuU]{0,2}(\"\"\"|''')")
_LEGAL = re.compile(r"copyright|licen[sc]e|spdx|all rights", re.IGNORECASE)
"""A comment with one of these says who owns a file, and not what it does."""
_DIRECTIVE = re.compile(
    r"@flow|eslint|prettier|-\*-|coding[:=]|use strict|\bgenerated (?:by|from)\b|do not edit|@generated"
    r"|c8 ignore|^go:|^\+build|^\w+_literal:",
    re.IGNORECASE,
)
"""A line for a tool, or by one."""
_COMMENT = ("//", "/*", "*", "#", "--", "<!--")
_UNDERLINED = re.compile(r"^[ \t]*[=~^#*\"-]{3,}[ \t]*$", re.MULTILINE)
_ABBREVIATED = re.compile(r"(?:e\.g|i\.e|etc|vs|cf)\.$", re.IGNORECASE)


def family_of(language: str | None) -> str:
    """Returns the family of a language with similar imports and definitions; "other" for the rest."""
    return _FAMILY.get(language or "", "other")


def read_code(text: str, language: str | None) -> Code:
    """Scans the text of a file; every pattern is bounded, so that no text takes long."""
    family = family_of(language)
    head = text[:WORDS_READ]
    if language in _INDENTED:
        text = _INDENT.sub("", text)
    return Code(
        imports=tuple(dict.fromkeys(_imports(text, family)))[:IMPORTS_MAX],
        symbols=_symbols(text, family),
        summary=summary_of(text, family),
        words=_words(head),
        lines=text.count("\n") + 1 if text else 0,
    )


def _words(text: str) -> Counter[str]:
    words: Counter[str] = Counter()
    for word, count in Counter(_WORD.findall(text)).items():  # most come more than once
        words[word.lower()] += count
    return words


def _imports(text: str, family: str) -> list[str]:
    """Returns the names that a source file imports."""
    if family == "python":
        return _python_imports(text)
    if family == "javascript":
        return _JS_IMPORT.findall(text)
    if family == "go":
        return [
            path
            for block, single_path in _GO_BLOCK.findall(text)
            for path in ([single_path] if single_path else _GO_PATH.findall(block))
        ]
    if family == "rust":
        return _rust_imports(text)
    pattern = {"java": _JAVA_IMPORT, "c": _C_IMPORT, "ruby": _RUBY_IMPORT}.get(family)
    return [] if pattern is None else pattern.findall(text)


def _python_imports(text: str) -> list[str]:
    """Returns dotted names; `from a import b` gives `a.b`, which may be a module or a name in one."""
    names_found: list[str] = []
    bare = _PY_LONG.sub("", text)  # docstrings show imports of others
    for base, names, plain in _PY_IMPORT.findall(bare):
        if plain:
            names_found += [part.split()[0] for part in plain.split(",") if part.split()]
            continue
        listed = [part.split("#")[0].split() for part in names.strip("()").replace("\n", ",").split(",")]
        joint = "" if base.endswith(".") else "."
        names_found += [f"{base}{joint}{part[0]}" for part in listed if part and part[0].isidentifier()] or [
            base
        ]
    return names_found


def _rust_imports(text: str) -> list[str]:
    """Returns the paths that a Rust file uses."""
    paths: list[str] = []
    for _, mod, path, several in _RUST_IMPORT.findall(text):
        if mod:
            paths.append(f"self::{path}")
        elif several:
            paths += [
                f"{path}::{part.split('::{')[0].split()[0]}" for part in several.split(",") if part.split()
            ]
        else:
            paths.append(path)
    return paths


def _symbols(text: str, family: str) -> tuple[str, ...]:
    """Returns the names that a file defines, each once, public ones first, at most `SYMBOLS_MAX`; names of
    one or two characters and those with two leading underscores are left out."""
    matches = _DEFINITIONS.get(family, _DEFINITIONS["other"]).finditer(text)
    defined = _outer(matches) if family == "python" else (match[match.lastindex or 0] for match in matches)
    names = dict.fromkeys(name for name in defined if len(name) > 2 and not name.startswith("__"))
    public = [name for name in names if not name.startswith("_")]
    return tuple([*public, *(name for name in names if name.startswith("_"))][:SYMBOLS_MAX])


def _outer(matches: Iterable[re.Match[str]]) -> Iterator[str]:
    """Yields functions and classes of Python, and what classes define; not what is inside of functions."""
    is_in_class = False
    for match in matches:
        indent, kind, name = match.groups()
        if not indent:
            is_in_class = kind == "class"
            yield name
        elif is_in_class:
            yield name


def summary_of(text: str, family: str) -> str:
    """Returns the first sentence of a file's docstring or leading comment."""
    if family == "python":
        match = _PY_DOC.match(text[:20_000])
        if match is None:
            return ""
        end = text.find(match[1], match.end())
        return sentence(text[match.end() : end if end >= 0 else match.end() + 1_000])
    for block in _comments(text):
        if not any(map(_LEGAL.search, block)):
            summary = sentence("\n".join(line for line in block if not _DIRECTIVE.search(line)))
            if summary:
                return summary
    return ""


def _comments(text: str) -> Iterator[list[str]]:
    """Yields the lines of the comments before the code, those between blank lines together."""
    if text.startswith("#!"):
        text = text.partition("\n")[2]
    block: list[str] = []
    is_inside = False
    for line in text[:4_000].split("\n")[:60]:
        bare = line.strip()
        if bare and not (is_inside or bare.startswith(_COMMENT)):
            break
        content = bare.lstrip("/*#!-<").rstrip("*/->").strip()
        if not bare and not is_inside:
            yield block
            block = []
        elif not content.startswith(("@", "include", "define", "if", "pragma")):
            block.append(content)
        if "*/" in bare or "-->" in bare:
            yield block
            block = []
        is_inside = (is_inside or bare.startswith(("/*", "<!--"))) and "*/" not in bare and "-->" not in bare
    yield block


def sentence(text: str) -> str:
    """Returns the first sentence of a paragraph, in one line, cut to a length."""
    paragraphs = [part for part in text.strip()[:2_000].split("\n\n") if part.strip()]
    if len(paragraphs) > 1 and _UNDERLINED.search(paragraphs[0]):
        paragraphs = paragraphs[1:]  # the text after a heading is more informative
    paragraph = " ".join(_UNDERLINED.sub(" ", paragraphs[0]).split()) if paragraphs else ""
    end = 0
    while (end := paragraph.find(". ", end + 1)) >= 0:
        if not _ABBREVIATED.search(paragraph[: end + 1]):
            paragraph = paragraph[: end + 1]
            break
    if (
        not any(char.isalpha() for char in paragraph)
        or _LEGAL.search(paragraph)
        or _DIRECTIVE.search(paragraph)
    ):
        return ""
    return shortened(paragraph, _SENTENCE)

"""Reads translations that packages carry into one file of English texts with their German, Spanish, French and
Chinese, and texts of these languages alone.

Each output line is ``{"s": source, "l": language, "a": text, "b": text}``: ``a`` is English and ``b`` in the language,
or, of a thesaurus or of text without a translation, both are in the language and ``b`` may be empty.
"""

from __future__ import annotations

import argparse
import gettext
import gzip
import html
import json
import random
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from corpus import MACRO, fortunes, read, squeeze

LANGUAGES = {"de": "de", "es": "es", "fr": "fr", "zh_CN": "zh", "zh_Hans": "zh", "zh-cn": "zh", "zh": "zh", "zh-CN": "zh", "es-ES": "es"}
Pair = tuple[str, str, str]
"""Language, English, translation."""
MARKUP = re.compile(r"<[^<>]{1,200}>|&[a-z]{2,8};|%[-\d.]*l?[a-zA-Z](?![a-z])|%\d|\{[^{}]{0,40}\}|[_&~](?=\w)|\\[nt]|\$\w+")


def plain(text: str) -> str:
    return squeeze(MARKUP.sub(" ", text).replace("_", " "))


def worth(text: str) -> bool:
    return len(text) > 2 and sum(c.isalpha() for c in text) > 0.6 * len(text.replace(" ", ""))


def catalogues(folder: Path) -> Iterator[Pair]:
    for path in folder.rglob("*.mo"):
        language = next((LANGUAGES[p] for p in reversed(path.parts[:-1]) if p in LANGUAGES), None)
        if language is None or not path.is_file():
            continue
        try:
            with path.open("rb") as file:
                messages = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        except (OSError, ValueError, UnicodeError, IndexError, KeyError):
            continue
        for key, text in messages.items():
            key = key[0] if isinstance(key, tuple) else key
            key = key.rpartition("\x04")[2]
            if key and text:
                yield language, plain(key), plain(text)


PARAGRAPH = re.compile(r'<(p|h\d)\b[^>]*\bid="([\w-]+)"[^>]*>(.*?)</\1>', re.S)
BLOCK = re.compile(r"<(p|h[1-6]|li|dt|td|dd|title|pre)\b[^>]*>(.*?)(?=</?(?:p|h[1-6]|li|dt|td|dd|div|pre|title|table|ul)\b)", re.S | re.I)


def blocks(path: Path) -> dict[str, str]:
    """The paragraphs of a page by their id, or all its blocks by place if it has no ids."""
    page = read(path)[:800_000]
    found = {f"{name}": plain(html.unescape(re.sub(r"<[^>]+>", "", text))) for _, name, text in PARAGRAPH.findall(page)}
    if len(found) > 2 and any(name.startswith(("par_id", "hd_id")) for name in found):
        return found
    texts = [(tag.lower(), plain(html.unescape(re.sub(r"<[^>]+>", "", text)))) for tag, text in BLOCK.findall(page)]
    return {f"{i}{tag}/{len(texts)}": text for i, (tag, text) in enumerate(texts)}


def pages(folder: Path) -> Iterator[Pair]:
    """Pages with the same name in different languages, paragraph by paragraph."""
    groups: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in folder.rglob("*.html"):
        parts = list(path.parts)
        language = next((p for p in reversed(parts[:-1]) if p in LANGUAGES or p in {"en-US", "en", "en-us"}), None)
        dotted = re.fullmatch(r"(.+)\.(de|es|fr|en|zh-cn)(?:-[a-zA-Z]+)?\.html", path.name)
        if dotted:
            language, parts[-1] = dotted[2], dotted[1] + ".html"
        if language is not None:
            anchor = [p for p in parts if p != language and not re.search(r"-(de|es|fr|en|en-us|zh-cn)$", p)]
            groups["/".join(anchor[-3:])].setdefault("en" if language.startswith("en") else LANGUAGES[language], path)
    for of_language in groups.values():
        if "en" in of_language and len(of_language) > 1:
            english = blocks(of_language["en"])
            for language, path in of_language.items():
                if language != "en":
                    other = blocks(path)
                    yield from ((language, english[k], other[k]) for k in english.keys() & other.keys())


def paragraphs(path: Path) -> list[str]:
    text = re.sub(r'^[.\']\\".*$', "", read(path), flags=re.M)
    parts = re.split(r"^\.(?:PP|P|TP|IP|LP|SH|SS|HP|Pp|Sh|Ss|It|RS|RE|EE|EX|nf|fi)\b[^\n]*\n", text, flags=re.M)
    return [squeeze(MACRO.sub("", p).replace("\\-", "-").replace('"', "").replace("\\(aq", "'")) for p in parts]


def manuals(folder: Path) -> Iterator[Pair]:
    groups: dict[str, dict[str, Path]] = defaultdict(dict)
    for path in folder.rglob("man[1-8]/*.gz"):
        before = path.parts[-3]
        language = "en" if before == "man" else LANGUAGES.get(before)
        if language:
            groups[path.name][language] = path
    for of_language in groups.values():
        if "en" in of_language and len(of_language) > 1:
            english = paragraphs(of_language["en"])
            for language, path in of_language.items():
                if language != "en":
                    other = paragraphs(path)
                    if len(other) == len(english):
                        yield from ((language, a, b) for a, b in zip(english, other, strict=True))
                    else:
                        yield from ((f"{language}!", "", b) for b in other)


ASIDE = re.compile(r"^\s*\d+\.\s*|/[^/]*/|<[^>]*>|\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|^\s*(?:Synonym|see|Note|Example).*")


def entries(path: Path, language: str, english_first: bool) -> Iterator[Pair]:
    """dictd dictionaries: a headword with its sound or at the margin, then translations, indented or not."""
    lines = read(path).split("\n")
    spoken = sum(bool(re.search(r" /[^/]+/", line)) for line in lines) > len(lines) / 4
    head = ""
    for line in lines:
        if re.search(r" /[^/]+/", line) if spoken else line and not line[0].isspace():
            head = ASIDE.sub("", re.sub(r"(?<=\S) [/<\[{(].*$", "", line)).strip()
            continue
        text = ASIDE.sub("", line).strip(" ;,")
        if head and text and len(text) < 80 and len(head) < 60 and not head.startswith("00"):
            for one in re.split(r"\s*[;,]\s*", text)[:3]:
                if one and '"' not in one and " - " not in one:
                    yield (language, head, one) if english_first else (language, one, head)


def chinese(path: Path) -> Iterator[Pair]:
    """CC-CEDICT: traditional, simplified, sounds, meanings."""
    for line in read(path).split("\n"):
        found = re.match(r"(\S+) (\S+) \[[^\]]*\] /(.*)/", line)
        if found and not re.match(r"(old )?variant of|see |surname ", found[3]):
            meanings = [re.sub(r"\([^)]*\)|\[[^\]]*\]|CL:.*", "", m).strip() for m in found[3].split("/")]
            meanings = [m for m in meanings if m and "|" not in m]
            if meanings:
                yield "zh", "; ".join(meanings[:4])[:160], found[2]
                yield "zh", meanings[0][:160], found[2]


def thesaurus(path: Path, language: str) -> Iterator[Pair]:
    term = ""
    data = path.read_bytes()
    for line in data.decode("utf-8" if data[:6].upper().startswith(b"UTF-8") else "latin-1").split("\n"):
        fields = [f for f in line.split("|") if f]
        if len(fields) == 2 and fields[1].isdecimal():
            term = fields[0]
        elif len(fields) > 1 and term:
            yield f"{language}!", term, ", ".join(re.sub(r" ?\([^)]*\)", "", f) for f in fields[1:6])


def verses(folder: Path) -> Iterator[Pair]:
    english = json.loads((folder / "quran_en.json").read_text())
    for language in ("es", "fr", "zh"):
        path = folder / f"quran_{language}.json"
        if path.exists():
            for one, other in zip(english, json.loads(path.read_text()), strict=True):
                for a, b in zip(one["verses"], other["verses"], strict=True):
                    yield language, a["translation"], b["translation"]


def mozilla(folder: Path) -> Iterator[Pair]:
    """Language packs of Firefox and Thunderbird: messages by file and key, English from the default pack."""
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for path in folder.rglob("*.xpi"):
        language = next((LANGUAGES[k] for k in ("de", "fr", "es-ES", "zh-CN") if f"langpack-{k}@" in path.name), None)
        if language:
            with zipfile.ZipFile(path) as pack:
                for name in pack.namelist():
                    if name.endswith((".ftl", ".properties")):
                        file = name.rpartition("/")[2]
                        for key, text in re.findall(r"^\s*([\w.-]+)\s*=\s*(.{3,300})$", pack.read(name).decode("utf-8", "replace"), re.M):
                            texts[f"{file}:{key}"][language] = plain(text)
    for of_language in texts.values():
        yield from ((f"{language}!", "", text) for language, text in of_language.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="unpacked packages, one a subfolder")
    parser.add_argument("--cedict", type=Path)
    parser.add_argument("--quran", type=Path, help="folder of quran-json's files by language")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=150_000, help="pairs kept per source and language")
    options = parser.parse_args()
    rng = random.Random(20261123)
    found: dict[tuple[str, str], dict[tuple[str, str], None]] = defaultdict(dict)

    def add(source: str, pairs: Iterator[Pair]) -> None:
        before = sum(map(len, found.values()))
        for language, a, b in pairs:
            a, b = a[:500], b[:500]
            if worth(b) and (worth(a) or language.endswith("!")) and a.lower() != b.lower():
                found[source, language][a, b] = None
        print(source, sum(map(len, found.values())) - before, flush=True)

    add("mo", catalogues(options.folder))
    add("page", pages(options.folder))
    add("man", manuals(options.folder))
    for name, (language, english_first) in {
        "freedict-deu-eng": ("de", False), "freedict-eng-deu": ("de", True), "freedict-fra-eng": ("fr", False),
        "freedict-eng-fra": ("fr", True), "freedict-spa-eng": ("es", False), "freedict-eng-spa": ("es", True),
        "english-german": ("de", True), "german-english": ("de", False),
    }.items():  # fmt: skip
        for path in options.folder.rglob(f"dictd/{name}.dict.dz"):
            add("dict", entries(path, language, english_first))
    if options.cedict:
        add("dict", chinese(options.cedict))
    if options.quran:
        add("verse", verses(options.quran))
    for language in ("de", "es", "fr"):
        for path in options.folder.rglob(f"th_{language}_*.dat"):
            add("thesaurus", thesaurus(path, language))
        for folder in options.folder.glob(f"fortunes-{language}"):
            for path in folder.rglob("games/fortunes/**/*"):
                if path.is_file() and path.suffix != ".dat" and not path.is_symlink():
                    add("fortunes", ((f"{language}!", a, b or "") for a, b in fortunes(path)))
    add("mozilla", mozilla(options.folder))
    with gzip.open(options.out, "wt", compresslevel=3) as out:
        for (source, language), pairs in sorted(found.items()):
            kept = list(pairs)
            rng.shuffle(kept)
            print(source, language, len(kept))
            for a, b in kept[: options.each]:
                if not a:
                    a, b = b, ""
                out.write(json.dumps({"s": source, "l": language, "a": a, "b": b}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

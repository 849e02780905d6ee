"""The labelled texts that the tagger learns from, and how their tokens are labelled."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdfast.language.secrets.handover.frames import GROUPS
from holdfast.language.secrets.tagger.decide import may_read
from holdfast.language.secrets.tagger.tokens import HIDDEN, Token
from holdfast.language.secrets.values import is_distinctive
from tools.evaluation import labelled_chats
from tools.evaluation.corpora.handovers import handed_over, only_spoken_of
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.evaluation.corpora.passwords import ALPHABETS, cells, harmless, value

FOLDER = Path(__file__).parent / "texts"
AUTHORS = tuple(sorted(path.stem for path in FOLDER.glob("*.jsonl")))
"""The files of texts, each by an author of its own."""


FORM_AUTHORS = tuple(sorted(path.stem for path in (Path(__file__).parent / "forms").glob("*.jsonl")))
"""The files of forms, texts with a place for a secret, each by an author of its own."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text and the secrets in it."""

    text: str
    secrets: tuple[str, ...] = ()


def texts_of(author: str) -> list[Labelled]:
    """Return the texts of one author."""
    with (FOLDER / f"{author}.jsonl").open(encoding="utf-8") as file:
        return [Labelled(line["text"], tuple(line["secrets"])) for line in map(json.loads, file)]


def filled(author: str, copies: int, seed: int) -> Iterator[Labelled]:
    """Yield the forms of one author with so many secrets each, random ones and such as people choose, and the
    author's texts without a secret."""
    rng = random.Random(seed)
    chosen = [
        secret for name in AUTHORS for text in texts_of(name) for secret in text.secrets if len(secret) < 30
    ]
    with (Path(__file__).parent / "forms" / f"{author}.jsonl").open(encoding="utf-8") as file:
        for line in map(json.loads, file):
            if "text" in line:
                yield Labelled(line["text"])
                yield from exchanged(line["text"], rng)
                continue
            for _ in range(copies):
                secret = rng.choice(chosen) if rng.random() < 0.5 else _random(rng)
                yield Labelled(line["form"].replace("{s}", secret), (secret,))


def _random(rng: random.Random) -> str:
    length = rng.choice((4, 6, 8, 10, 12, 16, 24))
    return value(rng, rng.choice(ALPHABETS), length)


def exchanged(text: str, rng: random.Random) -> Iterator[Labelled]:
    """Yield a text that holds no secret and no word for one, with random values for its references: what
    stands around them says that they are harmless."""
    cores = {word.strip(_AROUND) for word in text.split() if is_distinctive(word)}
    changed = text
    for core in sorted(cores, key=len, reverse=True):
        if any(map(str.isalpha, core)) and any(map(str.isdigit, core)):
            changed = changed.replace(core, _random(rng))
    if changed != text and not may_read(text.encode()):
        yield Labelled(changed)


_AROUND = ".,:;!?()[]{}\"'`\u2019"  # signs around a word


def of_rules() -> list[Labelled]:
    """Return the corpus of handovers and the examples of the frames, with what looks like them."""
    return [
        *(Labelled(text, secrets) for text, secrets in handed_over()),
        *(Labelled(text) for text in only_spoken_of()),
        *(Labelled(frame.unlike) for group in GROUPS for frame in group),
    ]


def generated(seed: int = 1) -> list[Labelled]:
    """Return ordinary memories, harmless values and names, and cells of the grid of passwords."""
    return [
        *(Labelled(text) for text in ordinary_memories(seed, 800)),
        *(Labelled(text) for text in harmless(seed, 600)),
        *(Labelled(cell.text, (cell.secret,)) for cell in list(cells(seed))[::7]),
        *renamed(seed, 900),
    ]


_THINGS = {
    "the": "note|title|file|folder|branch|report|ticket|label|colour|chapter|version|template|draft|heading"
    "|meeting|hall|platform|bus|train|tag|release|commit|model|part|batch|sample|order|booking|parcel|seat|table"
    "|article|product|paper|image|photo|song|playlist|recipe|plant|cable|fuse|printer|host|container|cluster"
    "|build|column|sheet|row|variable|function|class|test|theme|font|address|street|bird|ring|animal|shelf",
    "die": "Notiz|Datei|Version|Vorlage|Überschrift|Farbe|Bestellung|Buchung|Rechnung|Sendung|Probe|Charge"
    "|Tabelle|Spalte|Klasse|Variable|Linie|Straße|Pflanze|Sicherung|Tinte|Lampe",
    "la": "note|version|commande|facture|couleur|table|photo|référence|cuve|salle",
    "el": "documento|archivo|pedido|modelo|asiento|autobús|artículo|color",
}
_CHANGES = {
    "the": "The {thing} was changed to {value}|The {thing} is now {value}|the {thing} is {value}"
    "|We renamed the {thing} to {value}|I changed the {thing} from {other} to {value}|New {thing}: {value}"
    "|My {thing} has been {value} since Monday|Set the {thing} to {value} this morning"
    "|{thing} {value} arrived|Somebody updated the {thing} to {value}, and it stays"
    "|{value} is the {thing} that we keep"
    "|The {thing} was {other}, now it is {value}|Please use {value} as the {thing}",
    "die": "Die {thing} wurde auf {value} geändert|Die {thing} heißt jetzt {value}|Neue {thing}: {value}"
    "|die {thing} ist {value}|Ich habe die {thing} in {value} umbenannt",
    "la": "La {thing} est maintenant {value}|Nouvelle {thing} : {value}|J'ai renommé la {thing} en {value}",
    "el": "El {thing} ahora es {value}|Cambiamos el {thing} a {value}|Nuevo {thing}: {value}",
}


def renamed(seed: int, count: int) -> Iterator[Labelled]:
    """Yield texts that give a random name to something that opens nothing."""
    rng = random.Random(seed)
    for _ in range(count):
        article = rng.choice(("the", "the", "the", "die", "la", "el"))
        thing, form = (rng.choice(every[article].split("|")) for every in (_THINGS, _CHANGES))
        text = form.format(thing=thing, value=_name(rng), other=_name(rng))
        yield Labelled(text + rng.choice(("", ".", "\n", " :)")))


def _name(rng: random.Random) -> str:
    """Returns a random name such as references and parts have, or any random value."""
    if rng.random() < 0.3:
        return _random(rng)
    letters = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(1, 4)))
    digits = "".join(rng.choices("0123456789", k=rng.randint(2, 5)))
    name = rng.choice(("{0}{1}", "{0}-{1}", "{1}{0}", "{0}{1}x", "{0}_{1}b")).format(letters, digits)
    return rng.choice((name, name, name.upper()))


def places(text: str, secret: str) -> Iterator[tuple[int, int]]:
    """Yield where a secret stands in a text as words of their own."""
    at = text.find(secret)
    while at >= 0:
        end = at + len(secret)
        joins_before = at and text[at - 1].isalnum() and secret[0].isalnum()
        joins_behind = end < len(text) and text[end].isalnum() and secret[-1].isalnum()
        if not joins_before and not joins_behind:
            yield at, end
        at = text.find(secret, end)


def hidden(texts: Iterable[Labelled]) -> Iterable[Labelled]:
    """Yield texts of which every secret has been found: there is no more to find."""
    for labelled in texts:
        text = labelled.text
        for secret in sorted(labelled.secrets, key=len, reverse=True):
            for start, end in list(places(text, secret)):
                text = text[:start] + "\0" * (end - start) + text[end:]
        if text != labelled.text:
            yield Labelled(text)


_LEADS = ("GitHub token ", "AWS key ", "the API key is ", "API_KEY=", "token: ", "Schlüssel: ", "key ")
_JOINTS = (", ", " and ", ". ", "\n", "\n\n")


def beside(texts: Iterable[Labelled], seed: int) -> Iterator[Labelled]:
    """Yield texts with a secret beside another one that has been found: there is more to find."""
    rng = random.Random(seed)
    for labelled in texts:
        if not labelled.secrets:
            continue
        found = rng.choice(_LEADS) + "\0" * rng.randint(8, 40)
        parts = [labelled.text, found] if rng.random() < 0.6 else [found, labelled.text]
        yield Labelled(rng.choice(_JOINTS).join(parts), labelled.secrets)


def conversations(path: str, count: int, seed: int = 5) -> list[Labelled]:
    """Return lines of a file of utterances that hold no secret, alone and as short conversations."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    rng = random.Random(seed)
    texts = []
    for _ in range(count):
        at, turns = rng.randrange(len(lines) - 6), rng.choice((1, 1, 2, 3, 4))
        names = rng.sample(("A", "B", "Tom", "Ana", "me", "Mum", "user", "agent", "IT"), 2)
        mark = rng.choice(("{}: ", "{}: ", "{}> ", "", "- "))
        said = (
            (mark.format(names[number % 2]) if turns > 1 else "") + lines[at + number]
            for number in range(turns)
        )
        texts.append(Labelled("\n".join(said)))
    return texts


def requests() -> list[Labelled]:
    """Return what people wrote to an assistant, without secrets: what the tagger reads, and what has a word
    that is hardly one."""
    texts = (
        message["content"]
        for folder in ("claim_tagger", "evaluation")
        for path in sorted((Path(__file__).parents[1] / folder / "chats").glob("*.txt"))
        if path.stem != "held_out"
        for chat in labelled_chats.conversations(path.read_text(encoding="utf-8"))
        for message in chat["messages"]
        if message["role"] == "user"
    )
    rng = random.Random(7)
    chosen = []
    for text in texts:
        if may_read(text.encode()):
            chosen.append(Labelled(text))
        elif any(is_distinctive(word) for word in text.split()):
            chosen += [Labelled(text), *exchanged(text, rng)]
    return chosen


def labels(text: str, tokens: Sequence[Token], secrets: Sequence[str]) -> list[bool]:
    """Return for each token whether most of it belongs to a secret."""
    spans = [span for secret in secrets for span in places(text, secret)]
    return [
        token.text[0] not in ("\n", HIDDEN)
        and any(
            2 * (min(token.end, end) - max(token.start, start)) >= token.end - token.start
            for start, end in spans
        )
        for token in tokens
    ]

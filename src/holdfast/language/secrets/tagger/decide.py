"""Decides by the network what is handed over in a text, and which proposals of the rules for prose stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from holdfast.language.secrets import harmless as rules
from holdfast.language.secrets.forms import names_program
from holdfast.language.secrets.handover.find import is_public, names_secrets, speaks_of_secrets
from holdfast.language.secrets.handover.lexicon import class_pattern
from holdfast.language.secrets.nearby import is_technical
from holdfast.language.secrets.part import PROSE
from holdfast.language.secrets.surroundings import is_something_else
from holdfast.language.secrets.tagger.batching import Scan
from holdfast.language.secrets.tagger.cues import NAMING, cues_of
from holdfast.language.secrets.tagger.network import Floats, Piece
from holdfast.language.secrets.tagger.tokens import HIDDEN, Token, tokens_of
from holdfast.language.secrets.values import has_number, is_distinctive, is_placeholder
from holdfast.language.secrets.words import FUNCTION_WORDS

SURE, SURE_OF_NUMBERS = 0.93, 0.99
"""Probability of the surest token of a secret; of a number, since many are beside "lock" and "session"."""
SURE_BESIDE, SURE_OF_CODES = 0.6, 0.83
"""Probability of a code in a line that names that of a door or a device, or only some code or lock."""
BESIDE = 0.3
"""Probability of the tokens beside it that belong to it."""
CONFIRMED, UNLIKE_WORDS = 0.3, 0.01
"""Probability with which words that a rule found in prose stay, and with which what is unlike words does."""
_AROUND = ".,:;!?()[]{}\"'`\u2019"  # signs around a word that do not make it unlike words
_LEAST = 3  # characters of a secret, words of a passphrase
_LISTED = 10  # words of a line that lists them
_WORDS = 200  # of a piece at least, unless the text ends
_MOST, _MOST_TOKENS = 8_192, 1_000  # bytes and tokens of a piece: more are data, not talk
_SIGNS, _SIGNS_MAX, _SIGNS_FEW = b"`{}[]()<>=_/\\|*#", 0.02, 6
"""Signs of code and markup, their largest share in talk, and as many as a short text may have."""
_WORD = re.compile(rb"\S+")
_BEFORE_A_VALUE = (b" ", b"\t", b"\n", b'"', b"'", b"=")
_GREETING = re.compile(
    rb"(?mi)^[ \t>]*(?:hi|hey|hello|dear|hallo|liebe[rs]?|bonjour|ch\xc3\xa8re?|hola|ciao|car[oa]|salut)\b"
    rb"([^\n.:]*)"
)
_LOGIN = re.compile(
    rb"(?i)\b(?:log-?in|user ?name|nickname|benutzername|nutzername)(?: (?:is|ist|lautet)|[:=])[ \"']*$"
)
_PASSWORD = re.compile(rb"(?i)passw|kennwort|passphrase")
_IS_PASSWORD = re.compile(
    rb"(?i)\b(?:it|that|this|das|es)(?:'s| is| ist)(?: \w+)? (?:passw|kennwort|passphrase)"
)
_SUM = re.compile(rb"(?i)\b(?:checksum|digest|hash|fingerprint|etag|sha-?\d{1,3}|md5)\b")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{16,}")
_NEAR, _CLOSE = 32, 120  # bytes
_FAR = 30  # tokens
_REST = re.compile(rb"[^\s\"',;]*")
_PASSPHRASES = frozenset({"pass", "pin", "secret", "crypt", "login"})  # classes of words beside a passphrase
_KEPT = "*#$@+"  # signs with which a secret may begin
_EMPHASIS = "*_"  # signs around a word that is stressed

Spans = Sequence[tuple[int, int, str]]
"""Start, end and kind of what rules found, in bytes."""


def decided(data: bytes, spans: Spans, *, is_page: bool = False) -> Scan[list[tuple[int, int]]]:
    """Returns the start and end of each secret in prose: the proposals of rules (kind `PROSE`) that stand,
    and what only the network finds in pieces that speak of secrets. On a page, the network
    reads only pieces in which rules propose something."""
    secrets: list[tuple[int, int]] = []
    candidates: list[_Candidate] = []
    for begin, end in _pieces(data):
        overlapping = [span for span in spans if span[0] < end and begin < span[1]]
        piece = _candidate(data[begin:end], begin, overlapping, is_page=is_page)
        if piece is None:
            secrets += ((start, stop) for start, stop, kind in overlapping if kind == PROSE)
        else:
            candidates.append(piece)
    if candidates:
        answers = yield [piece.piece for piece in candidates]
        for piece, chances in zip(candidates, answers, strict=True):
            secrets += _proposed(data, piece, chances)
            secrets += _network_findings(data, piece, chances)
    return secrets


class _Candidate(NamedTuple):
    """A piece of a text that the network reads, and what rules found in it, in bytes of the text."""

    begin: int
    piece: Piece
    spans: Spans


def _candidate(piece: bytes, begin: int, spans: Spans, *, is_page: bool) -> _Candidate | None:
    """Returns a piece with its tokens, or None if the network need not read it."""
    if len(piece) > _MOST:
        return None
    is_proposed = any(kind == PROSE for _, _, kind in spans)
    if not (is_proposed or (not is_page and may_read(piece))):
        return None
    text = piece.decode("utf-8", "surrogatepass")
    tokens = tokens_of(text)
    if not 0 < len(tokens) <= _MOST_TOKENS:
        return None
    is_named = any(map(_names_secret, [word for word, _, _ in tokens]))
    if not (is_proposed or is_named or _has_unlike_words(text)):
        return None
    local = [
        (character_at(piece, start - begin), character_at(piece, stop - begin), kind)
        for start, stop, kind in spans
    ]
    return _Candidate(begin, Piece(text, tokens, local), spans)


def may_read(piece: bytes) -> bool:
    """Returns whether a text is talk that may name a secret: the network reads it even if rules find nothing
    in it."""
    return len(piece) <= _MOST and _is_plain(piece) and names_secrets(piece)


def _proposed(data: bytes, piece: _Candidate, chances: Floats) -> Iterator[tuple[int, int]]:
    """Yields the proposals of rules that stand."""
    text, tokens, local = piece.piece
    for (start, stop, kind), (first, last, _) in zip(piece.spans, local, strict=True):
        if kind != PROSE or _is_called(data, data[start:stop]):
            continue
        if _stands(text[first:last].strip(_EMPHASIS), _of_value(tokens, chances, first, last)):
            yield start, stop


def _network_findings(data: bytes, piece: _Candidate, chances: Floats) -> Iterator[tuple[int, int]]:
    """Yields what only the network finds. It needs a word for a secret, or to be unlike words; in a text that
    does not speak of secrets it has to be unlike words and more than a number."""
    if chances.max() < SURE_BESIDE:
        return
    text, tokens, _ = piece.piece
    # whether a word says that secrets are handed over, rather than one that is said of much else
    speaks = speaks_of_secrets(text.encode("utf-8", "surrogatepass"))
    for first, last, chance in _sure(text, tokens, chances):
        value = text[first:last]
        start = piece.begin + len(text[:first].encode("utf-8", "surrogatepass"))
        if chance < (SURE_OF_NUMBERS if value.isdigit() else SURE) and not (
            _is_code(value) and chance >= _least_beside(data, start)
        ):
            continue
        is_unlike = _is_unlike_words(value)
        if not (is_unlike or ((speaks or chance >= SURE_OF_NUMBERS) and _is_named_near(tokens, first, last))):
            continue
        if not speaks and value.isdigit() and not _is_beside_pin(data, start):
            continue
        stop = start + len(text[first:last].encode("utf-8", "surrogatepass"))
        if not _is_harmless(data, start, stop):
            yield start, stop


_CODE = re.compile(r"[*#]?(?:\d{4,8}|\d{3,6}[A-Z]|[A-Z]\d{3,6}|\d{1,2}(?:[- ]\d{1,2}){2,3})[*#]?")
_PIN = re.compile(rb"(?i)\bpins?\b")


def _is_code(value: str) -> bool:
    return _CODE.fullmatch(value) is not None


def _least_beside(data: bytes, start: int) -> float:
    """Returns the probability with which a code stands, by what its line names before it: the code of a door
    or a device, or only a code or something that is locked."""
    line = data[max(0, start - _CLOSE) : start].rpartition(b"\n")[2]
    is_code, is_lock = (any(class_pattern(name).search(line) for name in names) for names in _OF_CODES)
    if is_code and is_lock:
        return SURE_BESIDE
    return SURE_OF_CODES if is_code or (is_lock and not _TIME.match(data, start)) else 1.0


_OF_CODES = (("code", "lock_code", "wheels"), ("sure", "vault", "wheels", "lock"))
"""Classes of words for a code, and for what one opens."""
_TIME = re.compile(rb"(?:[01]\d|2[0-3])[0-5]\d(?!\d)")
"""What may be a time of the day, or a year: "the alarm is set to 0645"."""


def _is_beside_pin(data: bytes, start: int) -> bool:
    return _PIN.search(data, max(0, start - _CLOSE), start) is not None


def _is_named_near(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Returns whether a word for a secret, or for what it opens, is near a word of the language."""
    first = next(at for at, token in enumerate(tokens) if token.end > start)
    last = next((at for at, token in enumerate(tokens) if token.start >= end), len(tokens))
    return any(_names_secret(token.text) for token in tokens[max(0, first - _FAR) : last + _FAR])


def _is_plain(piece: bytes) -> bool:
    """Returns whether a text is talk: documents and code about secrets are full of signs, and only rules read
    them."""
    return len(piece) - len(piece.translate(None, _SIGNS)) <= max(_SIGNS_FEW, _SIGNS_MAX * len(piece))


@lru_cache(8_192)
def _names_secret(word: str) -> bool:
    """Returns whether a text has a word for a secret or for what it opens; without it, words are no
    secret."""
    return word.lower() == "phrase" or not NAMING.isdisjoint(cues_of(word.lower()))


def _has_unlike_words(text: str) -> bool:
    """Returns whether a part of a text may be unlike words; only of words between signs is it known."""
    return any(
        not core.isalpha() or _is_distinctive(core)
        for core in (chunk.strip(_AROUND) for chunk in text.split())
        if core
    )


_is_distinctive = lru_cache(8_192)(is_distinctive)


def _is_harmless(data: bytes, start: int, end: int) -> bool:
    """Returns whether a finding of the network alone is a part of a reference or placeholder, a technical
    name, a password manager or a code that opens nothing."""
    begin = max(data.rfind(sign, 0, start) for sign in _BEFORE_A_VALUE) + 1
    whole = data[begin : end + len(_REST.match(data, end)[0])].decode("utf-8", "replace")  # type: ignore[index]
    if begin < start and rules.is_harmless(whole, rules.Form.LITERAL, is_password=True):
        return True
    if is_something_else(data, start, end) or _is_of_word_list(data, start, end):
        return True
    value = data[start:end].decode("utf-8", "replace")
    is_list = any(map(str.isalpha, value)) and max(map(len, value.split()), default=0) < _LEAST
    if is_list or _is_common(data, value):
        return True
    if (
        is_placeholder(value, password=True)
        or _is_called(data, data[start:end])
        or _is_sum(data, start, value)
    ):
        return True
    if any(map(str.isalpha, value)):
        return (
            is_technical(value)
            or rules.is_of_code(value)
            or rules.is_shortcut(value)
            or names_program(data, start, end)
            or _is_login(data, start, end)
        )
    return is_public(data, start)


def _is_of_word_list(data: bytes, start: int, end: int) -> bool:
    """Returns whether several words stand in a line of words that make no sentence, none of them a word for a
    passphrase: a list of words."""
    if len(data[start:end].split()) < _LEAST:
        return False
    begin, stop = data.rfind(b"\n", 0, start) + 1, data.find(b"\n", end)
    line = data[begin : stop if stop >= 0 else len(data)].decode("utf-8", "replace").lower()
    words = [word.strip(",:") for word in line.split()]
    return len(words) >= _LISTED and all(
        word.isalnum() and word not in FUNCTION_WORDS and _PASSPHRASES.isdisjoint(cues_of(word))
        for word in words
    )


def _is_sum(data: bytes, start: int, value: str) -> bool:
    """Returns whether a value is a checksum, which its line names before it: "checksum/secret: 0b7d5e19…"."""
    line = data[max(0, start - _CLOSE) : start].rpartition(b"\n")[2]
    return _HEXADECIMAL.fullmatch(value) is not None and _SUM.search(line) is not None


def _is_common(data: bytes, value: str) -> bool:
    """Returns whether a text says a word three times or more: a word of its subject rather than a secret."""
    word = value.lower()
    return value.isalpha() and data.decode("utf-8", "replace").lower().count(word) > 2


def _is_login(data: bytes, start: int, end: int) -> bool:
    """Returns whether a value is a login name, in a text that speaks of another password."""
    is_named = _LOGIN.search(data, max(0, start - _NEAR), start) is not None and _PASSWORD.search(data)
    return bool(is_named and not _IS_PASSWORD.search(data, end))


def _is_called(data: bytes, name: bytes) -> bool:
    """Returns whether a name is that of somebody who is greeted, or who signs a text that begins with a
    greeting."""
    greeting = _GREETING.search(data) if name.istitle() and name.isalpha() else None
    return greeting is not None and (name in greeting[1].split(b",")[0] or data.split()[-1] == name)


def _stands(value: str, chances: Iterable[float]) -> bool:
    """Returns whether the proposal of a rule is accepted; a number and what is unlike words are, unless most
    unlikely."""
    return max(chances, default=1.0) >= (UNLIKE_WORDS if _is_unlike_words(value) else CONFIRMED)


def _is_unlike_words(value: str) -> bool:
    return value[:1].isdigit() or any(is_distinctive(word) or has_number(word) for word in value.split())


def _of_value(tokens: Sequence[Token], chances: Floats, start: int, end: int) -> Iterator[float]:
    for token, chance in zip(tokens, chances.tolist(), strict=True):
        if start <= token.start + 1 and token.end <= end + 1:
            yield chance


def _sure(text: str, tokens: Sequence[Token], chances: Floats) -> Iterator[tuple[int, int, float]]:
    """Yields runs of tokens that may belong to a secret, of which one surely does, and how surely."""
    run: list[int] = []
    may_be = [
        chance >= BESIDE and token.text[0] not in ("\n", HIDDEN)
        for token, chance in zip(tokens, chances.tolist(), strict=True)
    ]
    for at, member in enumerate([*may_be, False]):
        if member:
            run.append(at)
            continue
        if run and (chance := float(chances[run].max())) >= SURE_BESIDE:
            start, end = tokens[run[0]].start, tokens[run[-1]].end
            while start < end and not (text[start].isalnum() or text[start] in _KEPT):
                start += 1
            if end - start >= _LEAST:
                yield start, end, chance
        run = []


def character_at(piece: bytes, at: int) -> int:
    """Returns the character of a piece at a byte."""
    return len(piece[: max(0, at)].decode("utf-8", "replace"))


def _pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields the begin and end of pieces: whole lines, or parts of a line that is very long."""
    begin = position = count = 0
    while position < len(data):
        end = data.find(b"\n", position) + 1 or len(data)
        words = len(data[position:end].split())
        if words > 2 * _WORDS:
            if begin < position:
                yield begin, position
            for number, word in enumerate(_WORD.finditer(data, position, end)):
                if number and number % _WORDS == 0:
                    yield position, word.start()
                    position = word.start()
            begin, count = position, 0
        else:
            count += words
        position = end
        if count >= _WORDS:
            yield begin, end
            begin, count = end, 0
    if begin < len(data):
        yield begin, len(data)

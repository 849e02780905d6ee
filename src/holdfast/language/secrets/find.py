"""Finds and redacts credentials in a text, in linear time (S4.20, S4.21, S4.22)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from holdfast.core.text import Finding, byte_pattern, findings_at, replace_spans
from holdfast.language.batch_prescan import FEW, JoinedTexts
from holdfast.language.payment_cards import may_hold_cards, payable_cards
from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD
from holdfast.language.secrets.forms import mention_patterns, written_secrets
from holdfast.language.secrets.handover.find import (
    handed_over,
    handover_patterns,
    names_secrets,
    said_again,
    speaks_of_secrets,
)
from holdfast.language.secrets.markup import without_markup
from holdfast.language.secrets.part import PROSE
from holdfast.language.secrets.rules import RULES, SecretRule
from holdfast.language.secrets.tagger.batching import Scan, run_all
from holdfast.language.secrets.values import (
    MIN_ENTROPY_LENGTH,
    is_name_like,
    is_placeholder,
    is_unknown_secret,
    is_unlike_words,
    looks_generated,
    split_words,
    stands_for_credentials,
)
from holdfast.language.secrets.words import FUNCTION_WORDS

__all__ = ["ENTROPY_THRESHOLD", "HIGH_ENTROPY", "find_secrets", "redact_all", "redact_secrets"]

HIGH_ENTROPY = "high_entropy"
"""Type of a random token that no rule knows."""

_Spans = Iterator[tuple[int, int, str]]

_MARKER = b"[REDACTED: "
_MAX_TURNS = 24  # removing one secret may reveal another; more than six rounds need a crafted text
_ALONE = 20_000  # bytes that one rule scans in the time of a separate scan of one text
_MAX_HITS = 64  # hits of keywords that are listed one by one
_LEAST = 5  # bytes of a secret of prose that is looked for elsewhere in its text
_MAX_WORDS = 400  # bytes of words that are compared
_REPEATED = 6  # bytes of a secret that is looked for elsewhere in its text
_CONTINUED = r"[\"'][ \t]*(?:[+.&]|\\)?[ \t]*\r?\n?[ \t]*[+.&]?[ \t]*[\"']([A-Za-z0-9+/=_-]{8,})[\"']"
"""The rest of a literal that is written in two: `"…" + "…"`."""
_MAX_KEY_BLOCK = 16_384  # bytes between the BEGIN and END lines of a private key

_SMALL_PRINT = b"abcdefghijklmnopqrstuvwxyz/_-+"
_TOKEN_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_TOKENS_ONLY = bytes(code if code in _TOKEN_BYTES else 0x20 for code in range(256))
_LONG = 2_000  # bytes from which tokens are found with NumPy, in a third of the time

# A token after one of these names is an identifier or a checksum, not a credential.
_PUBLIC_NAMES = (
    *b"public-key pinnedpubkey pin-sha256 sha-1 sha-256 sha-384 sha-512 crc32c narhash x5t x5c blob"
    b" thumbnail avatar image id ids uid uuid guid hash digest checksum etag integrity commit"
    b" cursor fingerprint address addr"
    b" revision sha1 sha256 sha384 sha512 md5 h1 slug cid ulid ksuid nanoid pubkey publickey public_key"
    b" version filename snapshot nexttoken next_token pagetoken page_token continuationtoken"
    b" continuation_token synctoken sync_token".split(),
    b"public key",
    b"next page token",
)


def find_secrets(text: str, *, entropy: float | None = ENTROPY_THRESHOLD) -> list[Finding]:
    """Returns the secrets in `text`, in order and without overlap: known kinds (S4.20) and unknown tokens
    that look generated (S4.21).

    `entropy` is the threshold for unknown tokens in bits per character: a lower one finds more with more
    false positives, above 4.3 no token of 20 characters can reach it, and None disables the check. Offsets
    count characters. Markers of an earlier redaction are skipped. Time is linear in the text.
    """
    return run_all([_scanned(text, entropy)])[0]


def _scanned(text: str, entropy: float | None, absent: Collection[Any] = ()) -> Scan[list[Finding]]:
    """Returns the findings in a text; asks the network on the way. `absent` are patterns without a match."""
    data = text.encode("utf-8", "surrogatepass")
    if _MARKER in data:
        data = _blank(
            data, [match.span() for match in byte_pattern(r"\[REDACTED: [a-z0-9_]+\]").finditer(data)]
        )
        absent = ()
    hits: list[tuple[int, int, str]] = []
    scanners = ["known", "written"] if entropy is None else ["known", "written", "unknown"]
    quiet = turn = 0
    while quiet < len(scanners) and turn < _MAX_TURNS:
        scanner = scanners[turn % len(scanners)]
        if scanner == "written":
            matches = yield from _written(data, () if hits else absent)
        elif scanner == "known" or entropy is None:
            matches = list(_known_forms(data))
        else:
            matches = list(_unknown(data, threshold=entropy))
        if matches:
            spans = _merge(matches)
            hits += spans
            data = _blank(data, [(start, end) for start, end, _ in spans])
            # a second scan for unknown tokens finds no more
            quiet = 1 if spans[0][2] == HIGH_ENTROPY else 0
        else:
            quiet += 1
        turn += 1
    if hits:
        hits += list(_elsewhere(text.encode("utf-8", "surrogatepass"), data, _merge(hits)))
    return findings_at(text, _merge(hits))  # a secret may hold one that was found before it


def _elsewhere(text: bytes, masked: bytes, hits: list[tuple[int, int, str]]) -> _Spans:
    """Yields where a text repeats a secret that is unlike words, and where a literal goes on that was split.

    `masked` is the text in which the secrets are overwritten.
    """
    kinds: dict[bytes, str] = {}
    for start, end, kind in hits:
        value = text[start:end]
        spelled = value.decode("utf-8", "replace")
        if end - start >= _REPEATED and " " not in spelled and is_unlike_words(spelled):
            kinds[value] = kind
        if text[end : end + 1] in (b'"', b"'") and (more := byte_pattern(_CONTINUED).match(masked, end)):
            yield more.start(1), more.end(1), kind
    for start, end in said_again(masked, kinds):
        yield start, end, kinds[masked[start:end]]


def redact_secrets(text: str, *, entropy: float | None = ENTROPY_THRESHOLD) -> tuple[str, tuple[str, ...]]:
    """Returns `text` with each secret replaced by `[REDACTED: <type>]`, and the types in order (S4.22).

    `entropy` is that of `find_secrets`. Redacting redacted text changes nothing. The secrets themselves are
    neither returned nor logged.
    """
    return _redacted(text, find_secrets(text, entropy=entropy))


def _redacted(text: str, findings: list[Finding]) -> tuple[str, tuple[str, ...]]:
    if not findings:
        return text, ()
    return replace_spans(text, findings, "[REDACTED: {}]"), tuple(finding.type for finding in findings)


def redact_all(
    texts: Sequence[str], *, entropy: float | None = ENTROPY_THRESHOLD
) -> list[tuple[str, tuple[str, ...]]]:
    """Returns the result of `redact_secrets` for each text; texts without any candidate are skipped
    quickly."""
    closer = dict.fromkeys(range(len(texts)), ()) if len(texts) < FEW else _suspects(texts, entropy=entropy)
    results: list[tuple[str, tuple[str, ...]]] = [(text, ()) for text in texts]
    scanned = run_all(_scanned(texts[place], entropy, absent) for place, absent in closer.items())
    for place, findings in zip(closer, scanned, strict=True):
        results[place] = _redacted(texts[place], findings)
    return results


def _written(data: bytes, absent: Collection[Any]) -> Scan[list[tuple[int, int, str]]]:
    """Returns what is written as a secret or handed over; a longer span wins. Rules for prose and the tagger
    read a page without its markup."""
    prose, candidates = _candidates(data, absent)
    if not candidates and not names_secrets(prose):
        return candidates
    from holdfast.language.secrets.tagger.decide import decided  # NumPy and its weights take time to load

    is_page = prose is not data
    in_prose = yield from decided(prose, candidates, is_page=is_page)
    secrets = [span for span in candidates if span[2] != PROSE]
    repeated = list(in_prose)
    if is_page:  # attributes say again what the page shows
        repeated += [(start, end) for start, end, kind in secrets if kind == "password"]
    again = said_again(data, (data[start:end] for start, end in repeated if end - start >= _LEAST))
    return secrets + [(start, end, "password") for start, end in (*in_prose, *again)]


def proposals(text: str) -> tuple[bytes, list[tuple[int, int, str]]]:
    """Returns a text as it is when the tagger first decides on it, and what rules found in it, in bytes."""
    data = text.encode("utf-8", "surrogatepass")
    return _candidates(_blank(data, [(start, end) for start, end, _ in _merge(_known_forms(data))]))


def _candidates(data: bytes, absent: Collection[Any] = ()) -> tuple[bytes, list[tuple[int, int, str]]]:
    """Returns a text without markup, and what rules found; in prose nothing that begins or ends in markup."""
    prose = without_markup(data)
    speaks = speaks_of_secrets(prose, absent if prose is data else ())
    candidates = [*written_secrets(data, absent), *(handed_over(prose) if speaks else ())]
    if prose is not data:
        candidates = [
            (start, end, kind)
            for start, end, kind in candidates
            if kind != PROSE or (data[start] == prose[start] and data[end - 1] == prose[end - 1])
        ]
    return prose, candidates


def _suspects(texts: Sequence[str], *, entropy: float | None) -> dict[int, Collection[Any]]:
    """Returns the indexes of texts in which a scanner may find something, or that hold a marker, in order;
    for each the patterns of mentions that do not match in it."""
    joined = JoinedTexts(text.encode("utf-8", "surrogatepass") for text in texts)
    patterns = (*mention_patterns(), *handover_patterns())
    places = {pattern: joined.texts_matching(pattern) for pattern in patterns}
    indexes = _with_keywords(joined).union(*places.values(), joined.texts_matching(may_hold_cards()))
    if _MARKER in joined.data:
        indexes |= joined.texts_matching(byte_pattern(r"\[REDACTED: "))
    if entropy is not None:
        for start, token in _long_tokens(joined.data):
            if is_unknown_secret(token.decode(), entropy):
                indexes.add(joined.place(start))
    return {index: {some for some in patterns if index not in places[some]} for index in sorted(indexes)}


def _with_keywords(joined: JoinedTexts) -> set[int]:
    """Returns the indexes of texts with a keyword; for a common word such as "://", of those in which one of
    its rules matches as well."""
    places: dict[bytes, set[int]] = {}
    for match in _keyword_pattern().finditer(joined.data):
        places.setdefault(match.group().lower(), set()).add(joined.place(match.start()))
    indexes: set[int] = set()
    for hit, containing in places.items():
        started = _started_by(hit)
        if len(started) * len(joined.data) < _ALONE * len(containing):
            for index in started:
                indexes |= joined.texts_matching(_pattern(RULES[index]))
        else:
            indexes |= containing
    return indexes


def _pattern(rule: SecretRule) -> Any:
    # A word boundary, or the letter of an escape such as "\n" in JSON.
    return byte_pattern(rule.pattern if rule.anywhere else rf"(?:\b|_|\\[nrt])(?:{rule.pattern})")


def _known_forms(data: bytes) -> _Spans:
    """Yields the secrets of known forms, and payment cards."""
    for rule in _active(data):
        for match in _pattern(rule).finditer(data):
            start, end = match.span(rule.group)
            if rule.group == 0 and not rule.anywhere:
                start += 2 if data[start] == 0x5C else data[start] == 0x5F
            if rule.type == "private_key":
                end = _private_key_end(data, end)
            if end - start >= rule.min_length and _is_valid(rule, data, start, end):
                yield start, end, rule.type
    yield from payable_cards(data)


def _active(data: bytes) -> list[SecretRule]:
    """Returns the rules with a keyword in the text."""
    hits: set[bytes] = set()
    for count, match in enumerate(_keyword_pattern().finditer(data)):
        hits.add(match.group())
        if count == _MAX_HITS:
            return _active_by_search(data)
    if not hits:
        return []
    indexes = {index for hit in hits for index in _started_by(hit.lower())}
    return [RULES[index] for index in sorted(indexes)]


def _started_by(hit: bytes) -> Collection[int]:
    """Returns the indexes of the rules that a keyword starts."""
    word = hit.decode()
    return _started_by_literal(word) if word in _literals() else _started_by_shape(word)


def _active_by_search(data: bytes) -> list[SecretRule]:
    """Returns the same rules for a text full of keywords, by a search for each literal."""
    text = data.decode("utf-8", "replace").lower()
    indexes = set(_shaped())
    for word in _literals():
        if word in text:
            indexes.update(_started_by_literal(word))
    return [RULES[index] for index in sorted(indexes)]


@cache
def _literals() -> frozenset[str]:
    return frozenset(word for rule in RULES for word in rule.keywords if word[0] != "~")


@cache
def _shaped() -> tuple[int, ...]:
    return tuple(index for index, rule in enumerate(RULES) if any(word[0] == "~" for word in rule.keywords))


@cache
def _keyword_pattern() -> Any:
    """Returns one pattern for all keywords. Shapes come first: a literal at the same position would hide
    them."""
    import re2

    shapes = [word[1:] for rule in RULES for word in rule.keywords if word[0] == "~"]
    literals = sorted(_literals(), key=len, reverse=True)
    return byte_pattern("(?i)" + "|".join(shapes + [re2.escape(word) for word in literals]))


@cache
def _started_by_literal(word: str) -> tuple[int, ...]:
    """Returns the indexes of the rules that a literal keyword starts, including the keywords inside it."""
    return tuple(index for index, rule in enumerate(RULES) if any(part in word for part in rule.keywords))


def _started_by_shape(hit: str) -> set[int]:
    """Returns the indexes of all rules with a shape, and of those whose literals the hit may hide."""
    return {
        *_shaped(),
        *(index for word in _literals() if word in hit for index in _started_by_literal(word)),
    }


_PASSWORD_TYPES = frozenset({"basic_auth", "password"})


def _is_valid(rule: SecretRule, data: bytes, start: int, end: int) -> bool:
    """Returns whether what a rule matched can be a secret of its type."""
    value = data[start:end].decode("utf-8", "replace")
    if rule.type == "private_key":
        body = value.replace("\\n", " ").replace("\\r", " ").split("-----")[2]
        return any(len(word) >= 16 for word in body.split())
    if rule.type == "seed_phrase":
        return _is_drawn(value)
    if rule.type in ("otp_secret", "recovery_code"):
        return any(map(str.isdigit, value))
    if rule.type == "aws_secret_key":
        return looks_generated(value) and not is_placeholder(value) and not _is_public_name(data, start)
    if rule.type == "api_key":
        return (looks_generated(value) or _is_hexadecimal(value)) and not is_placeholder(value)
    if rule.wordy and is_name_like(value):
        return False
    if rule.type == "url_credentials":
        port = value.partition("?")[0].partition("#")[0].partition(";")[0]
        if port != value and port.isdigit():
            return False  # the port of a host, and an @ in the query
        return rule.wordy or not stands_for_credentials(value)
    return not is_placeholder(value, password=rule.type in _PASSWORD_TYPES) or looks_generated(value)


def _is_hexadecimal(value: str) -> bool:
    return (
        byte_pattern(r"[0-9a-f]{24,}|[0-9A-F]{24,}").fullmatch(value.encode()) is not None
        and not value.isdigit()
    )


def _is_drawn(words: str) -> bool:
    """Returns whether words were drawn from a list: a sentence has articles and prepositions among them, a
    list of a program is in order."""
    drawn = [word for word in split_words(words, longest=_MAX_WORDS) if word.isalpha()]
    is_varied = len({*drawn}) * 4 > len(drawn) * 3 and drawn != sorted(drawn)
    return is_varied and sum(map(FUNCTION_WORDS.__contains__, drawn)) * 6 <= len(drawn)


def _private_key_end(data: bytes, start: int) -> int:
    """Returns the end of a key block: its END line or, if that is missing, the end of the key material."""
    end = data.find(b"-----END", start, start + _MAX_KEY_BLOCK)
    if end >= 0:
        close = data.find(b"-----", end + 8, end + 80)
        return close + 5 if close >= 0 else end + 8
    return int(byte_pattern(r"[A-Za-z0-9+/=\\\s]*").match(data, start).end())


def _unknown(data: bytes, *, threshold: float) -> _Spans:
    """Yields tokens that look generated and are not public by their kind, name or place (S4.21)."""
    public: list[tuple[int, int]] | None = None
    floor = passed = 0
    for start, token in _long_tokens(data):
        end = position = start + len(token)
        if not is_unknown_secret(token.decode(), threshold) or _is_public_name(data, start, floor):
            continue
        if public is None:
            public = _public_ranges(data)
        while passed < len(public) and public[passed][1] <= start:
            passed += 1
        if passed < len(public) and public[passed][0] < end:
            continue
        while end < len(data) and data[end] == 0x3D and end - position < 2:  # base64 padding
            end += 1
        floor = end
        yield start, end, HIGH_ENTROPY


def _long_tokens(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the start and text of each token long enough to be judged. Tokens of lower-case letters alone
    are words and paths."""
    bare = data.translate(_TOKENS_ONLY)
    if len(bare) < _LONG:
        at = 0
        for token in bare.split():
            if len(token) >= MIN_ENTROPY_LENGTH and token.strip(_SMALL_PRINT):
                at = bare.index(token, at)
                yield at, token
                at += len(token)
        return
    import numpy as np

    inside = np.frombuffer(b"".join((b" ", bare, b" ")), np.uint8) != 0x20
    edges = (inside[1:] != inside[:-1]).nonzero()[0]
    starts, ends = edges[::2], edges[1::2]
    is_long = ends - starts >= MIN_ENTROPY_LENGTH
    for start, end in zip(starts[is_long].tolist(), ends[is_long].tolist(), strict=True):
        token = bare[start:end]
        if token.strip(_SMALL_PRINT):
            yield start, token


def _public_ranges(data: bytes) -> list[tuple[int, int]]:
    """Returns the ranges of URLs, media and certificates, whose secrets have rules of their own, of encoded
    words and domains, ids of mails, ETags, public keys, bitcoin addresses and `git describe`."""
    pattern = byte_pattern(
        r"(?i)[a-z][a-z0-9+.-]*://[^\s\"'<>]+|base64,[A-Za-z0-9+/=]+"
        r"|-----BEGIN [A-Z0-9 ]*(?:CERTIFICATE|PUBLIC KEY|SIGNATURE|MESSAGE)[A-Z0-9 ]*-----[^-]*"
        r"|=\?[\w-]+\?[bq]\?[^?\s]+\?=|<[^\s<>@\"']+@[^\s<>@\"']+>|\bW/\"[^\"\n]+\""
        r"|\bv=DKIM1\b[^\n\0]*|\b[\w.-]+-\d:[A-Za-z0-9+/]{43}=|(?-i:\bRW[A-Za-z0-9+/]{54}\b)"
        r"|\b(?:C?DNSKEY|TLSA|SSHFP|OPENPGPKEY)[ \t]+[\d \t]+\(?[A-Za-z0-9+/=\s]+"
        r"|\bsha(?:1|256|384|512)//?[A-Za-z0-9+/=]+|-\d{1,5}-g[0-9a-f]{7,40}\b|\bxn--[a-z0-9-]+|\bbc1[02-9ac-hj-np-z]{25,71}\b"
        r"|\|1\|[^\s|]+\|[^\s|]+|\bcontent-transfer-encoding:[ \t]*base64\s+[A-Za-z0-9+/=\s]+"
        + (r"|\"(?:n|x|y|kid|x5t(?:#S256)?)\"\s*:\s*\"[\w-]+\"" if b'"kty"' in data else "")
    )
    return [match.span() for match in pattern.finditer(data)]


def _is_public_name(data: bytes, start: int, floor: int = 0) -> bool:
    """Returns whether the name before `start`, after the last secret at `floor`, denotes something public."""
    return data[max(floor, start - 48) : start].rstrip(b" \t\"'`:=>([{\\").lower().endswith(_PUBLIC_NAMES)


def _merge(spans: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Returns disjoint spans in order: overlapping ones become one, with the type of the earlier rule."""
    ranked = sorted((start, end, order, type_) for order, (start, end, type_) in enumerate(spans))
    merged: list[tuple[int, int, int, str]] = []
    for start, end, order, type_ in ranked:
        if merged and start < merged[-1][1]:
            low, high, first, name = merged[-1]
            merged[-1] = (low, max(high, end), min(first, order), name if first < order else type_)
        else:
            merged.append((start, end, order, type_))
    return [(start, end, type_) for start, end, _, type_ in merged]


def _blank(data: bytes, ranges: list[tuple[int, int]]) -> bytes:
    """Returns `data` with the ranges overwritten by NUL, which no pattern crosses."""
    masked = bytearray(data)
    for start, end in ranges:
        masked[start:end] = bytes(end - start)
    return bytes(masked)

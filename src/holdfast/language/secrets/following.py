"""Finds passwords on the lines after a label, a heading or a question: `Password:`, `Logins:`, "which?"."""

from __future__ import annotations

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.names import CODES, SPOKEN_NAMES
from holdfast.language.secrets.part import WORD, Part, Spans
from holdfast.language.secrets.values import has_number, is_distinctive
from holdfast.language.secrets.words import COMPOUNDS

LISTED = (
    r"\b(?:log-?ins|credentials|creds|passwords|passw\x{f6}rter|zugangsdaten|accounts|identifiants"
    r"|mots de passe|credenciales|contrase\x{f1}as)\b"
)
"""Headings of lists of accounts with their passwords."""
_NEXT_LINE = (
    rf"(?im)^[ \t>*-]*(?:[\pL\d'-]+[ \t]){{0,4}}(?:{SPOKEN_NAMES})"
    rf"(?:[ \t]*:?|[^\n\0?:]{{0,60}}(?::|[ \t](?:is|ist|est|es|\x{{e8}}|to"
    rf"|lautet)))[ \t]*\r?\n(?:[ \t]*\r?\n)?"
    r"[ \t]*([^\s\0]{3,200})[ \t]*\r?(?:\n|$)"
)
_ASKED = rf"(?i)(?:{SPOKEN_NAMES}|{CODES})"
_ASKS = r"(?i)\?|go ahead|i'm listening|schie\x{df} los"
_ELSE = (
    r"(?i)\b(?:who|whose|where|when|why|wer|wo|wann|warum|qui|o\x{f9}|quand|pourquoi|qui\x{e9}n|d\x{f3}nde|chi"
    r"|dove)\b"
)
_ASKS_BACK = (
    r"(?i)\b(?:what|which|wie|welche[sr]?|lautet|qual|quale|cu\x{e1}l|quel|hoe|wat|welk|jakie|go ahead)\b"
)
_ANSWER = (
    r"(?i)[ \t>*-]*(?:[\pL\d_ .@-]{1,24}:[ \t]+|\[[^\]\n\0]{1,24}\][ \t]*)?"
    r"(?:(?:ok|okay|sure|yes|yep|yeah|oh|ah|well|right|here|it|is|its|it['\x{2019}]s|that['\x{2019}]s"
    r"|of course"
    r"|should be|i think|try|use|you go|now|klar|ja|hier|es|ist|das|lautet|gern|sicher|nat\x{fc}rlich|oui"
    r"|c['\x{2019}]est|bien s\x{fb}r|voil\x{e0}|claro|por supuesto|s\x{ed}|s\x{ec}|certo|ecco|\x{e8}"
    r"|tuurlijk|natuurlijk|het|jasne|tak|pewnie|prosz\x{119}|to|jest|aqu\x{ed})"
    r"(?:[ \t]*[,:;.!-]+[ \t]*|[ \t]+)){0,4}"
    r"[\"'`]?([^\s\"'`\0]{3,200})[\"'`]?[.!]?[ \t]*\r?$"
)


def in_following_lines(text: Part) -> Spans:
    if text.data.find(b"\n", text.begin, text.end) >= 0:
        yield from _answers(text)
        yield from _below(text)
        yield from _listed(text)
        yield from _below_user(text)


def _is_of_something_else(data: bytes, start: int, end: int) -> bool:
    """Checks for a question that no password answers: who has it, which password manager is used."""
    after = data[end : end + 24].split()
    word = after[0].decode("utf-8", "replace").strip("?.,!").lower() if after else ""
    if word in COMPOUNDS and word not in ("of", "per"):
        return True
    line = data[max(0, data.rfind(b"\n", 0, start)) : start]
    return bool(byte_pattern(_ELSE).search(line))


def _below(text: Part) -> Spans:
    """Yields a word that stands alone on the line below a label: `Password:` and the value."""
    for match in text.matches(byte_pattern(_NEXT_LINE)):
        value = match.group(1)
        is_key = value.endswith((b":", b"=", b",", b"{", b";")) or value.startswith(
            (b"-", b"#", b"|", b"<", b"`", b"}")
        )
        spelled = value.decode("utf-8", "replace")
        is_label = b":" not in match.group() and not is_distinctive(spelled) and spelled[:1].isupper()
        if not is_key and not is_label and not is_harmless(spelled, Form.LOOSE, is_password=True):
            yield match.start(1), match.end(1), "password"


_LIST = (
    rf"(?im)^[ \t>*-]*(?:#+[ \t][^\n\0:]{{0,40}}{LISTED}[^\n\0:]{{0,40}}:?|#*(?:[\pL\d'-]+[ \t]){{0,4}}"
    rf"{LISTED}[^\n\0:]{{0,40}}:)[ \t*]*\r?\n(?:[ \t]*\r?\n)?"
    r"((?:[ \t]*(?:[-*\x{2022}]|\d{1,2}[.)])[ \t][^\n\0]+(?:\n|$))+)"
)


def _listed(text: Part) -> Spans:
    """Yields the last word of each item below a heading such as `Logins:`: `- shop: lena / hunter2`."""
    last = byte_pattern(rf"(?m)(?:[/|:,]|[ \t]-)[ \t]*{WORD}[\"'`*]*[ \t]*\r?$")
    for match in text.matches(byte_pattern(_LIST)):
        for item in last.finditer(match.group(1)):
            spelled = item.group(1).decode("utf-8", "replace")
            is_one = (
                is_distinctive(spelled) or has_number(spelled) or _is_paired(match.group(1), item.start())
            )
            if is_one and not is_harmless(spelled, Form.LOOSE, is_password=True):
                yield match.start(1) + item.start(1), match.start(1) + item.end(1), "password"


USER_LINE = (
    r"(?im)^[ \t>*-]*(?:user(?:name)?|log-?in|benutzer(?:name)?|account|konto)[ \t]*[:=]?[ \t]+[\w.@+-]{2,64}"
    r"(?:[ \t]*/[ \t]*(?:password|passwort|pw|pass))?[ \t]*\r?\n[ \t>*-]*([^\s\0:=]{4,64})[ \t]*\r?(?:\n|$)"
)
"""An account, and below it a word alone."""


def _below_user(text: Part) -> Spans:
    for match in text.matches(byte_pattern(USER_LINE)):
        spelled = match.group(1).decode("utf-8", "replace")
        is_one = is_distinctive(spelled) or has_number(spelled) or b"/" in match.group()
        if is_one and not is_harmless(spelled, Form.LOOSE, is_password=True):
            yield match.start(1), match.end(1), "password"


def _is_paired(items: bytes, start: int) -> bool:
    """Checks for an account before a value: `shop: lena@example.com / hunter2`."""
    line = items[items.rfind(b"\n", 0, start) + 1 : start]
    return items[start : start + 1] == b"/" and bool(byte_pattern(r":[ \t]+[\w.@+-]+[ \t]*$").search(line))


_COURTESY = frozenset(
    "thx thanks thank cheers great nice done works worked no nope nah danke merci gracias super klappt geht"
    " nein hmm oops sorry later".split()
)
"""What is said after a question for a password and answers nothing."""


def _answers(text: Part) -> Spans:
    """Yields the answers to questions for a password, up to four lines further on."""
    data = text.data
    if data.find(b"\n", text.begin, text.end) < 0 or not text.has(byte_pattern(_ASKS)):
        return
    done = 0
    for match in text.matches(byte_pattern(_ASKED)):
        position = data.find(b"\n", match.end()) + 1
        # a question by itself, or one that follows a request: "keep my password", "what is it?"
        is_asked = data.find(b"?", match.end(), min(position, match.end() + 100)) >= 0
        is_asked &= not _is_of_something_else(data, *match.span())
        for _ in range(4):
            if not position or position >= len(data):
                break
            end = data.find(b"\n", position)
            end = len(data) if end < 0 else end
            if position >= done:
                done = end
                line = data[position : min(end, position + 400)]
                if answer := byte_pattern(_ANSWER).match(line):
                    value = answer.group(1).rstrip(b".,!")
                    begin = position + answer.start(1)
                    spelled = value.decode("utf-8", "replace")
                    if (
                        b"\0" not in value
                        and (is_asked or is_distinctive(spelled))
                        and not is_harmless(spelled, Form.LOOSE, is_password=True)
                        and not spelled.startswith(("http", "/"))
                        and spelled.lower() not in _COURTESY
                    ):
                        yield begin, begin + len(value), "password"
                        is_asked = False  # what follows an answer is no second one: "thx"
                is_asked |= bool(byte_pattern(_ASKS).search(line) and byte_pattern(_ASKS_BACK).search(line))
            position = end + 1

"""Finds passwords that stand beside a user in a call or a pair of code: `smtp.login("lena", …)`."""

from __future__ import annotations

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless, is_text
from holdfast.language.secrets.part import QUOTES, Part, Spans
from holdfast.language.secrets.values import is_distinctive

_MAX_ARGUMENTS = 400  # bytes of the arguments of a call that are looked at

# Calls of which the first arguments are a user and a password.
_SIGN_IN = (
    r"anmelden|\w*(?:log|sign)_?(?:in|on)(?:_?(?:as|user|with\w*password))?|\w*authenticate(?:_?user)?"
    r"|\w*basic_?auth"
    r"|\w*(?:digest|ntlm|plain|proxy|http)_?auth|\w*simple_bind(?:_s)?|\w*credentials?(?:provider|handler)?"
    r"|\w*passwordauthentication|(?:create|add|new)_?(?:super)?user(?:with\w*password)?"
)
# Calls of which a place comes first: a host, a URL, a name of a data source.
_CONNECTION = (
    r"\w*get_?connection|mysqli|\w+_p?connect|pdo|ftp(?:_tls)?|connect|connect_?as|create_?connection"
)
_PAIR = r"\w*(?:auth|creds?|credentials?|login)[\"']?[ \t]*(?:=>?|:)[ \t]*"
CALL = (
    rf"\b(?:({_SIGN_IN})|({_CONNECTION})|(auth)|({_PAIR}))"
    r"[ \t]*([(\[])"
)
"""Matches whatever begins such a call or pair."""
_KINDS = ("sign_in", "connection", "auth", "pair")  # the groups of CALL, before that of the bracket
_LITERAL = (
    r"\s*(?:new[ \t]+)?[bBrRuU@]?(?:\"((?:[^\"\\\n\0]|\\.)*)\"|'((?:[^'\\\n\0]|\\.)*)'|`([^`\n\0]*)`)"
    r"(?:\.\w+\([^()]*\))*\s*"
)
_PLACE = (
    r"(?i)\s*(?:\d+|[$@]?[\w.>-]*(?:url|uri|dsn|host\w*|addr\w*|server|endpoint|port)(?:\(\))?"
    r"|[\"'](?:[^\"'\s]*://[^\"'\s]*|\w+:[^\"'\s]*|localhost|[\w-]+(?:\.[\w-]+)+(?::\d+)?|)[\"'])\s*"
)
_USER = r"(?i)\s*[$@]?[\w.>-]*(?:user|login|name|account|mail|uid|usr)\w*(?:\(\))?\s*"
_MAIL = r"\s*[\"'][^\"'\s@]+@[^\"'\s@]+[\"']\s*"


_SIGNING = r"\b(?:jwt\.(?:encode|decode|sign|verify)|hmac\.new|createhmac|fernet)\("
SIGNED = rf"{_SIGNING}|\bbuffer\.from\(|\.getbytes\("
"""Matches calls that take the key of a signature or a cipher."""
_KEYED = (
    rf"(?i){_SIGNING}(?:[^\"'\n\0]{{0,200}},|[ \t]*[\"'](?:sha\d+|md5)[\"'][ \t]*,)?[ \t]*[bu]?"
    r"(?:\"([^\"\n\0]{4,200})\"|'([^'\n\0]{4,200})')"
)


_ALGORITHM = r"(?:HS|RS|ES|PS)\d{3}K?|EdDSA|Ed\d{3,5}|none"


# A password that a script types into a field, compares or hashes: `fill("#pw", "…")`, `pin.equals("…")`.
_TYPED = (
    r"(?i)(?:[\"'#.\[=_-](?:pw|pwd|pass|passwd|password|passwort|kennwort|pin)[\"'\]]*[\"'][ \t]*"
    r"(?:,[ \t]*|\)+[ \t]*\.(?:send_?keys|fill|type|set_?value|val|sendkeys)\([ \t]*)"
    r"|\b(?:pin|pw|password|passwd|passcode|passwort)\.equals(?:ignorecase)?\([ \t]*"
    r"|(?:password|passwort|passwd|kennwort|pwd|pass|pw)[\"'`\])]?[ \t]*=[ \t]*"
    r"(?:sha\d*|md5|password|encrypt|crypt|hash)\w*\([ \t]*)"
    r"(?:\"([^\"\n\0]{3,120})\"|'([^'\n\0]{3,120})')[ \t]*[,)]"
)
# A key in the text of a program that becomes bytes: `Buffer.from("…", "hex")`, `"…".getBytes()`.
_BYTES = (
    r"(?i)\w*(?:key|signing|secret|cipher)\w*(?:[ \t]*:[ \t]*[\w\[\]]+)?[ \t]*=[ \t]*(?:buffer\.from\("
    r"|bytes\.fromhex\(|b)?"
    r"(?:\"([^\"\n\0]{8,200})\"|'([^'\n\0]{8,200})')(?:\.getbytes\(|[ \t]*,[ \t]*[\"'](?:hex|base64"
    r"|utf-?8)[\"']\))"
)


def _in_signatures(text: Part) -> Spans:
    """Yields the key in calls such as `jwt.encode(payload, "…")`, and what a script types as a password."""
    for pattern, type_ in ((_KEYED, "secret"), (_BYTES, "secret"), (_TYPED, "password")):
        for match in text.matches(byte_pattern(pattern)):
            group = 1 if match.start(1) >= 0 else 2
            spelled = match.group(group).decode("utf-8", "replace")
            if " " in spelled and is_text(spelled, quoted=True):
                continue
            if byte_pattern(_ALGORITHM).fullmatch(spelled.encode()):
                continue
            if not is_harmless(spelled, Form.LITERAL, is_password=type_ == "password"):
                yield *match.span(group), type_


def in_calls(text: Part) -> Spans:
    """Yields the literal that follows a user among the arguments of a call or in a pair, and keys of
    signatures."""
    data = text.data
    yield from _in_signatures(text)
    if data.find(b"(", text.begin, text.end) < 0 and data.find(b"[", text.begin, text.end) < 0:
        return
    for match in text.matches(byte_pattern(f"(?i){CALL}")):
        kind = next(name for number, name in enumerate(_KINDS, 1) if match.start(number) >= 0)
        begin = match.start(5)
        is_list = data[begin : begin + 1] == b"["
        arguments = arguments_of(data, begin + 1)
        if (kind == "pair" and len(arguments) != 2) or (kind != "pair" and is_list):
            continue
        places = _places(data, arguments, kind)
        if kind == "connection" and not places:
            continue
        user, *others = arguments[places:] or [(0, 0)]
        if kind == "auth" and not others:
            others = [user]  # redis.auth("…")
        elif not _is_user(data, user):
            continue
        if len(others) > 1 and _is(_MAIL, data, others[0]):
            others = others[1:]  # create_user("lena", "lena@acme.test", "…")
        literal = byte_pattern(_LITERAL).fullmatch(data[slice(*others[0])]) if others else None
        if literal is None:
            continue
        group = next((number for number in (1, 2) if literal.start(number) >= 0), 3)
        value = literal.group(group)
        spelled = value.decode("utf-8", "replace")
        if len(value) < 3 or is_harmless(spelled, Form.LITERAL, is_password=True):
            continue
        if b" " in value and (kind not in ("sign_in", "auth") or is_text(spelled, quoted=True)):
            continue
        if (is_list or kind == "auth") and not is_distinctive(spelled):
            continue  # rights or kinds: auth: ["read", "write"]
        start = others[0][0] + literal.start(group)
        yield start, start + len(value), "password"


def _places(data: bytes, arguments: list[tuple[int, int]], kind: str) -> int:
    """Returns how many arguments before the user say where to sign in: a host and its port, or a URL."""
    count = 0
    while count < len(arguments) - 2 and _is(_PLACE, data, arguments[count]):
        count += 1
    has_port = len(arguments) > 3 and _is(r"\s*\d+\s*", data, arguments[1])
    return 2 if kind == "connection" and not count and has_port else count


def _is(pattern: str, data: bytes, span: tuple[int, int]) -> bool:
    return byte_pattern(pattern).fullmatch(data[slice(*span)]) is not None


def _is_user(data: bytes, span: tuple[int, int]) -> bool:
    """Returns whether an argument is a user: one word in quotation marks, or a variable named for one."""
    literal = byte_pattern(_LITERAL).fullmatch(data[slice(*span)])
    if literal is None:
        return _is(_USER, data, span)
    return any(literal.group(1, 2, 3)) and not any(b" " in (part or b"") for part in literal.group(1, 2, 3))


def arguments_of(data: bytes, begin: int) -> list[tuple[int, int]]:
    """Returns the start and end of each argument up to the bracket that closes a call."""
    spans: list[tuple[int, int]] = []
    quote = depth = 0
    start = at = begin
    end = min(len(data), begin + _MAX_ARGUMENTS)
    while at < end:
        code = data[at]
        if code == 0x5C:
            at += 1
        elif quote:
            quote = 0 if code == quote else quote
        elif code in QUOTES:
            quote = code
        elif code in b"([{":
            depth += 1
        elif code in b")]}" and depth:
            depth -= 1
        elif code == 0x2C and not depth:
            spans.append((start, at))
            start = at + 1
        elif code in b")]}":
            if data[start:at].strip():
                spans.append((start, at))
            return spans
        elif not code:
            break
        at += 1
    return []

"""Finds the end of a value without quotation marks that follows the name of a secret."""

from __future__ import annotations

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless, is_text
from holdfast.language.secrets.heads import Head
from holdfast.language.secrets.part import MAX_VALUE, Part, is_secret, stripped
from holdfast.language.secrets.values import is_distinctive
from holdfast.language.secrets.words import AFTER_A_VALUE, COMPOUNDS, FUNCTION_WORDS, POINTERS

_MAX_LONG = 8_192  # bytes of a longer value that are redacted
_CODE_WORDS = frozenset(
    b"const let var val final def fn func function return if elif while for await private public protected"
    b" static auto async assert print del self lambda not and or raise throw new case yield with in"
    b" string str String char".split()
)
_SETTERS = frozenset(
    b"export set setenv declare local env arg - * + \xe2\x80\xa2 > # // readonly typeset".split()
)


def unquoted_end(text: Part, first: int, start: int, prefix: bytes, head: Head) -> int:
    """Returns the end of the secret at `start`, or 0 if there is none. `first` is where its name begins,
    `prefix` the line before the name."""
    data = text.data
    window = data[start : start + MAX_VALUE]
    if _opens_structure(data, first, start, prefix, window):
        return 0
    word = window[: len(window.translate(head.ends).split(b" ", 1)[0])]
    line = window.split(b"\n", 1)[0].split(b"\0", 1)[0].rstrip(b" \t\r")
    if _is_harmless_word(word, line, prefix, head):
        return 0
    form = head.form
    if form in (Form.BARE, Form.PROSE):
        form = _form_here(text, prefix, word, line[len(word) :], data[start - 1 : start], head)
    if form is not Form.LITERAL and len(line) > len(word) + 2:
        phrase = _phrase(line, word, prefix, head, form)
        if phrase >= 0:
            return start + phrase if phrase else 0
    value = _trimmed(word, prefix, head, form)
    if form is Form.BARE and _has_operator(line[len(value) :]):
        form = Form.CODE
    if not value or not is_secret(value, form, head.rule):
        return 0
    if value.isalpha() and _is_word_of_pairs_or_option(value, line, prefix, head):
        return 0
    if form is Form.PROSE and not _is_said(value, line, head):
        return 0
    if form is Form.PROSE and value.isalpha() and _is_purpose(data[first:start], prefix):
        return 0
    return start + (len(value) if len(value) < MAX_VALUE - 8 else _long_length(data, start, head))


def _opens_structure(data: bytes, first: int, start: int, prefix: bytes, window: bytes) -> bool:
    """Returns whether a mapping, emphasis, words in brackets or a shell default begins, and no value."""
    if b"\n" in data[first:start] and byte_pattern(r"[\w.-]+:(?:[ \t\r\n]|$)").match(window):
        return True  # a mapping of its own: `secrets:`, and below it the name of one
    if (data[start - 2 : start] == b"**" and window[:1] == b"*") or _is_bracketed(window):
        return True
    return window[:1] == b"?" and b"${" in prefix[-48:]  # ${PASSWORD:?missing}


def _is_harmless_word(word: bytes, line: bytes, prefix: bytes, head: Head) -> bool:
    """Returns whether what follows a name is certainly no secret, by its first word and the line."""
    if head.rule.type == "secret" and not head.is_tight and is_remark(prefix, line):
        return True
    if head.is_fenced and line == word and word.isalnum():
        return True  # the language of a block of code
    if not word or b"****" in word or (head.rule.type == "token" and word in _PERMISSIONS):
        return True
    return (
        head.is_alternative
        and head.rule.type != "password"
        and not is_distinctive(word.decode("utf-8", "replace"))
    )


def _is_word_of_pairs_or_option(value: bytes, line: bytes, prefix: bytes, head: Head) -> bool:
    """Returns whether a word is one of the pairs of a log, or names the kind of an option."""
    if head.is_tight and head.rule.type != "password" and _is_of_pairs(prefix, line[len(value) :]):
        return True
    return head.is_option and not head.quote and _names_option(value)


def _long_length(data: bytes, start: int, head: Head) -> int:
    """Returns the bytes of a value that is longer than what is examined."""
    value = data[start : start + _MAX_LONG].translate(head.ends).split(b" ", 1)[0]
    for quote in (b'"', b"'", b"`"):
        value = value.split(quote, 1)[0]
    return len(value)


def is_remark(before: bytes, after: bytes) -> bool:
    """Returns whether "secret" is a word of prose and what follows no value: `the secret: three days of
    rest`."""
    words = before.decode("utf-8", "replace").lower().split()
    is_spoken = bool(words) and before[-1:] == b" " and words[-1] in FUNCTION_WORDS
    return is_spoken and all(
        word.strip(b".,;!?").decode("utf-8", "replace").isalpha() for word in after.split()
    )


_PERMISSIONS = (b"read", b"write", b"none")  # as workflows give them: `id-token: write`


_OPERATORS = frozenset(b"+ - * / % if or and || && ? ?? == != in is else not <= >= < >".split())


def _has_operator(rest: bytes) -> bool:
    """Returns whether an expression goes on after its first word."""
    words = rest[:16].split()
    return bool(words) and rest[:1] == b" " and words[0] in _OPERATORS and len(words) > 1


def _is_of_pairs(before: bytes, after: bytes) -> bool:
    """Returns whether there are other pairs before and after one, as in a log: `job=rotate secret=mailer
    status=ok`."""
    pair = byte_pattern(r"(?:^|[ \t])[a-z_]+=[^ \t=]+")
    return after[:1] == b" " and pair.search(before) is not None and pair.match(after) is not None


def _is_bracketed(window: bytes) -> bool:
    """Returns whether a value is words in brackets: `<your key here>`, `[your key]`."""
    closer = {b"<": b">", b"[": b"]"}.get(window[:1])
    if closer is None:
        return False
    close = window.find(closer, 0, 64)
    inner = window[1 : max(1, close)].decode("utf-8", "replace")
    return " " in inner.strip() and "\n" not in inner and is_text(inner, quoted=False)


def _form_here(text: Part, prefix: bytes, run: bytes, rest: bytes, before: bytes, head: Head) -> Form:
    """Returns the form of a value without quotation marks, by its line and the text as a whole."""
    stripped = prefix.lstrip(b" \t")
    if stripped.endswith(b", ") and not head.is_tight and before == b" " and head.has_equals:
        return Form.CODE  # user, password = pair
    if head.form is Form.PROSE:
        return Form.PROSE
    words = stripped.replace(b"(", b" ").split()
    if stripped.endswith((b"self.", b"this.", b"->", b"::", b"&&", b"||")) or not _CODE_WORDS.isdisjoint(
        words[:3]
    ):
        return Form.CODE
    opened = stripped.rfind(b"(")
    if (
        opened > 0
        and b")" not in stripped[opened:]
        and (stripped[opened - 1 : opened].isalnum() or stripped[opened - 1 : opened] == b"_")
    ):
        return Form.CODE
    is_statement = not rest or b"=" in rest or b"(" in rest or b";" in rest
    if run.endswith(b";") and before == b" " and b";" not in stripped and is_statement:
        return Form.CODE
    if text.is_code:
        return Form.CODE
    return Form.BARE


def _trimmed(run: bytes, prefix: bytes, head: Head, form: Form) -> bytes:
    """Returns a value without what belongs to the text around it."""
    if run.endswith(b"..."):
        return b""  # shortened: sk-...
    if b"\\" in run:
        for escape in (b"\\n", b"\\r", b"\\t", b'\\"'):
            run = run.split(escape, 1)[0]
    for quote in (b'"', b"'", b"`"):
        at = run.find(quote)
        if at > 0 and (prefix.count(quote) % 2 or at >= len(run) - 3):
            run = run[:at]
    if b"&" in run:
        before, _, rest = run.partition(b"&")
        parameter, equals, _ = rest.partition(b"=")
        is_plain = parameter.replace(b"_", b"").replace(b"-", b"").isalnum()
        if is_plain and (
            head.in_url or (equals and head.is_tight and parameter.islower() and len(parameter) > 2)
        ):
            run = before  # the next parameter of a URL
        elif rest.startswith(b"&"):
            run = before
    if head.in_url:
        run = run.split(b"#", 1)[0].split(b")](", 1)[0]  # the end of an image that is a link
    for mark in (b";", b","):
        if mark in run:
            before, _, rest = run.partition(mark)
            if not rest or _begins_pair(rest):
                run = before
    at = run.find(b"<")
    if at > 0 and run[at + 1 : at + 2] in (b"/", b"b"):
        run = run[:at]
    trimmed = stripped(run, head.trailing)
    if trimmed != run and form is not Form.PROSE:
        for opener, closer in ((b"(", b")"), (b"[", b"]"), (b"{", b"}")):
            if opener in trimmed and trimmed.count(opener) > trimmed.count(closer):
                return run.rstrip(b".,:;\\")  # a call, a list or a type keeps its bracket
    return trimmed


def _begins_pair(rest: bytes) -> bool:
    """Returns whether `name=` or `"name":` follows a separator."""
    name = rest[:32].split(b"=", 1)[0].split(b":", 1)[0].strip(b" \"'")
    return len(name) < min(len(rest), 32) and name.replace(b"_", b"").replace(b"-", b"").isalnum()


def _phrase(line: bytes, run: bytes, prefix: bytes, head: Head, form: Form) -> int:
    """Returns the length of a passphrase of several words that fills the line, 0 if the line is a sentence,
    and -1 if only its first word can be a value."""
    if head.is_option or head.in_url or form is Form.CODE or b"=" in line[len(run) :]:
        return -1
    if head.is_tight and not _begins_line(prefix):
        return -1
    text = line.decode("utf-8", "replace")
    for comment in (" #", " //", " ;", " --", " ("):
        text = text.partition(comment)[0]
    clause = text
    for stop in (". ", ", ", "; ", ": ", " | ", "! ", "? "):
        clause = clause.partition(stop)[0]
    clause = clause.rstrip(" .,;!?)")
    words = clause.split()
    if len(words) < 2:
        is_list = head.rule.type != "password" and len(text.split()) > 4 and words and words[0].isalpha()
        return 0 if is_list and is_text(text, quoted=False) else -1
    spelled = run.decode("utf-8", "replace").rstrip(".,:;!?")
    if (
        form is Form.BARE
        and not head.is_tight
        and is_text(clause, quoted=False)
        and not is_distinctive(spelled)
    ):
        # "password: must have eight characters", but "password: hunter for the router"
        return 0 if text == line.decode("utf-8", "replace") or len(words) > 2 or words[0] in POINTERS else -1
    if not all(word.isalpha() and word == word.lower() for word in words) or len(words) > 12:
        return -1
    if is_text(clause, quoted=False) or len(words) < (2 if form is Form.BARE else 3):
        return -1
    return len(clause.encode())


def _names_option(run: bytes) -> bool:
    """Returns whether a word names the kind of a secret, and is none: `--token type`."""
    word = run.decode("utf-8", "replace").lower()
    return word in COMPOUNDS or word.rstrip("s") in COMPOUNDS


def _begins_line(prefix: bytes) -> bool:
    """Returns whether only an indent, a list marker or a keyword such as `export` precedes a name."""
    words = prefix.split()
    return len(words) < 2 or words[0] in _SETTERS


def _is_said(run: bytes, line: bytes, head: Head) -> bool:
    """Returns whether a sentence states a word as a secret: `the password is kitten, keep it`."""
    value = run.decode("utf-8", "replace").strip("*_~")
    if is_distinctive(value):
        return True
    if head.rule.type != "password" or is_harmless(value, Form.PROSE, is_password=True):
        return False
    if not value.replace("-", "").replace("'", "").isalpha():
        return True
    after = line[len(run) :].lstrip()
    if after.lower().startswith(_TRANSLATED):
        return False
    if not after or after[:1] in b".,;!?)":
        return True
    following = after.split(b" ", 1)[0].decode("utf-8", "replace").strip(".,;!?").lower()
    return following in AFTER_A_VALUE


_TRANSLATED = (b"for password", b"for passphrase", b"for the word")  # `'Wachtwoord' is Dutch for password`


_SETS = (b"set", b"chang", b"updat", b"rotat", b"switch", b"replac")


def _is_purpose(head: bytes, prefix: bytes) -> bool:
    """Returns whether `to` begins a purpose and no new value: `enter your password to continue`."""
    words = head.lower().split()
    return (
        words[-1:] == [b"to"]
        and words[0].startswith((b"pass", b"pw", b"pin"))
        and not any(map((prefix + head).lower().__contains__, _SETS))
    )

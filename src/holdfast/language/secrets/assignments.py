"""Finds values that are assigned to the name of a secret, in configuration, code, commands and sentences."""

from __future__ import annotations

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless, is_text
from holdfast.language.secrets.heads import Head, head_of, name_pattern, precedes_no_value
from holdfast.language.secrets.names import PLAIN_PREFIXES
from holdfast.language.secrets.part import MAX_VALUE, Part, Spans, is_pair, is_secret, stripped
from holdfast.language.secrets.values import is_distinctive, is_unlike_words
from holdfast.language.secrets.words import AFTER_A_VALUE, AMBIGUOUS, COMPOUNDS, FUNCTION_WORDS, POINTERS

_MAX_LONG = 8_192  # bytes of a longer one that are redacted
_MAX_LABEL = 4  # words before a name in the cell that it ends
_MAX_PREFIX = 160  # bytes of a line before a name that are looked at
_CODE_WORDS = frozenset(
    b"const let var val final def fn func function return if elif while for await private public protected"
    b" static auto async assert print del self lambda not and or raise throw new case yield with in"
    b" string str String char".split()
)
_OF_SUMS = (b"checksum/", b"hash/", b"digest/", b"fingerprint/", b"checksum.", b"sha256/", b"checksum-")
_SETTERS = frozenset(
    b"export set setenv declare local env arg - * + \xe2\x80\xa2 > # // readonly typeset".split()
)


def assigned(text: Part) -> Spans:
    named, data = name_pattern(), text.data
    position = text.begin
    while match := named.search(data, position, text.end):
        first, position = match.span()
        position -= 1  # the last character is the first of the value
        while data[position] & 0xC0 == 0x80:
            position -= 1
        head = head_of(data[first:position])
        for scheme in (b"bearer ", b"basic "):
            if data[position : position + len(scheme)].lower() == scheme:
                position += len(scheme)
        if head.is_dash and head.rule.type != "password":
            continue  # budget * CHARS_PER_TOKEN - used
        if head.is_arrow and (
            data[first - 1 : first].isalnum() or data[first - 1 : first] in (b"-", b"_", b".")
        ):
            continue  # one name leads to another: `cache-token -> index`
        if data[max(0, first - 16) : first].lower().endswith(_OF_SUMS):
            continue  # checksum/secret: …
        if (
            head.rule.type != "password"
            and not head.is_option
            and data[max(0, first - 16) : first].lower().rstrip(b"_- ").endswith(PLAIN_PREFIXES)
        ):
            continue
        if precedes_no_value(data, first, position, head):
            continue
        if head.is_verb and not (_is_of_sql(data, first) and head.rule.type == "password"):
            continue
        found = 0 if _is_logger(data, first, head) else _value_of(text, first, position, head)
        if found:
            start, position = position, found
            yield start, found, head.rule.type


def _is_logger(data: bytes, first: int, head: Head) -> bool:
    """Returns whether a name is that of a program in a log: `INFO reset_token: done`."""
    if head.has_equals or data[first - 1 : first] not in (b"_", b".", b"-"):
        return False
    words = data[max(0, first - 64) : first].split()
    return len(words) > 1 and words[-2].strip(b"[]:") in LOG_LEVELS


def is_remark(before: bytes, after: bytes) -> bool:
    """Returns whether "secret" is a word of prose and what follows no value: `the secret: three days of
    rest`."""
    words = before.decode("utf-8", "replace").lower().split()
    is_spoken = bool(words) and before[-1:] == b" " and words[-1] in FUNCTION_WORDS
    return is_spoken and all(
        word.strip(b".,;!?").decode("utf-8", "replace").isalpha() for word in after.split()
    )


def _is_of_sql(data: bytes, first: int) -> bool:
    clause = data[first : first + 16].lower()
    line = data[max(0, first - _MAX_PREFIX) : first].rsplit(b"\n", 1)[-1].lower()
    return clause.startswith(b"iden") and (
        clause.startswith((b"identified with", b"identified via"))
        or data[first : first + 10].isupper()
        or any(map(line.__contains__, (b"user", b"grant", b"role")))
    )


def _value_of(text: Part, first: int, start: int, head: Head) -> int:
    """Returns the end of the secret at `start`, or 0 if what is there is none."""
    data = text.data
    if b"\n" in (head_text := data[first:start]) and (b'"""' in head_text or _is_defined(data, first)):
        return 0  # the documentation of a function or class
    if head.quote:
        end = _closing(data, start, head)
        if end:
            return end if _is_quoted_secret(text, first, start, end, head) else 0
    line = data.rfind(b"\n", max(0, first - _MAX_PREFIX), first) + 1 or max(0, first - _MAX_PREFIX)
    prefix = data[line:first]
    window = data[start : start + MAX_VALUE]
    if head.is_element:
        close = window.find(b"<")
        if close < 0 or window[close + 1 : close + 2] not in b"/!":
            return 0
        end = start + close
        if data[first:start].lower().startswith(window[:close].strip().lower()):
            return 0  # the label of a field
        return end if _is_one_or_phrase(window[:close], head, quoted=True) else 0
    if head.is_cell:
        is_row = prefix.lstrip().startswith(b"|")
        if is_row and len(prefix.rpartition(b"|")[2].split()) > _MAX_LABEL:
            return 0  # a cell that mentions one at its end
        is_file = b"." in data[first:start].partition(b"|")[0]  # `server.key | wg pubkey`
        is_amid = prefix.strip(b" \t\"'`*") and b" | " not in prefix
        if not is_row and (is_file or head.is_dense or is_amid):
            return 0
        name = data[first:start].partition(b"|")[0].strip(b" \t\"'`*").decode("utf-8", "replace").lower()
        end = _cell(data, start, head)
        is_odd = name in AMBIGUOUS and not is_unlike_words(data[start:end].decode("utf-8", "replace"))
        return 0 if is_odd else end
    if b"\n" in data[first:start] and byte_pattern(r"[\w.-]+:(?:[ \t\r\n]|$)").match(window):
        return 0  # a mapping of its own: `secrets:`, and below it the name of one
    if (data[start - 2 : start] == b"**" and window[:1] == b"*") or _is_bracketed(window):
        return 0
    if window[:1] == b"?" and b"${" in prefix[-48:]:
        return 0  # ${PASSWORD:?missing}
    run = window[: len(window.translate(head.ends).split(b" ", 1)[0])]
    rest_of_line = window.split(b"\n", 1)[0].split(b"\0", 1)[0].rstrip(b" \t\r")
    if head.rule.type == "secret" and not head.is_tight and is_remark(prefix, rest_of_line):
        return 0
    if head.is_fenced and rest_of_line == run and run.isalnum():
        return 0  # the language of a block of code
    if not run or b"****" in run or (head.rule.type == "token" and run in _PERMISSIONS):
        return 0
    form = head.form
    if form in (Form.BARE, Form.PROSE):
        form = _form_here(text, prefix, run, rest_of_line[len(run) :], data[start - 1 : start], head)
    if head.is_alternative and not (
        head.rule.type == "password" or is_distinctive(run.decode("utf-8", "replace"))
    ):
        return 0
    if form is not Form.LITERAL and len(rest_of_line) > len(run) + 2:
        phrase = _phrase(rest_of_line, run, prefix, head, form)
        if phrase == 0:
            return 0
        if phrase > 0:
            return start + phrase
    run = _trimmed(run, prefix, head, form)
    if form is Form.BARE and _has_operator(rest_of_line[len(run) :]):
        form = Form.CODE
    if not run or not is_secret(run, form, head.rule):
        return 0
    if (
        head.is_tight
        and head.rule.type != "password"
        and run.isalpha()
        and _is_of_pairs(prefix, rest_of_line[len(run) :])
    ):
        return 0
    if head.is_option and not head.quote and run.isalpha() and _names_option(run):
        return 0
    if form is Form.PROSE and not _is_said(run, rest_of_line, head):
        return 0
    if form is Form.PROSE and run.isalpha() and _is_purpose(data[first:start], prefix):
        return 0
    if len(run) >= MAX_VALUE - 8:
        long = data[start : start + _MAX_LONG].translate(head.ends).split(b" ", 1)[0]
        for quote in (b'"', b"'", b"`"):
            long = long.split(quote, 1)[0]
        return start + len(long)
    return start + len(run)


_PERMISSIONS = (b"read", b"write", b"none")  # as workflows give them: `id-token: write`
LOG_LEVELS = frozenset(b"TRACE DEBUG INFO NOTICE WARN WARNING ERROR FATAL CRITICAL".split())
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
        run = run.split(b"#", 1)[0]
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


def _closing(data: bytes, start: int, head: Head) -> int:
    """Returns the end of a quoted value, or 0 if nothing closes it on its line."""
    at = data.find(head.quote, start, start + _MAX_LONG)
    if at < 0:
        return 0
    if head.is_escaped:
        at -= data[start:at].endswith(b"\\")
    elif len(head.quote) == 1:
        while data[at - 1] == 0x5C and at - start > 1 and data[at - 2] != 0x5C:
            after = data.find(head.quote, at + 1, start + _MAX_LONG)
            if after < 0:
                break
            at = after
        if head.quote == b"'" and data[at + 1 : at + 2] == b"'" and data[at + 2 : at + 3].isalnum():
            at = max(at, data.find(head.quote, at + 2, start + _MAX_LONG))
    value = data[start:at]
    if b"\0" in value and not _is_beside_known(value):
        return 0
    return 0 if b"\n" in value else at


def _is_beside_known(value: bytes) -> bool:
    """Returns whether a value has words of its own beside a secret that was found in it before."""
    words = value.replace(b"\0", b" ").split()
    return any(any(map(_is_alphanumeric, word)) for word in words if word.lower() not in _SCHEMES)


def _is_alphanumeric(code: int) -> bool:
    return code >= 0x80 or chr(code).isalnum()


_SCHEMES = frozenset(b"basic bearer digest token apikey negotiate".split())
"""What a header names before its credential."""


def _is_quoted_secret(text: Part, first: int, start: int, end: int, head: Head) -> bool:
    """Returns whether a value in quotation marks is a secret: neither the next name of a mapping, what is
    looked up, nor text."""
    data = text.data
    value = data[start:end]
    if value[:1] in b",.;:)" and b" " in value:
        return False  # between two values in quotation marks
    if data[end + 1 : end + 2] == b":" and head.quote in (b'"', b"'"):
        return False  # the next name of a mapping
    if head.is_list and not is_pair(data, first, end):
        return False
    if head.quote == b"`" and data[start - 2 : start - 1] == b"=" and b" " in value:
        return False  # the output of a command
    if head.is_call and head.rule.type == "token" and value.isupper() and not _is_setter(data, first):
        return False  # a kind of token, as parsers name them
    if head.is_call and data[max(0, first - 8) : first].lower().rstrip(b"_").endswith(_LOOKUPS):
        return False  # what is looked up: `keyring.get_password("mail", user)`
    if head.is_call and data[end + 1 : end + 2] not in (b")", b",") and data[end + 1 : end + 3] != b" )":
        return False
    if head.is_alternative and head.rule.type != "password" and value.isalpha():
        return False
    if len(value) > 512 and b" " in value:
        return False
    return b"\0" in value or _is_one_or_phrase(value, head, quoted=True)


def _is_defined(data: bytes, first: int) -> bool:
    """Returns whether a name is the one of a function or class: `def access_token(…):`."""
    line = data[max(0, first - _MAX_PREFIX) : first].rsplit(b"\n", 1)[-1].split()
    words = line if data[first - 1 : first] in b" \t" else line[:-1]
    return words[-1:] in ([b"def"], [b"class"], [b"fn"], [b"func"], [b"function"])


_LOOKUPS = (b"get", b"fetch", b"read", b"load", b"lookup", b"find", b"delete", b"has", b"check", b"require")


def _is_setter(data: bytes, first: int) -> bool:
    before = data[max(0, first - 24) : first].lower()
    return before.endswith((b"set", b"with", b"set_", b"with_", b"setapi", b"setaccess", b"setauth"))


def _is_one_or_phrase(value: bytes, head: Head, *, quoted: bool) -> bool:
    value = value.strip()
    if b" " not in value:
        return is_secret(value, Form.LITERAL, head.rule)
    text = value.decode("utf-8", "replace")
    return not is_text(text, quoted=quoted) and len(text) >= 5


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


def _cell(data: bytes, start: int, head: Head) -> int:
    """Returns the end of the cell after that of a name, unless the row is the header of a table."""
    stop = data.find(b"\n", start, start + 1_024)
    row = data[start : stop if stop >= 0 else start + 1_024]
    if stop >= 0 and byte_pattern(r"[ \t]*\|?[ \t:]*-{2,}").match(data[stop + 1 : stop + 64]):
        return 0
    cell = row.split(b"|", 1)[0].rstrip()
    if b"\0" in cell:
        return start + len(cell) if _is_beside_known(cell) else 0
    unmarked = cell.strip(b"`*")
    return start + len(cell) if unmarked and _is_one_or_phrase(unmarked, head, quoted=True) else 0

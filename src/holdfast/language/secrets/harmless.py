"""Decides whether a value under the name of a secret is known to be none; everything else is one (S4.20)."""

from __future__ import annotations

import re
import string
from enum import Enum

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.values import common_share, split_words
from holdfast.language.secrets.words import (
    BOOLEANS,
    COMPOUNDS,
    FILLERS,
    FUNCTION_WORDS,
    HEADS,
    POINTERS,
    SECRET_WORDS,
    STAND_INS,
    STATES,
    TYPES,
    UNITS,
    VARIABLES,
    is_state,
)


class Form(Enum):
    """The way in which a value is written, which decides what else than a secret it may be."""

    LITERAL = 1
    """As itself: in quotation marks, after an option, in a URL, a header or a table."""
    BARE = 2
    """Without quotation marks in configuration or code: it may refer to a variable."""
    CODE = 3
    """Without quotation marks where only code stands: a name is a variable."""
    PROSE = 4
    """After a verb in a sentence."""
    LOOSE = 5
    """Beside the name without anything between them."""


_ALWAYS = STAND_INS | TYPES | BOOLEANS
_IN_PROSE = _ALWAYS | FUNCTION_WORDS
_PARTS = STAND_INS | FILLERS | BOOLEANS | TYPES
_MASK = "*\u2022\u25cf\u00b7xX.#_-?\u2026\u2588\u25a0=+0"
_REFERENCES = (
    "process.env", "import.meta", "os.environ", "os.getenv", "getenv", "env.", "env(", "env[", "environ",
    "secrets.", "vault:", "vault://", "op://", "ssm:", "ssm/", "arn:", "file:", "ref+", "!vault", "!env",
    "!ref",
    "!secret", "!sub", "!get", "enc[", "enc(", "sops", "keyring", "getpass", "input(", "prompt(",
    "system.getenv", "inputbox(", "dword:",
    "deno.env", "bun.env", "http://", "https://", "sha256:", "sha512:", "sha1:", "md5:", "${", "$(", "$env:",
    "[redacted", "{{", "#{", "@{", "<%", "%(", "@microsoft.keyvault", "secret://", "keychain:", "aws-sm:",
    "gcp-sm:", "kv:", "az:", "data:", "projects/", "/run/secrets", "{env", "{file", "env:", "vault kv",
    "ext:", "@env:", "~/", "pass show", "hkcu\\", "hklm\\", "hkcr\\", "hkey_",
    "(convertto-", "(get-", "(read-", "(import-", "$env{", "~{", "!!", "lookup(",
)  # fmt: skip
_PAIRS = {"{": "}", "[": "]", "%": "%", "(": ")", "<": ">", "`": "`", "@": "@", "\u00ab": "\u00bb", "|": "|"}
_PARTS_OF_PLACEHOLDERS = (
    "placeholder",
    "changeme",
    "replaceme",
    "your-",
    "your_",
    "yourpass",
    "redacted",
    "goeshere",
)
_DIGITS = string.digits
_SPOKEN = str.maketrans("", "", "'\u2019")


def is_harmless(value: str, form: Form, *, is_password: bool) -> bool:
    """Returns whether a value is a placeholder, a reference, a type, a mask, a word of prose or, where it may
    be one, an expression.

    Values of more than one word are judged by `is_text`.
    """
    lower = value.lower()
    if not lower or lower in _ALWAYS:
        return True
    if lower.isalpha():
        return _is_word_harmless(value, lower, form, is_password=is_password)
    if lower.isalnum() and lower.isascii():
        return _is_number_harmless(value, lower, form, is_password=is_password)
    return (
        _is_reference(value, lower)
        or _is_mask(lower)
        or (value[0] == ":" and "(" in value)  # the rest of `rpassword::prompt_password(…)`
        or _is_declared(value)
        or any(map(lower.__contains__, _PARTS_OF_PLACEHOLDERS))
        or _is_named(value, form)
        or _is_parameter(value)
        or is_shortcut(value)
        or _is_measure(lower)
        or lower.rpartition("-")[2] in STATES
        or lower.partition("(")[0].partition("<")[0].rstrip("?![]").rpartition(".")[2] in TYPES
        or (form in (Form.BARE, Form.CODE) and _is_expression(value, in_code=form is Form.CODE))
        or (
            form in (Form.PROSE, Form.LOOSE)
            and (_is_prose_word(lower.rstrip("!?"), form) or is_of_code(value))
        )
    )


def is_of_code(value: str) -> bool:
    """Returns whether a value is the name of a constant or an encoding, a call, a number of a machine,
    several of what is abbreviated or a time: `PNG_EXPAND_16`, `latin-1`, `PQpass()`, `ASTs`, `10h32`."""
    return (
        byte_pattern(
            r"[A-Z]{2,}(?:_[A-Z]{2,})+(?:_\d{1,3})?|.*\w\(\).*|[A-Z][A-Za-z]{3,}\([\w.]*|\*{1,2}[a-z_]\w*|0x[0-9a-fA-F]+|(?i:latin-?\d|utf-?\d{1,2})|[A-Z]{2,5}s|\d{1,2}h\d{2}"
        ).fullmatch(value.encode("utf-8", "replace"))
        is not None
    )


_MODIFIER = r"alt|altgr|ctrl|control|strg|cmd|shift|umschalt|maj|win|fn|option|super|meta|esc"
_KEY = (
    r"\w|f\d{1,2}|\d{2,4}|tab|enter|return|eingabe|del|delete|entf|suppr|supr|canc|ins|insert|einfg|home|pos1"
    r"|end|ende|space|leertaste|backspace|up|down|left|right|pg-?up|pg-?dn|page-?up|page-?down|plus|minus|click"
)
_SHORTCUT = re.compile(rf"(?i)(?:{_MODIFIER})(?:\+(?:{_MODIFIER}|{_KEY}))+")


def is_shortcut(value: str) -> bool:
    """Returns whether a value is keys that are pressed together: `Ctrl+Alt+Del`."""
    return _SHORTCUT.fullmatch(value) is not None


def _is_declared(value: str) -> bool:
    """Returns whether a value is a function of C that returns a pointer: `*user_pwd_new(void`."""
    name, bracket, rest = value[1:].partition("(")
    return value[0] == "*" and bool(bracket) and name.isidentifier() and rest.rstrip(");").isidentifier()


def is_text(value: str, *, quoted: bool) -> bool:
    """Returns whether several words are a sentence, a label or a placeholder rather than a passphrase."""
    lower = value.lower()
    if _is_reference(value, lower) or _is_mask(lower.replace(" ", "")):
        return True
    words = [word.strip(".,:;!?()\"'").replace("\u2019", "'") for word in lower.split()[:16]]
    if any(word in STAND_INS or is_state(word) or word in SECRET_WORDS for word in words):
        return True
    if words[0] in POINTERS and len(words) < 5:
        return True
    if not quoted or value != lower or any(map(value.__contains__, ".,:;!?()")):
        return any(word in FUNCTION_WORDS for word in words)
    return len(words) < 4 and any(word in FUNCTION_WORDS for word in words)


def _is_word_harmless(value: str, lower: str, form: Form, *, is_password: bool) -> bool:
    """Judges letters alone."""
    if len(set(lower)) == 1 or len(value) > 64:
        return True
    if form is Form.CODE:
        return True
    if form is Form.BARE and (lower in VARIABLES or lower in HEADS):
        return True
    if form in (Form.PROSE, Form.LOOSE) and (
        _is_prose_word(lower, form) or (not is_password and _is_wordlike(value))
    ):
        return True
    if lower in FUNCTION_WORDS or lower in STATES or (form is not Form.LITERAL and _is_state(lower)):
        return True
    return _is_joined(lower) or all(word in _PARTS for word in split_words(value))


def _is_state(word: str) -> bool:
    return word in STATES or (is_state(word) and _reads(word))


def _is_number_harmless(value: str, lower: str, form: Form, *, is_password: bool) -> bool:
    """Judges digits, or letters and digits."""
    base = lower.rstrip(_DIGITS)
    if not base:
        if form is Form.CODE and not is_password:
            return True
        return (len(set(lower)) == 1 and len(lower) > 4) or len(lower) < (3 if is_password else 5)
    digits = len(lower) - len(base)
    if digits <= 2 and (base in _ALWAYS or base in VARIABLES or (not is_password and _is_joined(base))):
        return True
    if lower.strip("x0") == "":
        return True
    if form is Form.CODE and lower.startswith("0x"):
        return True
    if form is Form.CODE and not lower[0].isdigit() and _is_wordlike(value.rstrip(_DIGITS)) and digits <= 2:
        return True
    return _is_measure(lower)


def _is_prose_word(lower: str, form: Form) -> bool:
    """Returns whether a word is one of prose, and no secret."""
    word = lower.strip("'\u2019-")
    if form is Form.LOOSE and len(word) > 5 and word.isalpha() and word.endswith("ly"):
        return True  # how something is done: "type the password slowly"
    return (
        word in _IN_PROSE
        or word.translate(_SPOKEN) in _IN_PROSE
        or _is_state(word)
        or any(part in FUNCTION_WORDS and part.isalpha() for part in word.split("'")[:1])
        or ((form is Form.LOOSE and word.rstrip("s") in COMPOUNDS | SECRET_WORDS) or word in COMPOUNDS)
        or ("-" in word and is_state(word.rpartition("-")[2]))
    )


def _is_reference(value: str, lower: str) -> bool:
    """Returns whether a value is filled in elsewhere: `${ENV}`, `%ENV%`, `<secret>`, a path, a URL."""
    if lower.startswith(_REFERENCES) or "${" in lower or "{{" in lower or "}}" in lower:
        return True
    first, rest = value[0], value[1:]
    if first == "$" and byte_pattern(r"\w+(?:->|\[|\{).*").fullmatch(rest.encode("utf-8", "replace")):
        return True  # $entry->{token}
    if first == "$":
        return (rest.replace("_", "a").isalnum() and (rest[:1].isupper() or _is_wordlike(rest))) or len(
            rest
        ) < 2
    if first == "{" and byte_pattern(r"\{[A-Za-z_][\w.]*\}.*").fullmatch(value.encode("utf-8", "replace")):
        return True
    if first == "<" and rest.isalpha():
        return True  # the beginning of a tag
    if first in _PAIRS and len(value) > 2 and (value[-1] == _PAIRS[first] or value.endswith(_PAIRS[first])):
        inner = rest[:-1].strip("{}[]()<>%@ ")
        is_foreign = first in "<\u00ab" and inner.isalpha() and not inner.isascii()
        return not inner or inner.isdigit() or is_foreign or _is_template(inner)
    if first in ":@!&*" and len(rest) > 2 and rest.replace("_", "a").isalpha():
        return _is_wordlike(rest) or all(word in _PARTS for word in split_words(rest))
    if first == "^" and value[-1] == "$":
        return True
    if "`" in value and byte_pattern(r"[a-z]+(?::[a-z]+)?:`.*").fullmatch(value.encode("utf-8", "replace")):
        return True  # a reference of a documentation: `py:meth:`x``
    if byte_pattern(r"\\\\[\w.-]+\\[\w$.-]+(?:\\.*)?").fullmatch(value.encode("utf-8", "replace")):
        return True  # a share of a server
    if lower.startswith(("/", "./", "../", "~/", "c:\\", "c:/")):
        return _is_path(value)
    if value.startswith("--") or (first == "-" and (len(value) == 2 or rest.replace(".", "").isalpha())):
        return True
    if value.startswith("__") and value.endswith("__"):
        return True
    if byte_pattern(r"X(?:-[A-Z][A-Za-z]+){2,}").fullmatch(value.encode("utf-8", "replace")):
        return True  # the name of a header
    return value in (
        "''",
        '""',
        "%s",
        "%r",
        "{}",
        "|",
        ">",
        "|-",
        ">-",
        "[]",
        "()",
        "...",
        "//",
        "/*",
        "->",
        "=>",
    )


_ENCODED = re.compile(r"base(?:16|32|64|64url)|sha\d+|b64|utf8|oauth2|x509|s3|k8s|i18n")


def _is_template(inner: str) -> bool:
    """Returns whether the inside of brackets is words: `<your key>`, `[hidden]`, `%DB_PASSWORD%`."""
    words = split_words(inner)
    return (
        bool(words)
        and all(word.isalpha() or word.isdigit() or _ENCODED.fullmatch(word) for word in words)
        and (
            any(word in _PARTS or word in FUNCTION_WORDS or is_state(word) for word in words)
            or _is_wordlike(inner.replace(" ", "_"))
        )
    )


def _is_path(value: str) -> bool:
    """Returns whether a value is a path."""
    parts = [part for part in value.replace("\\", "/").split("/") if part not in ("", ".", "..", "~")]
    if not parts:
        return True
    return (len(parts) >= 2 and all(map(_is_path_part, parts))) or (
        len(parts) == 1 and _is_path_part(parts[0])
    )


def _is_path_part(part: str) -> bool:
    name = part.partition(".")[0].strip("_-.${}")
    return not name or ((name.lower() == name or name.istitle() or name.isupper()) and _is_wordlike(name))


def _is_mask(lower: str) -> bool:
    """Returns whether a value is hidden or cut short: `****`, `xxxx`, `sk-abc...`. A single sign is not."""
    if "xxxx" in lower or "****" in lower or "...." in lower or "\u2022\u2022" in lower or "\u2026" in lower:
        return True
    if lower.endswith("..."):
        return True
    return len(lower) > 1 and not lower.strip(_MASK) and len(set(lower)) <= 2


def _is_named(value: str, form: Form) -> bool:
    """Returns whether a value is words of which one is a stand-in or names a secret: `my-new-password`,
    `db-credentials`."""
    if any(map(str.isdigit, value)) and not value.rstrip(_DIGITS + "-_.v"):
        return False
    words = split_words(value)
    words = [word for word in words if not word.isdigit()] if _count_digits(value) <= 2 else words
    if not words or not all(word.isalpha() for word in words) or not _has_only(value, "-_./: '\u2019"):
        return False
    if not any(word in STAND_INS or word in SECRET_WORDS for word in words):
        return False
    return all(word in _PARTS or word in SECRET_WORDS for word in words) or (
        form in (Form.BARE, Form.CODE, Form.LITERAL)
        and any(word in SECRET_WORDS for word in words)
        and all(word in _PARTS or len(word) < 4 or common_share(word) >= 0.6 for word in words)
    )


def _is_parameter(value: str) -> bool:
    """Returns whether a value is the name of a secret and the sign behind it, without what it is set to:
    `api_key=`, `--token=`, `X-Api-Key:`."""
    name = value[:-1].lstrip("-")
    return (
        value[-1] in "=:"
        and _has_only(name, "-_.")
        and any(word in SECRET_WORDS for word in split_words(name))
        and _is_wordlike(name)
    )


def _has_only(value: str, separators: str) -> bool:
    return all(char.isalnum() or char in separators for char in value)


def _count_digits(value: str) -> int:
    return sum(map(str.isdigit, value))


_SHORT_WORDS = frozenset(("mon", "tu", "su", "un", "una", "la", "le", "el", "les", "los"))
"""Short foreign words that are inside English ones (mon in monkey): no part of a joined word."""


def _is_joined(word: str) -> bool:
    """Returns whether a word is made of stand-ins and fillers: `mysecretpassword`, `yourtokenhere`."""
    if not 6 <= len(word) <= 32:
        return False
    reachable = {0: False}
    for end in range(2, len(word) + 1):
        for start, has_stand_in in list(reachable.items()):
            part = word[start:end]
            if end - start > 1 and part in _PARTS and part not in _SHORT_WORDS:
                reachable[end] = reachable.get(end, False) or has_stand_in or part in STAND_INS
    return reachable.get(len(word), False)


def _is_measure(lower: str) -> bool:
    """Returns whether a value is a number with its unit, a version or a range: `90days`, `8-character`,
    `^1.26.4`."""
    if lower[0] in "^~=<>" and not lower.strip("^~=<>v.,| " + _DIGITS):
        return True
    if lower[0] in "v" + _DIGITS and "." in lower and not lower.strip("^~=<>v." + _DIGITS):
        return True
    if byte_pattern(r"\(#\d+\)|\d{1,4}x\d{1,4}").fullmatch(lower.encode("utf-8", "replace")):
        return True
    rest = lower.lstrip(_DIGITS)
    return rest != lower and rest.lstrip("+-_ .") in UNITS


def _is_wordlike(value: str) -> bool:
    """Returns whether every part of an identifier reads like a word or a short abbreviation."""
    words = split_words(value)
    return bool(words) and all(
        word in _PARTS or word in VARIABLES or word in FUNCTION_WORDS or (word.isalpha() and _reads(word))
        for word in words
    )


def _reads(word: str) -> bool:
    """Returns whether letters read like a word: mostly common pairs, and a vowel. One or two always do."""
    if len(word) < 3:
        return True
    return common_share(word) >= 0.6 and not set(
        "aeiouy\u00e4\u00f6\u00fc\u00e9\u00e8\u00ed\u00f3\u00e1"
    ).isdisjoint(word)


_EXPRESSION = (
    r"[&*!]{0,2}(?:new |await )?[A-Za-z_$][\w$]*(?:(?:\?\.|!\.|\.|::"
    r"|->)[A-Za-z_$][\w$]*)*(?:[\[(<{].*|[?!]\([\"':].*|[?!;,]{0,2})?"
)


_CALLS = r"[A-Za-z_$]+(?:\.[A-Za-z_$]+(?:\([\w., ]*\))?)*\.[A-Za-z_$]+\([\w., ]*\)"
"""Calls on what calls return: `yup.string().required()`."""


def _is_expression(value: str, *, in_code: bool) -> bool:
    """Returns whether a value is a name, a call, an index or an attribute of code."""
    if value[0] in "([{!" and (in_code or value[1:].replace("_", "a").isalnum()):
        return True
    if byte_pattern(_EXPRESSION).fullmatch(value.encode("utf-8", "replace")) is None:
        return in_code and value.startswith(("&'", "[]", "(", "[", "-", "~"))
    if byte_pattern(r"[a-z_]\w*(?:\.[a-z_]\w*)+\(.*").fullmatch(value.encode("utf-8", "replace")):
        return True  # a call with arguments: `hashlib.scrypt(pw,`
    bare = value.strip("&*!?;,")
    if byte_pattern(_CALLS).fullmatch(bare.encode("utf-8", "replace")):
        return True
    head, rest = bare, ""
    for at, char in enumerate(bare):
        if char in "([<{.:-?!":
            head, rest = bare[:at], bare[at:]
            break
    first = head.lower().strip("_$")
    if not rest:
        name = value.replace("_", "").replace("$", "")
        return (in_code and (name.isalpha() or _is_wordlike(value))) or _is_known_name(value)
    path = bare.partition("(")[0].partition("[")[0].partition("<")[0].partition("{")[0]
    if path.isupper() and "_" in path and path + "(" in bare:
        return True  # a macro of C: `IN_PASS(x`
    if in_code:
        return (
            _is_wordlike(path.rstrip(_DIGITS))
            or any(map(value.__contains__, "(["))
            or path.replace(".", "").replace("_", "").isalpha()
        )
    if first in HEADS or first in TYPES or first in VARIABLES or first in SECRET_WORDS or first in STAND_INS:
        return True
    if any(map(value.__contains__, "([<{")):
        return all(
            len(word) < 3 or word.isdigit() or _reads(word.rstrip(_DIGITS) or word)
            for word in split_words(path)
        )
    return any(word in SECRET_WORDS for word in split_words(path)) and _is_wordlike(path)


def _is_known_name(value: str) -> bool:
    """Returns whether a value is an identifier of words that usually name variables: `new_password`,
    `hashedToken`."""
    words = split_words(value)
    return all(
        word in _PARTS or word in VARIABLES or word in SECRET_WORDS or is_state(word) for word in words
    ) or ("_" in value.strip("_") and any(word in SECRET_WORDS for word in words) and _is_wordlike(value))

"""Classifies a single value: placeholder, name, generated token or password (S4.20, S4.21).

Only the value itself is considered: a word such as "example" elsewhere on the line hides nothing.
"""

from __future__ import annotations

import binascii
import math
import re
import string
from functools import cache
from operator import add

from holdfast.language.secrets.entropy import ENTROPY_THRESHOLD, least_entropy, shannon_entropy

_MAX_WORDS = 64  # characters in which words are looked for; a longer value without a digit is prose

MIN_ENTROPY_LENGTH = 20
"""Fewest characters of an unknown token that is classified (S4.21)."""

# Alphabet -> bits per character above or below the threshold, and strangeness (0.1 to 0.5 for words, 0.8 to
# 1.1 for generated text), which nearly every generated token of 20 characters reaches.
_ALPHABETS = {"base64": (0.0, 0.73), "base36": (-0.2, 0.55), "base32": (-0.25, 0.55), "letters": (0.05, 0.85)}

_SEPARATORS = "-_/+=.~:%"
_DROP_SEPARATORS = str.maketrans("", "", _SEPARATORS)
_SEPARATORS_TO_SPACE = str.maketrans(_SEPARATORS, " " * len(_SEPARATORS))
_DASHES_TO_SPACE = str.maketrans("-_", "  ")
_ASCII_LEADS = string.ascii_uppercase + "abcdef"  # with these every third byte that base64 encodes is ASCII
_TO_BASE64 = str.maketrans("-_", "+/")
_DIGITS = string.digits.encode()
_HEX = "0123456789abcdef"

# For each letter the letters that often follow it in English, German and program names.
_FOLLOWERS = {
    "a": "bcdegiklmnprstuvyx", "b": "aeilouyr", "c": "acehikloratu", "d": "adeilosurb",
    "e": "acdefglmnpqrstvxyiu", "f": "aefiloru", "g": "aeghinorsul", "h": "aeiotru",
    "i": "abcdefglmnoprstvzk", "j": "aesou", "k": "aelsiy", "l": "adeiloustyf", "m": "abeimopsu",
    "n": "acdefgiknostuve", "o": "bcdfgilmnoprstuvwk", "p": "aehiloprtuys", "q": "u",
    "r": "acdegiklmnorstuyv", "s": "acehikloprstuywm", "t": "aehiloprstuyc", "u": "abcdegilmnprst",
    "v": "aeio", "w": "aehiorn", "x": "cetpi", "y": "pstmle", "z": "aeiou",
}  # fmt: skip


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# A value of these words alone is a placeholder.
_PLACEHOLDER_WORDS = _set(
    "a access account actual add admin an ant any api apikey app application auth aws azure bar baz"
    " bearer blah boolean bot change changeit changeme client code config credential credentials custom"
    " data database db default demo do dummy empty encrypted enter env environment example fake false"
    " field fill foo foobar for from gcp generated get ghp github gitlab given glpat goes google here hf"
    " hidden id in input insert integer is key keys later like live local long masked me missing mock"
    " must my name new nil no none not npm null number of old omitted openai optional or own pass"
    " passphrase passwd password paste personal pk placeholder private prod production proj provided"
    " public put pwd qux random real redacted region removed replace replaceme required role root sample"
    " sandbox sanitized secret secrets secure sensitive service set should sk some something ssh staging"
    " string stripe strong super svc test testing text that the this to todo token tokens true type"
    " undefined unknown unset updated use user username value var variable webhook with xoxb xxx xyz you"
    " your"
)
_URL_PLACEHOLDERS = _set(
    "changeme example pass passwd password placeholder pwd your-password your_password yourpassword passwort"
    " kennwort motdepasse mot_de_passe contrasena contrase\u00f1a clave"
)

# A token that contains one of these, separators aside, is a placeholder too.
_PLACEHOLDER_PARTS = (
    "placeholder",
    "changeme",
    "replaceme",
    "your",
    "insert",
    "redacted",
    "dummy",
    "goeshere",
)
_CODED_BRACKET = re.compile(r"(&lt;|&#x3c;|&#60;)|&gt;|&#x3e;|&#62;")  # of a page's source
# Prefixes of values that reference a secret elsewhere.
_REFERENCES = (
    "process.env", "import.meta", "os.environ", "os.getenv", "getenv", "env.", "env(", "env[", "environ",
    "secrets.", "vault:", "op://", "ssm:", "ssm/", "arn:", "file:", "ref+", "!vault", "!env", "!ref",
    "enc[", "sops", "config.", "config[", "settings.", "self.", "this.", "args.", "options.", "params.",
    "props.", "request.", "req.", "ctx.", "context.", "var.", "local.", "data.", "module.", "keyring",
    "getpass", "input(", "prompt(", "system.getenv", "deno.env", "bun.env", "http://", "https://",
    "sha256:", "sha512:", "sha1:", "md5:", "${", "$(", "$env:", "<", "[redacted", "{{", "#{", "@{",
)  # fmt: skip
_BRACKETS = {"{": "}", "[": "]", "%": "%", "(": ")"}

# Encodings and identifiers that are public by nature.
_PUBLIC_STARTS = (
    "iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR", "JVBERi0", "PHN2Zy", "PD94bW", "UEsDB", "AAAAB3NzaC1",
    "AAAAC3NzaC1", "AAAAE2VjZHNh", "AAAAGnNr", "d09GMg", "T2dnUw", "SUkq", "_ZN", "_ZT", "Qm", "AIDA",
    "AROA", "AIPA", "ANPA", "ANVA", "sha1-", "sha256-", "sha384-", "sha512-", "cus_", "pi_", "price_",
    "prod_", "sub_", "in_", "ch_", "evt_", "acct_", "pm_", "seti_", "req_", "msg_", "toolu_", "chatcmpl-",
    "cmpl-", "resp_", "call_", "asst_", "thread_", "run_", "step_", "file-", "file_", "org-", "org_",
    "batch_", "dpl_", "prj_", "team_", "user_", "usr_", "session_", "conv_", "ft-", "bc1", "tb1",
    "pk_test_", "cs_", "si_", "txn_", "ii_", "il_", "ctr_", "trace-", "span-", "inv_", "dp_", "po_",
    "wrkspc_", "12D3KooW", "MIIBIjANBgkq", "MIICIjANBgkq", "MIGfMA0GCSq", "MFkwEwYHKoZI", "MHYwEAYHKoZI",
    "MCowBQYDK2V",
    "card_", "src_", "tok_", "ba_", "fp_", "snap-", "vol-", "ami-", "sg-", "subnet-", "vpc-", "eni-",
    "rtb-", "igw-", "lt-", "bafy", "bafk", "k51", "npub1", "note1", "addr1", "cosmos1",
)  # fmt: skip


@cache
def _common_pairs() -> frozenset[str]:
    return frozenset(first + second for first, followers in _FOLLOWERS.items() for second in followers)


def common_share(token: str) -> float:
    """Returns the share of letter pairs in `token` that are common in language; 1.0 without any pair."""
    pairs = [pair for pair in map(add, token.lower(), token.lower()[1:]) if pair.isalpha()]
    return sum(map(_common_pairs().__contains__, pairs)) / len(pairs) if pairs else 1.0


class _PairStrangeness(dict[str, float]):
    """A cache of pairs of neighbouring characters with their strangeness: how unlike words they are."""

    def __missing__(self, pair: str) -> float:
        first, second = pair[0], pair[1]
        value = 0.0 if _class_of(first) == _class_of(second) else 1.0
        if first.isalpha() and second.isalpha():
            value += pair.lower() not in _common_pairs()
        else:
            value += 0.3
        if pair.isascii():  # tokens are ASCII; this bounds the cache
            self[pair] = value
        return value


_PAIR_STRANGENESS = _PairStrangeness()


def _class_of(char: str) -> int:
    return 0 if char.isdigit() else 1 if char.isupper() else 2


def _strangeness(core: str) -> float:
    """Returns how unlike words `core` is, by neighbours of different class and letter pairs rare in
    language."""
    return sum(map(_PAIR_STRANGENESS.__getitem__, map(add, core, core[1:]))) / (len(core) - 1)


def looks_generated(
    token: str, *, min_length: int = MIN_ENTROPY_LENGTH, threshold: float = ENTROPY_THRESHOLD
) -> bool:
    """Returns whether `token` was drawn at random rather than written by a person (S4.21).

    It needs the entropy of its alphabet (`threshold` bits per character for digits and letters in both cases,
    up to 0.25 less for smaller alphabets), and to be unlike words. Hex and decimal strings (hashes, UUIDs,
    ids) never count, because only their name distinguishes a key from a hash. Neither do runs of the
    alphabet.
    """
    if len(token) < min_length:
        return False
    data = token.encode().translate(None, _SEPARATORS.encode())
    letters = len(data.translate(None, _DIGITS))
    digits, lower = len(data) - letters, data.lower()
    if len(data) < 8 or letters < 4 or not lower.removeprefix(b"0x").strip(_HEX.encode()):
        return False
    if lower != data and data.upper() != data:
        alphabet = "base64" if digits else "letters"
    elif digits >= 3:
        alphabet = "base36" if lower == data else "base32"
    else:
        return False
    core = data.decode()
    more, strangeness = _ALPHABETS[alphabet]
    if _strangeness(core) < strangeness or b"abcdefgh" in lower or b"12345678" in lower:
        return False
    entropy = threshold + more
    if len(core) < MIN_ENTROPY_LENGTH:
        entropy *= math.log2(len(core)) / math.log2(MIN_ENTROPY_LENGTH)
    return least_entropy(core) >= entropy or shannon_entropy(core) >= entropy


def is_unknown_secret(token: str, threshold: float = ENTROPY_THRESHOLD) -> bool:
    """Returns whether a token that no rule knows looks generated and is no public id, path or ULID
    (S4.21)."""
    if token.startswith(_PUBLIC_STARTS) or not looks_generated(token, threshold=threshold):
        return False
    if (named := _ALGORITHMS.sub(" ", token)) != token and all(map(_reads, split_words(named))):
        return False  # PBKDF2WithHmacSHA512
    if _is_ulid(token) or ("/" in token and _is_path(token)) or _is_encoded_text(token):
        return False
    parts = token.translate(_DASHES_TO_SPACE).split()
    if max(map(len, parts)) < 12:
        return False  # a name of many short parts
    rest = [part for part in parts if len(part) < 4 or part.lower().strip(_HEX)]
    if len(rest) == len(parts):
        return True
    without_hashes = "".join(rest)
    return max(map(len, rest), default=0) >= 12 and looks_generated(without_hashes, threshold=threshold)


_ALGORITHMS = re.compile(
    r"PBKDF2|PKCS\d+|HMAC|Hmac|SHA\d*|MD\d|AES\d*|RSA\d*|ECDSA|GCM|CBC|DES|PBE|(?<!\d)\d{3,4}(?!\d)"
)


def _reads(word: str) -> bool:
    return len(word) > 2 and word.isalpha() and common_share(word) >= 0.6


def _is_ulid(token: str) -> bool:
    return len(token) == 26 and token[0] in "01234567" and token.isalnum() and token.isupper()


def _is_path(token: str) -> bool:
    return any(map(_is_path_part, token.translate(_DASHES_TO_SPACE).replace(" ", "").split("/")))


def _is_path_part(part: str) -> bool:
    """Returns whether `part` is a word, possibly numbered: `tests`, `file001`."""
    word = part.rstrip(string.digits)
    return (
        len(word) >= (3 if word == part else 4)
        and word.isalpha()
        and (word.islower() or word.istitle() or word.isupper())
        and common_share(word) > 0.6
    )


def _is_encoded_text(token: str) -> bool:
    """Returns whether `token` is base64 of ASCII text in which nothing is generated."""
    if token[::4].strip(_ASCII_LEADS):
        return False
    try:
        decoded = binascii.a2b_base64(token.translate(_TO_BASE64) + "=" * (-len(token) % 4))
    except binascii.Error:
        return False
    if not decoded.isascii():
        return False
    text = decoded.decode()
    return text.isprintable() and not looks_generated(text)


def is_placeholder(value: str, *, password: bool = False) -> bool:
    """Returns whether `value` only stands for a secret: `<your-key>`, `xxxx`, `changeme`, `${ENV}` (S4.20).

    A password may contain a word such as "dummy", so for passwords only whole values count.
    """
    lower = value.strip().lower()
    if lower.startswith("&"):
        lower = _CODED_BRACKET.sub(lambda match: "<" if match[1] else ">", lower)
    if _is_reference(lower):
        return True
    if "xxxx" in lower or "****" in lower or "...." in lower or "\u2022\u2022" in lower or "\u2026" in lower:
        return True
    bare = lower.translate(_DROP_SEPARATORS)
    if len(set(bare)) <= 2 or (not password and any(map(bare.__contains__, _PLACEHOLDER_PARTS))):
        return True
    return not _digits(value) and all(map(_is_placeholder_word, split_words(value)))


def _is_reference(lower: str) -> bool:
    """Returns whether a value is a reference that is filled in elsewhere: `${ENV}`, `%ENV%`, `<secret>`,
    `os.environ[...]`."""
    if not lower or lower.startswith(_REFERENCES) or "${" in lower or "{{" in lower:
        return True
    if lower[0] == "$" and lower[1:].replace("_", "").isalpha():
        return True
    return _BRACKETS.get(lower[0]) == lower[-1] or (lower.startswith("__") and lower.endswith("__"))


def stands_for_credentials(value: str) -> bool:
    """Returns whether the password of a URL is a placeholder; `guest` and `secret` are real passwords."""
    lower = value.lower()
    is_stand_in = value.isupper() and lower in _PLACEHOLDER_WORDS
    return (
        _is_reference(lower)
        or lower in _URL_PLACEHOLDERS
        or (lower.startswith(("your", "my")) and lower.endswith("here"))
        or is_stand_in
        or len(set(lower)) == 1
        or "xxxx" in lower
    )


def _digits(value: str) -> int:
    data = value.encode("utf-8", "replace")
    return len(data) - len(data.translate(None, _DIGITS))


def split_words(value: str, *, longest: int = _MAX_WORDS) -> list[str]:
    """Splits the first `longest` characters at everything that is not a letter or digit, and at camelCase
    humps; lower case."""
    words: list[str] = []
    current = before = ""
    for char in value[:longest]:
        if not char.isalnum() or (char.isupper() and before.islower()):
            words.append(current)
            current = ""
        if char.isalnum():
            current += char
        before = char
    return [word.lower() for word in (*words, current) if word]


def _is_placeholder_word(word: str) -> bool:
    """Returns whether a value is a placeholder such as `password`, also one of joined words such as
    `mysecretpassword`."""
    if word in _PLACEHOLDER_WORDS:
        return True
    if len(word) > 32 or not word.isalpha():
        return False
    reachable = [0]
    for end in range(2, len(word) + 1):
        if any(end - start > 1 and word[start:end] in _PLACEHOLDER_WORDS for start in reachable):
            reachable.append(end)
    return reachable[-1] == len(word)


def is_name_like(value: str) -> bool:
    """Returns whether `value` reads as words: `token_token`, `db-credentials-prod-v2`, `auth.reset.label`."""
    for part in set(value.translate(_SEPARATORS_TO_SPACE).split()):
        letters = part.rstrip(string.digits)
        digits = len(part) - len(letters)
        if (letters and not letters.isalpha()) or digits > (3 if letters else 4):
            return False
        if len(letters) > 3 and common_share(letters) < 0.6:
            return False
    return True


def is_distinctive(value: str) -> bool:
    """Returns whether a word in a sentence is hardly one of the language: digits or symbols inside, letters
    of both cases in no order of a name, or letters that seldom follow each other."""
    core = value.strip(".,:;!?()[]{}\"'`\u2019")
    if len(core) < 4:
        return False
    digits = _digits(core)
    if digits == len(core):
        return digits >= 4 and not (digits == 4 and core[:2] in ("19", "20"))
    parts = core.split("-")
    if len(parts) > 3 and all(len(part) > 2 and part.isalpha() and part.islower() for part in parts):
        return True  # words drawn by dice
    if digits:
        letters = core.rstrip(string.digits)
        if digits > 1 and _is_passphrase(letters):
            return True
        if is_name_like(core) and len(core) - len(letters) < 3:
            return False
        return not ("-" in core and is_name_like(core)) and not _is_number_with_unit(core)
    if any(not char.isalnum() and char not in "-_./:'\u2019,&()" for char in core):
        return True
    if not core.isalpha():
        return False
    if core.isascii():
        inner = core[1:]
        if inner.lower() != inner and inner.upper() != inner:
            return common_share(core) < 0.6 or (len(split_words(core)) > 2 and common_share(core) < 0.75)
        return len(core) >= 6 and common_share(core) < 0.5
    scripts = {char > "\u024f" for char in core.lower()}
    return len(scripts) > 1


def has_number(value: str) -> bool:
    """Returns whether a value has digits next to letters, other than a measure or a year, as people add to a
    word."""
    letters = sum(map(str.isalpha, value))
    return letters >= 3 and letters < len(value) and any(map(str.isdigit, value)) and not value[0].isdigit()


def is_unlike_words(value: str) -> bool:
    """Returns whether no sentence would hold a value, or it is a word with a number."""
    return is_distinctive(value) or has_number(value)


def _is_passphrase(letters: str) -> bool:
    """Returns whether a value is words that a person joined, perhaps before a number: `saturnGarden`,
    `lantern-thunder-river`."""
    parts = split_words(letters)
    if not all(part.isalpha() and len(part) > 3 for part in parts):
        return False
    return (
        len(parts) > 2 if "-" in letters else len(parts) == 2 and letters.isalpha() and letters[0].islower()
    )


def _is_number_with_unit(value: str) -> bool:
    rest = value.lstrip(string.digits + ".,")
    return rest != value and len(rest) <= 9 and rest.strip("%+-").isalpha() and rest.islower()

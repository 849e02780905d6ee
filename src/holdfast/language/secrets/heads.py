"""The names of secrets with what binds them to a value: signs, verbs, options, brackets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form
from holdfast.language.secrets.names import ALL_NAMES, SUFFIX, NameRule, family_of
from holdfast.language.secrets.part import QUOTES

_MAX_LINE = 200  # bytes after a name that are looked at
SENTENCE_ENDS = b".,:;)]}\\"
_WHITE = bytes(0x20 if code <= 0x20 else code for code in range(256))
_ASCII_ENDS = bytes(
    0x20 if code <= 0x20 or code >= 0x80 or code in b"\"'`<>,;" else code for code in range(256)
)


@dataclass(frozen=True, slots=True)
class Head:
    """The properties of a name and what binds it to the value after it."""

    rule: NameRule
    quote: bytes
    is_escaped: bool
    form: Form
    ends: bytes
    in_url: bool
    is_element: bool
    is_cell: bool
    is_option: bool
    is_call: bool
    is_list: bool
    is_verb: bool
    """Whether it may be the verb "pass" or "identified by" rather than a name."""
    is_arrow: bool
    is_dash: bool
    is_dense: bool
    """Whether the cell begins right after the line between two cells."""
    is_alternative: bool
    """Whether it is compared: `token == "if"`."""
    has_equals: bool
    is_tight: bool
    """Whether there is nothing between the sign and the value: `password=…`."""
    trailing: bytes
    is_fenced: bool
    """Whether the value begins right after the mark of a block of code."""


@cache
def name_pattern() -> Any:
    """Returns the pattern that ends in the first character of a value."""
    close = r"(?:\\{0,2}[\"'`\]}]|\*\*|__|&quot;|\??){0,3}"
    of = (
        r"(?:for|of|to|on|in|at|f\x{fc}r|vom|von|zum|der|des|de la|du|de|del|da|pour|para|sur|voor|van|di"
        r"|della|per|do|\x{43e}\x{442}|\x{434}\x{43b}\x{44f}|\x{43a}|od|dla)"
    )
    whose = rf"(?:[ \t]+{of}(?:[ \t]+[\pL\d_@./'\x{{2019}}-]+){{1,5}}?)?(?:[ \t]?[(\[][^()\[\]\n\0]+[)\]])?"
    typed = (
        r"[ \t]+(?:as )?string[ \t]*=|:[ \t]*(?:&'?(?:static )?)?(?:str|string|text|Optional\[str\]"
        r"|SecretStr)(?:[ \t]?\|[ \t]?\w+)?[ \t]*="
    )
    sign = (
        rf"(?:{typed}|::[ \t]|:=|\?=|\+=|=>|===?|!==?|->|<-|=|:|\||\x{{2192}}|\t|\xa0:)"
        r"|[ \t]*\.{3,}[ \t]?|[ \t]+(?:-|\x{2013}|\x{2014})[ \t]"
    )
    assign = rf"[ \t]*(?:{sign})[ \t]*(?:(?:[|>][-+]?[ \t]*)?\n[ \t]+)?"
    verb = (
        r"(?:[ \t]+(?:is|was|are|be|equals|ist|war|lautet|heisst|hei\x{df}t|sind|es|est|era"
        r"|\x{e9}|\x{e8}|to|jest|brzmi|wordt|je|er|\x{e4}r|este|adalah|ialah|l\x{e0}|это|είναι|е|है|คือ|luidt|becomes|should|will|has|been|c['\x{2019}]est|diventata"
        r"|(?:set|changed|updated|reset)(?: from [^\s\0]+)? to|now|currently|still|also|jetzt"
        r"|nun|maintenant|ahora)|'s|\x{2019}s)+[ \t]*:?[ \t]+"
    )
    mine = (
        r"(?:[ \t]*[?,;.\x{2013}-]{1,3}[ \t]*(?:mine|meins|ours|unseres|le mien|la m\x{ed}a|it|that|es|das"
        r"|c['\x{2019}]est)[ \t]*(?:is|was|ist|lautet|est|es|['\x{2019}]s|=|:)?[ \t]+|[ \t]*\?[ \t]+)"
    )
    listed = r"[\"']?,?(?:[ \t]+\w+=\"[^\"\n\0]*\"){0,3}\s*[\"']?value[\"']?\s*[:=]\s*"
    preset = r"[\"'][ \t]*\{\s*(?:\w+[ \t]*=[ \t]*[^\n\0]*\n\s*){0,4}default[ \t]*=[ \t]*"
    element = r"[ \t]*</\w+>\s*<\w+[^<>\n\0]*>|>"
    wide = r"(?:\x{662f}|\x{ff1a}|\x{3001}|\x{306f}|\x{4e3a}|\x{c740}|\x{b294}){1,2}\s{0,2}"
    opening = (
        r"(?:\*\*[ \t]*|(?:String::from\("
        r"|[bBrRfFuU@$]{0,2})\\{0,2}(?:\"\"\"|'''|```|[\"'`\x{201c}\x{201e}\x{ab}]))?"
    )
    binding = (
        rf"(?:(?:{whose}(?:{assign}|{verb})|{mine}|{listed}|{preset}|{element}|{wide}){opening}"
        rf"|[\"'][ \t]*,[ \t]*[\"']|[ \t]+[\"'`\x{{201c}}\x{{201e}}\x{{ab}}]|\([\"'])"
    )
    option = rf"\B(?:--?|/)[\w.-]*(?:{ALL_NAMES}){SUFFIX}[ \t=:]+[\"']?"
    return byte_pattern(rf"(?i)(?:{option}|[?&;]?(?:{ALL_NAMES}){SUFFIX}{close}{binding})[^\s\0]")


@lru_cache(maxsize=2048)
def head_of(text: bytes) -> Head:
    """Reads what precedes a value, from the name of the secret to the sign or quotation mark before the
    value: the rule of the name, and the form that they give the value."""
    name = text.decode("utf-8", "replace").casefold()
    rule = family_of(name)
    bare = text.rstrip(b" \t*\"'`\\\n\xe2\x80\x9c\x9e\xc2\xab")
    last = bare[-1:]
    is_option = text[:1] in b"-/"
    is_wide = last >= b"\x80" and not bare.endswith((b"\xe2\x86\x92", b"\xe2\x80\x93", b"\xe2\x80\x94"))
    signs = (
        last in b"=:>|,(\t" or last in b"-" or bare.endswith((b"\xe2\x86\x92", b"\xe2\x80\x93")) or is_option
    )
    in_prose = not signs and not is_wide
    quote = _closing_quote(text)
    is_element = last == b">" and not bare.endswith((b"->", b"=>"))
    is_cell = last == b"|"
    is_typed = (
        b"==" in bare[-3:]
        or b"!=" in bare[-3:]
        or (last == b"=" and b":" in bare[:-1] and not bare.endswith(b":="))
        or bare.endswith(b":=")
    )
    is_code = b'"]' in bare or b"']" in bare or b"] =" in bare
    if quote or is_option or is_element or is_cell or text[:1] in b"?&;":
        form = Form.LITERAL
    elif in_prose:
        form = Form.PROSE
    elif is_typed or is_code:
        form = Form.CODE
    else:
        form = Form.BARE
    return Head(
        rule,
        quote=quote,
        is_escaped=bool(quote) and text[-2:-1] == b"\\",
        form=form,
        ends=_ASCII_ENDS if is_wide else _WHITE,
        in_url=text[:1] in b"?&",
        is_element=is_element,
        is_cell=is_cell,
        is_option=is_option,
        is_call=bare[-1:] == b"(" and bool(quote),
        is_list=last == b"," and bool(quote),
        is_verb=_is_verb(text, name, last, has_quote=bool(quote), has_sign=bool(signs)),
        is_dash=last == b"-",
        is_arrow=bare.endswith(b"->"),
        is_dense=text[-1:] == b"|",
        is_alternative=is_typed and bare.endswith((b"==", b"!=")),
        has_equals=bare.endswith(b" ="),
        is_tight=text[-1:] == b"=",
        is_fenced=text.rstrip(b" \t").endswith(b"```"),
        trailing=SENTENCE_ENDS + b"*" if text[-1:] == b"*" else SENTENCE_ENDS,
    )


def _closing_quote(text: bytes) -> bytes:
    """Returns the mark that closes the quotation which a head opens; empty if it opens none."""
    if text.endswith(b"\xe2\x80\x9e"):
        return b"\xe2\x80\x9c"
    if text.endswith(b"\xe2\x80\x9c"):
        return b"\xe2\x80\x9d"
    if text.endswith(b"\xc2\xab"):
        return b"\xc2\xbb"
    return text[-1:] if text[-1:] in QUOTES else b""


def _is_verb(text: bytes, name: str, last: bytes, *, has_quote: bool, has_sign: bool) -> bool:
    """Returns whether a name is no name of a secret but says what is done: "pass the", `--ask-password`."""
    return (
        (name[:4] == "pass" and not name[4:5].isalnum() and last not in b"=:>|(")
        or (name[:3] == "pin" and has_quote and not has_sign)
        or (text[:1] == b"/" and not {b"=", b":"} & {text[-1:], text[-2:-1]})  # a path, not an option
        or (
            has_quote and text[-2:-1] in b" \t" and text[:-1].rstrip(b" \t")[-1:] in QUOTES
        )  # "secret" "name"
        or name.startswith("identified")
        or name.lstrip("-").startswith(("ask-", "prompt-"))  # asks for it, and takes none
    )


def precedes_no_value(data: bytes, first: int, start: int, head: Head) -> bool:
    """Returns whether what follows a name is no value: what a password is got for (`bw get password
    "mail"`), a count of tests that passed, the description or placeholder of an option in a usage text."""
    if head.quote and data[max(0, first - 4) : first].lower() == b"get ":
        return True
    line = data[start : start + _MAX_LINE].split(b"\n", 1)[0]
    name = data[first:start]
    if head.is_option:
        is_described = name.endswith(b"  ") and len(line.split()) > 1 and line.split(b" ", 1)[0].isalpha()
        return is_described or name.strip(b" -=:").upper() == line.rstrip().split(b"]", 1)[0]
    return byte_pattern(r"(?i)pass:[ \t]*$").match(name) is not None and bool(
        byte_pattern(r"(?i)\d+[, \t;]+(?:fail|skip|warn|error)").match(line)
    )

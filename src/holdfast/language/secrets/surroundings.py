"""Says what a value is by the text around it, where that makes it something else than a secret."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.names import SPOKEN_NAMES

_BEFORE, _AFTER = 160, 48  # bytes around a value that are looked at
_PAIR = byte_pattern(r"\b([A-Z]{2,5})[ \t]*=[ \t]*([^\s=,;|][^=,;|\n\0]*)")

# What stands before a value, what it is, and what stands after it; a value has to match all three.
_SURROUNDINGS = (
    # a line of a stack trace: `(KeyStore.java:2159)`
    (r"\(?[\w$.-]+\.(?:java|kt|kts|scala|groovy|clj|cs|py|rb|go|js|mjs|ts|tsx|cpp|c|h|rs|php):$", r"\d+", ""),
    # declared names: `data Token = TInt Int`, `object WrongPassword : AuthError`
    (
        r"\b(?:data|type|newtype|enum|class|object|interface|struct|trait|typealias|using)[ \t]+[A-Z]\w*"
        r"(?:[ \t]+[a-z]\w*)*[ \t]*[:=][ \t]*$",
        r"[A-Z][A-Za-z]*(?:[ \t,.<({;].*)?",
        "",
    ),
    # symbols: `{:token :ident}`, `password: :hidden`
    (r"(?:^|[\s({\[,])(?::[\w-]+|[\w-]+:)[ \t]+(?:=>[ \t]*)?:$", r"[a-z_]+(?:-[a-z]+)*[?!]?", ""),
    # nothing at all, with what closes around it: `find(token: nil).count`
    (r"[:=][ \t]*$", r"(?i:nil|null|none|undefined|true|false)[)\]}].*", ""),
    # names of fields that are listed, and of what is looked up
    (
        r"(?i)(?:\b|_)(?:columns|fields|keys?|only|except|exclude|pick|omit|drop|permit|attributes|fillable|hidden"
        r"|guarded|contains_?keys?|has_?keys?|names)[\"']?[ \t]*(?:=>|[=:(])[ \t]*[\[({]*"
        r"(?:[\"'][\w.-]+[\"'][ \t]*,[ \t]*)+[\"']$",
        r"[a-z]+(?:_[a-z]+)*",
        r"[\"'][ \t]*[,\])}]",
    ),
    (r"_hash\([ \t]*[\"']$", r"(?:sha|md|b?crypt|argon)[\w-]*", r"[\"']"),
    (r"\{\{[^}\n]*\blookup\([^)\n]*$", r".*", ""),
    # where a secret is: files of credentials, a vault, what was not found
    (r"(?:Load|Import)Credential(?:Encrypted)?=[ \t]*$", r"[\w.@-]+(?::.*)?|\S*\*", ""),
    (r"[:=][ \t]*$", r"(?i:see|siehe|zie|v\x{e9}ase|vedi|voir|zob\.?)", r"[ \t]+\S"),
    (
        r"(?i)(?:secret|credential|token|geheimnis|zugangsdaten)s?[ \t]+[\"'`\x{201e}\x{201c}]$",
        r"[\w./-]+",
        r"[\"'`\x{201c}\x{201d}][ \t]+(?i:(?:was|is|were|could|does|did)?[ \t]*not\b"
        r"|doesn't\b|(?:is |was |has )?(?:missing|already|expired|created|deleted|unchanged)|in namespace"
        r"|fehlt|existiert|introuvable|no existe|non trovato)",
    ),
    # a variable that has another name now, an error, a command, a pin of a board
    (
        r"[ \t\"'`(]$",
        r"[\"'`]?[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)*_+(?:PASSWORD|PASSWD|PASS|PW|PWD|SECRET|TOKEN|KEY|PIN)[\"'`]?",
        "",
    ),
    (r"\bcode[\"']?[ \t]*[:=][ \t]*[\"']$", r"(?:E|ERR|ERROR)_[A-Z]+(?:_[A-Z]+)*(?:_\d{1,4})?", r"[\"']"),
    (r"\balias[ \t]+[\w.-]+=[\"']?$", r"[\w./-]+[ \t].*", ""),
    (r"\|[ \t]*tee[ \t]+[^|\n]*\|[ \t]*$", r".*", ""),
    (r"(?i)\bpins?[\"']?[ \t]*[:=][ \t]*[\"']?$", r"GPIO[ _]?\d{1,2}", ""),
    (r"(?i)\bssh-keygen[ \t][^\n|;&]*[ \t]-C[ \t]+[\"']?$", r"[\w.+-]+@[\w.-]+", ""),
    (r"_key[\"']?[ \t]*[:=][ \t]*[\"']?$", r"GENERATE|AUTO", ""),
    # what no token leads to: `No cached token → call the provider`
    (
        r"(?i)\b(?:no|without|missing|keine?n?|ohne|sans|sin|senza)[ \t]+(?:[\w-]+[ \t]+){0,2}"
        r"(?:token|secret|password|passwort|key|pin)s?[ \t]*(?:\x{2192}|->|=>)[ \t]*$",
        r"\D*",
        "",
    ),
    # an attribute of a credential, an option that is switched off, the user of a key, a badge, a package
    (r"(?i)(?:secret|credential|token|key)s?['\x{2019}]s[ \t]+[\"'`]+$", r"[a-z]+(?:_[a-z]+)+", r"[\"'`]"),
    (r"[ \t]--no-(?:[\w-]*-)?(?:pin|pass\w*|token|secret|key)s?(?:-[\w-]*)?[ \t]+$", r".*", ""),
    (r"(?i)\b(?:user|for|uid)(?:[ \t]+id)?:?[ \t]*[\"']$", r".*<[\w.+-]+@[\w.-]+>", ""),
    (r"(?i)\bbadges?\b[\w./-]*\?(?:[\w=&.-]*&)?token=$", r".*", ""),
    (
        r"(?i)^(?:build-)?(?:requires|depends|recommends|suggests|provides|breaks)(?:-dist|-extra)?:"
        r"(?:[^\n]*[,|])?[ \t]*$",
        r"[\w.+-]+",
        "",
    ),
    # where a token goes, what it is made of, its declared type
    (
        r"(?i)\b(?:push|append|add|send|pass|write|give|return|attach|bind|forward|emit)\w*[ \t]+"
        r"(?:\w+[ \t]+){0,2}(?:token|secret|key|password)s?[ \t]+to[ \t]+[\"'`]?$",
        r"[\pL_.]+",
        "",
    ),
    (r"(?i)(?:to|from|next|parse|find|peek|match)_?tokens?\([ \t]*[\"']$", r"[A-Za-z][A-Za-z_.]*", r"[\"']"),
    (r":(?:type|rtype|vartype)\b[^:\n]*:[ \t]*$", r"[A-Za-z_][\w.]*", ""),
    (r"\bDEBUG=\S*$", r"[\w*:,-]+", ""),
    (r"[\s\"'`(]$", r"(?:sys|os|np|numpy|math|typing|datetime|logging|self|cls)(?:\.[A-Za-z_]\w*)+", ""),
    (r":[a-z]+:`[~!]?$", r"[\w.]+", "`"),  # :class:`Decorator`
    (r"`[a-z]:$", r"[a-z]+[A-Z]\w*", "`"),  # an element of a namespace: `p:cxnSp`
    # the algorithm of a signature, and whose it is
    (r"(?i)authorization:[ \t]*$", r"[A-Z0-9]+(?:-[A-Z0-9]+)+", r"[ \t]+Credential="),
    (r"\bCredential=$", r"[\w-]+/\d{8}/[\w/-]+", ""),
    (r":[a-z]+:`[^`\n]*`[ \t]+to[ \t]+$", r"[a-z]+(?: [a-z]+)*", ""),  # :meth:`text_for_token` to get text
    # a placeholder in brackets, a pattern, the service and the account before a password
    (r"(?i)\b(?:bearer|basic|token)[ \t]+$", r"\[\pL+", r"(?:[ \t]+\pL+){1,4}\]"),
    (r"[:=][ \t]*[\"']?$", r"\(?\[\^[^\]]*\].*|\(\?[:<P].*|\\[Swd][+*].*", ""),
    (
        r"(?i)\bset_?password\((?:[^,()\n]*,)?[ \t]*[\"']$",
        r"\pL+(?:[ ._@-]\pL+)*",
        r"[\"'][ \t]*,[ \t]*(?:[\"']|\w+[ \t]*,[ \t]*[\"'\w])",
    ),
    # a message about a wrong password, and what it is about
    (
        r"(?i)\b(?:wrong|invalid|incorrect|bad)[ \t]+(?:\w+[ \t]+or[ \t]+)?(?:password|passphrase|pin)"
        r"[ \t]*\?*[ \t]*[:|][ \t]*$",
        r"[A-Z][a-z]+|[\w.-]+(?:/[\w.-]+)+",
        r"[ \t]*(?:\n|$)",
    ),
    # sentences: what a password will do, and what begins the next one
    (
        r"(?i)\b(?:password|pin|passcode|code|token)s?[ \t]+(?:will|must|should|shall)[ \t]+$",
        r"[a-z]+",
        r"[ \t]+[a-z]+\b",
    ),
    (r"(?i)\b(?:kind|sort|type|form)[ \t]+of[ \t]+\w+\?[ \t]+$", r"[A-Z][a-z]+", r"[ \t]"),
    # the number of a telephone, a person, a contract, a device
    (
        r"(?i)(?:\b(?:tel|telefon|telephone|phone|extension|ext|ankn|durchwahl|landline|int|fax|tlf)\b\.?"
        r"|\b(?:staff|employee|customer|member|personnel|account|invoice|order|job|ticket|contract|case|serial"
        r"|model|part|reference|tracking|exhibit)(?:[ \t]+(?:number|no|nr|id))\b\.?"
        r"|\b(?:invoice|ticket|job|extension|exhibit)\b"
        r"|(?:kunden|personal|rechnungs|mitglieds|auftrags|serien|chargen|vertrags|fahrgestell|inschrijf|klant|order)"
        r"(?:nummer|nr)\.?"
        r"|\b(?:matricola|matr\x{ed}cula|siniestro|presupuesto|factura|expediente|contrat|dossier"
        r"|codice cliente|numero cliente))"
        r"(?:[ \t]*(?:[:=#,\x{ab}\x{bb}\x{b0}\"]|is\b|ist\b|es el\b|es\b|bei Ihnen also\b)){0,3}[ \t]*"
        r"(?:\d{2,5}[ \t]){0,3}$",
        r"[A-Z]{0,3}\d[\d /-]*\d",
        r"(?:\W|$)",
    ),
    # plates, parts, batteries, codes of errors, issues
    (
        r"(?i)\b(?:placas?|plates?|(?:kfz-)?kennzeichen|matr[i\x{ed}]cula|targa|kenteken|immatriculation)\b"
        r"[ \t:=]*$",
        r"[\w -]{5,10}",
        "",
    ),
    (r"\b[A-Z\x{c4}\x{d6}\x{dc}]{1,3}-[A-Z]{1,2}[ -]?$", r"\d{1,4}", r"(?:\W|$)"),
    (
        r"(?i)(?:\br\x{e9}f\.?|\bref\.|\b(?:fritz!?box|modell?|mod\x{e8}le|modelo|s/n|art\.-nr\.))[ \t:]*$",
        r"[A-Z\d][\w/-]*\d[\w/-]*",
        "",
    ),
    (r"(?i)\b(?:battery|batterie|pile|pila)\b[^\n]{0,60}$", r"(?:CR|LR|SR)\d{2,4}", ""),
    (r"(?i)(?:ereignis|event|error|fehler|fault|stop|exit)[ _-]?codes?[\"']?[ \t]*[:=][ \t]*$", r"\w+", ""),
    (r"(?:^|[\s:(])$", r"0x[0-9A-Fa-f]{1,8}", ""),
    (r"\($", r"#\d{1,6}", r"\)"),
    # years, limits, times of a schedule
    (r"(?i)\b(?:since|seit|depuis|in)[ \t]+$", r"(?:19|20)\d\d", r"(?:\W|$)"),
    (r"(?i)\b(?:entre|between|zwischen|tussen|tra|fra)[ \t]+$", r"\w+", r"[ \t]+(?:y|et?|and|und|en|ou?)\b"),
    (r"(?i)\b(?:schedule|cron)[\"']?[ \t]*[:=][ \t]*[\"']?$", r"[\d*/,-]+(?: [\d*/,-]+)*", ""),
    # keys of tables, another field of a form, a page of settings
    (
        r"(?i)\b(?:clave|key|cl\x{e9}|schl\x{fc}ssel|chiave)[ \t]+(?:primari[ao]|for\x{e1}ne[ao]|primaire"
        r"|\x{e9}trang\x{e8}re|primary|foreign|esterna|ajena)[ \t]*[:=][ \t]*$",
        r"[\w.]+",
        "",
    ),
    (r"(?i)\bpassword,?[ \t]+(?:and|or|und|et|y|e)[ \t]+[`\"']?$", r"[a-z]+(?:_[a-z]+)+", ""),
    (
        r"(?i)\b(?:settings|instellingen|einstellungen|param\x{e8}tres|ajustes|impostazioni)\b[^\n]* > $",
        r"\pL+",
        "",
    ),
    # figures of speech
    (
        r"(?i)\b(?:claves?|secretos?|secrets?|cl\x{e9}s?|chiave|segreto|key|geheimnis|schl\x{fc}ssel|sleutel)"
        r"[ \t]+"
        r"(?:del?|de la|de l'|du|di|of|to|zum|des|tot)[ \t]*(?:a |our |my |her |his )?"
        r"(?:\x{e9}xito|success|succ\x{e8}s|successo|erfolgs?|succes|felicidad|happiness|bonheur|gl\x{fc}cks?)"
        r"[ \t]*(?:[:=]|is|es|est|\x{e8})[ \t]*$",
        r"[\pL ,']+[.!]?",
        "",
    ),
    (r"(?i)\btoken of (?:\w+ )?(?:appreciation|gratitude|thanks|respect)[ \t]*[:=][ \t]*$", r".*", ""),
)  # fmt: skip


_UNLESS_NAMED = (
    # a number to call, the name of an account or a network, a parcel, a postcode, years
    (
        r"(?i)\b(?:phone|call|ring|text|dial)\b[^\n.;:]{0,24}\b(?:on|at)[ \t]+$",
        r"\d[\d ]{2,}",
        "",
    ),
    (
        r"(?i)\b(?:(?:handle|gamertag|screen name|user ?name|usuario|usu\x{e1}rio|identifiant|pseudo|nickname"
        r"|gebruikersnaam|nome utente)(?: \w+){0,3}|(?:wi-?fi|wlan|network|netzwerk)(?:[ -]?name)|ssid)"
        r"(?: (?:is|ist|lautet|es|est|\x{e8}|\x{e9})|[:=])[ \"']*$",
        r"\S+",
        "",
    ),
    (
        r"(?i)\b(?:tracking|tracciamento|seguimiento|suivi|sendungsnummer|env[i\x{ed}]o|spedizione|colis)\b"
        r"[^\n.;:]{0,16}:?[ \t]*$",
        r"[A-Z0-9][A-Z0-9 -]{7,}",
        "",
    ),
    (
        r"(?i)\bpost(?:al)?[ -]?codes?\b[^\d\n]*$",
        r"[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}|\d{4,5}",
        "",
    ),
    (r"(?:\S+[ \t]+){0,3}$", r"(?:19|20)\d\d", r",[ \t]*(?:19|20)\d\d\b"),
)  # fmt: skip
"""As above, where what stands before a value has no word for a secret: `username ana password: …`."""
_NAMED = rf"(?i)(?:{SPOKEN_NAMES}|secret|\bpins?\b|\bcodes?\b)"


@cache
def _patterns() -> tuple[tuple[Any, Any, Any, bool], ...]:
    return tuple(
        (byte_pattern(before), byte_pattern(value), byte_pattern(after), is_open)
        for is_open, table in ((False, _SURROUNDINGS), (True, _UNLESS_NAMED))
        for before, value, after in table
    )


def is_something_else(data: bytes, start: int, end: int) -> bool:
    """Returns whether the text around a value says that it is no secret: a line of a stack trace, a symbol,
    a name that is declared or listed, an abbreviation that is explained."""
    before = data[max(0, start - _BEFORE) : start].rpartition(b"\n")[2]
    value, after = data[start:end], data[end : end + _AFTER]
    return any(
        of_value.fullmatch(value)
        and (match := of_before.search(before))
        and of_after.match(after)
        and not (is_open and byte_pattern(_NAMED).search(match[0]))
        for of_before, of_value, of_after, is_open in _patterns()
    ) or _is_explained(data, start, end)


def _is_explained(data: bytes, start: int, end: int) -> bool:
    """Returns whether a value spells out the abbreviation before it, in a list of such: `PIN = property
    identification number, PW = public works`."""
    if data[start - 2 : start].rstrip(b" ")[-1:] != b"=":
        return False
    begin = data.rfind(b"\n", max(0, start - _BEFORE), start) + 1 or max(0, start - _BEFORE)
    line = data[begin : end + _BEFORE].partition(b"\n")[0] if b"\n" not in data[start:end] else b""
    spelled = {match.start(2) for match in _PAIR.finditer(line) if _spells(match.group(1), match.group(2))}
    return start - begin in spelled and len(spelled) > 1


def _spells(short: bytes, words: bytes) -> bool:
    """Returns whether words begin with the first letter of an abbreviation and have the others in order."""
    letters = iter(words.lower())
    return words[:1].upper() == short[:1] and all(letter in letters for letter in short.lower())

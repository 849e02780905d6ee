"""The names of secrets: which words mean password, secret, token or key, in several languages (S4.20)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NameRule:
    """A family of names (`api_key`, `password`, ...) whose value is a secret unless it is known to be
    harmless.

    `names` is RE2 syntax. `keywords` are lower-case parts of the names that tell the families apart. A value
    has at least `min_length` characters.
    """

    type: str
    names: str
    keywords: tuple[str, ...]
    min_length: int


_PLACE = (
    r"(?:doors?|gate|garage|alarm|entry|entrance|building|lock(?:er|box)?|safe|vault|buzzer|wi-?fi|wlan|login"
    r"|log-in|sign-?in|access|unlock|security|porta|cancello|allarme|cassaforte|puerta|port\x{f3}n|alarma"
    r"|port(?:e|ail)|alarme|coffre|immeuble|t\x{fc}r|tor|haust\x{fc}r|tresor|deur|poort|kluis|bramy|drzwi"
    r"|sejfu|alarmu|domofonu)"
)
CODES = (
    rf"\b(?:{_PLACE}[ _-]?code"
    rf"|(?:code|codice|c\x{{f3}}digo|kod)(?: (?:for|of|to|per|del?|della|du|pour|para|f\x{{fc}}r|do|van"
    rf"|voor))?(?: (?:the|my|our|la|las?|il|l[ao]s|le|el|die|das|den|de|het))? ?(?:f\x{{fc}}rs )?{_PLACE})\b"
    r"|\b(?:parola(?: chiave)?|parole|sandi|sifr[aue])\b|\bšifr[aue]\b|шифр[ау]|код доступ[ау]"
    r"|κωδικός|κωδικό|гасло"
)
"""Codes of doors and devices, and words that also mean a cipher or a motto: said of many things, so
only an unmistakable word is one."""
_OTHER_LANGUAGES = (
    r"|(?:\b|_)(?:heslo|hesla|geslo|gesla|parool|parol|kata sandi|kata laluan|mật khẩu)"
    r"|lozink[aue]|zapork[aue]|salasana|tunnussana|jelsz(?:[óo]|avam?)|passord|adgangskode|şifre(?:si|n|niz|m)?|parolanız"
    r"|şifrə|slaptažod\w*|lykilorð|pasahitza|contrasenya|contrasinal|fjalëkalim\w*"
    r"|parolă|parola d['’]ordine"
    r"|κωδικός πρόσβασης|συνθηματικό|парол(?:а(?:та)?|я|ем|і|е|и)|лозинк[аеу]"
    r"|құпия ?сөз|нууц үг|პაროლი|գաղտնաբառ"
    r"|پاس[ \x{200c}]?ورڈ|رمز (?:عبور|ورود)|گذرواژه|پسورد|كلمة (?:ال)?(?:مرور|سر)|الرقم السري"
    r"|סיסמ[האת]|पासवर्ड|संकेतशब्द|পাসওয়ার্ড|પાસવર્ડ|ਪਾਸਵਰਡ"
    r"|கடவுச்சொல்|పాస్\x{200c}?వర్డ్|ಪಾಸ್\x{200c}?ವರ್ಡ್|പാസ്\x{200c}?വേ(?:ർ|ര്)?ഡ്|මුරපදය"
    r"|รหัสผ่าน|ລະຫັດຜ່ານ|លេខសម្ងាត់|စကားဝှက်|口令|暗証番号|암호|패스워드"
)
"""What a password is called in other languages of Europe and Asia, where the word means nothing else."""
_START = r"(?:\b|_)"  # where a short name begins; a hump of camelCase is listed beside it

# fmt: off
NAME_RULES: tuple[NameRule, ...] = (
    NameRule(
        "password",
        r"pass(?:word|wort|wd|[ -]?phrase|code|wrd|wrod|owrd)|\bpas(?:word|wort)"
        r"|access[ -]code|pwd|pswd|kennwort|kenncode|zugangscode"
        r"|wachtwoord|l\x{f6}senord|has(?:\x{142}|l)(?:o|em)\b"
        r"|(?:store|key|bind|root|db|user|admin|ssl|smtp|mail|become_|\b(?:[a-z]|my|ftp|ssh|vpn|wifi|sql|web|git))"
        r"(?:pass|pw)"
        rf"|{_START}(?:pass|pw|psw|mdp|psk|senha|clave|pin(?:[ _-]?(?:code|nummer|number))?)"
        r"|(?-i:[a-z0-9](?:Pass|Pw|Mdp|Psk|Pin))|requirepass|masterauth"
        r"|(?:alarm|disarm|door|gate|lock|unlock|entry|keypad)_(?:(?:disarm|arm|access|entry|open|unlock)_)?code"
        r"|identified(?: (?:with|via) [\"'`]?[a-z0-9_]+[\"'`]?)? by"
        r"|contrase\x{f1}a|contrasen(?:i)?a|palavra[ -]passe|(?-i:PAROLA)|_parola"
        r"|mots?[ _-]?de[ _-]?passe|phrase[ _-](?:de[ _-]passe|secr\x{e8}te)|code d['\x{2019}]acc\x{e8}s"
        r"|c\x{f3}digo de acceso|frase de (?:contrase\x{f1}a|paso)"
        r"|\x{43f}\x{430}\x{440}\x{43e}\x{43b}\x{44c}|\x{5bc6}\x{7801}|\x{5bc6}\x{78bc}"
        r"|\x{30d1}\x{30b9}\x{30ef}\x{30fc}\x{30c9}|\x{be44}\x{bc00}\x{bc88}\x{d638}"
        + _OTHER_LANGUAGES,
        (), min_length=3,
    ),
    NameRule(
        "secret",
        r"(?:secret|secreto|geheimnis)(?:[ _.-]?access)?(?:[ _.-]?(?:key|token|value|string))?(?:[_-]?base)?"
        r"|credential|(?:auth|nonce|logged[ _-]in|secret|cookie|session|password|app|hashids?)[ _.-]?(?:salt"
        r"|pepper)|(?:nonce|logged[ _-]in)[ _]key",
        ("secret", "geheimnis", "cred", "salt", "pepper", "nonce", "logged"), min_length=4,
    ),
    NameRule(
        "token",
        r"token|jeton|bearer|client[_-]key[_-]data|(?:gitlab|github|gh|azure|ado|devops|npm|user)_pat",
        ("token", "jeton", "bearer", "key-data", "key_data", "_pat"), min_length=4,
    ),
    NameRule(
        "api_key",
        r"(?:api|access|auth|app|application|account|admin|private|signing|encrypt(?:ion)?|master|service"
        r"|storage|shared|subscription|license|licence|deploy|root|security|cipher|aes|hmac|jwt|client|write"
        r"|ingest(?:ion)?|integration|server|function|webhook|instrumentation|restricted|stream|wpa[23]?|wifi|wlan"
        r"|network|recovery|session|consumer)[ _.-]?key|licen[cs]e[ _-]?code|lizenz[ _-]?(?:code|key)"
        r"|(?:api|zugangs|zugriffs|geheim|sicherheits|wlan)[ _-]?schl(?:\x{fc}|ue)ssel"
        r"|cl(?:\x{e9}|e|ef)[ _-](?:d['\x{2019}]?)?(?:[ _-])?"
        r"(?:api|acc[e\x{e8}]s|secr[e\x{e8}]te|priv[e\x{e9}]e)"
        r"|cl(?:ave|\x{e9})[ _-](?:de[ _-])?(?:api|acceso|secreta|privada)|llave[ _-](?:de[ _-])?api",
        ("key", "schl", "license", "licence", "lizenz", "cl\u00e9", "cle", "clef", "api", "acceso",
         "privada"), min_length=4,
    ),
)
"""In order of precedence when one name belongs to several families (`secret_token`, `password_key`)."""
# fmt: on

ALL_NAMES = "|".join(rule.names for rule in NAME_RULES)
MENTIONED_NAMES = (
    ALL_NAMES.replace("(?:pass|", r"(?:pass(?:[^\s\w]|[ \t]+\S|[_\d-])|")
    + r"|[,;|\t][ \t]*pass[ \t]*\r?(?:\n|$)|\S  +pass\b|_pass\r?\n"
)
"""As all names; `pass` alone on a line is a statement of Python."""
FOREIGN_NAMES = "парол(?:ь|я|ем)|密码|密碼|パスワード(?:は)?|비밀번호(?:는)?|şifre|κωδικός" + _OTHER_LANGUAGES
"""Names in other languages, whose letters have no boundary of words in RE2."""
SPOKEN_NAMES = (
    r"(?:pass(?:word|wort|wd|phrase|code|wrod|owrd)|\bpas(?:word|wort)|pwd|pw|kennwort|zugangscode|wachtwoord|l\x{f6}senord"
    r"|has(?:\x{142}|l)(?:o|em)|(?-i:PIN)|(?:my|the|your|alarm|card)(?:['\x{2019}]s)? pin|pin-?(?:code"
    r"|nummer)|(?:log-?in|access|security) (?:code|pin)|log-?in data|contrase\x{f1}a|contrasena"
    r"|clave|senha|mot de passe|mdp|phrase de passe|\bpsk|\bwpa[23]?[ -]key"
    r"|(?:wlan|wi-?fi|netzwerk|sicherheits)[ -]?schl(?:\x{fc}|ue)ssel|(?:wi-?fi|wlan|network)[ -]key)\b"
)
"""The passwords of sentences: no `pass`, which is a verb as well, and no pin."""

_QUALIFIERS = (
    "prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test(?:ing)?|live|old|new|current|default|val(?:ue)?|b64"
    "|base64|plain(?:text)?|text|raw|enc(?:rypted)?|admin|root|user|db|database|main|primary|secondary|backup"
    "|app|api|web|smtp|mail|redis|github|gitlab|openai|anthropic|aws|azure|gcp|stripe|slack|eu|us|uk|local|ci"
    "|confirm(?:ation)?|repeat|again"
)
SUFFIX = rf"(?:[_.-]?(?:{_QUALIFIERS}|\d{{1,3}}))*"
"""What may follow in a name without changing what it is: `DB_PASSWORD_PROD`, `token2`."""

# `next_token`, `pad_token`: a place in a list, or a symbol of a tokenizer; `palabra clave`: a keyword.
PLAIN_PREFIXES = tuple(
    b"public_key publickey existing next page continuation change sync cursor pagination resume request"
    b" idempotency pad eos bos unk mask cls stop csrf_ syntax unexpected palabra palabras".split()
)


def family_of(name: str) -> NameRule:
    """Returns the family of a name in lower case that one of the rules matches."""
    for rule in NAME_RULES[1:]:
        if any(map(name.__contains__, rule.keywords)) and not _is_password(name):
            return rule
    return NAME_RULES[0]


_PASSWORD_PARTS = ("passw", "passphrase", "passcode", "pwd", "kennwort", "contrase", "mot de passe", "senha")


def _is_password(name: str) -> bool:
    return any(map(name.__contains__, _PASSWORD_PARTS))

"""A seeded grid of secrets, alphabet × length × form, and harmless values in the same forms."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
_CHARACTERS: dict[str, str] = {
    "lower": _LOWER,
    "upper": _UPPER,
    "letters": _LOWER + _UPPER,
    "digits": _DIGITS,
    "lower and digits": _LOWER + _DIGITS,
    "upper and digits": _UPPER + _DIGITS,
    "alphanumeric": _LOWER + _UPPER + _DIGITS,
    "hexadecimal": _DIGITS + "abcdef",
    "base64": _LOWER + _UPPER + _DIGITS + "+/",
    "symbols": (_LOWER + _UPPER + _DIGITS) * 2 + "!#$%*+-=?@^_~",
    "accents": _LOWER + "äöüßéèêàçñøåłžčşđþœæ",
    "other scripts": "абвгдежзиклмнопрстуфхцчшщыэюяαβγδεζηθλμνξπρστφχψω",
}
_WORDS = (
    "anchor basil cedar dune eagle fern glacier heron indigo juniper kelp lilac meadow nutmeg otter plum"
    " quartz raven sparrow tulip umber violet willow zebra acorn birch cobalt daisy elder falcon ginger"
    " hazel"
).split()
ALPHABETS = (*_CHARACTERS, "words", "word and number")
LENGTHS = (6, 8, 10, 12, 16, 24, 32)


@dataclass(frozen=True, slots=True)
class Cell:
    """A text of one alphabet, length and form; `secret` stands in it as written here, or nothing does."""

    form: str
    alphabet: str
    length: int
    text: str
    secret: str


# Form -> (kind, templates). Kinds: q in quotation marks, b bare, u percent-encoded.
FORMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "dotenv": (
        "b",
        ("{N}_PASSWORD={s}", "NODE_ENV=production\n{N}_SECRET={s}\nPORT=8080", "ACCESS_TOKEN={s}\n"),
    ),
    "export": (
        "q",
        ("export {N}_TOKEN='{s}'", 'set -a; {N}_PASS="{s}"; set +a', "$env:{N}_PASSWORD = '{s}'"),
    ),
    "shell variable": (
        "b",
        ("PASSWORD={s} ./deploy.sh", "sudo -E env {N}_TOKEN={s} make release", "setx {N}_PWD {s}"),
    ),
    "option": (
        "b",
        ("deployctl --user {u} --password {s} --force", "tool --token={s} push", "vpn-cli -Password {s}"),
    ),
    "quoted option": ("q", ("backup --passphrase '{s}' /srv", 'az sql up --admin-password "{s}" --yes')),
    "short option": (
        "b",
        ("mariadb -u {u} -p{s} {n}", "valkey-cli -a {s} info", "podman login -u {u} -p {s} quay.test"),
    ),
    "unzip": ("b", ("unzip -P {s} report.zip", "7z x -p{s} backup.7z", "sqlcmd -S {h} -U {u} -P {s}")),
    "yaml": (
        "b",
        (
            "{n}:\n  user: {u}\n  passwd: {s}\n  port: 5432",
            "apiToken: {s}",
            "- name: {N}_SECRET\n  value: {s}",
        ),
    ),
    "quoted yaml": ("q", ("{n}:\n  password: '{s}'\n", 'client_secret: "{s}"  # rotated in May')),
    "json": (
        "q",
        (
            '{{"user": "{u}", "pass": "{s}"}}',
            '{{"{n}": {{"auth_token": "{s}", "ttl": 60}}}}',
            '{{"name": "{N}_PASSWORD", "value": "{s}"}}',
        ),
    ),
    "escaped json": (
        "q",
        ('"{{\\"password\\": \\"{s}\\", \\"user\\": \\"{u}\\"}}"', 'log: {{\\"secret\\":\\"{s}\\"}}'),
    ),
    "ini": ("b", ("[{n}]\nuser = {u}\npassword = {s}", "[client]\npass={s}", "admin_password: {s}\n")),
    "toml": ("q", ('[{n}]\napi_key = "{s}"', "[registry]\ntoken = '{s}'\n")),
    "properties": ("b", ("{n}.datasource.password={s}\n{n}.pool=5", "mail.smtp.pass={s}")),
    "xml element": (
        "b",
        ("<server><username>{u}</username><password>{s}</password></server>", "<apiKey>{s}</apiKey>"),
    ),
    "xml attribute": ("q", ('<add key="{N}Password" value="{s}" />', '<user name="{u}" password="{s}"/>')),
    "plist": ("b", ("<key>password</key>\n<string>{s}</string>", "<key>AuthToken</key><string>{s}</string>")),
    "python": (
        "q",
        (
            'client = Client("{h}", token="{s}")',
            "DB_PASSWORD: str = '{s}'",
            'os.environ["{N}_SECRET"] = "{s}"',
        ),
    ),
    "javascript": (
        "q",
        (
            "const password = '{s}';",
            'await page.login({{ user: "{u}", password: "{s}" }});',
            "process.env.{N}_TOKEN = `{s}`",
        ),
    ),
    "java": (
        "q",
        ('String dbPassword = "{s}";', 'config.setPassword("{s}");', 'props.put("password", "{s}");'),
    ),
    "go": (
        "q",
        ('password := "{s}"', 'cfg := Config{{User: "{u}", Password: "{s}"}}', 'const apiToken = "{s}"'),
    ),
    "rust": ("q", ('let password = "{s}";', 'const API_TOKEN: &str = "{s}";')),
    "ruby and php": (
        "q",
        ("password: '{s}',", "'password' => '{s}',", "$dbPass = '{s}';", "define('AUTH_KEY', '{s}');"),
    ),
    "sql": (
        "q",
        (
            "CREATE ROLE {u} LOGIN PASSWORD '{s}';",
            "ALTER USER {u} IDENTIFIED BY '{s}';",
            "SET PASSWORD FOR '{u}' = '{s}';",
        ),
    ),
    "connection string": (
        "b",
        (
            "Server={h};Database={n};User Id={u};Password={s};",
            "host={h} user={u} password={s} dbname={n}",
            "Driver={{PG}};Uid={u};Pwd={s};",
        ),
    ),
    "url": (
        "u",
        ("mysql://{u}:{s}@{h}/{n}", "see amqps://{u}:{s}@{h}:5671/", "https://{h}/feed?token={s}&page=2"),
    ),
    "form body": ("u", ("user={u}&password={s}", "grant_type=password&client_secret={s}&scope=all")),
    "header": (
        "b",
        ("X-Auth-Token: {s}", "curl -H 'X-Api-Key: {s}' https://{h}/v1", "PRIVATE-TOKEN: {s}\nAccept: */*"),
    ),
    "authorization": (
        "b",
        (
            "Authorization: Bearer {s}",
            "Authorization: token {s}\nHost: {h}",
            "Proxy-Authorization: Basic {s}",
        ),
    ),
    "netrc": ("b", ("machine {h}\nlogin {u}\npassword {s}", "machine {h} login {u} password {s}")),
    "docker and ci": (
        "b",
        ("ENV {N}_PASSWORD={s}", "docker run -e {N}_TOKEN={s} {n}:latest", "  {N}_SECRET: {s}\n"),
    ),
    "terraform": (
        "q",
        ('  password = "{s}"', 'variable "db_password" {{\n  type    = string\n  default = "{s}"\n}}'),
    ),
    "kubernetes": (
        "q",
        ('kubectl create secret generic {n} --from-literal=password="{s}"', 'stringData:\n  token: "{s}"'),
    ),
    "markdown table": (
        "b",
        (
            "| Site | Login | Password |\n| --- | --- | --- |\n| {h} | {u} | {s} |",
            "| Passwort | {s} |\n| Benutzer | {u} |",
        ),
    ),
    "csv": (
        "b",
        (
            "site,user,password\n{h},{u},{s}",
            "name;passwort;url\n{n};{s};https://{h}",
            "user\tpassword\n{u}\t{s}",
        ),
    ),
    "markdown list": ("b", ("- **Password:** {s}", "* Passwort: `{s}`", "1. user `{u}`\n2. password `{s}`")),
    "log": (
        "b",
        (
            "login failed user={u} password={s} ip={h}",
            "DEBUG auth: token={s}",
            "[info] pass={s}; retry in 3 s",
        ),
    ),
    "english": (
        "b",
        (
            "my password is {s}",
            "The new password for {n} is {s}.",
            "password, mine is {s}",
            "Password: {s}",
            "the router password was changed to {s}",
            "use {s} as the password",
        ),
    ),
    "german": (
        "b",
        (
            "mein Passwort ist {s}",
            "Das WLAN-Kennwort lautet {s}.",
            "Zugangscode: {s}",
            "Passwort für {n}: {s}",
        ),
    ),
    "french": (
        "b",
        ("mon mot de passe est {s}", "Mot de passe : {s}", "le mot de passe du wifi est {s}.", "mdp: {s}"),
    ),
    "spanish": ("b", ("mi contraseña es {s}", "Contraseña: {s}", "la clave del wifi es {s}.", "clave={s}")),
    "signing in": (
        "b",
        ("login {u} / {s}", "log in as {u} with {s}", "creds: {u}/{s}", "sign in with {u} and password {s}"),
    ),
    "question": (
        "b",
        ("What is the {n} password?\n{s}", "A: wie ist das Passwort?\nB: {s}", "password? it's {s}"),
    ),
    "letter": (
        "b",
        (
            "Hi {u},\n\nyour initial password: {s}\n\nRegards",
            "Your account is ready.\nUsername: {u}\nPassword: {s}\n",
        ),
    ),
}
_HARMLESS = (
    "<your-password>",
    "<PASSWORD>",
    "${DB_PASSWORD}",
    "$DB_PASSWORD",
    "{{ db_password }}",
    "changeme",
    "xxxxxxxx",
    "********",
    "•••••••",
    "null",
    "None",
    "true",
    "false",
    "your_token_here",
    "[REDACTED]",
    "(hidden)",
    "...",
    "example",
    "REPLACE_ME",
    "/run/secrets/db_password",
    "%DB_PASSWORD%",
    "required",
    "string",
)
_SENTENCES = (
    "The password is stored in the vault, ask {u}.",
    "The {n} token expires after an hour.",
    "Password: at least ten characters.",
    "I forgot my password for {n} again.",
    "Das Passwort ist abgelaufen.",
    "Mein Passwort steht im Tresor.",
    "Le mot de passe est obligatoire.",
    "Le mot de passe doit contenir un chiffre.",
    "La contraseña es obligatoria.",
    "La contraseña debe tener ocho caracteres.",
    "The secret is a pinch of salt.",
    "Log in with your work account.",
    "login and logout are logged for {n}",
    "What is the password policy?\nTwelve characters, no rotation.",
    "password = get_password()",
    "token = request.headers.get('X-Token')",
    "const secret = process.env.{N}_SECRET;",
    "self.password = password",
    "def login(user, password): ...",
    "password: string;",
    "token?: string | null",
    "if (password !== confirmation) return;",
    "password_hash = bcrypt.hash(password)",
    "api_key = settings.api_key",
    "kubectl get secret {n} -o yaml",
    "docker login {h}",
    "curl -u $USER:$PASS https://{h}",
    "mysql -u {u} -p {n}",
    "| field | type |\n|---|---|\n| password | string |",
    "user,password,role\n",
    "password reset for {u} at 10:40",
    "Authorization: Bearer <token>",
    "https://{h}/reset?token=<token>",
    "Passwords are never logged.",
    "the login page / the sign-up page",
    "key: value",
    "PASS tests/{n}.test.ts",
    "The pass over the hills is closed.",
    "Pin the version of {n} to 3.2.",
    "tokens: 512",
    "Ask for the wifi password at the desk.",
    "token: 24h",
)
_USERS = ("ines", "okafor", "svc-report", "admin", "jo.berg")
_HOSTS = ("db.corp.test", "10.4.0.9", "mail.example.net", "cache.internal")
_NAMES = ("orders", "ledger", "fleet", "atlas", "metrics")


def value(rng: random.Random, alphabet: str, length: int, *, avoid: str = "") -> str:
    """Return a random value of the alphabet with about this length; every class of characters is in it."""
    while True:
        if alphabet == "words":
            words = [rng.choice(_WORDS)]
            while len("-".join(words)) < length:
                words.append(rng.choice(_WORDS))
            made = rng.choice("-_.").join(words)
        elif alphabet == "word and number":
            made = rng.choice(_WORDS).title()
            made += "".join(rng.choice(_DIGITS) for _ in range(max(3, length - len(made))))
        else:
            made = "".join(rng.choice(_CHARACTERS[alphabet]) for _ in range(length))
        if (
            made[0] not in "-=?~#%$!@^*+/_."
            and made[-1] not in ".?!="
            and not any(char in avoid for char in made)
        ):
            return made


def cells(
    seed: int, *, alphabets: tuple[str, ...] = ALPHABETS, lengths: tuple[int, ...] = LENGTHS
) -> Iterator[Cell]:
    """Yield one text for each alphabet, length and form; equal for equal seeds."""
    rng = random.Random(seed)
    for form, (kind, templates) in FORMS.items():
        for alphabet in alphabets:
            for length in lengths:
                made = value(rng, alphabet, length, avoid={"q": "'\"`\\", "b": "'\"`<>|;,&\\", "u": ""}[kind])
                secret = quote(made, safe="") if kind == "u" else made
                yield Cell(form, alphabet, length, _fill(rng, rng.choice(templates), secret), secret)


def harmless(seed: int, count: int = 2_000) -> list[str]:
    """Return texts that name secrets and hold none: placeholders in the same forms, sentences and code."""
    rng = random.Random(seed)
    forms = [templates for kind, templates in FORMS.values() if kind in "qb"]
    texts = []
    for number in range(count):
        if number % 2:
            texts.append(_fill(rng, rng.choice(_SENTENCES), ""))
        else:
            texts.append(_fill(rng, rng.choice(rng.choice(forms)), rng.choice(_HARMLESS)))
    return texts


def half_survives(secret: str, redacted: str) -> bool:
    """Tell whether half of a secret, and at least four characters of it, still stand in a text."""
    size = min(len(secret), max(4, (len(secret) + 1) // 2))
    return any(secret[at : at + size] in redacted for at in range(len(secret) - size + 1))


def _fill(rng: random.Random, template: str, secret: str) -> str:
    name = rng.choice(_NAMES)
    parts = {
        "{u}": rng.choice(_USERS),
        "{h}": rng.choice(_HOSTS),
        "{n}": name,
        "{N}": name.upper(),
        "{{": "{",
        "}}": "}",
    }
    for part, filler in parts.items():
        template = template.replace(part, filler)
    return template.replace("{s}", secret)

"""Examples by kind: what is a secret and was once passed over, and ordinary text that once lost a word."""

from __future__ import annotations

import re

from holdfast.language.secrets.find import redact_secrets
from tests.cases import each

HEX = "0b7d5e19" * 4
LIVE = "sk_" + "live_"
WORDS = "orbit lunar velvet canyon ribbon tiger maple ocean puzzle hazard kiwi denim"
NUMBERED = "\n".join(f"{number}. {word}" for number, word in enumerate(WORDS.split(), 1))

# What stands between ¬ is the secret.
TOLD = (
    # an account and a password, with a stroke between them
    "scanner: web ui admin / ¬Nebel_horn4¬",
    "- console: root / ¬Kiesel&Moos¬",
    "login: zoë / ¬Ñu(salta)¬",
    "ops: fallback@box / ¬Regenwurm#42¬",
    # values of several words, up to the end of the line
    "password: ¬correct horse battery staple¬",
    "DB_PASSWORD=¬blue sky over porto¬",
    "[wifi-security]\npsk=¬Kleiner Garten 1994¬",
    "    environment:\n      - MARIADB_ROOT_PASSWORD=¬otter im fluss¬",
    '[Service]\nEnvironment="BORG_PASSPHRASE=¬lamp river cloud harbor¬"',
    'store.set_password("lena", "¬hunter2x¬")',
    "Put `DB_PASSWORD=¬blue sky over porto¬` into the file.",
    f"api_key: ¬abc gh{'p_' + HEX + 'abcd'} rest¬",
    "Passwort für das Büro: ¬Wolkenbruch¬",
    "The password for the stick is just ¬nine slow boats crossing¬",
    # beside what else is harmless: an account, a postcode, an option, a package, keys, a list of words
    "username ana password: ¬hunter2xyz¬",
    "usuario ana clave: ¬hunter2xyz¬",
    "The username and password is ¬hunter2xyz¬",
    "Our postcode is 10115 and the gate code is ¬4711¬",
    "tracking site pw ¬QX77PLAN9931¬",
    "my PIN was ¬1999¬, 2004 was the year of the move",
    "no password → ¬hunter2xyz¬",
    "sshpass --no-prompt ¬s3cr3tPw9¬",
    "Requires: VPN password ¬hunter2xyz¬",
    "the password is ¬Win+hunter2¬",
    "New disk encryption passphrase ¬purple monkey dishwasher trombone banana lantern¬",
    # words of a wallet, in any dress
    f"metamask seed phrase → ¬{WORDS}¬",
    f"ledger, 24 words: ¬{WORDS} {WORDS[::-1]}¬",
    f"monero mnemonic ¬{WORDS} lagoon¬",
    f"my wallet:\n1. ¬{NUMBERED[3:]}¬",
    # codes in groups
    "setup key for the authenticator: ¬a2b3 c4de f5gh 6ijk¬",
    "laptop recovery ¬A1B2C-D3E4F-G5H6J-K7L8M¬, keep",
    # keys in addresses, and beside their names
    f"https://api.weather.test/data?q=Ulm&appid=¬{HEX}¬",
    f"https://calendar.test/ical/private-¬{HEX}¬/basic.ics",
    f"curl https://api.chat.test/bot¬1234567890:AA{'bC3' * 11}¬/getMe",
    f"pager api key ¬{HEX}¬ for the night shift",
    # written in two
    f'KEY = ("¬{LIVE}Ab3dEf6hI"\n       "jK9lMn2pQr5tUv¬")',
    f'secret = "¬{HEX}¬" +\n         "¬{HEX[::-1]}¬";',
    # said again
    "psql postgres://kai:¬Rochen.x9¬@db/a\nthe standby takes ¬Rochen.x9¬ too",
    # settings and programs
    'proxy_set_header Authorization "Basic ¬bGVuYTpzY2huZWU=¬";',
    'test: ["CMD", "mysqladmin", "ping", "-p¬Tee_kanne_T¬"]',
    "curl --cert client.pem:¬Ahorn_blatt¬ https://mtls.test",
    "smtp_sasl_password_maps = static:relay:¬Regen-am-See¬",
    "snmp:\n  community: ¬w4tchers-r3ad¬",
    "enable secret ¬Haferbrei¬",
    "<Password><Value>¬Hobel_bank¬</Value></Password>",
    "INSERT INTO users (name, pw) VALUES ('a', '¬blue_p¬'),\n ('b', '¬red_d¬'), (lower('C'), '¬gr8 stuff¬');",
    'DBInterface.connect(MySQL.Connection, "h", "etl", "¬Salz&Pfeffer¬")',
    "  stats auth tessa:¬Laub.Frosch¬",
    "createUser nms SHA-256 '¬Uhren_turm¬' AES",
    "d-i passwd/user-password password ¬Kiesel_grube¬",
    "<keyMaterial>¬Birken_rinde¬</keyMaterial>",
    "impdp loader/¬Wiesen_klee¬ tables=fares",
    "schtasks /create /tn sync /tr sync.cmd /sc hourly /ru lab\\svc /rp ¬Torf_moos¬",
    "echo ¬Laub_rechen¬ | DISPLAY=none ssh-add deploy",
    "rsync --password-file=<(printf ¬Ast_gabel¬) -a a/ host::b",
    "$ gopass show shop/till\n¬Hasel_nuss¬",
    # what holds where a variable is not set
    "let pass = import.meta.env.SHOP_PASS ?? '¬Feld_hase¬';",
    "ENV['TILL_PIN'] ||= '¬903318¬'",
    '@Value("${till.pin:¬Moos_beere¬}") String pin;',
    "UPDATE params SET val = '¬Reh_kitz¬' WHERE name = 'ldap_password';",
    '{"site": "tram", "u": "ada", "p": "¬Fuchs_bau¬"}',
    "logins <- list()\npasswords <- c(lea = '¬Wind_rad¬')",
    "find_element(By.ID, 'pin')).send_keys('¬771934¬')",
    "Log in as root with the following password to finish:\n\n¬Spatz_im_Dach¬\n\nIt is shown once.",
    # names in other spellings and scripts
    "倉庫の暗証番号は「¬Yagi-2x¬」です。",
    "共有PCのパスワードが ¬Kiri_ame¬ になりました。",
    "保险箱密码改成了¬Hupo-77¬,别忘了",
    "프린터 비밀번호 ¬Maru.kong¬ 로 바꿈",
    "kasanın şifresi ¬Ceviz_34¬ oldu",
    "geçici parolanız: ¬Zeytin.5¬",
    "das paswort vom scanner ist ¬Papier_stau_5¬, danke",
    "Пароль для роутера: ¬matryoshka-1999¬",
    "— Какой пароль от сайта?\n— Это ¬Kefir_i_hleb¬\n— Ясно.",
    # what the tagger knows, in texts that name no password
    "Opa: Und was soll ich jetzt eintippen?\nIch: Erst deinen Namen, dann ¬Gartenschlauch31¬",
    # codes of doors and devices
    "alarm code of the boathouse ¬660418¬ (be quick!)",
    "bank card pin ¬9917¬, sim pin ¬2290¬",
    "user: which pin did I give you for the bank?\nassistant: You told me it is ¬6614¬.",
    "La clé du chalet est dans le coffret, code ¬7052¬.",
)


@each("text", TOLD)
def test_s4_20_nothing_of_a_secret_stays(text: str) -> None:
    parts = text.split("¬")
    stored, _ = redact_secrets("".join(parts))
    kept = re.escape(parts[0]) + "".join(
        (r"\[REDACTED: \w+\]" if place % 2 else ".*" if place < len(parts) - 1 else re.escape(part))
        for place, part in enumerate(parts[1:], 1)
    )
    assert re.fullmatch(kept, stored, re.DOTALL), stored
    assert not [secret for secret in parts[1::2] if secret in stored]


ORDINARY = (
    "| Lesson | Kind |\n| --- | --- |\n| No orders or words that hand over a secret | `human_feedback` |",
    # public by their place
    "Subject: =?UTF-8?B?WnVydWNrIGF1cyBNw7xuY2hlbiwga2FwdXR0?=",
    'mail._domainkey IN TXT "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP7UC3SBsEmGqZ9ZJW3"',
    "trusted-public-keys = cache.test-1:q8Zt0vXb5KfWmJc3HnEyRaLs7UdPgTo1iNzDwVhBkCQ=",
    "message-id: <KwQz7TbNv2XcRmHd9pLs@mail.test>",
    'ETag: W/"61c0-tQx7VbN2kWz9RmLs4HdPfYcJ8GaE"',
    '{"kty": "RSA", "use": "sig", "n": "w7Zkd_TqV2bXn9RmLs4HdPfYcJ8GaEiUoQxKtB5vNzMhWgCy", "e": "AQAB"}',
    'SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512")',
    f"annotations:\n  checksum/secret: {HEX}{HEX}",
    "The value is a Workspace ID, such as `wrkspc_011CZkZaBF1tNoB5wlCeusgy`.",
    "curl --pinnedpubkey sha256//q8Zt0vXb5KfWmJc3HnEyRaLs7UdPgTo1iNzDwVhBkCQ= https://x.test",
    "example.test. IN DNSKEY 257 3 13 q8Zt0vXb5KfWmJc3HnEyRaLs7UdPgTo1iNzDwVhBkCQrYpXsWvTzKm",
    "|1|q8Zt0vXb5KfWmJc3HnEyRaLs7Ud=|PgTo1iNzDwVhBkCQrYpXsWvTzKm= ssh-ed25519 AAAAC3NzaC1",
    # columns of mountains and plugs
    "| Stage | Pass | Snow |\n|---|---|---|\n| 1 | Brenner | none |\n| 2 | Jaufen | deep |",
    "Pin | Function | Wire\n1 | Ground | black\n2 | Data | green",
    # secrets of prose
    "Das ist kein Geheimnis: schlafen, essen, laufen.",
    "The secret: let the dough rest overnight.",
    # placeholders and references
    "密码：<请填写>",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "Authorization: Basic <base64(user:pass)>",
    "The password of the connection. See :pq:`PQpass()`.",
    'printf "token=$entry->{$name}"',
    # code
    "   int col_in_pass = PNG_COL_IN_PASS(output_x, pass);",
    "instead pass PNG_TRANSFORM_EXPAND_16 to the interface",
    "cipher.init(Cipher.ENCRYPT_MODE, key, new ChaChaParameters(256, nonce));",
    '<label for="pin">PIN</label><input id="pin" maxlength="6">',
    'hmac.digest(service.digest_key, b"certificates", "sha256")',
    "**Read the JWT secret**:\n   ```javascript\n   const jwt = require('jsonwebtoken')",
    "jwt.sign({ userId }, key, { expiresIn: '1h' }) // Set token expiry to 1 hour",
    "options = {'credentials': resolved, **_extra_kwargs}\nmore = {'profile': profile, **_extra_kwargs}",
    'token = jwt.encode(claims, signing_key, "EdDSA")',
    "| phone | Luhn, and with an expiry it is a [secret](#secrets) | 100 % of 100 |",
    "withCredentials([usernamePassword(usernameVariable: 'WHO', passwordVariable: 'WHAT')]) { sh 'x' }",
    'bw get password "kitchen tablet"',
    "usage: lock [--pin PIN] [--passphrase PASSPHRASE] door",
    "  --password          always ask, even if a ticket is there",
    'switch (kind) {\n  case "password": return <Field />;\n}',
    "wg genkey | tee peer.key | wg pubkey > peer.pub",
    "pass: 88, fail: 3, skipped: 1",
    '"pin": ">=1.9,<2"',
    "Access-Control-Allow-Headers: Content-Type, X-Api-Key",
    "htpasswd -B site.htpasswd lea",
    "The credential is `api_key=` or the variable `SHOP_API_KEY`.",
    "The credential is `--api-key=`, or a file",
    "the project is the credential's `project_id`, or none",
    "npm approve-scripts --no-allow-scripts-pin canvas",
    "* No cached token → call provider (blocking), cache, return.",
    'You need a passphrase to unlock the secret key for user: "zoe (home) <zoe@post.example>"',
    "[![c](https://codecov.example/lea/wagon/graph/badge.svg?token=id42cGNZ5Z)](https://codecov.example/lea)",
    "headers.push('Authorization', 'Bearer [Some token]')",
    "re.sub(r'X-Amz-Credential=[^&\\s]+', '', url)",
    'keyring.set_password("system", "username", "password")',
    ":meth:`text_for_token` to get original document text",
    "token = MYTOKEN1",
    'Push new token to "stream".',
    "By default, if the check succeeds, the token *must* be read before another check.",
    ">>> string_to_token('String.Double')",
    "the `debug` package reads DEBUG=pw:api,pw:channel",
    ":type token: RequestToken",
    "e.g. `host` in `https://user:pass@host:8000/path?query#fragment`",
    "donate to BC1QARDV855YJNGSPVXUTTQ897AQCA3LXJU2Y69JCE",
    "Generate a new :class:`MarkDecorator` with the given name.",
    "A line/connector shape `p:cxnSp` element",
    "Authorization: AWS4-HMAC-SHA256 Credential=mock_key/20220524/eu/idp/aws4_request, SignedHeaders=host",
    "xn--vermgensberatung-pwb, xn--clchc0ea0b2g2a9gcd and xn--w4r85el8fhu5dnra are domains",
    "Linux 6.8.0-rc3-00123-g9f3c61ab04d7e2 booted",
    # what people and manuals say beside a word for a secret
    "El portátil de invitados no tiene contraseña, entra directo. Tecla Ñ rota, usa Alt+164.",
    "lock screen: Win+L\ntask view: Win+Tab\npassword reveal: Alt+F8",
    "Kennwort ändern: Strg+Alt+Entf drücken, dann „Kennwort ändern“",
    "docs/CHANGELOG: fixed a bug where the PIN dialog stayed open after three failed attempts (#2935)",
    "Un PIN debe tener entre seis y ocho cifras, sin fechas de nacimiento.",
    "Gesehen wurde zuletzt ein weißer Sprinter, HH-PW 1234.",
    "O ônibus escolar é o 12, placa QWE4R56, passa 6h40 na porta.",
    "W polu hasło zostawiłam puste, a pan powiedział, że puste też jest złe, zgłoszenie 2635.",
    "João, a maré baixa é 10h32, leva a prancha amarela",
    "Wie merke ich mir ein langes Kennwort, ohne es aufzuschreiben? Gibt es Methoden?",
    "La password del Wi-Fi in hotel si può condividere con gli amici o è vietato dal regolamento, di solito?",
    "'Indien het wachtwoord driemaal foutief is ingevoerd, wordt de toegang geblokkeerd'",
    "Attached is contract_v4.7z. I'll give you the password when you call.",
    "The password is on the router, and the wifi name is TheBurrow. Ring me when you're near",
    "Tom's handle is bassfisher1961. His password he keeps to himself.",
    "not over the air, come on the landline, 0141 496 0022.",
    "password: Wachtwoord\npassword_confirmation: Wachtwoord bevestigen\nremember_me: x",
    "Clave primaria: id_usuario; clave foránea: id_grupo. La tabla no guarda contraseñas.",
    "The login form has three fields: email, password and remember_me.",
    "Has the side door code ever been changed? Yes, 2019, 2021 and last week.",
    "the PUK is on the plastic card it came in, which I threw away in 2017.",
    "blue screen after update\nIT-Sonja: what stop code?\nMarek: 0x0000007B\nIT: boot",
    "Wachtwoord wijzigen kan via Instellingen > Beveiliging. De oude blijft",
    "net use Z: \\\\filer02\\scans * /user:CORP\\scanner\nType the password for \\\\filer02\\scans:",
    "change the battery in the alarm keypad, type CR123.",
    "Heute Nacht: ‚Das Passwort ist falsch.‘ Ich arbeite wohl zu viel.",
    "Router unten: Fritz!Box 7530, steht hinter dem Gummibaum",
    "What is the postcode for the sat nav? NR26 8XQ, then follow the key symbols",
    # talk
    "A senha digitada: incorreta.",
    "Wifi password: tba",
    "Your password is expired!!!",
    "Answer key: 1d 2a 3c 4b 5b 6a",
    "Roles: admin / editor2 / guest",
    "mounted at root / ext4",
    "The phone number is +33 1 84 82 49 09.",
    "The password could not be changed (0x80070032).",
    "La porte avait un code. Jour 2. Soleil, soleil, soleil. Pas de clé.",
    "the pin was so simple that they asked for another one",
    "The recovery after surgery takes long because muscles need rest and food and sleep and much patience",
)


@each("text", ORDINARY)
def test_s4_21_ordinary_text_loses_nothing(text: str) -> None:
    assert redact_secrets(text) == (text, ())

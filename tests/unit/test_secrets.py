"""Secrets are found, redacted and never shown; ordinary text is left alone (S4.20, S4.21, S4.22)."""

from __future__ import annotations

import random
from collections import Counter

import pytest
import re2
from hypothesis import given
from hypothesis import strategies as st

from holdfast.features.admission.draft import Draft
from holdfast.language.secrets.entropy import shannon_entropy
from holdfast.language.secrets.find import (
    ENTROPY_THRESHOLD,
    HIGH_ENTROPY,
    find_secrets,
    redact_all,
    redact_secrets,
)
from holdfast.language.secrets.rules import RULES, SecretRule
from holdfast.language.secrets.values import looks_generated
from tests.cases import each
from tests.growth import grows_at_most
from tests.support import gate_of
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.evaluation.corpora.passwords import cells, half_survives, harmless
from tools.evaluation.corpora.secrets import DEVELOPMENT_SEED, planted_secrets, survives
from tools.evaluation.corpora.templates import fill, pick

KEY = "Zk4Wq9Lx2Vb7Nt3Rm8Pc6Yd1Hf5Gj0Sa"
"""Thirty-two characters without meaning."""


def types_in(text: str, *, entropy: float | None = ENTROPY_THRESHOLD) -> set[str]:
    return set(redact_secrets(text, entropy=entropy)[1])


@each("rule", RULES)
def test_s4_20_every_rule_finds_what_it_is_for(rule: SecretRule) -> None:
    rng = random.Random(rule.pattern)
    for template in ("{}", "note: {} (example)", '{{"log": "first line\\n{}\\nlast"}}', "Wert:{}。"):
        example = fill(rule.example, rng)
        assert rule.type in types_in(template.format(example), entropy=None), example


@given(st.from_regex(r"[0-9a-f-]{1,64}", fullmatch=True))
def test_s4_21_numbers_hashes_and_uuids_are_no_secret_as_a_name(name: str) -> None:
    """Admission therefore looks no such id up in the rules."""
    assert find_secrets(name, entropy=None) == []


@pytest.mark.parametrize("threshold", [None, 4.5])
def test_s4_21_the_entropy_threshold_can_be_chosen(threshold: float | None) -> None:
    token = "aQ7dM2xK9v" * 2 + "Zf6"
    assert redact_secrets(f"see {token} there")[1] == (HIGH_ENTROPY,)
    assert redact_secrets(f"see {token} there", entropy=shannon_entropy(token))[1] == (HIGH_ENTROPY,)
    assert find_secrets(f"see {token} there", entropy=shannon_entropy(token) + 0.01) == []
    assert find_secrets(f"see {token} there", entropy=threshold) == []
    assert types_in(f"password=Tr0ub4dor&3 {token}", entropy=threshold) == {"password"}


@each("rule", RULES)
def test_s4_20_a_rule_has_a_keyword_in_whatever_it_matches(rule: SecretRule) -> None:
    example = fill(rule.example, random.Random(rule.type)).lower()
    assert any(
        re2.search("(?i)" + word[1:], example) if word[0] == "~" else word in example
        for word in rule.keywords
    )
    assert all(word == word.lower() for word in rule.keywords)


@each(
    "text, type_",
    [
        ("AKIA<<upper 16>>", "aws_access_key"),
        ("sk-<<alnum 20>>", "openai_key"),
        ("sk-proj-<<alnum 20>>", "openai_key"),
        ("sk-ant-<<alnum 20>>", "anthropic_key"),
        ("AIza<<alnum 35>>", "google_api_key"),
        ("ghp_<<alnum 36>>", "github_token"),
        ("gho_<<alnum 36>>", "github_token"),
        ("ghs_<<alnum 36>>", "github_token"),
        ("ghr_<<alnum 36>>", "github_token"),
        ("github_pat_<<alnum 22>>", "github_token"),
        ("sk_live_<<alnum 24>>", "stripe_key"),
        ("sk_test_<<alnum 24>>", "stripe_key"),
        ("pk_live_<<alnum 24>>", "stripe_key"),
        ("rk_live_<<alnum 24>>", "stripe_key"),
        ("xoxb-<<digit 12>>-<<alnum 24>>", "slack_token"),
        ("xoxp-<<digit 12>>-<<digit 12>>-<<alnum 24>>", "slack_token"),
        ("https://hooks.slack.com/services/T<<upper 8>>/B<<upper 8>>/<<alnum 24>>", "slack_webhook"),
        ("SK<<hex 32>>", "twilio_key"),
        ("SG.<<alnum 22>>.<<alnum 43>>", "sendgrid_key"),
        ("npm_<<alnum 36>>", "npm_token"),
        ("pypi-<<alnum 60>>", "pypi_token"),
        ("eyJ<<alnum 20>>.eyJ<<alnum 40>>.<<alnum 43>>", "jwt"),
        ("-----BEGIN RSA PRIVATE KEY-----\n<<base64 64>>\n-----END RSA PRIVATE KEY-----", "private_key"),
        ("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n<<base64 64>>", "private_key"),
        ("api_key = '<<hex 32>>'", "api_key"),
        ("access_token: <<hex 32>>", "token"),
        ("password=hunter22", "password"),
        ("client_secret: '<<alnum 16>>'", "secret"),
        ("Authorization: Bearer <<alnum 20>>", "bearer_token"),
        ("mongodb://app:s3cr3t@db/app", "url_credentials"),
        ("postgres://app:s3cr3t@db/app", "url_credentials"),
        ("mysql://app:s3cr3t@db/app", "url_credentials"),
        ("redis://:s3cr3t@cache", "url_credentials"),
        ("amqps://app:s3cr3t@queue", "url_credentials"),
    ],
)
def test_s4_20_the_smallest_of_each_listed_kind(text: str, type_: str) -> None:
    planted = fill(text, random.Random(text))
    assert type_ in types_in(planted, entropy=None)


def test_s4_20_a_password_in_metadata_needs_no_quotes() -> None:
    given = {"password": 48151623, "port": 5432, "at": 1700000000123, "max_tokens": 4096, "on": True}
    admitted = gate_of("ana").admit(Draft("the router", metadata=given), id="m", now=0)
    assert admitted.memory.metadata == {**given, "password": "[REDACTED: password]"}
    assert admitted.memory.redactions == ("password",)


def test_s4_20_recall_on_planted_secrets() -> None:
    planted = planted_secrets(DEVELOPMENT_SEED)
    missed = [text.text for text in planted if survives(text.secret, redact_secrets(text.text)[0])]
    assert len(planted) >= 500
    assert len(missed) <= 0.02 * len(planted), missed[:10]


def test_s4_21_false_alarms_on_ordinary_memories() -> None:
    memories = ordinary_memories(DEVELOPMENT_SEED)
    alarms = [(text, redact_secrets(text)[1]) for text in memories if redact_secrets(text)[1]]
    assert len(memories) >= 2_000
    assert len(alarms) <= 0.005 * len(memories), alarms[:10]


@each(
    "text",
    [
        "my password is Tr0ub4dor&3",
        "the password for the old router is changed to Tr0ub4dor&3",
        "password: Tr0ub4dor&3",
        "pwd = 'Tr0ub4dor&3'",
        'cfg["password"] = "Tr0ub4dor&3"',
        'os.environ.get("DB_PASSWORD", "Tr0ub4dor&3")',
        "mysql --password=Tr0ub4dor&3 shop",
        "deploy --db-password Tr0ub4dor&3",
        "<password>Tr0ub4dor&3</password>",
        "- name: DB_PASSWORD\n  value: Tr0ub4dor&3",
        '{"name": "DB_PASSWORD", "value": "Tr0ub4dor&3"}',
        "**Password:** Tr0ub4dor&3",
        "| password | Tr0ub4dor&3 |",
        "login with password Tr0ub4dor&3 please",
        "ALTER USER app IDENTIFIED BY 'Tr0ub4dor&3'",
        "password: str = 'Tr0ub4dor&3'",
        'say \\"password\\": \\"Tr0ub4dor&3\\"',
        "curl -u deploy:Tr0ub4dor&3 https://ci.example.com",
        "mein Passwort ist Tr0ub4dor&3",
        "mot de passe : Tr0ub4dor&3",
        "contraseña: Tr0ub4dor&3",
        "пароль: Tr0ub4dor&3",
        "我的密码是Tr0ub4dor&3",
        "パスワードはTr0ub4dor&3",
        "비밀번호: Tr0ub4dor&3",
        "paſſword: Tr0ub4dor&3",
    ],
)
def test_s4_20_a_password_in_any_dress(text: str) -> None:
    redacted, types = redact_secrets(text)
    assert "ub4dor" not in redacted
    assert types in (("password",), ("basic_auth",))


_PLACEHOLDERS = """
<your-key> xxxxxxxxxxxxxxxxxxxxxxxx changeme your_api_key_here ${API_KEY} $API_KEY
{{api_key}} %API_KEY% __API_KEY__ os.environ['API_KEY'] process.env.API_KEY example <REPLACE_ME>
**************** sk-...
placeholder my-secret-key mysecretpassword None null secrets.API_KEY vault:secret/data/app#key op://team/app/key
arn:aws:secretsmanager:x
"""


@each("value", _PLACEHOLDERS.split())
@each("template", ["api_key = {}", 'API_KEY="{}"', "password: {}", "secret={}", "token: '{}'"])
def test_s4_20_placeholders_and_references_are_no_secrets(template: str, value: str) -> None:
    text = template.format(value)
    assert redact_secrets(text) == (text, ())


@pytest.mark.parametrize(
    "text",
    [
        "password: {s}, GitHub token {k}",
        "password: {s}; key {k}",
        "the password is {s} and GitHub token {k}",
        "db password is {s} and the key {k}",
        "{k} is the token, the password: {s}",
        "GITHUB_TOKEN={k}\nDB_PASSWORD={s}",
        '{{"password": "{s}", "token": "{k}"}}',
    ],
)
def test_s4_20_a_password_beside_a_token_of_a_known_form_is_found(text: str) -> None:
    token = "ghp_" + f"{KEY}AbC4" * 3
    for secret in ("hunter2", "Kestrel-9914", "correcthorse", "48210937", "q7Fk2mZt"):
        redacted = redact_secrets(text.format(s=secret, k=token[:40]))[0]
        assert secret not in redacted
        assert token[4:20] not in redacted


@pytest.mark.parametrize(
    "word", ["example", "placeholder", "dummy", "test", "changeme", "xxxx", "<your-key>"]
)
def test_s4_21_a_word_elsewhere_on_the_line_hides_nothing(word: str) -> None:
    """The original skipped the whole line (S4.21 [fix])."""
    for secret in (
        f"api_key={KEY}",
        "password=Tr0ub4dor&3",
        f"ghp_{KEY}AbC4",
        f"postgres://{word}:{KEY}@example.com/x",
    ):
        for text in (f"{secret} # {word}", f"{word}: {secret}", f"{word} {secret} {word}"):
            redacted, types = redact_secrets(text)
            assert KEY[:8] not in redacted
            assert "ub4dor" not in redacted
            assert types


@each(
    "text",
    [
        "user 550e8400-e29b-41d4-a716-446655440000 logged in",
        "order-550e8400-e29b-41d4-a716-446655440000-confirmed",
        "fixed in 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "token_token and secret_name_of_the_user_account_v2",
        "AuthServiceV2ControllerTest::getUserById2FAEnabled",
        "src/holdfast/domain/secret_values_v2.py",
        "https://docs.example.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit",
        "2024-01-15T10:30:00.123456+02:00",
        "numpy-1.26.4-cp311-cp311-manylinux_2_17_x86_64.whl",
        "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
        "密码必须至少包含八个字符，并且不能与用户名相同。",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQLFTGHVxVjcXPs17LhbZVGe=="',
        "id: 01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567 is the alphabet",
        "The password is required, the token expires, the secret is out.",
        "password: {type: String, required: true}",
        "https://localhost:3000/@vite/client",
        "next_page_token: CAoQAA9x7Kq2Lm4Zt8Rw3Yv6Bn1Pd5",
        "VGhpcyBpcyBhIHBsYWluIHNlbnRlbmNlIG9mIGEgcGVyc29u is base64 of a sentence",
    ],
)
def test_s4_21_ordinary_tokens_are_no_secrets(text: str) -> None:
    assert redact_secrets(text) == (text, ())


@pytest.mark.parametrize("alphabet", ["alnum", "url", "base64", "upper"])
def test_s4_21_unknown_tokens_are_found_by_entropy_alone(alphabet: str) -> None:
    rng = random.Random(alphabet)
    tokens = [pick(rng, alphabet, rng.randint(24, 64)) for _ in range(200)]
    found = [token for token in tokens if HIGH_ENTROPY in types_in(f"use {token} there")]
    assert len(found) >= 0.95 * len(tokens)
    assert not any(types_in(f"use {token} there", entropy=None) for token in tokens)


def test_s4_21_the_threshold_is_shannon_entropy_and_length() -> None:
    assert shannon_entropy("") == 0.0
    assert shannon_entropy("aaaa") == 0.0
    assert shannon_entropy("abcd") == pytest.approx(2.0)
    assert looks_generated(KEY)
    assert not looks_generated(KEY[:19])
    assert not looks_generated("aB3" * 12)  # three different characters


def test_s4_21_two_parts_of_a_pair_are_both_found() -> None:
    text = f"aws_access_key_id = AKIA{'Q7Z4' * 4}\naws_secret_access_key = {KEY}+/aB3xY9"
    assert redact_secrets(text)[1] == ("aws_access_key", "aws_secret_key")


def test_s4_22_the_marker_names_the_type_and_the_rest_stays() -> None:
    text = f"Use ghp_{KEY}AbC4, then postgres://app:Tr0ub4dor&3@db.example.com/shop."
    redacted, types = redact_secrets(text)
    assert redacted == (
        "Use [REDACTED: github_token], then postgres://app:[REDACTED: url_credentials]@db.example.com/shop."
    )
    assert types == ("github_token", "url_credentials")


def test_s4_22_the_rest_of_a_url_stays_a_url() -> None:
    path = "d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit"
    redacted, types = redact_secrets(f"https://anna:Tr0ub4dor&3@docs.example.com/{path}")
    assert redacted == f"https://anna:[REDACTED: url_credentials]@docs.example.com/{path}"
    assert redact_secrets(redacted) == (redacted, ())
    assert types == ("url_credentials",)


def test_s4_22_a_finding_carries_no_secret() -> None:
    text = f"é password=Tr0ub4dor&3 and token='{KEY}'"
    findings = find_secrets(text)
    assert [(finding.type, text[finding.start : finding.end]) for finding in findings] == [
        ("password", "Tr0ub4dor&3"),
        ("token", KEY),
    ]
    assert not any(KEY[:6] in repr(finding) or "Tr0ub" in repr(finding) for finding in findings)


_FRAGMENTS = st.sampled_from(
    [word.lstrip("~") for rule in RULES for word in rule.keywords]
    + [
        "password",
        "=",
        ":",
        " ",
        "is",
        '"',
        "'",
        KEY,
        KEY[:12],
        "Tr0ub4dor&3",
        "://",
        "@",
        "a",
        "\n",
        "é",
        "密码",
        "[REDACTED: x]",
    ]
)


@given(st.lists(_FRAGMENTS, max_size=25).map("".join) | st.text(max_size=80))
def test_s4_22_redacting_twice_changes_nothing(text: str) -> None:
    redacted, _ = redact_secrets(text)
    assert redact_secrets(redacted) == (redacted, ())


@given(st.lists(_FRAGMENTS | st.text(max_size=4), max_size=20).map("".join))
def test_s4_22_findings_are_ordered_disjoint_and_inside_the_text(text: str) -> None:
    findings = find_secrets(text)
    edges = [edge for finding in findings for edge in (finding.start, finding.end)]
    assert edges == sorted(edges)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in findings)


@pytest.mark.parametrize("seed", range(3))
def test_s4_22_redacting_the_corpus_twice_changes_nothing(seed: int) -> None:
    for text in planted_secrets(seed, per_family=4):
        redacted, types = redact_secrets(text.text)
        assert types, text.text
        assert redact_secrets(redacted) == (redacted, ())


def test_s4_20_a_private_key_goes_with_its_whole_block() -> None:
    body = "\n".join(KEY * 2 for _ in range(6))
    block = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{body}\n-----END OPENSSH PRIVATE KEY-----"
    assert redact_secrets(f"a\n{block}\nb") == ("a\n[REDACTED: private_key]\nb", ("private_key",))
    cut_off = block.partition("-----END")[0]
    assert KEY not in redact_secrets(f"a\n{cut_off}")[0]
    escaped = block.replace("\n", "\\n")
    assert redact_secrets(f'"{escaped}"')[0] == '"[REDACTED: private_key]"'
    mention = "The file starts with -----BEGIN PRIVATE KEY----- and is secret."
    assert redact_secrets(mention) == (mention, ())


def test_s4_20_long_values_go_whole() -> None:
    for text in (f"password={KEY * 40}", f"api_key='{KEY * 40}'", f"token={KEY * 3}é{KEY * 3}"):
        assert KEY[:8] not in redact_secrets(text)[0]


@each(
    "name, type_",
    [
        ("DB_PASSWORD", "password"),
        ("smtp_pass", "password"),
        ("user-pw", "password"),
        ("clientSecret", "secret"),
        ("SECRET_KEY_BASE", "secret"),
        ("refresh_token", "token"),
        ("GITHUB_TOKEN", "token"),
        ("X-API-Key", "api_key"),
        ("encryptionKey", "api_key"),
        ("access_key", "api_key"),
        ("password_value", "password"),
    ],
)
def test_s4_20_the_name_decides_the_type(name: str, type_: str) -> None:
    assert types_in(f"{name}={KEY}", entropy=None) == {type_}


@pytest.mark.parametrize(
    "name", ["password_hint", "tokenizer", "max_tokens", "secretName", "primary_key", "key_id"]
)
def test_s4_20_a_longer_name_is_another_name(name: str) -> None:
    assert types_in(f"{name}={KEY}", entropy=None) == set()


@pytest.mark.parametrize("value", [KEY[:16], "a1b2c3", "qjxv", "team-config-file-2024", "dragonfly"])
def test_s4_20_any_value_of_a_named_key_goes_unless_it_is_harmless(value: str) -> None:
    assert types_in(f"api_key={value}", entropy=None) == {"api_key"}


def test_s4_20_passwords_by_alphabet_length_and_form() -> None:
    """Each alphabet at several lengths in each form, letters alone and short values among them."""
    grid = list(cells(DEVELOPMENT_SEED, lengths=(6, 12, 24)))
    missed = [cell for cell in grid if half_survives(cell.secret, redact_secrets(cell.text)[0])]
    assert len(grid) >= 12 * 3 * 40
    assert len(missed) <= 0.02 * len(grid), missed[:10]
    for kind in ("form", "alphabet", "length"):
        total, lost = (Counter(getattr(cell, kind) for cell in some) for some in (grid, missed))
        assert all(lost[name] <= 0.1 * count for name, count in total.items()), missed[:10]


def test_s4_20_harmless_values_under_the_names_of_secrets() -> None:
    texts = harmless(DEVELOPMENT_SEED)
    alarms = {text: redacted for text in set(texts) for redacted, types in [redact_secrets(text)] if types}
    assert sum(text in alarms for text in texts) <= 0.005 * len(texts), alarms


def test_s4_20_scanning_what_is_stored_again_changes_nothing() -> None:
    """Also where one redaction could make something else look like a secret."""
    for cell in cells(DEVELOPMENT_SEED, lengths=(8, 16)):
        once = redact_secrets(cell.text)[0]
        assert redact_secrets(once) == (once, ()), cell.text


@each(
    "text",
    [
        "password, mine is brimstone",
        "login lena / brimstone",
        "What was the wifi password?\nYou never told me.\nit's brimstone",
        "We rotated the staging password to brimstone this morning.",
        "apiVersion: v1\nkind: Config\nusers:\n- name: lena\n  user:\n    token: brimstone\n",
        '{"credential_source": {"headers": {"Authorization": "Bearer brimstone"}}}',
        "site,user,password\nshop,lena,brimstone\nwiki,tom,brimstone",
        "| host | Kennwort |\n|---|---|\n| nas | brimstone |",
        "ssh-keygen -t ed25519 -N brimstone -f id",
        "Password:\nbrimstone",
        "INSERT INTO users (name, password) VALUES ('lena', 'brimstone')",
        "GRANT ALL ON *.* TO 'x'@'%' IDENTIFIED BY 'brimstone'",
        "requirepass brimstone",
        "token: Bearer brimstone",
        "password changed from old1 to brimstone",
        "la contrase\u00f1a del router es brimstone.",
        "Mot de passe du serveur : brimstone",
    ],
)
def test_s4_20_a_word_that_is_said_to_be_a_password(text: str) -> None:
    assert "brimstone" not in redact_secrets(text)[0]


@pytest.mark.parametrize(
    "unit",
    [
        f"https://a.b/{KEY} {KEY[::-1]} ",
        "sk-",
        "password=",
        "password='\"",
        "eyJhbGciOiJ.eyJ",
        "a:b@c://",
        "-----BEGIN PRIVATE KEY-----",
        "密码是：",
        KEY,
    ],
)
def test_s4_20_time_grows_with_the_length_of_hostile_text(unit: str) -> None:
    text = unit * 4_000
    assert grows_at_most(
        lambda count: redact_secrets(text[: len(unit) * count]), 500, 4_000, factor=32, floor=5e-4
    )  # 8 is linear, 64 quadratic


@pytest.mark.parametrize(
    "path", ["pkg00/mod001/file_001.py", "module12/submodule34/test_case_0017.py", "include/llvm15/IR0042.h"]
)
def test_s4_21_a_path_of_numbered_names_is_no_secret(path: str) -> None:
    assert redact_secrets(path) == (path, ())


_BESIDE_A_USER = (
    "smtp.login('lena','{}')",
    'await page.signIn("lena@acme.test", "{}")',
    "session.auth = ('lena', '{}')",
    'DriverManager.getConnection(url,"lena","{}")',
    'new PDO($dsn, "lena", "{}");',
    'pymysql.connect("db.acme.test", "lena", "{}", "shop")',
    'req.SetBasicAuth(user, "{}")',
    'smtp.PlainAuth("", "lena", "{}", "mail.acme.test")',
    'create_user("lena", "lena@acme.test", "{}")',
    'new PasswordAuthentication("lena", "{}".toCharArray())',
    'ldap.simple_bind_s("cn=lena,dc=acme", "{}")',
    "ALTER USER lena IDENTIFIED WITH 'caching_sha2_password' BY '{}';",
    "create user lena identified by {};",
    "IDENTIFIED WITH mysql_native_password BY '{}'",
    "CREATE USER lena\n  IDENTIFIED BY '{}'",
    "openssl enc -aes-256-cbc -k {} -in a -out b",
    "unrar x -p{} a.rar",
    "snmpwalk -v3 -a SHA -A {} host",
    "pdftk in.pdf output o.pdf user_pw {}",
    "security unlock-keychain -p {} login.keychain",
    "nmcli con modify home wifi-sec.psk {}",
    "vault login {}",
    "PSK {}",
    "WPA2 key {}",
    "Basic auth is lena:{}",
    "The wiki is behind basic auth (lena / {})",
    "basic auth for the wiki is lena:{}",
    "login lena {}",
    "the password was changed from {} to another",
    "changed the PIN from {} to a better one",
    "Passwort von {} auf etwas Neues geändert",
    "Password updated: {} -> another",
    "lpass / {} / lena",
    "lena / {} / password",
    "use {} to unlock the password vault",
    "$ok = ftp_login($ftp, 'web', '{}');",
    'WiFi.begin("Workshop", "{}");',
    'keys.load(stream, "{}".toCharArray());',
    'curl_easy_setopt(h, CURLOPT_USERPWD, "lena:{}");',
    'mysql_real_connect(\n    conn, host, user,\n    "{}", NULL, 0)',
    "vault operator unseal {}",
    "keytool -list -storepass {} -keystore a.jks",
    "fly secrets set SIGNING={} --app orders",
    "printf %s '{}' | cryptsetup luksOpen /dev/sdb2 archive -",
    "open ftp.acme.test\nuser lena {}\nbinary",
    "$ cat config/master.key\n{}\n$ ls",
    "poetry config http-basic.acme lena {}",
)


@each("form", _BESIDE_A_USER)
@each("value", ["kqzvwtpx", "83920174", "w7kq2zt9p", "Zw8kqGtV4m"])
def test_s4_20_a_password_beside_its_user_or_program(form: str, value: str) -> None:
    assert value not in redact_secrets(form.format(value))[0]


@each(
    "name",
    (
        "lozinka|zaporka|heslo|salasana|jelszó|şifre|parolă|adgangskode|passord|"
        "lösenord|wachtwoord|hasło|geslo|slaptažodis|parool|κωδικός πρόσβασης|"
        "парола|лозинка|kata sandi|mật khẩu|รหัสผ่าน|पासवर्ड|পাসওয়ার্ড|"
        "கடவுச்சொல்|పాస్\u200cవర్డ్|پاس ورڈ|رمز عبور|كلمة المرور|סיסמה|暗証番号|口令|"
        "암호|პაროლი|գաղտնաբառ|parol"
    ).split("|"),
)
def test_s4_20_a_password_is_named_in_many_languages(name: str) -> None:
    for form in ("{}: brimstone", "# note\n{} = brimstone\n", '{{"{}": "brimstone"}}'):
        assert "brimstone" not in redact_secrets(form.format(name))[0]


@each(
    "text",
    [
        'button.connect("clicked", on_click, "data")',
        'app.auth("read", "write")',
        "auth: ['read', 'write']",
        "requests.get(url, auth=(user, password))",
        'login("lena", getpass())',
        'user.login("lena", password)',
        'redis.connect("localhost", 6379, "utf-8")',
        "Users are identified with a badge by the guard.",
        "The wiki is behind basic auth.",
        "Basic auth is user:password",
        "Login page v2.3.1",
        "login failed E4012",
        "The password was changed from weak to strong.",
        "We switched the password manager from Bitwarden to pass.",
        "My password manager is Keeweb.",
        "the password generator is Diceware, it is slow",
        "Mein Passwort-Manager ist jetzt Proton",
        "password app: 1Word",
        "openssl enc -aes-256-cbc -in a -out b",
        "unrar x a.rar",
        "Parole: mehr Licht",
        "parola chiave: cercare",
        "Der Umzug nach Heslop ist fertig.",
        "authenticated with WPA2-PSK (AES)",
        "username / password / email",
        'def token(self):\n    """Refresh lazily"""\n    return 1',
        'def _peek_token(self):\n    """Peek at the next one\n\n    in the stream."""',
        'def _peek(self) -> Token:\n    """Parse it."""',
        'class Token:\n    """lexer output unit"""',
        'async def api_key(x: str) -> str:\n    "blue kettle"',
    ],
)
def test_s4_21_a_call_or_command_without_a_password_stays(text: str) -> None:
    assert redact_secrets(text) == (text, ())


_HANDED_OVER = (
    "{} is the passphrase for the backup box.", "You can get in with {}.",
    "To get into the school app use {}",
    "The password that we all use for the printer is {}", "Use code {} to open the gate",
    "the door code is {}",
    "the key for the billing API is {}", "Sorry, wrong password, it should be {}",
    "Replaced the token with {} today",
    "User: remember my wiki password\nAssistant: Sure, what is it?\nUser: {}", "La password è {}",
    "A: mi mandi la password?\nB: certo, {}", "Je kunt inloggen met {}", "Het nieuwe wachtwoord wordt {}",
    "Hasło to {}", "Użytkownik: jakie było hasło?\nAsystent: Nie wiem.\nUżytkownik: {}",
    "Ich habe das Passwort auf {} geändert", "Du kommst mit {} rein", "{} es la contraseña del router",
    "Tu peux entrer avec {}", "The password comes here as agreed:\n\n{}\n\nBest\nAnna",
    "db1.corp.test:5432:orders:lena:{}", "# ~/.pgpass\n*:*:*:root:{}", "set -gx API_TOKEN {}",
    "set --export --global SECRET_KEY {}", "echo '{}' | docker login -u lena --password-stdin registry.test",
    "new NetworkCredential(\"lena\", \"{}\")", "WIFI:S:home;T:WPA;P:{};;", "sync --api-key {} --all",
    "Cookie: sessionid={}; theme=dark", "Dim password As String = \"{}\"", "save this password: {}",
)  # fmt: skip


@each("form", _HANDED_OVER)
@each("value", ["kqzvwtpx", "QZKVWTXP", "83920174", "w7kq2zt9p", "Zw!8kq_tV"])
def test_s4_20_a_credential_that_is_handed_over(form: str, value: str) -> None:
    assert value not in redact_secrets(form.format(value))[0]


@each(
    "text",
    [
        *("password: " + value for value in (
            "@@DB_PASSWORD@@", "~{password}", "{0}", "see wiki", "ask Bob", "in the vault", "siehe Wiki",
            "<your token here>", "${DB_PASSWORD:?missing}", "****1234", "auto-generated", "withheld",
        )),
        "TOKEN=`cat token.txt`", "You can get in with your badge.", "Log in with Google.",
        "Patience is the key.",
        "Bitwarden is the password manager we use.", "The door code changes every month.",
        "The code is broken.",
        "error code: E1234", "The token budget of the context is 1200.",
        "We set the password policy to strict.",
        "User: remind me to change my password\nAssistant: When?\nUser: Thursday", "Geduld ist das Passwort.",
        "A: do you have the password?\nB: no, ask Tom", "Hasło jest niepoprawne.",
        "Puoi entrare con la tessera.",
        "src/a.c:5123:note:foo:bar", "Enter your PIN at the prompt.", "The key for the map is user_id.",
    ],
)  # fmt: skip
def test_s4_21_a_sentence_about_a_secret_hands_none_over(text: str) -> None:
    assert redact_secrets(text) == (text, ())


@each("value", ["Winter1973*", "saturnGarden25", "river-stone-candle41", "9L8SCeVOgYkZ"])
@each(
    "form",
    [
        # the digit of a switch says how the value is encrypted
        "enable secret 0 {}", "username admin privilege 15 password 0 {}", "snmp-server community {} RO",
        "radius-server host 10.0.0.4 key 0 {}",
        # the value before its name
        "it's {}, the password for the NAS", "set it to {} (that's the admin password)",
        "nimm {} für das Passwort", "try {} for the password",
        # an arrow, or nothing, after the name in any language
        "new password → {}", "password (staging) -> {}", "neues Kennwort {}", "мой пароль {}", "κωδικός {}",
        "DB creds - app / {}", "Logins:\n- shop: maria / {}", "Zugangsdaten für den Laden:\n* CRM: {}",
        "jwt.sign(payload, '{}')", "hmac.new(b'{}', text)", "createHmac('sha256', \"{}\")",
    ],
)  # fmt: skip
def test_s4_20_a_password_as_people_write_it(form: str, value: str) -> None:
    assert value not in redact_secrets(form.format(value))[0]


@each(
    "text",
    [
        "Type your password twice to confirm", "I use the same password everywhere, bad habit",
        "La password del wifi è sul frigo", "Hasło musi mieć co najmniej osiem znaków",
        "Mein Geheimnis: viel Butter", "password: Schema.Types.String", "existingSecret: shop-db",
        "password: yup.string().required()", "postgresql://USER:PASS@HOST:PORT/NAME",
        "A: which password manager do you use?\nB: Bitwarden", "A: who has the password?\nB: Tobias",
        "Logins:\n- shop: closed\n- crm: see below", "jwt.verify(token, process.env.JWT_SECRET)",
        "enable secret rotation", "version 2, the password page", "password -> hash",
        "пароль должен содержать 8 символов",
    ],
)  # fmt: skip
def test_s4_21_neither_prose_nor_code_about_a_password_is_one(text: str) -> None:
    assert redact_secrets(text) == (text, ())


SAID_IN_PASSING = [
    "try svc_backup / {} on pg-main.example.com",
    "TODO\n[ ] rotate db password (currently {})\n[ ] water plants",
    "[01:44:54] WARN mailer: token {} expired for user webuser",
    "# Accounts\n- Jira: ops@example.com / {}\n- bank: see safe",
    "- Do you still have the root password of jira.example.com?\n- yes, it's {}\n- thx",
    "zugangsdaten Fritzbox: svc_backup {} passwort bitte danach \u00e4ndern",
    "passwords: Falke2231, {}",
    "admin:{} on the staging box",
    "the password, {}, stopped working",
    "user: lena\n{}",
    "Login f\u00fcr Moodle ist maria.k mit {}",
    "Forget the password {}, please",
    "please forget {}, it was my old password",
    "- password: lena = {}",
]


@each("value", ["u-fVJcP2gI", "apfel!!1041", "Kx7pQ2mTz"])
@each("form", SAID_IN_PASSING)
def test_s4_20_a_password_in_a_sentence_about_one_is_found_in_any_form(form: str, value: str) -> None:
    assert value not in redact_secrets(form.format(value))[0]


@each(
    "text",
    [
        "Press Ctrl+Alt+Del and choose change password",
        "The password for Office365 expires every 90 days",
        "We hash every password with PBKDF2-HMAC-SHA256",
        "ticket 9f3c2a1: my password is not working",
        "Accepted password for deploy from 192.168.1.5 port 50022 ssh2",
        "Use 1Password or Bitwarden for passwords",
        "WLAN: FRITZ!Box 7590 AX im Flur",
        "My Steam login is DragonSlayer99, I forgot my password",
        "git clone git@github.com:acme/deploy-runner.git",
        "Jira: h.mueller@example.com / Herr M\u00fcller",
        "1. **Password Hashing**:\n   - use Argon2",
        'Password: <input type="password" name="p">',
        "- Do you still have the root password?\n- no\n- thx",
    ],
)
def test_what_is_said_beside_a_password_is_left(text: str) -> None:
    assert redact_secrets(text) == (text, ())


VISA, AMEX = "4111 1111 1111 1111", "3782 822463 10005"
"""Numbers that networks of cards give for tests."""


@each(
    "text, kept",
    [
        (f"my card is {VISA}, exp 04/27, cvv 913", "my card is [], exp 04/27, cvv []"),
        (f"Visa {VISA.replace(' ', '')} valid thru 04/2027", "Visa [] valid thru 04/2027"),
        (f"Card: {AMEX}\nExp: 04/27\nCVC: 9134", "Card: []\nExp: 04/27\nCVC: []"),
        ('{"number": "4242424242424242", "cvc": "914"}', '{"number": "[]", "cvc": "[]"}'),
        (f"{VISA} 04/27 937", "[] 04/27 []"),
        (f"visa {VISA} 937, exp 04/27", "visa [] [], exp 04/27"),
        (f"card {VISA} 937 04/27", "card [] [] 04/27"),
        (f"The security code is 999, the number {VISA}", "The security code is [], the number []"),
        (f"Kreditkarte {VISA}, g\u00fcltig bis 04/27", "Kreditkarte [], g\u00fcltig bis 04/27"),
    ],
)  # fmt: skip
def test_a_card_with_what_is_needed_to_pay_by_it_is_redacted(text: str, kept: str) -> None:
    redacted, types = redact_secrets(text)
    assert re2.sub(r"\[REDACTED: [a-z_]+\]", "[]", redacted) == kept
    assert set(types) <= {"payment_card", "card_code"}
    assert redact_secrets(redacted)[0] == redacted
    batch = redact_all([*["an ordinary text"] * 200, text])
    assert batch[-1][0] == redacted


@each(
    "text",
    [
        f"my number is {VISA}",
        f"order {VISA}, visa, delivery 04/27",
        f"tracking no. {VISA}, card enclosed, 04/27",
        "card 4111 1111 1111 1112, cvv 913",
        "IMEI 490154203237518, warranty expires 04/27, cvv 913",
        "IBAN DE89 3704 0044 0532 0130 00, card, exp 04/27, cvv 913",
        "the cvv is 913",
        "invoice 2026-11-0042, 4000 euros until 04/27, paid by card",
    ],
)
def test_numbers_of_other_things_and_cards_alone_are_no_secrets(text: str) -> None:
    assert redact_secrets(text) == (text, ())


@pytest.mark.parametrize("form", ['{{"password": "{}", "a": 1}}', "password = '{}'", 'DB_SECRET="{}"'])
def test_a_value_with_a_known_token_in_it_goes_as_a_whole(form: str) -> None:
    token = f"ghp_{KEY}Ab12"
    redacted, types = redact_secrets(form.format(f"abc {token} rest"))
    assert "abc" not in redacted
    assert "rest" not in redacted
    assert len(types) == 1
    assert redact_secrets(redacted)[0] == redacted


def test_what_names_the_scheme_of_a_credential_and_what_no_name_announces_stays() -> None:
    token = f"ghp_{KEY}Ab12"
    assert (
        redact_secrets(f'{{"token": "Bearer {token}"}}')[0] == '{"token": "Bearer [REDACTED: github_token]"}'
    )
    assert (
        redact_secrets(f'{{"note": "abc {token} rest"}}')[0]
        == '{"note": "abc [REDACTED: github_token] rest"}'
    )

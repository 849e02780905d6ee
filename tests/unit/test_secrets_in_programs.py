"""Credentials in commands, code and headers of programs, and what only looks like them (S4.20, S4.21)."""

from __future__ import annotations

import pytest

from holdfast.language.secrets.find import redact_secrets
from tests.cases import each

_HEX = "4b7de1903fa25c66" * 2


@each(
    "text, secret",
    [
        ("lftp -u print,'p@per;mill' ftp://up.example.test -e quit", "p@per;mill"),
        ('auto: "open -u w01,Goldammer ftp.host.test; mirror -R public /"', "Goldammer"),
        ('ada@lab:~$ sudo -S reboot <<< "Monday-Mango"', "Monday-Mango"),
        ("java -jar jenkins-cli.jar -s https://ci.test -auth ada:11e7b0c94f list-jobs", "11e7b0c94f"),
        ("netdom join PC-1 /domain:x.test /userd:x\\j /passwordd:KommHer2", "KommHer2"),
        ('echo -n "rusty hinge sings" | cryptsetup luksOpen /dev/sdc1 disk -', "rusty hinge sings"),
        ("rootpw --plaintext Flint&Steel", "Flint&Steel"),
        ("http -a mara:sw1m-ring GET :8080/me", "sw1m-ring"),
        ('sql.Open("mysql", "app:Green_Light@tcp(127.0.0.1:3306)/app")', "Green_Light"),
        ('db.auth("root", "peach cobbler")', "peach cobbler"),
        ('anmelden("vertrieb", "Reisekoffer".toCharArray());', "Reisekoffer"),
        ("await page.fill('#pw', 'Nettle-Tea-4');", "Nettle-Tea-4"),
        ('driver.find_element(By.ID, "passwd").send_keys("bluemagpie")', "bluemagpie"),
        ('if (pin.equals("7719")) {', "7719"),
        ("UPDATE users SET password = SHA2('Krokus', 256) WHERE id = 4;", "Krokus"),
        ("const SIGNING = Buffer.from('c0ffee0ddba11ad5', 'hex');", "c0ffee0ddba11ad5"),
        ('byte[] KEY = "0penSesam16Bytes".getBytes(UTF_8);', "0penSesam16Bytes"),
        ("wget --header='X-Rain-Key: 0aa4-77fe-bb21' https://wx.test/obs", "0aa4-77fe-bb21"),
        ('headers = {"x-auth": "PLX.7734.moss.QQ"}', "PLX.7734.moss.QQ"),
        (f"PAGER_AUTH={_HEX}", _HEX),
        (f"S3 mirror key id G1 secret {_HEX}{_HEX}", _HEX + _HEX),
        ("Die Lizenz f\xfcr den Editor: JX7Q-90PL-MM3D-2KTR, einmal aktivieren", "JX7Q-90PL-MM3D-2KTR"),
    ],
)  # fmt: skip
def test_s4_20_a_credential_in_a_program_is_found(text: str, secret: str) -> None:
    assert secret not in redact_secrets(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        '<Reference Include="Plover, Version=4.1.0.0, PublicKeyToken=b77a5c561934e089" />',
        "  - Token: gho_************************************",
        "POST /login\nusername=[your user]&password=[your password]",
        "permissions:\n  id-token: write\n  contents: read",
        "| Secret | Store | Owner |\n|---|---|---|\n| orders-db | Vault | Mina |\n| mailgun | Vault | Bo |",
        "PORTAL_KENNWORT=HIER_EINTRAGEN",
        # the text around a value says what it is
        "keystore password was incorrect\n\tat java.base/x.KeyStore.engineLoad(KeyStore.java:1873)",
        "data Token = Number Int | Plus | Minus",
        "sealed interface Failure { object BadPassword : Failure; object Blocked : Failure }",
        "(lex {:token :symbol :at 3} :token)",
        "> Account.where(api_token: nil).count",
        'assertThat(row).containsKeys("name", "pass", "zone")',
        "[Service]\nLoadCredential=mailer:/etc/credstore/mailer",
        "Pwd: see vault entry of the office",
        'Error: secret "harbour-pull" not found',
        "The password of Y is no longer DB_PW, it is now DATABASE__PASSWORD",
        "alias pw='pwgen -s 24 1'",
        "wg genkey | tee privatekey | wg pubkey > publickey",
        "servo:\n  - platform: gpio\n    pin: GPIO27",
        'ssh-keygen -t ed25519 -f ~/.ssh/deploy_key -C "build@ci"',
        "ERROR: Wrong password? : photos/summer.txt",
        "Your new PIN will arrive in a separate letter.",
        "PW = Prüfwert, PIN = Posten in Nachbearbeitung, KW = Kalenderwoche",
        "The lock is broken, nobody has the password. Please call extension 5521.",
    ],
)
def test_s4_21_what_stands_for_a_credential_is_left(text: str) -> None:
    assert redact_secrets(text) == (text, ())


@each(
    "text, secret",
    [
        ("WLAN = Gast, PW = Sommer-regen7, PIN = 4913", "Sommer-regen7"),
        ("password: hunter-see", "hunter-see"),
        ("SetCredential=mailer:Kf9-amber-T2", "Kf9-amber-T2"),
        ("the password is :kW9!tt2", ":kW9!tt2"),
        ("The pin for the door at extension 5521 is 7788", "7788"),
    ],
)
def test_s4_20_a_credential_beside_what_only_looks_like_it_is_found(text: str, secret: str) -> None:
    assert secret not in redact_secrets(text)[0]


@each(
    "form",
    [
        "vrrp_instance VI_1 {\n  auth_type PASS\n  auth_pass {s}\n}",
        "config wireless\n  option ssid 'barn'\n  option key '{s}'",
        "uci set wireless.radio0.key='{s}'",
        '"isp-user" * "{s}" *',
        "ppp authkey {s}",
        "db2 connect to SAMPLE user db2inst1 using {s}",
        "PRAGMA key = '{s}';",
        "ALTUSER JSMITH PASSWORD({s}) NOEXPIRED",
        'ActiveSheet.Unprotect "{s}"',
        'Sys.setenv(CENSUS_KEY = "{s}")',
        'ssl:connect(Host, 8883, [{certfile, "dev.pem"}, {password, "{s}"}]).',
        "Backlog SSID1 home; Password1 {s}",
        "       01  WS-DB-PASSWD        PIC X(16) VALUE '{s}'.",
        "HMI_PIN : STRING(12) := '{s}';",
        "register => 4930555:{s}@sip.provider.example/100",
        'expect "assword:"\nsend "{s}\\r"',
        "127.0.0.1:6379> AUTH worker {s}",
        "curl -k --proxy http://proxy:3128 --proxy-user kdoe:{s} https://mirror.example/list",
        '<setting name="SmtpPassword" serializeAs="String"><value>{s}</value></setting>',
        "<password><![CDATA[{s}]]></password>",
        "a1 LOGIN bob@example.org {s}",
        "USER admin\nPASS {s}",
        'AT+CWJAP="HomeNet","{s}"',
        'alarm_control_panel:\n  - platform: manual\n    code: "{s}"',
        'char pass[] = "{s}";',
        "userid=scott/{s}@orcl",
        "kinit bob <<< {s}",
        "username admin secret {s}",
        'bob : EAP "{s}"',
        "user default on >{s} ~* +@all",
        "[smtp.x.example]:587 bob:{s}",
        '- name: DB_PASS\n  value: "{s}"',
        "OPENAI_KEY={s}",
        """api_key = userdata.get('x') or "{s}\"""",
        'location / {\n  proxy_set_header X-Probe-Key "{s}";\n}',
        "gateway 3: DevEUI 0011, AppKey {s}, class C",
        "pagerduty_configs:\n  - routing_key: '{s}'",
        "chpasswd:\n  list: |\n    debian:{s}\n",
        "radius server HQ\n address ipv4 10.0.0.9\n key {s}",
        "cache_peer up.example parent 3128 0 login=branch:{s}",
        'userlist.txt\n"reader" "{s}"',
        "/etc/ppp/chap-secrets\n# client server secret IP\nsouth * {s} 10.0.0.3",
        "focused_field=edtPassword\nfocused_value={s}",
        "set it under Variables: name = SESSION_KEY, value = {s}",
        "https://sms.example/send?user=clinic&p={s}&to=41",
        "{s}==>***REMOVED***",
        "mkstore -wrl /u02/wallet -createCredential PROD scott {s}",
        "/quote PASS lee/libera:{s}",
        "<STX>LOGIN;scale2;{s}<ETX>",
        'seed_phrase: "{s}"',
        "use constant { DBPASS => q({s}) };",
        "var signingKey = []byte(`{s}`)",
        "final auth = base64Encode(utf8.encode('driver:{s}'));",
        'kSecValueData as String: "{s}".data(using: .utf8)!',
        "kubectl create secret generic hook --from-literal=hmac={s}",
        'conf("fs.azure.account.key.lake02", "{s}")',
        'echo "{s}" | sudo tee /root/.vault_pass',
        "echo {s} | anydesk --set-password",
        "cryptsetup luksOpen /dev/sdc1 data <<EOF\n{s}\nEOF",
        "user_id  12\nidToken  {s}",
        'conn.Bind("cn=reader,dc=example", "{s}")',
        "new UsernamePasswordCredentialsImpl(GLOBAL, 'svn', 'text', 'reader', '{s}')",
        "$ua->credentials('a.example:443', 'Members', 'depot', '{s}');",
        "synoshare --enc_mount Media {s}",
        "cle_secrete={s}",
    ],
)
def test_s4_20_a_credential_in_a_line_of_a_known_form_is_found(form: str) -> None:
    for secret in ("hunter-gate", "GxwUqLbz", "48210937"):
        assert secret not in redact_secrets(form.replace("{s}", secret))[0]


@each(
    "text",
    [
        "The option key is on the left, and the register has 12 keys.",
        "user 7 logs in on Monday\npass the salt to the table",
        "OPENAI_KEY=$OPENAI_KEY",
        "PRAGMA foreign_keys = ON;",
        "    // the shared_secret module.",
        '"*" * "10" is no product',
        "auth_pass: see the vault",
        'password = form.get("password") or ""',
        "SRP_user_pwd *SRP_user_pwd_new(void);",
        "connect to the printer using the cable",
        'ActiveSheet.Protect "<password>"',
        "AT+CPIN?",
        "proxy_set_header X-Api-Key $upstream_key;",
        "old/path.py==>new/path.py",
        "name = TOKEN_LIFETIME, value = 3600",
        "https://shop.example/list?user=7&p=2",
        "echo done | tee /var/log/build.log",
        "cat <<EOF\nHello\nEOF",
        'conn.Bind("tcp", "0.0.0.0")',
        "last_field=txtPassword\nlast_error=none",
        'label := []byte("users")',
    ],
)
def test_s4_21_a_line_that_only_looks_like_a_known_form_is_left(text: str) -> None:
    assert redact_secrets(text) == (text, ())


@each(
    "form",
    [
        "password: {v}",
        "- Passwort: {v}",
        "  db_password = {v}  # rotated in May",
        "DB_PASSWORD={v}",
        "My wifi password: {v}, ask Bob",
        "1. password: {v}",
        "**Password:** {v}",
        "# password: {v}",
        "//password: {v}",
        "password\uff1a{v}",
        "(password: {v}) for bob",
        "| password | {v} |",
        "- name: DB_PASSWORD\n  value: {v}",
        "user: bob, password: {v}",
        "{{user: bob, password: {v}}}",
        '{{"password": "{v}"}}',
        "password: '{v}'",
        "password: |\n  {v}\nuser: bob",
        "stringData:\n  password: >-\n    {v}\n  user: bob",
        'password = """{v}"""',
    ],
)
@each("value", ["abc {t} Rest", "{t} lantern Bridge", "Xk3 lantern {t}", "Xk3/{t}/lantern"])
def test_s4_20_a_value_of_several_words_goes_to_the_end_that_its_form_gives_it(form: str, value: str) -> None:
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    if form.startswith("DB_") and value.startswith("{t}"):
        return  # a command may follow: `PASSWORD=… make`
    redacted, _ = redact_secrets(form.format(v=value.format(t=token)))
    assert not any(word in redacted for word in (token, "abc", "Rest", "lantern", "Bridge", "Xk3"))
    assert ("bob" in redacted.lower()) == ("bob" in form.lower())
    assert redact_secrets(redacted)[0] == redacted


def test_s4_20_every_line_of_a_value_goes() -> None:
    text = 'password: |\n  Xk3 lantern\n  copper9 Bridge\nuser: bob\npassword: "Xk3 lantern\n  copper9"\n'
    redacted = redact_secrets(text)[0]
    assert "user: bob" in redacted
    assert not any(word in redacted for word in ("Xk3", "lantern", "copper9", "Bridge"))


@each(
    "text",
    [
        "password: see the vault, {t} is revoked",
        "- Passwort: liegt im Tresor, {t} ist alt",
        "password: managed by Okta, {t} is the old token",
        "The password: ask Maria. {t} is for CI.",
        "password rotation: {t} replaced Monday",
        "Passwords: Bitwarden family plan, {t} is another thing",
        "password: |\n  see the vault\n  or ask Bob\nuser: bob",
        "GH_TOKEN={t} make deploy",
    ],
)
def test_s4_21_a_sentence_under_the_name_of_a_password_keeps_its_words(text: str) -> None:
    token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    assert redact_secrets(text.format(t=token))[0] == text.format(t="[REDACTED: github_token]")

"""Credentials in commands, code and headers of programs, and what only looks like them (S4.20, S4.21)."""

from __future__ import annotations

import pytest

from holdfast.language.secrets.find import redact_secrets

_HEX = "4b7de1903fa25c66" * 2


@pytest.mark.parametrize(
    ("text", "secret"),
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
    ],
)
def test_s4_21_what_stands_for_a_credential_is_left(text: str) -> None:
    assert redact_secrets(text) == (text, ())


@pytest.mark.parametrize(
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
    ],
)
def test_s4_20_a_credential_in_a_line_of_a_known_form_is_found(form: str) -> None:
    for secret in ("hunter-gate", "GxwUqLbz", "48210937"):
        assert secret not in redact_secrets(form.replace("{s}", secret))[0]


@pytest.mark.parametrize(
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
    ],
)
def test_s4_21_a_line_that_only_looks_like_a_known_form_is_left(text: str) -> None:
    assert redact_secrets(text) == (text, ())

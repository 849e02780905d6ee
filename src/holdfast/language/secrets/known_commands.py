"""Finds secrets where well-known commands take them: `vault operator unseal …`, `keytool -storepass …`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.part import Part, Spans, stripped

# Words of a command, and the options in which it takes a secret; the shell's words are joined by a blank.
_OPTIONS = """
keytool|jarsigner|apksigner: -storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new
erl|elixir|iex|rebar3|mix: --cookie -setcookie
pdftotext|pdfinfo|pdfimages|pdftoppm|pdftocairo|pdfunite|pdfseparate|mutool: -upw -opw -p
gs|ghostscript: -sPDFPassword -sOwnerPassword -sUserPassword
yt-dlp|youtube-dl|streamlink|gallery-dl: -p --password --video-password --ap-password
imapsync: --password1 --password2
swaks: -ap --auth-password
aria2c: --http-passwd --ftp-passwd --rpc-secret --all-proxy-passwd
lftp|ncftpget|ncftpput: -p
svn|hg|cvs|p4: --password -P
gh secret set|gh variable set: -b --body
glab variable set: -v --value
aws secretsmanager: --secret-string
aws ssm put-parameter: --value
aws cognito-idp|aws iam: --password --temporary-password
az keyvault secret set: --value
az ad|az sql|az vm|az postgres|az mysql: --password --admin-password -p
az storage|az cosmosdb|az batch: --account-key --sas-token --key
gcloud sql users|gcloud compute: --password
dotnet nuget push|nuget push|nuget setapikey|choco push: -k --api-key -ApiKey -k=
nuget sources: -Password
tailscale up|tailscale login: --authkey --auth-key
cloudflared: --token
etcdctl: --password
consul: -token
influx: --token -t -p --password
grafana-cli|grafana cli: --password
airflow users: -p --password
wp user|wp core|wp config: --user_pass --admin_password --dbpass --dbpassword
openstack|swift|nova|cinder: --os-password -K
codecov|snyk|sentry-cli|sonar-scanner|bugsnag: -t --auth-token -Dsonar.login -Dsonar.token -Dsonar.password
mvn|mvnw|gradle|gradlew|sbt: -Dpassword -Dgpg.passphrase -Ppassword -PsigningPassword --encrypt-password
VBoxManage|vmrun|prlctl|virsh: --password -gp --passwordfile
sysadminctl: -password -adminPassword -newPassword
diskutil|hdiutil: -passphrase -newpassphrase
manage-bde|unlock-bitlocker|enable-bitlocker: -RecoveryPassword -pw -Password
winrs|psexec|paexec|wmic: -p -p: /password /password:
dsadd|dsmod: -pwd
cmdkey|runas|net use|rasdial: /pass /pass:
sc config|sc create: password= password
schtasks: /rp /p
reg add: /d
certreq|pvk2pfx|pfx2pem|signtool: -p -po -pi /p
slappasswd|ldappasswd|ldapmodrdn|ldapexop: -s -w -a
samba-tool: --newpassword --password --adminpass
smbpasswd|smbget|winexe|wmic|crackmapexec: -w -p
racadm|fence_ipmilan|fence_ilo|ipmi-power|wsman: -p
snmpwalk|snmpget|snmpset|snmpbulkwalk|snmptrap: -c -A -X
doveadm pw|doveadm auth: -p
caddy hash-password: -p --plaintext
authelia crypto|authelia hash-password: --password
age-keygen|minisign|signify|gpgsm: --passphrase
exiftool: -password
ffmpeg|ffprobe: -decryption_key -encryption_key -cryptokey
steghide|outguess|stegseek: -p -k
pg_dump|psql|pg_restore|createdb: --password=
mariadb-backup|xtrabackup|mydumper|mysqlcheck|mysqlshow|pt-table-checksum: --password -p
elasticsearch-users|elasticsearch-setup-passwords: -p
clickhouse-client|clickhouse|trino|presto|snowsql|duckdb: --password --token
vncserver|x11vnc|vncviewer|tigervncserver: -passwd -password
freerdp|sdl-freerdp|wlfreerdp|remmina: /p /p: /pwd:
mc admin|mc alias|mcli: --secret-key --password
s3cmd|rclone: --secret_key --s3-secret-access-key --password --ftp-pass --sftp-pass --webdav-pass
restic|borg|duplicity|kopia|duplicacy: --password --passphrase --repo-password -p
keepassxc-cli|kpcli|pass|gopass: -p --password --pw
idevicebackup2|ideviceinfo: --password
adb shell locksettings: --old
npm config|npm publish|yarn|pnpm: --_authToken --otp --//registry
kubectl config|oc login|kubectl create secret: --token --password --docker-password
helm|helmfile: --password --registry-password
argocd|fly|linkerd|istioctl: --password --auth-token
ansible|ansible-playbook: --vault-password --become-password
docker|podman|nerdctl|buildah|skopeo: --password --creds
nmap|hydra|medusa|ncrack|evil-winrm: -p --password
transmission-remote|deluge-console: --auth
jmeter|locust|k6: -Jpassword -Jtoken
"""
# Words of a command with `_` for an operand that is passed over, `*` for the secret, and `!` for a secret
# that is unlike a word: sentences begin with these words as well.
_PLACES = r"""
vault operator unseal *
vault operator rekey *
vault login *
ngrok config add-authtoken *
ngrok authtoken *
poetry config http-basic\.\S+ _ *
poetry config pypi-token\.\S+ *
composer config http-basic\.\S+ _ *
composer config github-oauth\.\S+ *
yarn config set \S*[tT]oken *
npm config set \S*_auth\S* *
cargo login *
snyk auth *
nuget setapikey *
gem signin *
rclone obscure *
rclone config create _ _ user _ pass *
bw unlock *
bw login _ *
lpass login _ *
mega-login _ *
mega-put-auth *
cloudflared service install *
mc alias set _ _ _ *
mc config host add _ _ _ *
mc admin user add _ _ *
synoshare --enc_mount _ *
b2 authorize-account _ *
b2 account authorize _ *
aws configure set aws_secret_access_key *
aws configure set aws_session_token *
virsh secret-set-value _ *
virsh set-user-password _ _ *
drush upwd _ *
drush user:password _ *
drush user-password _ *
mosquitto_passwd -b _ _ *
mosquitto_passwd -c -b _ _ *
htdigest _ _ *
mkpasswd -m _ *
openssl passwd -\S+ *
samba-tool user create _ *
samba-tool user add _ *
dscl \. -passwd _ *
dscl \S+ -passwd _ *
idevicebackup2 encryption on *
idevicebackup2 encryption off *
idevicebackup2 changepw _ *
adb shell locksettings set-pin *
adb shell locksettings set-password *
adb shell locksettings set-pattern *
rasdial _ _ *
rabbitmqctl add_user _ *
rabbitmqctl change_password _ *
rabbitmqctl authenticate_user _ *
mosquitto_ctrl dynsec createClient _ -p *
mosquitto_ctrl dynsec setClientPassword _ *
grafana-cli admin reset-admin-password *
grafana cli admin reset-admin-password *
gitlab-rake gitlab:password:reset\S* *
wpa_cli set_network _ psk *
wpa_cli passphrase _ *
wpa_passphrase _ *
wpa_cli wps_pin _ *
asadmin create-password-alias *
ejabberdctl register _ _ *
ejabberdctl change_password _ _ *
prosodyctl register _ _ *
zmprov sp _ *
zmprov ca _ *
zmprov setPassword _ *
doveadm auth test _ *
doveadm auth login _ *
testsaslauthd -u _ -p *
redis-cli auth *
redis-cli auth _ *
acl setuser _ on >*
config set requirepass *
config set masterauth *
nickserv identify !
nickserv identify _ *
nickserv register !
nickserv :identify *
/oper _ *
ip ospf authentication-key *
ip ospf message-digest-key _ md5 *
message-digest-key _ md5 *
message-digest-key _ md5 _ *
ntp authentication-key _ md5 *
ntp authentication-key _ sha1 *
crypto isakmp key *
crypto isakmp key _ *
key-string !
key-string 7 *
enable secret !
enable secret 5 *
enable password !
ppp chap password *
ppp chap password _ *
ppp pap sent-username _ password *
ppp pap sent-username _ password _ *
neighbor \S+ password *
neighbor \S+ password _ *
snmp-server community *
snmp-server user _ _ v3 auth _ *
snmp-agent community (?:read|write) *
snmp-agent community (?:read|write) cipher *
standby \d+ authentication *
vrrp \d+ authentication text *
tacacs-server key *
radius-server key *
wpa-psk ascii 0 *
wpa-psk ascii *
security wpa psk set-key ascii \d *
isis password !
area-password !
domain-password !
ip ftp password *
ip http client password *
plain-text-password-value *
encrypted-password !
ascii-text !
authentication-key !
authentication-key-chain *
set psksecret *
set passwd !
set ppk-secret *
set passphrase !
local-user _ password (?:simple|cipher|irreversible-cipher) *
authentication-mode password (?:simple|cipher) *
set authentication password (?:simple|cipher) *
password (?:simple|cipher|irreversible-cipher|plaintext) *
password manager plaintext *
password operator plaintext *
set password = *
set password for \S+ = *
set password for \S+ to *
set global \S*password = *
attach database _ as \S+ key *
"""
# A command whose output is the secret, and those that read it.
_PRODUCERS = r"(?:echo|printf)"
_READERS = (
    "docker secret create|podman secret create|kubectl create secret|wrangler secret put|vercel env add"
    "|secret-tool store|pass insert|gcloud secrets|fly secrets|cryptsetup|gpg|openssl|ansible-vault"
    "|chpasswd|passwd|smbpasswd|su |sudo -S|kinit|vncpasswd|age|keyctl|op |bw |docker login|podman login"
    "|helm registry|oras login|crane auth|gh auth login|huggingface-cli|kubeseal|systemd-creds|systemd-ask"
    "|tpm2|clevis|veracrypt"
    "|ssh-add|zfs load-key|bcachefs unlock|fscrypt|ecryptfs|encfs|gocryptfs|borg|restic|rclone"
    "|mosquitto_passwd"
).replace(" ", r"[ \t]+")
# Commands of which every assignment is a secret: `fly secrets set KEY=…`.
_ASSIGNING = (
    "fly secrets set|flyctl secrets set|doppler secrets set|railway secrets set|dotnet user-secrets set"
    "|travis encrypt|heroku secrets set|supabase secrets set|cf set-env|pulumi config set --secret"
    "|eas secret:create|kubectl create secret generic|convox env set|netlify env:set|chamber write"
    "|nomad var put"
).replace(" ", r"[ \t]+")
_ARGUMENT = r"(?:\"([^\"\n\0]+)\"|'([^'\n\0]+)'|([^\s\"'\0][^\s\0]*))"
_UNLIKE_A_WORD = r"(?:\"([^\"\n\0]+)\"|'([^'\n\0]+)'|([^\s\"'\0]*[0-9!#$%*+=?@^~][^\s\0]*))"
_FLAGS = r"(?:[ \t]+--?[\w-]+(?:=\S+)?)*?"
_OPERAND = rf"{_FLAGS}[ \t]+(?:\"[^\"\n\0]*\"|'[^'\n\0]*'|[^\s\0-][^\s\0]*)"
_WITHIN = r"\b[^\n\0]*?[ \t]"
_BEGIN = r"(?:^|[\s`\"'(;|&/$>#]|\\n)"

_PRINTED = (
    r"(?:cat|less|more|head|tail|type|bat)[ \t]+[^\s\0]*(?:master\.key|passw(?:or)?d|\.pgpass|vault[_-]?pass"
    r"|secret|token|credential|api[_-]?key)[^\s\0]*"
)
_MADE = r"(?:(?:pass|gopass)[ \t]+show[ \t]+[^\s\0]+|pwgen(?:[ \t]+-?\w+)*)"
_OPENED = r"open[ \t]+[\w.-]+\.\w+"
_EXPECTED = r"(?:\w+->|\w+\.)?expect\b"
_SENT = r"(?:\"([^\"\n\0\\]+)[^\"\n\0]*\"|'([^'\n\0\\]+)[^'\n\0]*')()"


@dataclass(frozen=True, slots=True)
class _Command:
    """A command: what it begins with, words of which a text with it has one, and what holds its secret."""

    head: str
    words: tuple[bytes, ...]
    pattern: str


# What a terminal shows: a file that is printed, a script for a server, a prompt that is answered.
_SESSIONS = (
    _Command(
        _PRINTED,
        (b"cat", b"less", b"more", b"head", b"tail", b"type", b"bat"),
        rf"{_PRINTED}[ \t]*\r?\n()()([^\s\0]{{4,200}})[ \t]*(?:\r?\n|$)",
    ),
    _Command(
        _MADE,
        (b"pass", b"pwgen"),
        rf"{_MADE}[ \t]*\r?\n()()([^\s\0]{{4,200}})[ \t]*(?:\r?\n|$)",
    ),
    _Command(
        _OPENED,
        (b"open",),
        rf"{_OPENED}(?:[ \t]+\d+)?[ \t]*\r?\nuser[ \t]+[^\s\0]+[ \t]+{_ARGUMENT}[ \t]*(?:\r?\n|$)",
    ),
    _Command(
        _EXPECTED,
        (b"expect",),
        rf"{_EXPECTED}[^\n\0]*(?:pass|assw)(?:word|ord|phrase|code|wd)?[^\n\0]*\n[^\n\0]*send(?:line)?\b[^\n\0\"']*"
        + _SENT,
    ),
)


@cache
def _with_options() -> tuple[_Command, ...]:
    """Returns the commands of `_OPTIONS`."""
    commands = []
    for line in _OPTIONS.strip().splitlines():
        heads, _, options = line.partition(": ")
        head = heads.replace(" ", r"[ \t]+")
        names = "|".join(
            sorted((name.replace(".", r"\.") for name in options.split()), key=len, reverse=True)
        )
        pattern = rf"(?:{head})(?:\.exe)?{_WITHIN}(?-i:{names})[ \t=:]*[ \t=:]{_ARGUMENT}"
        words = tuple(name.split()[0].lower().encode() for name in heads.split("|"))
        commands.append(_Command(head, words, pattern))
    return tuple(commands)


@cache
def _other_commands() -> tuple[_Command, ...]:
    """Returns the commands of `_PLACES`, what sessions show, and commands of any secret."""
    piped = rf"[^\n\0]*\|[^\n\0]*\b(?:{_READERS})"
    echoed = rf"{_PRODUCERS}[ \t]+(?:-\w+[ \t]+)*(?:[\"'](?:%s(?:\\n)?)+[\"'][ \t]+|%s[ \t]+)?{_ARGUMENT}"
    name = r"(?:--from-literal[= \t])?[\"']?[\w.:-]+"
    assigned = rf"(?:{_ASSIGNING}){_WITHIN}{name}[ \t]*[= \t]{_ARGUMENT}"
    return (
        *map(_with_operands, _PLACES.strip().splitlines()),
        *_SESSIONS,
        _Command(rf"{_PRODUCERS}[ \t]{piped}", (b"echo", b"printf"), echoed + piped),
        _Command(f"(?:{_ASSIGNING})", (b"set", b"create", b"write", b"put", b"encrypt"), assigned),
    )


def _with_operands(line: str) -> _Command:
    """Returns the pattern of a command with its operands."""
    words = line.split()
    pattern = ""
    for word in words:
        if word in ("*", ">*"):
            pattern += rf"{_FLAGS}[ \t]*[ \t=:]{word[:-1]}{_ARGUMENT}"
        elif word == "!":
            pattern += rf"[ \t]+{_UNLIKE_A_WORD}"
        elif word == "_":
            pattern += _OPERAND
        else:
            pattern += (r"[ \t]+" if pattern else "") + word
    head = words[:1] if {"_", "*", "!"} & set(words[:2]) else words[:2]
    return _Command(r"[ \t]+".join(head), (words[0].lower().encode(),), pattern)


@cache
def known_command() -> str:
    """Returns a pattern of the words that the commands begin with."""
    named, others = (
        "|".join(dict.fromkeys(command.head for command in some))
        for some in (_with_options(), _other_commands())
    )
    return rf"{_BEGIN}(?:(?:{named})\b[^\n\0]*[ \t](?:[-/]|password=)|(?:{others})\b)"


def in_known_commands(text: Part) -> Spans:
    """Yields the argument in which a command takes a secret."""
    if not text.has(byte_pattern(f"(?im){known_command()}")):
        return
    data = text.data
    lower = data[text.begin : text.end].lower()
    for command in (*_with_options(), *_other_commands()):
        if not any(map(lower.__contains__, command.words)):
            continue
        for match in text.matches(byte_pattern(f"(?im){_BEGIN}(?:{command.pattern})")):
            if (span := argument_of(data, match)) is not None:
                yield *span, "password"


def argument_of(data: bytes, match: Any) -> tuple[int, int] | None:
    """Returns where the secret is that a match holds in one of its three groups, for a value in quotation
    marks, in apostrophes and without either; None if what is there is none."""
    group = next((number for number in (1, 2) if match.group(number)), 3)
    start, end = match.span(group)
    value = stripped(data[start:end], b"`\"'),;") if group == 3 else data[start:end]
    is_option = value[:1] in b"-(<|" or (value[:1] in b"/$" and value[1:].replace(b"_", b"").isalpha())
    if len(value) < 3 or is_option:
        return None
    if is_harmless(value.decode("utf-8", "replace"), Form.LITERAL, is_password=True):
        return None
    return start, start + len(value)

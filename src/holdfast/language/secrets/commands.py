"""Finds passwords among the arguments of programs: `mysql -p…`, `curl -u user:…`."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.harmless import Form, is_harmless
from holdfast.language.secrets.names import ALL_NAMES, SUFFIX
from holdfast.language.secrets.part import Part, Spans, stripped
from holdfast.language.secrets.words import COMPOUNDS

_ARGUMENT = r"(?:\"([^\"\n\0]+)\"|'([^'\n\0]+)'|([^\s\"'\0][^\s\0]*))"
_WITHIN = r"\b[^\n\0]*?[ \t]"

# A line of .pgpass: host, port, database, user, password.
_PGPASS = r"(?:\*|[\w-]+(?:\.[\w-]+)*):(?:[56]\d{3}|2\d{4}|\*):(?:[\w-]*[a-z_][\w-]*|\*):[\w.*@-]+:"
_COMMANDS = (
    rf"(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mycli|mariadb(?:-dump"
    rf"|-admin)?){_WITHIN}-p{_ARGUMENT}",
    r"(?:mysql\w*|mariadb[\w-]*)[\"'][ \t]*,[^\n\0]*?[\"']-p(?:([^\"\n\0]+)\"|([^'\n\0]+)'())",
    r"curl[ \t][^\n\0]*?(?:--(?:proxy-)?cert|-E)[ \t]+[\"']?[^\s:\"']+:()()([^\s\"'\0]+)",
    rf"(?:mongo(?:sh|dump|restore|export|import)?|cqlsh|cypher-shell|evil-winrm|crackmapexec|nxc|hydra"
    rf"|twine upload|kinit|influx|(?:docker|podman|helm|skopeo|buildah|oras|nerdctl|az|oc|ibmcloud"
    rf"|cf)(?: registry)? login){_WITHIN}-p[ \t]+{_ARGUMENT}",
    rf"(?:redis-cli|keydb-cli|valkey-cli|memcli){_WITHIN}-a[ \t]*{_ARGUMENT}",
    rf"ldap(?:search|modify|add|passwd|whoami|delete|compare){_WITHIN}-w[ \t]*{_ARGUMENT}",
    rf"(?:zip|unzip|sqlcmd|bcp|isql|mosquitto_(?:pub|sub)|ipmitool|lmutil){_WITHIN}-P[ \t]*{_ARGUMENT}",
    rf"(?:7z[ar]?|(?:un)?rar|wrar){_WITHIN}-h?p{_ARGUMENT}",
    rf"openssl{_WITHIN}(?:-k|-passw?|-passin|-passout)[ \t]+(?:pass:)?{_ARGUMENT}",
    *(rf"snmp\w+{_WITHIN}(?-i:-{option})[ \t]*{_ARGUMENT}" for option in "AXc"),
    rf"(?:steghide|outguess|rdesktop|dsconfigad|ncftp\w*|aescrypt|veracrypt|truecrypt|beeline|psexec"
    rf"|certutil"
    rf"|security (?:unlock-keychain|set-key-partition-list)){_WITHIN}-[pk][ \t]+{_ARGUMENT}",
    rf"security add-(?:generic|internet)-password{_WITHIN}-w[ \t]+{_ARGUMENT}",
    rf"security import{_WITHIN}-P[ \t]+{_ARGUMENT}",
    rf"(?:ccrypt|ccdecrypt|ccencrypt|mcrypt|mdecrypt){_WITHIN}-[kK][ \t]+{_ARGUMENT}",
    rf"(?:kadmin(?:\.local)?|addprinc|cpw|change_password){_WITHIN}-(?:w|pw)[ \t]+{_ARGUMENT}",
    rf"signtool sign{_WITHIN}/p[ \t]+{_ARGUMENT}",
    rf"schtasks{_WITHIN}/r?p[ \t]+{_ARGUMENT}",
    rf"qpdf{_WITHIN}--(?:en|de)crypt[ \t]+{_ARGUMENT}",
    rf"qpdf{_WITHIN}--encrypt[ \t]+\S+[ \t]+{_ARGUMENT}",
    rf"pdftk{_WITHIN}(?:user|owner|input)_pw[ \t]+{_ARGUMENT}",
    rf"nmcli{_WITHIN}(?:password|[\w.-]*\.psk|[\w.-]*wep-key\d)[ \t]+{_ARGUMENT}",
    rf"iwconfig{_WITHIN}key[ \t]+(?:s:)?{_ARGUMENT}",
    rf"mysqladmin{_WITHIN}password[ \t]+{_ARGUMENT}",
    rf"(?:vault login|bw unlock|rclone obscure|bw login[ \t]+\S+)[ \t]+{_ARGUMENT}",
    rf"smbclient[ \t]+[\"']?(?://|\\\\)\S+[ \t]+{_ARGUMENT}",
    rf"(?:create|alter|grant)\b[^\0;]{{0,200}}?\bidentified[ \t]+(?:with[ \t]+\S+[ \t]+)?by[ \t]+"
    rf"(?:values[ \t]+)?{_ARGUMENT}",
    rf"(?:ssh-keygen){_WITHIN}-[NP][ \t]*{_ARGUMENT}",
    rf"(?:plink|pscp|putty|psftp){_WITHIN}-pw[ \t]+{_ARGUMENT}",
    rf"(?:sshpass){_WITHIN}-p[ \t=]*{_ARGUMENT}",
    rf"(?:xfreerdp|wfreerdp){_WITHIN}/p:{_ARGUMENT}",
    rf"net use{_WITHIN}/user:\S+[ \t]+{_ARGUMENT}",
    rf"net use[ \t]+(?:\S+[ \t]+)?[\\/]{{2}}\S+[ \t]+{_ARGUMENT}[ \t]+/user:",
    rf"net user[ \t]+[^\s/\0]+[ \t]+{_ARGUMENT}",
    rf"(?:rabbitmqctl)[ \t]+(?:add_user|change_password|authenticate_user)[ \t]+\S+[ \t]+{_ARGUMENT}",
    rf"htpasswd(?:[ \t]+-\w+)*[ \t]+-\w*(?-i:b)\w*(?:[ \t]+-\w+)*[ \t]+"
    rf"(?:[^\s\0-][^\s\0]*[ \t]+){{1,2}}{_ARGUMENT}[ \t]*$",
    rf"(?:requirepass|masterauth|bindpw|rootpw|convertto-securestring)[ \t]+(?:--?\w+[ \t]+)*{_ARGUMENT}",
    rf"(?:setx?|setenv|env|arg|config(?: set|:set)?|secret set|(?:fastcgi|uwsgi|scgi)_param"
    rf"|(?:proxy_set|add)_header|put)[ \t]+(?:--?[\w-]+[ \t]+){{0,3}}[\w.:/-]*(?:{ALL_NAMES}){SUFFIX}[ \t]+"
    rf"{_ARGUMENT}",
    rf"wpa_passphrase[ \t]+\S+[ \t]+{_ARGUMENT}",
    # switches and routers: a digit says how the value is encrypted
    rf"(?:enable|username[ \t]+\S+(?:[ \t]+privilege[ \t]+\d+)?)[ \t]+(?:secret|password)[ \t]+\d[ \t]+"
    rf"{_ARGUMENT}",
    rf"(?:snmp-server community|pre-shared-key(?:[ \t]+(?:local|remote|address[ \t]+\S+))?)["
    rf" \t]+{_ARGUMENT}",
    rf"(?:radius|tacacs)-server{_WITHIN}key[ \t]+(?:\d[ \t]+)?{_ARGUMENT}",
    r"(?:curl|wget|https?|xh|hurl)\b[^\n\0]*?[ \t](?:-u|--user|-a"
    r"|--auth|--proxy-user)[ \t=]?[\"']?[\w.@+$-]+:()()([^\s\"'\0]{2,})",
    r"(?:smbclient|rpcclient|mount\.cifs|net)\b[^\n\0]*?[ \t]-U["
    r" \t]*[\"']?[\w.\\@+-]+%()()([^\s\"'\0]{2,})",
    r"(?:sqlplus|rman|expdp|impdp|sqlldr)\b[^\n\0]*?[ \t][\"']?[\w.]+/()()([^\s\"'@\0]{2,})@",
    r"echo[ \t]+[\"']?[\w.-]+:()()([^\s\"'\0]{2,})[\"']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd",
    rf"(?:echo|printf)[ \t]+(?:-n[ \t]+|[\"']%s(?:\\n)?[\"'][ \t]+)?{_ARGUMENT}[ \t]*\|[^\n\0]*"
    r"(?:sudo[ \t]+-S|--password-stdin|--with-token|passwd[ \t]+--stdin|cryptsetup|--passphrase-fd)",
    rf"ftp>[ \t]*user[ \t]+\S+[ \t]+{_ARGUMENT}",
    rf"(?:lftp\b[^\n\0]*?[ \t]|open[ \t]+)-u[ \t]+[^\s,\0]+,{_ARGUMENT}",
    rf"sudo[ \t]+-S\b[^\n\0]*<<<[ \t]*{_ARGUMENT}",
    rf"jenkins-cli\S*{_WITHIN}-auth[ \t]+[\w.@-]+:{_ARGUMENT}",
    rf"netdom{_WITHIN}/passwordd?:{_ARGUMENT}",
    rf"gpg\d?{_WITHIN}--passphrase[ \t=]+{_ARGUMENT}",
    r"[\w.-]+:()()([^\s\"'@:/\0]{3,})@(?:tcp|unix)\(",
    rf"{_PGPASS}()()([^\s\0](?:[^\n\0]*[^\s\0])?)[ \t]*$",
    r"WIFI:(?:[STH]:[^;\n\0]*;)*P:()()((?:[^;\n\0\\]|\\.)+);",
    r"(?:set-)?cookie:[ \t]*(?:[^;\n\0]*;[ \t]*)*?\w*(?:sess|auth|sid|jwt)\w*=()()([^;\s\0]{6,})",
)


_PROGRAMS = (
    "mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mycli|mariadb|mongo|mongosh|mongodump|mongorestore"
    "|mongoexport"
    "|mongoimport|cqlsh|cypher-shell|evil-winrm|crackmapexec|nxc|hydra|twine|kinit|influx|docker|podman"
    "|helm|skopeo"
    "|buildah|oras|nerdctl|az|oc|ibmcloud|cf|redis-cli|keydb-cli|valkey-cli|ldapsearch|ldapmodify|ldapadd"
    "|ldappasswd|ldapwhoami|zip|unzip|sqlcmd|bcp|isql|mosquitto_pub|mosquitto_sub|ipmitool|7z|7za|7zr"
    "|ssh-keygen"
    "|plink|pscp|putty|psftp|sshpass|xfreerdp|wfreerdp|net use|net user|rabbitmqctl|htpasswd|wpa_passphrase"
    "|curl"
    "|wget|https? |xh|hurl|smbclient|rpcclient|mount.cifs|(?:un)?rar|openssl|snmp[a-z]+|steghide|outguess"
    "|rdesktop|dsconfigad|ncftp[a-z]*|aescrypt|veracrypt|truecrypt|beeline|psexec|certutil|security [a-z-]+"
    "|ccrypt|cc[a-z]+crypt|mcrypt|mdecrypt|kadmin(?:.local)?|addprinc|cpw|change_password|signtool"
    "|schtasks|qpdf"
)

PROGRAM = (
    rf"\b(?:{_PROGRAMS})\b[^\n\0]*[ \t][\"']?(?:--?[a-z]|/[pu])|\b(?:net us|rabbitmqctl|wpa_pass"
    r"|requirepass|masterauth|convertto-sec|sqlplus|chpasswd|sudo[ \t]+-S|lftp|bindpw|rootpw|cookie:"
    r"|pdftk|nmcli|iwconfig|vault login|bw (?:unlock|login)|rclone obscure"
    r"|smbclient[ \t]+[\"']?(?://|\\)|identified[ \t]+(?:with[ \t]+\S+[ \t]+)?by"
    r"|wifi:[st]:|ftp>[ \t]*user)"
    r"|(?:secret|password)[ \t]+\d[ \t]|snmp-server|pre-shared-key|(?:radius|tacacs)-server"
    r"|\bjenkins-cli|\bnetdom\b|\bgpg\d?\b[^\n\0]*--passphrase|\bcryptsetup\b|@(?:tcp|unix)\(|\bhttps?["
    r" \t]+-a[ \t]"
    r"|\bopen[ \t]+-u[ \t]"
    rf"|--password-stdin|--with-token|{_PGPASS}"
)
"""Matches every command in which only the program says that an argument is a password."""
_COMMAND = (
    rf"{PROGRAM}|\b(?:echo[ \t]"
    r"|(?:setx?|setenv|env|arg|config(?: set|:set)?|secret set|(?:fastcgi|uwsgi|scgi)_param"
    r"|(?:proxy_set|add)_header|put)[ \t][^\s=]+[ \t])"
)


@cache
def _command_patterns() -> list[Any]:
    """Returns the pattern of each kind of command."""
    return [
        byte_pattern(
            rf"(?{'' if pattern.startswith('(?:zip') else 'i'}m)(?:^|[\s`\"'(;|&/$]|\\n)(?:{pattern})"
        )
        for pattern in _COMMANDS
    ]


def in_commands(text: Part) -> Spans:
    if not text.has(byte_pattern(f"(?i){_COMMAND}")):
        return
    data = text.data
    for pattern in _command_patterns():
        for match in text.matches(pattern):
            group = next((number for number in (1, 2) if match.group(number)), 3)
            start, end = match.span(group)
            value = stripped(data[start:end], b"`\"'),") if group == 3 else data[start:end]
            is_option = value[:1] in b"-(" or (
                value[:1] in b"/$" and value[1:].rstrip(b";").replace(b"_", b"").isalpha()
            )
            if len(value) < 2 or is_option:
                continue
            spelled = value.decode("utf-8", "replace")
            if spelled not in COMPOUNDS and not is_harmless(spelled, Form.LITERAL, is_password=True):
                yield start, start + len(value), "password"

"""Finds secrets in lines of settings, protocols and macros whose form is known: `auth_pass …`."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.known_commands import argument_of
from holdfast.language.secrets.part import Part, Spans

_QUOTED = r"(?:\"([^\"\n\0]+)\"|'([^'\n\0]+)'())"
_VALUE = r"(?:\"([^\"\n\0]+)\"|'([^'\n\0]+)'|([^\s\"'\0][^\s\0]*))"
_WORD = r"(?:\"([^\"\n\0]+)\"|'([^'\n\0]+)'|([^\s\"'(\0](?:[^\s(\0]*[^\s(.\0])?))"
_NAME = r"(?:passw(?:or)?d|passwort|kennwort|passphrase|passcode|pass|pwd|psk|secret)"
_KEYED = rf"(?:{_NAME}|token|api[_-]?key)"
_CALLED = rf"(?:{_NAME}|pw|pin)"
_EASTERN = "(?:パスワード|暗証番号|解除コード|密码|密碼|口令|비밀번호)"
_END = r"[ \t]*;?[ \t]*(?:[#!][^\n\0]*)?\r?$"
# Services whose key has only their name before it: `OPENAI_KEY`.
_SERVICES = (
    "openai|anthropic|claude|mistral|groq|cohere|gemini|google|maps|gmaps|stripe|sendgrid|mailgun"
    "|mailchimp|twilio|deepl|weather|owm|openweather|census|fred|nasa|tmdb|omdb|news|youtube|giphy"
    "|algolia|pinecone|tavily|serp|serpapi|brave|replicate|hf|huggingface|elevenlabs|deepgram"
    "|assemblyai|azure|aws|cloudflare|datadog|dd|newrelic|grafana|sonar|codecov|npm|pypi|github|gitlab"
    "|jira|slack|discord|telegram|zoom|notion|airtable|linear|figma|mapbox|here|supabase|firebase"
    "|shopify|hubspot|intercom|segment|mixpanel|amplitude|posthog"
)

# What the first line has, and the form: the groups are a value in quotation marks, in apostrophes, and bare.
_FORMS = (
    # settings of servers, routers and devices: a name and its value, apart by blanks
    (
        r"\bauth[_-]?(?:pass|key|secret)[ \t]",
        rf"^[ \t]*(?:[\w-]+[ \t]+){{0,2}}?auth[_-]?(?:pass|key|secret)[ \t]+{_WORD}{_END}",
    ),
    (rf"^[ \t]*\w[\w-]*[_-]{_NAME}[ \t]", rf"^[ \t]*\w[\w-]*[_-]{_NAME}[ \t]+{_WORD}{_END}"),
    (
        r"(?-i:^[ \t]*[a-z]\w*(?:Token|Secret|Password))(?:\t|  )",
        rf"(?-i:^[ \t]*[a-z]\w*(?:Token|Secret|Password))(?:\t[ \t]*|[ ]{{2,}}){_WORD}{_END}",
    ),
    (r"\bwep_?key\d?[ \t]*=", rf"\bwep_?key\d?[ \t]*=[ \t]*{_VALUE}{_END}"),
    (r"^[ \t]*option[ \t]", rf"^[ \t]*option[ \t]+(?:key\d?|\w*{_NAME})[ \t]+{_VALUE}{_END}"),
    (r"\buci[ \t]", rf"\buci[ \t]+(?:-q[ \t]+)?set[ \t]+[\w.@\[\]-]+\.(?:key\d?|\w*{_NAME}|pin)={_VALUE}"),
    (
        r"(?:chap|pap)-secrets",
        rf"(?:chap|pap)-secrets\b[^\n\0]*\n(?:[ \t]*#[^\n\0]*\n)*[ \t]*[^#\s\0]\S*[ \t]+\S+[ \t]+{_VALUE}",
    ),
    (r"\"[ \t]+\*[ \t]", rf"^[ \t]*\"[^\"\n\0]+\"[ \t]+\*[ \t]+{_VALUE}[ \t]+\*[ \t]*\r?$"),
    (
        r"^[ \t]*username[ \t]",
        r"^[ \t]*username[ \t]+\S+[ \t]+(?:privilege[ \t]+\d+[ \t]+)?(?:secret|password)[ \t]+"
        rf"(?:\d[ \t]+)?{_VALUE}[ \t]*\r?$",
    ),
    (
        r"^[ \t]*enable[ \t]+(?:secret|password)",
        r"^[ \t]*enable[ \t]+(?:secret|password)[ \t]+(?:level[ \t]+\d+[ \t]+)?"
        r"(?:\d[ \t]+)?()()([^\s\"'\0]*(?-i:[^a-z\s\"'\0])[^\s\0]*)[ \t]*\r?$",
    ),
    (r"^[ \t]*register[ \t]*=", r"^[ \t]*register[ \t]*=>?[ \t]*[^\s:@/\0]+:()()([^\s@:/\0]+)@"),
    (r"^\d{2,6}[ \t]*=>", r"^\d{2,6}[ \t]*=>[ \t]*()()([^\s,\0]{3,}),[^,\n\0]+,[^\n\0]*@"),
    (
        r"(?-i::[ \t]*(?:PSK|EAP|XAUTH|NTLM)[ \t])",
        rf"^[^\n\0:]{{0,80}}:[ \t]*(?-i:PSK|EAP|XAUTH|NTLM)[ \t]+{_VALUE}[ \t]*\r?$",
    ),
    (r"^\[?[\w.-]+\]?:\d+[ \t]", r"^\[?[\w.-]+\.\w+\]?:\d+[ \t]+[^\s:\0]+:()()([^\s\0]{3,})[ \t]*\r?$"),
    (r"passwordeval", r"\bpasswordeval[ \t]+[\"']?(?:echo|printf)[ \t]+()()([^\s\"'\0]+)"),
    (r"<auth-user-pass>", rf"<auth-user-pass>[ \t]*\r?\n[^\n\0]+\n[ \t]*{_VALUE}[ \t]*\r?$"),
    (r"alarm_control_panel", rf"alarm_control_panel:[^\0]{{0,200}}?\bcode:[ \t]*{_VALUE}{_END}"),
    (r"\bencryption:", rf"\bencryption:[ \t]*\r?\n[ \t]+key:[ \t]*{_VALUE}{_END}"),
    (r"\bbacklog\b", r"\bbacklog\b[^\n\0]*?\b(?:mqtt|web|wifi|ap)?password\d?[ \t]+()()([^\s;\0]+)"),
    (r"rcon_password|sv_password", rf"\b(?:rcon|sv)_password[ \t]+{_VALUE}"),
    (
        r"\bsnmp[^\n\0]*(?:\n[^\n\0]*){0,2}community",
        r"\bsnmp[^\n\0]*(?:\n[^\n\0]*){0,2}?\bcommunity(?:[_ -]?(?:name|string))?[\"']?"
        rf"[ \t]*[:=][ \t]*{_VALUE}",
    ),
    (
        r"password_maps[ \t]*=[ \t]*static:",
        rf"password_maps[ \t]*=[ \t]*static:[^\s:\0]+:{_VALUE}{_END}",
    ),
    # a user, a colon and a password; keys of protocols and of wireless networks
    (
        r"^[ \t]*(?:stats[ \t]+auth|(?:basic|http|proxy)[_-]?auth)\b",
        r"^[ \t]*(?:stats[ \t]+auth|(?:basic|http|proxy)[_-]?auth)[ \t]*[=:]?[ \t]*[\"']?[\w.@+-]+:"
        r"()()([^\s:\"'\0]{3,})[\"']?[ \t]*\r?$",
    ),
    (
        r"^[ \t]*createuser[ \t]",
        rf"^[ \t]*createuser[ \t]+(?:-e[ \t]+\S+[ \t]+)?\S+[ \t]+(?:md5|sha[\d-]*)[ \t]+{_VALUE}",
    ),
    (r"\bpasswd/", rf"\bpasswd/[\w-]*password(?:-again)?[ \t]+(?:password|string)[ \t]+{_VALUE}{_END}"),
    (r"^[ \t]*puk\d?[ \t]*[:=]", r"^[ \t]*puk\d?[ \t]*[:=][ \t]*()()(\d{4,12})[ \t]*\r?$"),
    (r"<keymaterial>", r"<keymaterial>()()([^<\n\0]{3,})<"),
    # headers that a proxy adds, keys of radio networks and of services that page somebody
    (
        r"^[ \t]*(?:proxy|grpc)_set_header[ \t]",
        rf"^[ \t]*(?:proxy|grpc)_set_header[ \t]+[\w-]*(?:key|token|secret|passw\w*)[ \t]+{_VALUE}",
    ),
    (
        r"\bdev_?eui\b",
        rf"\bdev_?eui\b[^\0]{{0,80}}?\b(?:app|nwk|net)_?s?_?key[\"']?[ \t]*[:=]?[ \t]*{_VALUE}",
    ),
    (
        r"pagerduty_configs:",
        r"pagerduty_configs:[ \t]*\r?\n[ \t-]*(?:[^\n\0]*\n[ \t]*)??(?:routing|service)_key:[ \t]*"
        rf"{_VALUE}{_END}",
    ),
    (
        r"\bchpasswd:",
        r"\bchpasswd:[^\0]{0,60}?\blist:[ \t]*\|?[ \t]*\r?\n[ \t]+[\w.-]+:()()([^\s\0]{3,})[ \t]*\r?$",
    ),
    (
        r"^radius server\b",
        rf"^radius server\b[^\0]{{0,160}}?\n[ \t]+key[ \t]+(?:\d[ \t]+)?{_VALUE}[ \t]*\r?$",
    ),
    (r"\bcache_peer[ \t]", r"\bcache_peer[ \t][^\n\0]*?\blogin=[^\s:\0]+:()()([^\s\0]{3,})"),
    (
        r"\buserlist\.txt\b",
        r"\buserlist\.txt\b[^\n\0]*(?:\n[^\n\0]*){0,3}?\n[ \t]*\"[^\"\n\0]+\"[ \t]+\"([^\"\n\0]+)\"()()",
    ),
    # what is typed into a field, and a variable whose name and value stand apart
    (
        rf"^[ \t]*[\w.-]*(?:field|name|feld)[\w.-]*[ \t]*[=:][ \t]*[\"']?\w*{_NAME}\w*[\"']?,?[ \t]*\r?$",
        rf"^[ \t]*[\w.-]*(?:field|name|feld)[\w.-]*[ \t]*[=:][ \t]*[\"']?\w*{_NAME}\w*[\"']?,?[ \t]*\r?\n"
        rf"[ \t]*\w*(?:value|wert|input)[ \t]*[=:][ \t]*{_VALUE}[ \t]*\r?$",
    ),
    (
        r"\b(?:name|variable|nom|nombre|nome)[ \t]*[=:][^\n\0]*\b(?:value|wert|valeur|valore?)[ \t]*[=:]",
        rf"\b(?:name|variable|nom|nombre|nome)[ \t]*[=:][ \t]*[\"'`]?\w*(?:{_KEYED}|_salt|_key)[\"'`]?"
        rf"[ \t]*[,;|][ \t]*(?:value|wert|valeur|valore?)[ \t]*[=:][ \t]*{_VALUE}",
    ),
    (
        r"[?&](?:u|usr|user|username|login|email)=",
        r"[?&](?:u|usr|user|username|login|email)=[^\s&\"'\0]*&(?:p|pw|pwd|pass)=()()([^\s&\"'\0]{3,})",
    ),
    # a password that is to vanish from a history
    (
        r"==>",
        r"^[ \t]*(?:literal:)?()()([^\s\0](?:[^\n\0]*?[^\s\0])?)==>\**(?:REMOVED|REDACTED)\**[ \t]*\r?$",
    ),
    # databases
    (
        r"-(?:create|modify)credential[ \t]",
        rf"-(?:create|modify)credential[ \t]+\S+[ \t]+\S+[ \t]+{_VALUE}",
    ),
    (r"\busing[ \t]", r"\bconnect[ \t]+to[ \t]+\S+[ \t]+user[ \t]+\S+[ \t]+using[ \t]+()()([^\s\"'\0]+)"),
    (r"\bpragma\b", rf"\bpragma[ \t]+(?:hex)?(?:re)?key[ \t]*=[ \t]*{_VALUE}"),
    (r"(?:userid|connect)[ \t=]+[\w.]+/", r"\b(?:userid|connect)[ \t=]+[\w.]+/()()([^\s\"'@/\0]{3,})@"),
    (
        r"^[ \t$>#]*(?:exp|imp)(?:dp)?[ \t]+[\w.]+/",
        r"^[ \t$>#]*(?:exp|imp)(?:dp)?[ \t]+[\w.]+/()()([^\s\"'@/\0]{3,})(?:[ \t]+\w+=|[ \t]*\r?$)",
    ),
    (r"\bdatabase\(", r"\bdatabase\([ \t]*'[^'\n\0]*',[ \t]*'[^'\n\0]*',[ \t]*()'([^'\n\0]+)'()"),
    (
        r"\bauth[ \t]",
        rf"(?:\d{{2,5}}(?:\[\d+\])?>|redis[^\n\0]*>)[ \t]*auth[ \t]+(?:[\w-]+[ \t]+)?{_VALUE}[ \t]*\r?$",
    ),
    (
        r"^[ \t]*user[ \t]+\S+[ \t]+on[ \t]",
        r"^[ \t]*user[ \t]+\S+[ \t]+on[ \t]+(?:[^>\s\0]\S*[ \t]+)*>()()([^\s\0]+)",
    ),
    (
        r"\bset[ \t]+\w+[ \t]*=[ \t]*[\"']",
        rf"\bset[ \t]+\w+[ \t]*=[ \t]*{_QUOTED}[ \t]+where[ \t]+\w+[ \t]*=[ \t]*'[^'\n\0]*{_NAME}'",
    ),
    # mainframes
    (
        r"\b(?:password|pwd|phrase)\(",
        r"\b(?:alu|altuser|au|adduser|chgusrprf|crtusrprf|racdcert|signon|logon)\b[^\n\0]*?"
        r"\b(?:password|pwd|phrase)\(()()'?([^)'\s\0]{3,})'?\)",
    ),
    (r"\bpgm=ftp\b", r"\bpgm=ftp\b[^\0]{0,160}?\bDD[^\n\0]*\n[^\n\0]+\n[^\n\0]+\n()()([^\s\0]{3,})[ \t]*\n"),
    (
        rf"{_NAME}[\w-]*[ \t]+pic",
        rf"\b[\w-]*{_NAME}[\w-]*[ \t]+pic(?:ture)?[ \t]+\S+[ \t]+value[ \t]+{_QUOTED}",
    ),
    # protocols
    (
        r"^[ \t]*[a-z]?\d{1,5}[ \t]+login[ \t]",
        rf"^[ \t]*[a-z]?\d{{1,5}}[ \t]+login[ \t]+\S+[ \t]+{_VALUE}[ \t]*\r?$",
    ),
    (
        r"^[ \t]*user[ \t]",
        rf"^[ \t]*user[ \t]+\S+[ \t]*\r?\n(?:[+\d][^\n\0]*\n)?[ \t]*pass[ \t]+{_VALUE}[ \t]*\r?$",
    ),
    (r"\bAT\+C(?:W|PIN)", r"\bAT\+CW(?:JAP|SAP)\w*=\"[^\"\n\0]*\",\"([^\"\n\0]+)\"()()"),
    (r"\bAT\+C(?:W|PIN)", r"\bAT\+CPIN=()()\"?([^\"\s,?\0]{4,})"),
    (r"/quote[ \t]+pass[ \t]", r"/quote[ \t]+pass[ \t]+(?:[^\s:\0]+:)?()()([^\s:\0]{3,})"),
    (r"\blogin;", r"\blogin;[^\s;\0]+;()()([^\s;<\0]{3,})"),
    (r"\bseed_?phrase[\"']?[ \t]*[:=]", rf"\bseed_?phrase[\"']?[ \t]*[:=][ \t]*{_QUOTED}"),
    # programs and macros
    (
        rf"{_KEYED}\w*[ \t]*=>?[ \t]*qq?[(\[{{/]",
        rf"{_KEYED}\w*[ \t]*=>?[ \t]*qq?[(\[{{/]()()([^)\]}}/\n\0]{{3,}})[)\]}}/]",
    ),
    (
        rf"(?:{_KEYED}|_key|[a-z]key)\w*[ \t]*:?=[ \t]*\[\]byte\(",
        rf"(?:{_KEYED}|(?:admin|sign(?:ing)?|hmac|jwt|session|cookie|enc(?:ryption)?|master|auth|private|shared)_?key)\w*"
        r"[ \t]*:?=[ \t]*\[\]byte\((?:\"([^\"\n\0]+)\"|`([^`\n\0]+)`())",
    ),
    (
        r"(?:auth|basic|cred)\w*[^\n\0]*\b(?:\w*base64\w*|btoa|b64encode|buffer\.from)\(",
        r"(?:auth|basic|cred)\w*[^\n\0]*?\b(?:\w*base64\w*|btoa|b64encode|buffer\.from)\([\w.(]*[\"'][\w.@+-]+:"
        r"()()([^\s\"'\0]{3,})[\"']",
    ),
    (r"\bksecvaluedata\b", rf"\bksecvaluedata\b[^\n\0:]*:[ \t]*{_QUOTED}"),
    (r"\bfrom-literal=", rf"\bcreate[ \t]+secret\b[^\n\0]*?[ \t]--from-literal=[\"']?[\w.-]+={_VALUE}"),
    (r"\bfs\.azure\.account\.key", rf"\bfs\.azure\.account\.key[\w.-]*[\"']?[ \t]*[,=:][ \t]*{_VALUE}"),
    (r"\.(?:un)?protect[ \t(]", rf"\.(?:un)?protect[ \t(]+(?:password[ \t]*:=[ \t]*)?{_QUOTED}"),
    (rf"\{{[ \t]*:?{_NAME}[ \t]*,", rf"\{{[ \t]*:?{_NAME}[ \t]*,[ \t]*(?:<<)?{_QUOTED}"),
    (
        rf"{_NAME}\w*[ \t]*\[",
        rf"\b\w*{_NAME}\w*[ \t]*\[\d*\][ \t]*(?:PROGMEM[ \t]*)?=[ \t]*{_QUOTED}",
    ),
    (r"\b(?:pw|pass\w*|pwd|kennwort)\$", rf"\b(?:pw|pass\w*|pwd|kennwort)\$[ \t]*=[ \t]*{_QUOTED}"),
    (
        r":[ \t]*w?string",
        rf"(?:\b|_)(?:\w*{_NAME}|\w+_pin|pin)[ \t]*:[ \t]*w?string(?:[(\[]\d+[)\]])?[ \t]*:=[ \t]*{_QUOTED}",
    ),
    (
        rf"{_KEYED}\w*[ \t]*=[^\n\0\"'=]",
        rf"\b\w*{_KEYED}\w*[ \t]*=[ \t]*[\w.]+[^\n\0=]*[)\w\]][ \t]*(?:\bor\b|\|\||\?\?)[ \t]*{_QUOTED}",
    ),
    # what holds where a variable is not set, and pairs of a user and a password
    (
        rf"\benv(?:\.|\[)[^\n\0]*{_CALLED}\b",
        rf"\benv(?:\.|\[[\"'])\w*{_CALLED}[\"']?\]?[ \t]*(?:\|\||\?\?)=?[ \t]*{_QUOTED}",
    ),
    (
        rf"\$\{{[\w.-]*{_CALLED}:",
        rf"\$\{{[\w.-]*(?:\b|_){_CALLED}:[-=]?()()([^\s\0{{}}/$?+:=-][^\s\0{{}}]{{2,}})\}}",
    ),
    (
        r"\"p\"[ \t]*:",
        r"\"u\"[ \t]*:[ \t]*\"[^\"\n\0]*\"[ \t]*,[ \t]*\"p\"[ \t]*:[ \t]*\"([^\"\n\0]+)\"()()",
    ),
    (
        r"\b(?:passwords|pwds)[ \t]*(?:<-|=)[ \t]*c\(",
        rf"\b(?:passwords|pwds)[ \t]*(?:<-|=)[ \t]*c\([ \t]*[\w.]+[ \t]*=[ \t]*{_QUOTED}",
    ),
    (
        r"(?:safe|lock|vault)_?combination",
        rf"\b\w*(?:safe|lock|vault)_?combination[\"']?[ \t]*[=:][ \t]*{_QUOTED}",
    ),
    (rf"(?:{_SERVICES})_key", rf"(?:\b|_)(?:{_SERVICES})_key[\"']?\]?[ \t]*[=:][ \t]*{_VALUE}"),
    (r"sys\.setenv", rf"\bsys\.setenv\([^)\n\0]*?\b\w*(?:{_KEYED}|key)[\"']?[ \t]*=[ \t]*{_QUOTED}"),
    (r"sonar[._]login", rf"\bsonar[._]login[\"']?[ \t]*[=:][ \t]*{_VALUE}"),
    # markup
    (
        rf"{_KEYED}[^<>\n\0]*>\s*<!\[CDATA",
        rf"<[\w:.-]*{_KEYED}[^<>\n\0]*>\s*<!\[CDATA\[()()([^\]\n\0]{{3,}})\]\]>",
    ),
    (
        rf"\bname=\"[^\"\n\0]*{_KEYED}\"",
        rf"\bname=\"[^\"\n\0]*{_KEYED}\"[^<>\n\0]*>\s*<(?:value|string)>()()([^<\n\0]{{3,}})<",
    ),
    (rf"{_NAME}\"[ \t]*=[ \t]*\w*sz", rf"\"[^\"\n\0]*{_NAME}\"[ \t]*=[ \t]*\w*sz:\"([^\"\n\0]+)\"()()"),
    (
        r"<(?:[\w.-]+:)?(?:\w*password|passphrase|secret)>\s*<(?:[\w.-]+:)?(?:value|string|text)>",
        r"<(?:[\w.-]+:)?(?:\w*password|passphrase|secret)>\s*<(?:[\w.-]+:)?(?:value|string|text)>()()([^<\n\0]{3,})<",
    ),
    # languages in which the value is beside the name without a sign
    (
        rf"{_EASTERN}[はがを는은를을가이]{{0,1}}[ :：]*[「『]",
        rf"{_EASTERN}[はがを는은를을가이]{{0,1}}[ :：]*[「『]()()([\x21-\x7e]{{3,64}})[」』]",
    ),
    (
        r"(?:パスワード|暗証番号|解除コード)[はがを]",
        r"(?:パスワード|暗証番号|解除コード)[はがを][ ]?()()([\x21-\x7e]{3,64})[ ]?"
        r"(?:に変更|にな[っり]|に設定|にし|です)",
    ),
    (
        r"(?:密码|密碼|口令)已?(?:改|换|變|变)",
        r"(?:密码|密碼|口令)已?(?:改成了?|改为|换成了?|变成了?|變成了?)[ :：]*()()([\x21-\x7e]{3,64})",
    ),
    (
        r"비밀번호(?:를|을)? [\x21-\x7e]",
        r"비밀번호(?:를|을)? ()()([\x21-\x7e]{3,64}) ?(?:으?로|입니다|이야|예요)",
    ),
    (
        r"(?:şifre|parola)(?:n?[iıy]?[sz]?[iı]?)[ \t]",
        r"(?:şifre|parola)(?:s[iı]|n|n[iı]z|m|y[iı])?[ \t]+()()([^\s\0.,]{3,})[ \t]+"
        r"(?:oldu|olarak|yaz|yap)\b",
    ),
    # what is typed to another program, or stands alone below a sentence that announces it
    (
        r"<\((?:echo|printf)[ \t]",
        rf"{_NAME}[\w-]*[ \t=]+<\((?:echo|printf)[ \t]+(?:-n[ \t]+)?[\"']?()()([^\s\"')\0]{{3,}})[\"']?\)",
    ),
    (
        r"\b(?:following|initial|generated|temporary)[ \t]+(?:password|passphrase)\b",
        r"\b(?:following|initial|generated|temporary)[ \t]+(?:password|passphrase)\b[^\n\0:]{0,60}:[ \t]*"
        r"\r?\n[ \t]*\r?\n[ \t]*()()([^\s\0]{3,})[ \t]*\r?$",
    ),
    (
        r"\b(?:echo|printf)[ \t][^\n\0]*\|",
        rf"\b(?:echo|printf)[ \t]+(?:-\w[ \t]+|'%s(?:\\n)?'[ \t]+)?{_VALUE}[ \t]*\|[^\n\0|]*"
        r"(?:--set-password\b|\btee\b[^\n\0|]*(?:passw|[_.-]pass\b|secret|token|\.psk|key\b)|\bbase64\b[^\n\0|]*\bsecret\b)",
    ),
    (
        r"<<-?[ \t]*[\"']?\w+[\"']?[ \t]*\r?$",
        r"\b(?:kinit|passwd|ssh-add|gpg|cryptsetup|ecryptfs\S*)\b[^\n\0|<]*<<-?[ \t]*[\"']?\w+[\"']?"
        r"[ \t]*\r?\n[ \t]*()()([^\n\0]*?[^\s\0])[ \t]*\r?\n[ \t]*\w+[ \t]*\r?$",
    ),
    (r"<<<", rf"\b(?:kinit|passwd|su|ssh-add|gpg|cryptsetup|ecryptfs\S*)\b[^\n\0|<]*<<<[ \t]*{_VALUE}"),
)  # fmt: skip


_TOGETHER = 15
"""First lines in one pattern: one of all has more states than RE2 keeps, and is ten times as slow."""


@cache
def known_lines() -> tuple[Any, ...]:
    """Returns patterns of which one matches in the first line of each of these forms."""
    firsts = list(dict.fromkeys(first for first, _ in _FORMS))
    parts = (firsts[begin : begin + _TOGETHER] for begin in range(0, len(firsts), _TOGETHER))
    return tuple(byte_pattern(f"(?im){'|'.join(part)}") for part in parts)


def in_known_lines(text: Part) -> Spans:
    """Yields the value in each line whose form says that it is a secret."""
    if not any(map(text.has, known_lines())):
        return
    for first, form in _FORMS:
        if not text.has(byte_pattern(f"(?im){first}")):
            continue
        for match in text.matches(byte_pattern(f"(?im){form}")):
            if (span := argument_of(text.data, match)) is not None:
                yield *span, "password"

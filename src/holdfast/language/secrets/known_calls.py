"""Finds secrets where well-known functions take them: `ftp_login(connection, user, "…")`."""

from __future__ import annotations

from functools import cache

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.calls import arguments_of
from holdfast.language.secrets.harmless import Form, is_harmless, is_text
from holdfast.language.secrets.part import Part, Spans

# A name and its arguments: `*` is the secret, `_` anything, another word has to occur in its argument.
# A dot also stands for `->` and `::`.
_SIGNATURES = """
bcrypt.hash(*, _)  bcrypt.hash_password(*)  bcrypt.hashpw(*)  bcrypt.hashsync(*)  bcrypt.compare(*, _)
bcrypt.comparesync(*, _)  bcrypt.checkpw(*)  bcrypt.generatefrompassword(*)  password.create(*)
bcrypt.comparehashandpassword(_, *)  argon2.hash(*)  argon2.verify(_, *)  password_hash(*)
password_verify(*)  passwordencoder.encode(*)  passwordencoder.matches(*)  generate_password_hash(*)
check_password_hash(_, *)  make_password(*)  check_password(*)  set_password(*)  set_password(_, *)
set_password(_, _, *)  setpassword(*)  withpassword(*)  .password(*)  setpassphrase(*)  set_passphrase(*)
setkeypassword(*)
setstorepassword(*)  setencryptionname(_, _, *)  setsecret(*)  setsecretkey(*)  settoken(*)  setapikey(*)
set_api_key(*)  setaccesstoken(*)  setauthtoken(*)  setusernamepassword(_, *)  setusernameandpassword(_, *)
set_auth(_, *)  setcredentials(_, *)  setpin(*)  verifypin(*)  key_set_with_value(_, _, *)
keyring.set(_, _, *)  setgenericpassword(_, *)  setinternetpassword(_, _, *)

pbkdf2_hmac(_, *)  pbkdf2(*)  pbkdf2sync(*)  pbkdf2(*, _)  scrypt(*)  scryptsync(*)  pkcs5_pbkdf2_hmac(*)
pkcs5_pbkdf2_hmac_sha1(*)  rfc2898derivebytes(*)  pbekeyspec(*)  secretkeyspec(*)  fernet(*)  aes.new(*)
aesgcm(*)  chacha20poly1305(*)  aes.newcipher(*)  hmac.new(*)  hmac.new(new, *)  createhmac(_, *)
createcipheriv(_, *)  createdecipheriv(_, *)  createcipher(_, *)  createdecipher(_, *)  createsecretkey(*)
aes.encrypt(_, *)  aes.decrypt(_, *)  cryptojs.aes.encrypt(_, *)  cryptojs.aes.decrypt(_, *)
tripledes.encrypt(_, *)  hmacsha256(_, *)  openssl_encrypt(_, _, *)  openssl_decrypt(_, _, *)
openssl_pkcs12_read(_, _, *)  hash_hmac(_, _, *)  openssl_pkey_get_private(_, *)  pkey.rsa.new(_, *)
hmac.digest(sha, *)  hmac.hexdigest(_, *)  messageencryptor.new(*)  messageverifier.new(*)  secretbox(*)
crypt(*)  sqlite3_key(_, *)  sqlite3_rekey(_, *)  sqlite3_key_v2(_, _, *)  pkcs12_parse(_, *)
load_pem_private_key(_, *)  load_key_and_certificates(_, *)  load_pkcs12(_, *)  symmetricsecuritykey(*)
algorithm.hmac256(*)  algorithm.hmac384(*)  algorithm.hmac512(*)  signwith(_, *)  setsigningkey(*)
verifywith(*)  hmacshakeyfor(*)  encodingkey.from_secret(*)  decodingkey.from_secret(*)
signedstring(*)  jwt.encode(_, *)  jwt.decode(_, *)  jwt.sign(_, *)  jwt.verify(_, *)  jwtverify(_, *)
urlsafetimedserializer(*)  urlsafeserializer(*)  timestampsigner(*)  securecookie(*)  cookieparser(*)
newcookiestore(*)  securecookie.new(*)  cookie.newstore(*)  cookiestore.new(*)

ftp_login(_, _, *)  ssh2_auth_password(_, _, *)  imap_open(_, _, *)  ldap_bind(_, _, *)
ldap_simple_bind_s(_, _, *)  ldap_simple_bind(_, _, *)  simple_bind_s(_, *)  simple_bind(_, *)
oci_connect(_, *)  oci_pconnect(_, *)  odbc_connect(_, _, *)  mysql_connect(_, _, *)
mysqli_connect(_, _, *)  mysqli_real_connect(_, _, _, *)  mysql_real_connect(_, _, _, *)
real_connect(_, _, *)  pqsetdblogin(_, _, _, _, _, _, *)  dbi.connect(_, _, *)  sqlconnect(_, _, *)
drivermanager.getconnection(_, _, *)  odbcdriverconnect(_, _, *)  libssh2_userauth_password(_, _, *)
ssh_userauth_password(_, _, *)  userauth_password(_, *)  auth_password(_, *)  authpassword(_, *)
ssh.password(*)  url.userpassword(_, *)  setbasicauth(_, *)  basicauth(_, *)  basic_auth(_, *)
withbasicauth(_, *)  httpbasicauth(_, *)  httpdigestauth(_, *)  ntlmauth(_, *)  digestauth(_, *)
bearer_auth(*)  bearerauth(*)  setbearertoken(*)  withbearertoken(*)  withtoken(*)
with_token(*)  authtoken(*)  plainauth(_, _, *)  plain_auth(_, *)  credentials.new(_, *)
networkcredential(_, *)  usernamepasswordcredentials(_, *)  sqlcredential(_, *)
usernamepasswordcredential(_, _, _, *)  clientsecretcredential(_, _, *)  azurekeycredential(*)
sharedkeycredential(_, *)  storagesharedkeycredential(_, *)  passwordauthentication(_, *)
plaintextauthprovider(_, *)  plainsaslauthenticator(_, *)  basicawscredentials(_, *)
awsbasiccredentials.create(_, *)  basicsessioncredentials(_, *)  newstaticcredentials(_, *)
newstaticcredentialsprovider(_, *)  newstaticv4(_, *)  fromcredentials(_, *)  usernamepassword(_, *)
neo4j.basicauth(_, *)  dbinterface.connect(_, _, _, *)
auth.basic(_, *)  graphdatabase.driver(_, auth, *)  passwordcredential(*)
signinwithemailandpassword(_, _, *)  createuserwithemailandpassword(_, _, *)
signinwithemailandpassword(_, *)  createuserwithemailandpassword(_, *)  signinwithcustomtoken(_, *)
passwordsigninasync(_, *)  createasync(_, *)  addpasswordasync(_, *)  checkpasswordasync(_, *)
resetpasswordasync(_, _, *)  create_superuser(_, _, *)  create_user(_, _, *)  changeuserpassword(_, *)
db.auth(_, *)  bind(cn=, *)  bind(dc=, *)  bind(uid=, *)
usernamepasswordcredentialsimpl(_, _, _, _, *)  ua.credentials(_, _, _, *)

x509certificate2(_, *)  x509certificate(_, *)  keystore.load(_, *)  ks.load(_, *)  .load(_, tochararray*)
.getkey(_, tochararray*)  .store(_, tochararray*)  .init(_, tochararray*)  .setkeyentry(_, _, tochararray*)
passwordprotection(*)  loadkeymaterial(_, *)  loadtrustmaterial(_, *)  extractall(_, _, *)
by_index_decrypt(_, *)  by_name_decrypt(_, *)  traditionaldecrypter.new(*)  traditionalencrypter.new(*)
setzippassword(*)  .decrypt(*)

bot.run(*)  client.run(*)  bot.login(*)  client.login(*)  bot.start(*)  client.start(*)  telegraf(*)
telegrambot(*)  telebot(*)  teletoken(*)  newbotapi(*)  slack.new(*)  discordgo.new(*)  webclient(*)
asyncwebclient(*)  stripe(*)  openai(*)  anthropic(*)  twilio(_, *)  twilio.init(_, *)  client.twilio(_, *)
oauthhandler(_, *)  oauth1(_, *)  oauth1session(_, *)  set_access_token(_, *)  supabase.createclient(_, *)
createclient(http, *)  newclient(http, *)  octokit(*)  sendgridapiclient(*)
postmark.serverclient(*)  postmarkclient(*)  algoliasearch(_, *)  pusher(_, _, *)  meilisearch(_, *)
consumer.new(_, *)

wifi.begin(_, *)  wifi.softap(_, *)  wifimulti.addap(_, *)  wlan.connect(_, *)  sta_if.connect(_, *)
nic.connect(_, *)  blynk.begin(*)  blynk.begin(_, _, *)  arduinoota.setpassword(*)  client.connect(_, _, *)
username_pw_set(_, *)  mosquitto_username_pw_set(_, _, *)  .setcredentials(_, *)  zip.setpassword(*)
setprotection(*)

pgp_sym_encrypt(_, *)  pgp_sym_decrypt(_, *)  pgp_sym_encrypt_bytea(_, *)  pgp_sym_decrypt_bytea(_, *)
pgp_pub_decrypt(_, _, *)  aes_encrypt(_, *)  aes_decrypt(_, *)  des_encrypt(_, *)  des_decrypt(_, *)
old_password(*)  encryptbypassphrase(*)  decryptbypassphrase(*)  encode_des(_, *)  encrypt_iv(_, *)
decrypt_iv(_, *)

curl_setopt(_, curlopt_password, *)  curl_setopt(_, curlopt_keypasswd, *)
curl_setopt(_, curlopt_userpwd, *)  curl_setopt(_, curlopt_proxyuserpwd, *)
curl_setopt(_, curlopt_xoauth2_bearer, *)  curl_setopt(_, curlopt_proxypassword, *)
curl_setopt(_, curlopt_sslkeypasswd, *)  curl_easy_setopt(_, curlopt_password, *)
curl_easy_setopt(_, curlopt_keypasswd, *)  curl_easy_setopt(_, curlopt_userpwd, *)
curl_easy_setopt(_, curlopt_proxyuserpwd, *)  curl_easy_setopt(_, curlopt_xoauth2_bearer, *)
curl_easy_setopt(_, curlopt_proxypassword, *)  setopt(userpwd, *)  setopt(password, *)  setopt(keypasswd, *)
setopt(proxyuserpwd, *)
"""
# Calls that make bytes, characters or an optional value of a literal, and nothing else.
_WRAPPERS = (
    r"some|string::from|(?:std::)?string|qstring|\[\]byte|bytes|bytearray|buffer\.from|(?:bytes\.)?fromhex"
    r"|unhexlify|[\w.]*getbytes|data|text|_t|wxt|cfstr|just|secretstring(?:::new)?|secret(?:str|::new)|securestring|key::from"
    r"|(?:base64\.)?b64decode|atob|textencoder\(\)\.encode|nsstring|symmetrickey|vec::from|box::from|cow::from"
)
_LITERAL = (
    rf"(?is)\s*(?:\w+[ \t]*[:=][ \t]*)?(?:(?:new[ \t]+)?[&*]?(?:{_WRAPPERS})\(\s*(?:utf8:\s*)?)*"
    r"[brufl@$]{0,2}"
    r"(?:\"((?:[^\"\\\n\0]|\\.)*)\"|'((?:[^'\\\n\0]|\\.)*)'|`([^`\n\0]*)`)[^\"'`]*"
)
_NAMES_VARIABLE = r"(?i)\s*\w*(?:variable|credentialsid)[ \t]*[:=]"
"""An argument that says which variable will hold the secret: `passwordVariable: "PASS"`."""
_OF_ONE = ("bot.", "client.log", "client.run", "client.start")
"""Methods that take a token alone; with more arguments they sign a user in."""
_PAIRED = b"userpwd"
"""Part of the names of options whose value is a user, a colon and a password."""


@cache
def _signatures() -> dict[str, list[tuple[str, ...]]]:
    """Returns for each name the conditions of its arguments up to the secret, which come last."""
    signatures: dict[str, list[tuple[str, ...]]] = {}
    for signature in _SIGNATURES.replace(")  ", ")\n").split("\n"):
        name, _, rest = signature.strip().partition("(")
        if rest:
            words = [word.strip() for word in rest.rstrip(")").split(",")]
            last = next(number for number, word in enumerate(words) if word.endswith("*"))
            signatures.setdefault(name, []).append(tuple(words[: last + 1]))
    return signatures


@cache
def known_call() -> str:
    """Returns a pattern of the names of the functions, and of the bracket after."""
    names = "|".join(
        sorted((name.replace(".", r"(?:\.|->|::)") for name in _signatures()), key=len, reverse=True)
    )
    return rf"(?:\b|\.|->)({names})[ \t]*\("


def in_known_calls(text: Part) -> Spans:
    """Yields the literal in the place where a function takes a secret."""
    data = text.data
    for match in text.matches(byte_pattern(f"(?i){known_call()}")):
        name = match.group(1).decode().lower().replace("->", ".").replace("::", ".")
        arguments = arguments_of(data, match.end())
        for conditions in _signatures()[name]:
            if len(arguments) < len(conditions) or (len(arguments) > 1 and name.startswith(_OF_ONE)):
                continue
            values = [data[slice(*span)].lower() for span in arguments]
            if all(_fits(word, argument) for word, argument in zip(conditions, values, strict=False)):
                yield from _literal(
                    data, *arguments[len(conditions) - 1], is_paired=_PAIRED in b"".join(values[:2])
                )


def _fits(word: str, argument: bytes) -> bool:
    """Returns whether an argument contains what has to occur in it."""
    required = word.rstrip("*_")
    return not required or required.encode() in argument


def _literal(data: bytes, start: int, end: int, *, is_paired: bool) -> Spans:
    """Yields the literal that an argument holds; of a user and a password, what follows the colon."""
    literal = byte_pattern(_LITERAL).fullmatch(data[start:end])
    if literal is None or byte_pattern(_NAMES_VARIABLE).match(data[start:end]):
        return
    group = next((number for number in (1, 2) if literal.start(number) >= 0), 3)
    value = literal.group(group)
    begin = start + literal.start(group)
    if is_paired:
        user, colon, value = value.partition(b":")
        begin += len(user) + len(colon)
    for escape in (b"\\n", b"\\r"):
        value = value.removesuffix(escape)
    spelled = value.decode("utf-8", "replace")
    if len(value) < 3 or is_harmless(spelled, Form.LITERAL, is_password=True):
        return
    if b" " not in value or not is_text(spelled, quoted=True):
        yield begin, begin + len(value), "password"

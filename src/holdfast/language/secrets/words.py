"""Words that are under the name of a secret without being one: placeholders, types, prose, variables."""

from __future__ import annotations

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Stand for a value that is filled in elsewhere; one of them makes a placeholder of the words beside it.
STAND_INS = _set(
    "eintragen eingeben einf\u00fcgen einfuegen ausf\u00fcllen ausfuellen ersetzen"
    " actual any apikey api_key bar baz blah bogus change changeit changeme credential credentials creds"
    " default demo dummy empty enter example exampletoken fake fill foo foobar generated geheimnis goes"
    " here hidden hunter2example insert jeton kennwort key keys masked missing mock none null omitted own"
    " pass passcode passphrase passwd password passwords passwort paste placeholder provided pw pwd"
    " redacted removed replace replaceme sample sanitized schluessel secret secrets something tbd test"
    " testing todo token tokens undefined unknown unset use value var variable xxx xyz you your yours"
    " yourpassword beispiel dein deine deines ihr ihre platzhalter hier einsetzen geheim votre vos"
    " mot_de_passe mdp exemple ici tu su sus aqui aqu\u00ed ejemplo contrase\u00f1a contrasena clave senha"
    " cambiame wachtwoord l\u00f6senord passord adgangskode salasana heslo has\u0142o \u015fifre parola"
    " jelsz\u00f3 \u043f\u0430\u0440\u043e\u043b\u044c"
)
# Only together with a stand-in: `my-new-db-password`.
FILLERS = _set(
    "hier bitte dein deine ihr ihre "
    "a access account add admin an and ant api app application at auth aws azure basic bearer bot bucket"
    " ca cert certificate client code config custom data database db de dev docker docs encrypted env"
    " environment false field file for from gcp get ghp git github gitlab glpat goes google grafana hf"
    " host http https id in input is it jwt k8s kube kubernetes later like live local long mail me mein"
    " meine mon my mysql name new no not number of old on openai optional or pat path personal pg pk"
    " postgres private prod production proj project public put qa random real redis ref refresh region"
    " registry required role root s3 secure sensitive server service session set should signing sk slack"
    " smtp some ssh staging store string stripe strong super svc text that the this tls to true type"
    " update updated user username vault web webhook wifi with xoxb neu neues neue alt altes la le les un"
    " une el los las nuevo nueva nouveau"
)
TYPES = _set(
    "str string text bool boolean int integer number float bytes bytearray char charfield varchar"
    " nvarchar blob object any dict list map array uuid buffer secretstr securestring optional maybe"
    " option some none nothing nullable never void uint8array cryptokey date datetime json jsonb email url"
    " uri binary clob nchar const static readonly dyn impl box arc rc cow vec result promise future"
    " callable type self unit tinytext longtext mediumtext serial enum struct interface protocol union"
    " literal annotated final"
)
BOOLEANS = _set(
    "true false yes no on off y n ja nein oui non si s\u00ed null nil none nan undefined void n/a na -"
)
STATES = _set(
    "anonymous absent accepted accurate active allowed alphanumeric ambiguous annoying anything asked"
    " available away bad bare blank blocked boring bound broken built burned cached case changed checked"
    " clear common compromised confidential configured confirmed correct corrupt cut dead deleted"
    " deprecated different difficult disabled done due easy empty enabled encoded encrypted enforced"
    " enough entered essential exactly exempt expired exposed false fields fine fixed forbidden forgotten"
    " found free fresh full gone good great guessable half hard hashed held hidden identical immutable"
    " important incorrect incomplete insecure invalid irrelevant kept known last leaked left legacy local"
    " locked long looks lost made mandatory masked matching meant mine missing mixed needed never nice"
    " null numeric obsolete obvious odd off ok okay old opaque optional overdue persisted personal plain"
    " present printed private protected public pure quite random read ready redacted refused rejected"
    " removed required reset restricted reused reusable revoked right rotated rewritten chosen taken"
    " overridden safe salted same saved secret secure sensitive sent set shared short shown similar simple"
    " single sound special stale static stolen stored strange strong stronger supported sure temporary"
    " terrible tied too top tricky true trivial typed unavailable unchanged unclear undefined unique"
    " unknown unsafe unset unsupported unused updated useful useless valid verified visible vital weak"
    " weaker whitespace wrong written yours authentication authenticated authorized being both"
    " case-sensitive login manager managed managers nothing passwords policies policy prompted recovery"
    " strength validation verification abgelaufen falsch richtig sicher unsicher leer geheim gesetzt"
    " ge\u00e4ndert gespeichert g\u00fcltig ung\u00fcltig lang kurz neu alt erforderlich notwendig"
    " unbekannt verloren weg vergessen zu zur\u00fcck obligatoire requis incorrecte faux expir\u00e9"
    " invalide vide valide s\u00fbr perdu oubli\u00e9 stock\u00e9 n\u00e9cessaire trop faible fort"
    " chang\u00e9 obligatorio obligatoria requerido requerida incorrecta incorrecto caducada vac\u00eda"
    " v\u00e1lida segura d\u00e9bil guardada olvidada perdida"
    " given withheld generated wiederholen best\u00e4tigen \u00e4ndern anfordern anzufordern"
    " zur\u00fccksetzen"
    " dimenticata dimenticato smarrita scaduto pessoal esquecida esquecido unver\u00e4ndert"
    " prompt corta errata sbagliata scaduta onjuist verlopen fout"
    " vietato vietata persa perso richiesta obbligatoria ingevoerd ingesteld gewijzigd vereist verplicht"
    " wijzigen bevestigen krijgt perdido expirada inv\u00e1lida obrigat\u00f3ria z\u0142e puste"
    " b\u0142\u0119dne yanl\u0131\u015f ph\u1ea3i differs vergessn"
    " verplicht"
    " veranderd vergeten gewijzigd geblokkeerd gesperrt niepoprawne nieprawid\u0142owe wygas\u0142o zmienione"
    " wymagane zablokowane strict larga secreta segreta geheim tajne"
    " incorreta incorreto inv\u00e1lida inv\u00e1lido expirada expirado errada errado trocada alterada"
    " bloqueada obrigat\u00f3ria errato sbagliato bloccata obbligatoria ongeldig ongeldige verkeerd"
    " onjuiste kwijt yanl\u0131\u015f hatal\u0131 ge\u00e7ersiz zorunlu b\u0142\u0119dne fel ogiltigt"
    " kr\u00e4vs gl\u00f6mt forkert ugyldig glemt p\u00e5kr\u00e6vet feil \u0161patn\u00e9 neplatn\u00e9"
    " povinn\u00e9 zapomenut\u00e9 v\u00e4\u00e4r\u00e4 unohtunut foreldet tba tbc"
)
# Begin a short note on where a secret is: `see wiki`, `ask Bob`, `in the vault`.
POINTERS = _set(
    "see ask in via from like same read siehe frag voir ver vedi zie zob \u00e0 bei im chez en at on by with"
    " stored kept known provided"
)
FUNCTION_WORDS = _set(
    "a about above actually after again all almost already also although always am an and another any"
    " anyone anything anyway are as ask at be because been before below between both but by can cannot"
    " could did do does don't during each either else even ever every everyone everything few for from"
    " gets got had has have he her here hers him his how however i i'm i've if in instead into is isn't it"
    " it's its itself just least less let like likely many maybe me neither might mine more most much must"
    " my myself need needs never no nobody none nor not now of often on once one only onto or other our"
    " ours out over own per perhaps please probably quite rather really same she should since so some"
    " somebody someone something sometimes somewhere soon still such than that that's the their theirs"
    " them then there these they this those though through till to together too under unless until up upon"
    " us used usually very via was we well were what whatever when where whether which while who whoever"
    " whom whose why will with within without won't would yes yet you your yours aber alle als auch auf"
    " aus bei beim bereits bis bitte da damit dann das dass dein dem den der des die dies diese doch du"
    " durch ein eine einem einen einer er erst es euch etwas f\u00fcr habe haben hat hier ich ihr im immer"
    " ist ja jetzt kann kein keine man mehr mein meine mich mindestens mir mit muss nach nicht nie noch"
    " nur ob oder ohne schon sehr sein seine sich sie sind soll sondern steht \u00fcber um und uns unser"
    " unter vom von vor war weil wenn wer werden wie wieder wir wird wo wurde zu zum zur au aussi avec"
    " c'est ce ces cette dans de doit elle en est et il ils je la le les leur lui mais mes moi mon ne nous"
    " ou par pas plus pour que qui sa sans se ses son sont sous sur ta tes toi ton toujours tr\u00e8s tu"
    " un une vos votre vous al algo como con cuando debe del desde el ella ese esta est\u00e1 este ha hay"
    " las lo los m\u00e1s mi mis muy nada nos o para pero por qu\u00e9 ser si sin sobre solo su sus"
    " tambi\u00e9n tan te tiene una y ya"
    " everywhere elsewhere anywhere nowhere together twice thrice separately manually automatically"
    " later today tomorrow yesterday tonight daily weekly monthly yearly regularly often viel viele"
    " wenig genug \u00fcberall zweimal heute morgen gestern partout deux fois beaucoup mucho siempre"
    " dos veces sul sulla sullo nel nella del della dello dei di non deve essere che per con questo"
    " questa due volte sempre ter n\u00e3o na em com mais muito moet op het de een niet van voor ook"
    " altijd twee keer musi mie\u0107 jest nie w z do co najmniej si\u0119 mus\u00ed m\u00edt nen\u00ed"
    " je ska m\u00e5ste \u00e4r inte p\u00e5 och den det"
)
# What is said after "password" without a verb: `password reset`, `with password authentication`.
COMPOUNDS = _set(
    "set-up response responses"
    " flag flags argument arguments combination combinations combo pair pairs prompts"
    " hasher box access ageing age aging app apps attack attacks auth authentication authorization based"
    " book breach budget bucket budgets cache caching callback change changes changer check checker"
    " checking checks claims class column complexity confirmation cost count counter counts cracking"
    " credentials database db dialog dump encryption endpoint entropy entry exchange expiration expiry"
    " exposure extension field fields file files flow form format generation generator grant guessing"
    " handler handling hash hashes hashing header hint hints history input introspection issue issuer"
    " keeper label leak leaks length lengths level library lifecycle lifetime limit limits link list login"
    " logins logic lookup loss mail management manager managers mask middleware mode module name names"
    " note notebook of option page pages param parameter parser pattern policies policy problem problems"
    " procedure process prompt property protection provider quality query question questions recovery"
    " refresh reminder renewal request requests requirement requirements reset resets reuse review"
    " revocation rotation rule rules safe scanner scanning schema scheme scope screen script security"
    " server service sets setting settings setup sharing sheet size source spraying stage step sticker"
    " storage store stores storing stream strength string support sync system table template text theft"
    " toggle type types update updates usage vault validation validator validators value values variable"
    " verification verifier version view word words santa ingredient ingredients garden weapon sauce agent"
    " services police life recipe ballot identity chat per that expires expired expire is was are holder"
    " protected field-level change-over login-page portal team tool tools widget dispenser"
)
# Names of values in code; an unquoted one refers to a variable.
VARIABLES = _set(
    "await new yield lambda not async typeof arg args argument argv attempt auth body buf"
    " buffer candidate cell cfg char chars chunk cls command"
    " conf config content context credential credentials creds csrf ctx cur curr current cursor data"
    " default digest doc e el elem element entry env err error event expected f field first flag fn form"
    " func given got hash hashed header headers id identifier idx input item items iter it jwt k kwargs"
    " last left lexeme line list m match message msg n name next node num number obj object op opt option"
    " options opts out output p param parameter params parsed part parts path payload pos prefix prev"
    " previous props query raw received record ref rep reply req request res resp response result results"
    " ret right row s self session setting settings source start state stdin str string submitted t tag"
    " temp text the this tmp tok token tokens tree typ type user username v val value values var variable"
    " w word words x xs y"
)
# What attributes are taken from: `settings.token`, `request.form[...]`.
HEADS = _set(
    "account app args argv auth body client cls conf config configuration context cred credentials creds"
    " ctx current_app data db each env environ event field fields flags form getpass headers input inputs"
    " item json jwt keyring keychain local locals message model module msg node obj object options opts os"
    " parameters params payload process props query record req request res response result row secret"
    " secrets self server service session settings setup state steps store super system this tokenizer"
    " user users util utils values var variables vars vault window github matrix needs runner outputs"
    " django flask config_data deno bun import dotenv environment parser lexer scanner token tokens page"
)
SECRET_WORDS = _set(
    "password passwd pwd pass passphrase passcode passwort kennwort pin pins"
    " secret secrets token tokens key keys"
    " cred creds credential credentials auth cert tls apikey contrasena clave"
)
# Names of secrets that head columns of other things: of mountains, of plugs, of words.
AMBIGUOUS = _set("pass pin pins key token tokens secret")
UNITS = _set(
    "s sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month"
    " months year years ms char chars character characters bit bits byte bytes kb mb times attempts tokens"
    " digits letters words symbols tage tagen zeichen stunden minuten stellen caract\u00e8res caracteres"
    " jours d\u00edas"
)
# What follows a word that a sentence states as a password.
AFTER_A_VALUE = _set(
    "ok okay right thx cheers in and but for if please so btw thanks everywhere again now with und aber"
    " f\u00fcr bitte et mais"
    " pour s'il y pero para por this"
)
_ENDINGS = ("ed", "able", "ible", "ing", "less", "ful", "ive", "ous", "lich", "bar", "los", "stellig")
_TO_DO = re.compile(
    r"(?:ab|an|auf|aus|ein|her|hin|mit|nach|um|vor|weiter|zur\u00fcck|zusammen)zu[a-z\u00e4\u00f6\u00fc]{3,}e?n"
)
"""What is to be done with a secret in German: `aufzuschreiben`."""


def is_state(word: str) -> bool:
    """Returns whether a word says what a secret is like: `required`, `guessable`, `abgelaufen`."""
    return (
        word in STATES
        or (len(word) >= 6 and word.isalpha() and word.endswith(_ENDINGS))
        or _TO_DO.fullmatch(word) is not None
    )

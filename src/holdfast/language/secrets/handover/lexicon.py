"""The words with which a secret is handed over: by class, and in each class by language."""

from __future__ import annotations

from functools import cache
from typing import Any

from holdfast.core.text import byte_pattern
from holdfast.language.secrets.names import SPOKEN_NAMES

# Class -> language -> alternatives in RE2 syntax. A class is written `{class}` in the frames.
LEXICON: dict[str, dict[str, str]] = {
    # what a password is called
    "name": {
        "any": SPOKEN_NAMES,
        "ru": r"\x{43f}\x{430}\x{440}\x{43e}\x{43b}\pL*",
        "en": r"\bpass[ -]phrase\b|\b(?:code|watch|safe)[ -]?word\b|\b(?:magic|secret|memorable"
        r"|agreed) word\b"
        r"|\b(?:phone|telephone|verbal|account|user|door|screen|entry|unlock)[ -](?:password|pin)\b"
        r"|\bpasscode\b|\bPUK\b|\blog-?in (?:was|is)\b",
        "de": r"\b\w*(?:passwort|passphrase|kennwort|losungswort|codewort|schl\x{fc}sselwort)\b"
        r"|\bgeheimzahl\b"
        r"|\b(?:vereinbarte[ns]?|geheime[ns]?) (?:stich)?wort\b|\b(?-i:Losung)\b|\b\w+-(?-i:PIN)\b",
        "fr": r"\bmots? secrets?\b|\bmot de code\b|\bcode (?:secret|pin)\b",
        "es": r"\bpalabra secreta\b|\bc\x{f3}digo secreto\b|\bcontrase\x{f1}as?\b",
        "it": r"\bparola (?:d['\x{2019}]ordine|segreta|di accesso)\b|\bcodice segreto\b|\bpassword\b",
        "zh": r"密码|密碼|口令",
    },
    # what several words are called that unlock something
    "phrase": {
        "en": r"\bpass[ -]?phrase\b|\b(?:secret|recovery|rescue|backup|seed|unlock|master|security) phrase\b"
        r"|\b(?:with|by) the (?:phrase|words|sentence)\b|\bmaster (?:password|key)\b|\b(?:keepass|bitwarden"
        r"|vault|keychain) (?:master|password)\b",
        "gap": r"\b(?:phrase|sentence|line|words?) (?:that|which|to|for)\b[^\n\0.?!:]{0,20}?"
        r"\b(?:unlocks?|decrypts?|opens?|restor\w+|unseals?)\b",
        "de": r"\b\w*passphrase\b|\b(?:merk|kenn|sperr|schl\x{fc}ssel|passwort)satz\b|\bmaster-?(?:passwort"
        r"|kennwort)\b"
        r"|\bwiederherstellungs(?:phrase|satz|w\x{f6}rter)\b|\bmerkhilfe\b"
        r"|\b(?:satz|w\x{f6}rter) (?:zum|f\x{fc}r|mit dem|mit denen)\b",
        "fr": r"\bphrase (?:secr\x{e8}te|de passe|de r\x{e9}cup\x{e9}ration|mot de passe)|\bphrase (?:pour"
        r"|qui)\b",
        "es": r"\bfrase (?:secreta|de (?:seguridad|recuperaci\x{f3}n|paso|contrase\x{f1}a)|semilla|que"
        r"|para|del?)\b",
        "it": r"\bfrase (?:segreta|d['\x{2019}]accesso|di (?:recupero|sicurezza|accesso)|che|per|del)\b",
        "zh": r"助记词|密语",
    },
    # what numbers open things are called
    "code": {
        "en": r"\b(?:code|combination|combo)s?\b|\bkey ?sequence\b",
        "de": r"\b\w*(?:code|kombination|ziffernfolge)s?\b|\bzahlenschloss\b",
        "fr": r"\b(?:digi)?codes?\b|\bcombinaison\b",
        "es": r"\bc\x{f3}digos?\b|\bcombinaci\x{f3}n\b",
        "it": r"\bcodic[ei]\b|\bcombinazione\b",
        "zh": r"密码|密碼|代码",
    },
    # what is certainly spoken of when a number unlocks something
    "sure": {
        "en": r"(?-i:\bPIN\b|\bPUK\b)|\bpasscodes?\b|\block ?box\b|\bkey ?(?:safe|box|pad)\b|\bthe pad\b"
        r"|\bpadlock\b"
        r"|\bcombination (?:lock|of|to|for|is)\b|\bunlock(?:s|ed|ing)?\b|\b(?:dis)?arm(?:s|ed|ing)\b"
        r"|\bdisarm\b"
        r"|\b(?:door|gate|garage|alarm|entry|safe|lock|intercom|access|unlock|shed|bike|side[ -]door"
        r"|front[ -]door"
        r"|back[ -]door|phone|tablet|locker|building|lobby|basement|service|voice|user|staff|pick-?up"
        r"|collection|parcel|visitor|guest|radio|installer|menu|tv|voicemail|storage|gym|house|home|hotel"
        r"|flat"
        r"|apartment|pool|barn|suitcase|luggage|boat|cellar|attic|roof|clubhouse|studio|lab|clinic|hall"
        r"|bathroom|restroom|machine|copier"
        r"|printer|till|cabinet|drawer|trailer|van|car|truck|laptop|computer|watch|log-?in|child[ -]lock"
        r"|toilet|release"
        r"|security|box)(?:['\x{2019}]s)? (?:entry |access )?"
        r"(?:code|pin|combination)\b|\bcode (?:for|to|of) (?:the|my|our|your) (?:\w+ )?"
        r"(?:door|gate|garage|alarm|safe|lock|shed|building|locker|lobby|phone|tablet)\b",
        "de": r"\b(?:zahlen|code)schloss\b|\bschl\x{fc}ssel(?:kasten|tresor|safe|box)\b|\bent(?:sperr"
        r"|riegel|sch\x{e4}rf)\w*"
        r"|\bgeheimzahl\b|\bkindersicherung\b|\b(?-i:[A-Z\x{c4}\x{d6}\x{dc}])\w{2,}(?:code|-Code)\b"
        r"|\b(?:t\x{fc}r|haust\x{fc}r|tor|garagen|alarm|zugangs|tresor|safe|freigabe"
        r"|entsperr|keller|hof)-?code\b"
        r"|\bcode (?:f\x{fc}r|von|vom|zu[rm]?) (?:(?:die|das|den|der|dem|unsere?n?) )?(?:\w+)?"
        r"(?:garage|t\x{fc}r|tor|safe|tresor|schloss|alarmanlage|box|schranke|handy|haus)\b"
        r"|\b\w+-(?-i:PIN)\b",
        "fr": r"\bdigicode\b|\bbo\x{ee}te \x{e0} cl\x{e9}s?\b|\bcadenas\b|\bd\x{e9}verrouill\w+"
        r"|\bd\x{e9}sarm\w+"
        r"|\bcode (?:du|de la|de l['\x{2019}]|d['\x{2019}]|pour (?:le|la) ?)(?:porte|portail|garage"
        r"|immeuble|alarme|entr\x{e9}e|coffre|acc\x{e8}s|hall|cave)",
        "es": r"\bcandado\b|\bcaja de llaves\b|\bdesbloque\w+"
        r"|\bc\x{f3}digo (?:del?|de la|para) (?:(?:el|la) )?(?:puerta|portal|garaje|alarma|caja|entrada"
        r"|taquilla|verja)",
        "it": r"\blucchetto\b|\bsblocc\w+|\bantifurto\b"
        r"|\bcodice (?:del(?:la|l['\x{2019}])?|per) ?(?:(?:il|la) )?(?:porta|portone|garage|cancello"
        r"|allarme|antifurto|cassaforte|ingresso)",
        "zh": r"门锁|门禁|开锁|保险箱|解锁",
    },
    # what is locked, and may be spoken of for many other reasons
    "lock": {
        "en": r"\b(?:pad|door|gate|garage|alarm|safe|lock(?:er|ed|s)?|vault|shed|barrier|siren|phone|mobile"
        r"|iphone|ipad|tablet"
        r"|laptop|keypad|panel|intercom|till|cash register|barn|cabinet|suitcase|archive|console|parcel box"
        r"|lockout"
        r"|car ?park|building|sim|card)\b",
        "de": r"\b\w*(?:t\x{fc}r|tor|garage|tresor|safe|schloss|alarmanlage|alarm|handy|telefon|tablet"
        r"|koffer|schranke"
        r"|keller|schuppen|box|karte|spind|panel|fach|siegel)\b",
        "fr": r"\b(?:porte|portail|garage|alarme|coffre(?:-fort)?|t\x{e9}l\x{e9}phone|portable|tablette"
        r"|immeuble|barri\x{e8}re|local|casier|valise|carte)\b",
        "es": r"\b(?:puerta|portal|garaje|alarma|caja fuerte|m\x{f3}vil|tel\x{e9}fono|tableta|trastero"
        r"|taquilla|verja|maleta|tarjeta)\b",
        "it": r"\b(?:porta|portone|cancello|garage|allarme|antifurto|cassaforte|telefono|cellulare|tablet"
        r"|armadietto|cantina|valigia|carta)\b",
        "zh": r"门|锁|保险箱|手机|打印机|银行",
    },
    "opens": {
        "en": r"\b(?:open|unlock|disarm|arm|start|deactivat|switch)(?:s|ed|es|e|ing)?\b|\b(?:turn"
        r"|switch)(?:s|ed|es)? off\b"
        r"|\b(?:get|let|gets|lets|buzz)(?: \w+)? in\b",
        "de": r"\b(?:geht|gehen|\x{f6}ffnet|\x{f6}ffne|\x{f6}ffnen|aufschlie\x{df}en|entsperrt?|entriegelt?"
        r"|entsch\x{e4}rft?|deaktiviert?"
        r"|kommst|kommt|komm|aufmachen|l\x{e4}sst sich|bekommst|kriegst|springt|schaltest|startet)\b",
        "fr": r"\bs['\x{2019}](?:ouvre|arr\x{ea}te|\x{e9}teint)|\bentrer\b|\bse (?:d\x{e9}verrouille"
        r"|d\x{e9}sarme"
        r"|d\x{e9}sactive|coupe|d\x{e9}bloque|lance)"
        r"|\b(?:ouvr(?:e|ez|ir)|d\x{e9}verrouill\w+|d\x{e9}sarm\w+|d\x{e9}sactiv\w+)",
        "es": r"\bse (?:abre|desbloquea|desactiva|apaga|desarma|enciende)\b|\b(?:abre|abrir|desbloquear"
        r"|desactivar|entrar|entra)\b",
        "it": r"\bsi (?:apre|sblocca|disattiva|disinserisce|spegne|accende)\b|\b(?:apri|aprire|sbloccare"
        r"|disattivare|entrare|entri)\b",
    },
    "with": {"any": r"\b(?:with|using|by|mit|avec|con|met|com|z)\b"},
    # what is done with the keys of a keyboard or a keypad
    "types": {
        "en": r"\b(?:enter|type(?: in)?|typed|key in|punch(?: in)?|press|dial|tap(?: in)?|input|write"
        r"|put(?: in)?|use|try|(?:entering|typing|pressing|dialling|dialing|using|tapping)(?: in)?"
        r"|(?:punching|keying) in"
        r"|(?:i|you|they|we|must|to|just) (?:say|said))\b",
        "de": r"\b(?:gib(?:st)?(?: (?:du|ihr|man|dort|da|einfach))?|gebt|gebe|tippe?(?:st)?(?: (?:du|dort"
        r"|da|einfach))?|dr\x{fc}cke?|w\x{e4}hle?|nimm|nehmt"
        r"|nimmst|nehmen|schreib|probier|versuch|sag|(?:ich|du|wir) (?:sage?|sagte|sagst))\b",
        "fr": r"\b(?:tape[sz]?|compose[sz]?|saisi(?:s|ssez)|entre[sz]?|mets|mettez|faites|fais"
        r"|\x{e9}cri(?:s|vez)"
        r"|utilise[sz]?|dis|dites)\b",
        "es": r"\b(?:marca[s]?|marque|teclea[s]?|introduce[s]?|introduzca|pulsa[s]?|pon|escrib[ea]s?|usa"
        r"|di)\b",
        "it": r"\b(?:digita(?:re|te)?|inserisci|inserite|premi|componi|scrivi|usa|metti|d\x{ec})\b",
        "zh": r"输入|按|改为|改成",
    },
    "typed": {  # after the number, as German verbs stand
        "de": r"(?:ein(?:geben|gegeben|tippen|zugeben|getippt|gibst|gibt)|dr\x{fc}cken|gedr\x{fc}ckt"
        r"|w\x{e4}hlen|gew\x{e4}hlt)",
    },
    "is": {
        "en": r"(?:is|was|are|now|still|becomes|became|reads|(?:has been |was |is |been )?(?:changed|set"
        r"|reset|updated) to|will be|ha(?:s|ve|d) (?:always )?been"
        r"|should be|remains)\b",
        "de": r"(?:ist|war|lautet|lautete|hei\x{df}t|heisst|sind|w\x{e4}re|jetzt|steht auf"
        r"|gilt(?: jetzt)?(?: der)?|bleibt)\b",
        "fr": r"(?:(?:est|c['\x{2019}]est|sera|devient|reste|\x{e9}tait)\b|(?:passe|est pass\x{e9}) \x{e0})",
        "es": r"(?:(?:es|era|son|pasa a ser|sigue siendo)\b|ser\x{e1})",
        "it": r"(?:(?:era|diventa|resta)\b|\x{e8}|sar\x{e0})",
        "more": r"(?:(?:jest|wordt|er)\b|\x{e9}|\x{e4}r)",
    },
    "adverb": {
        "en": r"(?:just|simply|literally|still|now|always|again|really|actually|currently|only)",
        "de": r"(?:einfach|nur|noch(?: immer)?|immer noch|jetzt|immer|wieder|\x{fc}brigens|aktuell"
        r"|schlicht|also|eben)",
        "fr": r"(?:simplement|toujours|encore|maintenant|juste|tout simplement)",
        "es": r"(?:simplemente|solo|todav\x{ed}a|siempre|ahora|a\x{fa}n)",
        "it": r"(?:semplicemente|solo|ancora|sempre|adesso|ora)",
    },
    "det": {
        "any": r"(?:the|a|an|my|our|your|his|her|its|their|this|das|dein|mein|unser|ihr|die|der|den|dem"
        r"|meine|le|la|les|mon|ma|ton"
        r"|ta|votre|notre|el|los|mi|tu|su|nuestra|il|lo|mio|tuo|la mia|het|mijn)",
    },
    "than": {"any": r"(?:but|sondern|mais|sino|ma|bens\x{ed}|maar)"},
    "not": {
        "any": r"(?:not|isn['\x{2019}]t|wasn['\x{2019}]t|no longer|nicht|kein\w*|pas|plus|no|non|ya no|niet)"
    },
    "as": {"any": r"(?:as|als|comme|como|come)"},
    # said before a colon and what a secret is
    "label": {
        "en": r"(?:here(?: (?:it is|you go|goes))?|it is|it['\x{2019}]s|it was|was|is|one|again|now|today"
        r"|new(?: one)?|namely|answer|remember|note"
        r"|wiki|says?|said|told me|write down|written|still|note down|listen|yeah|yes)",
        "de": r"(?:hier|n\x{e4}mlich|neu(?:es?)?|jetzt|heute|antwort|noch|wieder|es|also|so|sagt|sagte"
        r"|merk(?:e|t)?(?: dir| euch)?|notier\w*"
        r"|schreib(?: auf| mit)?|lautet|ja|gesetzt|ge\x{e4}ndert)",
        "fr": r"(?:voici|voil\x{e0}|note[sz]?|\x{e9}cri[st]|r\x{e9}ponse|nouveau|maintenant|oui)",
        "es": r"(?:apunta|anota|aqu\x{ed}(?: est\x{e1}| va)?|nueva|ahora|respuesta|s\x{ed}|escribe)",
        "it": r"(?:ecco(?:la|lo)?|segna(?:ti)?|scrivi|nuova|adesso|ora|risposta|s\x{ec})",
    },
    # how a word is spelled: said of a word that somebody has to type
    "note": {
        "en": r"(?:(?:all|in|with|it['\x{2019}]s|both|that['\x{2019}]s) ){0,2}(?:(?:all )?(?:lower"
        r"|upper)[ -]?case(?: \w)?|small letters|all (?:small|caps)|capitals"
        r"\b|(?:one|two|three|four) words?\b|no (?:spaces?|capitals|caps|hyphens?|dash(?:es)?|full stop)\b"
        r"|(?:with |and )(?:the |one |a )?(?:spaces?|capital|hyphens?|dash|umlaut|exclamation mark)\b"
        r"|(?:a |one |the |an )?(?:capital|big|small) (?:(?-i:[A-Z])|\w)\b|(?:hyphens?|spaces?) included\b"
        r"|run together\b|stuck together\b"
        r"|all (?:run|stuck|joined) together\b)",
        "de": r"(?:(?:alles|und|mit|ganz) ){0,2}(?:(?:gro\x{df}|klein)es \w\b|klein(?:geschrieben"
        r"| geschrieben|buchstaben)?\b|gro\x{df}(?:geschrieben| geschrieben|buchstaben)?\b"
        r"|zusammen(?:geschrieben| geschrieben)?\b|ohne (?:leerzeichen|umlaute?|bindestrich)|leerzeichen"
        r"|umlaut|bindestrich(?:en)?"
        r"|in (?:klein|gro\x{df})buchstaben|ein wort\b|mit (?:\x{e4}|\x{f6}|\x{fc}|\x{df}|oe|ae|ue|ss)\b"
        r"|(?:gro\x{df}em|kleinem|einem gro\x{df}en) \w\b"
        r"|(?:inklusive |mit )(?:raute|stern|ausrufezeichen))",
        "fr": r"(?:tout )?(?:en (?:minuscules?|majuscules?|un (?:seul )?mot)|sans (?:espaces?|accents?"
        r"|tirets?)|attach\x{e9}"
        r"|avec (?:un |une |la |les |le )?(?:majuscule|espaces?|tirets?|accents?)|(?-i:[A-Z]) majuscule"
        r"|les tirets comptent|avec (?-i:[A-Z]) majuscule)",
        "es": r"(?:todo )?(?:en (?:min\x{fa}sculas?|may\x{fa}sculas?)|junto|sin (?:espacios|tildes?"
        r"|acentos?)|con (?:la )?(?:may\x{fa}scula|espacios|tilde|acento|guion(?:es)?)"
        r"|con (?:la )?(?-i:[A-Z]) may\x{fa}scula)",
        "it": r"(?:tutto |con la |in |la )?(?:minuscol[oae]|maiuscol[oae]|attaccato|senza (?:spazi"
        r"|accent[oi])|con (?:gli spazi|l['\x{2019}]accento)"
        r"|(?-i:[A-Z]) (?:grande|maiuscola))",
        "zh": r"(?:全部)?(?:小写|大写)",
    },
    # getting in somewhere
    "entry": {
        "en": r"\blog(?:s|ged|ging)?[ -]?(?:in|on)\b|\bsign(?:s|ed|ing)?[ -]?(?:in|on)\b|\bunlock\w*"
        r"|\bdecrypt\w*|\bencrypt\w*|\bwi-?fi\b|\blocked\b|\bcredentials\b|\blets? (?:me"
        r"|her|him|you|us|them) in\b|\bthat(?:['\x{2019}]s| is) the log-?in\b"
        r"|\bI['\x{2019}]m in\b|\bgot in\b|\btype the word\b|\bletter by letter\b|\bspel(?:led|t)\b"
        r"|\bdictat\w+",
        "de": r"\bwlan\b|\banmeld\w*|\bmeldest\b|\beinlog\w*|\bzugang\w*|\bentsperr\w*|\bgesperrt\b"
        r"|\w*netz\b|\beingestellt\b|\bportal\b|\w+portal\b|\w*server\b|\bgeht mit\b"
        r"|\bbin (?:ich )?drin\b|\bbuchstabier\w*|\bdiktier\w*|\bkommst du (?:rein|in)\b|\brein(?:kommen"
        r"|kommst)\b",
        "fr": r"\bconnecte[rz]?\b|\bconnexion\b|\bse d\x{e9}bloque\b|\bidentifi\w+|\bordinateur\b"
        r"|\bd\x{e9}verrouill\w*",
        "es": r"\bse desbloquea\b|\bse bloquea\b|\bsesi\x{f3}n\b|\bdesbloque\w+|\bacceder\b|\bordenador\b",
        "it": r"\bacced\w+|\bsblocc\w+|\bentrare\b|\bcomputer\b",
        "zh": r"登录",
    },
    "wifi": {
        "any": r"\bwi-?fi\b|\bw?lan\b|\brouter\b|\bhotspot\b|\bnetwork\b|\bnetz(?:werk)?\b|\b\w+(?:netz"
        r"|wlan)\b|\bssid\b|\br\x{e9}seau\b|\bred\b|\brete\b"
    },
    "key": {"any": r"(?:\b(?:key|schl\x{fc}ssel|clef|clave|llave|chiave|sleutel)\b|\bcl\x{e9})"},
    "question": {
        "any": r"\bsecurity (?:question|answer)s?\b|\bsicherheitsfragen?\b|\bquestion (?:secr\x{e8}te"
        r"|de s\x{e9}curit\x{e9})|\bpregunta (?:secreta|de seguridad)|\bdomanda (?:segreta"
        r"|di sicurezza)"
    },
    "answer": {"any": r"\b(?:answer|antwort|r\x{e9}ponse|respuesta|risposta)\b"},
    # what a lock with a code is called, and the code itself
    "lock_code": {
        "en": r"(?-i:\bPIN\b|\bPUK\b)|\bpasscodes?\b|\block ?box\b|\bkey ?(?:safe|box|pad)\b|\bpadlock\b"
        r"|\bcombination (?:lock|of|to|for)\b",
        "de": r"\b(?:zahlen|code)schloss\b|\bschl\x{fc}ssel(?:kasten|tresor|safe|box)\b|\bgeheimzahl\b"
        r"|\b\w+-(?-i:PIN)\b",
        "fr": r"\bdigicode\b|\bbo\x{ee}te \x{e0} cl\x{e9}s?\b|\bcadenas\b",
        "es": r"\bcandado\b|\bcaja de llaves\b",
        "it": r"\blucchetto\b",
    },
    "vault": {
        "any": r"\b(?:safe|tresor|locks?|wheels|keypad|lock ?box|padlock|\w*schloss|coffre|cadenas"
        r"|caja fuerte|candado|cassaforte|lucchetto)\b"
    },
    "asks": {"any": r"\b(?:asks?|asking|prompts?|fragt|verlangt|will wissen|demande|pide|chiede|vraagt)\b"},
    "user": {
        "any": r"\b(?:user(?:name)?|account|login|benutzer(?:name)?|konto|utilisateur|compte|usuario|cuenta"
        r"|utente|sa|root|admin)\b"
    },
    "chosen": {
        "any": r"\b(?:picked|chose|went (?:for|with)|settled on|gew\x{e4}hlt|entschied\w*|choisi|elegiste"
        r"|elegimos|eleg\x{ed}|scelto|scelta)\b"
    },
    # what the digits of a lock are called
    "digits": {
        "any": r"\b(?:numbers?|digits?|sequence|nummer|zahlen|ziffern|chiffres|num\x{e9}ros?|n\x{fa}meros?"
        r"|numeri)\b"
    },
    "set": {
        "any": r"\b(?:set|turn(?:ed)?|reset|changed|updated|steht|gestellt|eingestellt|ge\x{e4}ndert"
        r"|gesetzt|r\x{e9}gl\x{e9}e?|chang\x{e9}e?|cambi\w+|ajustad[oa]|impostat[oa])\b"
    },
    "to": {"any": r"\b(?:to|auf|zu|in|sur|en|par|a|su)\b"},
    # struck on a keyboard, by nothing but the word itself
    "keys": {"any": r"\b(?:types?|typed|tippst?|tippe|tape[sz]?|saisi(?:s|ssez)|teclea[s]?|digita)\b"},
    "so": {"any": r"\b(?:so|also|thus|donc|as\x{ed} que|entonces|quindi|dunque)"},
    "several_words": {
        "any": r"\b(?:the|her|his|my|their|\w+ige|die|les|las|le|tre|tres|trois|drei|two|three|four|five"
        r"|six|twelve|vier|f\x{fc}nf|zw\x{f6}lf|quatre|cuatro|quattro) (?:words|w\x{f6}rter|mots"
        r"|palabras|parole)\b"
    },
    # what else a turn asks a secret with
    "words_for": {
        "gap": r"\b(?:the|what['\x{2019}]s the|secret|magic) words?\b[^\n\0]{0,12}(?:for|to|then|\?)",
        "any": r"\b(?:das|welches) wort (?:f\x{fc}r|zum)\b|\bmot pour\b|\bpalabra para\b|\bparola per\b"
        r"|\bphrase to \w+",
    },
    "prompt": {
        "any": r"\blog-?in (?:prompt|screen|box)\b|\bwants? (?:a|the|some|my) log-?in\b|\b(?:will|braucht"
        r"|verlangt) (?:eine )?anmeldung\b"
        r"|\bkeinen zugang\b|\block(?:ed)? screen\b|\bpantalla (?:de inicio|bloqueada)\b"
        r"|\b\x{e9}cran de connexion\b|\bschermata di accesso\b"
    },
    "gets_in": {
        "any": r"\b(?:lets?|get|log|go|sign)(?: (?:you|me|us|him|her|them|yourself|right|straight))? in\b"
        r"|\b(?:tape[sz]?|typed?|tippst?|teclea|digita) "
        r"|\b(?:encrypted|protected|secured|locked|zipped|verschl\x{fc}sselt|gesch\x{fc}tzt"
        r"|gesichert|chiffr\x{e9}e?|prot\x{e9}g\x{e9}e?"
        r"|cifrad[oa]|protegid[oa]|protetto) (?:with|mit|avec|con) |\bin as \w|\b(?:accepts|takes"
        r"|akzeptiert|nimmt) "
    },
    "lists": {
        "en": r"\b(?:recovery|back-?up|rescue|emergency|scratch|one-time|single-use|2fa|mfa|two-factor"
        r"|restore|tan)[ -]"
        r"(?:(?:back-?up|recovery|login|pass)[ -])?(?:codes?|keys?|list)\b",
        "de": r"\b(?:backup|wiederherstellungs|notfall|ersatz|einmal|reserve|2fa-backup|tan)-?(?:codes?"
        r"|schl\x{fc}ssel|liste)\b|\btans\b",
        "fr": r"\bcodes? de (?:secours|r\x{e9}cup\x{e9}ration|sauvegarde)",
        "es": r"\bc\x{f3}digos? de (?:recuperaci\x{f3}n|respaldo|emergencia|un solo uso)",
        "it": r"\bcodic[ei] di (?:recupero|backup|emergenza|riserva)",
        "zh": r"恢复码|备用码|恢复代码",
    },
    "wheels": {
        "any": r"\b(?:wheels|dials|three digits|suitcase|luggage|koffer|zahlenschloss|padlock|bike lock"
        r"|combination lock|r\x{e4}dchen|dreistellig\w*|spind)\b"
    },
    "opened": {
        "any": r"(?:\x{f6}ffnen|aufmachen|entsperren|entriegeln|unscharf|scharf|entsch\x{e4}rfen|schalten"
        r"|(?:aus|ab|frei)schalten|deaktivieren|aufschlie\x{df}en|ge\x{f6}ffnet|entsperrt)\b"
    },
    "works": {
        "any": r"(?:gilt|geht|funktioniert|works?|worked|no longer|stopped|does(?:n['\x{2019}]t| not)"
        r"|has expired|ne marche|n['\x{2019}]est plus|ya no|non funziona)\b"
    },
    "then": {"any": r"(?:and then|then|dann|danach|puis|luego|poi|star|stern|\x{e9}toile|bitte|push|pull)"},
}

_WAYS_IN = (
    ("name", "phrase", "several_words"),
    ("note",),
    ("wifi", "question", "gets_in", "entry"),
    ("lists", "words_for", "prompt"),
)
for _part, _names in enumerate(_WAYS_IN, 1):
    LEXICON[f"words_{_part}"] = {
        name: "|".join(words for language, words in LEXICON[name].items() if language != "gap")
        for name in _names
    }
LEXICON["words_4"]["gap"] = (
    r"\b(?:the|that|which|secret|magic|what['\x{2019}]s) words?\b|\b(?:phrase|sentence|line"
    r"|words?) (?:that|which|to|for)\b"
)
"""Each by the words that it begins with, so that they are found fast; in parts, since a pattern of all has
more states than RE2 keeps."""

# Codes that open nothing, and what is made of passwords: taken out of what is looked at.
PUBLIC_USES = (
    r"(?i)\b(?:error|status|exit|return|response|http|zip|post(?:al)?|area|country|dial(?:l?ing)?|bar|qr"
    r"|source|tariff|product|item|order|booking|tracking|parcel|promo|discount|coupon|voucher|gift|colou?r"
    r"|dress|tax|sort|swift|iso|event|reason|class|course|unicode|hs|customs|model|part|article|genetic|morse"
    r"|penal|civil|machine|byte|legacy|dead|test|client|server|fehler|r\x{fc}ckgabe|bundes|kfz|quell?|waren"
    r"|artikel|farb|gutschein|rabatt|buchungs|vorwahl|strich|m\x{f6}nch|airport|currency|language|lottery"
    r"|diagnostic|fault|trouble|reference|referral|claim|invoice|case)[ -]?codes?\b"
    r"|\bcodes? (?:review|base|path|block|sample|snippet|point|page|freeze|owner|coverage|change|smell"
    r"|style)s?\b|\bcodes? (?:postal|erreur|d['\x{2019}]erreur|barre|barres|promo|civil|p\x{e9}nal"
    r"|de la route|postale?|fiscale|error|sconto)\b|\bc\x{f3}digo (?:postal|de error|de barras|fuente|civil"
    r"|penal)\b|\bcodice (?:fiscale|postale|sconto|errore|sorgente|a barre)\b|\b(?:postcode|encode|decode"
    r"|opcode|unicode|transcode|bytecode|quellcode|farbcode|l\x{e4}ndercode|sprachcode|produktcode|statuscode"
    r"|promocode|gutscheincode"
    r"|rabattcode|fehlercode|aktionscode|buchungscode|strichcode|hexcode|bankcode|dresscode|morsecode"
    r"|spaghetticode|beispielcode|testcode|programmcode|maschinencode|postcode|barcode|zipcode|sourcecode"
    r"|errorcode|statuscode|qrcode)s?\b|\b(?:pass\w+|kennwort|contrase\x{f1}a)[ -](?:managers?|polic\w+"
    r"|resets?|fields?|forms?|pages?|strength|lengths?|rules?|hash\w*|history|expiry|protection|generator\w*"
    r"|workshop|richtlinie\w*|verwaltung|vergessen|hints?|dialog\w*|safe|tipp?s?|age|mails?|briefe?)\b"
    r"|\b(?:phone|telephone|contact|cell|mobile|fax|office) (?:number|no)\b\.?(?:[ \t]+is)?"
    r"|\breach (?:them|him|her|us|me|you) (?:at|on|under)\b|\btelefonnummer\b"
    r"|\bnum\x{e9}ro de t\x{e9}l\x{e9}phone\b"
    r"|\bn\x{fa}mero de tel\x{e9}fono\b|\btel(?:efon)?\.?:"
)


@cache
def alternatives(name: str) -> str:
    """Returns the words of a class in all languages as one group."""
    return f"(?:{'|'.join(LEXICON[name].values())})"


@cache
def class_pattern(name: str) -> Any:
    return byte_pattern(f"(?i){alternatives(name)}")

"""Words that stand where a secret may be told and are none: replies, keys, days, what describes a secret."""

from __future__ import annotations

from holdfast.language.secrets.words import FUNCTION_WORDS, POINTERS, SECRET_WORDS, STAND_INS


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Answers, keys of a keyboard, days and people: what is where a password may stand, and is none.
SAID_OTHERWISE = _set(
    "uppercase lowercase caps capitals dunno idk dopo luego tardi tarde demain domani ma\u00f1ana"
    " sp\u00e4ter thx thanks thank cheers"
    " great nice done works worked nope nah danke merci gracias grazie super klappt"
    " geht nein hmm"
    " hm oops sorry later moment momento sec sek warte wait attends espera aspetta gleich sofort why please"
    " bitte hello hi hey hallo"
    " bonjour hola ciao ciao! okay klar genau exactly stimmt right perfect perfekt parfait perfecto"
    " perfetto top cool lol haha"
    " monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag"
    " samstag sonntag"
    " lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes mi\u00e9rcoles jueves viernes"
    " s\u00e1bado domingo"
    " january february march april may june july august september october november december januar februar"
    " m\u00e4rz mai juni juli"
    " oktober dezember one two three four five six seven eight nine ten eleven twelve zwei drei vier"
    " f\u00fcnf sechs sieben acht neun"
    " zehn deux trois quatre cinq tres cuatro cinco due quattro enter return escape esc tab backspace"
    " cancel abbrechen submit send"
    " eingabe eingabetaste entr\u00e9e ok\u00e9 intro invio valider vale nobody somebody none question"
    " reception support admin"
    " button bottom screen phone mail email sms post letter app bank link copy clipboard again incident"
    " phishing error"
    " number numbers digit digits letter letters character characters sign signs space word words phrase"
    " line sentence name names"
    " zahl zahlen ziffer ziffern zeichen buchstabe buchstaben wort w\u00f6rter satz name namen chiffre"
    " chiffres lettre lettres mot mots"
    " nom letra letras cifra cifras n\u00famero n\u00fameros nombre numero numeri lettera lettere nome"
    " birthday geburtstag date datum"
    " nichts niemand rien nada niente alles everything fingerprint fingerprints face badge karte card"
    " ausweis schl\u00fcssel"
    " two-factor mfa otp totp sso ldap oauth saml bitwarden lastpass keepass keepassxc dashlane proton"
    " google apple"
    " idea clue problem schade typical typisch egal gut prima aha ach oje merde mince dommage l\u00e1stima"
    " vaya peccato boh mist nice leider upstairs downstairs somewhere anders secret yes no true false"
    " strict private public team owner reason status note todo fixme grund ergebnis result"
)
# Of a description of a passphrase: "the name of our dog", "the same one as before".
DESCRIBES = _set(
    "character name names word words phrase line sentence one ones same usual number numbers digits letters"
    " characters password passwords"
    " note notes vault safe paper envelope drawer fridge sticker folder birthday rule rules short long"
    " least wort w\u00f6rter satz"
    " zettel tresor umschlag schublade ordner name namen gleiche selbe \u00fcbliche mots mot phrase papier"
    " coffre enveloppe m\u00eame"
    " palabras palabra frase papel sobre misma parole parola biglietto stessa zeichen buchstaben ziffern"
    " caract\u00e8res"
    " known unknown stored written kept lost forgotten required needed asked said mean means meant"
    " than als que what where why how who which was wo wie wer warum quoi qu\u00e9 cosa"
    " restore recover enter type store keep use change share send print write unlock support staff anybody"
)
MAY_BEGIN = _set(
    "a an the my our your his her we you they she he it no one two all im in der die das ein eine mein"
    " meine zwei drei vier f\u00fcnf"
    " un une le la les mon ma mes des deux trois quatre cinq el los las mi tres cuatro cinco il lo i gli"
    " due quattro nous vous"
)
NOT_BEGIN = _set(
    "i we not on at by to too so if when that this these those there here it's its is was are be what where"
    " which who how why"
    " nicht auf bei zu wenn dass wo was wie ist pas sur que qui si no non en que che se \u00e8 es est and"
    " or und oder et y e o ou"
    " only never always still just already also very pretty quite really case stored kept"
    " must should may can cannot has have had will would muss darf kann soll wird wurde hat doit peut debe"
    " puede deve pu\u00f2"
)
TALK = _set(
    "i you he she we they it is are was were do does did can could will would have has had know think let"
    " ask me him them us i'm i'll"
    " don't it's that this there here no not never please sorry thanks idea ich du er sie wir ihr es ist"
    " sind war hat habe kann wei\u00df mir"
    " dir nicht kein keine bitte je tu il elle nous vous ils est sont as ai pas ne te jamais yo t\u00fa"
    " \u00e9l ella es son s\u00e9 tengo tiene"
    " nunca pues io lui lei noi non so ho hai mai ti mi"
)
DESCRIBES |= (STAND_INS - FUNCTION_WORDS - MAY_BEGIN) | SECRET_WORDS
MAY_NOT_BEGIN = (NOT_BEGIN | POINTERS) - MAY_BEGIN | NOT_BEGIN
# Before `as the password`, as German sentences go.
VERBS = frozenset(
    "nimmt nehmt nehmen nutzt nutzen benutzt verwendet verwenden dient gilt nahm serves serve used uses use"
    " works known such sert utilise sirve usa"
    " same well just quoted taken chosen set stored saved seen treat treats treated".split()
)

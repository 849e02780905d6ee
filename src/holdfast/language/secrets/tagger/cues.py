"""Classes of words that bear on a secret: what it is called and opens, what is done with it."""

from __future__ import annotations

import re
from functools import lru_cache

# Class -> words in languages of Europe, as parts of lower-case words or, between `^` and `$`, whole ones.
_CUES: dict[str, str] = {
    "pass": r"passw|pasw|passphr|kennw|losung|codew|schlüsselwort|contrase|passcode|kennsatz|passsatz"
    r"|^(?:pw|pws|pass|pwd|mdp|psk|senha|clave|watchword|passe|wachtwoord|parole|密码|口令)$"
    r"|hesl|has[łl][oaeu]|парол|lösenord|passord|adgangskod|kodeord|salasan|tunnussan|jelsz|parol[ăa]|şifre"
    r"|lozink|συνθηματικ",
    "code": r"code|kombination|combina|ziffern|códig|codic|^(?:combo|digits?|zahlen|nummer|numbers?"
    r"|chiffres|cijfers?|getal|números?|numeri|numery?)$"
    r"|^(?:k[oó]d(?:u|em|y|owi|et|en|er|ja|ot|i)?|koodi\w*|код\w*|cod(?:ul|ului)?|κωδικ\w*)$|szyfr|шифр"
    r"|cyfr|číslic|цифр",
    "pin": r"geheimzahl|^(?:\w+-)?(?:pins?|puk|tans?|otp|2fa|mfa|backup|recovery)$|authenticat|recovery",
    "login": r"log-?ins?$|logon|anmeld|einlog|zugang|credential|^creds?$|sign-?in|logged|logging|einwahl"
    r"|connexion|^sesión$|accesso|zaloguj|logow|přihl[aá]|inlog|aanmeld|logg(?:a|er?|ar)$|kirjaud|belép"
    r"|bejelentk|autentific|giriş|логин|войти|вход|σύνδεσ",
    "user": r"usern|benutzer|nutzer|^(?:users?|accounts?|konto|e-?mail|mail|id|name|kennung|admin|root|sudo"
    r"|usuario|utente|compte|cuenta|conta|fiók|hesap|účet)$|użytkown|uživatel|användar|bru[kg]er|käyttäj"
    r"|felhaszn|kullanıc|пользоват|користувач|χρήστ|gebruiker",
    "wifi": r"wi-?fi|wlan|hotspot|router|ssid|fritz|^(?:internet|netz|network|netzwerk|guest|gast|réseau"
    r"|red|rete|rede)$|netwerk|nätverk|nettverk|netværk|вайфай|роутер",
    "lock": r"lock|schloss|tresor|safe|vault|alarm|keypad|keybox|intercom|schranke|barrier|garage|haustür"
    r"|schlüsselkasten|panel|cadenas|candado|lucchetto|cancell|digicode|portail|portón|cassaforte"
    r"|^(?:doors?|gates?|tür|tor|box|entrance|eingang|shed|cellar|keller|buzzer|klingel|lift|porte|puerta|porta"
    r"|coffre|caja|cofre|portão|kluis|slot|slotje|poort|deur|ovi|oven|dør|lås|brána|bramy?|kapı|zár|kapu)$"
    r"|drzwi|kłódk|zam(?:ek|k[aui])|sejf|домофон|domofon|dveř|zámek|trezor|dörr|kassaskåp|lukko|kassakaap"
    r"|széf|riaszt|lacăt|seif|kilit|двер|ворот|калитк|замок|замк|сейф|сигнализац|πόρτ|κλειδαρ|συναγερμ"
    r"|cadeado|fechadura|serratur|cerradura|antifurt|nøkkelboks|larm|hangslot",
    "device": r"handy|ipad|tablet|laptop|computer|screen|bildschirm|telefon|téléphone|móvil|cellulare"
    r"|^(?:phone|mobile|pc|sim|rechner|kasse|till)$|komórk|komput|počíta|dator|puhelin|tietoko|телефон"
    r"|ноутбук|компьют|computador|ordenador|ordinateur",
    "key": r"schlüssel|licen[cs]e|lizenz|^(?:keys?|tokens?|api|seed|voucher|gutschein|clé|clef|llave"
    r"|chiave|chave)$|sleutel|klucz|klíč|nyckel|nøkkel|nøgle|avain|kulcs|cheie|anahtar|ключ|κλειδ",
    "secret": r"secre|geheim|segret|^(?:safe|magic|memorable|hush|private)$"
    r"|tajn|hemlig|hemmelig|salai[ns]|titkos|gizli"
    r"|тайн|секрет|μυστικ|poufn",
    "asked": r"^(?:questions?|answers?|answered|maiden|mädchenname|pet|antwort|frage|nickname|réponse"
    r"|respuesta|risposta)$|sicherheitsfrage",
    "open": r"unlock|entsperr|öffn|einge?b|eintipp|gedrückt|drück|^(?:opens?|opened|enter|types?|typed|press"
    r"|punch|dial|tippe?n?|gib|geht|auf|works?|worked|accepts?|takes?|try|tried|use|used|using|put|typing|log"
    r"|nimm|tape[sz]?|compose[sz]?|marca[sr]?|pulsa|teclea|digita|digiti|premi|ouvre|abre|apri|apre|pon|põe|mets"
    r"|mettez|metti|toets|tast|typ|slå|syötä|tuşla|yaz|zadej)$|otw(?:ier|órz|orz)|otev[rř]|öppn|åpn|åbn|avaa"
    r"|avautu|nyit|nyíl|deschid|açıl|откры|набер|набра|введ|ввод|ανοίγ|wpis|wstuk|knapp|intoets|intyp|beüt"
    r"|tastez|introdu|inserisc|insir",
    "crypt": r"encrypt|verschlüssel|decrypt|chiffr|cifra|keepass|bitwarden|1password|archive?"
    r"|^(?:zip|pdf|usb|stick|drive|disk|backup)$",
    "change": r"geänder|zurückgesetzt|changed|reset|^(?:set|new|neu|neue[smnr]?|old|alte?[sn]?|now|jetzt"
    r"|today|heute|currently|still|since|seit|temporary|initial|rotated|lautet|heißt|is|ist|was|war|est|es|è"
    r"|é|jest|är|είναι|numera|nu|teraz|teď|nyt|acum|artık|şimdi|теперь|сейчас|agora|ahora"
    r"|maintenant|désormais|adesso|ora|nueva?|nouve(?:au|lle)|nuov[oa]|nov[oaáýéy]|nowy|nowe|ny|nya|nytt|uusi"
    r"|új|noul?|nouă|yeni|nieuwe?)$|zmieni|změn|ändr|endre|ænd|bytt|vaihtu|muutt|változ|schimb|değiş"
    r"|измени|смени|помен|gewijzigd|veranderd|cambi|changé|mud(?:ou|ei|aram)",
    "spell": r"capital|kleingesch|großgesch|lower-?case|upper-?case|leerzeichen|bindestrich|underscore"
    r"|unterstrich|umlaut|minuscul|majuscul|maiuscol|mayúscul|attaché|attaccato"
    r"|^(?:caps|small|spaces?|klein|groß|hyphens?|letters?|buchstaben|spelled|zusammen|zero|null|dash"
    r"|junto)$|spacj|mezer|mellanslag|mellomrom|välily|szóköz|boşluk|пробел|spatie|hoofdletter|małe|malá",
    "not": r"^(?:no|not|never|don't|doesn't|isn't|won't|kein|keine[nrm]?|nicht|nie|without|ohne|forgot"
    r"|vergessen|lost|ask|frag|frage|can't|cannot|nobody|niemand|wrong|falsch|instead|statt|sondern|but|pas|sans|sin"
    r"|senza|non|nie|ei|nem|değil|не|нет|без|bez|utan|uten|uden|ilman|fără|δεν|χωρίς|niet|geen|zonder|não|sem)$"
    r"|zapomni|zapomně|glöm|glem|unohd|unohtu|elfelejt|uitat|vergeten|esquec|olvid|oubli|dimentic|забы",
    "where": r"sticker|zettel|envelope|umschlag|^(?:under|behind|drawer|paper|notebook|fridge|desk|board"
    r"|email|text|phone|call|person|app|manager|unter|hinter|liegt|steht|klebt|written)$",
    "other": r"bestell|rechnung|kunden|version|invoice|^(?:order|ticket|ref|reference|room|zimmer|isbn|error"
    r"|fehler|page|seite|bus|flight|flug|gate|platform|gleis|street|straße|postcode|plz|euros?|eur|pounds?"
    r"|percent|prozent|uhr|am|pm|tel|extension|ext|phone|number|art|model|promo|discount|rabatt|coupon|line"
    r"|iban|bic|chapter|kapitel|course|kurs)$",
    "kind": r"^(?:dress|area|zip|postal|qr|bar|source|morse|status|error|country|coding|python|tax|penal|sort"
    r"|promo|discount|product|lines?|clean|dialling|building|colou?r|review)$",
}  # fmt: skip
_PATTERNS = [(name, re.compile(pattern)) for name, pattern in _CUES.items()]
CUE_CLASSES = tuple(_CUES)
NAMING = frozenset({
    "pass", "code", "pin", "login", "user", "wifi", "lock", "device", "key", "secret", "asked", "crypt",
    "spell",
})  # fmt: skip
"""Classes of words for a secret, or for what it opens."""

NUMBERS = frozenset(
    "zero one two three four five six seven eight nine oh double triple null eins zwei drei vier fünf sechs"
    " sieben acht neun zehn doppel zwo un deux trois quatre cinq sept huit neuf dos tres cuatro cinco seis"
    " siete ocho nueve uno due tre quattro cinque sei sette otto nove hundred hundert twenty thirty".split()
)
DAYS = frozenset(
    "january february march april may june july august september october november december januar februar"
    " märz mai juni juli oktober dezember monday tuesday wednesday thursday friday saturday sunday montag"
    " dienstag mittwoch donnerstag freitag samstag sonntag".split()
)


@lru_cache(8_192)
def cues_of(word: str) -> tuple[str, ...]:
    """Returns the classes of words about secrets to which a lower-case word belongs."""
    return tuple(name for name, pattern in _PATTERNS if pattern.search(word))

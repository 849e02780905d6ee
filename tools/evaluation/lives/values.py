"""The words that templates of lives are filled with: others for each half, by language where it matters."""

from __future__ import annotations

HALVES = ("dev", "held_out")
"""The half that rules may be written with, and the half whose failing cases stay unread."""

_ANY: dict[str, tuple[str, str]] = {
    "name": ("Mira, Oskar, Leonie, Tariq", "Wanda, Felix, Ingrid, Rafael"),
    "age": ("34, 41, 29, 52", "38, 27, 46, 61"),
    "city": (
        "Braga, Leeds, Ghent, Freiburg, Turin, Graz, Utrecht, Gdynia, Malmö",
        "Porto, Bristol, Bruges, Leipzig, Aarhus, Genoa, Linz, Nijmegen, Lille",
    ),
    "origin": ("Nairobi, Cork, Kraków, Valparaíso", "Accra, Bergen, Tbilisi, Oaxaca"),
    "employer": (
        "Siemens, Lidl, Brightwater, Ikea, Norwind, Halcyon Foods, Bosch",
        "Vodafone, Aldi, Kestrel Labs, Decathlon, Marlow & Sons, Ostwerk, Philips",
    ),
    "partner": ("Jana, Sofia, Ellen, Marta", "Nadia, Greta, Yasmin, Clara"),
    "child": ("Emil, Ida, Noah, Lotte, Milo", "Theo, Frida, Jonas, Nora, Levi"),
    "sibling": ("Kaya, Henrik, Paula, Dario", "Simone, Anton, Lucia, Bela"),
    "pet": ("Biscuit, Momo, Loki, Pepper", "Waffles, Nala, Rufus, Olive"),
}
_BY_LANGUAGE: dict[str, dict[str, tuple[str, str]]] = {
    "en": {
        "role": (
            "nurse, baker, plumber, translator, carpenter, paramedic",
            "teacher, chef, bus driver, gardener, web developer, midwife",
        ),
        "allergen": ("peanuts, shellfish, sesame, penicillin", "walnuts, strawberries, soy, mustard"),
        "condition": ("migraine, asthma, arthritis, hay fever", "diabetes, epilepsy, eczema, tinnitus"),
        "diet": ("vegan, vegetarian, pescatarian", "gluten-free, vegetarian, keto"),
        "like": (
            "dark chocolate, jazz, board games, thunderstorms, crime novels, ramen",
            "liquorice, opera, crosswords, old maps, horror films, pickles",
        ),
        "dislike": (
            "cilantro, small talk, karaoke, open-plan offices, raisins, reality tv",
            "olives, networking events, musicals, voice messages, blue cheese, camping",
        ),
        "hobby": (
            "climbing, swimming, fencing, rowing, dancing",
            "running, sailing, skating, cycling, surfing",
        ),
        "plan": (
            "run a marathon; learn to sail; open a café; walk the Camino; adopt a dog; write a novel",
            "move to Canada; buy a boat; do a PhD; visit Patagonia; build a shed; take a sabbatical",
        ),
        "language": ("Spanish, Polish, Portuguese, Turkish", "Italian, Japanese, Swedish, Arabic"),
        "field": (
            "biology, architecture, law, economics",
            "physics, philosophy, computer science, history",
        ),
        "car": ("Golf, Vespa, Twingo, Volvo", "Fiesta, Skoda, Corolla, cargo bike"),
    },
    "de": {
        "role": (
            "Krankenpfleger, Bäcker, Klempner, Übersetzer, Tischler, Sanitäter",
            "Lehrer, Koch, Busfahrer, Gärtner, Webentwickler, Hebamme",
        ),
        "allergen": (
            "Erdnüsse, Nüsse, Meeresfrüchte, Sesamkörner",
            "Walnüsse, Erdbeeren, Sojabohnen, Pollen",
        ),
        "condition": (
            "Migräne, Asthma, Arthrose, Heuschnupfen",
            "Diabetes, Epilepsie, Neurodermitis, Tinnitus",
        ),
        "diet": ("vegan, vegetarisch", "glutenfrei, vegetarisch"),
        "like": (
            "Jazz, Brettspiele, Gewitter, Krimis, scharfes Essen, Zartbitterschokolade",
            "Lakritz, Opern, Kreuzworträtsel, alte Landkarten, Horrorfilme, saure Gurken",
        ),
        "dislike": ("Koriander, Smalltalk, Karaoke, Rosenkohl", "Kümmel, Fasching, Musicals, Camping"),
        "hobby": ("Klettern, Schwimmen, Fechten, Rudern", "Laufen, Segeln, Töpfern, Turnen"),
        "plan": (
            "einen Marathon laufen/einen Marathon zu laufen; segeln lernen/segeln zu lernen;"
            " ein Café eröffnen/ein Café zu eröffnen; einen Roman schreiben/einen Roman zu schreiben",
            "ein Boot kaufen/ein Boot zu kaufen; promovieren/zu promovieren;"
            " nach Kanada auswandern/nach Kanada auszuwandern; ein Haus bauen/ein Haus zu bauen",
        ),
        "language": (
            "Spanisch, Polnisch, Portugiesisch, Türkisch",
            "Italienisch, Japanisch, Schwedisch, Arabisch",
        ),
        "field": ("Biologie, Architektur, Jura, Wirtschaft", "Physik, Philosophie, Informatik, Geschichte"),
        "car": ("Golf, Roller, Twingo, Volvo", "Fiesta, Skoda, Corolla, Opel"),
    },
}
_ELSEWHERE: dict[str, str] = {
    "city2": "Vienna, Madrid, Osaka, Denver, Palermo, Riga",
    "employer2": "Nokia, Zalando, Tesco, Samsung, Airbus",
    "friend": "Viktor, Amelie, Joschka, Beatriz, Hugo",
}
_ROLES_ELSEWHERE = {"en": "pilot, butcher, dentist, notary", "de": "Pilot, Metzger, Zahnarzt, Notar"}
_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
}


def pool(half: str, language: str, slot: str) -> tuple[str, ...]:
    """Returns the values that may stand in a slot for the person of a half."""
    at = HALVES.index(half)
    words = _ANY[slot][at] if slot in _ANY else _BY_LANGUAGE[language][slot][at]
    return _parts(words)


def elsewhere(language: str, slot: str) -> tuple[str, ...]:
    """Returns the values of a slot that says something of other people and places."""
    return _parts(_ROLES_ELSEWHERE[language] if slot == "role2" else _ELSEWHERE[slot])


def role(half: str, language: str, fact_value: str) -> str:
    """Returns what somebody's occupation is called in a language."""
    by_language = {name: _BY_LANGUAGE[name]["role"][HALVES.index(half)] for name in _BY_LANGUAGE}
    at = next(
        _parts(words).index(fact_value) for words in by_language.values() if fact_value in _parts(words)
    )
    return _parts(by_language[language])[at]


def month(language: str, number: int) -> str:
    """Returns the name of a month, 1 to 12."""
    return _MONTHS[language][number - 1]


def _parts(words: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in words.split(";" if ";" in words else ","))

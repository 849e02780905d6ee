"""Phrases of corrections and rules by a user in Spanish and French."""

from __future__ import annotations

from holdfast.features.learning.rules.rules import FEEDBACK, Phrase

_ES = r"(?i)^(?:(?:no|nop|oye|eh|y|pero|por favor|ojo|cuidado|recuerda|otra vez|mejor|además)[,.!:; —-]+)*"
_ES_NOT = (
    r"\?$|(?i)\b(?:por ahora|de momento|esta vez|para est[ae]|solo hoy|hoy|mañana|mi (?:antigu[oa]|último|última|propi[oa])|no hace falta|no te preocupes|no importa|gracias)\b"
    r"|(?i)^(?:no (?:sé|lo sé|pasa nada|hay prisa|funciona|va bien))"
)
_FR = r"(?i)^(?:(?:non|attention|en fait|s'il te plaît|stp|et|mais|alors|encore|rappel|au fait|[^:]{3,40} )[,.!:;— -]+)*"
_FR_NOT = (
    r"\?$|(?i)\b(?:pour l'instant|pour le moment|pour cette fois|cette fois|aujourd'hui|demain|pour cette|(?:mon|ma) (?:ancien\w*|dernier|dernière|propre)|laisse tomber|merci|tant pis)\b"
    r"|(?i)^(?:pas (?:de (?:problème|souci|panique|réponse)|grave|mal|encore|maintenant|la peine|besoin)|ne t'inquiète)"
)

ROMANCE = (
    Phrase(
        "es.from_now_on", FEEDBACK, "human_feedback", 0.85,
        _ES + r"(.*(?:a partir de ahora|de ahora en adelante|desde ahora|a partir de hoy)\b.{6,})",
        r"\?$",
        ("a partir de ahora los commits van en inglés", "Desde ahora usa pnpm en este repo", "De ahora en adelante, sin emojis"),
        ("a partir de ahora", "¿vale eso a partir de ahora para todos?", "ahora va bien"),
        lasting=True,
    ),
    Phrase(
        "es.changed", FEEDBACK, "human_feedback", 0.8,
        _ES + r"((?:ya )?(?:hemos|nos hemos) (?:pasado|migrado|cambiado|mudado) (?:de \S+ )?a \S.+|ya no (?:usamos|se usa|utilizamos|soportamos) \S.+)",
        _ES_NOT,
        ("hemos pasado de npm a pnpm", "ya no usamos moment, usa date-fns", "nos hemos mudado a GitLab"),
        ("ya no funciona", "¿hemos pasado a pnpm?", "ya está hecho"),
        lasting=True,
    ),
    Phrase(
        "es.we_use", FEEDBACK, "human_feedback", 0.8,
        _ES + r"((?:(?:aquí|nosotros|en este (?:repo|proyecto|equipo))[, ]+(?:\S+ ){0,3}?)?(?:siempre |nunca |solo )"
        r"(?:usamos|utilizamos|escribimos|ponemos|trabajamos con|guardamos|desplegamos|probamos|nombramos) .{4,}"
        r"|(?:aquí |nosotros )?(?:usamos|utilizamos|escribimos|ponemos|guardamos|nombramos) .{2,}, (?:no|nunca|y no) .{2,}"
        r"|(?:aquí|en este (?:repo|proyecto|equipo))[, ]+(?:siempre|nunca|todo|todos|todas|no) .{6,}"
        r"|.{3,60} no van? en .{3,}, (?:sino (?:que )?)?(?:van? )?en .{3,})",
        _ES_NOT,
        (
            "aquí usamos pnpm, no npm",
            "los textos no van en el código, van en locales/es.json",
            "en este proyecto nunca tocamos los ficheros generados",
        ),
        ("¿usamos pnpm aquí?", "por ahora usamos esto", "aquí está"),
        lasting=True,
    ),
    Phrase(
        "es.use", FEEDBACK, "human_feedback", 0.85,
        _ES + r"((?:usa|utiliza|pon|ejecuta|escribe|llama|lanza)\S* .{2,}?(?:en (?:vez|lugar) de|, no|y no) .+)",
        _ES_NOT,
        ("usa pnpm en vez de npm", "no, usa el logger, no print", "escribe los tests con vitest en lugar de jest"),
        ("usa eso", "¿usa pnpm en vez de npm?", "pon música"),
    ),
    Phrase(
        "es.never", FEEDBACK, "human_feedback", 0.8,
        _ES + r"((?:no|nunca|jamás) (?:uses|utilices|edites|toques|pongas|cambies|modifiques|hagas|subas|borres|escribas|metas|añadas|ejecutes"
        r"|vuelvas|mezcles|crees|instales) .{4,}|nunca .{8,}|nada de .{4,}|siempre .{8,})",
        _ES_NOT + r"|(?i)\bsiempre (?:te|lo|la|me|se) ",
        ("no toques los ficheros de src/gen", "nunca hagas push a main", "siempre con tests, por favor", "nada de emojis en los commits"),
        ("no te preocupes por eso", "nunca", "no funciona en mi máquina"),
        standing=True,
    ),
    Phrase(
        "fr.from_now_on", FEEDBACK, "human_feedback", 0.85,
        _FR + r"(.*(?:désormais|dorénavant|à partir de maintenant|à partir d'aujourd'hui)\b.{6,})",
        r"\?$",
        ("désormais les commits sont en anglais", "à partir de maintenant on utilise pnpm", "dorénavant sans emojis dans les titres"),
        ("désormais", "c'est la règle désormais pour tous ?", "à maintenant"),
        lasting=True,
    ),
    Phrase(
        "fr.changed", FEEDBACK, "human_feedback", 0.8,
        _FR + r"((?:on|nous) (?:est passés?|sommes passés|a migré|avons migré|passe) (?:de \S+ )?(?:à|sur|vers) \S.+|(?:on|nous) n'utilis\S+ plus \S.+)",
        _FR_NOT,
        ("on est passé de npm à pnpm", "on n'utilise plus moment, prends date-fns", "nous avons migré vers GitLab"),
        ("on n'y arrive plus", "on est passé à pnpm ?", "on est là"),
        lasting=True,
    ),
    Phrase(
        "fr.we_use", FEEDBACK, "human_feedback", 0.8,
        _FR + r"((?:chez nous|dans ce (?:projet|dépôt|repo))[, ].*(?:jamais|toujours|tous|toutes|uniquement|seulement)\b.*"
        r"|(?:ici[, ]+)?(?:on|nous) (?:n')?(?:utilise|utilisons|écrit|écrivons|met|mettons|préfère|garde|nomme|déploie|teste)\S* "
        r"(?:.*(?:jamais|toujours|uniquement|seulement)\b.*|.{2,}, (?:pas|et non|jamais) .{2,}))",
        _FR_NOT,
        (
            "petite remarque : chez nous les composants sont des fonctions nommées, jamais de export default",
            "ici on utilise pnpm, pas npm",
            "dans ce projet les dates sont toujours en UTC",
        ),
        ("on utilise pnpm ?", "pour l'instant on utilise ça", "chez nous ça va ?"),
        lasting=True,
    ),
    Phrase(
        "fr.use", FEEDBACK, "human_feedback", 0.85,
        _FR + r"((?:utilise|prends|mets|lance|écris|appelle|range)\S* .{2,}?(?:plutôt que|au lieu de|et non|, pas|et pas) .+)",
        _FR_NOT,
        ("utilise pnpm au lieu de npm", "non, prends le logger plutôt que print", "écris les tests avec vitest, pas jest"),
        ("utilise ça", "tu peux utiliser pnpm au lieu de npm ?", "lance la suite"),
    ),
    Phrase(
        "fr.never", FEEDBACK, "human_feedback", 0.8,
        _FR + r"((?:n'|ne )\S+ (?:\S+ )?(?:pas|jamais|plus) .{6,}|jamais (?:de |d')?.{8,}|pas (?:de |d').{6,}|toujours .{8,})",
        _FR_NOT + r"|(?i)(?:n'|ne )(?:est|sont|a|ont|marche|fonctionne|passe|sais|vois|comprends|veux|peux|peut)\b|(?i)\btoujours (?:pas|le même|la même)",
        ("ne touche pas aux fichiers générés", "jamais de push direct sur main", "pas d'emojis dans les commits", "toujours avec des tests"),
        ("pas de problème, continue", "ça ne marche pas du tout", "toujours pas de réponse"),
        standing=True,
    ),
)  # fmt: skip
"""Phrases of a user in Spanish and French."""

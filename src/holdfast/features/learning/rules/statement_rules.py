"""Phrases of short statements by which a user corrects the work in passing: "ids are uuids, not ints"."""

from __future__ import annotations

from holdfast.features.learning.rules.rules import FEEDBACK, MOMENTARY, Phrase

_LEAD = r"(?i)^(?:(?:no+|nope|ok|okay|and|but|so|also|please|remember|again|btw|hey)[,.!: —-]+)*"
_LANGUAGE = r"(?:english|german|french|spanish|italian|portuguese|dutch|polish)"
_NOT_MEANT = (
    r"\?$|"
    + MOMENTARY
    + r"|(?i)^(?:(?:no+|but|so|and)[,. ]+)*(?:that(?:'s| is| was)?|this(?: is)?|it(?:'s| is| was)?|they|he|she|i(?:'m|'ll| am)?"
    r"|you(?:'re)?|there(?:'s| is)?|why|maybe|sure|probably|still|better|hopefully|certainly|of course|if|what|where|everything"
    r"|nothing|something|translate|say|explain|read|add|make|fix|change|rename|move|remove|delete|show|try)\b"
    r"|(?i)\b(?:fails?|failed|crash\w*|errors?|breaks|broken|hangs|slow|bug|wrong|doesn't|does not|shows?|works?)\b"
)
"""Reports, wishes of the moment and tasks, and what only makes sense beside what was said before."""

STATEMENTS = (
    Phrase(
        "en.contrast", FEEDBACK, "human_feedback", 0.65,
        _LEAD + r"([\w`./-]+(?: [\w`./-]+)? (?:pls|please),? not [\w`./-]+(?: [\w`./-]+)?"
        r"|(?:[\w`./-]+ )?[\w`./-]+s are [\w`./-]+(?: [\w`./-]+)?,? (?:and )?not (?:an? )?[\w`./-]+(?: [\w`./-]+)?)\W*$",
        _NOT_MEANT + r"|(?i)\bnot (?:yet|now|here|sure|there|really|fixed|it|that|this|the|so|too|at|good|bad|nice|right|in|on)\b",
        ("tabs pls, not spaces", "ids are uuids not ints", "column names are snake_case, not camelCase"),
        ("sure, not yet", "that is red, not blue", "two failures, not three"),
    ),
    Phrase(
        "en.only", FEEDBACK, "human_feedback", 0.65,
        _LEAD + r"([\w`./-]+(?: [\w`./-]+)? only (?:in|for) (?:the )?(?:code|docs|prose|[a-z]+s)|only named? [\w`./-]+ in [\w`./-]+)\W*$",
        _NOT_MEANT + r"|(?i)\bonly (?:for|in) (?:the )?(?:this|now|seconds|minutes|hours|days|ms)\b",
        ("english only in code", "raw sql only for reports", "only named exports in src/lib"),
        ("it only fails in CI", "only for now", "red border only on hover"),
    ),
    Phrase(
        "en.language", FEEDBACK, "human_feedback", 0.65,
        _LEAD + r"((?:[\w-]+ ){1,3}in " + _LANGUAGE + r"(?: pls| please| only)?|(?:always )?(?:answer|reply|write|talk)(?: to)?(?: me)? in " + _LANGUAGE + r"\b.{0,30})\W*$",
        _NOT_MEANT,
        ("commit messages in english pls", "answer in German please", "comments in English only"),
        ("how is that in german?", "translate it in german", "what's it called in English"),
    ),
    Phrase(
        "en.prefer", FEEDBACK, "human_feedback", 0.65,
        r"(?i)^(?:(?:no+|nope|btw|ok|and|but|also)[,.! —-]+)*(i (?:really |always |generally |usually |strongly )?(?:prefer|hate) (?:small|short|long|[a-z]+ing|\w+s|\w+ \w+s)\b.*)$",
        r"\?$|" + MOMENTARY + r"|(?i)(?:prefer|hate) (?:it|that|this|the|your|his|her|these|those|mondays|to)\b",
        ("i prefer small commits", "I really hate nested ternaries", "I always prefer early returns over else"),
        ("i prefer the first one", "I hate that bug", "i prefer this"),
    ),
    Phrase(
        "en.goes", FEEDBACK, "human_feedback", 0.65,
        _LEAD + r"((?:[a-z-]+ )?[a-z-]+s (?:go|live|belong|start) (?:in|into|to|next to|through|with|under|before|after|via) .{3,}"
        r"|[a-z]+ing goes (?:through|to|via|in|into) .{3,}|[a-z-]+(?: [a-z-]+)? (?:is|are) (?:called|named) \S{3,} (?:now|here|everywhere|since .{3,}))$",
        _NOT_MEANT + r"|(?i)^(?:the|us|these|those)\b|(?i)\b(?:meetings?|lunch|reviews?|calls?|demos?|friday|monday|week)\b",
        ("tests go next to the file", "feature branches start with feat/", "logging goes through structlog"),
        ("the request goes to the wrong host", "the list starts with an empty row", "the demo starts in ten minutes"),
    ),
    Phrase(
        "en.for_that", FEEDBACK, "human_feedback", 0.65,
        _LEAD + r"((?:that's|that is|this is) what (?:the )?[\w`./-]+(?: [\w`./-]+)? (?:is|are) (?:there )?for\b.*"
        r"|use .{3,}, that'?s what (?:it|they|that) (?:is|are|'s) (?:there )?for\b.*)",
        r"\?$|(?i)what (?:it|that|this|they|i)\b is for$",
        ("that's what `utils/http` is for", "use the makefile, that's what it is there for", "that is what the wait_for helper is for"),
        ("that's what I asked for", "is that what it is for?", "that's what it looks like"),
    ),
    Phrase(
        "en.hands_off", FEEDBACK, "human_feedback", 0.65,
        _LEAD + r"(.{6,}\b(?:hands off|off limits|don'?t touch (?:it|them)|keep (?:out|off))\b.*"
        r"|you can'?t (?:run|use|call|import|build|test|install|do) .{3,}, (?:use|run|call|go through) .{4,})",
        r"\?$|" + MOMENTARY,
        ("that folder is vendored, hands off", "legacy/ is off limits", "you can't run that here, use the container: docker compose run web pytest"),
        ("hands off", "you can't be serious", "don't touch it yet, I am still reading"),
    ),
    Phrase(
        "de.in_passing", FEEDBACK, "human_feedback", 0.65,
        r"(?i)^(?:(?:nein|nee|nö|aber|und|doch|also|halt|übrigens)[,.! —-]+)*((?:das|so|sowas|die \S+|den \S+|\S+) (?:machen|nehmen|nutzen|verwenden|schreiben|bauen"
        r"|l.{1,2}sen|halten|testen|benennen|legen) wir (?:\S+ )?(?:immer|nie|nur|grunds.{1,2}tzlich|ausschlie.{1,2}lich)\b.{4,}"
        r"|bitte (?:immer )?auf (?:deutsch|englisch)\b.*|.{8,}\b(?:fass \S+ (?:bitte )?nicht an|finger weg)\b.*)",
        r"\?$|(?i)\b(?:heute|morgen|erstmal|gerade)\b",
        ("das machen wir immer mit Flyway", "Bitte auf Deutsch antworten", "die Migrationen macht nur Anna, fass die nicht an"),
        ("das machen wir morgen", "auf Deutsch?", "so machen wir das"),
    ),
    Phrase(
        "fr.in_passing", FEEDBACK, "human_feedback", 0.65,
        r"(?i)^(?:(?:non|attention|en fait|stp)[,.! —-]+)*((?:utilise|mets|écris|lance|garde)\S* toujours .{2,}|chez nous,? c'est .{2,}|je préfère (?:des|les) .{6,}"
        r"|on \S+ (?:toujours|jamais) .{3,})",
        r"\?$|(?i)\b(?:aujourd'hui|demain|pour l'instant|on (?:a|est|va) toujours)\b",
        ("utilise toujours dayjs", "Non, chez nous c'est pnpm", "je préfère des petites fonctions"),
        ("chez nous ?", "je préfère ça", "on verra demain"),
    ),
    Phrase(
        "es.in_passing", FEEDBACK, "human_feedback", 0.65,
        r"(?i)^(?:(?:no|oye|y|pero|ojo)[,.! —-]+)*((?:usa|pon|escribe|lanza)\S* siempre .{2,}|prefiero (?:los|las|\S+s) .{4,}|(?:los|las) \S+ (?:van|se escriben|se hacen) (?:siempre )?(?:con|en|por) .{3,})",
        r"\?$|(?i)\b(?:hoy|mañana|por ahora|de momento)\b",
        ("los tests van con vitest", "usa siempre dayjs", "prefiero los commits pequeños"),
        ("prefiero eso", "los tests van bien", "¿los tests van con vitest?"),
    ),
)  # fmt: skip
"""Short statements; what is not sure waits for review."""

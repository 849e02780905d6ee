"""Phrases by which a user announces a rule for all of the work, also in the message that opens a session."""

from __future__ import annotations

from holdfast.features.learning.rules.rules import FEEDBACK, MOMENTARY, Phrase

_QUESTION = r"\?$|" + MOMENTARY
_LEAD = r"(?i)^(?:(?:no+|nope|ok|okay|and|but|so|also|please|remember|again|btw|hey|important)[,.!: —-]+)*"
_RULE_WORD = r"\b(?:we|never|always|only|must|every|each|all|no)\b"
_REPORT = (
    r"(?i)\b(?:fails?|failed|failing|crash\w*|errors?|breaks|broken|hangs|slow|bug|wrong|doesn't|does not|shows?"
    r"|disappears?|there (?:is|are))\b"
)
"""Words of a report of what happens, which is no rule."""
_TASK = (
    r"(?i)^(?:in|for) \S+ \S+(?: base)?,? (?:please |can you |could you |i (?:want|need|would) )*(?:add|write|create|run|make"
    r"|fix|update|rename|move|remove|delete|check|look|show|explain|find|implement|list|replace|count|summari[sz]e)\b"
    r"|(?i)\b(?:we|i)(?:'d| would| don't| do not)? (?:need|want|like|should|could|might|may|will|'ll|are (?:going|planning)|have to|plan)\b"
)
"""A task that says where to work, or a wish."""

STANDING = (
    Phrase(
        "en.in_this_repo", FEEDBACK, "human_feedback", 0.85,
        _LEAD + r"(in (?:this|our) (?:repo|repository|project|codebase|code base|package|workspace)[, ].*" + _RULE_WORD + r".{6,})",
        _QUESTION + "|" + _REPORT + "|" + _TASK,
        (
            "In this codebase flags are checked in the route, never deep in the services",
            "in our project we only build with bazel",
            "In this repo no file has more than 400 lines",
        ),
        (
            "In this repo, find all callers of parse and list them", "In this project there is a bug we never found",
            "in this repo every test fails since yesterday", "Is it in this repo that we use bazel?",
        ),
        lasting=True,
    ),
    Phrase(
        "en.in_this_project", FEEDBACK, "human_feedback", 0.8,
        _LEAD + r"((?:in|for) (?:this|our) (?:repo|repository|project|codebase|code base|code)\S* .{8,})",
        _QUESTION + "|" + _REPORT + "|" + _TASK,
        ("In this repo SQL is kept in .sql files", "in our code money is an integer", "in this project tests live next to the code"),
        ("in this repo it fails since yesterday", "in this project, add a readme", "in this code"),
    ),
    Phrase(
        "en.style_here", FEEDBACK, "human_feedback", 0.75,
        _LEAD + r"([\w`-]+ (?:style|format|conventions?|syntax|notation|spelling|quotes|names|naming|comments|docstrings|messages"
        r"|indentation|endings|case|imports|ids|timestamps|units) here\b.*)",
        _QUESTION + "|" + _REPORT + r"|(?i)^(?:no,? )?(?:the|this|that|same|odd|weird|strange|bad|nice|which|what|these|those)\b",
        ("NumPy style here", "no, British spelling here", "snake_case names here please"),
        ("same style here", "wrong format here", "which format here?"),
    ),
    Phrase(
        "en.to_know", FEEDBACK, "human_feedback", 0.8,
        r"(?i)^(?:[^:]{0,40}\b)?(?:things?|what|something) (?:that )?you (?:need|have|ought|should|must)(?: to)?"
        r" (?:know|keep in mind|remember|respect)\b[^:]{0,20}: (.{10,})"
        r"|^(?:please )?(?:keep|bear) in mind(?:,|:)?(?: that)? (.*(?:" + _RULE_WORD + r").*)"
        r"|^(?:as a |one |general |house |project |our |team |new |ground |basic )*(?:rule|rules|convention|policy)(?: here| of thumb| is| for \w+)?: (.{8,})"
        r"|^(?:for (?:the future|next time|future reference))[,:—-]+ (.{8,})|^(?:just so you know|for the record)[,:—-]+ (.*" + _RULE_WORD + r".*)",
        _QUESTION,
        (
            "Two things you need to know: money is always integer cents, and every timestamp is UTC",
            "Keep in mind that we never call the clock in tests",
            "house rule: one migration for each pull request",
            "for next time: the seeds are in db/seeds",
        ),
        ("you need to know more", "Keep in mind the budget", "what do you need to know?"),
        lasting=True,
    ),
    Phrase(
        "en.careful", FEEDBACK, "human_feedback", 0.8,
        _LEAD + r"((?:be )?(?:careful|cautious) (?:with|in|around|about) .{3,60}?(?:[:;—]| - ).{8,})",
        _QUESTION,
        (
            "Careful with the fixtures folder: its files are read by two other teams",
            "be careful with legacy/: it is deployed by hand",
            "Careful around the parser: the order of its rules matters",
        ),
        ("be careful with that", "careful with the oven, it is hot today", "Careful with the cat: ok?"),
        lasting=True,
    ),
    Phrase(
        "en.decided", FEEDBACK, "decision", 0.8,
        _LEAD + r"((?:we|the team|our team)(?:'ve| have)? (?:just |now |all |finally |both )*(?:decided|agreed|settled)\b.*"
        r"\b(?:stay(?:s|ing)? (?:on|with)|stick(?:s|ing)? (?:to|with)|keep(?:s|ing)?|rather than|instead of|over|not|no longer"
        r"|off the table|against|never|always)\b.*)",
        _QUESTION,
        (
            "We decided in the planning: we stay on REST for the partner API, gRPC is off the table",
            "we've agreed to keep the monolith",
            "The team decided against feature branches",
        ),
        ("We decided to add a dark mode", "have we decided against it?", "they decided against it"),
        lasting=True,
    ),
    Phrase(
        "en.ask_first", FEEDBACK, "human_feedback", 0.85,
        _LEAD + r"(.*\b(?:never|no|not|don'?t|nothing)\b.*\bwithout (?:asking|checking with|consulting|my (?:ok|okay|approval|go)|approval)\b.*"
        r"|(?:always )?(?:ask|check with) (?:me |us )?(?:first )?before (?:you )?\w+ing? .{4,}|(?:always )?ask (?:me |us )?before .{8,})",
        _QUESTION + r"|(?i)\b(?:yesterday|last week|why)\b",
        (
            "No new dependencies without asking me first",
            "don't touch the public API without my ok",
            "ask me before you add a package",
        ),
        ("you did not ask", "Did you delete it without asking?", "ask me before"),
        lasting=True,
    ),
    Phrase(
        "en.whenever", FEEDBACK, "human_feedback", 0.8,
        _LEAD + r"((?:whenever|every time|each time|any time) you .{4,}, .{6,})",
        _QUESTION + "|" + _REPORT + r"|(?i)^whenever you (?:have|get|want|like|are|feel|find|can)\b",
        ("whenever you change the schema, run make types as well", "Every time you add a route, add it to routes.md", "each time you rename, search the docs as well"),
        ("Every time you run it, it crashes", "every time", "whenever you have time, look at the logs"),
        lasting=True,
    ),
    Phrase(
        "en.is_now", FEEDBACK, "human_feedback", 0.8,
        _LEAD + r"((?:the )?[\w`.+#-]+(?: [\w`.+#-]+){0,3} (?:is|are) (?:now )?(?:the|our) (?:new |only |official |lowest )*"
        r"(?:minimum|default|standard|baseline|source of truth)\b.*\b(?:now|from \w+ on|everywhere|here)\b.*"
        r"|.{3,40} (?:is|are) off the table\b.*)",
        _QUESTION + r"|(?i)^(?:it|that|this|what)\b",
        ("no, 3.11 is the minimum now", "the edge config is now our only source of truth here", "gRPC is off the table"),
        ("is 3.11 the minimum now?", "that is the default now", "3.11 is the minimum"),
        lasting=True,
    ),
    Phrase(
        "en.at_the_end", FEEDBACK, "human_feedback", 0.75,
        _LEAD + r"(.{12,}, always)\W*$",
        r"\?$|" + _REPORT + r"|(?i)^(?:it|that|this|thanks?|you|i)\b",
        ("give me one sentence at the end, always", "run the formatter after an edit, always", "one commit for each step, always"),
        ("it crashes, every time", "you do that, always", "always"),
        lasting=True,
    ),
    Phrase(
        "de.ask_first", FEEDBACK, "human_feedback", 0.85,
        r"(?i)^(?:(?:nein|und|aber|bitte|also)[,.! —-]+)*(.*\b(?:keine?\w*|nie|niemals|nicht|nichts)\b.*\bohne (?:\w+ )*?"
        r"(?:zu fragen|r.{1,2}ckfrage|absprache|freigabe|r.{1,2}cksprache|zustimmung)\b.*"
        r"|frag(?:e|t)? (?:mich |uns )?(?:bitte )?(?:immer )?(?:vorher|zuerst|erst), .{6,}"
        r"|frag(?:e|t)? (?:mich |uns )?(?:bitte )?(?:immer )?(?:vorher |zuerst |erst )?, ?bevor .{6,})",
        _QUESTION,
        (
            "Bitte keine neuen Abhängigkeiten ohne vorher zu fragen",
            "Nichts am Schema ändern ohne Rücksprache",
            "frag mich immer vorher, wenn du ein Paket brauchst",
        ),
        ("das ging nicht so gut", "hast du das ohne Absprache gelöscht?", "ohne Absprache"),
        lasting=True,
    ),
    Phrase(
        "de.whenever", FEEDBACK, "human_feedback", 0.8,
        r"(?i)^(?:(?:und|aber|bitte|also|übrigens)[,.!: —-]+)*((?:immer,? wenn|jedes ?mal,? wenn) du .{4,}, .{6,}"
        r"|wenn du (?:\S+ ){0,3}\S+st, (?:dann )?bitte .*(?:immer|nie|nicht|nur|alle|jeweils|stets)\b.*)",
        _QUESTION + r"|(?i)\bfertig\b",
        (
            "Wenn du mich was fragst, dann bitte alle Fragen gesammelt und nicht einzeln",
            "immer wenn du das Schema änderst, auch make types laufen lassen",
            "jedes Mal, wenn du eine Route anlegst, gehört sie in routes.md",
        ),
        ("wenn du fertig bist, bitte nicht pushen", "immer wenn ich klicke, stürzt es ab", "wenn du magst, gern"),
        lasting=True,
    ),
    Phrase(
        "de.to_know", FEEDBACK, "human_feedback", 0.8,
        r"(?i)^(?:[^:]{0,30}\b)?(?:merk dir|regel|f.{1,2}rs n.{1,2}chste mal|f.{1,2}r die zukunft|bei uns gilt)(?: \w+)?: (.{10,})"
        r"|^(bei uns (?:im \S+ )?(?:werden|wird|sind|hei.{1,2}en|liegen|gehen|kommen|kommt|gibt es) .*(?:immer|nie|niemals|nur|alle|keine?|nicht)\b.*)",
        _QUESTION + r"|(?i)\b(?:fehler|kaputt|langsam|problem\w*|l.{1,2}uft|funktioniert)\b",
        (
            "Merk dir: die Preise sind immer in Cent",
            "fürs nächste Mal: die Seeds liegen in db/seeds",
            "bei uns werden Migrationen nie nachträglich geändert",
        ),
        ("wichtig", "wie ist das bei uns?", "bei uns ist es spät"),
        lasting=True,
    ),
    Phrase(
        "de.we_do", FEEDBACK, "human_feedback", 0.75,
        r"(?i)^(?:(?:nein|nee|nö|aber|und|doch|also|halt)[,.! —-]+)*(wir \S+en (?:\S+ ){0,4}?(?:in der|in den|im|hier|nie|niemals|immer|nur|ausschließlich|grundsätzlich) .{3,}"
        r"|keine?n? \S+, (?:die|das|der|weil|denn|sonst|wir) .{6,}|keine?n? \S{4,} (?:in|im|ohne|für|mit) .{4,})",
        _QUESTION + r"|(?i)^(?:und )?wir (?:müssen|haben|sind|werden|können|könnten|sollten|wollen|dürfen|gehen|sehen|brauchen|warten|reden"
        r"|sprechen|machen|schauen|probieren|lassen|hatten|waren|kommen|räumen|würden|möchten|treffen|starten|fahren|bekommen|kriegen|verlieren|wissen|denken|glauben|hoffen|stehen|hängen)\b"
        r"|(?i)\bnicht mehr\b|(?i)keine?n? (?:ahnung|sorge|zeit|fehler|änderung\w*|problem\w*|lust|frage\w*|eile|unterschied\w*|warnung\w*|ausgabe|treffer|ergebnis\w*|antwort|daten|einträge|zugriff|verbindung|platz|tests?)\b",
        ("wir duzen in der Doku", "und keine Screenshots, die veralten uns ständig", "wir mergen nie am Freitag"),
        ("wir müssen das im Test ändern", "keine Ahnung, das weiß ich nicht so genau", "wir sind im Büro, bis später"),
        standing=True,
    ),
)  # fmt: skip
"""Phrases of announced rules, before those of corrections."""

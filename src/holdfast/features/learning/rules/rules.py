"""Phrases of corrections by a user: a table whose rows carry the examples that test them."""

from __future__ import annotations

from dataclasses import dataclass

CORRECTED, DEAD_END, FEEDBACK = "self_correction", "dead_end", "user_correction"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that shows a lesson.

    `family` is its category, `kind` the kind of memory. `pattern` (RE2) has to match in a sentence where
    `unless` does not; the group that matched, if any, is stored instead of the whole sentence. With `needs_neighbour` the sentence
    needs the next one (for a dead end, the one before) to be informative. `yes` are sentences that it
    matches, `no` sentences that no phrase of the family may match. What is `lasting` announces a rule or a
    change of one in so many words: it counts in the message that opens a session as well. What is `standing` counts
    there if it is about the whole project.
    """

    name: str
    family: str
    kind: str
    confidence: float
    pattern: str
    unless: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    needs_neighbour: bool = False
    lasting: bool = False
    standing: bool = False


_DE_LEAD = r"(?i)^(?:(?:nein|nee|nö|falsch|stopp?|halt|moment|hm+|ok|okay|und|aber|bitte|doch|nochmal|sorry)[,.! —-]+)*"
_DE_VERB = (
    r"(?:benutze?|nutze?|verwende?|nimm|bevorzuge?|rufe?|starte|führe?|schreibe?|importiere?|lege?|setze?|nenne?|teste|baue?"
    r"|ändere?|bearbeite|committe|pushe?|merge|deploye?|lösche?|entferne?|überschreibe?|verschiebe?|installiere?|speichere?"
    r"|logge?|füge?|fasse?|mache?|prüfe?|halte?|formatiere?)"
)
_DE_NOT_MEANT = (
    r"(?i)\b(?:sorgen?|danke|macht nichts|egal|ahnung|weiß|verstehe?|vergiss nicht zu (?:schlafen|essen))\b|\?$"
    r"|(?i)\b(?:heute|diesmal|ausnahmsweise|vorerst|angenommen|(?:mein\w*|dein\w*|ihr\w*) (?:alt|letzt|privat|früher)\w*|bis (?:morgen|montag|freitag))\b"
    r"|(?i)\b(?:das|dies|dieses|diese|es|erste|zweite|andere|letzte|nächste)n?\W*$"
)
MOMENTARY = (
    r"(?i)\b(?:yet|for now|right now|just now|this time|i (?:just |only )?meant"
    r"|(?:don't|do not|dont|no need to) explain|just (?:do|fix|commit|show|tell|answer) (?:it|that|this|me)"
    r"|the (?:first|second|third|fourth|last|next|other|left|right|top|bottom)"
    r" (?:one|test|file|function|line|button|option|case|column|half|commit|step|part|page))\b"
    r"|(?i)^(?:(?:no+|nope|don't|wait|ok(?:ay)?)[,. ]+)*(?:then|(?:just )?(?:show|tell|give|wait for) me|not th(?:at|is)|that one|a (?:bit|little)"
    r"|only the (?:first|last)|go (?:back|on|ahead)|try|i(?:'d like| want| need)|wait)\b|(?i)\bstill \d|(?i)\bi just (?:want|need)\b"
    r"|(?i)\btoo \w+(?: now| again)?\W*$|(?i)\bnot the (?:first|second|third|last|other)\W*$"
    r"|(?i)\b(?:just curious|not happening|(?:my|a) typo|typo of mine|my (?:mistake|bad|fault)|scratch that|nvm|this once|this one time|hypothetically|suppose|imagine|what if|let's say|we used to|back then|as an exception"
    r"|(?:for|in|until) (?:today|tomorrow|monday|tuesday|wednesday|thursday|friday|(?:the|this) (?:demo|pr|script|experiment|prototype|sprint|weekend)))\b"
    r"|(?i)^(?:(?:no+|ok(?:ay)?|hm+|wait|just)[,. ]+)*leave (?:it|that|this|them)(?: (?:as|like|be|alone|there)\b.*)?\W*$"
    r"|(?i)\b(?:at|in|for|on) (?:my|his|her|their|another|an? (?:old|other)|the (?:old|other|last)) (?:\w+ ){0,2}"
    r"(?:company|job|team|project|repo|repository|employer|startup|codebase)\b"
)
"""Words for a wish of the moment, or for other people's projects, which give no rule for later."""
_NOT_MEANT = (
    r"(?i)\b(?:(?:don't|dont|not|never|you) mind|worry|forget to (?:rest|eat)|hesitate|bother|be sorry|thank"
    r"|know (?:why|how|what|if))\b|\?$|" + MOMENTARY
)

_LEAD = r"(?i)^(?:(?:no+|nope|hmm+|ok|okay|yes|and|but|so|also|please|remember|again|actually)[,.!: —-]+)*"
_OBJECTED = r"(?i)^(?:(?:no+|nope|wrong|stop|wait)[,.!: —-]+|i (?:said|told you)(?: to|:)? )+"
"""Start of a message that objects, or that repeats an instruction."""
_HERE = r"\b(?:here|everywhere|in (?:this|our|the whole) (?:repo|repository|project|package|codebase|code|workspace|file)s?)\b.*"
_CLAUSE = (
    r"i|you|we|it|it's|he|she|they|that|that's|this|these|those|there|the|our|my|your|its|let's|if|when|in|on|for"
    r"|not|don't|never|always|only|just|please|keep|leave|make"
)
"""Words with which a sentence goes on after a "no" that objects, without a comma."""
_BANNED = r"(?i)^no (?:use|run|call|import|put|write|name)s? (?:of|to|from|in|on|for|with)\b"
"""A "no" that belongs to the noun after it: it forbids, and the rest alone would say the opposite."""
_WHERE = r"(?:(?:in|for|inside|under) (?:the |our |this |all )?[\w./`*-]+(?: [\w./`*-]+){0,3},? )?"
"""The part of the project that a rule begins with: "in the web package we …"."""
_NEWS = (
    r"(?i)^(?:(?:no+|nope|btw|by the way|heads up|fyi|note|also|and|but|so|oh|actually|remember)[,.!: —-]+)*"
)
"""Matches words before a statement of a change in the project: "btw, ", "heads up: "."""
_THING = r"[\w`@./+#-]*[a-z`][\w`@./+#-]*"
"""The name of what is used: one word."""
_NO_THING = (
    r"(?:the|an?|it|its|this|that|these|those|there|lunch|work|bed|home|him|her|them|you|me|my|one|everything|nothing|my|he|she|they|we|i"
    r"|see|do|get|have|be|make|use|need|fix|add)"
)
"""Words that are no name of what is used."""
_PASSING = (
    r"(?i)\b(?:thanks|next (?:task|step|point)|branch|tab|window|office|laptop|meeting|never mind|problem)\b"
)
"""Words of news that is not about how the project is built."""
_DE_NEWS = r"(?i)^(?:(?:nein|nee|übrigens|achtung|hinweis|und|aber|also|ach|tatsächlich)[,.!: —-]+)*"
_DE_PASSING = r"|(?i)\b(?:danke|branch|termin|nötig|mittagessen|fassung|version|dessen)\b"

CORRECTIONS = (
    Phrase(
        "en.from_now_on", FEEDBACK, "human_feedback", 0.85,
        _LEAD + r"(.*\b(?:from now on|from today on|going forward)\b.{6,}"
        r"|(?:please |always |never |we |you (?:should |must )?)*(?:use|run|put|write|keep|call|name|prefer|store|test|commit|deploy|import)"
        r" .{4,}\b(?:from now on|going forward)\W*)$",
        _NOT_MEANT,
        (
            "We changed our mind about pathlib: from now on we use anyio.Path, since the server is async",
            "From now on, write the tests first",
            "Put SQL into .sql files from now on",
        ),
        ("from now on", "Is that how it works from now on?", "I'll want both from now on"),
        lasting=True,
    ),
    Phrase(
        "en.changed", FEEDBACK, "human_feedback", 0.8,
        _LEAD + r"(we(?:'ve| have)? (?:just |now |all |recently |finally )*(?:(?:switched|moved|migrated|changed)(?: over)? from \S.* to \S.{2,}"
        r"|(?:replaced|dropped) \S.* (?:with|by|in favou?r of) \S.{2,}|(?:moved|switched) (?:away from|back to) \S.{4,}"
        r"|changed our minds? (?:about|on) \S.{8,}|(?:no longer|don't|do not) use \S.* (?:any ?more|now|, we)\b.*))",
        _NOT_MEANT,
        (
            "we switched from JWT to server sessions",
            "We have dropped pydantic in favour of msgspec",
            "but we changed our minds about tabs, it is four spaces now",
        ),
        ("Have we switched from JWT to sessions?", "We moved the file", "Who replaced it by that one?"),
        lasting=True,
    ),
    Phrase(
        "en.moved_to", FEEDBACK, "human_feedback", 0.8,
        _NEWS + r"(we(?:'ve|'re| have| are)? (?:just |now |all |recently |finally |also )*(?:(?:switched|moved|migrated|moving|switching"
        r"|migrating|going|went)(?: over)?(?: back)? to|back (?:to|on)) " + _THING + r"\b.*|we(?:'re| are) (?:now )?on " + _THING + r" now\b.*)",
        _NOT_MEANT + "|" + _PASSING + r"|(?i)\b(?:if|when|until|unless) we\b|\b(?:to|on) " + _NO_THING + r"\b",
        (
            "we moved to pnpm last night, the lockfile is there already",
            "We are going back to yarn, pnpm broke the CI cache",
            "btw we've switched to ruff",
        ),
        (
            "we moved to the next task", "let's move on to the docs", "we are back to 3 failures", "we're going to lunch",
            "If we moved to bun, would it be faster?", "we went back to the first version", "I moved to a new laptop",
        ),
        lasting=True,
    ),
    Phrase(
        "en.ended", FEEDBACK, "human_feedback", 0.8,
        _NEWS + r"((?:we|the \S+(?: \S+)?)(?:'re| are)? (?:no longer (?:us(?:e|es|ing)|support|depend on|run|deploy (?:to|with)) \S.*"
        r"|(?:don't|do not|doesn't|does not|are not|aren't|not) us(?:e|ing) \S.* any ?(?:more|longer)\b.*"
        r"|(?:stopped using|got rid of|dropped(?: support for)?|decided against) \S.*)"
        r"|" + _THING + r"(?: [\d.]+)? (?:is|are|was|were|has been|have been) (?:now )?(?:no longer (?:used|allowed|supported|needed here)|deprecated here"
        r"|gone, .{6,}|history, .{6,}|replaced (?:by|with) [\w`@.-]{2,}.*)\b.*"
        r"|" + _THING + r" replaces " + _THING + r"\b.*)",
        _NOT_MEANT + "|" + _PASSING + "|(?i)^" + _NO_THING + r" (?:is|are|was|were|has|have|replaces)\b|\b(?:use|using|support) (?:it|that|this|them)\b",
        (
            "we no longer use moment, use date-fns",
            "lodash is no longer allowed in this repo",
            "jest is gone, we run vitest now",
            "black has been replaced by ruff format",
            "we stopped using docker-compose, it's tilt now",
        ),
        ("the test no longer fails, thanks", "it's no longer red", "the error is gone, thanks", "I don't use it any more"),
        lasting=True,
    ),
    Phrase(
        "en.actually_not", FEEDBACK, "human_feedback", 0.8,
        r"(?i)^(?:(?:no+|nope|wait|hmm+|sorry|oh)[,.! —-]+)*actually[,:]? (.*\b(?:should|must|has to|have to|is|are|stays?|goes|belongs?)\b"
        r".*(?:\b(?:instead of|rather than)\b|, (?:and )?not\b|\b(?:decided|stays?)\b).*)",
        _NOT_MEANT + r"|(?i)actually[,:]? (?:i|let|run|try|can|show)\b",
        (
            "actually the timeout default should be 10000, not 30000",
            "Actually, ids are strings in this API, not numbers",
            "Actually prices are kept in cents rather than in euros",
        ),
        ("actually run the tests again", "actually I am not sure", "Actually, is that a list, not a set?"),
    ),
    Phrase(
        "en.lets_use", FEEDBACK, "decision", 0.8,
        _LEAD + r"(let'?s (?:all )?(?:use|go with|go for|switch to|move to|settle on|standardi[sz]e on|take) .{2,}?"
        r"\b(?:instead of|rather than|and not|not|over) .*)",
        _NOT_MEANT + r"|(?i)\b(?:for now|for the moment|today|this time|first)\b",
        (
            "Let's go with msgspec instead of pydantic for the config, it starts four times faster",
            "ok, let's use Decimal rather than float for prices",
            "let's standardise on pnpm, not npm",
        ),
        ("Let's use that", "let's use a list instead of a set for now", "Shall we go with pnpm instead of npm?"),
    ),
    Phrase(
        "en.use", FEEDBACK, "human_feedback", 0.85,
        r"(?i)^(?:(?:no+|nope|wrong|stop|wait|hmm|ok|okay|and|but|please|actually|again|sorry)[,.! —-]+)*((?:please |always |just |you (?:should|must|have to|need to) )?"
        r"(?:use|run|call|prefer|stick to|go with|import|put|write|name) .{2,}?\b(?:instead|not|rather than|never|and not)\b.*)",
        _NOT_MEANT + "|" + _BANNED,
        (
            "No, use pnpm instead of npm",
            "please use the logger, not print",
            "Run the tests with `make check` rather than pytest",
        ),
        ("use it", "Can you use pnpm instead?", "instead of that we met"),
    ),
    Phrase(
        "en.use_here", FEEDBACK, "human_feedback", 0.8,
        _OBJECTED + r"((?:please |always |just )*(?:use|run|call|prefer|stick to|go with|import) [\w`@./-]{2,}.*)"
        r"|" + _LEAD + r"((?:use|run|call|prefer|stick to|go with|import) [\w`@./-]{2,}.*" + _HERE + ")",
        _NOT_MEANT + "|" + _BANNED + r"|(?i)\b(?:use|run|call|go with|import) (?:it|that|this|these|those|them|one|an?other|option|something)\b",
        (
            "no, use pnpm here",
            "use the logger in this package",
            "I said use the logger",
            "nope, call the service through its client",
        ),
        ("use the first one", "use option 2", "no, use that", "use a smaller font for this heading", "run the tests"),
        standing=True,
    ),
    Phrase(
        "en.is_here", FEEDBACK, "human_feedback", 0.75,
        _LEAD + r"(?:why \w+ again\?? )?((?:we(?:'re| are) (?:on|using)|it(?:'s| is)|here we use|this (?:repo|project|package) uses) .{3,}"
        + _HERE + r"|(?:here we use|we(?:'re| are) using|this (?:repo|project|package|workspace) (?:uses|is)) .{3,})",
        _NOT_MEANT,
        (
            "we're on pnpm here",
            "it's pnpm in this repo",
            "no, this project uses yarn",
        ),
        ("it's fine", "is it in this repo?", "we're done here?", "it is late"),
        standing=True,
    ),
    Phrase(
        "en.no", FEEDBACK, "human_feedback", 0.75,
        r"(?i)^(?:(?:i (?:said|told you)|please|and|but|also|again|hey|stop|remember|no+,|nope)[,.!: —-]+)*(no [a-z@`][^ ,.]*.{3,})",
        _NOT_MEANT + r"|(?i)\bno (?:" + _CLAUSE + r"|no+|thanks?|problems?|worries|need|idea|way|luck|clue|rush|wonder|doubt|matter"
        r"|te|lo|le|se|me|nos|es|est.{1,2}|hay|funciona\w*|s.{1,2}|puedo|puede\w*|hace|tiene\w*|va|van|quiero|entiendo|pasa|creo|estoy|sirve"
        r"|longer|one|such|point|reason|sense|hurry|deal|harm|questions?|sign|trace|dice|good|further"
        r"|(?:use|run|call|import|put|write|name) (?:the|an?|it|that|this|my|our|your)"
        r"|[^,]* (?:failed|passed|ran)|(?:more )?(?:errors?|output|changes?|differences?|effect|results?|response|reply|warnings?|failures?|diff))\b",
        (
            "no default exports please",
            "I told you: no semicolons",
            "no emojis in commit messages",
            "no new dependencies",
            "no calls to the clock, not even in tests",
        ),
        ("no errors any more", "no idea, what do you think", "no luck with that either", "no change after the restart"),
        standing=True,
    ),
    Phrase(
        "en.never", FEEDBACK, "human_feedback", 0.8,
        r"(?i)^(?:(?:no+|nope|wrong|stop|wait|hmm|ok|okay|and|but|please|actually|again|sorry)[,.! —-]+)*((?:please )?"
        r"(?:don't|do not|dont|never|avoid|you (?:must|should|may) (?:not|never)|stop [a-z]+ing) [a-z`].{6,})",
        _NOT_MEANT + r"|(?i)^(?:i|we) don't|\bdon't (?:think|see|have|need|care|remember|understand|agree|know)\b",
        (
            "Don't edit the generated files in src/gen",
            "no, never commit to main directly",
            "Please stop adding comments to every line",
        ),
        ("don't worry about that one", "I don't think so at all", "Stop the server", "don't know why it fails"),
        standing=True,
    ),
    Phrase(
        "en.always", FEEDBACK, "human_feedback", 0.85,
        r"(?i)^(?:(?:no+|nope|and|but|please|remember|also|again)[,.!: —-]+)*((?:please |you (?:should|must) )?(?:always|ask (?:me |us )?before) .{8,})",
        _NOT_MEANT,
        (
            "Always run the linter before you commit",
            "Please always squash before you merge",
            "Remember: always name the index",
        ),
        ("You always ask", "is it always so?", "always"),
        standing=True,
    ),
    Phrase(
        "en.we_use", FEEDBACK, "human_feedback", 0.8,
        r"(?i)^(?:(?:no+|nope|but|actually|again)[,.! —-]+)*("
        + _WHERE + r"we (?:only |always |never |don't |do not |already |usually )?(?:use|keep|put|write|test|deploy|store|name|prefer|follow|pin|call|commit|run"
        r"|log|format|lint|bundle|mock|validate|release|ship|version) .{6,})",
        _NOT_MEANT + r"|(?i)\b(?:used to|can we|could we|should we|we \w+ (?:this|that|it))\b",
        (
            "We use zod for validation, not yup",
            "no, we keep feature flags in config/flags.yaml",
            "We never deploy on Fridays",
            "in the web package we write tests with vitest, not with node:test",
        ),
        ("We used to live there", "can we use this one?", "we use it"),
        standing=True,
    ),
    Phrase(
        "en.wrong", FEEDBACK, "human_feedback", 0.7,
        r"(?i)^(?:(?:that's (?:wrong|not right|incorrect|not what i (?:asked|meant|wanted)(?: for)?)|that is (?:wrong|not right|incorrect)"
        r"|not like that)[,.:;! —-]+|(?:no+ )*(?:no+|nope|wrong|incorrect)(?:[,.:;!]|\s[—-])[,.:;! —-]*)(.{16,})",
        _NOT_MEANT + r"|(?i)^no,? (?:thanks|problem|worries|need|idea|it's (?:fine|ok|good)|that's (?:fine|ok|all|it))\b",
        (
            "No, the timeout is in seconds and not in milliseconds",
            "that's wrong: prices are stored in cents",
            "Not like that, the handler has to stay synchronous",
        ),
        ("No thanks, that will be all for today", "no problem, go on with it then", "Nothing is wrong with the tests"),
    ),
    Phrase(
        "en.no_clause", FEEDBACK, "human_feedback", 0.7,
        r"(?i)^(?:no+|nope) ((?:" + _CLAUSE + r")\b.{12,})",
        _NOT_MEANT + "|" + _BANNED + r"|(?i)^no+ (?:it's|that's) (?:fine|ok|all|good|it)\b",
        (
            "no the timeout is in seconds and not in milliseconds",
            "no it's called order_items",
            "nope that goes through the queue",
        ),
        ("no errors any more", "no that's fine like this", "no it's all good, really"),
    ),
    Phrase(
        "de.from_now_on", FEEDBACK, "human_feedback", 0.85,
        _DE_LEAD + r"(.*\b(?:ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|in zukunft|künftig)\b.{8,})",
        _DE_NOT_MEANT,
        (
            "Wir haben es uns anders überlegt: ab jetzt nehmen wir anyio statt pathlib",
            "Ab jetzt schreibst du die Tests zuerst",
            "Tests schreiben wir von nun an zuerst, vor dem Code",
        ),
        ("ab jetzt", "Gilt das ab jetzt für alle Dateien?", "in Zukunft"),
        lasting=True,
    ),
    Phrase(
        "de.changed", FEEDBACK, "human_feedback", 0.8,
        _DE_LEAD + r"(wir (?:sind|haben) (?:\S+ ){0,6}?(?:von \S+ (?:\S+ )?(?:auf|zu) \S+ (?:\S+ )?(?:umgestiegen|gewechselt|umgestellt|migriert)"
        r"|\S+ (?:\S+ )?durch \S+ (?:\S+ )?ersetzt)\b.*)",
        _DE_NOT_MEANT,
        (
            "wir sind von JWT auf Sitzungen umgestiegen",
            "Wir haben pydantic durch msgspec ersetzt",
            "Wir haben letzte Woche die Ablage von S3 auf Dateien umgestellt",
        ),
        ("Sind wir von JWT auf Sitzungen umgestiegen?", "Wir haben die Datei ersetzt", "Wir sind umgezogen"),
        lasting=True,
    ),
    Phrase(
        "de.moved_to", FEEDBACK, "human_feedback", 0.8,
        _DE_NEWS + r"(wir (?:sind|haben|gehen|wechseln|steigen) (?:\S+ ){0,3}?(?:(?:auf|zu) \S+ (?:\S+ )?(?:umgestiegen|gewechselt|umgestellt|umgezogen|um)"
        r"|(?:zurück|wieder) (?:zu|auf|bei) \S{2,})\b.*)",
        _DE_NOT_MEANT + _DE_PASSING,
        ("wir sind auf pnpm umgestiegen", "wir gehen zurück zu yarn", "übrigens, wir haben auf Redis 8 gewechselt"),
        ("wir sind zurück, mach weiter", "sind wir auf pnpm umgestiegen?", "ich bin auf den anderen Branch gewechselt"),
        lasting=True,
    ),
    Phrase(
        "de.ended", FEEDBACK, "human_feedback", 0.8,
        _DE_NEWS + r"(wir (?:be)?(?:nutzen|verwenden|setzen|nehmen|unterstützen) (?:kein\w* \S+ mehr|\S+(?: \S+)? nicht mehr)\b.*"
        r"|wir haben uns von \S+ verabschiedet\b.*"
        r"|[\w`@.-]{2,} (?:ist|sind) (?:jetzt )?(?:rausgeflogen|abgeschafft|veraltet|Geschichte), .{6,}"
        r"|(?:(?:seit|ab) \S+ )?(?:\S+ wir (?:jetzt |ab jetzt )?(?:mit |auf )?\S+ )?(?:an)?statt \S+(?: (?:nehmen|nutzen|verwenden|benutzen) wir .{2,})?"
        r"|(?:die|unsere) \S+ (?:laufen|bauen|gehen) (?:inzwischen|jetzt|mittlerweile|seit \S+) (?:mit|über|auf) \S{2,}.*)$",
        _DE_NOT_MEANT + _DE_PASSING + r"|(?i)^(?:an)?statt \S+$",
        (
            "wir nutzen jest nicht mehr, nur noch vitest",
            "statt black nehmen wir jetzt ruff",
            "moment ist rausgeflogen, wir verwenden date-fns",
            "die Tests laufen inzwischen mit vitest",
        ),
        ("der Test schlägt nicht mehr fehl", "nicht mehr nötig, danke", "das brauchen wir nicht mehr", "statt dessen"),
        lasting=True,
    ),
    Phrase(
        "de.please", FEEDBACK, "human_feedback", 0.8,
        _DE_LEAD + r"([A-ZÄÖÜ][\w-]{3,}(?: \S+){0,3} bitte (?:immer|nur|nie|nicht|auf|in|mit|ohne) .{3,})",
        _DE_NOT_MEANT + r"|(?i)\b(?:jetzt|mal|kurz|erst|noch|gleich|fertig|hier rein)\b",
        (
            "Kommentare im Code bitte immer auf Englisch",
            "und Snapshots bitte nicht in den Tests",
            "Fehlermeldungen bitte ohne Ausrufezeichen",
        ),
        ("Datei bitte noch nicht löschen", "Bitte immer", "Zeig mir das bitte auf Englisch?"),
        standing=True,
    ),
    Phrase(
        "de.use", FEEDBACK, "human_feedback", 0.85,
        _DE_LEAD + r"((?:bitte |immer |einfach |du (?:sollst|musst|solltest) )?(?:" + _DE_VERB
        + r" .{2,}?\b(?:statt|anstatt|anstelle|stattdessen|und nicht|, nicht)\b.*"
        r"|.{2,}\b(?:statt|anstatt|anstelle) .{2,} (?:verwenden|benutzen|nutzen|nehmen|aufrufen|schreiben)\W*$))"
        r"|(?i)^(?:(?:nein|nee|nö|falsch)[,.! —-]+)+((?:nimm|benutze?|nutze?|verwende?) [\w`@./-]{3,}.*)",
        _DE_NOT_MEANT,
        (
            "benutze immer pnpm statt npm",
            "Nein, nimm den Logger statt print",
            "Bitte `make check` anstelle von pytest verwenden",
            "nein, nimm pnpm",
        ),
        ("benutze es", "nein, nimm das andere", "Kannst du pnpm statt npm benutzen?", "statt dessen trafen wir uns"),
    ),
    Phrase(
        "de.never", FEEDBACK, "human_feedback", 0.8,
        _DE_LEAD + r"((?:bitte )?(?:" + _DE_VERB + r"(?: \S+){0,6}? (?:nie|niemals|nicht|keine?[nmrs]?) .{4,}"
        r"|" + _DE_VERB + r"(?: \S+){1,6} (?:nie|niemals|nicht)(?: an| direkt)?\W*$"
        r"|(?:nie|niemals|vermeide|du (?:darfst|sollst|solltest) (?:nie|niemals|nicht|keine?[nmrs]?)) .{6,}"
        r"|bitte keine?n? \S{3,}.*|(?:bitte )?keine?n? .{6,} (?:verwenden|benutzen|nutzen|schreiben|ändern|committen|hinzufügen|für .+)\W*$))",
        _DE_NOT_MEANT,
        (
            "Ändere nie die generierten Dateien in src/gen",
            "nein, committe nicht direkt auf main",
            "Niemals Floats für Geld verwenden",
            "Bitte keine Kommentare an jede Zeile schreiben",
            "Fasse src/legacy nicht an",
            "bitte keine any-Typen",
        ),
        ("mach dir keine Sorgen darum", "Das geht nicht", "Ich verstehe das nicht so ganz", "Warum nicht so lassen?"),
        standing=True,
    ),
    Phrase(
        "de.always", FEEDBACK, "human_feedback", 0.85,
        _DE_LEAD + r"((?:merk dir[,:]? |denk daran[,:]? )?(?:(?:immer|grundsätzlich"
        r"|in (?:diesem|unserem) (?:repo|repository|projekt|code)\S*) .{8,}"
        r"|" + _DE_VERB + r" (?:bitte )?(?:immer|grundsätzlich|stets) .{4,}"
        r"|du (?:sollst|musst|solltest) (?:immer|grundsätzlich|stets) .{6,}))",
        _DE_NOT_MEANT + r"|(?i)^immer,? wenn (?:ich|man|wir|der|die|das|es)\b",
        (
            "Immer erst den Linter laufen lassen, dann committen",
            "In diesem Repo liegt SQL in .sql-Dateien",
            "Prüfe immer die Typen, bevor du pushst",
        ),
        ("Du fragst immer", "ist das immer so?", "immer"),
        standing=True,
    ),
    Phrase(
        "de.we_use", FEEDBACK, "human_feedback", 0.8,
        _DE_LEAD + r"((?:wir|hier) (?:benutzen|nutzen|verwenden|nehmen|schreiben|testen|deployen|speichern|halten|legen"
        r"|committen|bevorzugen|nennen|pinnen|formatieren)(?: wir)? .{5,})",
        _DE_NOT_MEANT + r"|(?i)\b(?:früher|könnten|sollten|wollten)\b|(?i)^\S+ \S+ (?:das|dies|es|mal)\b",
        (
            "Wir verwenden zod zur Validierung, nicht yup",
            "nein, wir legen Feature-Flags in config/flags.yaml ab",
            "Hier schreiben wir Preise immer in Cent",
        ),
        ("Wir nutzen das", "verwenden wir diese hier?", "Früher nutzten wir etwas anderes"),
        standing=True,
    ),
    Phrase(
        "de.wrong", FEEDBACK, "human_feedback", 0.7,
        r"(?i)^(?:nein|nee|nö|falsch|so nicht|das (?:ist|war) (?:falsch|nicht richtig|nicht das, was ich \w+)|(?:das )?stimmt nicht)"
        r"[,.:;! —-]+(.{16,})",
        _DE_NOT_MEANT + r"|(?i)^nein,? (?:danke|kein problem|schon gut|alles gut|passt|brauchst du nicht)\b",
        (
            "Nein, der Timeout ist in Sekunden und nicht in Millisekunden",
            "das ist falsch: Preise werden in Cent gespeichert",
            "So nicht, der Handler muss synchron bleiben",
        ),
        ("Nein danke, das war alles für heute", "nein, kein Problem, mach nur so weiter", "An den Tests ist nichts falsch"),
    ),
    Phrase(
        "zh.feedback", FEEDBACK, "human_feedback", 0.8,
        r"^(?:不[，,！!。 ]|不对[，,！!。 ]?|不是[，,！!。 ]|错了[，,！!。 ]?|请|以后|记住[，,：:]?)*((?:不要|别再?|禁止|必须|一律|总是|始终|应该?用|应当用|改用|统一用|我们(?:只|不|都)?用|以后都?要?|不能).{3,})",
        r"[？?吗]$|不要紧|别担心|不用担心|不要客气|没关系",
        ("不对，应该用 pnpm 而不是 npm", "不要修改 src/gen 里的生成文件", "以后都要先写测试再写代码"),
        ("不要紧", "别担心这个问题", "我们用这个吗？", "好的，谢谢"),
        standing=True,
    ),
)  # fmt: skip
"""Phrases of a user about the work of an assistant, in English, German and Chinese."""

"""Phrases of corrections and dead ends: a table whose rows carry the examples that test them."""

from __future__ import annotations

from dataclasses import dataclass

CORRECTED, DEAD_END, FEEDBACK = "self_correction", "dead_end", "user_correction"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that shows a lesson.

    `family` is its category, `kind` the kind of memory. `pattern` (RE2) has to match in a sentence where
    `unless` does not; its group, if any, is stored instead of the whole sentence. With `bare` the sentence
    needs the next one (for a dead end, the one before) to be informative. `yes` are sentences that it
    matches, `no` sentences that no phrase of the family may match. What is `lasting` announces a rule or a
    change of one in so many words: it counts in the message that opens a session as well.
    """

    name: str
    family: str
    kind: str
    confidence: float
    pattern: str
    unless: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    bare: bool = False
    lasting: bool = False


_NEXT_STEP = (
    r"(?i)\b(?:let me|let's|i'll|i will|i should|i need to|i want to|i can|we can|we could|we should|i'm going to"
    r"|shall i|could you|would you|do you)\b"
)
_DE_LEAD = r"(?i)^(?:(?:nein|nee|nö|falsch|stopp?|halt|moment|hm+|ok|okay|und|aber|bitte|doch|nochmal|sorry)[,.! —-]+)*"
_DE_VERB = (
    r"(?:benutze?|nutze?|verwende?|nimm|bevorzuge?|rufe?|starte|führe?|schreibe?|importiere?|lege?|setze?|nenne?|teste|baue?"
    r"|ändere?|bearbeite|committe|pushe?|merge|deploye?|lösche?|entferne?|überschreibe?|verschiebe?|installiere?|speichere?"
    r"|logge?|füge?|fasse?|mache?|prüfe?|halte?|formatiere?)"
)
_DE_NOT_MEANT = r"(?i)\b(?:sorgen?|danke|macht nichts|egal|ahnung|weiß|verstehe?|vergiss nicht zu (?:schlafen|essen))\b|\?$"
_NOT_MEANT = r"(?i)\b(?:(?:don't|dont|not|never|you) mind|worry|forget to (?:rest|eat)|hesitate|bother|be sorry|thank|know (?:why|how|what|if))\b|\?$"

ASSISTANT = (
    Phrase(
        "en.actually", CORRECTED, "session_insight", 0.5,
        r"(?i)^(?:(?:ah|oh|hmm+|wait|ok|okay|so|but|and|no)[,. !—-]+)*actually,? (\S.*)",
        _NEXT_STEP + r"|(?i)actually,? (?:this|that|it)(?:'s| is) (?:fine|ok|okay|good|correct|right)\b",
        (
            "Actually, the session token is refreshed in middleware/auth.ts",
            "Wait, actually the config loader ignores `.env.local` in tests",
            "Actually `make test` builds the wheel first",
        ),
        ("Actually, let me check the tests first", "Actually, that's fine", "It actually works now"),
    ),
    Phrase(
        "en.turns_out", CORRECTED, "session_insight", 0.6,
        r"(?i)\b(?:it |as it )?turns out(?: that)?,? (\S.*)",
        r"\?$",
        (
            "It turns out that the migrations need the `citext` extension",
            "Turns out `dev` and `test` share one database",
            "As it turns out, port 5432 is taken by the system's server",
        ),
        ("Let's see how it turns", "How does it turn out to be null?", "Nothing turned up"),
    ),
    Phrase(
        "en.cause", CORRECTED, "session_insight", 0.6,
        r"(?i)\b(?:the )?((?:real|actual|root|underlying) (?:cause|problem|issue|reason|culprit)(?: here)?"
        r" (?:is|was)(?: that)? \S.*)",
        r"\?$|(?i)\b(?:unclear|unknown|not clear|still|let me|let's|i'll)\b",
        (
            "The real problem is that `refresh()` runs before the cookie is set",
            "Root cause was the stale lock file in .cache/locks",
            "The actual issue is that CI sets TZ=UTC",
        ),
        ("What is the real problem?", "The root cause is unclear", "The issue is closed"),
    ),
    Phrase(
        "en.was_wrong", CORRECTED, "gotcha", 0.55,
        r"(?i)\b(?:i was (?:wrong|mistaken|incorrect)|that (?:was|is) (?:wrong|incorrect|a mistake|my mistake)|my mistake"
        r"|i (?:misread|misunderstood|misremembered|made a mistake|had it backwards)|i wrongly assumed|i incorrectly"
        r"|my (?:earlier |first |initial )?assumption was wrong)\b",
        r"\?$",
        (
            "I was wrong about the cache: it is keyed by tenant",
            "That was wrong, `limit` counts pages and not rows",
            "I misread the schema",
        ),
        ("Was I wrong?", "The wrong file was deleted by the script", "Something is wrong with the build"),
        bare=True,
    ),
    Phrase(
        "zh.corrected", CORRECTED, "session_insight", 0.55,
        r"^(?:等等[，,]?|哦[，,]?)?(?:原来|其实|实际上|事实上)[，,]?(.{4,})",
        r"[？?]$|让我|我来|我再",
        ("原来测试需要先启动 Redis", "其实配置在 src/auth/config.ts 里", "实际上端口是 5433"),
        ("让我看看", "其实让我再检查一下", "测试通过了"),
    ),
    Phrase(
        "zh.was_wrong", CORRECTED, "gotcha", 0.5,
        r"(?:我|刚才|之前)(?:搞错|弄错|看错|误解|理解错|判断错)了?",
        r"[？?]$",
        ("我搞错了，缓存是按租户分的", "之前弄错了参数的顺序", "我误解了这个接口"),
        ("我错过了会议", "你搞错了吗？", "没有错误"),
        bare=True,
    ),
    Phrase(
        "en.does_not_work", DEAD_END, "gotcha", 0.6,
        r"(?i)\b(?:this|that|the(?: \S+)?)(?: (?:approach|way|idea|method|strategy|solution|fix|workaround|plan))?"
        r" (?:does not|doesn't|did not|didn't|won't|will not|can't|cannot|isn't going to) (?:work|be done|help|scale|fly)\b",
        r"\?$",
        (
            "This approach doesn't work because the loader is synchronous",
            "That won't work: SQLite has no row locks",
            "The workaround didn't help since `fork` copies the lock",
        ),
        ("Does this approach work?", "The approach works", "It doesn't matter"),
    ),
    Phrase(
        "en.dead_end", DEAD_END, "gotcha", 0.6,
        r"(?i)\b(?:(?:is|was|hit) a dead[ -]end|dead[ -]end:|not (?:possible|feasible|viable) (?:because|since|as|with|here))",
        r"\?$",
        (
            "Patching the import hook is a dead end",
            "Dead end: the vendor API has no bulk call",
            "Streaming is not possible because the proxy buffers responses",
        ),
        ("Is it possible?", "It's not possible that he knows", "The end"),
    ),
    Phrase(
        "en.reverting", DEAD_END, "gotcha", 0.55,
        r"(?i)\b(?:reverting|i(?:'ll| will|'m going to)? (?:revert|undo|roll back|back out)|rolling back|undoing|backing out"
        r"|let me (?:revert|undo|roll back))\b",
        r"\?$|(?i)\breverting to (?:sleep|type)\b",
        (
            "Reverting the change to pool.py, since it breaks `fork`",
            "I'll revert this because the type checker rejects it",
            "Rolling back: the migration locks the table",
        ),
        ("Should I revert it?", "The revert button is blue", "The list is reversed"),
        bare=True,
    ),
    Phrase(
        "en.other_way", DEAD_END, "gotcha", 0.5,
        r"(?i)\b(?:try (?:a|another) (?:different |other )?(?:approach|way)|(?:switch|switching) to a different (?:approach|strategy)"
        r"|giving up on|abandon(?:ing)? (?:this|that|the))\b",
        r"\?$",
        (
            "Let me try a different approach",
            "Giving up on the decorator, `inspect` cannot see through it",
            "I'm abandoning the patch because upstream changed the API",
        ),
        ("Should we try another way?", "The approach is different", "He gave it up"),
        bare=True,
    ),
    Phrase(
        "zh.dead_end", DEAD_END, "gotcha", 0.55,
        r"行不通|走不通|此路不通|(?:这个|这种|该)(?:方案|方法|办法|思路)(?:不行|不可行|没用|无效)|(?:我)?(?:先)?(?:回滚|撤销)",
        r"[？?]$",
        ("这个方案不行，因为 SQLite 没有行锁", "这样行不通：代理会缓冲响应", "先回滚这个改动，因为它破坏了类型检查"),
        ("这个方案可行吗？", "行程安排好了", "方法很多"),
    ),
)  # fmt: skip
"""Phrases of an assistant about its own work."""

_LEAD = r"(?i)^(?:(?:no+|nope|hmm+|ok|okay|yes|and|but|so|also|please|remember|again|actually)[,.!: —-]+)*"
_WHERE = r"(?:(?:in|for|inside|under) (?:the |our |this |all )?[\w./`*-]+(?: [\w./`*-]+){0,3},? )?"
"""The part of the project that a rule begins with: "in the web package we …"."""

USER = (
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
        _NOT_MEANT,
        (
            "No, use pnpm instead of npm",
            "please use the logger, not print",
            "Run the tests with `make check` rather than pytest",
        ),
        ("use it", "Can you use pnpm instead?", "instead of that we met"),
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
    ),
    Phrase(
        "en.always", FEEDBACK, "human_feedback", 0.85,
        r"(?i)^(?:(?:no+|nope|and|but|please|remember|also|again)[,.!: —-]+)*((?:please |you (?:should|must) )?(?:always|in (?:this|our) (?:repo|repository|project|codebase|code)\S*) .{8,})",
        _NOT_MEANT,
        (
            "Always run the linter before you commit",
            "Please always squash before you merge",
            "In this repo we keep SQL in .sql files",
        ),
        ("You always ask", "is it always so?", "always"),
    ),
    Phrase(
        "en.we_use", FEEDBACK, "human_feedback", 0.8,
        r"(?i)^(?:(?:no+|nope|but|actually|again)[,.! —-]+)*("
        + _WHERE + r"we (?:only |always |never |don't |do not |already |usually )?(?:use|keep|put|write|test|deploy|store|name|prefer|follow|pin|call|commit|run) .{6,})",
        _NOT_MEANT + r"|(?i)\b(?:used to|can we|could we|should we|we \w+ (?:this|that|it))\b",
        (
            "We use zod for validation, not yup",
            "no, we keep feature flags in config/flags.yaml",
            "We never deploy on Fridays",
            "in the web package we write tests with vitest, not with node:test",
        ),
        ("We used to live there", "can we use this one?", "we use it"),
    ),
    Phrase(
        "en.wrong", FEEDBACK, "human_feedback", 0.7,
        r"(?i)^(?:no+|nope|that's (?:wrong|not right|incorrect|not what i (?:asked|meant|wanted)(?: for)?)|that is (?:wrong|not right|incorrect)|wrong|not like that|incorrect)[,.:;! —-]+(.{16,})",
        _NOT_MEANT + r"|(?i)^no,? (?:thanks|problem|worries|need|idea|it's (?:fine|ok|good)|that's (?:fine|ok|all|it))\b",
        (
            "No, the timeout is in seconds and not in milliseconds",
            "that's wrong: prices are stored in cents",
            "Not like that, the handler has to stay synchronous",
        ),
        ("No thanks, that will be all for today", "no problem, go on with it then", "Nothing is wrong with the tests"),
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
        "de.use", FEEDBACK, "human_feedback", 0.85,
        _DE_LEAD + r"((?:bitte |immer |einfach |du (?:sollst|musst|solltest) )?(?:" + _DE_VERB
        + r" .{2,}?\b(?:statt|anstatt|anstelle|stattdessen|und nicht|, nicht)\b.*"
        r"|.{2,}\b(?:statt|anstatt|anstelle) .{2,} (?:verwenden|benutzen|nutzen|nehmen|aufrufen|schreiben)\W*$))",
        _DE_NOT_MEANT,
        (
            "benutze immer pnpm statt npm",
            "Nein, nimm den Logger statt print",
            "Bitte `make check` anstelle von pytest verwenden",
        ),
        ("benutze es", "Kannst du pnpm statt npm benutzen?", "statt dessen trafen wir uns"),
    ),
    Phrase(
        "de.never", FEEDBACK, "human_feedback", 0.8,
        _DE_LEAD + r"((?:bitte )?(?:" + _DE_VERB + r"(?: \S+){0,6}? (?:nie|niemals|nicht|keine?[nmrs]?) .{4,}"
        r"|" + _DE_VERB + r"(?: \S+){1,6} (?:nie|niemals|nicht)(?: an| direkt)?\W*$"
        r"|(?:nie|niemals|vermeide|du (?:darfst|sollst|solltest) (?:nie|niemals|nicht|keine?[nmrs]?)) .{6,}"
        r"|(?:bitte )?keine?n? .{6,} (?:verwenden|benutzen|nutzen|schreiben|ändern|committen|hinzufügen|für .+)\W*$))",
        _DE_NOT_MEANT,
        (
            "Ändere nie die generierten Dateien in src/gen",
            "nein, committe nicht direkt auf main",
            "Niemals Floats für Geld verwenden",
            "Bitte keine Kommentare an jede Zeile schreiben",
            "Fasse src/legacy nicht an",
        ),
        ("mach dir keine Sorgen darum", "Das geht nicht", "Ich verstehe das nicht so ganz", "Warum nicht so lassen?"),
    ),
    Phrase(
        "de.always", FEEDBACK, "human_feedback", 0.85,
        _DE_LEAD + r"((?:merk dir[,:]? |denk daran[,:]? )?(?:(?:immer|grundsätzlich"
        r"|in (?:diesem|unserem) (?:repo|repository|projekt|code)\S*) .{8,}"
        r"|" + _DE_VERB + r" (?:bitte )?(?:immer|grundsätzlich|stets) .{4,}"
        r"|du (?:sollst|musst|solltest) (?:immer|grundsätzlich|stets) .{6,}))",
        _DE_NOT_MEANT,
        (
            "Immer erst den Linter laufen lassen, dann committen",
            "In diesem Repo liegt SQL in .sql-Dateien",
            "Prüfe immer die Typen, bevor du pushst",
        ),
        ("Du fragst immer", "ist das immer so?", "immer"),
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
    ),
)  # fmt: skip
"""Phrases of a user about the work of an assistant."""

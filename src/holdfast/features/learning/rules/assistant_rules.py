"""Phrases of an assistant that corrects or gives up its work: a table whose rows carry their tests."""

from __future__ import annotations

from holdfast.features.learning.rules.rules import CORRECTED, DEAD_END, Phrase

_NEXT_STEP = (
    r"(?i)\b(?:let me|let's|i'll|i will|i should|i need to|i want to|i can|we can|we could|we should|i'm going to"
    r"|shall i|could you|would you|do you)\b"
)

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
        needs_neighbour=True,
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
        needs_neighbour=True,
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
        needs_neighbour=True,
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
        needs_neighbour=True,
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

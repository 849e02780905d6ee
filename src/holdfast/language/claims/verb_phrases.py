"""English verb phrases: auxiliaries and adverbs up to the verb that says something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import PLAN, Claim
from holdfast.language.claims import english as en
from holdfast.language.claims.attributes import FREQUENT, FUTURE, TIME
from holdfast.language.claims.clauses import COVER
from holdfast.language.claims.values import NOW, VerbPhrase, claim_at, cut, forms
from holdfast.language.claims.verb_tails import said

_ADVERBS = frozenset(
    "also still actually really just currently now recently usually always mostly only already absolutely genuinely truly"
    " honestly definitely personally finally even mainly often normally generally typically regularly sometimes occasionally"
    " both all simply completely totally quite rather very officially proudly happily sadly unfortunately luckily then too"
    " basically largely primarily presently lately nowadays soon probably kind sort of fully secretly thoroughly especially particularly"
    " deeply officially kinda newly once twice myself ourselves recently deliberately religiously apparently initially originally".split()
)
_WISH = re.compile(r"(?:like|love) to\b|prefer to\b", re.IGNORECASE)


def phrase(
    text: str, start: int, words: list[re.Match[str]], i: int, end: int, state: VerbPhrase
) -> Iterator[Claim]:
    """Reads auxiliaries and adverbs up to the verb that says something."""
    clause = text[start:end]
    state.frequent = state.frequent or bool(FREQUENT.search(clause))
    while i < len(words):
        word = words[i][0].lower()
        rest = text[words[i].start() : end]
        if word in _ADVERBS and not (word == "kind" and "of" not in rest[:8]):
            state.changed = state.changed or word in NOW
            i += 1
        elif word in ("never", "hardly", "rarely", "seldom"):
            state.negative = True
            i += 1
        elif word == "no" and i + 1 < len(words) and words[i + 1][0].lower() == "longer":
            state.ended = True
            i += 2
        elif word in (
            "don't",
            "do",
            "did",
            "didn't",
            "doesn't",
            "haven't",
            "hasn't",
            "wasn't",
            "weren't",
            "aren't",
            "ain't",
            "not",
            "won't",
            "can't",
            "cannot",
            "couldn't",
            "wouldn't",
            "shouldn't",
        ):
            following = words[i + 1][0].lower() if i + 1 < len(words) else ""
            if word == "do" and following not in (
                "not",
                "like",
                "love",
                "have",
                "enjoy",
                "prefer",
                "live",
                "work",
                "eat",
                "drink",
                "speak",
                "own",
                "use",
                "play",
            ):
                yield from said(text, start, words, i, end, "do", state)
                return
            if word in ("wouldn't", "shouldn't", "couldn't", "won't"):
                return
            state.negative = state.negative or word not in ("do", "did")
            state.past = state.past or word in ("did", "didn't", "wasn't", "weren't")
            if word in ("can't", "cannot"):
                state.can = True
            if word in ("haven't", "hasn't"):
                if following in ("got", "any"):
                    yield from said(
                        text, start, words, i + 1 if following == "got" else i, end, "have", state
                    )
                    return
                state.done = True
            if word in ("wasn't", "weren't", "aren't"):
                yield from said(text, start, words, i, end, "be", state)
                return
            i += 1
        elif word in ("'m", "am", "are", "'re", "was", "were", "been", "be"):
            state.past = state.past or word in ("was", "were")
            nxt = next(
                (
                    w[0].lower()
                    for w in words[i + 1 :]
                    if w[0].lower() not in _ADVERBS and w[0].lower() not in ("not", "no", "longer")
                ),
                "",
            )
            if nxt == "going" and re.search(
                r"\bgoing to (?!(?:the|a|my|school|church|bed|work|college|university|uni|therapy|(?-i:[A-Z]))\b)\w",
                rest,
                re.IGNORECASE,
            ):
                state.negative = state.negative or bool(re.match(r"\W*\w+ (?:\w+ )?not\b", rest))
                yield from planned(
                    text, start, re.compile(r"going to ", re.IGNORECASE), words[i].start(), end, state
                )
                return
            if nxt in ("planning", "hoping", "intending", "about", "aiming", "looking"):
                pattern = re.compile(
                    r"(?:planning|hoping|intending|aiming) (?:to |on (?=\w+ing)|(?=a |my |our ))|about to |looking to |looking forward to (?=starting|moving|becoming)",
                    re.IGNORECASE,
                )
                if nxt == "about" and state.past:
                    return
                yield from planned(text, start, pattern, words[i].start(), end, state)
                return
            form = forms().get(nxt)
            if form is not None and form[1] == "ing":
                j = next(k for k in range(i + 1, len(words)) if words[k][0].lower() == nxt)
                before = [w[0].lower() for w in words[i + 1 : j]]
                state.negative = state.negative or "not" in before
                state.ended = state.ended or ("no" in before and "longer" in before)
                if (
                    FUTURE.search(clause)
                    and not state.done
                    and not state.past
                    and form[0] not in ("learn", "study", "live", "suffer")
                ):
                    yield from planned(
                        text, start, re.compile(rf"(?={nxt}\b)", re.IGNORECASE), words[i].start(), end, state
                    )
                    return
                state.going = True
                yield from said(text, start, words, i, end, "be", state)
                i = j
                continue
            yield from said(text, start, words, i, end, "be", state)
            return
        elif word in ("'ve", "have", "has", "'d", "had"):
            ahead = [w[0].lower() for w in words[i + 1 : i + 5]]
            nxt = next(
                (w for w in ahead if w not in _ADVERBS and w not in ("not", "never", "no", "longer")), ""
            )
            form = forms().get(nxt)
            if nxt == "been":
                state.done = True
                state.negative = state.negative or "never" in ahead or "not" in ahead
                i += 1 + ahead.index("been")
                continue
            if word in ("'d",):
                if nxt in ("like", "love", "prefer") and _WISH.search(rest):
                    yield from planned(
                        text,
                        start,
                        re.compile(r"(?:like|love|prefer) to ", re.IGNORECASE),
                        words[i].start(),
                        end,
                        state,
                        wish=True,
                    )
                return
            if nxt == "got":
                tail = text[words[i].start() : end]
                at = tail.lower().index("got") + 3
                after_got = tail[at:].strip().lower()
                if word != "had" and not re.match(
                    r"(?:married|divorced|engaged|promoted|fired|laid off|diagnosed|pregnant|into|used to|to\b)",
                    after_got,
                ):
                    yield from said(text, start, words, i + 1 + ahead.index("got"), end, "have", state)
                    return
            if (
                form is not None
                and form[1] in ("past", "done")
                and word != "had"
                and not (word == "have" and nxt in ("left", "found", "cut", "set", "broken"))
            ):
                state.done = True
                state.negative = state.negative or "never" in ahead[:2] or "not" in ahead[:2]
                i += 1 + ahead.index(nxt)
                continue
            if form is None or word == "have" or word == "had":
                if nxt == "to":
                    return
                state.past = state.past or word == "had"
                yield from said(text, start, words, i, end, "have", state)
            return
        elif word in ("'ll", "will", "shall"):
            if FUTURE.search(clause) or re.search(
                r"will (?:be )?(?:mov|start|study|travel|retir|turn|marry|get married|becom)\w*",
                rest,
                re.IGNORECASE,
            ):
                yield from planned(
                    text,
                    start,
                    re.compile(r"(?:'ll|will|shall) (?:(?:probably|also|finally|be) )*", re.IGNORECASE),
                    words[i].start(),
                    end,
                    state,
                )
            return
        elif word in ("could", "would", "might", "may", "must", "should", "ought"):
            if word == "would" and _WISH.search(rest):
                yield from planned(
                    text,
                    start,
                    re.compile(r"(?:like|love|prefer) to ", re.IGNORECASE),
                    words[i].start(),
                    end,
                    state,
                    wish=True,
                )
            return
        elif word == "can":
            state.can = True
            i += 1
        elif word == "used" and rest.lower().startswith("used to "):
            state.ended = True
            i += 2
            if i < len(words) and words[i][0].lower() in ("be", "have"):
                yield from said(text, start, words, i, end, words[i][0].lower(), state)
                return
        elif (
            word
            in (
                "plan",
                "want",
                "hope",
                "intend",
                "decided",
                "aim",
                "wanna",
                "need",
                "booked",
                "signed",
                "applied",
            )
            and not state.past
        ):
            if word == "want":
                yield from planned(
                    text,
                    start,
                    re.compile(r"want to ", re.IGNORECASE),
                    words[i].start(),
                    end,
                    state,
                    wish=True,
                )
            elif word == "booked":
                yield from planned(
                    text,
                    start,
                    re.compile(r"(?=booked (?:a|an|our|my|two|the|flights?|tickets?)\b)", re.IGNORECASE),
                    words[i].start(),
                    end,
                    state,
                )
            elif word in ("need",):
                yield from said(text, start, words, i, end, "need", state)
            else:
                yield from planned(
                    text,
                    start,
                    re.compile(r"(?:plan|hope|intend|decided|aim) (?:to |on (?=\w+ing))", re.IGNORECASE),
                    words[i].start(),
                    end,
                    state,
                )
            return
        elif (
            word in ("started", "began", "start", "begin", "starting", "beginning")
            and re.match(r"\w+ (?:to )?(?P<f>\w+)", rest)
            and (forms().get((re.match(r"\w+ (?:to )?(\w+)", rest) or [rest, ""])[1].lower()) or ("", ""))[1]
            in ("ing", "present")
            and not re.match(r"\w+ (?:a|at|as|my|in|on|with|use)\b", rest)
        ):
            if word in ("start", "begin"):
                return
            state.changed = state.begun = True
            i += 2 if words[i + 1][0].lower() == "to" else 1
        elif word in ("stopped", "quit", "gave", "given", "stop", "quitting") and re.match(
            r"(?:stopped|quit|gave up|given up|quitting) \w+ing\b", rest, re.IGNORECASE
        ):
            state.ended = True
            i += 2 if word in ("gave", "given") else 1
            if words[i][0].lower() in ("smoking", "vaping"):
                yield claim_at("smokes", words[i][0], start, end, positive=False, changes=True)
                return
            if words[i][0].lower() == "drinking" and len(words) - i < 2:
                yield claim_at("alcohol", "drinking", start, end, positive=False, changes=True)
                return
        else:
            form = forms().get(word)
            if form is None:
                return
            lemma, tense = form
            if tense == "ing" and not (state.going or state.begun or state.ended):
                return
            state.past = state.past or (tense == "past" and not state.done and not state.ended)
            if lemma in ("stop", "give", "cut") and re.match(
                r"(?:gave up|given up|cut out|stopped)\b", rest, re.IGNORECASE
            ):
                lemma, i = "quit", i + (1 if word in ("gave", "given", "cut") else 0)
            if lemma == "go" and re.match(
                rf"went (?:fully |completely )?(?={'vegan|vegetarian|gluten|keto|sober|plant'})",
                rest,
                re.IGNORECASE,
            ):
                lemma = "go diet"
            if lemma == "split" or (lemma == "break" and re.match(r"\w+ up\b", rest)):
                lemma, i = f"{lemma} up", min(i + 1, len(words) - 1)
            if lemma == "get" and re.match(r"get up\b", rest, re.IGNORECASE):
                lemma, i = "get up", i + 1
            yield from said(text, start, words, i, end, lemma, state)
            return


def planned(
    text: str,
    start: int,
    pattern: re.Pattern[str],
    after: int,
    end: int,
    state: VerbPhrase,
    *,
    wish: bool = False,
) -> Iterator[Claim]:
    match = pattern.search(text, after, end)
    if match is None or state.past or state.done or state.ended:
        return
    if state.negative or re.search(
        r"\b(?:not|never|no longer|n't)\b", text[after : match.end()], re.IGNORECASE
    ):
        return
    value = text[match.end() : end].strip(" ,")
    kind = next(
        (
            name
            for name, verb in en.PLAN_OF
            if re.match(
                rf"(?:(?:also|finally|probably|eventually|definitely|be) )*{verb}\b", value, re.IGNORECASE
            )
        ),
        None,
    )
    if en.NO_PLAN.match(value) or not value or value.startswith(COVER):
        return
    if kind is None:
        if not (FUTURE.search(value) and not wish) and not value.startswith("booked"):
            return
        kind = "plan_travel" if value.startswith("booked") else "plan"
    until = next((m["when"] for m in TIME.finditer(value) if m["when"]), None)
    intended = cut(value)
    if intended:
        yield claim_at(
            kind,
            intended,
            start,
            match.end() + len(text[match.end() : end].rstrip(" ,")),
            status=PLAN,
            since=until,
        )

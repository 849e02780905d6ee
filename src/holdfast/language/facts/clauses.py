"""Rules for the clauses around a question for facts: context before and after it, and what cancels it.

A complete question may have context around it in words that the grammar does not know: why, for whom or on
what occasion it is asked. Context is a separate clause. It may not suppose anything, quote the question, ask
something else or answer it.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.language.facts.words import Word

_QUOTING = frozenset(
    "translate spell write type pronounce test query string regex survey quote quotes phrase sentence"
    " word words prompt wrote sql title translation example caption heading subject grep google titled"
    " labelled labeled entitled imagine suppose supposing assuming pretend unless"
    "".split()
)
"""Words before a question that show it is only quoted or supposed."""
_SPEAKING = frozenset("said say says saying asked ask asks reads read goes reply".split())
"""Verbs of saying right before a question: "The teacher said: what is my favorite color?"."""
_ORDERS = frozenset("ask answer reply say rephrase paraphrase rewrite".split())
_HARMLESS = frozenset("i never not didn't haven't don't can't couldn't wasn't isn't".split())
_IF_ASKED = frozenset("see know check tell sure remember ask wonder curious".split())
"""Words before an "if" that supposes nothing: "let's see if your memory works"."""
_IF_POLITE = (
    "if you've", "if you're", "if you don't", "if it's", "if it isn't", "if that's", "if it is", "if you can",
    "if you could", "if you have", "if you remember", "if you still", "if you look", "if you check",
    "if you know", "if i'm not", "if i may", "if memory serves", "if nobody", "if no one",
)  # fmt: skip
_REASONS = frozenset(
    "because cause coz cos since as so i i'm i've i'd i'll we we're we've we'd he he's she she's they they're"
    " my our the this there's just someone somebody need needed trying asking before while for it's".split()
)
"""First words of a clause that gives a reason or an occasion."""
_FORGETTING = ("i ", "i'm ", "can't ", "don't ", "couldn't ", "forgot", "need ")
"""Openings of phrases classed as commands that are only the reason for one."""
_JOINING = frozenset("so because cause coz cos since before while".split())
"""Reasons that need no comma before them."""
_SUBJECTS = frozenset(
    "i i'm i've i'd i'll we we're he he's she she's they they're my our the that it it's".split()
)
_VERBS = frozenset(
    "is are was were has have had wants want needs need asked asks says said keeps starts closes opens"
    " is's can can't won't will".split()
)
_ANSWERING = frozenset(
    "it's its that's that it that'd it'd it'll that'll probably definitely obviously easily clearly surely"
    " certainly undoubtedly always still i'd".split()
)
"""First words of a sentence that answers the question before it: "It's Heat." """
_RUNNING = frozenset("i'm we're".split())
_PLEASE = frozenset("please pls plz kindly".split())


def cuts(words: Sequence[Word]) -> list[int]:
    """Returns the positions at which a question may begin after other words: after a comma, a dash, "so"."""
    positions = []
    for i, word in enumerate(words[:-1], 1):
        runs_on = words[0].text in _RUNNING and words[i].kind in "qs" and word.kind not in "pcqa,&"
        may_begin = (word.text == "and" or runs_on) and _is_plain_question(words[i:])
        if word.kind == "," or word.text in ("but", "so") or may_begin:
            positions.append(i)
    return positions


def _is_plain_question(words: Sequence[Word]) -> bool:
    """Returns whether words begin as no subordinate clause does: "what is my", "can you tell", "remind
    me"."""
    kinds = "".join(word.kind for word in words[:4])
    return kinds.startswith(("qb", "qTb", "suc", "suzc", "cw")) or (
        kinds.startswith("c") and words[0].text.startswith(("i ", "need to know"))
    )


def is_quoted(before: Sequence[Word]) -> bool:
    """Returns whether the words before a question only quote it or suppose it: "The teacher said: ..."."""
    texts = [word.text for word in before]
    quoting = _QUOTING.intersection(texts)
    if quoting - ({"wrote"} if _HARMLESS.intersection(texts) else set()):
        return True
    last_word = [text for text in texts if text.isalpha()][-1:]
    if supposes(texts) or (_SPEAKING.intersection(last_word) and not {"i", "you"}.intersection(texts[-4:])):
        return True
    return texts[:1] != [] and (texts[0] in _ORDERS or {"how", "say"}.issubset(texts))


def leads(before: Sequence[Word], question: Sequence[Word]) -> bool:
    """Returns whether a question may follow these words of its sentence."""
    if is_quoted(before):
        return False
    last = before[-1]
    others = [word for word in before if word.kind in "xy"]
    runs_on = last.text == "and" or (last.kind not in ",&." and last.text != "so")
    if runs_on and any(word.kind in "qcH" and not word.text.startswith(_FORGETTING) for word in before):
        return False
    if others and question[0].text.startswith("you ") and question[-1].text != "?":
        return False
    is_introduced = last.text in ("so", ":", "-", "–", "—") or before[-2:][0].text == "asking"
    if not others or is_introduced or asks(question):
        return True
    return before[0].text in _RUNNING and question[-1].text == "?"


def supposes(texts: Sequence[str]) -> bool:
    """Returns whether words are a supposition: "if I drop Heat"."""
    for i, text in enumerate(texts):
        if text == "if" and not (i and texts[i - 1] in _IF_ASKED):
            rest = " ".join(texts[i : i + 4])
            if not rest.startswith(_IF_POLITE):
                return True
    return False


def asks(words: Sequence[Word]) -> bool:
    """Returns whether there is a question word, a command or "please"."""
    is_command = next((word for word in words if word.kind not in "z,&"), None)
    return any(word.kind in "qcH" or word.text in _PLEASE for word in words) or (
        is_command is not None and is_command.text == "list"
    )


def forgets(words: Sequence[Word]) -> bool:
    """Returns whether the words only say that the speaker has forgotten."""
    return any(word.text.startswith(_FORGETTING) for word in words if word.kind == "c")


def ends(words: Sequence[Word]) -> list[int]:
    """Returns the positions at which a question may end: at a comma, after "please", before "because"."""
    positions = []
    for i, word in enumerate(words[1:], 1):
        after = words[i + 1].text if i + 1 < len(words) else ""
        following = [nearby.text for nearby in words[i : i + 7]]
        if (
            word.kind == ","
            or word.text in _JOINING
            or word.text == "/"
            or words[i - 1].text in _PLEASE
            or (after.startswith("you") and word.text in ("when", "whenever", "if"))
            or (word.text == "as" and after in _SUBJECTS)
            or (word.text == "for" and len(words) - i < 7 and not _FORMS.isdisjoint(following))
        ):
            positions.append(i)
    return positions


def adds_nothing(question: Sequence[Word], rest: Sequence[Word]) -> bool:
    """Returns whether the words after a question only add a choice, a reason or an occasion: "the red or the
    blue?", "I need it for a form"."""
    is_comma = rest[0].text == ","
    if rest[0].text == "(" and rest[-1].text == "?" and rest[-2].text == ")":
        rest = rest[:-2]
    while rest and rest[0].kind in ",&":
        if rest[0].text == "or":
            break
        rest = rest[1:]
    texts = [text for word in rest for text in word.text.split()]
    if not texts or supposes(texts) or "mean" in texts or any(word.kind in "qHfF" for word in rest):
        return False
    if texts[0] == "or" and texts[1:2] and texts[1] in _OR_NOT:
        return True
    is_sure = asks(question) or "know" not in texts
    if is_sure and forgets(rest) and all(word.kind in "cz.," for word in rest):
        return True
    if any(word.kind == "c" and _commands(rest, i) for i, word in enumerate(rest)):
        return texts[:1] == ["don't"]
    if "or" in texts and len(texts) <= 8 and is_comma:
        return True
    if len(texts) == 1 and texts[0] in ("go", "help", "stat", "hurry", "over"):
        return True
    if not asks(question) and "need" not in texts[:2]:
        return False
    return _is_reason(rest, texts)


def _is_reason(rest: Sequence[Word], texts: Sequence[str]) -> bool:
    """Returns whether a clause gives the reason, purpose or manner of asking."""
    first, second = texts[0], texts[1] if len(texts) > 1 else ""
    if texts[-1] == "?":
        return (first, second) == ("the", "one")
    if any(word.kind == "l" and rest[i].kind == "m" for i, word in enumerate(rest[1:])):
        return False
    if first in _BRIEFLY:
        return second in _BRIEFLY[first]
    if first in ("it's", "it"):
        return not _URGENT.isdisjoint(texts[1:3])
    if first in ("when", "whenever", "if", "assuming", "provided"):
        return second.startswith("you") or first == "if"
    if first in ("so", "as", "since", "before", "while", "cause"):
        return any(text in _SUBJECTS for text in texts[1:3]) or second.startswith("you")
    if first in ("the", "this", "my", "our"):
        is_clause = any(text in _VERBS or text.endswith(("'s", "ing")) for text in texts[1:])
        return is_clause or (first, second) == ("the", "one")
    return first in _REASONS or not _ASKING.isdisjoint(texts[1:4])


def _commands(words: Sequence[Word], i: int) -> bool:
    """Returns whether the verb at index `i` is a command: "show me", but not "they show it"."""
    if words[i].text.startswith(_FORGETTING):
        return False
    return i == 0 or words[i - 1].kind in "&,.u" or words[i - 1].text in ("so", "then", "please", "just")


_FORMS = frozenset(
    "form card quiz survey profile bio playlist invitation invitations invite rsvp application questionnaire"
    " poster newsletter interview icebreaker record report caterer florist dj".split()
)
"""Purposes for which a fact is written down: "for the form" says nothing about the fact itself."""
_OR_NOT = frozenset("did have has do is was am don't haven't didn't not".split())
_URGENT = frozenset(
    "for urgent important on been bugging driving killing kind really so not embarrassing needed due".split()
)
"""Words after "it's" that give a reason and not an answer."""
_ASKING = frozenset("asking wants needs waiting wondering curious insists".split())
_BRIEFLY = {
    "no": frozenset("need explanation rush hurry details context more spoilers idea clue".split()),
    "don't": frozenset("make explain worry guess google add hold give ask".split()),
    "nothing": frozenset({"else", "more", "fancy", "", "."}),
    "only": frozenset("the that one".split()),
    "short": frozenset("answer version".split()),
    "in": frozenset({"case"}),
    "once": frozenset({"more", "again"}),
    "one": frozenset({"word", "line"}),
}
"""Phrases about the manner of the answer, by first and second word: "no need to explain"."""


def answers(words: Sequence[Word], question: Sequence[Word]) -> bool:
    """Returns whether a sentence answers the question before it ("Heat, of course"), so that nothing was
    asked."""
    unknown = [word for word in words if word.kind in "xyT"]
    if not unknown or any(word.kind in "qcH" for word in words):
        return False
    texts = [word.text for word in words if word.kind != "z" or word.text in _ANSWERING]
    if texts and texts[0] in _ANSWERING:
        return _URGENT.isdisjoint([word.text for word in words[1:3]])
    if texts and texts[0] == "(":
        return False
    if not asks(question):
        return texts[0] not in ("need", "i'm", "we're", "asking", "for") and texts[:2] != ["i", "need"]
    return sum(word.kind not in ".,&" for word in words) <= 3 and not {"i", "i'm", "my"}.intersection(texts)

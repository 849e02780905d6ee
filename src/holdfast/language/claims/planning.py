"""Readings of what somebody intends."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.core.claims import PLAN, Claim
from holdfast.language.claims.attributes import FUTURE
from holdfast.language.claims.clause import Clause
from holdfast.language.claims.making import claim_at
from holdfast.language.claims.verbs import pattern
from holdfast.language.claims.voice import COVER

_PLAN_OF = (
    ("plan_move", r"(?:mov(?:e|ing)\b(?! (?:on|forward|fast|ahead|right|past|along|the|this|that|it|quickly|towards?)\b)|relocat\w*|emigrat\w*|settle\b.*|downsiz\w*|.*\b(?:umziehen|ziehe?n?|umzug|auswandern|zusammenziehen)\b)"),
    ("plan_travel", r"(?:travel\w*|visit\w*|fly\w*|go(?:ing)? (?:to (?!bed|sleep|work)|on (?:a |an |holiday|vacation|safari)|hik|ski|camp|sail|back to|away|abroad)|hik\w+|trip|vacation|tour(?:ing)?\b|cycl\w+ (?:to|from|along|through|across)|spend\w* (?:a|the|two|three|our|my|christmas)|driv\w+ to|see(?:ing)? (?:japan|iceland|the (?:northern|aurora|sea|ocean|pyramids|alps|world|grand|great|family|kids))\b|interrail\w*|backpack\w*|walk\w* (?:the|from)|road ?trip\w*|do(?:ing)? the (?:camino|west|inca|trans|jmt|pct)|holiday\w*|.*\b(?:reisen|reise|fliegen|fliege|urlaub|nach .+ fahren|besuchen|radtour|jakobsweg|interrail|fahren wir)\b)"),
    ("plan_job", r"(?:(?:start|apply|quit|chang|look|leav|find|switch|open|found|launch|set|build)\w* (?:up )?(?:as |at |for |with )?(?:[\w'-]+ ){0,4}(?:job|company|business|position|career|work|shop|caf|practice|bakery|studio|startup|firm|teacher|chef|nurse|engineer|manager|apprentice\w*)\w*|retir\w*|freelanc\w*|becom\w+ (?:a|an|self)\b|go(?:ing)? (?:freelance|self-employed|part[- ]time|back to work)|retrain\w*|start\w* (?:at|as|with)\b|.*\b(?:job|stelle|kündigen|selbst(?:st)?ändig|bewerben|rente|firma|arbeitgeber|eröffnen|referendariat|elternzeit|gründen|umschul\w+)\b)"),
    ("plan_purchase", r"(?:buy\w*|get\w* (?:a|an|our|my|another|two) (?:new |first |second |electric |used )?\w*|purchas\w*|order\w* (?:a|an)|.*\b(?:kaufen|anschaffen|zulegen|holen)\b)"),
    ("plan_family", r"(?:get\w* (?:married|engaged|divorced)|marry\w*|hav\w+ (?:a baby|another|kids|children|a child|a second)|propos\w+|adopt\w*|wedding|try\w* for (?:a|another) (?:baby|child)|start\w* a family|foster\w*|.*\b(?:heiraten|heirate|hochzeit|kinder bekommen|adoptieren|verloben|nachwuchs)\b)"),
    ("plan_study", r"(?:learn\w*(?! (?:about|more|from|how|that|what|the basics|this|it))|study\w*|studied|enrol\w*|(?:tak|do|start|finish|complet|pass|resit)\w* (?:a|an|my|the|another) (?:[\w'-]+ )?(?:course|degree|class|exams?|phd|master|test|licen|apprentice|mba|a-levels|dissertation|thesis)\w*|go(?:ing)? (?:back )?to (?:school|uni|college|university)|apply\w* (?:to|for) (?:\w+ )?(?:uni|college|university|med|law|the|a)|.*\b(?:lernen|studieren|studium|kurs|ausbildung|meister|prüfung|abitur|führerschein|promovieren|master|bachelor|jagdschein|segelschein)\b)"),
    ("plan_event", r"(?:run\w* (?:a|the|my|in|another) (?:[\w-]+ ){0,2}(?:marathon|half|10k|5k|race|ultra|parkrun)|celebrat\w+|host\w*|attend\w*|throw\w* (?:a|my)|perform\w*|compet\w+|.*\b(?:marathon|triathlon|half[- ]marathon|party)\b)"),
    ("plan", r"(?:renovat\w*|build\w* (?:a|an|our) (?:house|shed|cabin|boat|extension|pond|greenhouse|deck|treehouse)|writ\w+ (?:a|my|our) (?:book|novel|memoir|thesis|dissertation)|quit\w* (?:smoking|drinking|sugar|my)|stop\w* (?:smoking|drinking|eating)|giv\w+ up|paint\w* (?:the|our|my)|train\w* for|los\w+ (?:\d|weight|some weight|about)|sell\w* (?:my|our|the (?:house|flat|car|boat|van|farm|business))|plant\w*|record\w* (?:an?|my) (?:album|song|podcast)|publish\w*|grow\w*|sign\w* up|join\w*|convert\w*|foster\w*|volunteer\w*|refinanc\w*|remortgag\w*|hav\w+ (?:surgery|an operation|my|a hip|a knee)|.*\b(?:aufhören|abnehmen|renovieren|bauen|verkaufen|pflanzen|sparen|umsteigen|teilnehmen|vegan|operieren)\b)"),
)  # fmt: skip

_NO_PLAN = re.compile(
    r"(?:(?:really|also|just|probably|be|maybe|then|still|eventually|only|first|finally) )*(?:know|ask|store|run (?:my|the|this|it)|handle|validate|integrate|incorporate|highlight|cover|submit|schedule|reach|follow|update|work (?:on|with|through)|continue|complete|finish|finali[sz]e|understand|see (?!the|a|my|japan|iceland)|make sure|make (?!wine|my own|our own|a (?:quilt|dress|career))|say|add|use|be able|hear|thank|check|find out|find|talk|discuss|clarify|share|point|figure|create|implement|put|put together|come up|improve|avoid|fix|turn|get (?:this|it|that|some|started|rid|back|the|help"
    r"|better|more|your|into detail|a (?:sense|better|feel|good|rough|quick|clear))|show|tell|let|give|send|try (?:this|that|it|out|your)|think|need|do (?:this|that|it|something|so|some|the)|have (?:this|it|that|the|some|more|to|a (?:look|list|table|chat))|take (?:a look|this|that|it|notes)|start (?:by|with|over|from)|read (?:it|this|that|your)"
    r"|write (?:a (?:function|script|test|query|program|letter|mail|email|message|poem|story|text|post|response|reply|regex|class|paragraph|cover|short|note|card|report|review|blog)|some|the|this|it|code|an? e?-?mail|to|back|down|in|something|my (?:cv|resume|cover))"
    r"|stay (?:on|with)|build (?:a (?:function|script|table|regex|model|app|website|dashboard|list|tool|bot|small|simple)|it|this)|go (?:with|through|ahead|over|for|to bed|into|to sleep)|paste|meet (?:your|the)|cut (?:it|this)|wait|focus|mention|avoid|print|explain|calculate|convert (?:this|it|a|the)|buy (?:it|this|that|groceries|milk|bread|some)|plan|organi[sz]e|prepare|keep|compare|learn (?:more|about|how (?:this|it|to (?:use|fix|do)))|be|cook|bake|eat|order (?:it|this)|visit (?:it|the (?:page|site))|set up (?:a|the|an) (?:server|database|repo|project|cron|pipeline|meeting))\b",
    re.IGNORECASE,
)

_NO_PLAN_DE = re.compile(
    r"\b(?:wissen|fragen|verstehen|sagen|haben dass|dass du|sicherstellen|danken|erklärt|kurz|ausprobieren|sehen|nachdenken|versuchen|schauen|überlegen|dir|dich|nie|niemals|text|mail|brief|funktion|skript|tabelle|vielleicht|zeigen|code|hören|wohl|verrückt|krank|müde|irre|daraus|damit|das|eine liste|wissen|vorschlag|schreiben|erstellen)\b",
    re.IGNORECASE,
)


_TURNING = re.compile(r"turning \d{1,3}\b(?! ?(?:%|degrees?|the|into|to))")


_LEADS = re.compile(r"^(?:(?:also|finally|probably|eventually|definitely|really|be|getting|maybe) )+(?=\w+)")
_NEAR = re.compile(
    r"\b(?:today|tonight|tomorrow|now|later|this (?:afternoon|evening|morning))\b", re.IGNORECASE
)


def planned(clause: Clause, text: str, *, going: bool = False) -> Iterator[Claim]:
    """Yields what is intended; `going` if the plan is in the form of its verb ("we are moving")."""
    if clause.negative or clause.ended or clause.used:
        return
    if clause.language == "de":
        yield from _german(clause, going=going)
    else:
        yield from _english(clause, _intended(clause, text, going=going))


def _german(clause: Clause, *, going: bool) -> Iterator[Claim]:
    """Yields the plan of a German clause; of one with "sein" in the form of its verb only a known kind."""
    whole = clause.whole
    if _NO_PLAN_DE.search(whole) or clause.planned == "need" or re.fullmatch(r"\d+", clause.rest):
        return
    kind = next(
        (name for name, verb in _PLAN_OF if pattern(verb).match(clause.rest) or pattern(verb).match(whole)),
        None,
    )
    if kind is None:
        has_time = FUTURE.search(whole) is not None
        is_leave = clause.verb == "be" and "elternzeit" in whole.lower()
        if not (is_leave or (has_time and (clause.planned in ("will", "plan") or clause.verb != "be"))):
            return
        if clause.verb == "be" and going:
            return
    yield _plan(clause, kind, clause.rest or whole)


def _intended(clause: Clause, text: str, *, going: bool) -> str:
    """Returns the words of an English plan, from its main verb on."""
    if going:
        tokens = [token for token in clause.tokens if token.low.endswith("ing")][:1]
    else:
        tokens = [token for token in clause.tokens if token.start >= clause.at]
    return text[tokens[0].start : clause.end] if tokens else clause.rest or clause.whole


def _english(clause: Clause, value: str) -> Iterator[Claim]:
    """Yields the plan of an English clause, or the age that somebody is going to have."""
    low = value.lower()
    if not value or value.startswith(COVER):
        return
    if (turning := _TURNING.match(low)) is not None:
        yield claim_at("age", turning[0], clause.start, clause.end)
        return
    if not low.startswith("getting "):
        low = _LEADS.sub("", low)
    kind = next(
        (
            name
            for name, verb in _PLAN_OF
            if pattern(rf"(?:{verb})\b").match(low) or pattern(rf"(?:{verb})").fullmatch(low)
        ),
        None,
    )
    if kind in (None, "plan", "plan_purchase", "plan_job") and _NO_PLAN.match(low):
        return
    if _NEAR.search(clause.whole):
        return
    is_said = FUTURE.search(clause.whole) and clause.planned in ("will", "plan", "", "want")
    if kind is not None or is_said:
        yield _plan(clause, kind, value)


def _plan(clause: Clause, kind: str | None, value: str) -> Claim:
    return claim_at(kind or "plan", value, clause.start, clause.end, status=PLAN, since=clause.when)

"""Words in which questions name times, in lower case and without accents."""

from __future__ import annotations

from itertools import chain


def _number_words(*lines: str, start: int = 0) -> dict[str, int]:
    """Numbers words by their position; `|` separates positions."""
    return {
        word: i for line in lines for i, cell in enumerate(line.split("|"), start) for word in cell.split()
    }


ENGLISH = _number_words(
    "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|"
    "october oct|november nov|december dec",
    start=1,
)
MONTHS = ENGLISH | _number_words(
    "januar janner|februar|marz maerz|april|mai|juni|juli|august|september|oktober okt|november|dezember dez",
    "janvier|fevrier|mars|avril|mai|juin|juillet|aout|septembre|octobre|novembre|decembre",
    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre setiembre|octubre|noviembre|diciembre",
    start=1,
)
DOUBTFUL = frozenset({"may", "march", "mar", "mars"})
"""Names of months that usually mean something else unless the context shows a month."""
WEEKDAYS = _number_words(
    "monday mon|tuesday tue tues|wednesday wed|thursday thu thurs|friday fri|saturday sat|sunday sun",
    "montag|dienstag|mittwoch|donnerstag|freitag|samstag sonnabend|sonntag",
    "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
    "lunes|martes|miercoles|jueves|viernes|sabado|domingo",
)
SEASONS = _number_words(
    "spring|summer|autumn fall|winter", "fruhling fruhjahr|sommer|herbst|", "printemps|ete|automne|hiver",
    "primavera|verano|otono|invierno",
)  # fmt: skip
COUNTS = _number_words(
    "a an one|two couple|three few|four several|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    "fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty",
    "ein eine einem einen einer|zwei|drei paar|vier einige einigen|funf|sechs|sieben|acht|neun|zehn",
    "un une|deux|trois quelques|quatre|cinq|six|sept|huit|neuf|dix",
    "un una|dos|tres unos unas|cuatro varios varias|cinco|seis|siete|ocho|nueve|diez",
    "一|二 两 兩|三|四 几 幾 数|五|六|七|八|九|十",
    start=1,
) | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
UNITS = {
    word: unit
    for unit, words in {
        "minute": "minute minutes minuten",
        "hour": "hour hours stunde stunden heure heures hora horas",
        "day": "day days tag tage tagen jour jours dia dias 天 日",
        "night": "night nights nacht nachte nuit noche",
        "evening": "morning afternoon evening",
        "week": "week weeks woche wochen semaine semaines semana semanas 周 週 週間 星期 礼拜 禮拜",
        "weekend": "weekend weekends wochenende wochenenden",
        "fortnight": "fortnight fortnights",
        "month": "month months monat monate monaten monats mois mes meses 月",
        "quarter": "quarter quarters quartal quartale trimestre trimestres",
        "year": "year years jahr jahre jahren jahres an ans annee annees ano anos 年",
    }.items()
    for word in words.split()
}
PARTS = {
    word: unit for word, unit in UNITS.items() if unit in {"day", "week", "weekend", "month", "quarter"}
} | {
    "half": "half",
    "halfte": "half",
    "moitie": "half",
}
"""Units of which a longer time has a first and a last."""
LENGTH = {"week": 7, "fortnight": 14, "month": 30, "quarter": 91, "year": 365}
"""Days that "three weeks ago" covers around the named one; other units cover one day."""
WITHIN_A_DAY = {"minute": 60_000, "hour": 3_600_000}
"""Their milliseconds."""
MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}

LAST = frozenset(
    "last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangenes vorige "
    "vorigen voriges dernier derniere derniers dernieres ultimo ultima ultimos ultimas".split()
)
LAST_AFTER = frozenset("dernier derniere derniers dernieres passe passee pasado pasada".split())
BEFORE_LAST = frozenset("vorletzte vorletzten vorletzter vorletztes".split())
THIS = frozenset("this diese diesen dieser dieses diesem ce cet cette este esta".split())
NEXT = frozenset("next coming upcoming nachste nachsten nachster nachstes prochain prochaine proximo".split())
AGO = frozenset({"ago", "back"})
SINGLE = {
    **dict.fromkeys("today tonight heute aujourd hoy 今天 今日 今晚 今夜".split(), ("day", 0)),
    **dict.fromkeys("yesterday gestern hier ayer 昨天 昨日".split(), ("day", 1)),
    **dict.fromkeys("vorgestern anteayer 前天 一昨日".split(), ("day", 2)),
    **dict.fromkeys("anoche 昨晚 昨夜".split(), ("night", 1)),
    **dict.fromkeys("recently lately kurzlich neulich recemment recientemente 最近".split(), ("recent", 0)),
    **dict.fromkeys("上周 上週 上星期 上个星期 上個星期 上礼拜 上个礼拜 上個禮拜 先週".split(), ("week", 1)),
    **dict.fromkeys("这周 這週 本周 本週 这星期 这个星期 這個星期 这个礼拜 今週".split(), ("week", 0)),
    **dict.fromkeys("上上周 上上週 上上个星期 先々週".split(), ("week", 2)),
    **dict.fromkeys("上周末 上週末 上个周末 上個週末 先週末".split(), ("weekend", 1)),
    **dict.fromkeys("这周末 這週末 这个周末 今週末".split(), ("weekend", 0)),
    **dict.fromkeys("上月 上个月 上個月 先月".split(), ("month", 1)),
    **dict.fromkeys("这个月 這個月 本月 今月".split(), ("month", 0)),
    **dict.fromkeys("上上个月 上上個月 先々月".split(), ("month", 2)),
    **dict.fromkeys("去年 昨年".split(), ("year", 1)), "今年": ("year", 0),
    **dict.fromkeys("前年 一昨年".split(), ("year", 2)),
}  # fmt: skip
THIRDS = _number_words(
    "early beginning start anfang debut principios comienzos|mid middle mitte mi mediados|"
    "late end ende fin finales"
)
BARE_PARTS = frozenset("early mid late anfang mitte ende debut mi fin".split())
ORDINALS = {**_number_words("first|second|third|fourth", "1st|2nd|3rd|4th"), "last": -1, "final": -1}
OF = frozenset("of in the de del la le l ' von des vom".split())
BEFORE_YEAR = frozenset(", of in ( - / the year de del des".split())
TO = frozenset("to until till through thru - ~ bis a al hasta 到 至 から".split())
AND = frozenset("and or & / und oder et ou y 和".split())
SINCE = frozenset("since after seit nach depuis apres desde".split())
BEFORE = frozenset("before vor avant antes".split())
NOW = frozenset("now present today heute".split())
BETWEEN = frozenset("between zwischen entre".split())
SAYS_IN = frozenset("in during since im seit en desde depuis".split())
BEFORE_MONTH = SAYS_IN | LAST | THIS | BARE_PARTS | BETWEEN | frozenset(
    "of by until till before after around from ab bis de hasta 去年 今年".split()
)  # fmt: skip
BEFORE_FOREIGN = BEFORE_MONTH - frozenset(
    "in during since of by until till before after around from last past previous this early late mid".split()
)
BEFORE_DAY = frozenset("on am le el".split())
BEFORE_SEASON = SAYS_IN | frozenset("over by until of".split())
OF_DAY = frozenset("of de del - /".split())
FISCAL = frozenset("fiscal financial academic school".split())
PHRASES: dict[str, tuple[tuple[list[str], str, int], ...]] = {
    "day": ((["before", "yesterday"], "day", 2),),
    "other": ((["day"], "recent", 0),),
    "avant": ((["-", "hier"], "day", 2),),
    "antes": ((["de", "ayer"], "day", 2),),
}
"""Phrases by their first word: the other words, the unit, and how many units back."""
HERE = frozenset("ist sind was war wer wie wo wir ich der das und nicht gibt hat haben kann steht".split())
"""German words next to which "hier" is not the French for yesterday."""

SIGNS = frozenset(chain(MONTHS, WEEKDAYS, SEASONS, UNITS, SINGLE)) - {"an"} | {
    "dernier",
    "il",
    "past",
    "other",
}
"""Words of which every period without a digit or a Chinese character contains one."""

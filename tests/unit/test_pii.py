"""Personal data is rated, found and redacted; dates, ids and versions are not personal data (S2.15-S2.19)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.features.admission.draft import Draft
from holdfast.language.national_ids import luhn
from holdfast.language.pii import NATIONAL_IDS, find_pii, pii_risk, redact_pii
from tests.cases import each
from tests.growth import grows_at_most
from tests.support import gate_of
from tools.evaluation.corpora.ordinary import ordinary_memories
from tools.evaluation.corpora.pii import planted_pii
from tools.evaluation.corpora.secrets import DEVELOPMENT_SEED


@each(
    "text, risk",
    [
        ("", 0),
        ("the meeting is on Friday", 0),
        ("mail [REDACTED_EMAIL] about it", 1),
        ("key [REDACTED: github_token] was removed", 1),
        ("server 203.0.113.7 answers", 1),
        ("write to anna@example.com", 2),
        ("call +49 30 1234567", 2),
        ("card 4111 1111 1111 1111", 2),
        ("IBAN DE89 3704 0044 0532 0130 00", 2),
        ("SSN 123-45-6789", 2),
        ("[REDACTED_PHONE] or anna@example.com", 2),
    ],
)
def test_s2_16_risk(text: str, risk: int) -> None:
    assert pii_risk(text) == risk


@pytest.mark.parametrize(
    ("metadata", "risk"),
    [
        ({"card": 4111111111111111}, 2),
        ({"card": 4111111111111111.0}, 2),
        ({"paid": [{"with": [5555555555554444]}]}, 2),
        ({"ssn": 123456789}, 2),
        ({"id": 11010519491231002}, 0),
        ({"cn": 110105194912310046}, 2),
        ({"at": 1700000000123, "ok": True, "ratio": 0.5, "none": None, "big": 10**400, "small": 1e-300}, 0),
    ],
)
def test_s2_16_a_number_in_metadata_counts_as_if_it_were_written(metadata: dict[str, Any], risk: int) -> None:
    admitted = gate_of("ana").admit(Draft("paid", metadata=metadata), id="m", now=0)
    assert admitted.memory.pii_risk == risk
    assert admitted.memory.metadata == metadata


@each(
    "text",
    [
        "2024-01-15", "2024-01-15 10:30:00", "2024-01-15T10:30:00.123Z", "15.01.2024 10.30", "01/02/2024",
        "20240115 103000", "1700000000", "1700000000123", "call at 1700000000", "order 4155550123",
        "order 415-555-0123", "invoice no. 2024-000123-45", "id 12345678901", "ticket #415-555-0123",
        "INV-415-555-0123", "tracking number 1234 5678 9012", "ISBN 978-3-16-148410-0",
        "version 10.20.30.40", "v1.2.3.4", "build 1.26.4.2000", "numpy==1.26.4.1-5", "100 200 300 400 500",
        "10 000 000 - 20 000 000", "192.168.1.20 and 127.0.0.1", "550e8400-e29b-41d4-a716-446655440000",
        "+12345678.9", "MA 02110-1301", "1016-1098 North", "#415-555-0123", "0x4155550123",
        "lines 100-200", "10:30:45", "https://example.com/415-555-0123/x", "2016-2020",
        "4111 1111 1111 1112", "1234567812345678", "DE89 3704 0044 0532 0130 01", "000-12-3456",
        "666-12-3456", "std::string", "git@github.com:acme/app.git", "icon@2x.png", "react@18.2.0",
        "aes256-gcm@openssh.com", "@decorator.property",
    ],
)  # fmt: skip
def test_s2_16_dates_ids_and_versions_are_not_personal(text: str) -> None:
    assert find_pii(text) == []
    assert pii_risk(text) == 0


@each(
    "phone",
    [
        "+1 415 555 0123", "+1-415-555-0123", "(415) 555-0123", "415-555-0123", "415.555.0123",
        "1-800-555-0199", "+4915112345678", "+49 (0)30 1234567", "0049 30 1234567", "030/1234567",
        "0171 2345678", "020 7946 0958", "01 23 45 67 89", "+91 98765 43210",
    ],
)  # fmt: skip
def test_s2_16_phones_of_many_countries(phone: str) -> None:
    text = f"Reach her under {phone}, not on Sunday."
    assert redact_pii(text) == ("Reach her under [REDACTED_PHONE], not on Sunday.", ("phone",))


@pytest.mark.parametrize(
    "words", ["call me at", "Tel.", "phone:", "WhatsApp", "my number is", "mobil", "电话："]
)
def test_s2_16_a_local_number_counts_when_it_is_announced(words: str) -> None:
    assert redact_pii(f"{words} 5550123 99")[1] == ("phone",)
    assert redact_pii("room 5550123 99")[1] == ()


def test_s2_19_redaction_keeps_the_rest() -> None:
    text = (
        "Anna <anna@example.com>, +49 30 1234567, pays with 5555555555554444 from GB82 WEST 1234 5698 7654 32"
    )
    assert redact_pii(text) == (
        "Anna <[REDACTED_EMAIL]>, [REDACTED_PHONE], pays with [REDACTED_CARD] from [REDACTED_IBAN]",
        ("email", "phone", "card", "iban"),
    )
    assert (
        redact_pii("from 2001:db8::7 as 529.982.247-25")[0] == "from [REDACTED_IP] as [REDACTED_NATIONAL_ID]"
    )


def test_s2_16_findings_count_characters() -> None:
    text = "Grüße an søren@example.com – dänke"
    (finding,) = find_pii(text)
    assert text[finding.start : finding.end] == "søren@example.com"


@each(
    "name, valid, invalid",
    [
        ("us_ssn", "123-45-6789", "900-45-6789"),
        ("us_ssn_plain", "ssn 123456789", "number 123456789"),
        ("uk_nino", "AB 12 34 56 C", "GB 12 34 56 C"),
        ("es_dni", "12345678Z", "12345678A"),
        ("es_dni", "X1234567L", "X1234567A"),
        ("it_codice_fiscale", "RSSMRA85T10A562S", "RSSMRA85T10A562T"),
        ("fr_nir", "2 55 08 14 168 025 38", "2 55 08 14 168 025 39"),
        ("br_cpf", "529.982.247-25", "529.982.247-26"),
        ("cn_id", "11010519491231002X", "110105194912310021"),
        ("se_personnummer", "personnummer 811218-9876", "811218-9876"),
        ("in_aadhaar", "2341 2341 2346", "2341 2341 2347"),
        ("pl_pesel", "PESEL 44051401359", "PESEL 44051401358"),
        ("de_steuer_id", "Steuer-ID 86095742719", "Steuer-ID 86095742718"),
        ("nl_bsn", "BSN 111222333", "BSN 111222334"),
        ("ca_sin", "SIN 130 692 544", "SIN 130 692 545"),
    ],
)
def test_s2_16_national_ids_are_checked_and_chosen(name: str, valid: str, invalid: str) -> None:
    def found(text: str) -> bool:
        return any(finding.type == "national_id" for finding in find_pii(f"({text})", national_ids=(name,)))

    assert found(valid)
    assert not found(invalid)
    assert not any(finding.type == "national_id" for finding in find_pii(valid, national_ids=()))
    assert name in NATIONAL_IDS


@each(
    "name, text, is_found",
    [
        ("us_ssn_plain", "SSNs: 123456789", True),
        ("us_ssn_plain", "customerSSN=123456789", True),
        ("us_ssn_plain", "ssnNumber 123456789", True),
        ("us_ssn_plain", "user_ssn: 123456789", True),
        ("us_ssn_plain", "Social Security number 123456789", True),
        ("us_ssn_plain", "className 123456789", False),
        ("us_ssn_plain", "the ssnake 123456789", False),
        ("de_steuer_id", "Steueridentifikationsnummer 86095742719", True),
        ("de_steuer_id", "TIN 86095742719", True),
        ("de_steuer_id", "the meeting counted 86095742719", False),
        ("de_steuer_id", "meeting, then TIN 86095742719", True),
        ("ca_sin", "we are using 130 692 544 rows", False),
        ("ca_sin", "a business of 130692544", False),
        ("nl_bsn", "bsn130692544 or bsn: 111222333", True),
    ],
)
def test_s2_16_words_announce_a_number_as_words_of_their_own(name: str, text: str, is_found: bool) -> None:
    found = find_pii(text, national_ids=(name,))
    assert any(finding.type == "national_id" for finding in found) == is_found


def test_a_word_that_begins_like_the_name_of_a_card_announces_none():
    number = "L01X00T471"
    assert [one.type for one in find_pii(f"Perso: {number}")] == ["national_id"]
    assert find_pii(f"Personal build {number}") == []


def test_s2_16_further_types_come_from_configuration() -> None:
    staff = {"staff": r"\bE-\d{6}\b"}
    text = "The badge E-123456 is lost."
    assert find_pii(text) == []
    assert redact_pii(text, extra=staff) == ("The badge [REDACTED_STAFF] is lost.", ("staff",))
    assert pii_risk(text, extra=staff) == 2


def test_s2_16_recall_per_type_on_planted_data() -> None:
    total, found = Counter[str](), Counter[str]()
    for text in planted_pii(DEVELOPMENT_SEED, per_kind=60):
        start = text.text.index(text.secret)
        total[text.family] += 1
        found[text.family] += any(
            finding.type == text.family.partition(" ")[0]
            and finding.start <= start
            and start + len(text.secret) <= finding.end
            for finding in find_pii(text.text)
        )
    assert {kind: found[kind] / count for kind, count in total.items() if found[kind] < 0.98 * count} == {}


def test_s2_16_ordinary_memories_do_not_wait_for_review() -> None:
    memories = ordinary_memories(DEVELOPMENT_SEED)
    waiting = [text for text in memories if pii_risk(text) == 2]
    assert len(waiting) <= 0.005 * len(memories), waiting[:10]


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from("0123456789 +-./()@abc.com:é\n"), max_size=60).map("".join)
)
def test_s2_19_redacting_leaves_nothing_to_find_and_findings_are_disjoint(text: str) -> None:
    findings = find_pii(text)
    edges = [edge for finding in findings for edge in (finding.start, finding.end)]
    assert edges == sorted(edges)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in findings)
    assert pii_risk(redact_pii(text)[0]) >= (1 if findings else 0)


@given(st.text("0123456789", min_size=1, max_size=18))
def test_s2_16_luhn_accepts_exactly_one_check_digit(digits: str) -> None:
    assert sum(luhn(digits + check) for check in "0123456789") == 1


@pytest.mark.parametrize("unit", ["1 ", "a@", "a@b.", "+1", "(0) ", "DE89", "1.2.3.", "2001:", "tel "])
def test_s2_16_time_grows_with_the_length_of_hostile_text(unit: str) -> None:
    text = unit * 8_000
    assert grows_at_most(
        lambda count: pii_risk(text[: len(unit) * count]), 1_000, 8_000, factor=32, floor=5e-4
    )  # 8 is linear, 64 quadratic


@each(
    "text, type_",
    [
        ("write to ｊｏ＠ｅｘａｍｐｌｅ．ｏｒｇ", "email"),
        ("call ＋４９ ３０ １２３４５６７", "phone"),
        ("card ４１１１ １１１１ １１１１ １１１１", "card"),
        ("card ٤١١١ ١١١١ ١١١١ ١١١١", "card"),
        ("ssh from ２０３．０．１１３．９", "ip"),
        ("remote_addr=203.0.113.9", "ip"),
        ("12 Elm Street, Springfield, IL 62704", "address"),
        ("Musterstraße 12, 10115 Berlin", "address"),
        ("12 rue de la Paix, 75002 Paris", "address"),
        ("Calle Mayor 5, 28013 Madrid", "address"),
        ("my address is 4 Elm Road", "address"),
        ("Ich wohne in der Lindenallee 7", "address"),
    ],
)
def test_s2_16_full_width_digits_and_addresses_are_personal_data(text: str, type_: str) -> None:
    (found,) = find_pii(text)
    assert found.type == type_
    assert text[found.start : found.end] in text
    assert (pii_risk(text) == 2) == (type_ != "ip")


@pytest.mark.parametrize(
    "text",
    ["version=1.2.3.4", "Route 66 is long", "the 3 way handshake took 20000 ms", "drive 12 of rack 10115"],
)
def test_s2_16_no_address(text: str) -> None:
    assert find_pii(text) == []

"""What people tell each other is found: in sentences, conversations and lists (S4.20, S4.22)."""

from __future__ import annotations

import pytest

from holdfast.language.secrets.find import find_secrets, redact_all, redact_secrets
from holdfast.language.secrets.handover.frame import Frame
from holdfast.language.secrets.handover.frames import GROUPS
from tests.cases import each
from tests.growth import grows_at_most
from tools.evaluation.corpora.handovers import handed_over, only_spoken_of
from tools.evaluation.corpora.passwords import half_survives

LICENCES = ("BSD-3-Clause", "Apache-2.0 or Expat", "GPL-2+", "LGPL-2.1-or-later")
_FRAMES = [frame for group in GROUPS for frame in group]


@each("frame", _FRAMES)
def test_s4_20_every_frame_finds_what_it_is_for(frame: Frame) -> None:
    assert find_secrets(frame.example), frame.pattern


@each("frame", _FRAMES)
def test_s4_21_what_looks_like_a_frame_is_left(frame: Frame) -> None:
    assert redact_secrets(frame.unlike) == (frame.unlike, ())


@each("text, secrets", handed_over())
def test_s4_20_a_secret_that_is_told_is_found(text: str, secrets: tuple[str, ...]) -> None:
    redacted = redact_secrets(text)[0]
    assert not [secret for secret in secrets if half_survives(secret, redacted)]


@each("text", only_spoken_of())
def test_s4_21_what_only_speaks_of_secrets_is_left(text: str) -> None:
    assert redact_secrets(text) == (text, ())


def test_s4_22_redacting_what_was_told_twice_changes_nothing() -> None:
    for text, _ in handed_over():
        once = redact_secrets(text)[0]
        assert redact_secrets(once) == (once, ()), text


def test_s4_20_texts_together_are_judged_as_each_by_itself() -> None:
    texts = [text for text, _ in handed_over()] + only_spoken_of()
    assert redact_all(texts) == [redact_secrets(text) for text in texts]


def test_s4_20_a_secret_that_is_told_is_redacted_where_it_is_said_again() -> None:
    text = "The wifi password is marmalade. No spaces: marmalade. Our marmalades are in the cellar."
    assert redact_secrets(text)[0].count("marmalade") == 1


@pytest.mark.parametrize(
    "unit",
    [
        "the code of the door is ",
        "the door code is 6605, ",
        "password? no. ",
        "Ida: the password?\nRob: wait\n",
        "the passphrase that opens the old box by the ",
        "Recovery codes:\n1) 4k2m-9x7p\n",
        "so type it, all lowercase, ",
        "“the password” – ",
    ],
)
def test_s4_20_time_grows_with_the_length_of_what_is_told(unit: str) -> None:
    text = unit * 1_600
    assert grows_at_most(
        lambda count: redact_secrets(text[: len(unit) * count]), 200, 1_600, factor=32, floor=5e-4
    )  # 8 is linear, 64 quadratic


_PAGE = """<h2>crypto.sign(algorithm, data, key)</h2>
<ul><li><code>passphrase</code>: <a href="buffer.html" class="type">&#x3C;string></a> The passphrase of the
key.</li><li>Then <span class="attr">passphrase</span>: <span class="string">'…'</span> is given.</li></ul>
<table><tbody><tr><th>Version</th><th>Changes</th></tr></tbody></table>
<p>If the private key is encrypted, the passphrase is <em>required</em>, the key can&rsquo;t be read.</p>"""


def test_s4_21_the_markup_of_a_page_is_no_secret() -> None:
    assert redact_secrets(_PAGE) == (_PAGE, ())


def test_s4_20_a_password_on_a_page_is_found_between_its_tags() -> None:
    page = "<p>Hi Ana,</p>\n<p>The password for the portal is <b>{}</b></p>\n<p>Tom</p>"
    assert "tulpen47" not in redact_secrets(page.format("tulpen47"))[0]


def test_s4_21_terms_of_a_licence_are_no_secrets() -> None:
    files = "\n\n".join(
        f"Files: src/{name}/*\nCopyright: 2019-2024, the authors of {name}\nLicense: {license}"
        for name, license in zip("auth keys vault login".split(), LICENCES, strict=True)
    )
    assert redact_secrets(files) == (files, ())


def test_s4_20_a_password_on_a_page_is_found_again_in_its_attributes() -> None:
    page = '<p>Hi</p><p>The password for the router is {}.</p><p>Bye</p><img alt="{}" src="a/{}.png">'
    assert "Sunflower-4711" not in redact_secrets(page.replace("{}", "Sunflower-4711"))[0]


def test_s4_22_a_secret_around_one_that_was_found_before_it_is_redacted_whole() -> None:
    text = f"<password>abc {'ghp_' + '16C7e42F292c6912E7710c838347Ae178B4a'} Sunflower-4711</password>"
    assert redact_secrets(text)[0] == "<password>[REDACTED: github_token]</password>"


def test_s4_20_a_login_that_is_said_to_be_the_password_is_found() -> None:
    assert "4711" not in redact_secrets("The login: Sunflower-4711! It is the password for the door.")[0]

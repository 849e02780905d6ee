"""Documents: the text of each format, and hostile files that end in a reason instead of a hang."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from holdfast.features.reading import sandbox, sandbox_worker
from holdfast.features.reading.file_reader import Extracted, read_file
from holdfast.features.reading.markup import attributes, readable
from holdfast.features.reading.skip_reasons import Skipped
from tests.cases import each
from tests.support import PATIENCE


def read(root: Path, path: str) -> str:
    one = read_file(root, path)
    assert isinstance(one, Extracted), one
    return one.text


def why(root: Path, path: str) -> str:
    one = read_file(root, path)
    assert isinstance(one, Skipped), one
    return one.reason_code


def pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for text in pages:
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects) + 2} 0 R "
            "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    body, offsets = "%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    end = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    return f"{body}{end}{trailer}".encode()


def test_s1_60_pdf(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("The harbour opens at six", "Second page"))
    (tmp_path / "scan.pdf").write_bytes(pdf(""))
    assert read(tmp_path, "a.pdf") == "The harbour opens at six\fSecond page"
    one = read_file(tmp_path, "scan.pdf")
    assert isinstance(one, Skipped)
    assert (one.reason_code, "scanned" in one.reason) == ("empty", True)


def test_s1_60_an_encrypted_pdf_is_left_and_one_without_user_password_is_read(tmp_path: Path) -> None:
    from pypdf import PdfReader, PdfWriter

    for name, user in (("locked.pdf", "hunter2"), ("open.pdf", "")):
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("Inside"))))
        writer.encrypt(user_password=user, owner_password="owner", algorithm="AES-256")
        writer.write(tmp_path / name)
    assert why(tmp_path, "locked.pdf") == "encrypted"
    assert read(tmp_path, "open.pdf") == "Inside"


def test_s1_60_docx_and_odt_with_headings_and_tables(tmp_path: Path) -> None:
    from docx import Document
    from odfdo import Document as OpenDocument
    from odfdo import Header, Paragraph

    document = Document()
    document.add_heading("Harbour", 0)
    document.add_heading("Tides", 2)
    document.add_paragraph("High water at noon.")
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Berth", "Seven"
    document.save(str(tmp_path / "a.docx"))
    assert read(tmp_path, "a.docx").split("\n\n") == [
        "# Harbour",
        "## Tides",
        "High water at noon.",
        "Berth | Seven",
        "",
    ]
    flowing = OpenDocument("text")
    flowing.body.clear()
    flowing.body.append(Header(1, "Harbour"))
    flowing.body.append(Paragraph("High water at noon."))
    flowing.save(str(tmp_path / "a.odt"))
    assert read(tmp_path, "a.odt").strip() == "# Harbour\n\nHigh water at noon."


def test_s1_60_pptx_and_odp_slide_by_slide(tmp_path: Path) -> None:
    from odfdo import Document as OpenDocument
    from odfdo import DrawPage, Frame
    from pptx import Presentation

    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Plan"
    slide.placeholders[1].text = "Dredge the harbour"
    slide.notes_slide.notes_text_frame.text = "Ask Ana"
    deck.save(str(tmp_path / "a.pptx"))
    text = read(tmp_path, "a.pptx")
    assert text.startswith("# Slide 1: Plan\n\nDredge the harbour\n\nNotes: Ask Ana")
    drawn = OpenDocument("presentation")
    drawn.body.clear()
    page = DrawPage("page1", name="One")
    page.append(Frame.text_frame("Dredge the harbour", size=("7cm", "5cm"), position=("1cm", "1cm")))
    drawn.body.append(page)
    drawn.save(str(tmp_path / "a.odp"))
    assert read(tmp_path, "a.odp").startswith("# Slide 1\n\nDredge the harbour")


def test_s1_60_sheets_row_by_row(tmp_path: Path) -> None:
    import xlsxwriter  # type: ignore[import-untyped]

    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        sheet = book.add_worksheet("Berths")
        sheet.write_row(0, 0, ["Berth", "Depth"])
        sheet.write_row(2, 0, ["Seven", 12, 3.5])
    assert read(tmp_path, "a.xlsx") == "# Berths\n\nBerth | Depth\n\nSeven | 12 | 3.5\n\n"


def test_s1_60_rtf_notebook_and_mail(tmp_path: Path) -> None:
    (tmp_path / "a.rtf").write_text(r"{\rtf1\ansi The \b harbour\b0  opens.\par Caf\'e9}")
    assert read(tmp_path, "a.rtf").strip() == "The harbour opens.\nCafé"
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "How high?"]},
        {"cell_type": "code", "source": "print(1)", "outputs": [{"text": "not this"}]},
    ]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))
    assert read(tmp_path, "a.ipynb") == "# Tides\nHow high?\n\n```python\nprint(1)\n```\n\n"
    (tmp_path / "a.eml").write_bytes(
        b"From: Ana <ana@example.org>\r\nTo: ben@example.org\r\nSubject: =?utf-8?q?Caf=C3=A9?=\r\n"
        b"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
        b"Content-Type: text/html; charset=utf-8\r\n\r\n<p>At <b>noon</b>.</p><script>x()</script>\r\n--b\r\n"
        b'Content-Disposition: attachment; filename="plan.zip"\r\n\r\nPK\r\n--b--\r\n'
    )
    assert read(tmp_path, "a.eml") == (
        "# Café\n\nFrom: Ana <ana@example.org>\nTo: ben@example.org\n\nAt noon.\n\nAttachments: plan.zip\n"
    )


def test_each_message_of_a_mailbox_is_read_as_a_message(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_bytes(
        b"From ana@example.org Tue Sep  3 10:00:00 2024\n"
        b"From: =?utf-8?q?H=C3=A9l=C3=A8ne?= <h@example.org>\nSubject: =?utf-8?q?Pr=C3=AAt?=\n"
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"Le spectrom=C3=A8tre est pr=C3=AAt=C3=A9.\n\nFrom Toulouse it comes back.\n>From there.\n\n"
        b"From MAILER-DAEMON Tue Sep  3 11:00:00 2024\r\nFrom: ben@example.org\r\n\r\nNo subject here.\r\n"
    )
    assert read(tmp_path, "a.mbox") == (
        "# Prêt\n\nFrom: Hélène <h@example.org>\n\n"
        "Le spectromètre est prêté.\n\nFrom Toulouse it comes back.\nFrom there.\n\n"
        "# No subject\n\nFrom: ben@example.org\n\nNo subject here.\n\n"
    )
    (tmp_path / "b.mbox").write_bytes(b"no mail")
    assert why(tmp_path, "b.mbox") == "broken"


def test_s1_60_epub_in_reading_order(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.epub", "w") as book:
        book.writestr("META-INF/container.xml", '<container><rootfile full-path="OPS/a.opf"/></container>')
        book.writestr(
            "OPS/a.opf",
            '<opf:package xmlns:opf="x"><opf:item id="one" href="one%20a.xhtml"/>'
            '<opf:item id="two" href="two.xhtml"/><opf:itemref idref="two"/><opf:itemref idref="one"/>'
            '<opf:itemref idref="../../etc"/></opf:package>',
        )
        head = "<!DOCTYPE html><html><head><title>no</title></head>"
        page = head + "<body><h2>{0}</h2><p>Text &amp; {0}</p></body></html>"
        book.writestr("OPS/one a.xhtml", page.format("One"))
        book.writestr("OPS/two.xhtml", page.format("Two"))
    assert read(tmp_path, "a.epub") == "## Two\n\nText & Two\n\n## One\n\nText & One\n\n"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<html><head><title>no</title><body><p>The head has no end.", "The head has no end."),
        ('<head><title/><script src="x"/></head><body>XHTML<br/>closes</body>', "XHTML\ncloses"),
        ("<table><tr><td>a</td><td>b</td></tr></table>c", "| a | b\n\nc"),
        ("<ul><li>one<li>two</ul><script>if (a<b) no()</script>", "- one\n- two"),
        ("<meta charset=iso-8859-1><p>caf\u00e9 &amp; &lt;b&gt;", "caf\u00e9 & <b>"),
        ("<div>" * 3_000 + "deep" + "</div>" * 3_000, "deep"),
        (" \n", ""),
    ],
)
def test_html_is_what_a_reader_of_the_page_sees(html: str, text: str) -> None:
    assert readable(html).strip() == text


@each("mark", ["<a ", "<!--", "<![", '<a b="', "<svg>", "&", "</", "<script>"])
def test_html_of_a_million_open_marks_is_read(mark: str) -> None:
    """It would take hours where work grows with the square of the length."""
    assert readable("<p>before" + mark * 1_000_000).startswith("before")


def test_attributes_of_damaged_xml_are_read_as_far_as_it_goes() -> None:
    xml = '<?xml version="1.0" encoding="utf-16"?><p><!-- c --><x:item id="\u00e9"/><item id="b"/><item id='
    assert attributes(xml, "item") == [{"id": "\u00e9"}, {"id": "b"}, {}]
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert "a" * 100 not in str(attributes(bomb + "]><p><item id='&i;'/></p>", "item"))


@pytest.mark.parametrize("suffix", "pdf docx pptx xlsx xls odt odp rtf eml msg epub ipynb".split())
@pytest.mark.parametrize(
    "data", [b"not what it says", b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600]
)
def test_s1_60_a_damaged_document_has_a_reason(tmp_path: Path, suffix: str, data: bytes) -> None:
    (tmp_path / f"a.{suffix}").write_bytes(data)
    assert why(tmp_path, f"a.{suffix}") in ("broken", "encrypted", "unsafe", "empty")


@pytest.mark.parametrize("suffix", ["docx", "pptx", "xlsx", "odt", "epub"])
def test_an_archive_that_unpacks_to_far_more_is_refused(tmp_path: Path, suffix: str) -> None:
    with zipfile.ZipFile(tmp_path / f"a.{suffix}", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("content.xml", b"\0" * (64 << 20))
    assert why(tmp_path, f"a.{suffix}") == "unsafe"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_entities_are_refused(tmp_path: Path, encoding: str) -> None:
    xml = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>'
    with zipfile.ZipFile(tmp_path / "a.odt", "w") as package:
        package.writestr("content.xml", xml.encode(encoding))
    (tmp_path / "flat.fodt").write_bytes(xml.encode(encoding))
    assert why(tmp_path, "a.odt") == "unsafe"
    assert why(tmp_path, "flat.fodt") == "unsafe"


def test_a_document_that_takes_too_long_is_left_and_the_next_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf(*["many words on a page"] * 3_000))
    with (tmp_path / "a.pdf").open("rb") as file:
        answer = sandbox.read(file.fileno(), "pdf", timeout=0.05)
    assert answer.code == "timeout"
    (tmp_path / "b.pdf").write_bytes(pdf("Short"))
    assert read(tmp_path, "b.pdf") == "Short"


def test_a_busy_machine_gives_a_document_the_processor_time_that_it_may_take() -> None:
    assert sandbox.TIMEOUT >= 10 * sandbox_worker.SECONDS


def test_reading_a_document_has_a_bound_on_processor_time(tmp_path: Path) -> None:
    code = (
        "from holdfast.features.reading import sandbox_worker; sandbox_worker.limit_cpu(0)\nwhile True: pass"
    )
    completed = subprocess.run([sys.executable, "-P", "-c", code], check=False, timeout=PATIENCE)
    assert completed.returncode == -signal.SIGXCPU


def test_reading_a_document_has_a_bound_on_memory() -> None:
    code = (
        "from holdfast.features.reading import sandbox_worker as s\ns.limit(s.MEMORY, 0); bytearray(s.MEMORY)"
    )
    completed = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=PATIENCE
    )
    assert completed.returncode == 1
    assert completed.stderr.endswith("MemoryError\n")


def test_a_reader_that_died_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("Again"))
    assert read(tmp_path, "a.pdf") == "Again"
    process = sandbox._SANDBOX._process
    assert process is not None
    process.kill()
    process.wait()
    assert read(tmp_path, "a.pdf") == "Again"


def test_a_module_beside_us_is_not_run(tmp_path: Path) -> None:
    """The folder in which a hook runs is not ours: what is called like a library there stays unread."""
    (tmp_path / "pypdf.py").write_text("open('ran', 'w')")
    (tmp_path / "a.pdf").write_bytes(pdf("Inside"))
    code = (
        "from pathlib import Path; from holdfast.features.reading.file_reader import read_file\n"
        "print(read_file(Path('.'), 'a.pdf').text)"
    )
    completed = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert completed.stdout == "Inside\n"
    assert not (tmp_path / "ran").exists()


def test_s1_60_a_missing_extra_is_named(tmp_path: Path) -> None:
    """As on a machine without the libraries: nothing of site-packages but what the core needs."""
    (tmp_path / "a.pdf").write_bytes(pdf("Inside"))
    (tmp_path / "no").mkdir()
    (tmp_path / "no" / "sitecustomize.py").write_text("import sys\nsys.modules['pypdf'] = None\n")
    code = (
        "import sys; from pathlib import Path; from holdfast.features.reading.file_reader import read_file\n"
        "one = read_file(Path(sys.argv[1]), 'a.pdf'); print(one.reason_code, one.reason)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "no")},
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert completed.stdout.startswith("extra_missing")
    assert "pip install 'holdfast[files]'" in completed.stdout

"""Pages of HTML: what is text in them, on which lines of the file it stands, and which are left as code."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import Memory
from holdfast.features.reading.file_reader import Extracted, read_file
from holdfast.features.reading.pages import page_of
from tests.cases import each

PAGE = """<!DOCTYPE html>
<html><head><title>Ferry guide &mdash; Harbour</title>
<style>p { color: red }</style><script>const hidden = "<p>no</p>";</script></head>
<body>
<nav><a href="/">Home</a></nav><div role="navigation">Up</div>
<h1>Ferry guide</h1><p>The caf&eacute; on the pier
opens <b>at seven</b> &lt;daily&gt;.</p>
<!-- not shown -->
<h2 id="t">Tickets<a href="#t">¶</a></h2>
<ul><li>Adults<li>Children</ul>
<table><tr><th>Route</th><th>Price</th></tr><tr><td>North</td><td>4</td></tr></table>
<pre><code># price of a route
def price(route):
    return <span>4</span>
</code></pre>
<img src="m.png" alt="Map of &ldquo;all&rdquo; piers"><br>Ask on board.
</body></html>
"""
TEXT = """# Ferry guide

The café on the pier opens at seven <daily>.

## Tickets

- Adults
- Children

Route | Price
North | 4

```
# price of a route
def price(route):
    return 4
```

Map of “all” piers
Ask on board."""


def test_a_page_is_what_its_reader_sees_each_line_with_those_of_the_file() -> None:
    page = page_of(PAGE)
    assert page is not None
    assert page.text.split("\n") == TEXT.split("\n")
    source, at = PAGE.split("\n"), dict(zip(page.text.split("\n"), page.lines, strict=True))
    assert at["# Ferry guide"] == (6, 6)
    assert at["The café on the pier opens at seven <daily>."] == (6, 7)
    assert source[at["def price(route):"][0] - 1] == "def price(route):"
    assert at["North | 4"] == (11, 11)
    assert at["Ask on board."] == (16, 16)


def test_the_title_stands_above_a_page_whose_heading_says_something_else() -> None:
    page = page_of("<title>Timetable</title>\n<p>Boats leave every hour.")
    assert page is not None
    assert (page.text, page.lines[0]) == ("# Timetable\n\nBoats leave every hour.", (1, 1))


@pytest.mark.parametrize(
    "source",
    [
        "<ul>{% for one in all %}<li>{{ one.name }} costs {{ one.price }}</li>{% endfor %}</ul>",
        '<div id="app"></div><script type="module" src="/main.js"></script>' + "<link rel=x>" * 20,
        '<form><input name="a"><input name="b"><button>Send</button><button>Reset</button></form>',
        "<p>A demo.</p><script>" + "draw(1);" * 20 + "</script>",
        '<p v-if="a">One</p><p v-else="b">Two</p><a @click="go">Go</a><b :class="c">More</b>',
    ],
)
def test_templates_forms_and_frames_stay_code(tmp_path: Path, source: str) -> None:
    (tmp_path / "a.html").write_text(source)
    one = read_file(tmp_path, "a.html")
    assert isinstance(one, Extracted)
    assert (one.text, one.language, one.lines) == (source, "html", None)


def test_a_manual_of_a_template_language_is_a_page() -> None:
    examples = "".join(f"<p>This is filter {n}.</p><pre>{{{{ value | f{n} }}}}</pre>" for n in range(30))
    assert page_of(examples) is not None


@each(
    "mark",
    ["<a ", "<!--", "<![", '<a b="', "<a b='\"", "<svg>", "&", "</", "<script>", "<nav>", "<pre>", '= "'],
)
def test_a_page_of_many_open_marks_is_read(mark: str) -> None:
    """It would take hours where work grows with the square of the length."""
    reader = page_of("<p>before" + mark * 100_000)
    assert reader is None or reader.text.startswith("before")


def test_a_hit_names_the_lines_of_the_file_and_private_parts_stay_out(tmp_path: Path) -> None:
    memory = Memory(str(tmp_path / "m.db"))
    root = tmp_path / "site"
    root.mkdir()
    (root / "guide.html").write_text(
        PAGE.replace("Ask on board.", "Ask <private>Bob Miller</private> aboard.")
    )
    (root / "later.html").write_text(
        "<p>x\n" * 40 + "<h2>Winter</h2>\n<p>No boats when the harbour is frozen."
    )
    memory.projects.create("site")
    folder = memory.folders.add(str(root), project="site")
    memory.folders.index(folder.id)
    [hit] = memory.recall("when does the café open", project="site", limit=1)
    assert hit.memory.metadata["path"] == "guide.html"
    assert hit.memory.metadata["lines"] == [6, 16]
    assert "Miller" not in hit.memory.text
    [hit] = memory.recall("frozen harbour", project="site", limit=1)
    assert hit.memory.metadata["lines"][1] == 42
    (root / "guide.html").write_text("<!-- moved\n\n -->\n" + PAGE)
    memory.folders.index(folder.id)
    [hit] = memory.recall("when does the café open", project="site", limit=1)
    assert hit.memory.metadata["lines"] == [9, 19]
    memory.close()

"""Code: functions, classes and methods of six languages as chunks and symbols, and how they change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.features.reading.chunking import cut
from tests.support import PATIENCE

SOURCES = {
    "python": (
        '"""Sessions."""\n\nimport os\n\nLIMIT = 3\n\n\n# kept for a day\n@dataclass\nclass Session:\n'
        "    a: int\n\n    @property\n    def name(self): ...\n\n    async def refresh(self):\n"
        "        def inner(): ...\n\n\ndef add(a, b):\n    return a + b\n",
        ["LIMIT", "Session", "Session.a", "Session.name", "Session.refresh", "add"],
    ),
    "javascript": (
        "import x from 'y';\n\nclass Session extends Base {\n  refresh() {}\n  handle = () => 1;\n}\n\n"
        "const add = (a, b) => a + b;\nmodule.exports.main = function () {};\n\n"
        "describe('adding', () => {});\n",
        ["Session", "Session.refresh", "Session.handle", "add", "module.exports.main", "adding"],
    ),
    "typescript": (
        "@Injectable()\nexport class Session<T> {\n  async refresh(): Promise<void> {}\n}\n"
        "export interface Shape { area(): number }\nexport type Id = string;\nexport enum Color { Red }\n"
        "export default function main() {}\nnamespace Inner { export function deep() {} }\n",
        ["Session", "Session.refresh", "Shape", "Id", "Color", "main", "Inner", "Inner.deep"],
    ),
    "tsx": ("export const App = () => <div>hello</div>;\n", ["App"]),
    "go": (
        "package a\n\n// Session keeps.\ntype Session struct{}\n\nfunc (s *Session) Refresh() {}\n\n"
        "func (l List[T]) Len() int { return 0 }\n\nconst Max = 3\n\nfunc Free() {}\n",
        ["Session", "Session.Refresh", "List.Len", "Max", "Free"],
    ),
    "rust": (
        "use std::fmt;\n\n/// A session.\n#[derive(Debug)]\npub struct Session;\n\n"
        "impl fmt::Display for Session {\n    fn fmt(&self) {}\n}\n\nmod inner {\n    pub fn deep() {}\n}\n\n"
        "pub trait Shape { fn area(&self); }\n",
        ["Session", "Session", "Session.fmt", "inner", "inner.deep", "Shape", "Shape.area"],
    ),
    "java": (
        "package a;\n\n/** Doc. */\n@Entity\npublic class Session {\n  public Session() {}\n  @Override\n"
        "  public String toString() { return null; }\n  enum Color { RED }\n}\n\nrecord Point(int x) {}\n",
        ["Session", "Session.Session", "Session.toString", "Session.Color", "Point"],
    ),
}


@pytest.mark.parametrize("language", SOURCES)
def test_symbols_of_each_language(language: str) -> None:
    text, names = SOURCES[language]
    assert [symbol.name for symbol in cut(text, language, language)[1]] == names


@pytest.mark.parametrize("language", SOURCES)
def test_s1_58_a_long_class_is_cut_at_its_methods(language: str) -> None:
    line = {"python": "        total = total + 1\n"}.get(language, "    total = total + 1;\n")
    body = line * 40
    open_class, open_method, close = {
        "python": ("class Big:\n", "    def {}(self):\n", "\n"),
        "go": ("package a\n", "func (b Big) {}() {{\n", "}\n"),
        "rust": ("impl Big {\n", "  fn {}() {{\n", "  }\n"),
        "java": ("class Big {\n", "  void {}() {{\n", "  }\n"),
    }.get(language, ("class Big {\n", "  {}() {{\n", "  }\n"))
    methods = "".join(f"{open_method.format(name)}{body}{close}" for name in ("one", "two", "three"))
    text = f"{open_class}{methods}{'' if language in ('python', 'go') else '}'}"
    chunks = cut(text, language, language)[0]
    assert len(chunks) == 3
    for chunk, name in zip(chunks, ("one", "two", "three"), strict=True):
        assert chunk.title is not None
        assert chunk.title.endswith(name)
        assert "Big" in chunk.title
        assert f"Big.{name}" in chunk.symbols


def test_s1_58_comments_and_decorators_stay_with_what_they_belong_to() -> None:
    filler = "    x = 1\n" * 80
    text = (
        f'"""Module."""\n\nimport os\n\n\ndef one():\n{filler}\n\n# about two\n# in two lines\n'
        f"@first\n@second\ndef two():\n{filler}\n\n# alone\n\ndef three():\n{filler}"
    )
    chunks = cut(text, "python", "python")[0]
    assert [chunk.title for chunk in chunks] == ["def one", "def two", "def three"]
    assert text[chunks[1].start :].startswith("# about two\n# in two lines\n@first")
    two = next(symbol for symbol in cut(text, "python", "python")[1] if symbol.name == "two")
    assert text.split("\n")[two.first_line - 1] == "# about two"


def test_s1_58_small_neighbours_share_a_chunk_and_the_head_of_a_module_has_its_own() -> None:
    head = '"""What this module is for."""\n\n' + "".join(f"import module_{n}\n" for n in range(60))
    small = "".join(f"\n\ndef small_{n}():\n    return {n}\n" for n in range(6))
    large = "\n\ndef large():\n" + "    y = 2\n" * 120
    chunks = cut(head + small + large, "python", "python")[0]
    assert [chunk.title for chunk in chunks] == [
        None,
        "def small_0, def small_1, def small_2, def small_3, def small_4, def small_5",
        "def large",
    ]
    assert chunks[1].symbols == tuple(f"small_{n}" for n in range(6))


def test_a_function_longer_than_a_chunk_keeps_its_title_in_every_part() -> None:
    text = "class A:\n    def long(self):\n" + "        call(self, 'something')\n" * 300
    chunks = cut(text, "python", "python")[0]
    assert len(chunks) > 3
    assert {chunk.title for chunk in chunks} == {"class A > def long"}


def test_the_hash_of_a_symbol_is_that_of_its_text_and_not_of_its_place_or_layout() -> None:
    before = cut("def a():\n    return 1\n\n\ndef b():\n    return 2\n", "python", "python")[1]
    after = cut("import os\n\ndef b():\n        return   2\n\ndef a():\n    return 3\n", "python", "python")[
        1
    ]
    old, new = ({symbol.name: symbol.sha256 for symbol in symbols} for symbols in (before, after))
    assert old["b"] == new["b"]
    assert old["a"] != new["a"]


def test_lines_of_symbols_are_those_of_an_editor_whatever_the_characters() -> None:
    text = "# é世🎉\n\nx = '世'\n\ndef ünïcode():\n    return '🎉'\n\ndef last(): ..."
    lines = {
        symbol.name: (symbol.first_line, symbol.last_line) for symbol in cut(text, "python", "python")[1]
    }
    assert lines == {"x": (3, 3), "ünïcode": (5, 6), "last": (8, 8)}


def test_broken_code_is_cut_all_the_same() -> None:
    text = "def good():\n    return 1\n\ndef bad(:\n    return ((\n\ndef after():\n    return 2\n"
    assert "good" in [symbol.name for symbol in cut(text, "python", "python")[1]]
    assert cut(text, "python", "python")[0][0].end == len(text) - 1


def test_code_without_the_extra_is_cut_by_its_lines(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['tree_sitter'] = None\n")
    code = (
        "from holdfast.features.reading.chunking import cut\n"
        "text = 'def one():\\n' + '    x = 1\\n' * 300 + '\\ndef two():\\n' + '    x = 1\\n' * 100\n"
        "chunks, symbols = cut(text, 'python', 'python')\n"
        "print(chunks[-1].title, len(chunks), symbols)"
    )
    completed = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert completed.stdout == "def two 3 []\n"

"""The outline of a piece of code: what it says of itself, imports, reads, computes, draws and writes."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from holdfast.core.python_parser import syntax_tree

QUOTED = 120
"""Most characters of a string of the code that an outline quotes."""
COMMENT_LINES = 4
NAMES = 20
"""Most names of others that an outline lists."""


@dataclass(slots=True)
class Outline:
    """The findings about a piece of code. `uses` are names that it gets from elsewhere, `computes` those that
    it sets, `adds` columns that it adds to a frame, `groups` those that it groups by, `calls` functions that
    it runs for their effect, and `shows` what it prints or ends with."""

    says: str = ""
    imports: list[str] = field(default_factory=list)
    defines: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)
    computes: list[str] = field(default_factory=list)
    adds: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    fits: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    draws: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    shows: list[str] = field(default_factory=list)

    def gist(self) -> str:
        """Returns the most telling thing that the code does, in a few words."""
        for verb, names in (
            ("draws", self.draws), ("fits", self.fits), ("defines", self.defines), ("writes", self.writes),
            ("reads", self.reads), ("calls", self.calls[:1]), ("computes", self.computes[-1:]),
            ("shows", self.shows[:1]), ("imports", self.imports),
        ):  # fmt: skip
            if names:
                return f"{verb} {', '.join(names[:2])}"
        return ""


_READS = frozenset(
    "read_csv read_excel read_parquet read_json read_sql read_sql_query read_sql_table read_table read_html"
    " read_feather read_pickle scan_csv scan_parquet open load connect loadtxt genfromtxt imread load_dataset"
    " fetch_openml".split()
)
_WRITES = frozenset(
    "to_csv to_excel to_parquet to_json to_sql to_feather to_pickle to_html savefig dump write write_csv"
    " write_parquet write_html write_image write_text imsave".split()
)
_DRAWS = {
    "plot": "line", "lineplot": "line", "line": "line", "scatter": "scatter", "scatterplot": "scatter",
    "bar": "bar", "barplot": "bar", "countplot": "bar", "barh": "bar", "hist": "histogram",
    "histplot": "histogram", "histogram": "histogram", "pie": "pie", "boxplot": "box", "box": "box",
    "violinplot": "violin", "heatmap": "heat map", "imshow": "image", "choropleth": "map",
    "treemap": "tree map", "area": "area", "fill_between": "area", "pairplot": "scatter matrix",
    "relplot": "scatter", "catplot": "bar", "displot": "histogram", "kdeplot": "density",
    "jointplot": "scatter", "regplot": "regression", "lmplot": "regression", "stripplot": "strip",
    "swarmplot": "swarm", "pointplot": "point", "boxenplot": "box", "ecdfplot": "distribution",
    "clustermap": "heat map", "hexbin": "hexagon", "contour": "contour", "contourf": "contour",
    "stackplot": "area",
}  # fmt: skip
_CHARTS = {"hist": "histogram", "kde": "density", "reg": "regression", "barh": "bar", "ecdf": "distribution"}
"""What kinds of charts are called that code names in short."""
_CHARTED = frozenset("plot plt sns px go ax axes alt fig df plotly pyplot seaborn".split())
_NAME = re.compile(r"\w+")
_PLOT = re.compile(r"([a-z]\w*?)_(?:plot|chart)")
"""The name of a function that draws, such as `scatter_plot`."""
_SHOWS = frozenset({"print", "display"})
_NO_EFFECT = frozenset(
    "append extend update add insert show tight_layout head tail info describe set_option filterwarnings seed"
    " set_theme set_style use".split()
)
"""Methods that say nothing of what a cell is for."""
_SHOWING = frozenset({"head", "tail", "info", "describe"})
"""Those of them whose result is shown where code ends with them."""
_SHOWN = 60
"""Most characters of an expression that an outline shows."""
_TITLES = frozenset({"title", "set_title", "suptitle"})
_NOTED = _NO_EFFECT | _READS | _WRITES | _TITLES | _DRAWS.keys() | {"fit", "open"}
"""Functions that are no calls for their effect: they say nothing, or are noted as something else."""
_CANVAS = frozenset({"fig", "ax", "axes", "_"})
"""Names that code computes only to draw on them."""
_ALIASES = frozenset("pd np plt sns px go alt pl tf sp display spark dbutils".split())
"""Names of packages that other cells import, and what notebooks provide."""
_BUILT_IN = frozenset(dir(builtins))
_CLASS = re.compile(r"(?:[A-Z][a-z0-9]+){2,}")
"""The name of a class, which another cell imports."""
_QUERY = re.compile(r"\s*(?:with|select)\b", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|join)\s+([\w.\"`]+)", re.IGNORECASE)
_WITH = re.compile(r"(?:\bwith|,)\s+(\w+)\s+as\s*\(", re.IGNORECASE)
_COMMENT = re.compile(r"^\s*(?:#|//|--|')\s*(.+)$")
_IMPORTED = re.compile(r"^\s*(?:import|from|library|require|use)\s*\(?['\"]?([\w./@-]+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^\s*(?:const|let|var)?\s*([A-Za-z_]\w*)\s*(?:=|<-)(?!=)", re.MULTILINE)
_SHEET_REFERENCE = re.compile(r"\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?")


def outline(code: str, language: str) -> Outline:
    """Returns the outline of code in a language: of Python by its syntax tree, of others by their lines."""
    name = language.lower()
    if name.startswith(("python", "ipython")):
        lines = [line for line in code.splitlines() if not re.match(r"\s*[%!?]", line)]
        try:
            return _of_python(syntax_tree("\n".join(lines)), code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    result = Outline(_leading_comment(code))
    if "sql" in name or _QUERY.match(code):
        result.reads = tables_of(code)
    elif name == "formula":
        result.uses = _once(_SHEET_REFERENCE.findall(code))
    else:
        result.imports = _once(_IMPORTED.findall(code))
        result.computes = _once(_ASSIGNED.findall(code))
    return result


def tables_of(query: str) -> list[str]:
    """Returns the tables that a query in SQL selects from, without those that it defines itself."""
    own = set(_WITH.findall(query))
    return [table for table in _once(name.strip('"`') for name in _FROM.findall(query)) if table not in own]


def _of_python(tree: ast.Module, code: str) -> Outline:
    """Returns the outline of a Python module."""
    result = Outline(ast.get_docstring(tree) or _leading_comment(code))
    for step in tree.body:
        _note_step(step, result)
    quiet = _note_effects(tree, result)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            result.imports += _imported(node)
        elif isinstance(node, ast.Call):
            _note_call(node, result)
    result.uses = _from_elsewhere(tree, result)
    result.computes = [
        name for name in result.computes if len(name) > 1 and not name.startswith("_") and name not in _CANVAS
    ]
    result.draws = _with_titles(result.draws)
    for field_name in (
        "imports", "reads", "computes", "adds", "groups", "fits", "writes", "draws", "calls", "shows",
    ):  # fmt: skip
        setattr(result, field_name, _once(getattr(result, field_name)))
    if not result.gist() and not result.uses:
        result.calls = _once(quiet)
    return result


def _note_step(step: ast.stmt, outline: Outline) -> None:
    """Notes what a statement at the top defines, and the names and columns that it sets."""
    if isinstance(step, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        outline.defines.append(step.name)
        outline.says = outline.says or (ast.get_docstring(step) or "").split("\n\n")[0]
    for target in _targets(step):
        outline.computes += [
            node.id
            for node in ast.walk(target)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            outline.adds.append(str(target.slice.value))


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    """Returns the packages that a statement imports; `.` is the own one."""
    modules = (
        [node.module or "."] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    )
    return [name.split(".")[0] or "." for name in modules]


def _from_elsewhere(tree: ast.Module, outline: Outline) -> list[str]:
    """Returns the names that code gets from elsewhere, the most frequent first."""
    defined = {*outline.defines, *_BUILT_IN, *_ALIASES}
    read: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            defined |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read[node.id] += 1
        elif isinstance(node, ast.Name):
            defined.add(node.id)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
    first_read = _read_before_set(tree)
    named = {start[0] for text in [*outline.calls, *outline.shows] if (start := _NAME.match(text))}
    return [
        name
        for name, _ in read.most_common()
        if (name not in defined or name in first_read) and name not in named and not _CLASS.fullmatch(name)
    ][:NAMES]


def _with_titles(draws: list[str]) -> list[str]:
    """Returns charts, the first with the first title; titles without a chart are left out."""
    titles = [text for text in draws if text.startswith('"')]
    charts = [text for text in draws if not text.startswith('"')]
    return [f"{charts[0]} {titles[0]}", *charts[1:], *titles[1:]] if charts and titles else charts


def _note_effects(tree: ast.Module, outline: Outline) -> list[str]:
    """Notes the functions that are called for their effect, and what is printed or shown at the end. Returns
    those that say nothing of what code is for."""
    quiet: list[str] = []
    steps = [node for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in sorted(steps, key=lambda step: step.lineno):
        value = node.value
        if isinstance(value, ast.Call):
            path = _path(value.func)
            root, name = path.partition(".")[0], path.rpartition(".")[2]
            if path in _SHOWS:
                outline.shows += [text for arg in value.args if (text := _expression(arg))]
            elif node is tree.body[-1] and name in _SHOWING:
                outline.shows += filter(None, [_expression(value)])
            elif path and not (root in _CHARTED or name in _NOTED or _PLOT.fullmatch(name)):
                outline.calls.append(path)
            elif name in _NO_EFFECT:
                quiet.append(path)
        elif node is tree.body[-1]:
            outline.shows += filter(None, [_expression(value)])
    return quiet


def _path(function: ast.expr) -> str:
    """Returns what is called, such as `accis.add`; nothing for a method of a result."""
    names: list[str] = []
    while isinstance(function, ast.Attribute):
        names.append(function.attr)
        function = function.value
    return ".".join(reversed([*names, function.id])) if isinstance(function, ast.Name) else ""


def _expression(value: ast.expr) -> str:
    """Returns an expression as it is written, if it is short and more than a text or a number."""
    value = value.value if isinstance(value, ast.Starred) else value
    if isinstance(value, ast.Constant | ast.JoinedStr):
        return ""
    text = ast.unparse(value)
    return text if len(text) <= _SHOWN else ""


def _targets(step: ast.stmt) -> list[ast.expr]:
    if isinstance(step, ast.For | ast.AsyncFor):
        return []
    targets = getattr(step, "targets", None) or [getattr(step, "target", None)]
    return [target for target in targets if target is not None]


def _read_before_set(tree: ast.Module) -> set[str]:
    """Returns the names that statements at the top read before they set them, as `orders = orders.dropna()`
    does."""
    early_reads: set[str] = set()
    assigned: set[str] = set()
    for step in tree.body:
        names = [node for node in ast.walk(step) if isinstance(node, ast.Name)]
        stored = {name.id for name in names if isinstance(name.ctx, ast.Store)}
        if isinstance(step, ast.Assign | ast.AugAssign):
            targets = {
                node.id
                for target in _targets(step)
                for node in ast.walk(target)
                if isinstance(node, ast.Name)
            }
            read = {
                name.id for name in names if isinstance(name.ctx, ast.Load) or isinstance(step, ast.AugAssign)
            }
            early_reads |= (targets & read) - assigned
        assigned |= stored
    return early_reads - _BUILT_IN - _ALIASES


def _note_call(node: ast.Call, outline: Outline) -> None:
    """Notes what a call draws, reads, writes, groups by, adds or fits, by the name of the function."""
    function = node.func
    called = str(getattr(function, "attr", None) or getattr(function, "id", ""))
    stated = _strings(node.args)
    if drawn := _drawn(node, called):
        outline.draws += drawn
    elif called in _TITLES and stated:
        outline.draws.append(f'"{stated[0]}"')
    elif called in _READS and stated and not (called == "open" and _writes(node)):
        query = next(_constants(node.args))
        outline.reads += tables_of(query) if _QUERY.match(query) else [stated[0]]
    elif (called in _WRITES or called == "open") and stated:
        outline.writes.append(stated[0])
    elif called in ("groupby", "group_by"):
        outline.groups += _grouping_columns(node, called)
    elif called in ("assign", "with_columns"):
        outline.adds += _added_columns(node)
    elif called == "fit" and isinstance(function, ast.Attribute):
        outline.fits += _fitted(function.value)


def _constants(values: Iterable[ast.expr]) -> Iterator[str]:
    """Yields the strings among expressions."""
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def _strings(values: Iterable[ast.expr]) -> list[str]:
    """Returns the strings among expressions as an outline quotes them."""
    return [_truncated(text) for text in _constants(values)]


def _drawn(node: ast.Call, function: str) -> list[str]:
    """Returns the chart that a call draws, and its title in quotation marks; nothing if it draws none."""
    named = {key.arg: key.value.value for key in node.keywords if isinstance(key.value, ast.Constant)}
    if function in _DRAWS and (_owner(node.func) in _CHARTED or "kind" in named or function.endswith("plot")):
        kind = str(named.get("kind") or _DRAWS[function])
        axes = [str(named[axis]) for axis in ("y", "x") if isinstance(named.get(axis), str)]
        chart = f"a {_CHARTS.get(kind, kind)} chart{' of ' + ' by '.join(axes) if axes else ''}"
        title = named.get("title")
        return [chart, f'"{_truncated(title)}"'] if isinstance(title, str) else [chart]
    plot = _PLOT.fullmatch(function)
    return [f"a {plot[1].replace('_', ' ')} chart"] if plot else []


def _grouping_columns(node: ast.Call, function: str) -> list[str]:
    """Returns the columns of `groupby` of pandas, and of `group_by` of polars, which takes several."""
    positional = node.args if function == "group_by" else node.args[:1]
    keys = [*positional, *(keyword.value for keyword in node.keywords if keyword.arg == "by")]
    return _strings(
        item for key in keys for item in (key.elts if isinstance(key, ast.List | ast.Tuple) else [key])
    )


def _added_columns(node: ast.Call) -> list[str]:
    """Returns the columns of `assign` of pandas, and of `with_columns` of polars, which names them by
    `alias`."""
    named = [keyword.arg for keyword in node.keywords if keyword.arg]
    calls = [call for argument in node.args for call in ast.walk(argument) if isinstance(call, ast.Call)]
    aliases = [call.args[:1] for call in calls if getattr(call.func, "attr", "") == "alias"]
    return [*named, *(text for argument in aliases for text in _strings(argument))]


def _fitted(model: ast.expr) -> list[str]:
    """Returns what is fitted: a new model by its class, another one by its name."""
    if isinstance(model, ast.Call):
        name = getattr(model.func, "id", getattr(model.func, "attr", ""))
        return [f"a {name}"] if name else []
    return [model.id] if isinstance(model, ast.Name) else []


def _writes(node: ast.Call) -> bool:
    """Returns whether a call of `open` opens for writing."""
    modes = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
    return any(isinstance(mode, ast.Constant) and set("wax") & set(str(mode.value)) for mode in modes)


def _owner(function: ast.expr) -> str:
    """Returns what a method is called on: `plot` for `monthly.plot.bar()`, else the first name."""
    root = function.value if isinstance(function, ast.Attribute) else None
    if isinstance(root, ast.Attribute) and root.attr == "plot":
        return "plot"
    while isinstance(root, ast.Attribute | ast.Call | ast.Subscript):
        root = root.func if isinstance(root, ast.Call) else root.value
    return root.id if isinstance(root, ast.Name) else ""


def _leading_comment(code: str) -> str:
    """Returns the comment at the start of code, empty without."""
    lines: list[str] = []
    for line in code.splitlines():
        if match := _COMMENT.match(line):
            lines.append(match[1].strip(" #*-="))
        elif line.strip() or lines:
            break
    return " ".join(filter(None, lines[:COMMENT_LINES]))


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _truncated(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= QUOTED else plain[: QUOTED - 1].rstrip() + "…"

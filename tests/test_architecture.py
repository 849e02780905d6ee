"""The shape of the code: layers, purity, SQL in its files, small files, and no read without a view."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeGuard

import numpy as np
import pytest

from holdfast import Memory
from holdfast.core.jobs import EMBED
from holdfast.core.places import Principal
from holdfast.core.record import Memory as Stored
from holdfast.core.record import external_key
from holdfast.core.scanning import Finding
from holdfast.core.summaries import Quotation, SummaryRow
from holdfast.core.usage import DeliveredContext, session_key
from holdfast.core.views import ANY_STATE, GONE, View, personal_view
from holdfast.features.jobs.jobs import enqueue
from holdfast.stores.base import ports
from holdfast.stores.base.ports import Question, Reader
from holdfast.stores.postgres.reader import PostgresReader
from holdfast.stores.postgres.store import PostgresStore
from holdfast.stores.postgres.writer import PostgresWriter
from holdfast.stores.sqlite.reader import SqliteReader
from holdfast.stores.sqlite.sql import statements
from holdfast.stores.sqlite.store import SqliteStore
from holdfast.stores.sqlite.writer import SqliteWriter
from tests.oracle import OracleStore, OracleTransaction
from tests.support import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "holdfast"
FILES = sorted(SOURCE.rglob("*.py"))

ABOUT_400 = 450
"""Lines of a file that still does one thing."""
FACE = "api/memory.py"
"""Every method of the Python face with its arguments and what they mean: it may be somewhat longer."""


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


# layers; import-linter checks the imports between them (`make lint`, contracts in pyproject.toml)


NAMES_A_BACKEND = {
    "stores/base/registry.py": "the row of each kind of store",
    "config.py": "the reference of settings shows an address",
    "api/memory.py": "the docstring shows an address",
    "cli/login.py": "help shows an address",
    "cli/migrate.py": "help shows an address",
    "cli/store.py": "help shows an address",
    "cli/tenants.py": "help shows an address",
    "stores/base/tenant_directory.py": "a hint shows an address",
    "stores/directory/backend.py": "the kind of its servers",
    "features/reading/defaults.py": "files of databases are not read",
    "features/reading/types.py": "files of databases are not read",
    "features/modulemap/words.py": "words of software",
    "features/learning/rules/assistant_rules.py": "words of software",
}
"""Files outside the folders of stores that hold the name of a backend as text, and why."""


def test_nothing_outside_its_folder_names_a_backend() -> None:
    """`if backend ==` cannot appear where no backend has a name: a new store is its folder and one row."""
    named = re.compile(r"sqlite|apsw|postgres|pgvector|psycopg", re.IGNORECASE)
    outside = [
        path
        for path in FILES
        # readers describe databases of others, which have nothing to do with where memories are kept
        if not name_of(path).startswith(("stores/sqlite/", "stores/postgres/", "language/", "readers/"))
    ]
    found = {name_of(path) for path in outside if named.search(path.read_text("utf-8"))}
    assert found == set(NAMES_A_BACKEND)
    in_code = {
        name_of(path)
        for path in outside
        for node in ast.walk(tree_of(path))
        if named.search(" ".join(_names_in(node)))
    }
    assert in_code == set()


def _names_in(node: ast.AST) -> list[str]:
    """What a node names besides text: identifiers and imported modules."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
    return [str(getattr(node, part)) for part in ("id", "attr", "name", "arg") if hasattr(node, part)]


READ_ELSEWHERE = {
    "__main__.py": "NumPy reads how many threads it starts when it is loaded, before the settings",
    "integrations/agents/hook.py": "a hook ends by its deadline, also where settings cannot be read",
    "http/processes.py": "the processes of a service get the environment of their parent",
    "stores/base/allocator.py": "MALLOC_ARENA_MAX is of the C library, and whoever sets it decides",
    "cli/main.py": "NO_COLOR is a convention of terminals; HOLDFAST_DEBUG works where settings fail",
}
"""Files that read the environment beside the settings, and why; the reference names each variable."""


def test_only_the_settings_read_the_environment() -> None:
    readers = {"environ", "environb", "getenv", "getenvb", "getuser", "expanduser", "expandvars", "home"}
    found = {
        name_of(path)
        for path in FILES
        for node in ast.walk(tree_of(path))
        if (isinstance(node, ast.Attribute) and node.attr in readers and _is_module(node.value))
        or (isinstance(node, ast.ImportFrom) and node.module in ("os", "os.path", "getpass"))
    }
    assert found == {"config.py", *READ_ELSEWHERE}


def _is_module(node: ast.expr) -> bool:
    """`os`, `os.path`, `getpass`, `Path` or a call such as `Path(…)`, not any object with such a name."""
    if isinstance(node, ast.Call):
        return _is_module(node.func)
    return ast.unparse(node) in ("os", "os.path", "getpass", "Path", "pathlib.Path")


ASKED_FOR_AN_AGENT = {
    "core/places.py": {
        "label": "names who acts",
        "is_machine": "says it for everybody else",
        "default_visibility": "what an agent writes in a project is for the project (S4.17)",
    },
    "features/admission/admission.py": {
        "_clean_text": "an agent's own knowledge is short and worth keeping (S4.26)"
    },
    "features/insights/queueing.py": {"queue": "one job is enough only for who asked for it before"},
    "features/memories/dedupe.py": {"_check_session_limit": "how much one agent keeps in a session (S4.26)"},
    "http/signin.py": {"_acting": "a request names the agent of a person, never another one"},
    "mcp/service.py": {"_authorized_connection": "gives a name to an agent that has none"},
}
"""Functions that ask whether an agent acts, and why that is not the question whether a machine does."""


def test_s4_53_whether_a_machine_acts_is_asked_of_the_principal_alone() -> None:
    """A service is a machine as well, so nothing else takes "has no agent" for "is a person"."""
    found: dict[str, set[str]] = {}
    for path in FILES:
        for function in ast.walk(tree_of(path)):
            if isinstance(function, ast.FunctionDef) and any(map(_asks_for_an_agent, ast.walk(function))):
                found.setdefault(name_of(path), set()).add(function.name)
    assert found == {name: set(functions) for name, functions in ASKED_FOR_AN_AGENT.items()}


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("return principal.agent is None", True),
        ("x = old.edited or service.principal.agent is not None", True),
        ("x = who.agent == None", True),
        ("x = not self._service.principal.agent", True),
        ("x = 1 if principal.agent and kind else 2", True),
        ("while self.agent: pass", True),
        ("x = principal.agent or ACTOR", False),
        ("x = face.agent is None", False),
        ("x = principal.is_machine", False),
    ],
)
def test_the_search_for_questions_about_agents_finds_them(code: str, asks: bool) -> None:
    assert any(map(_asks_for_an_agent, ast.walk(ast.parse(code)))) is asks


def _asks_for_an_agent(node: ast.AST) -> bool:
    """Whether it compares the agent of a principal, or takes it for a truth."""
    asked: list[ast.expr] = []
    if isinstance(node, ast.Compare):
        asked = [node.left, *node.comparators]
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        asked = node.values
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        asked = [node.operand]
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        asked = [node.test]
    return any(
        isinstance(one, ast.Attribute)
        and one.attr == "agent"
        and ast.unparse(one.value).split(".")[-1] in ("principal", "_principal", "who", "self")
        for one in asked
    )


# SQL

_KEYWORDS = re.compile(
    r"\b(?:SELECT\b.*\bFROM|INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM"
    r"|(?:CREATE|DROP|ALTER)\s+(?:UNIQUE\s+)?(?:TABLE|INDEX|VIEW|TRIGGER)|ATTACH\s+DATABASE|PRAGMA\s+\w"
    r"|WHERE\s+\S+\s*(?:=|IN\b|IS\b|<|>)|ORDER\s+BY|BEGIN\s+IMMEDIATE)",
    re.DOTALL,
)
_PLAIN = re.compile(r"PRAGMA \w+(?:\(\w+\))?|BEGIN(?: IMMEDIATE)?|COMMIT|ROLLBACK")


def sql_strings(tree: ast.AST) -> Iterator[tuple[bool, str]]:
    """Strings that hold SQL: whether they are put together from parts, and their text. Docstrings are not."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        parts = _parts(node)
        if parts:
            inside.update(id(part) for part in parts)
            text = "".join(str(part.value) for part in parts)
            if _KEYWORDS.search(text):
                yield True, text
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            inside.add(id(node.value))
        elif _is_text(node) and id(node) not in inside and _is_sql(str(node.value)):
            yield False, str(node.value)


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_sql(text: str) -> bool:
    return bool(_KEYWORDS.search(text) or _PLAIN.fullmatch(text))


def _parts(node: ast.AST) -> list[ast.Constant]:
    """The literal parts of an f-string, a concatenation, a `%`, a `.format` or a `.join`; none for others."""
    makes_text = isinstance(node, ast.JoinedStr | ast.BinOp) or (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("format", "format_map", "join", "replace")
    )
    return [part for part in ast.walk(node) if _is_text(part)] if makes_text else []


CODE = [path for path in FILES if not name_of(path).startswith(("core/", "language/", "readers/"))]
"""Everything but word lists, which hold samples of SQL as text and have no database, and readers: no
statement can bind the names of the tables that they find in databases of others, so they quote them."""


def test_sql_stands_in_sql_files() -> None:
    """Values and keys are bound, never put into the text; outside .sql files stand a few fixed words."""
    put_together, plain = [], []
    for path in CODE:
        for is_put_together, text in sql_strings(tree_of(path)):
            if is_put_together:
                put_together.append((name_of(path), text))
            elif not _PLAIN.fullmatch(text):
                plain.append((name_of(path), text))
    assert put_together == []
    assert plain == []


@pytest.mark.parametrize(
    "bad",
    [
        'run(f"SELECT * FROM {table}")',
        "run(\"SELECT * FROM memories WHERE id = '%s'\" % id)",
        'run("DELETE FROM memories WHERE id = " + id)',
        'run("UPDATE memories SET {} = 1".format(name))',
        'run(" ".join(["INSERT INTO", table]) + "x")',
        'run(f"PRAGMA user_version = {n}")',
        'sql += f" ORDER BY {column}"',
    ],
)
def test_the_search_for_built_sql_finds_it(bad: str) -> None:
    assert any(is_put_together for is_put_together, _ in sql_strings(ast.parse(bad)))


VIEWED_ELSEWHERE = {
    "in_session": "what stays when its session is erased, which is its owner's",
    "current": "inside a transaction that has checked the view of the id",
    "index_of_pool": "one pool that the view allows; the segment's mask is the filter",
    "index_since": "what changed, for segments that are asked only for pools that a view allows",
    "shares": "counts what each person has in a project, for use cases that tell who may know",
    "owners": "names of people, for one who administers the tenant, and no text",
    "forgotten_with_projects": "ids of what was deleted with projects, to be erased as its owners",
    "outdated": "ids of the whole tenant that policies let go, to be erased as their owners",
    "held": "which of some ids a legal hold keeps",
    "session": "counts the messages of a session of the view's own user",
    "sessions": "counts the messages of sessions of the view's own user",
    "chunks": "passages of a folder of the view's own user",
    "chunk_sizes": "sizes and hashes of a folder that the view allows",
    "exact_vectors": "numbers that candidates found in pools that the view allows",
}
"""Statements that read memories without the pools of a view in them, and what stands in their place."""


def test_m_8_every_statement_that_reads_memories_holds_the_pools_of_a_view() -> None:
    """Or is listed with its reason."""
    unbound = {
        name
        for name, sql in statements("reading.sql").items()
        if re.search(r"\b(?:memories|passages|vectors)\b", sql)
        and "pool IN (SELECT value FROM json_each(:pools))" not in sql
    }
    assert unbound == set(VIEWED_ELSEWHERE)


# files


def test_every_file_says_what_it_is_for_in_one_line() -> None:
    silent = []
    for path in FILES:
        if not path.read_text("utf-8").strip():
            silent.append(name_of(path))
            continue
        first = (ast.get_docstring(tree_of(path), clean=False) or "").split("\n\n")[0]
        if not first.strip() or "\n" in first.strip():
            silent.append(name_of(path))
    assert silent == []


def test_every_sql_file_says_what_it_is_for() -> None:
    found = sorted(SOURCE.rglob("*.sql"))
    assert found
    assert [name_of(path) for path in found if not path.read_text("utf-8").startswith("-- ")] == []


def test_files_are_short() -> None:
    long = {name_of(path) for path in FILES if path.read_text("utf-8").count("\n") > ABOUT_400}
    assert long <= {FACE}


def test_every_public_function_of_core_and_features_has_a_docstring() -> None:
    silent = [
        f"{name_of(path)}: {node.name}"
        for path in FILES
        if name_of(path).startswith(("core/", "features/"))
        for node in tree_of(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and ast.get_docstring(node) is None
    ]
    assert silent == []


_QUESTION = re.compile(r"(?:What|Whether|Where|How|Who|Whose|When|Which|Why|The same|That which)\b")
_THIRD_PERSON = re.compile(r"[A-Z][a-z]+s\b(?<!^This)(?<!^Its)(?<!^As)(?<!^Is)(?<!^Has)(?<!^Was)")


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    """Functions begin with a verb in the third person ("Returns …"), classes and modules with a noun."""
    wrong = [
        f"{name_of(path)}: {getattr(node, 'name', 'module')}"
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (text := ast.get_docstring(node))
        and not _begins_plainly(node, text)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("code", "is_plain"),
    [
        ('def f():\n    "Returns the id."', True),
        ('def f():\n    "What is stored."', False),
        ('def f():\n    "The id of a memory."', False),
        ('def f():\n    "Return the id."', False),
        ('def f():\n    "This is stored."', False),
        ('@command()\ndef f():\n    "List the ids."', True),
        ('@command()\ndef f():\n    "What is stored."', False),
        ('class A:\n    "A page of memories."', True),
        ('class A:\n    "How a memory is shown."', False),
    ],
)
def test_the_search_for_docstrings_finds_them(code: str, is_plain: bool) -> None:
    (node,) = ast.parse(code).body
    assert isinstance(node, ast.ClassDef | ast.FunctionDef)
    assert _begins_plainly(node, ast.get_docstring(node) or "") is is_plain


def _begins_plainly(node: ast.AST, text: str) -> bool:
    """The docstring of a command is its help, which is in the imperative."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not any(
        map(_is_command, node.decorator_list)
    ):
        return _THIRD_PERSON.match(text) is not None
    return _QUESTION.match(text) is None


def _is_command(decorator: ast.expr) -> bool:
    name = ast.unparse(decorator.func) if isinstance(decorator, ast.Call) else ""
    return name.endswith(("command", "group"))


# cold start

HEAVY = (
    "apsw",
    "click",
    "dateutil",
    "msgspec",
    "numpy",
    "re2",
    "rich",
    "simsimd",
    "sqlite3",
    "Stemmer",
    "asyncio",
)


def _loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*[m for m in {HEAVY!r} if m in sys.modules])"
    completed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    return set(completed.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert _loaded_by("import holdfast") == set()


def test_importing_the_errors_loads_nothing_heavy() -> None:
    assert _loaded_by("from holdfast import HoldfastError, Outcome, Status, Hit, Kept") == set()


def test_importing_the_command_line_loads_no_more_than_click() -> None:
    assert _loaded_by("import holdfast.cli.main") <= {"click"}


def test_importing_memory_leaves_what_only_some_calls_need() -> None:
    assert (
        _loaded_by("from holdfast import Memory") & {"dateutil", "msgspec", "re2", "rich", "click", "asyncio"}
        == set()
    )


# no read without a view (M.8)


def methods(protocol: type[Any]) -> dict[str, Callable[..., Any]]:
    """The public methods of a protocol and of the protocols that it extends."""
    parts = [part for part in reversed(protocol.__mro__) if part.__module__.startswith("holdfast.")]
    return {
        name: member
        for part in parts
        for name, member in vars(part).items()
        if not name.startswith("_") and inspect.isfunction(member)
    }


def first_parameter(method: Callable[..., Any]) -> tuple[str, str]:
    """Name and annotation of the first parameter behind self."""
    given = list(inspect.signature(method).parameters.values())[1:]
    return (given[0].name, str(given[0].annotation)) if given else ("", "")


WITHOUT_VIEW = {
    "attempt": "marks a part of the transaction",
    "insert": "a new memory: what was admitted knows its place",
    "insert_all": "new memories: what was admitted knows its place",
    "put_project": "projects are known to the whole tenant",
    "put_session": "the session was read through the view of its owner, whom it names",
    "put_source": "a new source, which names its owner",
    "put_folder": "the folder of a source, which names its owner",
    "add_event": "appends to the chain",
    "add_job": "a new job, which names its owner",
    "plan_job": "a new job, which names its owner",
    "add_metrics": "figures about the whole tenant",
    "put_member": "members are known to the whole tenant",
    "put_language_model": "which models may be used is known to the whole tenant",
    "drop_language_model": "which models may be used is known to the whole tenant",
    "put_model_call": "figures about a call, which names its owner, and no text",
    "put_request": "a new request, which names its owner",
    "drop_request": "a wish about a memory that was read through a view, and none of its text",
    "put_finding": "a new finding, which names its owner, and no text",
    "drop_finding": "a finding about a memory that was read through a view, and none of its text",
    "grown": "sums of what the transaction adds",
    "hasten_jobs": "changes when the work of the whole tenant is due, and returns none of it",
    "claim_job": "hands the work of the whole tenant to a worker, which does it as its owner",
}
"""Methods of the writer that touch no existing memory, and why each needs no view."""


def test_m_8_every_read_takes_a_view_first() -> None:
    assert len(methods(ports.Reader)) > 10
    for name, method in methods(ports.Reader).items():
        assert first_parameter(method) == ("view", "View"), f"Reader.{name} reads without a view"


def test_m_8_every_write_to_what_exists_takes_a_view_first() -> None:
    unseen = {name for name, m in methods(ports.Writer).items() if first_parameter(m) != ("view", "View")}
    assert unseen == set(WITHOUT_VIEW)


def test_m_8_a_store_offers_no_other_way_in() -> None:
    offered = {name for name in vars(ports.Store) if not name.startswith("_")}
    assert offered == {
        "read",
        "write",
        "check",
        "scrub",
        "reindex",
        "compact",
        "accept",
        "close",
        "location",
        "encryption",
        "digest_key",
        "reads",
        "lost",
    }


BEYOND: dict[type[Any], dict[str, str]] = {
    SqliteStore: {},
    SqliteReader: {"connection": "for checking the file itself, inside stores/sqlite"},
    SqliteWriter: {
        "last_event": "what the store notes in the head file after the commit",
        "finish": "what the store writes before it commits",
    },
    PostgresStore: {},
    PostgresReader: {"connection": "for checking the rows themselves, inside stores/postgres"},
    PostgresWriter: {"finish": "what the store writes before it commits"},
    OracleStore: {},
    OracleTransaction: {},
}
"""What an implementation offers beyond its protocol, and why."""
PROTOCOLS: dict[type[Any], type[Any]] = {
    SqliteStore: ports.Store,
    SqliteReader: ports.Reader,
    SqliteWriter: ports.Writer,
    PostgresStore: ports.Store,
    PostgresReader: ports.Reader,
    PostgresWriter: ports.Writer,
    OracleStore: ports.Store,
    OracleTransaction: ports.Writer,
}


def public(kind: type[Any]) -> set[str]:
    """Public names of a class, inherited ones included."""
    return {name for base in kind.__mro__[:-1] for name in vars(base) if name.islower() and name[0] != "_"}


@pytest.mark.parametrize("kind", BEYOND, ids=lambda kind: kind.__name__)
def test_m_8_no_implementation_offers_more_than_its_protocol(kind: type[Any]) -> None:
    inherited = {name for base in kind.__mro__[1:] for name in BEYOND.get(base, {})}
    assert public(kind) - public(PROTOCOLS[kind]) == set(BEYOND[kind]) | inherited


@pytest.mark.parametrize("kind", BEYOND, ids=lambda kind: kind.__name__)
def test_every_implementation_has_the_signatures_of_its_protocol(kind: type[Any]) -> None:
    for name in public(PROTOCOLS[kind]):
        ours, theirs = (inspect.getattr_static(one, name) for one in (kind, PROTOCOLS[kind]))
        if inspect.isfunction(theirs):
            assert _shape(ours) == _shape(theirs), f"{kind.__name__}.{name}"


def _shape(method: Callable[..., Any]) -> list[tuple[str, object, object]]:
    parameters = inspect.signature(inspect.unwrap(method)).parameters.values()
    return [(parameter.name, parameter.kind, parameter.default) for parameter in parameters]


# and what the view does: a stranger's view of somebody's store

STRANGER = personal_view(Principal("ben"), ANY_STATE)
SAYS_NOTHING: dict[str, Callable[[Reader, View, str], Any]] = {
    "get": lambda reader, view, id: reader.get(view, id),
    "find": lambda reader, view, id: reader.find(view, _key(reader, id)),
    "keyed": lambda reader, view, id: reader.keyed(view, "adr-7", limit=10, now=NOW),
    "with_hash": lambda reader, view, id: reader.with_hash(view, _hash(reader, id)),
    "known_hashes": lambda reader, view, id: reader.known_hashes(view, [_hash(reader, id)]),
    "known_keys": lambda reader, view, id: reader.known_keys(view, [_key(reader, id)]),
    "has_tombstones": lambda reader, view, id: reader.has_tombstones(view),
    "tombstones": lambda reader, view, id: reader.tombstones(view, ["00" * 32]),
    "buried": lambda reader, view, id: reader.buried(view, "id:", after="", limit=10),
    "forgotten_copies": lambda reader, view, id: reader.forgotten_copies(
        view, "ana", _forgotten(reader).content_hash, None
    ),
    "page": lambda reader, view, id: reader.page(view, limit=10, cursor=None, now=NOW).memories,
    "beginning": lambda reader, view, id: reader.beginning(view, id[24:28], limit=10),
    "conversation": lambda reader, view, id: (
        reader.conversation(view, limit=10, cursor=None, now=NOW).memories
    ),
    "conversation_before": lambda reader, view, id: _before_last(reader, view),
    "facets": lambda reader, view, id: reader.facets(view, now=NOW),
    "count": lambda reader, view, id: reader.count(view, now=NOW),
    "candidates": lambda reader, view, id: _candidates(reader, view),
    "nearest": lambda reader, view, id: _nearest(reader, view),
    "numbered": lambda reader, view, id: reader.numbered(view, range(100), now=NOW),
    "history": lambda reader, view, id: reader.history(view, id),
    "unembedded": lambda reader, view, id: reader.unembedded(view, "another model", limit=10),
    "agent_count": lambda reader, view, id: reader.agent_count(view, 1, "agent:coder@ana"),
    "session": lambda reader, view, id: reader.session(view, "chat-1"),
    "session_names": lambda reader, view, id: reader.session_names(view, [1]),
    "titled": lambda reader, view, id: reader.titled(view, 1),
    "sessions": lambda reader, view, id: reader.sessions(view),
    "summaries": lambda reader, view, id: reader.summaries(view, 1),
    "facts": lambda reader, view, id: reader.facts(view, now=NOW),
    "job": lambda reader, view, id: reader.job(view, _job(reader)),
    "jobs": lambda reader, view, id: [reader.jobs(view), reader.jobs(view, subject=id)],
    "lacks_vectors": lambda reader, view, id: reader.lacks_vectors(view, id, "another model"),
    "sources": lambda reader, view, id: reader.sources(view, removed=True),
    "described": lambda reader, view, id: reader.described(view),
    "fingerprints": lambda reader, view, id: reader.fingerprints(view, _described(reader)),
    "compare_fingerprints": lambda reader, view, id: reader.compare_fingerprints(
        view, _described(reader), ()
    )[1],
    "owned": lambda reader, view, id: reader.owned(view, after=0, limit=10),
    "versions": lambda reader, view, id: reader.versions(view, [id]),
    "events_about": lambda reader, view, id: reader.events_about(view, [id]),
    "entities": lambda reader, view, id: (
        reader.entities(view, type="person", limit=10, cursor=None, now=NOW).memories
    ),
    "entities_named": lambda reader, view, id: reader.entities_named(view, ["ada"], now=NOW),
    "several": lambda reader, view, id: reader.several(view, [id], now=NOW),
    "links": lambda reader, view, id: reader.links(view, _entities(reader), limit=10, now=NOW),
    "related": lambda reader, view, id: reader.related(view, [id, *_entities(reader)], now=NOW),
    "mentions": lambda reader, view, id: reader.mentions(view, _entities(reader), now=NOW),
    "about_files": lambda reader, view, id: reader.about_files(view, ["till.py"], limit=10, now=NOW),
    "confidence": lambda reader, view, id: reader.confidence(view, now=NOW),
    "delivered": lambda reader, view, id: reader.delivered(view, 0, session_key("chat-1")),
    "deliveries": lambda reader, view, id: [
        one for memory in _delivered(reader) for one in reader.deliveries(view, memory)
    ],
    "citations": lambda reader, view, id: reader.citations(view, "one context"),
    "findings": lambda reader, view, id: reader.findings(view, limit=10),
    "tallies": lambda reader, view, id: reader.tallies(view, None, None),
    "storage": lambda reader, view, id: [n for n in astuple(reader.storage(view)) if n],
    "folders": lambda reader, view, id: reader.folders(view),
    "file_paths": lambda reader, view, id: reader.file_paths(view),
    "files": lambda reader, view, id: reader.files(view, _folder(reader)),
    "file_counts": lambda reader, view, id: list(
        reader.file_counts(view, _folder(reader)).as_dict().values()
    ),
    "chunks": lambda reader, view, id: reader.chunks(view, _folder(reader), range(9)),
    "chunk_sizes": lambda reader, view, id: reader.chunk_sizes(view, _folder(reader)),
    "former_paths": lambda reader, view, id: reader.former_paths(view, _folder(reader), ["jwt.md"]),
    "named_files": lambda reader, view, id: reader.named_files(view, _folder(reader), ["jwt.md", "old.md"]),
    "forgotten_chunks": lambda reader, view, id: reader.forgotten_chunks(view, _folder(reader)),
}
"""How each method is asked for what belongs to somebody else."""
OF_THE_TENANT = {
    "project": "names and settings of projects are known to the whole tenant",
    "projects": "names and settings of projects are known to the whole tenant",
    "shares": "numbers by person; use cases tell all but those who may purge a project their own",
    "projects_apart": "projects that are the user's alone, deleted ones too, to be erased with all of theirs",
    "projects_due": "projects whose time is over, to be purged by upkeep, which tells only that",
    "forgotten_with_projects": "ids of what was deleted with projects, to be erased as its owners",
    "register": "policies and holds of the tenant: names, numbers and times, never text",
    "outdated": "ids of what policies let go, to be erased as its owners; use cases tell only who may decide",
    "ids_on_hold": "which of some ids a legal hold keeps",
    "module_map": "what the code of a project consists of, for all who may open the project",
    "events": "the chain can be verified only as a whole; events hold ids, counts and codes, never text",
    "head": "the end of that chain",
    "backlog": "counts of the tenant's background work",
    "signing_key": "what exports of the store are signed with, never text",
    "storage_of_all": "figures about the whole tenant, for quotas and for metrics",
    "metrics": "figures about the whole tenant: shares and counts, never text",
    "member": "who belongs to the tenant, and in which role",
    "members": "who belongs to the tenant, and in which role",
    "has_members": "whether the tenant is a team",
    "language_models": "which models may be used, without keys",
    "model_usage": "figures about the whole tenant: counts of calls, tokens and costs, never text",
    "requests": "ids of what members ask to share, never text; approvers look through their owners' views",
    "owners": "who keeps memories in the tenant; use cases tell only who administers it, by numbers",
    "next_job_at": "when a worker, which serves the whole tenant, has something to do",
    "has_jobs_after": "whether work of the whole tenant waits for too long, and none of it",
    "watched_folders": "folders of all users, for the one watcher of a service, which tells nobody",
    "unfinished_jobs": "ids of work that still needs what was laid aside for it",
}
"""Methods whose answer is the same for every principal of a tenant, and why."""
NOW = 1_800_000_000_000


def _hash(reader: Reader, id: str) -> str:
    return _stored_of(reader, id).content_hash


def _key(reader: Reader, id: str) -> str:
    known = _stored_of(reader, id)
    return str(external_key(known.kind, known.place, "adr-7"))


def _stored_of(reader: Reader, id: str) -> Stored:
    known = reader.get(personal_view(Principal("ana"), ANY_STATE), id)
    assert known is not None
    return known


def _forgotten(reader: Reader) -> Stored:
    view = personal_view(Principal("ana"), replace(GONE, deleted=True, kinds=frozenset({"note"})))
    return reader.page(view, limit=1, cursor=None, now=NOW).memories[0]


def _described(reader: Reader) -> str:
    return reader.described(personal_view(Principal("ana")))[0].id


def _job(reader: Reader) -> str:
    return reader.jobs(personal_view(Principal("ana")))[0].id


def _folder(reader: Reader) -> str:
    return reader.folders(personal_view(Principal("ana")))[0].id


def _entities(reader: Reader) -> list[str]:
    ours = personal_view(Principal("ana"), ANY_STATE)
    return [one.id for one in reader.entities_named(ours, ["ada"], now=NOW)]


def _before_last(reader: Reader, view: View) -> list[Stored]:
    """What a conversation holds before its last message, as far as the view knows that at all."""
    page = reader.conversation(view, limit=1_000, cursor=None, now=NOW).memories
    last = f"{page[-1].id}.{page[-1].version}" if page else None
    return [] if last is None else reader.conversation_before(view, last, limit=10, now=NOW)


def _delivered(reader: Reader) -> frozenset[str]:
    return reader.delivered(personal_view(Principal("ana")), 0, session_key("chat-1"))


def _candidates(reader: Reader, view: View) -> list[int]:
    from holdfast.language.terms import query_terms

    signals = reader.candidates(view, Question(query_terms("JWT sessions"), None, "", 0, 10, NOW))
    return [signals.total, *np.asarray(signals.number).tolist()]


def _nearest(reader: Reader, view: View) -> list[list[tuple[int, float]]]:
    from holdfast.embeddings.static import StaticEmbedder

    embedder = StaticEmbedder()
    vectors = embedder.embed(["JWT sessions", "Does it print twice?"])
    return reader.nearest(view, vectors, embedder.model, limit=10, least=0.1, now=NOW)


def test_m_8_every_read_is_walked() -> None:
    """A method that is new in the protocol fails here until it is added to one of the two tables."""
    assert set(methods(ports.Reader)) == set(SAYS_NOTHING) | set(OF_THE_TENANT)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A store that `fill` has filled."""
    path = tmp_path_factory.mktemp("walk") / "team.db"
    return path, fill(path)


def fill(path: Path | str) -> str:
    """Keeps private memories of ana, in and outside a project and a session, one made by an agent; returns
    the id of one."""
    with Memory(path, user="ana", clock=lambda: NOW) as memory:
        result = memory.remember("We chose JWT over sessions", kind="decision", external_id="adr-7")
        memory.remember("The shop uses JWT for sessions", project="shop")
        memory.add_messages([{"role": "user", "content": "JWT or sessions?"}], session="chat-1")
        memory.remember("The till prints twice", kind="gotcha", metadata={"file": "till.py"})
        memory.context("change the till", session="chat-1")
        memory.sessions.update("chat-1", name="Tokens")
        memory.facts.add("colors", ["Blue"], session="chat-1")
        memory.sources.add("chatgpt", "0" * 64)
        with memory._service.store.write() as tx:
            row = SummaryRow("0.1", 1, NOW, NOW, (Quotation("0", 1, 0, 9),))
            tx.put_summaries(personal_view(Principal("ana")), 1, [row], start=0)
            delivered = {1: result.memory.id}  # type: ignore[union-attr]
            delivery = DeliveredContext("one context", 0, "", delivered, NOW)
            tx.cite(personal_view(Principal("ana")), delivery)
            tx.put_finding(Finding(result.memory.id, "ana", NOW, personal=False))  # type: ignore[union-attr]
            enqueue(memory._service, tx, EMBED, now=NOW, subject=result.memory.id)  # type: ignore[union-attr]
        with TemporaryDirectory() as place:
            (Path(place) / "old.md").write_text("JWT and sessions in a file")
            folder = memory.folders.add(place, project="shop")
            memory.folders.index(folder.id)
            (Path(place) / "old.md").rename(Path(place) / "jwt.md")
            (Path(place) / "hint.md").write_text("The hint is blue")
            memory.folders.index(folder.id)
            passages = memory.list(project="shop", kinds="passage").memories
            memory.forget(next(one.id for one in passages if "hint" in one.text), hard=True)
        table = {"type": "DATA_TABLE", "id": "till", "data": {"name": "till", "columns": ["JWT"]}}
        memory.reconcile("till.db", {"name": "till.db", "entities": [table]})
        memory.entities.create("Ada", "person")
        memory.entities.observe("Ada", ["likes tea"])
        memory.forget(memory.remember("The safe is behind the clock").memory.id)  # type: ignore[union-attr]
        with memory._service.store.write() as tx:
            tx.bury(personal_view(Principal("ana")), ["00" * 32], by_person=True)
    with Memory(path, user="ana", agent="coder", clock=lambda: NOW) as memory:
        memory.remember("JWT sessions expire after an hour", kind="gotcha", session="chat-1")
    assert result.memory is not None
    return result.memory.id


@pytest.mark.parametrize("name", SAYS_NOTHING)
def test_m_8_a_foreign_view_finds_nothing_by_any_method(name: str, stored: tuple[Path, str]) -> None:
    path, id = stored
    store = SqliteStore(path)
    try:
        with store.read() as reader:
            ours = SAYS_NOTHING[name](reader, personal_view(Principal("ana"), ANY_STATE), id)
            theirs = SAYS_NOTHING[name](reader, STRANGER, id)
    finally:
        store.close()
    assert _holds_something(ours), "the owner sees nothing either: the walk proves nothing"
    assert not _holds_something(theirs)


def _holds_something(answer: Any) -> bool:
    return any(_holds_something(part) for part in answer) if isinstance(answer, list) else bool(answer)

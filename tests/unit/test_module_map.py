"""Module maps as values: what they hold, how they change without losing data, and how tasks find modules."""

from __future__ import annotations

import re
from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given

from holdfast.core.errors import InvalidInput
from holdfast.core.module_map import (
    FILES,
    LIST_MAX,
    LISTS,
    MODULES_MAX,
    BuildSystem,
    Confidence,
    Infrastructure,
    Module,
    ModuleMap,
    Service,
    TestFramework,
)
from holdfast.features.modulemap.changes import (
    EDITABLE,
    MAPPED_SESSIONS,
    ModuleUpdate,
    bounded,
    merged,
    module_near,
    rescanned,
    updated,
    with_accesses,
)
from holdfast.features.modulemap.findings import Scan, Seed
from holdfast.features.modulemap.match import match
from tests.cases import each
from tests.growth import grows_at_most

AUTH = Module(
    "authentication",
    "JWT login and refresh",
    core_files=("src/auth/tokens.py", "src/auth/refresh.py"),
    entry_points=("src/api/routes/auth.py",),
    frontend_files=("web/src/LoginForm.tsx",),
    test_files=("tests/test_auth.py",),
    folders=("src/auth",),
    dependencies=("pyjwt", "redis"),
    related_modules=("users",),
    symbols=("issue_token", "RefreshStore"),
)
BILLING = Module(
    "billing", "Invoices and charges", core_files=("src/billing/invoices.py",), folders=("src/billing",)
)
USERS = Module("users", core_files=("src/users/models.py",), folders=("src/users",))


def shop(*modules: Module) -> ModuleMap:
    return ModuleMap("shop", {one.name: one for one in modules or (AUTH, BILLING, USERS)})


# what a map holds


def test_s4_1_a_map_comes_back_from_its_json_as_it_was() -> None:
    whole = replace(
        shop(),
        build_system=BuildSystem("npm", {"build": "npm run build"}),
        test_framework=TestFramework("vitest", "vitest.config.ts", "npm test"),
        services=(
            Service("web", "apps/web", "typescript", "Next.js", "frontend", "pnpm", dependencies=("next",)),
        ),
        infrastructure=Infrastructure(("db",), ("GitHub Actions",), ("Docker",)),
        conventions=("ESLint (.eslintrc)",),
        monorepo="apps/",
        notes=("3 left out",),
        updated_at=1_767_225_600_123,
        version=7,
    )
    assert ModuleMap.from_dict(whole.as_dict()) == whole


def test_s4_2_a_module_has_what_the_row_names() -> None:
    told = AUTH.as_dict()
    assert {
        "name", "description", "core_files", "entry_points", "test_files", "dependencies", "related_modules",
        "confidence",
    } <= told.keys()  # fmt: skip
    assert told["confidence"] == "shallow"
    assert AUTH.files[:2] == AUTH.core_files
    assert len(AUTH.files) == 5


@each(
    "change",
    [
        {"modules": []},
        {"modules": {"a": "b"}},
        {"modules": {"a": {}}},
        {"modules": {"a": {"name": "a", "core_files": "x"}}},
        {"modules": {"a": {"name": "a", "core_files": [1]}}},
        {"modules": {"a": {"name": "a", "core_files": ["x" * 401]}}},
        {"modules": {"a": {"name": "a", "core_files": ["x"] * (LIST_MAX + 1)}}},
        {"modules": {"a": {"name": "a", "confidence": "sure"}}},
        {"modules": {"a": {"name": "a", "confidence": []}}},
        {"modules": {str(n): {"name": str(n)} for n in range(301)}},
        {"project": 3},
        {"version": -1},
        {"version": True},
        {"build_system": []},
        {"build_system": {}},
        {"build_system": {"tool": "make", "commands": {"build": 1}}},
        {"test_framework": {"tool": None}},
        {"services": {}},
        {"services": [{"name": "a"}]},
        {"services": [{"name": "a", "path": ".", "language": "go", "dependencies": "x"}]},
        {"infrastructure": {"ci": 1}},
        {"notes": "x"},
        {"monorepo": 1},
    ],
)
def test_s4_1_what_is_no_map_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        ModuleMap.from_dict({**shop().as_dict(), **change})
    assert caught.value.code == "map_invalid"


def test_s4_4_a_scan_comes_back_from_its_json_as_it_was() -> None:
    scan = Scan(shop(), ("src/auth/tokens.py",), (Seed("Use tabs", ".editorconfig", "k1"),))
    assert Scan.from_dict(scan.as_dict()) == scan
    several: list[dict[str, object]] = [
        {"map": None}, {"files": [3]}, {"seeds": [{}]}, {"seeds": ["x"]}, {"files": "x"},
    ]  # fmt: skip
    for broken in several:
        with pytest.raises(InvalidInput):
            Scan.from_dict({**scan.as_dict(), **broken})


def test_s4_12_coverage_is_the_share_of_mapped_modules() -> None:
    assert ModuleMap("empty").coverage == 0
    assert shop().coverage == 0
    assert shop(replace(AUTH, confidence=Confidence.MAPPED), BILLING).coverage == 0.5


# telling


def test_s4_10_an_update_adds_and_takes_nothing_away() -> None:
    told = ModuleUpdate("Sign-in", {"core_files": ("src/auth/otp.py",), "keywords": ("2fa",)})
    after = merged(AUTH, told)
    assert after.core_files == (*AUTH.core_files, "src/auth/otp.py")
    assert after.description == "Sign-in"
    assert after.confidence is Confidence.PARTIAL
    for name in LISTS:
        assert {*AUTH.entries_of(name)} <= {*after.entries_of(name)}


def test_s4_10_only_what_is_named_leaves_and_no_scan_brings_it_back() -> None:
    whole = updated(shop(), "authentication", ModuleUpdate(remove=("src/auth/refresh.py", "redis")))
    auth = whole.modules["authentication"]
    assert auth.core_files == ("src/auth/tokens.py",)
    assert auth.dependencies == ("pyjwt",)
    again = rescanned(whole, shop(), shop().modules["authentication"].files)
    assert again.modules["authentication"].core_files == ("src/auth/tokens.py",)
    assert again.modules["authentication"].dependencies == ("pyjwt",)
    back = updated(again, "authentication", ModuleUpdate(add={"core_files": ("src/auth/refresh.py",)}))
    assert "src/auth/refresh.py" in back.modules["authentication"].core_files
    assert "src/auth/refresh.py" not in back.modules["authentication"].dropped


def test_s4_10_a_path_stands_in_one_list_of_a_module() -> None:
    after = merged(AUTH, ModuleUpdate(add={"entry_points": ("src/auth/tokens.py",)}))
    assert "src/auth/tokens.py" in after.entry_points
    assert "src/auth/tokens.py" not in after.core_files


_words = st.sampled_from(["a.py", "b.py", "c/d.py", "e.ts", "f_test.py", "lib", "core"])
_lists = st.dictionaries(st.sampled_from(EDITABLE), st.lists(_words, max_size=3).map(tuple), max_size=4)
_updates = st.builds(ModuleUpdate, st.none() | st.just("said"), _lists)


@given(st.lists(_updates, max_size=6))
def test_s4_10_updates_in_any_number_lose_no_entry(updates: list[ModuleUpdate]) -> None:
    module = AUTH
    for one in updates:
        after = merged(module, one)
        everything = {entry for name in LISTS for entry in after.entries_of(name)}
        assert {entry for name in LISTS for entry in module.entries_of(name)} <= everything
        assert {entry for entries in one.add.values() for entry in entries} <= everything
        assert after.confidence.rank >= module.confidence.rank
        assert merged(after, one) == after
        module = after
    assert Module.from_dict(module.as_dict()) == module


# scanning again


def test_s4_9_a_rescan_keeps_what_was_told_and_how_sure_it_is() -> None:
    known = shop(
        replace(
            AUTH, confidence=Confidence.MAPPED, description="Told by hand", is_described=True,
            keywords=("sso",),
            told=("sso", "docs/auth-elsewhere.md"), doc_files=("docs/auth-elsewhere.md",),
            opened=AUTH.core_files,
            sessions=("a", "b", "c"),
        ),
        BILLING,
    )  # fmt: skip
    fresh = shop(
        replace(
            AUTH,
            core_files=("src/auth/tokens.py", "src/auth/otp.py"),
            keywords=("jwt",),
            dependencies=("pyjwt",),
        ),
        BILLING,
        USERS,
    )
    after = rescanned(known, fresh)
    auth = after.modules["authentication"]
    assert auth.confidence is Confidence.MAPPED
    assert auth.description == "Told by hand"
    assert auth.core_files == ("src/auth/tokens.py", "src/auth/otp.py")
    assert auth.doc_files == ("docs/auth-elsewhere.md",)
    assert {*auth.keywords} == {"jwt", "sso"}
    assert auth.dependencies == ("pyjwt",)
    assert auth.opened == ("src/auth/tokens.py",)
    assert auth.sessions == ("a", "b", "c")
    assert "users" in after.modules


def test_s4_9_files_that_are_gone_leave_and_so_do_empty_modules() -> None:
    after = rescanned(shop(), shop(replace(AUTH, entry_points=())))
    assert [*after.modules] == ["authentication"]
    assert after.modules["authentication"].entry_points == ()
    assert after.modules["authentication"].related_modules == ()


def test_s4_9_a_file_stays_in_its_module_when_the_scan_would_split_it() -> None:
    split = shop(
        replace(AUTH, core_files=("src/auth/tokens.py",)),
        Module("refresh", core_files=("src/auth/refresh.py", "src/auth/rotation.py"), folders=("src/auth",)),
        BILLING,
        USERS,
    )
    after = rescanned(shop(), split)
    assert [*after.modules] == ["authentication", "billing", "users"]
    assert {"src/auth/tokens.py", "src/auth/refresh.py", "src/auth/rotation.py"} == {
        *after.modules["authentication"].core_files
    }


def test_s4_9_the_scan_confirms_what_was_told_and_then_it_follows_the_files() -> None:
    told = updated(shop(AUTH), "authentication", ModuleUpdate(add={"core_files": ("src/auth/otp.py",)}))
    seen = shop(replace(AUTH, core_files=(*AUTH.core_files, "src/auth/otp.py")))
    confirmed = rescanned(told, seen)
    assert confirmed.modules["authentication"].told == ()
    assert "src/auth/otp.py" not in rescanned(confirmed, shop(AUTH)).modules["authentication"].files


_modules = st.lists(
    st.builds(
        Module,
        st.sampled_from(["a", "b", "c"]),
        core_files=st.lists(
            st.sampled_from([f"{x}/{n}.py" for x in "abc" for n in range(3)]), unique=True
        ).map(tuple),
        confidence=st.sampled_from(Confidence),
    ),
    unique_by=lambda one: one.name,
)


def _apart(modules: list[Module]) -> ModuleMap:
    """A map in which each file stands in one module, as a scan makes it."""
    seen: set[str] = set()
    found = {}
    for one in modules:
        files = tuple(path for path in one.core_files if path not in seen)
        seen |= {*files}
        if files:
            found[one.name] = replace(one, core_files=files)
    return ModuleMap("p", found)


@given(_modules.map(_apart), _modules.map(_apart))
def test_s4_9_no_rescan_demotes_or_misplaces(old: ModuleMap, fresh: ModuleMap) -> None:
    fresh = replace(
        fresh, modules={n: replace(m, confidence=Confidence.SHALLOW) for n, m in fresh.modules.items()}
    )
    after = rescanned(old, fresh)
    present = sorted(path for one in fresh.modules.values() for path in one.files)
    assert sorted(path for one in after.modules.values() for path in one.files) == present
    for name, one in after.modules.items():
        if name in old.modules:
            assert one.confidence is old.modules[name].confidence
    assert rescanned(after, fresh) == rescanned(rescanned(after, fresh), fresh)


def test_s4_9_what_is_beyond_the_bounds_is_left_out() -> None:
    many = tuple(f"src/{n}.py" for n in range(LIST_MAX + 5))
    cut = bounded(shop(replace(AUTH, core_files=many)))
    assert cut.modules["authentication"].core_files == many[:LIST_MAX]
    assert ModuleMap.from_dict(cut.as_dict()) == cut


def test_s4_53_neither_a_scan_nor_an_agent_pushes_out_what_a_person_told() -> None:
    many = tuple(f"src/{n}.py" for n in range(LIST_MAX + 5))
    full = replace(AUTH, core_files=many, told=many, dropped=many)
    told = merged(
        full, ModuleUpdate(add={"core_files": ("src/told.py",)}, remove=("src/gone.py",)), by_person=True
    )
    others = {f"m{n}": Module(f"m{n}", core_files=(f"m{n}.py",)) for n in range(MODULES_MAX)}
    cut = bounded(replace(shop(), modules={**others, "authentication": told}))
    assert len(cut.modules) == MODULES_MAX
    assert f"m{MODULES_MAX - 2}" in cut.modules
    assert f"m{MODULES_MAX - 1}" not in cut.modules
    assert cut.modules["authentication"].core_files == (*many[: LIST_MAX - 1], "src/told.py")
    assert cut.modules["authentication"].dropped == (*many[: LIST_MAX - 1], "src/gone.py")
    assert ModuleMap.from_dict(cut.as_dict()) == cut


# what was opened


def test_s4_8_a_new_file_joins_the_module_of_its_folder() -> None:
    paths = ["src/auth/oauth/google.py", "src/billing/test_tax.py", "elsewhere.md", "src/auth/tokens.py"]
    after = with_accesses(shop(), paths, "s1")
    assert "src/auth/oauth/google.py" in after.modules["authentication"].core_files
    assert after.modules["billing"].test_files == ("src/billing/test_tax.py",)
    assert after.modules["users"].confidence is Confidence.SHALLOW
    assert after.modules["authentication"].confidence is Confidence.PARTIAL
    assert not any("elsewhere.md" in one.files for one in after.modules.values())
    assert module_near(shop(), "src/users/deep/er.py") == "users"


def test_s4_9_several_sessions_that_open_core_files_make_a_module_mapped() -> None:
    whole = shop()
    for number in range(MAPPED_SESSIONS):
        assert whole.modules["authentication"].confidence is not Confidence.MAPPED
        whole = with_accesses(whole, AUTH.core_files, f"s{number}")
    assert whole.modules["authentication"].confidence is Confidence.MAPPED
    assert whole.coverage == pytest.approx(1 / 3)
    assert (
        with_accesses(whole, AUTH.core_files, "s9").modules["authentication"].confidence is Confidence.MAPPED
    )


def test_s4_9_one_session_again_and_again_or_tests_alone_do_not() -> None:
    whole = shop()
    for _ in range(5):
        whole = with_accesses(whole, AUTH.core_files, "same")
    for number in range(5):
        whole = with_accesses(whole, ["tests/test_auth.py"], f"s{number}")
    assert whole.modules["authentication"].confidence is Confidence.MAPPED  # core once, sessions many
    tests_alone = shop()
    for number in range(5):
        tests_alone = with_accesses(tests_alone, ["tests/test_auth.py"], f"s{number}")
    assert tests_alone.modules["authentication"].confidence is Confidence.PARTIAL


def test_s4_8_no_id_of_a_session_stands_in_the_map() -> None:
    after = with_accesses(shop(), AUTH.core_files, "ana\nsecret-session")
    assert "secret-session" not in str(after.as_dict())


# matching


def test_s4_11_a_bug_in_the_auth_system_finds_authentication() -> None:
    found = match(shop(), "bug in the auth system - logged out after 5 minutes")
    assert found[0].module is AUTH
    assert "auth" in " ".join(found[0].why)


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("users cannot sign in with SSO", "authentication"),
        ("customers are charged twice on the invoice", "billing"),
        ("rename RefreshStore", "authentication"),
        ("crash in src/billing/invoices.py line 12", "billing"),
        ("models.py: add a column", "users"),
        ("JWT expires too early", "authentication"),
    ],
)
def test_s4_11_names_paths_symbols_and_concerns_find_modules(task: str, name: str) -> None:
    assert match(shop(), task)[0].module.name == name


def test_s4_11_nothing_in_common_is_no_match() -> None:
    assert match(shop(), "the and of") == []
    assert match(shop(), "") == []
    assert match(ModuleMap("empty"), "auth") == []


def test_s4_11_meaning_moves_and_alone_may_choose() -> None:
    def similar(task: str, others: object) -> list[float]:
        return [0.1, 0.9, 0.1]

    assert match(shop(), "zebra", similar=similar)[0].module is BILLING
    assert "meaning" in match(shop(), "zebra", similar=similar)[0].why
    assert match(shop(), "zebra", similar=lambda task, others: [0.0] * 3) == []


@given(st.text("ab./- é_\\\n", max_size=24))
def test_s4_11_a_file_that_is_named_is_found_wherever_it_stands(text: str) -> None:
    """As one pattern for a whole path finds it, which takes quadratic time and is for short texts only."""
    path = re.compile(r"[\w.\-]+(?:/[\w.\-]+)*\.\w{1,8}\b")
    files = ("a/b.a", "b.b", "a/a/b.ab", "b/é.a")
    module = Module("zzz", core_files=files, keywords=("zebra",))
    task = f"zebra {text}"
    named = {one.strip("./").lower() for one in path.findall(task.replace("\\", "/"))}
    wanted = [file for file in files if any(f"/{file}".endswith(f"/{one}") for one in named)]
    (found,) = match(ModuleMap("p", {"zzz": module}), task)
    assert [one for one in found.why if one in files] == wanted[:3]


@pytest.mark.parametrize("piece", ["a-", "a.", "a/", "..", "/", "a.b ", "a/b.py ", "- ", "é-", "_.", "a"])
def test_s4_11_a_task_of_any_shape_is_matched_in_time_that_grows_with_it(piece: str) -> None:
    """By the ratio of two sizes, of which quadratic time makes 64."""
    files = tuple(f"src/m{n}/f{n}.py" for n in range(300))
    whole = ModuleMap("p", {"m": Module("m", core_files=files), "n": Module("n", core_files=("n.py",))})

    def read(size: int) -> None:
        assert match(whole, piece * (size // len(piece)) + " n.py")[0].why[0] == "n.py"

    assert grows_at_most(read, 2_000, 16_000, factor=32, floor=0.005)


@given(st.text(max_size=60), st.integers(1, 5))
def test_s4_11_any_task_has_one_answer_in_order(task: str, limit: int) -> None:
    found = match(shop(), task, limit=limit)
    assert found == match(shop(), task, limit=limit)
    assert len(found) <= limit
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert all(name in AUTH.as_dict() for name in FILES)

"""`holdfast map`: scan, show, match, update, opened and delete, for people and as JSON (S4.1–S4.12)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import error_of, run, run_json

FILES = {
    "package.json": json.dumps({"name": "shop", "scripts": {"test": "vitest"},
        "dependencies": {"express": "4"},
                                "devDependencies": {"vitest": "1"}}),
    "src/auth/tokens.ts": "export function issueToken() {}\n",
    "src/auth/tokens.test.ts": "import './tokens'\n",
    "src/billing/invoice.ts": "import {issueToken} from '../auth/tokens'\n",
    "CLAUDE.md": "- Never commit directly to the main branch.\n",
}  # fmt: skip


def repo(root: Path) -> Path:
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def test_s4_4_a_folder_is_scanned_and_shown(tmp_path: Path) -> None:
    root = repo(tmp_path / "shop")
    said = run("map", "scan", str(root)).stdout
    assert "shop: 3 modules, 0% of them mapped" in said
    assert "shop (.): backend, Express, typescript, npm" in said
    assert "Tests: vitest: npm test" in said
    assert "I found 2 conventions. Review? holdfast review --project shop" in said
    assert "Review?" not in run("map", "scan", str(root)).stdout
    shown = run("map", "show", "--project", "shop").stdout
    assert "authentication  [shallow]\n  Defines issueToken.\n  Files: src/auth/tokens.ts\n" in shown
    assert "  Tests: src/auth/tokens.test.ts" in shown
    assert "Related: authentication" in shown
    whole = run_json("map", "show", "--project", "shop")
    assert whole["modules"]["billing"]["core_files"] == ["src/billing/invoice.ts"]
    output = run_json("map", "show", "billing", "--project", "shop")
    assert output == whole["modules"]["billing"]
    assert "core files\n  src/billing/invoice.ts" in run("map", "show", "billing", "--project", "shop").stdout
    assert run_json("map", "scan", str(root), "--no-seed", "--project", "other")["proposed"] == 0


def test_s4_11_a_task_is_matched_with_why(tmp_path: Path) -> None:
    run("map", "scan", str(repo(tmp_path / "shop")))
    output = run("map", "match", "bug", "in", "the", "auth", "system", "--project", "shop").stdout
    assert output.strip().startswith("authentication")
    assert "Why: auth" in output
    matches = run_json("map", "match", "invoices", "--project", "shop", "-n", "1")["matches"]
    assert [match["module"]["name"] for match in matches] == ["billing"]
    assert "No modules match" in run("map", "match", "the", "--project", "shop").stdout


def test_s4_10_a_module_is_updated_and_a_map_deleted(tmp_path: Path) -> None:
    run("map", "scan", str(repo(tmp_path / "shop")))
    output = run_json(
        "map", "update", "authentication", "--project", "shop", "--core-file", "src/auth/otp.ts",
        "--description", "Sign-in", "--remove", "src/auth/tokens.test.ts",
    )  # fmt: skip
    assert output["core_files"] == ["src/auth/tokens.ts", "src/auth/otp.ts"]
    assert (output["description"], output["confidence"], output["test_files"]) == ("Sign-in", "partial", [])
    for number in range(3):
        args = ("src/auth/tokens.ts", "--session", f"s{number}", "--project", "shop")
        after = run_json("map", "opened", *args)
    assert after["modules"]["authentication"]["confidence"] == "mapped"
    assert "33% of them mapped" in run("map", "opened", *args).stdout
    assert run("map", "delete", "--project", "shop", status=2).stderr
    assert run_json("map", "delete", "--project", "shop", "--yes") == {"project": "shop", "deleted": True}
    assert error_of("map", "show", "--project", "shop", status=3)["code"] == "map_not_found"


def test_s4_4_what_is_wrong_is_said(tmp_path: Path) -> None:
    assert error_of("map", "scan", str(tmp_path / "nowhere"), status=2)["code"] == "file_not_found"
    run("map", "scan", str(repo(tmp_path / "shop")))
    assert error_of("map", "show", "nothing", "--project", "shop", status=3)["code"] == "module_not_found"
    assert "give --project NAME" in run("map", "show", status=2).stderr

"""`holdfast insights` and `holdfast review separate` (S3.26-S3.30)."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.support import run, run_json

ANSWER = (
    "I looked at the sheets of the workbook and all the formulas, and here is what I can say of all of it."
)


def test_s3_26_insights_of_a_conversation_are_shown_and_divided(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "a.db")]
    for number, said in enumerate(
        ("The churn rate is computed per month.", "The churn rate includes trials.")
    ):
        file = tmp_path / f"{number}.json"
        ask = f"Please have a look at workbook {number} with me, it is about our customers."
        texts = zip(("user", "assistant", "user"), (ask, ANSWER, said), strict=True)
        file.write_text(json.dumps([{"role": role, "content": text} for role, text in texts]), "utf-8")
        run("import", str(file), *store)
    first, second = (session["id"] for session in run_json("sessions", "list", *store)["sessions"])
    assert "Nothing was stored" in run("insights", first, "--dry-run", *store).stderr
    shown = run("insights", first, "--scope", "file:churn.xlsx", *store).stdout
    assert "churn rate" in shown
    assert "1 change from 3 messages." in shown
    (change,) = run_json("insights", second, "--scope", "file:churn.xlsx", *store)["changes"]
    assert change["action"] == "merged"
    assert "Separated" in run("review", "separate", change["memory"], *store).stdout

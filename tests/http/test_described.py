"""Descriptions over HTTP: reading a source of the service's machine again, only where it is allowed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from holdfast import Memory
from tests.http.support import site


def test_s3_17_a_source_is_read_again_where_the_settings_allow_it(tmp_path: Path) -> None:
    allowed, other = tmp_path / "allowed", tmp_path / "other"
    for folder in (allowed, other):
        folder.mkdir()
        (folder / "fees.csv").write_text("boat,fee\na,1\nb,2\n")
    (allowed / "link.csv").symlink_to(other / "fees.csv")
    with site(tmp_path) as here:
        memory = Memory.over(here.service)
        ids = [str(memory.reconcile(folder / "fees.csv").source) for folder in (allowed, other)]
        stamp = memory.described.get(ids[0]).stamp
        assert memory.described.regenerate(ids[0]).unchanged == 1

        def again(id: str) -> tuple[int, str]:
            response = here.call("POST", f"/v1/described/{id}/regenerate")
            found = response.json()
            return response.status_code, found["code"] if response.status_code != 200 else found["name"]

        assert again(ids[0]) == (403, "root_not_allowed"), "by default the service reads no file"
        here.app.state.roots = (os.path.realpath(allowed),)
        (allowed / "fees.csv").write_text("boat,fee,season\na,1,summer\nb,2,winter\nc,3,winter\n")
        response = here.call("POST", f"/v1/described/{ids[0]}/regenerate").json()
        assert [(one["action"], one["entity"]) for one in response["changes"]] == [("updated", "fees.csv")]
        (found,) = memory.list(kinds=["data_table_summary"], scope=("file", "fees.csv"), limit=1).memories
        assert "season" in found.text
        assert again(ids[1]) == (403, "root_not_allowed")
        assert again("0" * 36) == (404, "source_not_found")
        # what a client says of a path, or of this machine, opens nothing
        for name, said in (
            (str(allowed / "link.csv"), stamp),
            ("postgresql://db/shop", stamp),
            ("fees", stamp),
        ):
            named: dict[str, Any] = {"name": "x", "entities": [], "stamp": said}
            source = str(memory.described.apply(name, named).source)
            assert again(source) == (403, "root_not_allowed"), name
        elsewhere: dict[str, Any] = {"name": "x.csv", "entities": [], "stamp": "another:1"}
        source = str(memory.described.apply(str(allowed / "x.csv"), elsewhere).source)
        assert again(source) == (400, "file_not_found"), "it was read on another machine"
        (allowed / "fees.csv").unlink()
        assert again(ids[0]) == (400, "file_not_found")
        assert memory.described.get(ids[0]).memories == 1, "what is known of it stays"

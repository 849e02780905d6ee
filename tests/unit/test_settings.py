"""Settings: what the environment says is taken, and what is no value is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast import HoldfastError, InvalidInput, Memory, config
from holdfast.embeddings.static import DIMS

TOKEN = "kX9vQ2mZr7LtB4wPnY8s"


@pytest.mark.parametrize(("bits", "kept"), [("3.45", False), ("8", True)])
def test_s4_21_the_entropy_of_a_secret_is_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: str, kept: bool
) -> None:
    monkeypatch.setenv("HOLDFAST_SECRET_ENTROPY", bits)
    with Memory(tmp_path / "a.db") as memory:
        stored = memory.remember(f"The value is {TOKEN} there", metadata={"list": [TOKEN]}).memory
        assert stored is not None
        assert (TOKEN in stored.text, TOKEN in stored.metadata["list"]) == (kept, kept)
        memory.revise(stored.id, text=f"Now it is {TOKEN}")
        assert (TOKEN in memory.get(stored.id).text) == kept


@pytest.mark.parametrize("bits", ["much", "-1", "9", "nan"])
def test_a_threshold_that_is_no_number_of_bits_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: str
) -> None:
    monkeypatch.setenv("HOLDFAST_SECRET_ENTROPY", bits)
    with pytest.raises(HoldfastError, match="secret_entropy") as error:
        Memory(tmp_path / "a.db")
    assert error.value.code == "config_invalid"


@pytest.mark.parametrize("dimensions", config.DIMENSIONS)
def test_s4_46_the_dimensions_of_vectors_are_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dimensions: int
) -> None:
    """S4.46: what was kept with other dimensions is found by its words, by meaning after `maintain`."""
    with Memory(tmp_path / "a.db") as memory:
        memory.remember("The puppy has been ill since Monday")
    monkeypatch.setenv("HOLDFAST_DIMENSIONS", str(dimensions))
    with Memory(tmp_path / "a.db") as memory:
        assert memory.doctor().waiting == (0 if dimensions == 256 else 1)
        assert memory.recall("puppy")
        memory.maintain()
        assert memory.doctor().waiting == 0
        assert memory.recall("my dog is sick", mode="vectors")


@pytest.mark.parametrize("days", ["year", "-1", "1.5", "36501"])
def test_an_expiry_that_is_no_number_of_days_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: str
) -> None:
    monkeypatch.setenv("HOLDFAST_EXPIRY_DAYS", days)
    with pytest.raises(HoldfastError, match="expiry_days") as error:
        Memory(tmp_path / "a.db")
    assert error.value.code == "config_invalid"


@pytest.mark.parametrize("dimensions", ["many", "0", "100", "256.0", "-64"])
def test_dimensions_that_the_embedder_does_not_have_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dimensions: str
) -> None:
    monkeypatch.setenv("HOLDFAST_DIMENSIONS", dimensions)
    with pytest.raises(HoldfastError, match=r"dimensions .* is not 64, 128, 256") as error:
        Memory(tmp_path / "a.db")
    assert error.value.code == "config_invalid"


def test_the_dimensions_of_the_setting_are_those_of_the_embedder() -> None:
    assert config.DIMENSIONS == DIMS


def test_s2_16_patterns_of_personal_data_are_a_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_PII_PATTERNS", '{"staff": "E-[0-9]{6}"}')
    with Memory(tmp_path / "store.db") as memory:
        (result, mine) = (
            memory.remember("badge E-123456 is lost", visibility="team"),
            memory.remember("my badge is E-654321"),
        )
        many = memory.add_messages(
            [{"role": "user", "content": f"badge E-{number:06}"} for number in range(120)], session="chat"
        )
    assert result.outcome == "pending"
    assert mine.memory is not None
    assert (mine.outcome, mine.memory.pii_risk) == ("created", 2)
    assert {one.memory.pii_risk for one in many if one.memory} == {2}


@pytest.mark.parametrize(
    "patterns",
    [
        "[]",
        "{",
        '{"a": 1}',
        '{"a": "(?=x)"}',
        '{"a": "x*"}',
        '{"Email!": "x"}',
        '{"email": "x"}',
        '{"a": "("}',
    ],
)
def test_s2_16_a_pattern_that_cannot_be_used_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patterns: str
) -> None:
    monkeypatch.setenv("HOLDFAST_PII_PATTERNS", patterns)
    with pytest.raises(InvalidInput) as error:
        Memory(tmp_path / "store.db")
    assert error.value.code == "config_invalid"


def test_relative_paths_in_the_file_start_at_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever a program runs; `~` and the address of a bucket are what they are elsewhere."""
    folder = tmp_path / "settings" / "holdfast"
    folder.mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    (folder / "config.toml").write_text(
        'store = "mine.db"\nkey_file = "keys/store"\nbackup_key_file = "/keys/backups"\n'
        'api_key_file = "~/api"\nbackup_folder = "safe"\nroots = ["code", "/srv"]\n'
        'model_key_files = {"https://llm.example" = "llm.key"}\n'
    )
    for where in (tmp_path, folder):
        monkeypatch.chdir(where)
        found = config.load()
        assert (found.store, found.key_file) == (str(folder / "mine.db"), str(folder / "keys/store"))
        assert (found.backup_key_file, found.api_key_file) == ("/keys/backups", str(Path.home() / "api"))
        assert found.backup_folder == str(folder / "safe")
        assert found.roots == (str((folder / "code").resolve()), "/srv")
        assert dict(found.model_key_files) == {"https://llm.example": str(folder / "llm.key")}
    (folder / "config.toml").write_text('store = "tenants:///x"\nbackup_folder = "s3://bucket/x"\n')
    assert (config.load().store, config.load().backup_folder) == ("tenants:///x", "s3://bucket/x")


def configured(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Path:
    """Returns the folder of a configuration file with this text, which settings come from."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "settings"))
    (folder / "settings" / "holdfast").mkdir(parents=True, exist_ok=True)
    (folder / "settings" / "holdfast" / "config.toml").write_text(text)
    return folder / "settings" / "holdfast"


@pytest.mark.parametrize("name", ["store", "backup_folder", "backup_key_file"])
def test_a_relative_path_of_the_file_that_only_the_current_folder_has_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Another one would be made at the folder of the file, and what is here would seem gone."""
    folder = configured(tmp_path, monkeypatch, f'{name} = "kept/diary"\n')
    here = tmp_path / "desk" / "kept" / "diary"
    here.parent.mkdir(parents=True)
    here.touch()
    monkeypatch.chdir(tmp_path / "desk")
    there = folder / "kept" / "diary"
    with pytest.raises(InvalidInput) as error:
        config.load()
    assert error.value.code == "config_invalid"
    assert str(here) in error.value.message
    assert str(there) in error.value.message
    assert f'{name} = "{here}"' in str(error.value.hint)
    monkeypatch.setenv(f"HOLDFAST_{name.upper()}", str(here))
    assert getattr(config.load(), name) == str(here), "what takes precedence over the file is not refused"
    monkeypatch.delenv(f"HOLDFAST_{name.upper()}")
    there.parent.mkdir()
    there.touch()
    assert getattr(config.load(), name) == str(there)


def test_texts_of_the_file_that_stand_for_lists_and_tables_start_at_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As lists and tables do: each of their paths by itself."""
    written = (
        "roots = 'work:/opt/tools:papers'\n"
        """model_key_files = '{"https://a.example": "/etc/a.key", "https://b.example": "b.key"}'\n"""
    )
    folder = configured(tmp_path, monkeypatch, written)
    monkeypatch.chdir(tmp_path)
    found = config.load()
    assert found.roots == (str((folder / "work").resolve()), "/opt/tools", str((folder / "papers").resolve()))
    assert dict(found.model_key_files) == {
        "https://a.example": "/etc/a.key", "https://b.example": str(folder / "b.key")
    }  # fmt: skip


@pytest.mark.parametrize("name", ["embedder", "embedder_next"])
def test_a_model_in_a_folder_is_looked_for_beside_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = configured(tmp_path, monkeypatch, f'{name} = "onnx:models/small"\n')
    monkeypatch.chdir(tmp_path)
    assert getattr(config.load(), name) == f"onnx:{folder / 'models' / 'small'}"
    for value in ("onnx:/srv/model", "onnx:~/model", "onnx:", "static", "sentence-transformers:org/name"):
        configured(tmp_path, monkeypatch, f'{name} = "{value}"\n')
        assert getattr(config.load(), name) == value
    monkeypatch.setenv(f"HOLDFAST_{name.upper()}", "onnx:models/small")
    assert getattr(config.load(), name) == "onnx:models/small", "of the environment: of the current folder"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOLDFAST_KEY_FILE", "store.key"),
        ("HOLDFAST_BACKUP_KEY_FILE", "./keys/backups"),
        ("HOLDFAST_API_KEY_FILE", "../api.key"),
        ("HOLDFAST_MODEL_KEY_FILES", '{"https://llm.example": "llm.key"}'),
        ("HOLDFAST_BACKUP_FOLDER", "backups"),
    ],
)
def test_the_environment_names_no_key_and_no_place_of_backups_by_a_relative_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidInput, match=f"{name} has the relative path") as error:
        Memory(tmp_path / "a.db")
    assert error.value.code == "config_invalid"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("topics", '{"a":' * 60_000),
        ("pii_patterns", "[" * 60_000),
        ("model_key_files", "[" * 60_000),
        ("pii_patterns", '{"staff": "E-\\udcff"}'),
        ("backup_folder", "/mnt/\udcfe"),
        ("roots", "/srv/\udcfe"),
        ("store", "\udcfe.db"),
        ("embedder", "onnx:~nobody-of-this-name/model"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"HOLDFAST_{name.upper()}", value)
    with pytest.raises(InvalidInput, match=name) as error:
        Memory(None if name == "store" else tmp_path / "a.db")
    assert error.value.code == "config_invalid"


@pytest.mark.parametrize("address", ["http://[::2", "https://ü host/", "http://host:port"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(InvalidInput, match="store") as error:
        Memory(address, api_key="k").list()
    assert error.value.code == "config_invalid"


@pytest.mark.parametrize("key", ["\udcfe", "schlüssel"])
def test_an_api_key_that_no_request_can_carry_is_refused(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("HOLDFAST_API_KEY", key)
    with pytest.raises(InvalidInput, match="api_key") as error:
        Memory("http://127.0.0.1:9").list()
    assert error.value.code == "config_invalid"

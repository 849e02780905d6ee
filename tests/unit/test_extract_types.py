"""Types of files: what is read, in which language, and what never is, with the reason."""

from __future__ import annotations

from holdfast.features.reading.types import MAX_FILE, MAX_PDF, type_of
from tests.cases import each

READ = (
    "txt md json ts tsx js jsx py yml yaml toml xml html css scss sh rs go java c cpp h cs php rb swift kt"
    " scala sql r lua conf ini log jsonl tsv csv pdf docx rtf odt xlsx xls ods pptx odp eml msg epub ipynb"
).split()


@each("suffix", READ)
def test_s1_60_supported_types_are_read(suffix: str) -> None:
    kind = type_of(f"folder.d/some name.{suffix.upper()}")
    assert kind.never is None
    assert kind.name != "unknown"


@each(
    "name, reason",
    [
        ("film.mp4", "videos"),
        ("song.mp3", "recordings"),
        ("system.iso", "disk images"),
        ("all.tar.gz", "archives"),
        ("setup.exe", "programs"),
        ("photo.JPG", "pictures"),
        ("old.doc", "export it"),
        ("old.ppt", "export it"),
        ("app.min.js", "written by a tool"),
        ("model.safetensors", "weights"),
    ],
)
def test_s1_60_what_is_never_read_has_a_reason(name: str, reason: str) -> None:
    kind = type_of(name)
    assert kind.never in ("never_read", "excluded_by_default")
    assert kind.why is not None
    assert reason in kind.why


@each(
    "name",
    [".env", "a/.kube/config", ".docker/config.json", "b/gha-creds-1f.json",
     "a/.env.local", "prod.env", "server.pem", "id_rsa", "id_ed25519", ".netrc", ".npmrc", "x.p12",
     "credentials.json", "id_rsa.old", "main.tfstate", ".bash_history"],
)  # fmt: skip
def test_s1_60_files_that_hold_secrets_are_never_read(name: str) -> None:
    assert type_of(name).never == "holds_secrets"


@each(
    "name, filetype, language",
    [
        ("a/b.py", "python", "python"),
        ("x.test.tsx", "tsx", "tsx"),
        ("Dockerfile", "docker", "docker"),
        ("Dockerfile.dev", "docker", "docker"),
        ("Makefile", "make", "make"),
        (".editorconfig", "ini", None),
        (".env.example", "unknown", None),
        ("README", "unknown", None),
        (".py", "python", "python"),
        ("archive.py/LICENSE", "unknown", None),
        ("environment.py", "python", "python"),
    ],
)
def test_names_tell_type_and_language(name: str, filetype: str, language: str | None) -> None:
    kind = type_of(name)
    assert (kind.name, kind.language, kind.never) == (filetype, language, None)


def test_s1_61_only_a_pdf_may_be_larger_than_100_mb() -> None:
    assert type_of("a.txt").max_bytes == type_of("a.docx").max_bytes == MAX_FILE == 100_000_000
    assert type_of("a.pdf").max_bytes == MAX_PDF > MAX_FILE

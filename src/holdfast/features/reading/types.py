"""File types by name: how a file is read, its language, or why it is never read (S1.60)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import InvalidInput

MAX_FILE = 100_000_000
"""Most bytes of a file that is read, other than a PDF (S1.61)."""
MAX_PDF = 1 << 30
"""Most bytes of a PDF: it is not read as a whole, and its pages and characters are bounded."""
MAX_TEXT = 16_000_000
"""Most characters of text of one file; more is a log or a dump, of no use for semantic search."""


@dataclass(frozen=True, slots=True)
class FileType:
    """The way in which files of a type are read.

    `form` is "text" for plain text; any other form has its own reader. `never` is the code of the reason
    (`skip_reasons.REASONS`) why the type is not read, with `why` as a sentence; both are None otherwise.
    """

    name: str
    form: str = "text"
    language: str | None = None
    never: str | None = None
    why: str | None = None
    max_bytes: int = MAX_FILE


UNKNOWN = FileType("unknown")
"""The type of an unknown name: read if its content is text."""

_CODE = """
python: py pyi pyw pyx
javascript: js jsx mjs cjs
typescript: ts mts cts
tsx: tsx
go: go
rust: rs
java: java
c: c h
cpp: cpp cc cxx hpp hh hxx inl ino cu
csharp: cs csx
php: php phtml
ruby: rb rake gemspec
swift: swift
kotlin: kt kts
scala: scala sc
groovy: groovy gradle
objective-c: m mm
shell: sh bash zsh fish ksh
powershell: ps1 psm1 psd1
batch: bat cmd
sql: sql ddl
r: r
lua: lua
perl: pl pm
julia: jl
dart: dart
elixir: ex exs
erlang: erl hrl
haskell: hs
ocaml: ml mli
fsharp: fs fsx
clojure: clj cljs cljc edn
elm: elm
zig: zig
nim: nim
crystal: cr
lisp: lisp el scm rkt
fortran: f90 f95 f03
pascal: pas
visual-basic: vb bas
assembly: asm s
vhdl: vhd vhdl
verilog: v sv
solidity: sol
nix: nix
terraform: tf tfvars hcl
protobuf: proto
thrift: thrift
graphql: graphql gql
prisma: prisma
vue: vue
svelte: svelte
astro: astro
html: html htm xhtml
css: css scss sass less styl
template: jinja jinja2 j2 ejs hbs mustache liquid erb haml pug twig tmpl tpl
cmake: cmake
make: mk
diff: diff patch
"""
_TEXT = """
markdown: md markdown mdx mdc
rst: rst
asciidoc: adoc asciidoc
org: org
text: txt text log
tex: tex latex bib sty
json: json jsonl ndjson json5 jsonc geojson webmanifest
yaml: yml yaml
toml: toml
xml: xml xsd xsl xslt wsdl plist csproj fsproj vbproj props targets resx
ini: ini cfg conf cnf config properties editorconfig gitattributes gitignore dockerignore npmrc
table: csv tsv
subtitles: srt vtt
po: po pot
ics: ics vcf
"""
_DOCUMENTS = """
pdf: pdf
docx: docx docm dotx
odt: odt fodt ott
rtf: rtf
sheet: xlsx xlsm xlsb xls ods
pptx: pptx pptm ppsx potx
odp: odp
eml: eml
mbox: mbox mbx
msg: msg
epub: epub
notebook: ipynb
"""
_NAMES = {
    "dockerfile": "docker",
    "containerfile": "docker",
    "makefile": "make",
    "gnumakefile": "make",
    "justfile": "make",
    "cmakelists.txt": "cmake",
    "rakefile": "ruby",
    "gemfile": "ruby",
    "podfile": "ruby",
    "vagrantfile": "ruby",
    "jenkinsfile": "groovy",
    "build.bazel": "python",
    "build": "python",
    "workspace": "python",
    "go.mod": "go-mod",
    "procfile": "yaml",
}
"""Whole names, in lower case, whose suffix does not show the language."""
_ALIASES = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", "golang": "go", "objc": "objective-c"}
"""Other names of languages, beside the suffixes of their files."""
_TOGETHER = {"typescript": ("typescript", "tsx")}
"""Languages that are one to those who ask for it."""

_NEVER = {
    "video": ("videos are not read", "mp4 m4v mkv mov avi webm wmv flv mpg mpeg 3gp ogv m2ts"),
    "audio": ("recordings are not read", "mp3 wav flac ogg oga m4a aac wma aiff aif opus mid midi amr"),
    "image": (
        "pictures are not read: finding text in them needs a recogniser that is not part of Holdfast",
        "png jpg jpeg gif bmp tif tiff webp heic heif avif ico icns svg svgz psd ai eps raw cr2 nef xcf fig"
        " sketch",
    ),
    "disk image": ("disk images are not read", "iso img dmg vmdk vdi vhd vhdx qcow2 toast wim"),
    "archive": (
        "archives are not read: unpack what should be found",
        "zip tar gz tgz bz2 tbz xz txz zst lz lz4 lzma 7z rar cab ar cpio deb rpm apk ipa jar war ear whl egg"
        " gem crate nupkg pkg snap flatpak appimage crx xpi vsix asar",
    ),
    "executable": (
        "programs and object code are not read",
        "exe dll so dylib o obj a lib class pyc pyo pyd elc beam wasm bin com msi sys ko elf app out node"
        " pdb ilk",
    ),
    "database": (
        "databases are not read: their tables have no reading order",
        "db db3 sqlite sqlite3 mdb accdb dbf rdb ldb sst frm ibd myd myi parquet feather arrow orc avro hdf5"
        " h5 nc mat rdata rds sav dta duckdb realm",
    ),
    "model": (
        "weights and arrays are numbers, not text",
        "pt pth ckpt safetensors onnx tflite pb gguf ggml npy npz pkl pickle joblib model keras mlmodel",
    ),
    "font": ("fonts are not read", "ttf otf woff woff2 eot pfb"),
    "generated": (
        "written by a tool from other files",
        "map min.js min.mjs min.css bundle.js chunk.js pb.go pb.cc pb.h _pb2.py _pb2_grpc.py snap lock",
    ),
    "design": (
        "a format that no library of ours reads; export it as text, PDF or an open format",
        "doc dot ppt pps pot wpd wps pages numbers key one pub vsd vsdx mpp dwg dxf indd blend fbx stl 3ds"
        " mobi azw azw3 djvu chm pst ost xps hwp",
    ),
    "temporary": ("a temporary file", "tmp temp swp swo bak orig rej part crdownload ~ pid"),
}
_SECRET_SUFFIXES = (
    "pem key p12 pfx pkcs12 jks keystore kdbx kdb ppk asc gpg pgp p8 der crt cer csr ovpn agekey tfstate"
    " tfstate.backup keytab"
).split()
_SECRET_NAMES = frozenset(
    ".env .envrc .netrc _netrc .pgpass .my.cnf .pypirc .htpasswd .npmrc .yarnrc .dockercfg .git-credentials"
    " .boto .s3cfg .vault-token id_rsa id_dsa id_ecdsa id_ed25519 id_xmss known_hosts authorized_keys"
    " credentials credentials.json client_secret.json service-account.json secrets.yml secrets.yaml"
    " secrets.json secrets.toml secring.gpg shadow wallet.dat .bash_history .zsh_history .python_history"
    " dockerconfig.json .dockerconfigjson kubeconfig .kubeconfig"
    " .psql_history .mysql_history .sqlite_history .node_repl_history .lesshst .viminfo master.key".split()
)
_SECRET_PATHS = frozenset({".kube/config", ".docker/config.json", ".aws/config", ".cargo/credentials.toml"})
_HARMLESS = (".example", ".sample", ".template", ".dist", ".defaults", ".schema", ".test.example")
_SECRETS = FileType("secrets", never="holds_secrets", why="files of this name hold keys and passwords")


@cache
def _suffixes() -> dict[str, FileType]:
    """Returns each suffix, without its dot and in lower case, with its type. Readable types take
    precedence."""
    by_suffix: dict[str, FileType] = {}
    for name, (why, suffixes) in _NEVER.items():
        code = {"generated": "excluded_by_default", "design": "never_read"}.get(name, "never_read")
        for suffix in suffixes.split():
            by_suffix[suffix] = FileType(name, never=code, why=why)
    for suffix in _SECRET_SUFFIXES:
        by_suffix[suffix] = _SECRETS
    for table, is_document in ((_CODE, False), (_TEXT, False), (_DOCUMENTS, True)):
        for line in table.split("\n"):
            name, _, listed = line.partition(": ")
            kind = FileType(
                name,
                form=name if is_document else "text",
                language=name if table is _CODE else None,
                max_bytes=MAX_PDF if name == "pdf" else MAX_FILE,
            )
            by_suffix.update((suffix, kind) for suffix in listed.split())
    return by_suffix


@cache
def is_document(name: str | None) -> bool:
    """Returns whether files of a type, by its name, are documents, whose text has lines that no file has."""
    return any(kind.name == name and kind.form != "text" for kind in _suffixes().values())


@cache
def languages() -> tuple[str, ...]:
    """Returns the names of the languages of code, sorted."""
    suffixes = {kind.language for kind in _suffixes().values() if kind.language is not None}
    return tuple(sorted(suffixes | {*_NAMES.values()}))


def languages_named(name: object) -> frozenset[str]:
    """Returns the languages that a name stands for, which is their own or the suffix of their files. Raises
    InvalidInput `language_unknown`."""
    requested = name.strip().lower().removeprefix(".") if isinstance(name, str) else ""
    language = _ALIASES.get(requested, requested)
    if language not in languages():
        kind = _suffixes().get(language)
        language = kind.language if kind is not None and kind.language is not None else ""
    if not language:
        from difflib import get_close_matches

        similar = get_close_matches(requested[:100], languages(), 2, 0.75)
        raise InvalidInput(
            f"there is no language {safe_repr(name)}",
            code="language_unknown",
            hint=f"did you mean {' or '.join(similar)}?" if similar else f"one of {', '.join(languages())}",
        )
    return frozenset(_TOGETHER.get(language, (language,)))


def type_of(path: str) -> FileType:
    """Returns the type of a path by its last component, `UNKNOWN` if it has none. Opens no file."""
    folder, _, name = path.lower().rpartition("/")
    if _holds_secrets(name) or f"{folder.rpartition('/')[2]}/{name}" in _SECRET_PATHS:
        return _SECRETS
    if (language := _NAMES.get(name)) is not None:
        return FileType(language, language=language)
    suffixes = _suffixes()
    _, _, rest = name.lstrip(".").partition(".")
    while rest:  # the longest suffix that is known: "min.js" before "js"
        if (kind := suffixes.get(rest)) is not None:
            return kind
        _, _, rest = rest.partition(".")
    if name.endswith("~"):
        return suffixes["~"]
    if name.endswith(("_pb2.py", "_pb2_grpc.py")):
        return suffixes["_pb2.py"]
    if name.startswith(("dockerfile.", "dockerfile-", "makefile.")):
        language = "docker" if name.startswith("dockerfile") else "make"
        return FileType(language, language=language)
    if name.startswith(".") and (kind := suffixes.get(name[1:])) is not None and kind.never is None:
        return kind  # ".editorconfig" is all suffix
    return UNKNOWN


def _holds_secrets(name: str) -> bool:
    """Returns whether a file of this name usually contains secrets."""
    if name in _SECRET_NAMES:
        return True
    if name.startswith((".env.", ".env-")) or name.endswith(".env"):
        return not name.endswith(_HARMLESS)
    if name.startswith("gha-creds-") and name.endswith(".json"):  # of the Google action, in a checkout
        return True
    # files named after a key, such as id_rsa.old; the public half is not a secret
    return name.startswith(("id_rsa.", "id_ed25519.", "id_ecdsa.")) and not name.endswith(".pub")

"""Vocabulary of software: words with the same concern, and words that do not locate anything."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

CONCERNS: Mapping[str, str] = {
    "authentication": "auth authn authenticate login logout signin signup signout logged sso oauth oauth2"
    " oidc saml jwt token password passwd credential identity mfa totp passkey",
    "authorization": "authz permission role rbac acl privilege policy forbidden grant",
    "session": "session cookie remember expiry",
    "database": "db sql orm query storage store persistence postgres postgresql mysql sqlite mongo"
    " repository dao table row transaction commit rollback",
    "migration": "migration migrate alembic schema upgrade downgrade",
    "cache": "cache caching memoize redis memcached ttl evict invalidate",
    "network": "http network socket connection connect tcp tls ssl request transport client fetch proxy"
    " timeout retry redirect",
    "routing": "route router routing url path endpoint dispatch handler controller blueprint view",
    "frontend": "ui frontend gui component page screen widget button form modal layout css style theme"
    " render",
    "template": "template templating jinja render view html",
    "configuration": "config configuration configure setting option env environment dotenv preference",
    "commandline": "cli command commandline argument argv flag option parser shell prompt terminal console",
    "logging": "log logging logger trace telemetry metric monitoring observability",
    "error": "error exception failure traceback crash panic raise",
    "serialization": "serialize serialization deserialize json yaml xml marshal encode decode codec"
    " format schema",
    "validation": "validate validation validator constraint sanitize schema check",
    "parsing": "parse parser parsing lexer tokenizer token grammar syntax ast",
    "queue": "queue job worker task background celery scheduler schedule cron async",
    "concurrency": "async await thread lock concurrent concurrency parallel future promise coroutine"
    " event loop",
    "email": "email mail smtp inbox newsletter notify notification",
    "payment": "payment pay billing invoice checkout stripe subscription charge refund price",
    "search": "search index query ranking retrieval filter facet",
    "file": "file upload download filesystem path directory folder stream blob attachment",
    "testing": "test testing mock fixture assert spec coverage",
    "crypto": "crypto encrypt decrypt hash cipher signature sign verify certificate key hmac",
    "user": "user account profile member customer person",
    "admin": "admin dashboard backoffice moderation",
    "api": "api rest graphql grpc rpc endpoint",
    "internationalization": "i18n l10n locale translation language translate internationalization",
    "date": "date time timezone calendar datetime duration clock",
    "color": "color colour palette style theme ansi",
    "typing": "type typing annotation generic inference signature",
    "compression": "compress compression gzip zip deflate brotli zstd decompress archive",
    "documentation": "doc docs documentation readme manual guide",
    "build": "build compile bundle bundler packaging release deploy deployment ci docker container",
}  # fmt: skip
"""Concerns with their words in tasks and code; a word may belong to several."""

NAMES: Mapping[str, str] = {
    "auth": "authentication",
    "authn": "authentication",
    "authz": "authorization",
    "db": "database",
}
"""Short names of folders and files, and the resulting names of modules (S4.11)."""

SHORT: Mapping[str, str] = {
    "arg": "argument", "args": "arguments", "attr": "attribute", "bool": "boolean", "cert": "certificate",
    "cfg": "config", "char": "character", "cmd": "command", "conf": "config", "conn": "connection",
    "ctx": "context", "dest": "destination", "dev": "development", "dict": "dictionary", "dir": "directory",
    "doc": "document", "env": "environment", "err": "error", "exc": "exception", "expr": "expression",
    "fmt": "format", "fn": "function", "func": "function", "idx": "index", "img": "image",
    "impl": "implementation", "info": "information", "init": "initialize", "int": "integer",
    "iter": "iterator",    "lang": "language", "lib": "library", "loc": "location", "max": "maximum",
    "mem": "memory",
    "min": "minimum", "msg": "message", "num": "number", "obj": "object",
    "op": "operation", "opt": "option", "param": "parameter", "params": "parameters", "pkg": "package",
    "pref": "preference", "prev": "previous", "proc": "process", "prop": "property", "props": "properties",
    "pwd": "password", "ref": "reference", "regex": "regular", "repo": "repository", "req": "request",
    "res": "response", "resp": "response", "rng": "random", "spec": "specification", "src": "source",
    "sep": "separator", "seq": "sequence", "srv": "server", "stat": "statistic", "str": "string",
    "sync": "synchronous", "sys": "system", "temp": "temporary", "tmp": "temporary", "val": "value",
    "var": "variable", "vars": "variables", "ver": "version",
}  # fmt: skip
"""Abbreviations in code with their full form in tasks."""

EMPTY = frozenset(
    """add allow also always bad behavior behaviour better break broken bug bugs call called cannot case
    cause change changed check code correct correctly crash create different does doesn don each ensure
    even every expected fail failing fails feature fix fixed follow gets getting give given happen help
    implement improve incorrect instead issue keep let like make makes missing module need needed needs
    new nothing one part problem project properly provide receive refactor remove rename result return
    returns right see seen set show shown shows someone something stop stops support system task thing
    try two update use used user users uses using value want way without work working works write
    written wrong""".split()
)
"""Words of tasks that hardly locate anything; they count for a fraction."""


def concerns_of(word: str) -> frozenset[str]:
    """Returns the concerns of a word, as written or stemmed."""
    return _concerns().get(word.lower(), frozenset())


@cache
def _concerns() -> dict[str, frozenset[str]]:
    """Returns the concerns of each word stem."""
    from holdfast.language.terms import words_of

    by_word: dict[str, set[str]] = {}
    for concern, words in CONCERNS.items():
        for word in {concern, *words.split()}:
            for form in {word, *words_of(word)}:
                by_word.setdefault(form, set()).add(concern)
    return {word: frozenset(concerns) for word, concerns in by_word.items()}


def other_forms(word: str) -> tuple[str, ...]:
    """Returns the short or full forms of a stemmed word."""
    return _forms().get(word, ())


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """Returns the long and short forms of each word stem."""
    from holdfast.language.terms import words_of

    by_word: dict[str, set[str]] = {}
    for short, full in SHORT.items():
        (short_stem,), (full_stem,) = words_of(short)[:1], words_of(full)[:1]
        if short_stem != full_stem:
            by_word.setdefault(short_stem, set()).add(full_stem)
            by_word.setdefault(full_stem, set()).add(short_stem)
    return {word: tuple(sorted(forms)) for word, forms in by_word.items()}


@cache
def empty_words() -> frozenset[str]:
    """Returns `EMPTY` as written and as stemmed."""
    from holdfast.language.terms import words_of

    return EMPTY | {stem for word in EMPTY for stem in words_of(word)}

-- One tenant. Times are UTC epoch milliseconds; numbers are internal, ids are UUIDv7.

CREATE TABLE counters (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
INSERT INTO counters VALUES ('change', 0), ('indexed', 0), ('numbered', 0);

-- Keys of this store, each for one purpose. They never leave it.
CREATE TABLE secrets (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID, STRICT;
INSERT INTO secrets VALUES ('seal', randomblob(32));

-- How many rows each table has, and the exclusive or of their digests: what changes them otherwise is noticed.
CREATE TABLE seals (
    name   TEXT PRIMARY KEY,
    rows   INTEGER NOT NULL,
    digest INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- A purged one has no name: pools are known by its number. `space` is empty where the name is that of everybody, and the
-- user whose name it is for one that was created where users share nothing.
CREATE TABLE projects (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    name          TEXT,
    space         TEXT NOT NULL DEFAULT '',
    description   TEXT,
    colour        TEXT,
    icon          TEXT,
    notes         TEXT,
    system_prompt TEXT,
    visibility    TEXT CHECK (visibility IN ('private', 'team', 'project')),
    state         TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'off', 'archived')),
    purge_at      INTEGER,
    isolated      INTEGER NOT NULL DEFAULT 1 CHECK (isolated = 1),
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    deleted_at    INTEGER,
    owner         TEXT,
    UNIQUE (space, name),
    CHECK (name IS NOT NULL OR deleted_at IS NOT NULL)
) STRICT;

-- A credential that is limited to some projects sees no sessions elsewhere, so their ids are not taken for it.
-- `left_project` is the project that a session was in when that was deleted.
CREATE TABLE sessions (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    external_id TEXT NOT NULL,
    owner       TEXT NOT NULL,
    name        TEXT,
    project     INTEGER REFERENCES projects (number),
    left_project INTEGER REFERENCES projects (number),
    metadata    TEXT NOT NULL DEFAULT '{}',
    archived    INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_archived ON sessions (number) WHERE archived;
CREATE INDEX sessions_by_external_id ON sessions (owner, external_id);
CREATE INDEX sessions_by_project ON sessions (project);

-- Where imported memories came from: provenance, never a filter. A deleted one stays while what came of it can be
-- restored. One whose content is described (`visibility` is set) has a pool of its own: in `project`, read by `members`
-- alone if there are any. `sequence` is the number of its last payload, `applied` that of the last one that was applied
-- to its end, `run` the digest of the last.
CREATE TABLE sources (
    id                 TEXT PRIMARY KEY,
    owner              TEXT NOT NULL,
    platform           TEXT NOT NULL,
    digest             TEXT NOT NULL,
    ingested_at        INTEGER NOT NULL,
    filename           TEXT,
    message_count      INTEGER NOT NULL,
    conversation_count INTEGER NOT NULL,
    metadata           TEXT NOT NULL DEFAULT '{}',
    deleted_at         INTEGER,
    visibility         TEXT CHECK (visibility IN ('private', 'team', 'project')),
    project            INTEGER REFERENCES projects (number),
    members            TEXT,
    sequence           INTEGER NOT NULL DEFAULT 0,
    applied            INTEGER NOT NULL DEFAULT 0,
    run                TEXT,
    UNIQUE (owner, digest)
) WITHOUT ROWID, STRICT;

-- Read at the beginning of each transaction.
CREATE INDEX sources_with_members ON sources (id, owner, members) WHERE members IS NOT NULL;

-- Folders that are sources: what of each is read, and how far it is indexed. What was indexed stands in the pool of its
-- source, once, and is seen from the projects that the source is connected to.
CREATE TABLE folders (
    source       TEXT PRIMARY KEY REFERENCES sources (id),
    slug         TEXT NOT NULL,
    owner        TEXT NOT NULL,
    name         TEXT NOT NULL,
    root         TEXT NOT NULL,
    visibility   TEXT NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    include      TEXT NOT NULL DEFAULT '[]',
    exclude      TEXT NOT NULL DEFAULT '[]',
    watched      INTEGER NOT NULL DEFAULT 1,
    state        TEXT NOT NULL CHECK (state IN ('idle', 'indexing', 'error')),
    error        TEXT,
    created_at   INTEGER NOT NULL,
    started_at   INTEGER,
    completed_at INTEGER,
    UNIQUE (owner, slug)
) WITHOUT ROWID, STRICT;

CREATE TABLE folder_projects (
    source  TEXT NOT NULL REFERENCES folders (source),
    project INTEGER NOT NULL REFERENCES projects (number),
    PRIMARY KEY (source, project)
) WITHOUT ROWID, STRICT;
CREATE INDEX folder_projects_by_project ON folder_projects (project);

-- `digest` is that of the text by the key of the store, `symbols` the digests of what it defines by the hash of its name.
CREATE TABLE files (
    number       INTEGER PRIMARY KEY,
    source       TEXT NOT NULL REFERENCES folders (source),
    path         TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('indexed', 'skipped', 'error')),
    reason       TEXT,
    filetype     TEXT,
    language     TEXT,
    size         INTEGER NOT NULL,
    modified_at  INTEGER NOT NULL,
    digest       TEXT,
    chunks       INTEGER NOT NULL,
    indexed_at   INTEGER NOT NULL,
    renamed_from TEXT,
    symbols      TEXT NOT NULL DEFAULT '{}',
    UNIQUE (source, path)
) STRICT;

-- What files were called before, so that what was said of the old path finds the file.
CREATE TABLE renames (
    source TEXT NOT NULL REFERENCES folders (source),
    path   TEXT NOT NULL,
    file   INTEGER NOT NULL REFERENCES files (number),
    PRIMARY KEY (source, path)
) WITHOUT ROWID, STRICT;
CREATE INDEX renames_by_file ON renames (file);

-- What of a folder was forgotten, by a hash of title and text: it does not come back with its file.
CREATE TABLE forgotten (
    source TEXT NOT NULL REFERENCES folders (source),
    digest TEXT NOT NULL,
    PRIMARY KEY (source, digest)
) WITHOUT ROWID, STRICT;

-- What was forgotten, by keyed digests of place and text; the key stands in a file beside this one. Imports do not bring
-- it back.
CREATE TABLE tombstones (
    owner     TEXT NOT NULL,
    digest    TEXT NOT NULL,
    by_person INTEGER NOT NULL,
    PRIMARY KEY (owner, digest)
) WITHOUT ROWID, STRICT;

-- What the codebase of a project consists of: one JSON document, changed as a whole. It goes when the project does.
CREATE TABLE module_maps (
    project    INTEGER PRIMARY KEY REFERENCES projects (number),
    data       TEXT NOT NULL,
    version    INTEGER NOT NULL CHECK (version >= 1),
    updated_at INTEGER NOT NULL
) STRICT;

-- The rolling summary of each conversation, in rows that each cover the messages after the row before up to the one of the
-- cursor `last`: which parts of which messages stand for them, [id, version, start, end], and no text.
CREATE TABLE summaries (
    session    INTEGER NOT NULL REFERENCES sessions (number),
    part       INTEGER NOT NULL,
    last       TEXT NOT NULL,
    messages   INTEGER NOT NULL CHECK (messages > 0),
    since      INTEGER NOT NULL,
    until      INTEGER NOT NULL,
    quotations TEXT NOT NULL,
    model      TEXT,
    PRIMARY KEY (session, part)
) WITHOUT ROWID, STRICT;

-- The units of isolation: a view is a set of pools.
CREATE TABLE pools (
    number     INTEGER PRIMARY KEY,
    visibility TEXT NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    owner      TEXT,
    workspace  TEXT,
    reach      TEXT NOT NULL CHECK (reach IN ('project', 'shared', 'everywhere', 'source')),
    project    INTEGER REFERENCES projects (number),
    source     TEXT,
    CHECK ((visibility = 'private') = (owner IS NOT NULL)),
    CHECK ((reach = 'project') = (project IS NOT NULL)),
    CHECK (reach <> 'source' OR source IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX pools_by_key ON pools
    (visibility, coalesce(owner, ''), coalesce(workspace, ''), reach, coalesce(project, 0), coalesce(source, ''));

-- The one record. A row is one version of a memory; exactly one version of an id is current. All versions stand in one
-- pool; `written_in` is the one in which this version was the current one last.
CREATE TABLE memories (
    number         INTEGER PRIMARY KEY AUTOINCREMENT,
    id             TEXT NOT NULL,
    version        INTEGER NOT NULL,
    current        INTEGER NOT NULL DEFAULT 1,
    pool           INTEGER NOT NULL REFERENCES pools (number),
    written_in     INTEGER NOT NULL REFERENCES pools (number),
    change         INTEGER NOT NULL,
    kind           TEXT NOT NULL,
    status         TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'superseded')),
    pinned         INTEGER NOT NULL DEFAULT 0,
    edited         INTEGER NOT NULL DEFAULT 0,
    session        INTEGER REFERENCES sessions (number),
    scope_type     TEXT NOT NULL DEFAULT 'global',
    scope_id       TEXT,
    branch         TEXT,
    at             INTEGER NOT NULL,
    holds_from     INTEGER NOT NULL,
    valid_from     INTEGER,
    valid_until    INTEGER,
    expires_at     INTEGER,
    recorded_at    INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    deleted_at     INTEGER,
    use_count      INTEGER NOT NULL DEFAULT 0,
    last_used_at   INTEGER,
    owner          TEXT NOT NULL,
    external_id    TEXT,
    external_key   TEXT,
    content_hash   TEXT NOT NULL,
    fingerprint    TEXT,
    unique_hash    TEXT,
    created_by     TEXT NOT NULL,
    origin         TEXT NOT NULL,
    source         TEXT REFERENCES sources (id),
    file           INTEGER REFERENCES files (number),
    role           TEXT,
    name           TEXT,
    position       INTEGER,
    manner         INTEGER NOT NULL,
    confidence     REAL NOT NULL,
    pii_risk       INTEGER NOT NULL,
    status_reason  TEXT,
    deleted_reason TEXT,
    supersedes     TEXT,
    superseded_by  TEXT,
    subject        TEXT,
    target         TEXT,
    entity_key     TEXT,
    about_file     TEXT,
    title          TEXT,
    summary        TEXT,
    tags           TEXT NOT NULL DEFAULT '[]',
    metadata       TEXT NOT NULL DEFAULT '{}',
    evidence       TEXT NOT NULL DEFAULT '{}',
    flags          TEXT NOT NULL DEFAULT '[]',
    redactions     TEXT NOT NULL DEFAULT '[]',
    text           TEXT NOT NULL,
    UNIQUE (id, version),
    CHECK (NOT current OR written_in = pool),
    CHECK (file IS NULL OR session IS NULL)
) STRICT;
-- Wide enough to compare a source with what is known of it without reading the descriptions.
CREATE INDEX memories_described ON memories (source, pool, number, id, version, kind, scope_type, external_id, fingerprint, status, pinned, edited, deleted_at,
    deleted_reason, supersedes) WHERE current AND fingerprint IS NOT NULL;
CREATE INDEX memories_by_file ON memories (file) WHERE file IS NOT NULL;
CREATE UNIQUE INDEX memories_current ON memories (id) WHERE current;
CREATE INDEX memories_by_pool ON memories (pool, number);
CREATE INDEX memories_by_change ON memories (change);
CREATE INDEX memories_by_source ON memories (source) WHERE source IS NOT NULL;
-- Wide enough to count the messages of a long conversation without reading them.
CREATE INDEX memories_by_session ON memories (session, current, deleted_at, kind) WHERE session IS NOT NULL;
-- The few messages that carry the titles of their conversations.
CREATE INDEX memories_with_title ON memories (session) WHERE session IS NOT NULL AND title IS NOT NULL;
-- What an observation or a relation speaks of, by id, and what an entity is called.
CREATE INDEX memories_by_subject ON memories (subject) WHERE subject IS NOT NULL;
CREATE INDEX memories_by_target ON memories (target) WHERE target IS NOT NULL;
CREATE INDEX memories_by_entity_key ON memories (entity_key) WHERE entity_key IS NOT NULL;
CREATE INDEX memories_of_entities ON memories (pool, number) WHERE entity_key IS NOT NULL;
-- Which memories are about a file, by its path as they name it.
CREATE INDEX memories_by_about_file ON memories (about_file) WHERE about_file IS NOT NULL;
-- What took whose place, and what names others as its evidence.
CREATE INDEX memories_by_supersedes ON memories (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memories_by_superseded_by ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_with_evidence ON memories (pool, number) WHERE length(evidence) > 2;
CREATE INDEX memories_by_short_id ON memories (substr(id, 25));
CREATE INDEX memories_by_external_id ON memories (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX memories_forgotten ON memories (content_hash) WHERE deleted_at IS NOT NULL;
CREATE INDEX memories_forgotten_by_key ON memories (external_key) WHERE deleted_at IS NOT NULL;
-- These two settle races between processes that look before they write.
CREATE UNIQUE INDEX memories_by_external_key ON memories (pool, external_key)
    WHERE current AND deleted_at IS NULL AND external_key IS NOT NULL;
CREATE UNIQUE INDEX memories_by_hash ON memories (pool, unique_hash, owner, coalesce(external_key, ''))
    WHERE current AND deleted_at IS NULL AND unique_hash IS NOT NULL AND status <> 'superseded';

-- The index: what recall searches, one row for each passage of each version. Terms are numbers, not words.
CREATE TABLE passages (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    memory   INTEGER NOT NULL REFERENCES memories (number),
    part     INTEGER NOT NULL,
    start    INTEGER NOT NULL,
    "end"    INTEGER NOT NULL,
    terms    BLOB NOT NULL,
    UNIQUE (memory, part)
) STRICT;

-- What texts and calls state about ranked lists and preferences, one row for each value. A row stands with its version
-- of its memory: in its project and session, in sight while it is. Lists are made of them on reading, oldest first, so
-- a topic has one value for each rank, in a session or outside all, without a key that NULL would slip through.
-- An edit that names no topic has an empty one: it concerns the list that was last spoken of.
CREATE TABLE facts (
    memory INTEGER NOT NULL REFERENCES memories (number),
    part   INTEGER NOT NULL,
    owner  TEXT NOT NULL,
    topic  TEXT NOT NULL,
    act    TEXT NOT NULL CHECK (act IN (
        'list', 'set', 'place', 'before', 'after', 'add', 'replace', 'swap', 'remove', 'single', 'clear',
        'change', 'claim', 'reading')),
    rank   INTEGER CHECK (rank >= 1 OR rank = -1),
    value  TEXT NOT NULL CHECK (value <> '' OR act IN ('remove', 'clear')),
    other  TEXT CHECK (other <> ''),
    PRIMARY KEY (memory, part),
    CHECK ((rank IS NOT NULL) = (act IN ('list', 'set', 'place'))),
    CHECK ((other IS NOT NULL) = (act IN ('before', 'after', 'replace', 'swap')))
) WITHOUT ROWID, STRICT;
CREATE INDEX facts_by_owner ON facts (owner, memory);

CREATE TABLE models (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    dim    INTEGER NOT NULL,
    UNIQUE (name, dim)
) STRICT;

-- Two generations may stand side by side while a model is changed. `code` is int8, `vector` float16.
CREATE TABLE vectors (
    number  INTEGER PRIMARY KEY,
    passage INTEGER NOT NULL REFERENCES passages (number),
    model   INTEGER NOT NULL REFERENCES models (number),
    scale   REAL NOT NULL,
    code    BLOB NOT NULL,
    vector  BLOB NOT NULL,
    UNIQUE (passage, model)
) STRICT;

-- Passages as an index opens them, without reading rows (`stores/index/blocks.py`): each block holds those of the
-- memories of its pool from the block before up to `last`, as of the change `indexed`. One without content is read from
-- the rows, as is what comes after the last. Whatever erases or moves a memory empties the block that holds it.
CREATE TABLE blocks (
    number  INTEGER PRIMARY KEY,
    pool    INTEGER NOT NULL REFERENCES pools (number),
    last    INTEGER NOT NULL,
    size    INTEGER NOT NULL,
    model   INTEGER REFERENCES models (number),
    content BLOB,
    codes   BLOB,
    UNIQUE (pool, last)
) STRICT;
CREATE INDEX blocks_empty ON blocks (pool) WHERE content IS NULL;
CREATE TRIGGER blocks_without_erased AFTER DELETE ON memories
BEGIN
    UPDATE blocks SET content = NULL, codes = NULL
    WHERE content IS NOT NULL AND pool = old.pool
        AND last = (SELECT min(last) FROM blocks WHERE pool = old.pool AND last >= old.number);
END;
CREATE TRIGGER blocks_without_moved AFTER UPDATE OF pool ON memories WHEN old.pool <> new.pool
BEGIN
    UPDATE blocks SET content = NULL, codes = NULL
    WHERE content IS NOT NULL AND pool = old.pool
        AND last = (SELECT min(last) FROM blocks WHERE pool = old.pool AND last >= old.number);
    UPDATE blocks SET content = NULL, codes = NULL
    WHERE content IS NOT NULL AND pool = new.pool
        AND last = (SELECT min(last) FROM blocks WHERE pool = new.pool AND last >= new.number);
END;

-- Numbers of erased rows, so that other processes drop them from their caches.
CREATE TABLE erased (
    memory INTEGER PRIMARY KEY,
    change INTEGER NOT NULL
) STRICT;
CREATE INDEX erased_by_change ON erased (change);

CREATE TABLE events (
    sequence INTEGER PRIMARY KEY,
    change   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    subject  TEXT,
    detail   TEXT NOT NULL,
    hash     TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_subject ON events (subject) WHERE subject IS NOT NULL;

-- What was measured of this tenant: one row for each metric of each evaluation. Shares and counts, no text.
CREATE TABLE metrics (
    name        TEXT NOT NULL,
    at          INTEGER NOT NULL,
    evaluator   TEXT NOT NULL,
    value       REAL NOT NULL CHECK (value BETWEEN 0 AND 1),
    sample_size INTEGER NOT NULL CHECK (sample_size > 0),
    PRIMARY KEY (name, at, evaluator)
) WITHOUT ROWID, STRICT;

-- Who belongs to the tenant, and who did. Without any, it is one person's.
CREATE TABLE members (
    name       TEXT PRIMARY KEY,
    role       TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'service')),
    added_by   TEXT NOT NULL,
    added_at   INTEGER NOT NULL,
    removed_at INTEGER
) WITHOUT ROWID, STRICT;

-- Language models that may be used, and who accepted that content is sent to them. No keys.
CREATE TABLE language_models (
    name             TEXT PRIMARY KEY,
    provider         TEXT NOT NULL CHECK (provider IN ('openai', 'anthropic', 'gemini')),
    model            TEXT NOT NULL,
    url              TEXT NOT NULL,
    price_in         REAL,
    price_out        REAL,
    tokens_per_day   INTEGER,
    tokens_per_month INTEGER,
    cost_per_day     REAL,
    cost_per_month   REAL,
    timeout          INTEGER NOT NULL CHECK (timeout > 0),
    dimensions       INTEGER CHECK (dimensions > 0),
    added_by         TEXT NOT NULL,
    added_at         INTEGER NOT NULL,
    accepted_by      TEXT,
    accepted_at      INTEGER,
    CHECK ((accepted_by IS NULL) = (accepted_at IS NULL))
) WITHOUT ROWID, STRICT;

-- Each call of a language model: what it took and how it ended, cost in millionths of a dollar. No text.
CREATE TABLE model_calls (
    id         TEXT PRIMARY KEY,
    at         INTEGER NOT NULL,
    owner      TEXT NOT NULL,
    model      TEXT NOT NULL,
    provider   TEXT NOT NULL,
    operation  TEXT NOT NULL,
    outcome    TEXT NOT NULL,
    tokens_in  INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    cost       INTEGER NOT NULL,
    millis     INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX model_calls_by_time ON model_calls (at);

-- Memories that their owners ask to share with more people, until that is decided. No text.
CREATE TABLE requests (
    id           TEXT PRIMARY KEY,
    version      INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    owner        TEXT NOT NULL,
    visibility   TEXT NOT NULL CHECK (visibility IN ('team', 'project')),
    asked_by     TEXT NOT NULL,
    asked_at     INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- Memories in which a scan found something, until their owners decide. No text.
CREATE TABLE findings (
    id       TEXT PRIMARY KEY,
    owner    TEXT NOT NULL,
    found_at INTEGER NOT NULL,
    personal INTEGER NOT NULL CHECK (personal IN (0, 1))
) WITHOUT ROWID, STRICT;
CREATE INDEX findings_by_owner ON findings (owner, id);

-- What working sessions were given, so that none is told twice, and counts of it. Sessions and modules are digests,
-- `project` is 0 for none. No text.
CREATE TABLE given (
    owner   TEXT NOT NULL,
    project INTEGER NOT NULL,
    session TEXT NOT NULL,
    what    TEXT NOT NULL,
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    PRIMARY KEY (owner, project, session, what)
) WITHOUT ROWID, STRICT;
CREATE INDEX given_by_what ON given (what);

-- What the citations of each context stand for, for as long as tallies are kept. No text.
CREATE TABLE cited (
    context  TEXT NOT NULL,
    citation INTEGER NOT NULL CHECK (citation >= 1),
    what     TEXT NOT NULL,
    owner    TEXT NOT NULL,
    project  INTEGER NOT NULL,
    session  TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (context, citation)
) WITHOUT ROWID, STRICT;
CREATE INDEX cited_by_what ON cited (what);
CREATE INDEX cited_by_age ON cited (owner, at);

CREATE TABLE tallies (
    owner               TEXT NOT NULL,
    project             INTEGER NOT NULL,
    session             TEXT NOT NULL,
    contexts            INTEGER NOT NULL,
    memories_injected   INTEGER NOT NULL,
    search_memory_calls INTEGER NOT NULL,
    memory_hits         INTEGER NOT NULL,
    tokens_with         INTEGER NOT NULL,
    tokens_without      INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    PRIMARY KEY (owner, project, session)
) WITHOUT ROWID, STRICT;
CREATE INDEX tallies_by_age ON tallies (owner, updated_at);

-- Work that is done later. `due_at` is when a job may be claimed: of a running one it is the end of the lease, which
-- `token` holds. Ids, counts and codes, never text of a memory.
CREATE TABLE jobs (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT NOT NULL UNIQUE,
    owner       TEXT NOT NULL,
    role        TEXT NOT NULL,
    agent       TEXT,
    apart       INTEGER NOT NULL DEFAULT 0,
    kind        TEXT NOT NULL,
    subject     TEXT,
    units       INTEGER NOT NULL,
    state       TEXT NOT NULL
        CHECK (state IN ('queued', 'running', 'success', 'timeout', 'error', 'cancelled')),
    attempts    INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    due_at      INTEGER NOT NULL,
    started_at  INTEGER,
    finished_at INTEGER,
    token       TEXT,
    done        INTEGER NOT NULL,
    total       INTEGER,
    error       TEXT,
    result      TEXT NOT NULL DEFAULT '{}',
    CHECK ((state = 'running') = (token IS NOT NULL))
) STRICT;
CREATE INDEX jobs_due ON jobs (due_at, number) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_finished ON jobs (owner, finished_at, number) WHERE state IN ('success', 'cancelled');
CREATE INDEX jobs_by_owner ON jobs (owner, number);
CREATE INDEX jobs_by_subject ON jobs (subject) WHERE subject IS NOT NULL;

-- What each user keeps: versions of memories, and the bytes of their texts and metadata.
CREATE TABLE storage (
    owner    TEXT PRIMARY KEY,
    versions INTEGER NOT NULL,
    bytes    INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- The changes of what a user owns in a project, 0 for none, that no tidying has been planned for yet.
CREATE TABLE untidied (
    owner   TEXT NOT NULL,
    project INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    PRIMARY KEY (owner, project)
) WITHOUT ROWID, STRICT;

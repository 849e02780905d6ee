-- Many tenants in one database. Times are UTC epoch milliseconds; numbers are internal and count in each tenant
-- from 1; ids are UUIDv7. The tenant leads every key, so that it can become a distribution column.

CREATE TABLE holdfast.tenants (
    tenant_id     text COLLATE "C" PRIMARY KEY DEFAULT current_setting('holdfast.tenant') CHECK (tenant_id <> ''),
    -- The sequence of changes, and the last numbers given out. Who writes holds this row: one writer at a time.
    change        bigint NOT NULL DEFAULT 0,
    memory        bigint NOT NULL DEFAULT 0,
    passage       bigint NOT NULL DEFAULT 0,
    session       bigint NOT NULL DEFAULT 0,
    -- The end of the chain of events, written with each of them.
    head_sequence bigint NOT NULL DEFAULT 0,
    head_hash     text,
    -- Random; the key of the digests of what was forgotten.
    digest_key    bytea NOT NULL DEFAULT sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea),
    -- `to:` and the server that it was moved to; or, of a copy, `part:` or once it is whole `from:`, with the position of the
    -- snapshot that it holds, and behind another colon the server that it is copied from. None of these is used.
    moved         text
);

-- Keys of a tenant, each for one purpose. They never leave the database.
CREATE TABLE holdfast.secrets (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    name      text COLLATE "C" NOT NULL,
    value     bytea NOT NULL,
    PRIMARY KEY (tenant_id, name)
);

-- How many rows each table has of a tenant, and the exclusive or of their digests: what changes them otherwise is
-- noticed (`seal`, below).
CREATE TABLE holdfast.seals (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    name      text COLLATE "C" NOT NULL,
    rows      bigint NOT NULL,
    digest    bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
);

-- A purged one has no name: pools are known by its number. `space` is empty where the name is that of everybody, and the
-- user whose name it is for one that was created where users share nothing.
CREATE TABLE holdfast.projects (
    tenant_id     text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number        bigint NOT NULL,
    id            text NOT NULL,
    name          text COLLATE "C",
    space         text COLLATE "C" NOT NULL DEFAULT '',
    description   text,
    colour        text,
    icon          text,
    notes         text,
    system_prompt text,
    visibility    text CHECK (visibility IN ('private', 'team', 'project')),
    state         text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'off', 'archived')),
    purge_at      bigint,
    isolated      boolean NOT NULL DEFAULT true CHECK (isolated),
    created_at    bigint NOT NULL,
    updated_at    bigint NOT NULL,
    deleted_at    bigint,
    owner         text,
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, space, name),
    CHECK (name IS NOT NULL OR deleted_at IS NOT NULL)
);

-- A credential that is limited to some projects sees no sessions elsewhere, so their ids are not taken for it.
-- `left_project` is the project that a session was in when that was deleted.
CREATE TABLE holdfast.sessions (
    tenant_id   text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number      bigint NOT NULL,
    external_id text NOT NULL,
    owner       text NOT NULL,
    name        text,
    project     bigint,
    left_project bigint,
    metadata    text NOT NULL DEFAULT '{}',
    archived    boolean NOT NULL DEFAULT false,
    created_at  bigint NOT NULL,
    updated_at  bigint NOT NULL,
    PRIMARY KEY (tenant_id, number),
    FOREIGN KEY (tenant_id, left_project) REFERENCES holdfast.projects (tenant_id, number),
    FOREIGN KEY (tenant_id, project) REFERENCES holdfast.projects (tenant_id, number)
);
CREATE INDEX sessions_archived ON holdfast.sessions (tenant_id, number) WHERE archived;
CREATE INDEX sessions_by_external_id ON holdfast.sessions (tenant_id, owner, external_id);
CREATE INDEX sessions_by_project ON holdfast.sessions (tenant_id, project);

-- Where imported memories came from: provenance, never a filter. One whose content is described (`visibility` is set)
-- has a pool of its own: in `project`, read by `members` alone if there are any. `sequence` is the number of its last
-- payload, `applied` that of the last one that was applied to its end, `run` the digest of the last.
CREATE TABLE holdfast.sources (
    tenant_id          text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id                 text COLLATE "C" NOT NULL,
    owner              text NOT NULL,
    platform           text NOT NULL,
    digest             text NOT NULL,
    ingested_at        bigint NOT NULL,
    filename           text,
    message_count      bigint NOT NULL,
    conversation_count bigint NOT NULL,
    metadata           text NOT NULL DEFAULT '{}',
    deleted_at         bigint,
    visibility         text CHECK (visibility IN ('private', 'team', 'project')),
    project            bigint,
    members            text,
    sequence           bigint NOT NULL DEFAULT 0,
    applied            bigint NOT NULL DEFAULT 0,
    run                text,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, owner, digest),
    FOREIGN KEY (tenant_id, project) REFERENCES holdfast.projects (tenant_id, number)
);

-- Read at the beginning of each transaction.
CREATE INDEX sources_with_members ON holdfast.sources (tenant_id, id) WHERE members IS NOT NULL;

-- Folders that are sources: what of each is read, and how far it is indexed.
CREATE TABLE holdfast.folders (
    tenant_id    text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    source       text COLLATE "C" NOT NULL,
    slug         text COLLATE "C" NOT NULL,
    owner        text NOT NULL,
    name         text NOT NULL,
    root         text NOT NULL,
    visibility   text NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    include      text NOT NULL DEFAULT '[]',
    exclude      text NOT NULL DEFAULT '[]',
    watched      boolean NOT NULL DEFAULT true,
    state        text NOT NULL CHECK (state IN ('idle', 'indexing', 'error')),
    error        text,
    created_at   bigint NOT NULL,
    started_at   bigint,
    completed_at bigint,
    PRIMARY KEY (tenant_id, source),
    UNIQUE (tenant_id, owner, slug),
    FOREIGN KEY (tenant_id, source) REFERENCES holdfast.sources (tenant_id, id)
);

CREATE TABLE holdfast.folder_projects (
    tenant_id    text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    source       text COLLATE "C" NOT NULL,
    project      bigint NOT NULL,
    PRIMARY KEY (tenant_id, source, project),
    FOREIGN KEY (tenant_id, source) REFERENCES holdfast.folders (tenant_id, source),
    FOREIGN KEY (tenant_id, project) REFERENCES holdfast.projects (tenant_id, number)
);
CREATE INDEX folder_projects_by_project ON holdfast.folder_projects (tenant_id, project);

-- `digest` is that of the text by the key of the store, `symbols` the digests of what it defines by the hash of its name.
CREATE TABLE holdfast.files (
    tenant_id    text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number       bigint NOT NULL,
    source       text COLLATE "C" NOT NULL,
    path         text COLLATE "C" NOT NULL,
    state        text NOT NULL CHECK (state IN ('indexed', 'skipped', 'error')),
    reason       text,
    filetype     text,
    language     text,
    size         bigint NOT NULL,
    modified_at  bigint NOT NULL,
    digest       text,
    chunks       bigint NOT NULL,
    indexed_at   bigint NOT NULL,
    renamed_from text,
    symbols      text NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, source, path),
    FOREIGN KEY (tenant_id, source) REFERENCES holdfast.folders (tenant_id, source)
);

-- What files were called before, so that what was said of the old path finds the file.
CREATE TABLE holdfast.renames (
    tenant_id    text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    source       text COLLATE "C" NOT NULL,
    path         text COLLATE "C" NOT NULL,
    file         bigint NOT NULL,
    PRIMARY KEY (tenant_id, source, path),
    FOREIGN KEY (tenant_id, source) REFERENCES holdfast.folders (tenant_id, source),
    FOREIGN KEY (tenant_id, file) REFERENCES holdfast.files (tenant_id, number)
);
CREATE INDEX renames_by_file ON holdfast.renames (tenant_id, file);

-- What of a folder was forgotten, by a hash of title and text: it does not come back with its file.
CREATE TABLE holdfast.forgotten (
    tenant_id    text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    source       text COLLATE "C" NOT NULL,
    digest       text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, source, digest),
    FOREIGN KEY (tenant_id, source) REFERENCES holdfast.folders (tenant_id, source)
);

-- What the codebase of a project consists of: one JSON document, changed as a whole. It goes when the project does.
CREATE TABLE holdfast.module_maps (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    project    bigint NOT NULL,
    data       text NOT NULL,
    version    bigint NOT NULL CHECK (version >= 1),
    updated_at bigint NOT NULL,
    PRIMARY KEY (tenant_id, project),
    FOREIGN KEY (tenant_id, project) REFERENCES holdfast.projects (tenant_id, number)
);

-- The rolling summary of each conversation, in rows that each cover the messages after the row before up to the one of the
-- cursor `last`: which parts of which messages stand for them, [id, version, start, end], and no text.
CREATE TABLE holdfast.summaries (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    session    bigint NOT NULL,
    part       bigint NOT NULL,
    last       text NOT NULL,
    messages   bigint NOT NULL CHECK (messages > 0),
    since      bigint NOT NULL,
    until      bigint NOT NULL,
    quotations text NOT NULL,
    model      text,
    PRIMARY KEY (tenant_id, session, part),
    FOREIGN KEY (tenant_id, session) REFERENCES holdfast.sessions (tenant_id, number)
);

-- The units of isolation: a view is a set of pools.
CREATE TABLE holdfast.pools (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number     bigint NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    owner      text,
    workspace  text,
    reach      text NOT NULL CHECK (reach IN ('project', 'shared', 'everywhere', 'source')),
    project    bigint,
    source     text COLLATE "C",
    PRIMARY KEY (tenant_id, number),
    FOREIGN KEY (tenant_id, project) REFERENCES holdfast.projects (tenant_id, number),
    CHECK ((visibility = 'private') = (owner IS NOT NULL)),
    CHECK ((reach = 'project') = (project IS NOT NULL)),
    CHECK (reach <> 'source' OR source IS NOT NULL)
);
CREATE UNIQUE INDEX pools_by_key ON holdfast.pools
    (tenant_id, visibility, coalesce(owner, ''), coalesce(workspace, ''), reach, coalesce(project, 0),
    coalesce(source, ''));

-- The one record. A row is one version of a memory; exactly one version of an id is current. JSON stands as the text
-- that was given, not as jsonb, which would sort its keys.
CREATE TABLE holdfast.memories (
    tenant_id      text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number         bigint NOT NULL,
    id             text COLLATE "C" NOT NULL,
    version        bigint NOT NULL,
    current        boolean NOT NULL,
    pool           bigint NOT NULL,
    written_in     bigint NOT NULL,
    change         bigint NOT NULL,
    kind           text NOT NULL,
    status         text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'superseded')),
    pinned         boolean NOT NULL,
    edited         boolean NOT NULL,
    session        bigint,
    scope_type     text NOT NULL,
    scope_id       text,
    branch         text,
    at             bigint NOT NULL,
    holds_from     bigint NOT NULL,
    valid_from     bigint,
    valid_until    bigint,
    expires_at     bigint,
    recorded_at    bigint NOT NULL,
    updated_at     bigint NOT NULL,
    deleted_at     bigint,
    use_count      bigint NOT NULL,
    last_used_at   bigint,
    owner          text NOT NULL,
    external_id    text,
    external_key   text,
    content_hash   text NOT NULL,
    fingerprint    text,
    unique_hash    text,
    created_by     text NOT NULL,
    origin         text NOT NULL,
    source         text COLLATE "C",
    file           bigint,
    role           text,
    name           text,
    position       bigint,
    manner         smallint NOT NULL,
    confidence     double precision NOT NULL,
    pii_risk       bigint NOT NULL,
    status_reason  text,
    deleted_reason text,
    supersedes     text,
    superseded_by  text,
    subject        text COLLATE "C",
    target         text COLLATE "C",
    entity_key     text,
    about_file     text COLLATE "C",
    title          text,
    summary        text,
    tags           text NOT NULL,
    metadata       text NOT NULL,
    evidence       text NOT NULL,
    flags          text NOT NULL,
    redactions     text NOT NULL,
    text           text NOT NULL,
    UNIQUE (tenant_id, id, version),
    FOREIGN KEY (tenant_id, pool) REFERENCES holdfast.pools (tenant_id, number),
    FOREIGN KEY (tenant_id, written_in) REFERENCES holdfast.pools (tenant_id, number),
    CHECK (NOT current OR written_in = pool),
    FOREIGN KEY (tenant_id, session) REFERENCES holdfast.sessions (tenant_id, number),
    FOREIGN KEY (tenant_id, source) REFERENCES holdfast.sources (tenant_id, id),
    FOREIGN KEY (tenant_id, file) REFERENCES holdfast.files (tenant_id, number),
    CHECK (file IS NULL OR session IS NULL)
);
CREATE INDEX memories_by_file ON holdfast.memories (tenant_id, file) WHERE file IS NOT NULL;
CREATE UNIQUE INDEX memories_current ON holdfast.memories (tenant_id, id) WHERE current;
CREATE INDEX memories_by_pool ON holdfast.memories (tenant_id, pool, number);
CREATE INDEX memories_by_change ON holdfast.memories (tenant_id, change);
CREATE INDEX memories_by_source ON holdfast.memories (tenant_id, source) WHERE source IS NOT NULL;
-- Wide enough to count the messages of a long conversation without reading them.
CREATE INDEX memories_by_session ON holdfast.memories (tenant_id, session, current, deleted_at, kind)
    WHERE session IS NOT NULL;
-- The few messages that carry the titles of their conversations.
CREATE INDEX memories_with_title ON holdfast.memories (tenant_id, session)
    WHERE session IS NOT NULL AND title IS NOT NULL;
-- What an observation or a relation speaks of, by id, and what an entity is called.
CREATE INDEX memories_by_subject ON holdfast.memories (tenant_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX memories_by_target ON holdfast.memories (tenant_id, target) WHERE target IS NOT NULL;
CREATE INDEX memories_by_entity_key ON holdfast.memories (tenant_id, entity_key) WHERE entity_key IS NOT NULL;
CREATE INDEX memories_of_entities ON holdfast.memories (tenant_id, pool, number) WHERE entity_key IS NOT NULL;
-- Which memories are about a file, by its path as they name it.
CREATE INDEX memories_by_about_file ON holdfast.memories (tenant_id, about_file) WHERE about_file IS NOT NULL;
-- What took whose place, and what names others as its evidence.
CREATE INDEX memories_by_supersedes ON holdfast.memories (tenant_id, supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memories_by_superseded_by ON holdfast.memories (tenant_id, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_with_evidence ON holdfast.memories (tenant_id, pool, number) WHERE length(evidence) > 2;
-- These two settle races between processes that look before they write.
CREATE UNIQUE INDEX memories_by_external_key ON holdfast.memories (tenant_id, pool, external_key)
    WHERE current AND deleted_at IS NULL AND external_key IS NOT NULL;
CREATE INDEX memories_forgotten ON holdfast.memories (tenant_id, content_hash) WHERE deleted_at IS NOT NULL;
CREATE INDEX memories_forgotten_by_key ON holdfast.memories (tenant_id, external_key) WHERE deleted_at IS NOT NULL;
CREATE INDEX memories_by_short_id ON holdfast.memories (tenant_id, substr(id, 25));
CREATE INDEX memories_by_external_id ON holdfast.memories (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE UNIQUE INDEX memories_by_hash
    ON holdfast.memories (tenant_id, pool, unique_hash, owner, coalesce(external_key, ''))
    WHERE current AND deleted_at IS NULL AND unique_hash IS NOT NULL AND status <> 'superseded';

-- Last: of indexes that cost the same, as all do while there are no statistics, the planner takes the youngest, and
-- what refers to a memory looks for its number.
ALTER TABLE holdfast.memories ADD PRIMARY KEY (tenant_id, number);

-- The index: what recall searches, one row for each passage of each version. Terms are numbers, not words.
CREATE TABLE holdfast.passages (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number    bigint NOT NULL,
    memory    bigint NOT NULL,
    part      integer NOT NULL,
    start     bigint NOT NULL,
    "end"     bigint NOT NULL,
    terms     bytea NOT NULL,
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, memory, part),
    FOREIGN KEY (tenant_id, memory) REFERENCES holdfast.memories (tenant_id, number)
);

-- What texts and calls state about ranked lists and preferences, one row for each value. An edit that names no topic has
-- an empty one: it concerns the list that was last spoken of.
CREATE TABLE holdfast.facts (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    memory    bigint NOT NULL,
    part      integer NOT NULL,
    owner     text NOT NULL,
    topic     text NOT NULL,
    act       text NOT NULL CHECK (act IN (
        'list', 'set', 'place', 'before', 'after', 'add', 'replace', 'swap', 'remove', 'single', 'clear',
        'change', 'claim', 'reading')),
    rank      integer CHECK (rank >= 1 OR rank = -1),
    value     text NOT NULL CHECK (value <> '' OR act IN ('remove', 'clear')),
    other     text CHECK (other <> ''),
    PRIMARY KEY (tenant_id, memory, part),
    FOREIGN KEY (tenant_id, memory) REFERENCES holdfast.memories (tenant_id, number),
    CHECK ((rank IS NOT NULL) = (act IN ('list', 'set', 'place'))),
    CHECK ((other IS NOT NULL) = (act IN ('before', 'after', 'replace', 'swap')))
);
CREATE INDEX facts_by_owner ON holdfast.facts (tenant_id, owner, memory);

CREATE TABLE holdfast.models (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number    bigint NOT NULL,
    name      text NOT NULL,
    dim       integer NOT NULL,
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, name, dim)
);

-- Two generations may stand side by side while a model is changed. `code` is int8, for the scan in memory; `pool` is
-- that of the memory, so that a pool can have an index of its own (`holdfast store index`).
CREATE TABLE holdfast.vectors (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    passage   bigint NOT NULL,
    model     bigint NOT NULL,
    pool      bigint NOT NULL,
    scale     real NOT NULL,
    code      bytea NOT NULL,
    vector    halfvec NOT NULL,
    PRIMARY KEY (tenant_id, passage, model),
    FOREIGN KEY (tenant_id, passage) REFERENCES holdfast.passages (tenant_id, number),
    FOREIGN KEY (tenant_id, model) REFERENCES holdfast.models (tenant_id, number)
);

-- The nearest passages of a pool by its index, nearest first. The settings hold inside the function only: the index
-- goes on looking until it has as many as are wanted, and no other way is preferred to it. A type modifier cannot be
-- bound, so the statement is made here; and for each call anew, since a kept plan could not use a partial index.
SELECT '[1]'::halfvec(1);  -- loads pgvector, whose settings could otherwise not be named
CREATE FUNCTION holdfast.nearest(in_pool bigint, by_model bigint, dim bigint, question halfvec, wanted bigint)
RETURNS TABLE (passage bigint, cosine double precision) LANGUAGE plpgsql STABLE
SET hnsw.iterative_scan = 'strict_order'
SET hnsw.ef_search = 400
SET hnsw.max_scan_tuples = 50000
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
AS $$
BEGIN
    RETURN QUERY EXECUTE format(
        'SELECT v.passage, 1 - (v.vector::halfvec(%1$s) <=> $1::halfvec(%1$s)) FROM holdfast.vectors v '
        'WHERE v.tenant_id = $2 AND v.pool = $3 AND v.model = $4 '
        'ORDER BY v.vector::halfvec(%1$s) <=> $1::halfvec(%1$s) LIMIT $5', dim)
        USING question, current_setting('holdfast.tenant'), in_pool, by_model, wanted;
END
$$;

-- Numbers of erased rows, so that other processes drop them from their caches.
CREATE TABLE holdfast.erased (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    memory    bigint NOT NULL,
    change    bigint NOT NULL,
    PRIMARY KEY (tenant_id, memory)
);
CREATE INDEX erased_by_change ON holdfast.erased (tenant_id, change);

CREATE TABLE holdfast.events (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    sequence  bigint NOT NULL,
    change    bigint NOT NULL,
    at        bigint NOT NULL,
    actor     text NOT NULL,
    action    text NOT NULL,
    subject   text COLLATE "C",
    detail    text NOT NULL,
    hash      text NOT NULL,
    PRIMARY KEY (tenant_id, sequence)
);
CREATE INDEX events_by_subject ON holdfast.events (tenant_id, subject) WHERE subject IS NOT NULL;

-- What was measured of this tenant: one row for each metric of each evaluation. Shares and counts, no text.
CREATE TABLE holdfast.metrics (
    tenant_id   text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    name        text COLLATE "C" NOT NULL,
    at          bigint NOT NULL,
    evaluator   text COLLATE "C" NOT NULL,
    value       double precision NOT NULL CHECK (value BETWEEN 0 AND 1),
    sample_size bigint NOT NULL CHECK (sample_size > 0),
    PRIMARY KEY (tenant_id, name, at, evaluator)
);

-- Who belongs to the tenant, and who did. Without any, it is one person's.
CREATE TABLE holdfast.members (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    name       text COLLATE "C" NOT NULL,
    role       text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'service')),
    added_by   text NOT NULL,
    added_at   bigint NOT NULL,
    removed_at bigint,
    PRIMARY KEY (tenant_id, name)
);

-- Language models that may be used, and who accepted that content is sent to them. No keys.
CREATE TABLE holdfast.language_models (
    tenant_id        text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    name             text COLLATE "C" NOT NULL,
    provider         text NOT NULL CHECK (provider IN ('openai', 'anthropic', 'gemini')),
    model            text NOT NULL,
    url              text NOT NULL,
    price_in         double precision,
    price_out        double precision,
    tokens_per_day   bigint,
    tokens_per_month bigint,
    cost_per_day     double precision,
    cost_per_month   double precision,
    timeout          bigint NOT NULL CHECK (timeout > 0),
    dimensions       bigint CHECK (dimensions > 0),
    added_by         text NOT NULL,
    added_at         bigint NOT NULL,
    accepted_by      text,
    accepted_at      bigint,
    PRIMARY KEY (tenant_id, name),
    CHECK ((accepted_by IS NULL) = (accepted_at IS NULL))
);

-- Each call of a language model: what it took and how it ended, cost in millionths of a dollar. No text.
CREATE TABLE holdfast.model_calls (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id         text COLLATE "C" NOT NULL,
    at         bigint NOT NULL,
    owner      text NOT NULL,
    model      text COLLATE "C" NOT NULL,
    provider   text COLLATE "C" NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    outcome    text COLLATE "C" NOT NULL,
    tokens_in  bigint NOT NULL,
    tokens_out bigint NOT NULL,
    cost       bigint NOT NULL,
    millis     bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX model_calls_by_time ON holdfast.model_calls (tenant_id, at);

-- Memories that their owners ask to share with more people, until that is decided. No text.
CREATE TABLE holdfast.requests (
    tenant_id    text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id           text COLLATE "C" NOT NULL,
    version      bigint NOT NULL,
    content_hash text NOT NULL,
    owner        text NOT NULL,
    visibility   text NOT NULL CHECK (visibility IN ('team', 'project')),
    asked_by     text NOT NULL,
    asked_at     bigint NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

-- Memories in which a scan found something, until their owners decide. No text.
CREATE TABLE holdfast.findings (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id        text COLLATE "C" NOT NULL,
    owner     text COLLATE "C" NOT NULL,
    found_at  bigint NOT NULL,
    personal  boolean NOT NULL,
    PRIMARY KEY (tenant_id, id)
);
CREATE INDEX findings_by_owner ON holdfast.findings (tenant_id, owner, id);

-- What working sessions were given, so that none is told twice, and counts of it. Sessions and modules are digests,
-- `project` is 0 for none. No text.
CREATE TABLE holdfast.given (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    owner     text NOT NULL,
    project   bigint NOT NULL,
    session   text COLLATE "C" NOT NULL,
    what      text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    actor     text NOT NULL,
    PRIMARY KEY (tenant_id, owner, project, session, what)
);
CREATE INDEX given_by_what ON holdfast.given (tenant_id, what);

-- What the citations of each context stand for, for as long as tallies are kept. No text.
CREATE TABLE holdfast.cited (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    context   text COLLATE "C" NOT NULL,
    citation  bigint NOT NULL CHECK (citation >= 1),
    what      text COLLATE "C" NOT NULL,
    owner     text NOT NULL,
    project   bigint NOT NULL,
    session   text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    PRIMARY KEY (tenant_id, context, citation)
);
CREATE INDEX cited_by_what ON holdfast.cited (tenant_id, what);
CREATE INDEX cited_by_age ON holdfast.cited (tenant_id, owner, at);

CREATE TABLE holdfast.tallies (
    tenant_id           text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    owner               text NOT NULL,
    project             bigint NOT NULL,
    session             text COLLATE "C" NOT NULL,
    contexts            bigint NOT NULL,
    memories_injected   bigint NOT NULL,
    search_memory_calls bigint NOT NULL,
    memory_hits         bigint NOT NULL,
    tokens_with         bigint NOT NULL,
    tokens_without      bigint NOT NULL,
    updated_at          bigint NOT NULL,
    PRIMARY KEY (tenant_id, owner, project, session)
);
CREATE INDEX tallies_by_age ON holdfast.tallies (tenant_id, owner, updated_at);

-- Work that is done later. Ids, counts and codes, never text of a memory.
CREATE TABLE holdfast.jobs (
    tenant_id   text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number      bigint NOT NULL,
    id          text NOT NULL,
    owner       text NOT NULL,
    role        text NOT NULL,
    agent       text,
    apart       boolean NOT NULL DEFAULT false,
    kind        text NOT NULL,
    subject     text,
    units       bigint NOT NULL,
    state       text NOT NULL
        CHECK (state IN ('queued', 'running', 'success', 'timeout', 'error', 'cancelled')),
    attempts    bigint NOT NULL,
    created_at  bigint NOT NULL,
    due_at      bigint NOT NULL,
    started_at  bigint,
    finished_at bigint,
    token       text,
    done        bigint NOT NULL,
    total       bigint,
    error       text,
    result      text NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, id),
    CHECK ((state = 'running') = (token IS NOT NULL))
);
CREATE INDEX jobs_due ON holdfast.jobs (tenant_id, due_at, number) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_finished ON holdfast.jobs (tenant_id, owner, finished_at, number)
    WHERE state IN ('success', 'cancelled');
CREATE INDEX jobs_by_owner ON holdfast.jobs (tenant_id, owner, number);
CREATE INDEX jobs_by_subject ON holdfast.jobs (tenant_id, subject) WHERE subject IS NOT NULL;

-- What each user keeps: versions of memories, and the bytes of their texts and metadata.
CREATE TABLE holdfast.storage (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    owner     text NOT NULL,
    versions  bigint NOT NULL,
    bytes     bigint NOT NULL,
    PRIMARY KEY (tenant_id, owner)
);

-- The changes of what a user owns in a project, 0 for none, that no tidying has been planned for yet.
CREATE TABLE holdfast.untidied (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    owner     text NOT NULL,
    project   bigint NOT NULL,
    changes   bigint NOT NULL,
    PRIMARY KEY (tenant_id, owner, project)
);

-- What was forgotten, by keyed digests of place and text. Imports do not bring it back.
CREATE TABLE holdfast.tombstones (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    owner     text NOT NULL,
    digest    text COLLATE "C" NOT NULL,
    by_person boolean NOT NULL,
    PRIMARY KEY (tenant_id, owner, digest)
);

-- What jobs work on, and the digests of keys: what an embedded store keeps in files beside it.
CREATE TABLE holdfast.spool (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id        text NOT NULL,
    laid_at   bigint NOT NULL,
    content   bytea NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

-- Answers to requests with an idempotency key, by digests of credential and key. `body` goes when anything is erased.
CREATE TABLE holdfast.replays (
    tenant_id   text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    who         text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    until       bigint NOT NULL,
    status      integer NOT NULL,
    headers     text NOT NULL,
    body        bytea,
    head        bigint NOT NULL,
    erased      boolean NOT NULL DEFAULT false, -- whether anything was erased since the request began
    began_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (tenant_id, who, key)
);

CREATE TABLE holdfast.keys (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id         text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    content    text NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

-- The digest of a row under the key of its tenant, which is set with the tenant for each transaction.
CREATE FUNCTION holdfast.row_digest(whole text) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT ('x' || encode(substr(sha256(convert_to(current_setting('holdfast.seal') || whole, 'UTF8')), 1, 8), 'hex'))
        ::bit(64)::bigint
$$;

-- Keeps the seal of a table: called after each statement that changes it. Without the key, as where somebody else
-- changes rows, it changes nothing, and the rows no longer agree with the seal. Passages and vectors are only counted:
-- the check computes them again from the texts.
CREATE FUNCTION holdfast.seal() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change bigint;
    digests bigint := 0;
BEGIN
    IF coalesce(current_setting('holdfast.seal', true), '') = '' THEN
        RETURN NULL;
    END IF;
    IF TG_NARGS > 0 AND TG_OP = 'INSERT' THEN
        SELECT count(*) INTO change FROM added;
    ELSIF TG_NARGS > 0 THEN
        SELECT -count(*) INTO change FROM removed;
    ELSIF TG_OP = 'INSERT' THEN
        SELECT count(*), bit_xor(holdfast.row_digest(r::text)) INTO change, digests FROM added r;
    ELSIF TG_OP = 'DELETE' THEN
        SELECT -count(*), bit_xor(holdfast.row_digest(r::text)) INTO change, digests FROM removed r;
    ELSE
        SELECT 0, bit_xor(holdfast.row_digest(r.whole)) INTO change, digests
        FROM (SELECT a::text FROM added a UNION ALL SELECT b::text FROM removed b) r (whole);
    END IF;
    IF change <> 0 OR digests <> 0 THEN
        INSERT INTO holdfast.seals AS s (name, rows, digest) VALUES (TG_TABLE_NAME, change, digests)
        ON CONFLICT (tenant_id, name) DO UPDATE SET rows = s.rows + excluded.rows, digest = s.digest # excluded.digest;
    END IF;
    RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION holdfast.seal() FROM PUBLIC;

DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT c.oid::regclass AS name,
            CASE WHEN c.relname IN ('passages', 'vectors') THEN '''count''' ELSE '' END AS how
        FROM pg_class c
        WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind = 'r'
            AND c.relname NOT IN ('schema_versions', 'secrets', 'seals', 'tenants')
    LOOP
        EXECUTE format('CREATE TRIGGER seal_added AFTER INSERT ON %s REFERENCING NEW TABLE AS added '
            'FOR EACH STATEMENT EXECUTE FUNCTION holdfast.seal(%s)', one.name, one.how);
        EXECUTE format('CREATE TRIGGER seal_removed AFTER DELETE ON %s REFERENCING OLD TABLE AS removed '
            'FOR EACH STATEMENT EXECUTE FUNCTION holdfast.seal(%s)', one.name, one.how);
        CONTINUE WHEN one.how <> '';
        EXECUTE format('CREATE TRIGGER seal_changed AFTER UPDATE ON %s REFERENCING OLD TABLE AS removed '
            'NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holdfast.seal()', one.name);
    END LOOP;
END
$$;

-- The wall between tenants. Forced, so that it holds for the owner of the tables too. The setting lives in one
-- transaction; where there was one before, it is left empty, and an empty tenant is no tenant.
DO $$
DECLARE
    one regclass;
BEGIN
    FOR one IN
        SELECT c.oid FROM pg_class c
        WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind = 'r' AND c.relname <> 'schema_versions'
    LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', one);
        EXECUTE format(
            'CREATE POLICY tenant ON %s AS PERMISSIVE FOR ALL TO PUBLIC '
            'USING (tenant_id = nullif(current_setting(''holdfast.tenant'', true), '''')) '
            'WITH CHECK (tenant_id = nullif(current_setting(''holdfast.tenant'', true), ''''))',
            one
        );
    END LOOP;
END
$$;

-- What the application may do: no TRUNCATE, which row-level security does not see; events are only added.
CREATE FUNCTION holdfast.admit_application(application text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA holdfast TO %I', application);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA holdfast TO %I', application);
    EXECUTE format('REVOKE UPDATE, DELETE ON holdfast.events FROM %I', application);
    EXECUTE format('REVOKE DELETE ON holdfast.tenants FROM %I', application);
    EXECUTE format('REVOKE INSERT, UPDATE, DELETE ON holdfast.schema_versions FROM %I', application);
END
$$;
REVOKE EXECUTE ON FUNCTION holdfast.admit_application(text) FROM PUBLIC;

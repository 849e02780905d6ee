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
    head_hash     text
);

CREATE TABLE holdfast.projects (
    tenant_id     text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number        bigint NOT NULL,
    id            text NOT NULL,
    name          text COLLATE "C" NOT NULL,
    description   text,
    colour        text,
    icon          text,
    notes         text,
    system_prompt text,
    isolated      boolean NOT NULL DEFAULT true CHECK (isolated),
    created_at    bigint NOT NULL,
    updated_at    bigint NOT NULL,
    deleted_at    bigint,
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, id),
    UNIQUE (tenant_id, name)
);

CREATE TABLE holdfast.sessions (
    tenant_id   text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number      bigint NOT NULL,
    external_id text NOT NULL,
    owner       text NOT NULL,
    name        text,
    project     bigint,
    metadata    text NOT NULL DEFAULT '{}',
    created_at  bigint NOT NULL,
    updated_at  bigint NOT NULL,
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, owner, external_id),
    FOREIGN KEY (tenant_id, project) REFERENCES holdfast.projects (tenant_id, number)
);
CREATE INDEX sessions_by_project ON holdfast.sessions (tenant_id, project);

-- The units of isolation: a view is a set of pools.
CREATE TABLE holdfast.pools (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number     bigint NOT NULL,
    visibility text NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    owner      text,
    workspace  text,
    reach      text NOT NULL CHECK (reach IN ('project', 'shared', 'everywhere')),
    project    bigint,
    PRIMARY KEY (tenant_id, number),
    FOREIGN KEY (tenant_id, project) REFERENCES holdfast.projects (tenant_id, number),
    CHECK ((visibility = 'private') = (owner IS NOT NULL)),
    CHECK ((reach = 'project') = (project IS NOT NULL))
);
CREATE UNIQUE INDEX pools_by_key ON holdfast.pools
    (tenant_id, visibility, coalesce(owner, ''), coalesce(workspace, ''), reach, coalesce(project, 0));

-- Where imported memories came from: provenance, never a filter.
CREATE TABLE holdfast.sources (
    tenant_id          text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id                 text COLLATE "C" NOT NULL,
    owner              text NOT NULL,
    platform           text NOT NULL,
    sha256             text NOT NULL,
    ingested_at        bigint NOT NULL,
    filename           text,
    message_count      bigint NOT NULL,
    conversation_count bigint NOT NULL,
    metadata           text NOT NULL DEFAULT '{}',
    deleted_at         bigint,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, owner, sha256)
);

-- The one record. A row is one version of a memory; exactly one version of an id is current. JSON stands as the text
-- that was given, not as jsonb, which would sort its keys.
CREATE TABLE holdfast.memories (
    tenant_id      text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number         bigint NOT NULL,
    id             text COLLATE "C" NOT NULL,
    version        bigint NOT NULL,
    current        boolean NOT NULL,
    pool           bigint NOT NULL,
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
    unique_hash    text,
    created_by     text NOT NULL,
    origin         text NOT NULL,
    source         text COLLATE "C",
    role           text,
    name           text,
    position       bigint,
    asking         boolean NOT NULL,
    confidence     double precision NOT NULL,
    pii_risk       bigint NOT NULL,
    status_reason  text,
    deleted_reason text,
    supersedes     text,
    superseded_by  text,
    subject        text COLLATE "C",
    target         text COLLATE "C",
    entity_key     text,
    title          text,
    summary        text,
    tags           text NOT NULL,
    metadata       text NOT NULL,
    evidence       text NOT NULL,
    flags          text NOT NULL,
    redactions     text NOT NULL,
    text           text NOT NULL,
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, id, version),
    FOREIGN KEY (tenant_id, pool) REFERENCES holdfast.pools (tenant_id, number),
    FOREIGN KEY (tenant_id, session) REFERENCES holdfast.sessions (tenant_id, number),
    FOREIGN KEY (tenant_id, source) REFERENCES holdfast.sources (tenant_id, id)
);
CREATE UNIQUE INDEX memories_current ON holdfast.memories (tenant_id, id) WHERE current;
CREATE INDEX memories_by_pool ON holdfast.memories (tenant_id, pool, number);
CREATE INDEX memories_by_change ON holdfast.memories (tenant_id, change);
CREATE INDEX memories_by_source ON holdfast.memories (tenant_id, source) WHERE source IS NOT NULL;
-- Wide enough to count the messages of a long conversation without reading them.
CREATE INDEX memories_by_session ON holdfast.memories (tenant_id, session, current, deleted_at, kind)
    WHERE session IS NOT NULL;
-- What an observation or a relation speaks of, by id, and what an entity is called.
CREATE INDEX memories_by_subject ON holdfast.memories (tenant_id, subject) WHERE subject IS NOT NULL;
CREATE INDEX memories_by_target ON holdfast.memories (tenant_id, target) WHERE target IS NOT NULL;
CREATE INDEX memories_by_entity_key ON holdfast.memories (tenant_id, entity_key) WHERE entity_key IS NOT NULL;
CREATE INDEX memories_of_entities ON holdfast.memories (tenant_id, pool, number) WHERE entity_key IS NOT NULL;
-- These two settle races between processes that look before they write.
CREATE UNIQUE INDEX memories_by_external_key ON holdfast.memories (tenant_id, pool, external_key)
    WHERE current AND deleted_at IS NULL AND external_key IS NOT NULL;
CREATE UNIQUE INDEX memories_by_hash ON holdfast.memories (tenant_id, pool, unique_hash)
    WHERE current AND deleted_at IS NULL AND unique_hash IS NOT NULL AND status <> 'superseded';

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

-- What user messages state about ranked lists and preferences, one row for each value.
CREATE TABLE holdfast.facts (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    memory    bigint NOT NULL,
    part      integer NOT NULL,
    owner     text NOT NULL,
    topic     text NOT NULL,
    act       text NOT NULL CHECK (act IN ('list', 'set', 'place', 'add', 'remove', 'single')),
    rank      integer CHECK (rank >= 1),
    value     text NOT NULL CHECK (value <> ''),
    PRIMARY KEY (tenant_id, memory, part),
    FOREIGN KEY (tenant_id, memory) REFERENCES holdfast.memories (tenant_id, number),
    CHECK ((rank IS NULL) = (act IN ('add', 'remove', 'single')))
);
CREATE UNIQUE INDEX facts_once ON holdfast.facts (tenant_id, memory, topic, act, coalesce(rank, 0), value);
CREATE INDEX facts_by_topic ON holdfast.facts (tenant_id, owner, topic, memory);

CREATE TABLE holdfast.models (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number    bigint NOT NULL,
    name      text NOT NULL,
    dim       integer NOT NULL,
    PRIMARY KEY (tenant_id, number),
    UNIQUE (tenant_id, name, dim)
);

-- Two generations may stand side by side while a model is changed. `code` is int8, for the scan in memory.
CREATE TABLE holdfast.vectors (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    passage   bigint NOT NULL,
    model     bigint NOT NULL,
    scale     real NOT NULL,
    code      bytea NOT NULL,
    vector    halfvec NOT NULL,
    PRIMARY KEY (tenant_id, passage, model),
    FOREIGN KEY (tenant_id, passage) REFERENCES holdfast.passages (tenant_id, number),
    FOREIGN KEY (tenant_id, model) REFERENCES holdfast.models (tenant_id, number)
);

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

-- Work that is done later. Ids, counts and codes, never text of a memory.
CREATE TABLE holdfast.jobs (
    tenant_id   text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    number      bigint NOT NULL,
    id          text NOT NULL,
    owner       text NOT NULL,
    role        text NOT NULL,
    agent       text,
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

-- What jobs work on, and the digests of keys: what an embedded store keeps in files beside it.
CREATE TABLE holdfast.spool (
    tenant_id text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id        text NOT NULL,
    laid_at   bigint NOT NULL,
    content   bytea NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE holdfast.keys (
    tenant_id  text COLLATE "C" NOT NULL DEFAULT current_setting('holdfast.tenant') REFERENCES holdfast.tenants,
    id         text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    content    text NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

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

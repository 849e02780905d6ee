-- Beginning transactions, and what is asked of a server before it is trusted.

-- name: begin_reading
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;

-- name: begin_writing
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;

-- For this transaction only: a plain SET would stay and be found by whoever is next on the connection. What others
-- have left there behind a pooler does not count: without `row_security` every statement would be refused. A reader
-- may be idle as long as the server allows.

-- name: enter
SELECT set_config('holdfast.tenant', %(tenant)s, true), set_config('search_path', %(path)s, true),
    set_config('lock_timeout', %(patience)s, true), set_config('row_security', 'on', true),
    set_config('holdfast.seal', %(seal)s, true),
    set_config('idle_in_transaction_session_timeout', %(idle)s, true);

-- Behind a pooler, which connection leads to which process changes with each transaction. One that knows
-- prepared statements gives them names of its own; with another they would be missing, or somebody else's.

-- name: backend
SELECT pg_backend_pid();

-- name: keeps_names
SELECT EXISTS (SELECT 1 FROM pg_prepared_statements WHERE name LIKE '\_pg3\_%');

-- name: forget_prepared
DEALLOCATE ALL;

-- name: enter_catalogue
SELECT set_config('search_path', 'pg_catalog, pg_temp', true);

-- name: follows
SELECT pg_is_in_recovery(), extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::double precision;

-- Whether the tenant is still here. Who writes waits for a move, which may take it away; in its own row nobody else is
-- held up.

-- name: moved_reading
SELECT moved FROM tenants;

-- name: moved_writing
SELECT moved FROM tenants FOR KEY SHARE;

-- name: has_tenant
SELECT count(*) FROM tenants;

-- name: add_tenant
INSERT INTO tenants DEFAULT VALUES ON CONFLICT DO NOTHING;

-- Temporary tables come last: unless named here, they would stand for ours, and behind a pooler they may be another's.

-- name: search_path
SELECT 'holdfast, ' || coalesce((
    SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector'), 'public') || ', pg_temp';

-- name: has_schema
SELECT to_regclass('holdfast.schema_versions') IS NOT NULL;

-- name: schema_version
SELECT coalesce(max(version), 0) FROM holdfast.schema_versions;

-- Migrating, by the owner.

-- name: one_at_a_time
SELECT pg_advisory_xact_lock(hashtext('holdfast schema'));

-- name: make_schema
CREATE SCHEMA IF NOT EXISTS holdfast;

-- name: make_extension
CREATE EXTENSION IF NOT EXISTS vector;

-- name: make_versions
CREATE TABLE IF NOT EXISTS holdfast.schema_versions (
    version    integer PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now(),
    script     text
);

-- name: enter_schema
SELECT set_config('search_path', %(path)s, true);

-- name: note_version
INSERT INTO holdfast.schema_versions (version, script) VALUES (%(version)s, %(script)s);

-- The first development versions did not note their scripts.

-- name: scripts
SELECT v.version, to_jsonb(v) ->> 'script' FROM holdfast.schema_versions v;

-- name: unfit
SELECT CASE
    WHEN r.oid IS NULL THEN 'does not exist'
    WHEN r.rolsuper OR r.rolbypassrls THEN 'is one whom no policy binds, so it must not serve'
    WHEN pg_has_role(r.oid, current_user, 'MEMBER') THEN 'is the owner of the tables or belongs to it, so it must not serve'
END
FROM (SELECT %(role)s::text AS name) wanted LEFT JOIN pg_roles r ON r.rolname = wanted.name;

-- name: admit_application
SELECT holdfast.admit_application(%(role)s);

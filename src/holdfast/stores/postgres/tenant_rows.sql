-- The rows of a tenant, as they pass to and from a store in a file.

-- Each table in the order in which they were made, with its columns in the order of their names, and the statements that
-- read, add and delete its rows of the tenant. The seals are left out, which are made anew, and the pool of a vector,
-- which is that of its memory. Whole numbers stand for booleans, as in a file.

-- name: tables
SELECT c.relname::text, array_agg(a.attname::text ORDER BY a.attname::text COLLATE "C"),
    format('SELECT %s FROM holdfast.%I',
        string_agg(format(CASE t.typname
                WHEN 'bool' THEN '%I::integer' WHEN 'float4' THEN '%I::float8' WHEN 'halfvec' THEN 'halfvec_send(%I)'
                ELSE '%I' END, a.attname), ', ' ORDER BY a.attname::text COLLATE "C"), c.relname),
    format('INSERT INTO holdfast.%1$I (%2$s) SELECT %2$s FROM json_populate_recordset(NULL::holdfast.%1$I, %3$s::json)',
        c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname::text COLLATE "C"), '%s'),
    format('DELETE FROM holdfast.%I', c.relname)
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'tenant_id'
    AND c.relname NOT IN ('schema_versions', 'seals', 'secrets', 'tenants')
    AND (c.relname, a.attname) <> ('vectors', 'pool')
GROUP BY c.oid, c.relname ORDER BY c.oid;

-- A role whom no policy binds would read, and replace, the rows of all tenants.

-- name: is_bound
SELECT NOT (rolsuper OR rolbypassrls) FROM pg_roles WHERE rolname = current_user;

-- The owner of the tables is bound by the wall, too. For the names of all tenants it is lifted in a transaction that is
-- rolled back.

-- name: unbind_tenants
ALTER TABLE holdfast.tenants NO FORCE ROW LEVEL SECURITY;

-- name: tenant_names
SELECT tenant_id FROM holdfast.tenants ORDER BY tenant_id;

-- The role that serves only adds events.

-- name: may_replace
SELECT has_table_privilege('holdfast.events', 'DELETE');

-- name: numbers
SELECT change, memory, passage, session, digest_key FROM tenants;

-- name: put_numbers
UPDATE tenants SET change = %(change)s, memory = %(memory)s, passage = %(passage)s, session = %(session)s,
    digest_key = %(digest_key)s;

-- name: seal_key
SELECT set_config('holdfast.seal', %(seal)s, true);

-- Moving a tenant to another server.

-- name: secret
SELECT value FROM secrets WHERE name = 'seal';

-- name: put_secret
INSERT INTO secrets (name, value) VALUES ('seal', %(secret)s);

-- name: marked
SELECT moved, (SELECT count(*) FROM memories) FROM tenants;

-- name: mark
UPDATE tenants SET moved = %(moved)s;

-- name: settle
UPDATE tenants SET moved = NULL WHERE moved = %(moved)s;

-- name: hold
SELECT moved FROM tenants FOR UPDATE;

-- name: drop_secrets
DELETE FROM secrets;

-- name: drop_seals
DELETE FROM seals;

-- name: drop_tenant
DELETE FROM tenants;

-- name: forget_answers
DELETE FROM replays;

-- name: insert_vectors
INSERT INTO vectors (passage, model, pool, scale, code, vector)
SELECT x.passage, %(model)s, m.pool, x.scale, x.code,
    (%(vector)b)[(x.place - 1) * %(dim)s + 1 : x.place * %(dim)s]::halfvec
FROM unnest(%(passage)b::bigint[], %(scale)b::real[], %(code)b::bytea[]) WITH ORDINALITY AS x (passage, scale, code, place)
    JOIN passages p ON p.number = x.passage JOIN memories m ON m.number = p.memory;

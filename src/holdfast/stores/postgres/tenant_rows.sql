-- The rows of a tenant, as they pass to and from a store in a file.

-- Each table in the order in which they were made, with its columns in the order of their names, and the statements that
-- read, add and delete its rows of the tenant. The seals are left out, which are made anew, and the pool of a vector, which
-- is that of its memory. Whole numbers stand for booleans, as in a file.
-- Then its key, and statements for some rows: they read what a transaction or a later one has written (or one of two
-- thousand million transactions ago), all keys, the rows and the keys of some keys; delete those; and put other rows in
-- their place at once, so that a unique index, and what refers to them, find them there.

-- name: tables
WITH keys AS (
    SELECT i.indrelid, array_agg(a.attname::text ORDER BY a.attname::text COLLATE "C") AS columns,
        string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname::text COLLATE "C") AS quoted
    FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
    WHERE i.indisprimary AND a.attname <> 'tenant_id'
    GROUP BY i.indrelid
), made AS (
    SELECT c.oid AS place, c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attname::text COLLATE "C") AS columns,
        k.columns AS key,
        format('SELECT %s FROM holdfast.%I',
            string_agg(format(CASE t.typname
                    WHEN 'bool' THEN '%I::integer' WHEN 'float4' THEN '%I::float8' WHEN 'halfvec' THEN 'halfvec_send(%I)'
                    WHEN 'timestamptz' THEN '(%I AT TIME ZONE ''UTC'')::text || ''Z''' ELSE '%I' END, a.attname),
                ', ' ORDER BY a.attname::text COLLATE "C"), c.relname) AS read,
        format('INSERT INTO holdfast.%1$I (%2$s) SELECT %2$s FROM json_populate_recordset(NULL::holdfast.%1$I, %3$s::json)',
            c.relname, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname::text COLLATE "C"), '%s') AS add,
        format('DELETE FROM holdfast.%I', c.relname) AS delete, format('ANALYZE holdfast.%I', c.relname) AS examine,
        format('SELECT %s FROM holdfast.%I', k.quoted, c.relname) AS read_keys,
        format(' WHERE (%1$s) IN (SELECT %1$s FROM json_populate_recordset(NULL::holdfast.%2$I, %3$s::json))',
            k.quoted, c.relname, '%s') AS among
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
        JOIN keys k ON k.indrelid = c.oid
    WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'tenant_id'
        AND c.relname NOT IN ('schema_versions', 'seals', 'secrets', 'tenants')
        AND (c.relname, a.attname) <> ('vectors', 'pool')
    GROUP BY c.oid, c.relname, k.columns, k.quoted
)
SELECT name, columns, read, add, delete, key, read || ' WHERE age(xmin) <= (SELECT age(%s::text::xid))', read_keys,
    read || among, read_keys || among, delete || among,
    examine, 'WITH gone AS (' || delete || among || ' RETURNING 1) ' || add || ' WHERE (SELECT count(*) FROM gone) >= 0'
FROM made ORDER BY place;

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

-- name: secret
SELECT value FROM secrets WHERE name = 'seal';

-- name: put_secret
INSERT INTO secrets (name, value) VALUES ('seal', %(secret)s);

-- name: mark
UPDATE tenants SET moved = %(moved)s;

-- name: forget_answers
DELETE FROM replays;

-- name: insert_vectors
INSERT INTO vectors (passage, model, pool, scale, code, vector)
SELECT x.passage, %(model)s, m.pool, x.scale, x.code,
    (%(vector)b)[(x.place - 1) * %(dim)s + 1 : x.place * %(dim)s]::halfvec
FROM unnest(%(passage)b::bigint[], %(scale)b::real[], %(code)b::bytea[]) WITH ORDINALITY AS x (passage, scale, code, place)
    JOIN passages p ON p.number = x.passage JOIN memories m ON m.number = p.memory;

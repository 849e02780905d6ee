-- Seals of tables (`seals.py`).

-- name: make_key
INSERT INTO secrets (name, value)
VALUES ('seal', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())))
ON CONFLICT DO NOTHING;

-- name: key
SELECT encode(value, 'hex') FROM secrets WHERE name = 'seal';

-- name: is_in_force
SELECT encode(value, 'hex') = current_setting('holdfast.seal') FROM secrets WHERE name = 'seal';

-- name: all
SELECT name, rows, digest FROM seals ORDER BY name;

-- name: clear
DELETE FROM seals;

-- name: change
INSERT INTO seals (name, rows, digest) VALUES (%(name)s, %(rows)s, %(digest)s);

-- A table that is in parts is named by its whole.

-- name: tables
SELECT c.relname, format(
    CASE WHEN c.relname IN ('passages', 'vectors') THEN 'SELECT count(*), 0 FROM holdfast.%I'
    ELSE 'SELECT count(*), coalesce(bit_xor(holdfast.row_digest(r::text)), 0) FROM holdfast.%I r' END, c.relname)
FROM pg_class c
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname NOT IN ('schema_versions', 'secrets', 'seals', 'tenants')
ORDER BY c.relname;

-- After a migration, whose changes of rows and columns no trigger saw. `unbind_tenants` lifted the wall.

-- name: bind_tenants
ALTER TABLE holdfast.tenants FORCE ROW LEVEL SECURITY;

-- name: act_as
SELECT set_config('role', %(role)s, true);

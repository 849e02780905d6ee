-- The self-check at start-up. Each statement lists what must not be, in words; nothing listed means all is well.

-- name: role
SELECT 'the role ' || quote_ident(r.rolname) || ' ' || said.what
FROM pg_roles r, LATERAL (VALUES
    (r.rolsuper, 'is a superuser, whom no policy binds'),
    (r.rolbypassrls, 'has BYPASSRLS, so no policy binds it'),
    (r.rolcreaterole, 'may create roles, and so become another')
) AS said (holds, what)
WHERE r.rolname IN (current_user, session_user) AND said.holds;

-- name: ownership
SELECT 'the role ' || quote_ident(current_user) || ' owns ' || c.oid::regclass || ', or belongs to a role that does'
FROM pg_class c
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
    AND pg_has_role(session_user, c.relowner, 'MEMBER');

-- name: membership
SELECT 'the role ' || quote_ident(session_user) || ' may become ' || quote_ident(r.rolname)
    || ', whom no policy binds'
FROM pg_roles r
WHERE (r.rolsuper OR r.rolbypassrls) AND r.rolname <> session_user AND pg_has_role(session_user, r.oid, 'MEMBER');

-- name: schema
SELECT 'the role ' || quote_ident(current_user) || ' may create objects in the schema holdfast'
WHERE has_schema_privilege('holdfast', 'CREATE');

-- name: tables
SELECT c.oid::regclass || ' has no ' || CASE WHEN c.relrowsecurity THEN 'FORCE ' ELSE '' END || 'ROW LEVEL SECURITY'
FROM pg_class c
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'schema_versions'
    AND NOT (c.relrowsecurity AND c.relforcerowsecurity);

-- Exactly one policy each, which says the same for reading and for writing. Another permissive one would widen it.

-- name: policies
SELECT c.oid::regclass || ' has policies other than the one that binds rows to the tenant'
FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'schema_versions'
GROUP BY c.oid
HAVING count(p.oid) FILTER (WHERE
        p.polname = 'tenant' AND p.polpermissive AND p.polcmd = '*' AND p.polroles = '{0}'
        AND pg_get_expr(p.polqual, p.polrelid) = %(rule)s
        AND pg_get_expr(p.polwithcheck, p.polrelid) = %(rule)s) <> 1
    OR count(p.oid) <> 1;

-- One that holds the rows of one tenant only, as that of a large pool, does not lead with it.

-- name: keys
SELECT c.oid::regclass || ' has the key ' || quote_ident(k.relname) || ', which does not begin with the tenant'
FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid JOIN pg_class k ON k.oid = i.indexrelid
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relname <> 'schema_versions'
    AND a.attname IS DISTINCT FROM 'tenant_id'
    AND (i.indisunique OR coalesce(pg_get_expr(i.indpred, i.indrelid), '')
        !~ '^\(\(tenant_id = E?''([^''\\]|''''|\\\\)*''::text\) AND ');

-- TRUNCATE and triggers are not seen by row-level security; events are only added.

-- name: privileges
SELECT 'the role ' || quote_ident(current_user) || ' may ' || said.what || ' ' || c.oid::regclass
FROM pg_class c, LATERAL (
    SELECT c.relname = 'events' OR c.oid IN (SELECT relid FROM pg_partition_tree('holdfast.events')) AS holds
) e, LATERAL (VALUES
    (has_table_privilege(c.oid, 'TRUNCATE'), 'TRUNCATE'),
    (has_table_privilege(c.oid, 'TRIGGER'), 'put triggers on'),
    (has_table_privilege(c.oid, 'REFERENCES'), 'refer to'),
    (e.holds AND has_table_privilege(c.oid, 'UPDATE'), 'change rows of'),
    (e.holds AND has_table_privilege(c.oid, 'DELETE'), 'remove rows of')
) AS said (holds, what)
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND said.holds;

-- A tenant that is there before a transaction says which would be that of whoever forgets to say.

-- name: preset
SELECT 'the address, the role or the database sets holdfast.tenant for every session'
WHERE nullif(current_setting('holdfast.tenant', true), '') IS NOT NULL;

-- Views and functions of an owner whom no policy binds would be a way around.

-- name: ways_around
SELECT c.oid::regclass || ' is a view, which reads with the rights of its owner'
FROM pg_class c WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('v', 'm')
UNION ALL
SELECT p.oid::regprocedure || ' runs with the rights of its owner'
FROM pg_proc p
WHERE p.pronamespace = 'holdfast'::regnamespace AND p.prosecdef AND has_function_privilege(p.oid, 'EXECUTE');

-- What stands in the place of the head file: a commit that was acknowledged is on the disk of the server.

-- name: durability
SELECT 'the server has ' || name || ' = ' || setting || ', so an acknowledged write can be lost'
FROM pg_settings
WHERE (name IN ('fsync', 'full_page_writes') AND setting <> 'on')
    OR (name = 'synchronous_commit' AND setting NOT IN ('on', 'remote_apply'));

-- name: encoding
SELECT 'the database is in ' || current_setting('server_encoding') || ', which does not hold every text as UTF8 does'
WHERE current_setting('server_encoding') <> 'UTF8';

-- The behaviour itself: without a tenant, and with an empty one, nothing is there.

-- name: leave
SELECT set_config('holdfast.tenant', '', true);

-- name: seen
SELECT count(*) FROM (
    SELECT tenant_id FROM holdfast.tenants UNION ALL SELECT tenant_id FROM holdfast.memories
    UNION ALL SELECT tenant_id FROM holdfast.events) everything;

-- The self-check at start-up. Each statement lists what must not be, in words; nothing listed means all is well.

-- name: role
SELECT 'the role ' || quote_ident(r.rolname) || ' ' || said.what
FROM pg_roles r, LATERAL (VALUES
    (r.rolsuper, 'is a superuser, whom no policy binds'),
    (r.rolbypassrls, 'has BYPASSRLS, so no policy binds it'),
    (r.rolcreaterole, 'may create roles, and so become another'),
    (r.rolreplication, 'has REPLICATION, so it may copy the whole server'),
    (r.rolcreatedb, 'may create databases, which no serving role needs')
) AS said (holds, what)
WHERE r.rolname IN (current_user, session_user) AND said.holds;

-- name: ownership
SELECT 'the role ' || quote_ident(current_user) || ' owns ' || c.oid::regclass || ', or belongs to a role that does'
FROM pg_class c
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
    AND pg_has_role(session_user, c.relowner, 'MEMBER');

-- None is expected, not even of predefined roles, such as those that read files or run programs.

-- name: membership
SELECT 'the role ' || quote_ident(session_user) || ' belongs to ' || quote_ident(r.rolname)
    || CASE WHEN r.rolsuper OR r.rolbypassrls THEN ', whom no policy binds' ELSE '' END
FROM pg_roles r
    LEFT JOIN pg_auth_members direct ON direct.roleid = r.oid AND direct.member = session_user::regrole
WHERE r.rolname <> session_user AND pg_has_role(session_user, r.oid, 'MEMBER')
ORDER BY direct.roleid IS NULL;

-- What is granted on parts of the server itself, such as a function that reads files, is as good as a membership. What
-- the server and its extensions granted to everybody when they were installed is on record there.

-- name: grants_on_the_server
SELECT CASE WHEN g.grantee = 0 THEN 'everybody' ELSE 'the role ' || quote_ident(g.grantee::regrole::text) END
    || ' was granted ' || g.privilege_type || ' on ' || CASE g.class
        WHEN 'pg_proc'::regclass THEN g.object::regprocedure::text
        WHEN 'pg_class'::regclass THEN g.object::regclass || coalesce(' (' || quote_ident(g.part) || ')', '')
        ELSE g.part END
FROM (
    SELECT 'pg_proc'::regclass AS class, p.oid AS object, NULL AS part, a.*, i.initprivs
    FROM pg_proc p LEFT JOIN pg_init_privs i ON i.classoid = 'pg_proc'::regclass AND i.objoid = p.oid,
        aclexplode(p.proacl) a
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proacl IS NOT NULL
    UNION ALL
    SELECT 'pg_class'::regclass, c.oid, NULL, a.*, i.initprivs
    FROM pg_class c
        LEFT JOIN pg_init_privs i ON i.classoid = 'pg_class'::regclass AND i.objoid = c.oid AND i.objsubid = 0,
        aclexplode(c.relacl) a
    WHERE c.relnamespace = 'pg_catalog'::regnamespace
    UNION ALL
    SELECT 'pg_class'::regclass, t.attrelid, t.attname, a.*, i.initprivs
    FROM pg_attribute t JOIN pg_class c ON c.oid = t.attrelid
        LEFT JOIN pg_init_privs i
            ON i.classoid = 'pg_class'::regclass AND i.objoid = t.attrelid AND i.objsubid = t.attnum,
        aclexplode(t.attacl) a
    WHERE c.relnamespace = 'pg_catalog'::regnamespace AND t.attacl IS NOT NULL
    UNION ALL
    SELECT NULL, s.oid, 'the parameter ' || s.parname, a.*, NULL FROM pg_parameter_acl s, aclexplode(s.paracl) a
    UNION ALL
    SELECT NULL, s.oid, 'the foreign server ' || quote_ident(s.srvname), a.*, NULL
    FROM pg_foreign_server s, aclexplode(s.srvacl) a
    UNION ALL
    SELECT NULL, w.oid, 'the foreign-data wrapper ' || quote_ident(w.fdwname), a.*, NULL
    FROM pg_foreign_data_wrapper w, aclexplode(w.fdwacl) a
) g
WHERE (g.grantee = 0
        OR g.grantee IN (SELECT oid FROM pg_roles WHERE rolname IN (current_user, session_user) AND NOT rolsuper))
    AND NOT EXISTS (
        SELECT 1 FROM aclexplode(g.initprivs) o WHERE g.grantee = 0 AND o.grantee = 0 AND o.privilege_type = g.privilege_type)
    AND NOT (g.grantee = 0 AND g.initprivs IS NULL AND g.privilege_type = 'EXECUTE');

-- name: schema
SELECT 'the role ' || quote_ident(current_user) || ' may create objects in the schema holdfast'
WHERE has_schema_privilege('holdfast', 'CREATE')
UNION ALL
SELECT 'the role ' || quote_ident(current_user) || ' may create schemas in this database'
WHERE has_database_privilege(current_database(), 'CREATE');

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

-- What the serving role may do with each table and its columns: these and no more. TRUNCATE and triggers are not seen
-- by row-level security; events are only added. What everybody may, it may too.

-- name: privileges
SELECT 'the role ' || quote_ident(current_user) || ' may '
    || CASE g.privilege_type
        WHEN 'TRIGGER' THEN 'put triggers on ' WHEN 'REFERENCES' THEN 'refer to '
        WHEN 'UPDATE' THEN 'change rows of ' WHEN 'DELETE' THEN 'remove rows of ' ELSE g.privilege_type || ' ' END
    || g.relation::regclass || coalesce(' (' || quote_ident(g.attname) || ')', '')
    || CASE WHEN g.grantee = 0 THEN ', as everybody may' WHEN g.is_grantable THEN ' and grant that to others' ELSE '' END
FROM (
    SELECT c.oid AS relation, c.relname, c.relispartition, NULL AS attname, a.*
    FROM pg_class c, aclexplode(c.relacl) a WHERE c.relnamespace = 'holdfast'::regnamespace
    UNION ALL
    SELECT c.oid, c.relname, c.relispartition, t.attname, a.*
    FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
    WHERE c.relnamespace = 'holdfast'::regnamespace
) g
WHERE (g.grantee = 0
        OR g.grantee IN (SELECT oid FROM pg_roles WHERE rolname IN (current_user, session_user) AND NOT rolsuper))
    AND (g.grantee = 0 OR g.is_grantable OR g.attname IS NOT NULL OR g.privilege_type NOT IN (
        SELECT unnest(CASE
            WHEN g.relname = 'schema_versions' THEN ARRAY['SELECT']
            WHEN 'holdfast.events'::regclass IN (g.relation, pg_partition_root(g.relation)) THEN ARRAY['SELECT', 'INSERT']
            WHEN 'holdfast.tenants'::regclass IN (g.relation, pg_partition_root(g.relation))
                THEN ARRAY['SELECT', 'INSERT', 'UPDATE']
            ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END)))
    AND NOT EXISTS (SELECT 1 FROM pg_class o WHERE o.oid = g.relation AND o.relowner = g.grantee);

-- A tenant that is there before a transaction says which would be that of whoever forgets to say. Without triggers,
-- neither references nor seals are kept.

-- name: preset
SELECT 'the address, the role or the database sets ' || said.name || ' for every session'
FROM (VALUES
    ('holdfast.tenant', nullif(current_setting('holdfast.tenant', true), '') IS NOT NULL),
    ('holdfast.seal', nullif(current_setting('holdfast.seal', true), '') IS NOT NULL),
    ('session_replication_role', current_setting('session_replication_role') <> 'origin')
) AS said (name, holds)
WHERE said.holds;

-- What belongs in the schema is known: tables (and parts of them), functions, triggers. What an extension brought is
-- its own affair.

-- name: relations
SELECT c.oid::regclass || CASE c.relkind
        WHEN 'v' THEN ' is a view, which reads with the rights of its owner'
        WHEN 'm' THEN ' is a view, which reads with the rights of its owner'
        ELSE ' is not one of our tables' END
FROM pg_class c
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind NOT IN ('i', 'I', 't', 'c')
    AND NOT (c.relkind IN ('r', 'p')
        AND coalesce((SELECT o.relname FROM pg_class o WHERE o.oid = pg_partition_root(c.oid)), c.relname)
            = ANY(%(tables)s))
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e');

-- Views of another schema, also views of views; what rules of other tables do with ours; and tables that take part in
-- ours.

-- name: views
WITH RECURSIVE reading (relation, origin) AS (
    SELECT w.ev_class, c.oid
    FROM pg_depend d JOIN pg_rewrite w ON w.oid = d.objid JOIN pg_class c ON c.oid = d.refobjid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
        AND c.relnamespace = 'holdfast'::regnamespace AND w.ev_class <> c.oid
    UNION
    SELECT w.ev_class, r.origin
    FROM reading r JOIN pg_depend d ON d.refobjid = r.relation JOIN pg_rewrite w ON w.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND w.ev_class <> r.relation
)
SELECT DISTINCT v.oid::regclass || CASE WHEN v.relkind IN ('v', 'm') THEN ' is a view of ' ELSE ' has a rule about ' END
    || r.origin::regclass || ', which acts with the rights of its owner'
FROM reading r JOIN pg_class v ON v.oid = r.relation
WHERE v.relnamespace <> 'holdfast'::regnamespace
    AND (has_any_column_privilege(v.oid, 'SELECT, INSERT, UPDATE') OR has_table_privilege(v.oid, 'DELETE'))
UNION ALL
SELECT i.inhrelid::regclass || ' is a part of ' || i.inhparent::regclass || ' in another schema'
FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid
WHERE p.relnamespace = 'holdfast'::regnamespace AND c.relnamespace <> 'holdfast'::regnamespace;

-- name: rules
SELECT w.ev_class::regclass || ' has the rule ' || quote_ident(w.rulename)
FROM pg_rewrite w JOIN pg_class c ON c.oid = w.ev_class
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p');

-- name: triggers
SELECT t.tgrelid::regclass || ' has the trigger ' || quote_ident(t.tgname)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = 'holdfast'::regnamespace AND NOT t.tgisinternal
    AND pg_get_triggerdef(t.oid) <> ALL (
        SELECT format('CREATE TRIGGER %%s ON %%s REFERENCING %%s FOR EACH STATEMENT EXECUTE FUNCTION holdfast.seal(%%s)',
            said.fires, c.oid::regclass, said.rows, CASE WHEN c.relname IN ('passages', 'vectors') THEN '''count''' ELSE '' END)
        FROM (VALUES
            ('seal_added AFTER INSERT', 'NEW TABLE AS added'), ('seal_removed AFTER DELETE', 'OLD TABLE AS removed'),
            ('seal_changed AFTER UPDATE', 'OLD TABLE AS removed NEW TABLE AS added')
        ) AS said (fires, rows))
UNION ALL
SELECT c.oid::regclass || ' lacks the trigger ' || said.name || ', or it is disabled'
FROM pg_class c, (VALUES ('seal_added'), ('seal_removed'), ('seal_changed')) AS said (name)
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname = ANY(%(tables)s) AND c.relname NOT IN ('schema_versions', 'secrets', 'seals', 'tenants')
    AND NOT (c.relname IN ('passages', 'vectors') AND said.name = 'seal_changed')
    AND NOT EXISTS (
        SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = said.name AND t.tgenabled IN ('O', 'A'))
UNION ALL
SELECT t.tgrelid::regclass || ' has disabled triggers'
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = 'holdfast'::regnamespace AND t.tgisinternal AND t.tgenabled NOT IN ('O', 'A');

-- Of our functions, each is as this version made it.

-- name: functions
SELECT p.oid::regprocedure || CASE
        WHEN p.prosecdef THEN ' runs with the rights of its owner'
        WHEN p.proname = ANY(%(functions)s) THEN ' is not as this version made it'
        ELSE ' is not one of our functions' END
FROM pg_proc p
WHERE p.pronamespace = 'holdfast'::regnamespace
    AND (p.prosecdef OR p.proname || ' ' || md5(p.prosrc) <> ALL(%(bodies)s))
    AND NOT (p.proname = 'admit_application' AND NOT p.prosecdef AND NOT has_function_privilege(p.oid, 'EXECUTE'))
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e');

-- In the other schema that is searched, that of pgvector, functions that are no extension's may neither run with
-- another's rights nor stand for one of the server's.

-- name: functions_beside
SELECT p.oid::regprocedure || CASE
        WHEN p.prosecdef THEN ' runs with the rights of its owner'
        ELSE ' has the name of a function of the server' END
FROM pg_proc p
WHERE p.pronamespace IN (SELECT e.extnamespace FROM pg_extension e WHERE e.extname = 'vector')
    AND p.pronamespace NOT IN ('holdfast'::regnamespace, 'pg_catalog'::regnamespace)
    AND has_function_privilege(p.oid, 'EXECUTE')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    AND (p.prosecdef
        OR p.proname IN (SELECT o.proname FROM pg_proc o WHERE o.pronamespace = 'pg_catalog'::regnamespace));

-- Anywhere, one that the role may call and that runs as somebody whom no policy binds, or who may switch them off,
-- unless an extension brought it.

-- name: functions_anywhere
SELECT p.oid::regprocedure || ' runs with the rights of ' || quote_ident(r.rolname)
    || CASE WHEN r.rolsuper OR r.rolbypassrls THEN ', whom no policy binds' ELSE ', who owns the tables' END
FROM pg_proc p JOIN pg_roles r ON r.oid = p.proowner
WHERE p.prosecdef
    AND (r.rolsuper OR r.rolbypassrls OR EXISTS (
        SELECT 1 FROM pg_class c WHERE c.relnamespace = 'holdfast'::regnamespace AND pg_has_role(r.oid, c.relowner, 'MEMBER')))
    AND p.prorettype <> 'event_trigger'::regtype
    AND has_schema_privilege(p.pronamespace, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE')
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e');

-- A cast that is nobody's extension changes which operator a statement of ours means.

-- name: casts
SELECT 'there is a cast from ' || c.castsource::regtype || ' to ' || c.casttarget::regtype || ' by '
    || c.castfunc::regprocedure
FROM pg_cast c JOIN pg_proc p ON p.oid = c.castfunc
WHERE c.castcontext <> 'e' AND p.pronamespace <> 'pg_catalog'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_cast'::regclass AND d.objid = c.oid AND d.deptype = 'e');

-- name: operators_beside
SELECT o.oid::regoperator || ' is an operator in a schema that is searched'
FROM pg_operator o
WHERE o.oprnamespace IN (
        SELECT 'holdfast'::regnamespace UNION SELECT e.extnamespace FROM pg_extension e WHERE e.extname = 'vector')
    AND o.oprnamespace <> 'pg_catalog'::regnamespace
    AND NOT EXISTS (
        SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_operator'::regclass AND d.objid = o.oid AND d.deptype = 'e');

-- Defaults, checks, keys and domains run with each write, statistics with each ANALYZE. Functions of the server are not
-- listed as what they depend on.

-- name: expressions
SELECT o.relation::regclass || ' calls ' || d.refobjid::regprocedure || ' with each write'
FROM (
    SELECT 'pg_attrdef'::regclass AS class, f.oid, f.adrelid AS relation FROM pg_attrdef f
    UNION ALL
    SELECT 'pg_constraint'::regclass, k.oid, k.conrelid FROM pg_constraint k
    UNION ALL
    SELECT 'pg_class'::regclass, i.indexrelid, i.indrelid FROM pg_index i
    UNION ALL
    SELECT 'pg_statistic_ext'::regclass, s.oid, s.stxrelid FROM pg_statistic_ext s
) o JOIN pg_class c ON c.oid = o.relation JOIN pg_depend d ON d.classid = o.class AND d.objid = o.oid
WHERE d.refclassid = 'pg_proc'::regclass AND c.relnamespace = 'holdfast'::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_depend e WHERE e.classid = 'pg_proc'::regclass AND e.objid = d.refobjid AND e.deptype = 'e')
UNION ALL
SELECT c.oid::regclass || ' has a column of the domain ' || t.oid::regtype
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
WHERE c.relnamespace = 'holdfast'::regnamespace AND t.typtype = 'd';

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

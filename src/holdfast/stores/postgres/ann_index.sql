-- Indexes of large pools, one tenant at a time: who owns the tables makes them, who serves asks them.

-- fragment: called
'near_' || left(md5(current_setting('holdfast.tenant')), 16) || '_'

-- fragment: there
(SELECT {called} AS called) own
    JOIN pg_class c ON c.relnamespace = 'holdfast'::regnamespace AND c.relname >= called AND c.relname < called || '~'
    JOIN pg_index i ON i.indexrelid = c.oid

-- name: pools
SELECT v.pool, v.model, min(o.dim), count(*), min(c.relname)
FROM vectors v JOIN models o ON o.number = v.model JOIN pg_class c ON c.oid = v.tableoid
GROUP BY v.pool, v.model ORDER BY v.pool, v.model;

-- name: made
SELECT split_part(c.relname, '_', 3)::bigint, split_part(c.relname, '_', 4)::bigint, i.indisvalid FROM {there};

-- Neither can be bound in the statement itself, which the server therefore puts together.

-- name: make
SELECT format(
    'CREATE INDEX CONCURRENTLY %%I ON holdfast.%%I USING hnsw ((vector::%%I.halfvec(%%s)) %%3$I.halfvec_cosine_ops)'
    ' WHERE tenant_id = %%5$L AND pool = %%s AND model = %%s',
    {called} || %(pool)s || '_' || %(model)s, %(relation)s::text, n.nspname, %(dim)s,
    current_setting('holdfast.tenant'), %(pool)s, %(model)s)
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';

-- name: drop
SELECT format('DROP INDEX CONCURRENTLY IF EXISTS holdfast.%%I', {called} || %(pool)s || '_' || %(model)s);

-- One owner at a time, at most until its connection ends; nobody else gets as far as that.

-- name: alone
SELECT pg_try_advisory_lock(hashtext('holdfast near'));

-- name: not_alone
SELECT pg_advisory_unlock(hashtext('holdfast near'));

-- name: may_make
SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = 'holdfast.vectors'::regclass;

-- Asking.

-- name: ready
SELECT split_part(c.relname, '_', 3)::bigint FROM {there}
WHERE i.indisvalid AND split_part(c.relname, '_', 4)::bigint = %(model)s;

-- name: nearest
SELECT passage, cosine FROM holdfast.nearest(%(pool)s, %(model)s, %(dim)s, %(vector)b::halfvec, %(wanted)s);

-- name: nearest_among
SELECT passage, 1 - (vector <=> %(vector)b::halfvec) AS cosine FROM vectors
WHERE passage = ANY(%(passages)s::bigint[]) AND model = %(model)s ORDER BY cosine DESC LIMIT %(wanted)s;

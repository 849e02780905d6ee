-- Moving a tenant to another server (`tenant_moves.py`, `tenant_changes.py`).

-- name: state
SELECT moved, (SELECT count(*) FROM memories) FROM tenants;

-- name: settle
UPDATE tenants SET moved = NULL WHERE moved ~ '^from:\d*:' AND regexp_replace(moved, '^from:\d*:', '') = %(here)s;

-- name: hold
SELECT moved FROM tenants FOR UPDATE;

-- name: drop_secrets
DELETE FROM secrets;

-- name: drop_seals
DELETE FROM seals;

-- name: drop_tenant
DELETE FROM tenants;

-- The oldest transaction that was not over at this snapshot: whatever the snapshot does not hold is of it or of a later one.

-- name: position
SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text;

-- name: sealed
SELECT name, rows, digest FROM seals;

-- name: try_deleting
SAVEPOINT deleting;

-- name: give_up_deleting
ROLLBACK TO deleting;

-- name: end_deleting
RELEASE deleting;

-- The pool of a vector is that of its memory, and no column that is compared.

-- name: follow_pools
UPDATE vectors v SET pool = m.pool
FROM memories m JOIN passages p ON p.memory = m.number
WHERE m.number = ANY(%(memories)s::bigint[]) AND v.passage = p.number AND v.pool <> m.pool;

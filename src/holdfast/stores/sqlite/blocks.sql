-- The blocks of the index (`blocks.py`): read by the reader of a snapshot, which names pools that a view allows.

-- name: changed
SELECT pool, number FROM memories INDEXED BY memories_by_change
WHERE change > (SELECT value FROM counters WHERE name = 'indexed') ORDER BY pool, number;

-- name: index_of_memories
SELECT {indexed} FROM memories m JOIN passages x ON x.memory = m.number
    LEFT JOIN vectors v ON v.passage = x.number AND v.model = :model
WHERE m.number IN (SELECT value FROM json_each(:numbers)) AND m.pool = :pool AND m.change <= :upto
ORDER BY m.number, x.part;

-- name: size
SELECT coalesce(sum(min(size, length(content))), 0) FROM blocks WHERE pool = :pool;

-- name: of_pool_whole
SELECT last, model, content, CASE WHEN :dim THEN codes END FROM blocks WHERE pool = :pool ORDER BY last;

-- Writing them.

-- name: age
SELECT change - indexed, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memories'), 0) - numbered
FROM (
    SELECT max(value) FILTER (WHERE name = 'change') AS change, max(value) FILTER (WHERE name = 'indexed') AS indexed,
        max(value) FILTER (WHERE name = 'numbered') AS numbered
    FROM counters);

-- name: rows_to_read
SELECT coalesce((SELECT sum(size) FROM blocks WHERE content IS NULL), 0) + (
    SELECT count(*) FROM (
        SELECT 1 FROM memories WHERE change > (SELECT value FROM counters WHERE name = 'indexed') LIMIT :limit));

-- name: change
SELECT value FROM counters WHERE name = 'change';

-- name: model
SELECT v.model, o.dim FROM vectors v JOIN models o ON o.number = v.model ORDER BY v.number DESC LIMIT 1;

-- name: pools_to_read
SELECT DISTINCT pool FROM blocks WHERE content IS NULL;

-- name: of_other_models
SELECT number FROM blocks WHERE content IS NOT NULL AND model IS NOT :model LIMIT :limit;

-- name: pools
SELECT DISTINCT pool FROM blocks;

-- name: model_of
SELECT b.model, coalesce(o.dim, 0) FROM blocks b LEFT JOIN models o ON o.number = b.model WHERE b.number = :number;

-- name: of_pool
SELECT number, last, size, model, content IS NOT NULL FROM blocks WHERE pool = :pool ORDER BY last;

-- name: read
SELECT content, codes FROM blocks WHERE number = :number;

-- name: insert
INSERT INTO blocks (pool, last, size, model, content, codes) VALUES (:pool, :last, :size, :model, :content, :codes);

-- name: delete
DELETE FROM blocks WHERE number = :number;

-- name: empty
UPDATE blocks SET content = NULL, codes = NULL WHERE number = :number;

-- name: delete_all
DELETE FROM blocks;

-- name: forget
UPDATE counters SET value = 0 WHERE name IN ('indexed', 'numbered');

-- name: note
UPDATE counters SET value = CASE name
    WHEN 'indexed' THEN (SELECT value FROM counters WHERE name = 'change')
    ELSE coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memories'), 0) END
WHERE name IN ('indexed', 'numbered');

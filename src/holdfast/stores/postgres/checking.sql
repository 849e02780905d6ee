-- Each statement lists what must not be; its name says what it is. `stored` and
-- `derived` alone list all memories and what the index has of them.

-- name: stored
SELECT {columns} FROM {joined} WHERE m.number > %(after)s ORDER BY m.number LIMIT %(limit)s;

-- name: derived
SELECT x.memory, x.part, x.start, x."end", x.terms, o.name, o.dim, v.scale, v.code, substring(halfvec_send(v.vector) FROM 5)
FROM passages x LEFT JOIN vectors v ON v.tenant_id = x.tenant_id AND v.passage = x.number LEFT JOIN models o ON o.tenant_id = v.tenant_id AND o.number = v.model
WHERE x.memory > %(after)s AND x.memory <= %(upto)s
ORDER BY x.memory, x.part;

-- name: the_digest_key_cannot_be_used
SELECT 'it does not hold a key' FROM tenants WHERE octet_length(digest_key) <> 32;

-- name: vector_of_wrong_size
SELECT m.id FROM vectors v JOIN models o ON o.number = v.model JOIN passages x ON x.number = v.passage
    JOIN memories m ON m.number = x.memory
WHERE length(v.code) <> o.dim OR vector_dims(v.vector) <> o.dim;

-- name: vector_in_another_pool
SELECT m.id FROM vectors v JOIN passages x ON x.number = v.passage JOIN memories m ON m.number = x.memory
WHERE v.pool <> m.pool;

-- name: memory_without_a_current_version
SELECT id FROM memories GROUP BY id HAVING count(*) FILTER (WHERE current) <> 1;

-- name: relation_or_observation_in_sight_without_its_entity
SELECT m.id FROM memories m JOIN pools p ON p.number = m.pool
    JOIN memories e ON (e.id = m.subject OR e.id = m.target) AND e.current JOIN pools q ON q.number = e.pool
WHERE m.current AND m.deleted_at IS NULL AND (e.deleted_at IS NOT NULL OR p.project IS DISTINCT FROM q.project
    OR p.workspace IS DISTINCT FROM q.workspace OR (p.visibility <> 'private' AND q.visibility = 'private'));

-- name: vector_of_nothing
SELECT v.passage FROM vectors v
WHERE NOT EXISTS (SELECT 1 FROM passages x WHERE x.number = v.passage)
    OR NOT EXISTS (SELECT 1 FROM models o WHERE o.number = v.model);

-- name: counter_behind_what_it_numbers
SELECT said.what
FROM tenants t, LATERAL (VALUES
    ('change', t.change < (SELECT max(change) FROM memories)),
    ('memory', t.memory < (SELECT max(number) FROM memories)),
    ('passage', t.passage < (SELECT max(number) FROM passages)),
    ('session', t.session < (SELECT max(number) FROM sessions))
) AS said (what, holds)
WHERE said.holds;

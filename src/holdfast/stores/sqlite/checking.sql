-- Each statement lists what must not be; its name says what it is. `stored` and
-- `derived` list all memories and what the index has of them.

-- name: stored
SELECT {columns} FROM {joined} WHERE m.number > :after ORDER BY m.number LIMIT :limit;

-- name: derived
SELECT x.memory, x.part, x.start, x."end", x.terms, o.name, o.dim, v.scale, v.code, v.vector
FROM passages x LEFT JOIN vectors v ON v.passage = x.number LEFT JOIN models o ON o.number = v.model
WHERE x.memory > :after AND x.memory <= :upto
ORDER BY x.memory, x.part;

-- name: vector_of_wrong_size
SELECT m.id FROM vectors v JOIN models o ON o.number = v.model JOIN passages x ON x.number = v.passage
    JOIN memories m ON m.number = x.memory
WHERE length(v.code) <> o.dim OR length(v.vector) <> 2 * o.dim;

-- name: memory_without_a_current_version
SELECT id FROM memories GROUP BY id HAVING sum(current) <> 1;

-- name: relation_or_observation_in_sight_without_its_entity
SELECT m.id FROM memories m JOIN pools p ON p.number = m.pool
    JOIN memories e ON (e.id = m.subject OR e.id = m.target) AND e.current JOIN pools q ON q.number = e.pool
WHERE m.current AND m.deleted_at IS NULL AND (e.deleted_at IS NOT NULL OR p.project IS NOT q.project
    OR p.workspace IS NOT q.workspace OR (p.visibility <> 'private' AND q.visibility = 'private'));

-- Checks that both databases make with the same words: each statement lists what must not be, and its name says
-- what it is.

-- name: memory_without_words
SELECT id FROM memories m
WHERE m.kind NOT IN ('statement', 'exclusion') AND NOT EXISTS (SELECT 1 FROM passages x WHERE x.memory = m.number);

-- name: passage_outside_its_text
SELECT m.id FROM memories m JOIN passages x ON x.memory = m.number
WHERE x.start < 0 OR x."end" > length(m.text) OR length(x.terms) % 5 <> 0;

-- name: memory_without_vector_or_job
SELECT DISTINCT m.id FROM memories m JOIN passages x ON x.memory = m.number
WHERE m.current AND m.deleted_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.passage = x.number)
    AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'embed' AND j.subject = m.id AND j.state <> 'success');

-- name: relation_or_observation_without_its_entity
SELECT m.id FROM memories m
WHERE m.kind IN ('observation', 'relation') AND (
    m.subject IS NULL OR (m.target IS NULL) = (m.kind = 'relation')
    OR NOT EXISTS (SELECT 1 FROM memories e WHERE e.id = m.subject AND e.current AND e.kind = 'entity')
    OR (m.target IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM memories e WHERE e.id = m.target AND e.current AND e.kind = 'entity')));

-- name: module_map_of_a_project_that_was_deleted
SELECT j.id FROM module_maps a JOIN projects j ON j.number = a.project WHERE j.deleted_at IS NOT NULL;

-- name: storage_of_a_user_counted_wrongly
SELECT owner FROM (
    SELECT owner, count(*) AS versions, sum(octet_length(text) + octet_length(metadata)) AS bytes FROM memories GROUP BY owner
    UNION ALL SELECT owner, -versions, -bytes FROM storage) AS parts
GROUP BY owner HAVING sum(versions) <> 0 OR sum(bytes) <> 0;

-- name: event_out_of_sequence
SELECT sequence FROM events e WHERE sequence > 1 AND NOT EXISTS (SELECT 1 FROM events p WHERE p.sequence = e.sequence - 1);

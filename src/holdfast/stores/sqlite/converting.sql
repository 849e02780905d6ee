-- Copying a store whole into another file, and proving that the copy says the same.

-- name: hold
-- takes the lock that is kept until the connection ends
BEGIN EXCLUSIVE; COMMIT;

-- name: copy
VACUUM INTO :target;

-- name: schema
SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name;

-- name: tables
-- each table with the statement that reads it in the order of its rows
SELECT name, printf('SELECT * FROM "%w" NOT INDEXED', name)
FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL ORDER BY name;

-- name: owners
SELECT DISTINCT id, owner FROM memories;

-- name: conversations
SELECT owner, external_id FROM sessions;

-- name: imports
SELECT owner, id FROM sources;

-- name: named_projects
SELECT id, owner FROM projects WHERE name IS NOT NULL;

-- name: hidden
SELECT DISTINCT owner, id FROM memories WHERE deleted_at IS NOT NULL;

-- name: all_tombstones
SELECT owner, digest, by_person FROM tombstones;

-- name: redacted
SELECT m.owner, e.subject, e.detail ->> '$.version' FROM events e JOIN memories m ON m.id = e.subject AND m.current
WHERE e.action = 'redact' ORDER BY e.sequence;

-- name: cleaned
SELECT m.owner, e.subject, e.detail ->> '$.version', e.detail ->> '$.personal'
FROM events e JOIN memories m ON m.id = e.subject AND m.current WHERE e.action = 'clean' ORDER BY e.sequence;

-- name: numbers
SELECT (SELECT count(*) FROM memories WHERE current AND deleted_at IS NULL), (SELECT count(*) FROM events);

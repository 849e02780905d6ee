-- Seals of tables (`seals.py`).

-- name: key
SELECT value FROM secrets WHERE name = 'seal';

-- name: change
INSERT INTO seals (name, rows, digest) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET rows = rows + excluded.rows,
    digest = (digest | excluded.digest) & ~(digest & excluded.digest);

-- name: clear
DELETE FROM seals WHERE name <> 'sqlite_schema';

-- name: seal_schema
INSERT OR REPLACE INTO seals (name, rows, digest) VALUES ('sqlite_schema', ?, ?);

-- name: schema_seal
SELECT rows, digest FROM seals WHERE name = 'sqlite_schema';

-- name: schema
SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY type, name;

-- name: all
SELECT name, rows, digest FROM seals;

-- name: tables
SELECT name, printf('SELECT * FROM "%w" NOT INDEXED', name) FROM sqlite_schema
WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
ORDER BY name;

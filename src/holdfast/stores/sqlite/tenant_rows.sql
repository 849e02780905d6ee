-- The rows of a store, as they pass to and from a database server.

-- Tables in the order in which they were made, so that each refers to those before it, with their columns and the
-- statements that read and write them. What is made of other rows is left out, and the key of the seals.

-- name: tables
SELECT t.name, json_group_array(c.name ORDER BY c.name),
    printf('SELECT %s FROM "%w"', group_concat(printf('"%w"', c.name), ', ' ORDER BY c.name), t.name),
    printf('INSERT INTO "%w" (%s) VALUES (%s)', t.name,
        group_concat(printf('"%w"', c.name), ', ' ORDER BY c.name), group_concat('?', ', '))
FROM sqlite_schema t, pragma_table_info(t.name) c
WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT IN ('blocks', 'counters', 'seals', 'secrets')
    AND (t.name, c.name) <> ('vectors', 'number')
GROUP BY t.rowid ORDER BY t.rowid;

-- name: numbers
SELECT value,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memories'), 0),
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'passages'), 0),
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'sessions'), 0)
FROM counters WHERE name = 'change';

-- name: put_change
UPDATE counters SET value = ? WHERE name = 'change';

-- Numbers are not given out again, also where no row has the last one any more.

-- name: drop_number
DELETE FROM sqlite_sequence WHERE name = ?;

-- name: put_number
INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?);

-- A file of one row, the content of something that lies beside an encrypted store.

-- name: create
CREATE TABLE sealed (content BLOB NOT NULL);

-- name: write
INSERT INTO sealed (content) VALUES (:content);

-- name: read
SELECT content FROM sealed;

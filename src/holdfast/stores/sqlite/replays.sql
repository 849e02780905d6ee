-- Answers to requests with an idempotency key, in a file of their own (`replays.py`).

-- name: make
CREATE TABLE IF NOT EXISTS replays (
    who         TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    until       INTEGER NOT NULL,
    status      INTEGER NOT NULL,
    headers     TEXT NOT NULL,
    body        BLOB,
    head        INTEGER NOT NULL,
    PRIMARY KEY (who, key)
);

-- name: known
SELECT fingerprint, until, status, headers, body, head FROM replays WHERE who = :who AND key = :key;

-- name: put
INSERT OR REPLACE INTO replays (who, key, fingerprint, until, status, headers, body, head)
VALUES (:who, :key, :fingerprint, :until, :status, :headers, :body, :head);

-- name: drop_old
DELETE FROM replays WHERE until <= :now - CASE WHEN status = 0 THEN :broken_off ELSE 0 END;

-- name: keep_quota
DELETE FROM replays WHERE who = :who AND rowid NOT IN (
    SELECT rowid FROM replays WHERE who = :who ORDER BY rowid DESC LIMIT :quota);

-- name: release
DELETE FROM replays WHERE who = :who AND key = :key;

-- name: blank
UPDATE replays SET body = NULL WHERE body IS NOT NULL;

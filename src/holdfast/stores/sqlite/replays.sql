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
    erased      INTEGER NOT NULL DEFAULT 0, -- whether anything was erased since the request began
    PRIMARY KEY (who, key)
);

-- name: known
SELECT fingerprint, until, status, headers, body, head FROM replays WHERE who = :who AND key = :key;

-- name: put
INSERT OR REPLACE INTO replays (who, key, fingerprint, until, status, headers, body, head)
VALUES (:who, :key, :fingerprint, :until, :status, :headers, :body, :head);

-- What was made before something was erased may hold it, and a request that is not known any more may be one of those.
-- name: answer
INSERT INTO replays (who, key, fingerprint, until, status, headers, body, head)
VALUES (:who, :key, :fingerprint, :until, :status, :headers, NULL, :head)
ON CONFLICT (who, key) DO UPDATE SET fingerprint = excluded.fingerprint, until = excluded.until,
    status = excluded.status, headers = excluded.headers, head = excluded.head,
    body = CASE WHEN erased THEN NULL ELSE :body END;

-- name: drop_old
DELETE FROM replays WHERE until <= :now - CASE WHEN status = 0 THEN :broken_off ELSE 0 END;

-- name: keep_quota
DELETE FROM replays WHERE who = :who AND rowid NOT IN (
    SELECT rowid FROM replays WHERE who = :who ORDER BY rowid DESC LIMIT :quota);

-- name: release
DELETE FROM replays WHERE who = :who AND key = :key;

-- name: blank
UPDATE replays SET body = NULL, erased = 1 WHERE body IS NOT NULL OR status = 0;

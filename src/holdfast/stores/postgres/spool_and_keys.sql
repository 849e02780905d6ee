-- What an embedded store keeps in files beside it: what jobs work on, the digests of keys,
-- and answers to requests with an idempotency key.

-- name: lay_aside
INSERT INTO spool (id, laid_at, content)
VALUES (%(id)s, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, %(content)s);

-- name: laid_aside
SELECT content FROM spool WHERE id = %(id)s;

-- name: drop_laid_aside
DELETE FROM spool WHERE id = %(id)s;

-- name: all_laid_aside
SELECT id, laid_at FROM spool ORDER BY laid_at, id;

-- name: keys
SELECT content FROM keys ORDER BY created_at, id;

-- name: put_key
INSERT INTO keys (id, created_at, content) VALUES (%(id)s, %(created_at)s, %(content)s)
ON CONFLICT (tenant_id, id) DO UPDATE SET content = excluded.content;

-- name: drop_key
DELETE FROM keys WHERE id = %(id)s;

-- name: reserve_replay
INSERT INTO replays (who, key, fingerprint, until, status, headers, body, head)
VALUES (%(who)s, %(key)s, %(fingerprint)s, %(until)s, %(status)s, %(headers)s, %(body)s, %(head)s)
ON CONFLICT DO NOTHING RETURNING 1;

-- name: known_replay
SELECT fingerprint, until, status, headers, body, head FROM replays WHERE who = %(who)s AND key = %(key)s;

-- What was made before something was erased may hold it, and a request that is not known any more may be one of those.
-- name: answer_replay
INSERT INTO replays (who, key, fingerprint, until, status, headers, body, head)
VALUES (%(who)s, %(key)s, %(fingerprint)s, %(until)s, %(status)s, %(headers)s, NULL, %(head)s)
ON CONFLICT (tenant_id, who, key) DO UPDATE SET fingerprint = excluded.fingerprint, until = excluded.until,
    status = excluded.status, headers = excluded.headers, head = excluded.head,
    body = CASE WHEN replays.erased THEN NULL ELSE %(body)s::bytea END;

-- name: take_over_replay
UPDATE replays SET until = %(until)s, head = %(head)s
WHERE who = %(who)s AND key = %(key)s AND status = 0 AND until = %(was_until)s RETURNING 1;

-- name: drop_old_replays
DELETE FROM replays WHERE until <= %(now)s::bigint - CASE WHEN status = 0 THEN %(broken_off)s ELSE 0 END;

-- name: keep_quota_of_replays
DELETE FROM replays WHERE who = %(who)s AND key IN (
    SELECT key FROM replays WHERE who = %(who)s ORDER BY began_at DESC, key OFFSET %(quota)s);

-- name: release_replay
DELETE FROM replays WHERE who = %(who)s AND key = %(key)s;

-- name: blank_replays
UPDATE replays SET body = NULL, erased = true WHERE body IS NOT NULL OR status = 0;

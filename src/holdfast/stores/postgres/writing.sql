-- Writing. Every statement runs inside one transaction, which holds the row of its tenant.

-- The first statement of each: who comes second waits here, and then sees what the first has committed.

-- name: next_change
UPDATE tenants SET change = change + 1
RETURNING change, memory, passage, head_sequence, head_hash;

-- name: finish
UPDATE tenants SET memory = %(memory)s, passage = %(passage)s, head_sequence = %(sequence)s, head_hash = %(hash)s;

-- name: plan_anew
DISCARD PLANS;

-- name: accept
UPDATE tenants SET (head_sequence, head_hash) = (
    SELECT coalesce(max(sequence), 0), (array_agg(hash ORDER BY sequence DESC))[1] FROM events)
RETURNING head_sequence;

-- name: begin_attempt
SAVEPOINT attempt;

-- name: undo_attempt
ROLLBACK TO attempt;

-- name: end_attempt
RELEASE attempt;

-- name: add_pool
INSERT INTO pools (number, visibility, owner, workspace, reach, project, source)
VALUES ((SELECT coalesce(max(number), 0) + 1 FROM pools), %(visibility)s, %(owner)s, %(workspace)s, %(reach)s, %(project)s, %(source)s) RETURNING number;

-- New rows come many at a time: memories as JSON, the rest as one array for each
-- column, in binary: the text form of the first array of numbers would settle the size of those after it.

-- name: insert_memory
INSERT INTO memories (number, current, {written})
SELECT number, current, {written} FROM json_populate_recordset(NULL::memories, %(rows)s::json);

-- name: insert_passage
INSERT INTO passages (number, memory, part, start, "end", terms)
SELECT * FROM unnest(%(number)b::bigint[], %(memory)b::bigint[], %(part)b::integer[], %(start)b::bigint[],
    %(end)b::bigint[], %(terms)b::bytea[]);

-- name: insert_model
INSERT INTO models (number, name, dim)
VALUES ((SELECT coalesce(max(number), 0) + 1 FROM models), %(name)s, %(dim)s) RETURNING number;

-- The numbers of all vectors come in one array.

-- name: insert_vector
INSERT INTO vectors (passage, model, pool, scale, code, vector)
SELECT x.passage, %(model)s, x.pool, x.scale, x.code, (%(vector)b)[(x.place - 1) * %(dim)s + 1 : x.place * %(dim)s]::halfvec
FROM unnest(%(passage)b::bigint[], %(pool)b::bigint[], %(scale)b::real[], %(code)b::bytea[])
    WITH ORDINALITY AS x (passage, pool, scale, code, place)
ON CONFLICT (tenant_id, passage, model) DO UPDATE
SET scale = excluded.scale, code = excluded.code, vector = excluded.vector;

-- name: retire_versions
UPDATE memories SET current = false, change = %(change)s,
    valid_until = CASE WHEN valid_until IS NULL OR valid_until > %(until)s THEN %(until)s ELSE valid_until END
WHERE id = ANY(%(ids)s::text[]) AND current AND pool = ANY(%(pools)s::bigint[])
RETURNING id;

-- name: patch_current
UPDATE memories SET change = %(change)s,
    status = coalesce(%(status)s, status),
    status_reason = CASE WHEN %(clear_status_reason)s THEN NULL ELSE coalesce(%(status_reason)s, status_reason) END,
    pinned = coalesce(%(pinned)s, pinned),
    fingerprint = coalesce(%(fingerprint)s, fingerprint),
    confidence = coalesce(%(confidence)s, confidence),
    valid_until = CASE WHEN %(clear_valid_until)s THEN NULL ELSE coalesce(%(valid_until)s, valid_until) END,
    expires_at = CASE WHEN %(clear_expires_at)s THEN NULL ELSE coalesce(%(expires_at)s, expires_at) END,
    supersedes = CASE WHEN %(clear_supersedes)s THEN NULL ELSE coalesce(%(supersedes)s, supersedes) END,
    superseded_by = CASE WHEN %(clear_superseded_by)s THEN NULL ELSE coalesce(%(superseded_by)s, superseded_by) END,
    evidence = coalesce(%(evidence)s, evidence),
    updated_at = coalesce(%(updated_at)s, updated_at)
WHERE id = %(id)s AND current;

-- name: patch_versions
UPDATE memories SET change = %(change)s,
    status = CASE WHEN %(status)s = 'rejected' THEN 'rejected' ELSE status END,
    deleted_at = CASE WHEN %(clear_deleted_at)s THEN NULL ELSE coalesce(%(deleted_at)s, deleted_at) END,
    deleted_reason = CASE WHEN %(clear_deleted_reason)s THEN NULL ELSE coalesce(%(deleted_reason)s, deleted_reason) END
WHERE id = %(id)s;

-- name: use
UPDATE memories SET use_count = use_count + used.count, last_used_at = used.at, change = %(change)s,
    confidence = CASE WHEN confidence >= %(lowest)s::float8 AND confidence < %(highest)s::float8 AND kind <> ALL(%(evidence)s::text[])
        THEN confidence + (%(highest)s::float8 - confidence) * used.share ELSE confidence END
FROM (SELECT one ->> 0 AS id, (one ->> 1)::bigint AS count, (one ->> 2)::bigint AS at, (one ->> 3)::float8 AS share
    FROM json_array_elements(%(uses)s::json) AS one) AS used
WHERE memories.id = used.id AND current AND pool = ANY(%(pools)s::bigint[]);

-- name: numbers_of
SELECT id, number FROM memories WHERE id = ANY(%(ids)s::text[]) AND pool = ANY(%(pools)s::bigint[]);

-- name: erase_vectors
DELETE FROM vectors WHERE passage IN (SELECT number FROM passages WHERE memory = ANY(%(memories)s::bigint[]));

-- name: insert_fact
INSERT INTO facts (memory, part, owner, topic, act, rank, value, other)
SELECT * FROM unnest(%(memory)b::bigint[], %(part)b::integer[], %(owner)b::text[], %(topic)b::text[], %(act)b::text[],
    %(rank)b::integer[], %(value)b::text[], %(other)b::text[]);

-- name: version_number
SELECT number FROM memories
WHERE id = %(id)s AND version = %(version)s AND pool = ANY(%(pools)s::bigint[]);

-- name: erase_claims
DELETE FROM facts WHERE memory = %(memory)s AND act IN ('claim', 'reading');

-- name: erase_facts
DELETE FROM facts WHERE memory = ANY(%(memories)s::bigint[]);

-- name: erase_passages
DELETE FROM passages WHERE memory = ANY(%(memories)s::bigint[]);

-- name: retitle
UPDATE memories SET title = %(title)s, flags = %(flags)s, pii_risk = %(pii_risk)s, change = %(change)s
WHERE id = %(id)s AND current AND pool = ANY(%(pools)s::bigint[]) RETURNING number, pool;

-- name: erase_memory
DELETE FROM memories WHERE number = ANY(%(memories)s::bigint[]) RETURNING owner, octet_length(text) + octet_length(metadata);

-- name: note_erased
INSERT INTO erased (memory, change) SELECT memory, %(change)s FROM unnest(%(memories)s::bigint[]) memory
ON CONFLICT (tenant_id, memory) DO UPDATE SET change = excluded.change;  -- redacted before, under the same number

-- name: prune_erased
DELETE FROM erased WHERE change <= %(before)s AND change < (SELECT max(change) FROM erased);

-- name: erase_jobs
DELETE FROM jobs WHERE subject = ANY(%(ids)s::text[]);

-- What speaks of entities: with where it stands and where they stand. A missing target is that of an observation.

-- name: ids_of_links
SELECT DISTINCT id FROM memories WHERE subject = ANY(%(ids)s::text[]) OR target = ANY(%(ids)s::text[]);

-- name: links_and_ends
SELECT m.id, m.pool, m.deleted_at, m.deleted_reason, m.target IS NOT NULL, sp.project, s.deleted_at IS NOT NULL,
    tp.project, t.deleted_at IS NOT NULL
FROM memories m
    JOIN memories s ON s.id = m.subject AND s.current JOIN pools sp ON sp.number = s.pool
    LEFT JOIN memories t ON t.id = m.target AND t.current LEFT JOIN pools tp ON tp.number = t.pool
WHERE m.current
    AND (m.subject = ANY(%(ids)s::text[]) OR m.target = ANY(%(ids)s::text[]))
ORDER BY m.number;

-- name: hide_links
UPDATE memories SET deleted_at = %(now)s, deleted_reason = %(gone)s, change = %(change)s
WHERE deleted_at IS NULL AND id = ANY(%(ids)s::text[]);

-- name: show_links
UPDATE memories SET deleted_at = NULL, deleted_reason = NULL, change = %(change)s
WHERE deleted_reason = %(gone)s AND id = ANY(%(ids)s::text[]);

-- name: unlink
UPDATE memories SET supersedes = CASE WHEN supersedes = ANY(%(ids)s::text[]) THEN NULL ELSE supersedes END,
    superseded_by = CASE WHEN superseded_by = ANY(%(ids)s::text[]) THEN NULL ELSE superseded_by END
WHERE supersedes = ANY(%(ids)s::text[]) OR superseded_by = ANY(%(ids)s::text[]);

-- name: passages_of
SELECT number, start, "end" FROM passages WHERE memory = %(memory)s ORDER BY part;

-- name: touch
UPDATE memories SET change = %(change)s WHERE number = %(memory)s;

-- name: insert_project
INSERT INTO projects (number, id, name, description, colour, icon, notes, system_prompt, visibility, state, purge_at, created_at,
    updated_at, deleted_at, owner, space)
VALUES ((SELECT coalesce(max(number), 0) + 1 FROM projects), %(id)s, %(name)s, %(description)s, %(colour)s, %(icon)s, %(notes)s, %(system_prompt)s, %(visibility)s, %(state)s, %(purge_at)s,
    %(created_at)s, %(updated_at)s, %(deleted_at)s, %(owner)s, %(space)s)
ON CONFLICT (tenant_id, space, name) DO UPDATE SET deleted_at = excluded.deleted_at, description = excluded.description, colour = excluded.colour,
    icon = excluded.icon, notes = excluded.notes, system_prompt = excluded.system_prompt,
    visibility = excluded.visibility, state = excluded.state, purge_at = excluded.purge_at,
    created_at = excluded.created_at, updated_at = excluded.updated_at, owner = excluded.owner
RETURNING *;

-- name: project_with_id
SELECT 1 FROM projects WHERE id = %(id)s AND (name <> %(name)s OR space <> %(space)s);

-- name: update_project
UPDATE projects SET name = %(name)s, description = %(description)s, colour = %(colour)s, icon = %(icon)s, notes = %(notes)s,
    system_prompt = %(system_prompt)s, visibility = %(visibility)s, state = %(state)s, purge_at = %(purge_at)s,
    updated_at = %(updated_at)s, owner = %(owner)s
WHERE number = %(number)s;

-- name: sessions_in
SELECT number FROM sessions WHERE project = %(project)s AND owner = %(owner)s;

-- name: count_own_in
SELECT count(DISTINCT id) FROM memories
WHERE deleted_at IS NULL AND owner = %(owner)s AND pool IN (SELECT number FROM pools WHERE project = %(project)s);

-- name: own_entities_in
SELECT id FROM memories
WHERE entity_key IS NOT NULL AND current AND deleted_at IS NULL AND owner = %(owner)s
    AND pool IN (SELECT number FROM pools WHERE project = %(project)s);

-- name: forget_in_project
UPDATE memories SET deleted_at = %(now)s, deleted_reason = 'project deleted', change = %(change)s
WHERE deleted_at IS NULL AND owner = %(owner)s AND pool IN (SELECT number FROM pools WHERE project = %(project)s);

-- What others keep in it has no say in this, so that the outcome tells nothing of it.

-- name: delete_project
UPDATE projects SET deleted_at = %(now)s, description = NULL, colour = NULL, icon = NULL, notes = NULL,
    system_prompt = NULL, visibility = NULL, owner = NULL, state = 'active'
WHERE number = %(project)s;

-- A project goes with all that is in it, whoever wrote it, and what speaks of it.

-- name: numbers_in_project
WITH inside AS (SELECT m.id FROM memories m JOIN pools p ON p.number = m.pool WHERE p.project = %(project)s::bigint)
SELECT number FROM memories WHERE id IN (SELECT id FROM inside)
UNION SELECT number FROM memories WHERE subject IN (SELECT id FROM inside)
UNION SELECT number FROM memories WHERE target IN (SELECT id FROM inside);

-- name: sources_of_numbers
SELECT DISTINCT source FROM memories WHERE number = ANY(%(numbers)s::bigint[]) AND source IS NOT NULL;

-- name: drop_requests_of
DELETE FROM requests WHERE id IN (SELECT id FROM memories WHERE number = ANY(%(numbers)s::bigint[]));

-- name: drop_findings_of
DELETE FROM findings WHERE id IN (SELECT id FROM memories WHERE number = ANY(%(numbers)s::bigint[]));

-- name: unlink_all
UPDATE memories SET supersedes = CASE WHEN supersedes = ANY(%(ids)s::text[]) THEN NULL ELSE supersedes END,
    superseded_by = CASE WHEN superseded_by = ANY(%(ids)s::text[]) THEN NULL ELSE superseded_by END
WHERE supersedes = ANY(%(ids)s::text[]) OR superseded_by = ANY(%(ids)s::text[]);

-- name: all_sessions_in
SELECT number, owner FROM sessions WHERE project = %(project)s::bigint;

-- name: folders_only_in
SELECT c.source FROM folder_projects c
WHERE c.project = %(project)s::bigint AND NOT EXISTS (
    SELECT 1 FROM folder_projects o WHERE o.source = c.source AND o.project <> c.project);

-- name: disconnect_from_all
DELETE FROM folder_projects WHERE project = %(project)s::bigint;

-- name: take_back_all_cited
DELETE FROM cited WHERE project = %(project)s::bigint;

-- name: take_back_all_given
DELETE FROM given WHERE project = %(project)s::bigint;

-- name: take_back_all_tallies
DELETE FROM tallies WHERE project = %(project)s::bigint;

-- name: forget_changes
DELETE FROM untidied WHERE project = %(project)s::bigint;

-- name: delete_jobs
DELETE FROM jobs WHERE id = ANY(%(ids)s::text[]) OR subject = ANY(%(ids)s::text[]);

-- name: delete_unused_sources
DELETE FROM sources WHERE id = ANY(%(ids)s::text[]) AND id NOT IN (SELECT source FROM folders)
    AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.source = sources.id);

-- name: forget_workspaces
UPDATE pools SET workspace = 'purged ' || number WHERE project = %(project)s::bigint AND workspace IS NOT NULL;

-- name: purge_project
UPDATE projects SET name = NULL, space = '', deleted_at = %(now)s, description = NULL, colour = NULL, icon = NULL, notes = NULL,
    system_prompt = NULL, visibility = NULL, owner = NULL, state = 'active'
WHERE number = %(project)s::bigint;

-- name: put_module_map
INSERT INTO module_maps (project, data, version, updated_at)
VALUES (%(project)s, %(data)s, %(version)s, %(updated_at)s)
ON CONFLICT (tenant_id, project) DO UPDATE
SET data = excluded.data, version = excluded.version, updated_at = excluded.updated_at;

-- name: drop_module_map
DELETE FROM module_maps WHERE project = %(project)s;

-- name: insert_session
WITH next AS (UPDATE tenants SET session = session + 1 RETURNING session)
INSERT INTO sessions (number, external_id, owner, name, project, metadata, archived, created_at, updated_at)
SELECT session, %(external_id)s, %(owner)s, %(name)s, %(project)s::bigint, %(metadata)s, %(archived)s, %(created_at)s::bigint,
    %(updated_at)s::bigint
FROM next RETURNING number;

-- name: update_session
UPDATE sessions SET name = %(name)s, project = %(project)s, metadata = %(metadata)s, archived = %(archived)s,
    created_at = %(created_at)s,
    updated_at = %(updated_at)s, left_project = CASE WHEN %(project)s::bigint IS NULL THEN left_project END
WHERE number = %(number)s AND owner = %(owner)s;

-- name: drop_summaries
DELETE FROM summaries WHERE session = %(session)s AND part >= %(start)s
    AND EXISTS (SELECT 1 FROM sessions WHERE number = %(session)s AND owner = %(owner)s);

-- name: put_summary
INSERT INTO summaries (session, part, last, messages, since, until, quotations, model)
SELECT number, %(part)s::bigint, %(last)s::text, %(messages)s::bigint, %(since)s::bigint, %(until)s::bigint,
    %(quotations)s::text, %(model)s::text
FROM sessions WHERE number = %(session)s AND owner = %(owner)s;

-- name: erase_summaries
DELETE FROM summaries WHERE session IN (SELECT session FROM memories WHERE id = ANY(%(ids)s::text[]));

-- name: delete_session
DELETE FROM sessions WHERE number = %(number)s AND owner = %(owner)s;

-- name: detach_session
UPDATE memories SET session = NULL, external_id = %(external_id)s, external_key = %(external_key)s,
    change = %(change)s
WHERE number = %(memory)s;

-- name: evidence_in_session
SELECT DISTINCT id FROM memories
WHERE session = %(number)s AND owner = %(owner)s AND kind = ANY(%(evidence)s::text[]);

-- name: pools_of_session
SELECT DISTINCT pool FROM memories
WHERE session = %(number)s AND kind = ANY(%(evidence)s::text[]);

-- fragment: vectors
UPDATE vectors v SET pool = moved.pool
FROM moved JOIN passages x ON x.tenant_id = moved.tenant_id AND x.memory = moved.number
WHERE v.tenant_id = x.tenant_id AND v.passage = x.number

-- name: move_evidence
WITH moved AS (
    UPDATE memories SET pool = %(target)s, change = %(change)s,
        written_in = CASE WHEN current THEN %(target)s ELSE written_in END
    WHERE session = %(number)s AND pool = %(source)s AND kind = ANY(%(evidence)s::text[])
    RETURNING tenant_id, number, pool)
{vectors};

-- name: leave_project
UPDATE sessions SET left_project = project, project = NULL, updated_at = %(updated_at)s WHERE number = %(number)s AND owner = %(owner)s;

-- name: rejoin_project
UPDATE sessions SET project = left_project, left_project = NULL, updated_at = %(now)s
WHERE left_project = %(project)s AND project IS NULL AND owner = %(owner)s RETURNING number;

-- name: ids_in_pool_of_kinds
SELECT id FROM memories
WHERE pool = %(pool)s AND owner = %(owner)s AND current AND kind = ANY(%(kinds)s::text[]);

-- A move takes the present version with it. The others come along as far as whoever sees it may see where they were
-- written.

-- name: relocate_memory
WITH moved AS (
    UPDATE memories SET pool = %(pool)s, written_in = %(pool)s, change = %(change)s,
        scope_type = %(scope_type)s, scope_id = %(scope_id)s, branch = %(branch)s,
        external_id = %(external_id)s, external_key = %(external_key)s,
        content_hash = %(content_hash)s,
        unique_hash = %(unique_hash)s
    WHERE id = %(id)s AND current RETURNING tenant_id, number, pool)
{vectors};

-- name: move_earlier
WITH moved AS (
    UPDATE memories SET pool = %(pool)s, change = %(change)s
    WHERE id = %(id)s AND NOT current RETURNING tenant_id, number, pool)
{vectors};

-- name: insert_source
INSERT INTO sources (
    id, owner, platform, digest, ingested_at, filename, message_count, conversation_count, metadata, deleted_at,
    visibility, project, members, sequence, applied, run
) VALUES (
    %(id)s, %(owner)s, %(platform)s, %(digest)s, %(ingested_at)s, %(filename)s, %(message_count)s, %(conversation_count)s, %(metadata)s, %(deleted_at)s,
    %(visibility)s, %(project)s, %(members)s, %(sequence)s, %(applied)s, %(run)s
)
ON CONFLICT (tenant_id, owner, digest) DO UPDATE SET deleted_at = excluded.deleted_at, platform = excluded.platform,
    ingested_at = excluded.ingested_at, filename = excluded.filename, message_count = excluded.message_count,
    conversation_count = excluded.conversation_count, metadata = excluded.metadata,
    visibility = excluded.visibility, project = excluded.project, members = excluded.members,
    sequence = excluded.sequence, applied = excluded.applied, run = excluded.run
RETURNING id;

-- name: rename_source
UPDATE sources SET digest = %(digest)s WHERE id = %(id)s AND visibility IS NOT NULL;

-- name: source_with_id
SELECT 1 FROM sources WHERE id = %(id)s AND (owner, digest) <> (%(owner)s, %(digest)s);

-- name: source_of
SELECT id FROM sources WHERE id = %(id)s AND owner = %(owner)s AND (%(hard)s::boolean OR deleted_at IS NULL)
    AND id NOT IN (SELECT source FROM folders);

-- name: evidence_of_source
SELECT id FROM memories
WHERE source = %(id)s AND owner = %(owner)s AND current AND (%(hard)s::boolean OR deleted_at IS NULL)
    AND (kind = ANY(%(evidence)s::text[]) OR ((%(hard)s::boolean OR NOT (pinned OR edited))
        AND pool IN (SELECT number FROM pools WHERE source = %(id)s)));

-- name: forget_of_source
UPDATE memories SET deleted_at = %(now)s, deleted_reason = 'source deleted', change = %(change)s
WHERE id = ANY(%(ids)s::text[]);

-- name: hide_source
UPDATE sources SET deleted_at = %(now)s WHERE id = %(id)s;

-- name: detach_source
UPDATE memories SET source = NULL, change = %(change)s WHERE source = %(id)s;

-- name: delete_source
DELETE FROM sources WHERE id = %(id)s;

-- name: insert_event
INSERT INTO events (sequence, change, at, actor, action, subject, detail, hash)
SELECT * FROM unnest(%(sequence)b::bigint[], %(change)b::bigint[], %(at)b::bigint[], %(actor)b::text[], %(action)b::text[],
    %(subject)b::text[], %(detail)b::text[], %(hash)b::text[]);

-- name: put_member
INSERT INTO members (name, role, added_by, added_at, removed_at)
VALUES (%(name)s, %(role)s, %(added_by)s, %(added_at)s, %(removed_at)s)
ON CONFLICT (tenant_id, name) DO UPDATE SET role = excluded.role, added_by = excluded.added_by,
    added_at = excluded.added_at, removed_at = excluded.removed_at;

-- name: put_language_model
INSERT INTO language_models (name, provider, model, url, price_in, price_out, tokens_per_day, tokens_per_month, cost_per_day,
    cost_per_month, timeout, dimensions, added_by, added_at, accepted_by, accepted_at)
VALUES (%(name)s, %(provider)s, %(model)s, %(url)s, %(price_in)s, %(price_out)s,
    %(tokens_per_day)s, %(tokens_per_month)s, %(cost_per_day)s, %(cost_per_month)s, %(timeout)s, %(dimensions)s, %(added_by)s,
    %(added_at)s, %(accepted_by)s, %(accepted_at)s)
ON CONFLICT (tenant_id, name) DO UPDATE SET accepted_by = excluded.accepted_by, accepted_at = excluded.accepted_at;

-- name: drop_language_model
DELETE FROM language_models WHERE name = %(name)s RETURNING name;

-- name: put_model_call
INSERT INTO model_calls (id, at, owner, model, provider, operation, outcome, tokens_in, tokens_out, cost, millis)
VALUES (%(id)s, %(at)s, %(owner)s, %(model)s, %(provider)s, %(operation)s, %(outcome)s,
    %(tokens_in)s, %(tokens_out)s, %(cost)s, %(millis)s)
ON CONFLICT (tenant_id, id) DO UPDATE SET outcome = excluded.outcome, tokens_in = excluded.tokens_in,
    tokens_out = excluded.tokens_out, cost = excluded.cost, millis = excluded.millis;

-- name: put_request
INSERT INTO requests (id, version, content_hash, owner, visibility, asked_by, asked_at)
VALUES (%(id)s, %(version)s, %(content_hash)s, %(owner)s, %(visibility)s, %(asked_by)s, %(asked_at)s)
ON CONFLICT (tenant_id, id) DO UPDATE SET version = excluded.version, content_hash = excluded.content_hash,
    owner = excluded.owner, visibility = excluded.visibility, asked_by = excluded.asked_by,
    asked_at = excluded.asked_at;

-- name: drop_request
DELETE FROM requests WHERE id = ANY(%(ids)s::text[]) RETURNING id;

-- name: put_finding
INSERT INTO findings (id, owner, found_at, personal) VALUES (%(id)s, %(owner)s, %(found_at)s, %(personal)s)
ON CONFLICT (tenant_id, id) DO UPDATE SET found_at = excluded.found_at, personal = findings.personal OR excluded.personal;

-- name: drop_finding
DELETE FROM findings WHERE id = ANY(%(ids)s::text[]) RETURNING id;

-- name: put_metric
INSERT INTO metrics (name, at, evaluator, value, sample_size)
VALUES (%(name)s, %(at)s, %(evaluator)s, %(value)s, %(sample_size)s)
ON CONFLICT (tenant_id, name, at, evaluator) DO UPDATE
SET value = excluded.value, sample_size = excluded.sample_size;

-- name: job_to_take_up
SELECT id FROM jobs
WHERE subject = %(subject)s AND owner = %(owner)s AND kind = %(kind)s AND state IN ('queued', 'timeout', 'error')
ORDER BY number LIMIT 1;

-- name: insert_job
INSERT INTO jobs (number, id, owner, role, agent, apart, kind, subject, units, state, attempts, created_at, due_at, started_at,
    finished_at, token, done, total, error, result)
VALUES ((SELECT coalesce(max(number), 0) + 1 FROM jobs), %(id)s, %(owner)s, %(role)s, %(agent)s, %(apart)s, %(kind)s, %(subject)s, %(units)s, %(state)s, %(attempts)s, %(created_at)s, %(due_at)s, %(started_at)s,
    %(finished_at)s, %(token)s, %(done)s, %(total)s, %(error)s, %(result)s);

-- name: update_job
UPDATE jobs SET units = %(units)s, state = %(state)s, attempts = %(attempts)s, due_at = %(due_at)s, started_at = %(started_at)s,
    finished_at = %(finished_at)s, token = %(token)s, done = %(done)s, total = %(total)s, error = %(error)s, result = %(result)s
WHERE id = %(id)s AND owner = %(owner)s AND (%(held)s::text IS NULL OR token = %(held)s)
RETURNING number;

-- name: claim_job
UPDATE jobs SET state = 'running', attempts = attempts + 1, started_at = %(now)s, due_at = %(until)s, token = %(token)s,
    done = 0, total = NULL
WHERE number = (
    SELECT number FROM jobs
    WHERE state IN ('queued', 'running') AND due_at <= %(now)s AND kind = ANY(%(kinds)s::text[])
    ORDER BY due_at, number LIMIT 1)
RETURNING id, owner, role, agent, apart, kind, subject, units, state, attempts, created_at, due_at, started_at, finished_at,
    token, done, total, error, result;

-- name: hasten_jobs
UPDATE jobs SET due_at = %(now)s
WHERE state IN ('queued', 'running') AND due_at > %(after)s AND kind = ANY(%(kinds)s::text[]);

-- name: plan_job
UPDATE jobs SET units = units + %(units)s, due_at = least(due_at, CASE WHEN units + %(units)s >= %(enough)s::bigint THEN %(created_at)s ELSE %(due_at)s END)
WHERE number = (SELECT min(number) FROM jobs WHERE owner = %(owner)s AND kind = %(kind)s AND state = 'queued')
RETURNING id;

-- name: count_changes
INSERT INTO untidied AS u (owner, project, changes)
VALUES (%(owner)s, %(project)s::bigint, CASE WHEN %(changes)s::bigint < %(enough)s::bigint THEN %(changes)s ELSE 0 END)
ON CONFLICT (tenant_id, owner, project) DO UPDATE
SET changes = CASE WHEN u.changes + %(changes)s < %(enough)s THEN u.changes + %(changes)s ELSE 0 END
RETURNING changes;

-- name: prune_jobs
DELETE FROM jobs
WHERE owner = %(owner)s AND state IN ('success', 'cancelled') AND (finished_at, number) <= (
    SELECT finished_at, number FROM jobs WHERE owner = %(owner)s AND state IN ('success', 'cancelled')
    ORDER BY finished_at DESC, number DESC LIMIT 1 OFFSET %(keep)s);

-- What working sessions were given.

-- name: deliver
INSERT INTO given (owner, project, session, what, at, actor)
SELECT %(owner)s, %(project)s::bigint, %(session)s, unnest(%(what)s::text[]), %(now)s::bigint, %(actor)s
ON CONFLICT DO NOTHING;

-- name: tally
INSERT INTO tallies (
    owner, project, session, contexts, memories_injected, search_memory_calls, memory_hits, tokens_with, tokens_without,
    updated_at
) VALUES (
    %(owner)s, %(project)s, %(session)s, %(contexts)s, %(memories_injected)s, %(search_memory_calls)s, %(memory_hits)s,
    %(tokens_with)s, %(tokens_without)s, %(now)s
)
ON CONFLICT (tenant_id, owner, project, session) DO UPDATE SET contexts = tallies.contexts + excluded.contexts,
    memories_injected = tallies.memories_injected + excluded.memories_injected,
    search_memory_calls = tallies.search_memory_calls + excluded.search_memory_calls,
    memory_hits = tallies.memory_hits + excluded.memory_hits,
    tokens_with = tallies.tokens_with + excluded.tokens_with,
    tokens_without = tallies.tokens_without + excluded.tokens_without, updated_at = excluded.updated_at;

-- name: cite
INSERT INTO cited (context, citation, what, owner, project, session, at)
VALUES (%(context)s, %(citation)s, %(what)s, %(owner)s, %(project)s, %(session)s, %(at)s);

-- name: prune_cited
DELETE FROM cited WHERE owner = %(owner)s AND at < %(before)s::bigint;

-- name: prune_given
DELETE FROM given WHERE owner = %(owner)s AND (project, session) IN (
    SELECT project, session FROM tallies WHERE owner = %(owner)s AND updated_at < %(before)s::bigint);

-- name: prune_tallies
DELETE FROM tallies WHERE owner = %(owner)s AND updated_at < %(before)s::bigint;

-- name: take_back_given
DELETE FROM given
WHERE owner = %(owner)s AND (%(project)s::bigint IS NULL OR project = %(project)s::bigint)
    AND (%(session)s::text IS NULL OR session = %(session)s::text);

-- name: take_back_tallies
DELETE FROM tallies
WHERE owner = %(owner)s AND (%(project)s::bigint IS NULL OR project = %(project)s::bigint)
    AND (%(session)s::text IS NULL OR session = %(session)s::text);

-- name: take_back_cited
DELETE FROM cited
WHERE owner = %(owner)s AND (%(project)s::bigint IS NULL OR project = %(project)s::bigint)
    AND (%(session)s::text IS NULL OR session = %(session)s::text);

-- What is noted about a user beside memories.

-- name: leave_jobs
DELETE FROM jobs WHERE owner = %(owner)s;

-- name: leave_untidied
DELETE FROM untidied WHERE owner = %(owner)s;

-- name: leave_tombstones
DELETE FROM tombstones WHERE owner = %(owner)s;

-- name: leave_model_calls
UPDATE model_calls SET owner = '' WHERE owner = %(owner)s;

-- name: erase_cited
DELETE FROM cited WHERE what = ANY(%(ids)s::text[]);

-- name: erase_given
DELETE FROM given WHERE what = ANY(%(ids)s::text[]);

-- Folders and their files.

-- name: folder_of
SELECT 1 FROM folders WHERE source = %(source)s AND owner = %(owner)s;

-- name: put_folder
INSERT INTO folders (source, slug, owner, name, root, visibility, include, exclude, watched, state, error, created_at,
    started_at, completed_at)
VALUES (%(id)s, %(slug)s, %(owner)s, %(name)s, %(root)s, %(visibility)s, %(include)s, %(exclude)s, %(watched)s, %(state)s, %(error)s, %(created_at)s,
    %(started_at)s, %(completed_at)s)
ON CONFLICT (tenant_id, source) DO UPDATE SET name = excluded.name, include = excluded.include, exclude = excluded.exclude,
    watched = excluded.watched, state = excluded.state, error = excluded.error, started_at = excluded.started_at,
    completed_at = excluded.completed_at;

-- name: connect_folder
INSERT INTO folder_projects (source, project) VALUES (%(source)s, %(project)s) ON CONFLICT DO NOTHING RETURNING 1;

-- name: disconnect_folder
DELETE FROM folder_projects WHERE source = %(source)s AND project = %(project)s RETURNING 1;

-- name: disconnect_project
DELETE FROM folder_projects
WHERE project = %(project)s AND source IN (SELECT source FROM folders WHERE owner = %(owner)s);

-- name: insert_file
INSERT INTO files (number, source, path, state, reason, filetype, language, size, modified_at, digest, chunks, indexed_at,
    renamed_from, symbols)
VALUES ((SELECT coalesce(max(number), 0) + 1 FROM files), %(source)s, %(path)s, %(state)s, %(reason)s, %(filetype)s, %(language)s, %(size)s, %(modified_at)s, %(digest)s, %(chunks)s, %(indexed_at)s,
    %(renamed_from)s, %(symbols)s) RETURNING number;

-- name: update_file
UPDATE files SET path = %(path)s, state = %(state)s, reason = %(reason)s, filetype = %(filetype)s, language = %(language)s,
    size = %(size)s, modified_at = %(modified_at)s, digest = %(digest)s, chunks = %(chunks)s, indexed_at = %(indexed_at)s,
    renamed_from = %(renamed_from)s, symbols = %(symbols)s
WHERE number = %(number)s AND source = %(source)s;

-- name: note_rename
INSERT INTO renames (source, path, file)
SELECT source, path, number FROM files WHERE number = %(number)s AND source = %(source)s AND path <> %(path)s
ON CONFLICT (tenant_id, source, path) DO UPDATE SET file = excluded.file;

-- What a person pinned or edited is never erased by a machine.

-- name: chunk_numbers
SELECT number FROM memories
WHERE file = ANY(%(files)s::bigint[]) AND file IN (SELECT number FROM files WHERE source = %(source)s)
    AND id NOT IN (
        SELECT id FROM memories
        WHERE file = ANY(%(files)s::bigint[]) AND current AND (pinned OR edited));

-- name: release_chunks
UPDATE memories SET file = NULL, external_id = NULL, external_key = NULL, change = %(change)s
WHERE id = ANY(%(ids)s::text[]) AND file IN (SELECT number FROM files WHERE source = %(source)s);

-- name: release_files
UPDATE memories SET file = NULL, external_id = NULL, external_key = NULL, change = %(change)s
WHERE file = ANY(%(files)s::bigint[]) AND file IN (SELECT number FROM files WHERE source = %(source)s);

-- name: forget_renames
DELETE FROM renames
WHERE file = ANY(%(files)s::bigint[]) AND source = %(source)s;

-- name: delete_files
DELETE FROM files WHERE number = ANY(%(files)s::bigint[]) AND source = %(source)s;

-- name: numbers_in_source
SELECT m.number FROM pools p JOIN memories m ON m.pool = p.number WHERE p.source = %(source)s;

-- name: delete_renames
DELETE FROM renames WHERE source = %(source)s;

-- name: delete_forgotten
DELETE FROM forgotten WHERE source = %(source)s;

-- name: note_forgotten
INSERT INTO forgotten (source, digest) SELECT source, %(digest)s FROM folders WHERE source = %(source)s
ON CONFLICT DO NOTHING;

-- name: unforget
DELETE FROM forgotten WHERE source = %(source)s AND digest = %(digest)s;

-- name: delete_all_files
DELETE FROM files WHERE source = %(source)s;

-- name: disconnect_all
DELETE FROM folder_projects WHERE source = %(source)s;

-- name: delete_folder
DELETE FROM folders WHERE source = %(source)s;

-- name: ids_of_numbers
SELECT DISTINCT id FROM memories WHERE number = ANY(%(numbers)s::bigint[]);

-- name: erase_jobs_of
DELETE FROM jobs WHERE subject IN (
    SELECT id FROM memories WHERE number = ANY(%(numbers)s::bigint[]));

-- name: erase_all_vectors
DELETE FROM vectors WHERE passage IN (
    SELECT number FROM passages WHERE memory = ANY(%(numbers)s::bigint[]));

-- name: erase_all_passages
DELETE FROM passages WHERE memory = ANY(%(numbers)s::bigint[]);

-- name: storage_of_numbers
SELECT owner, count(*), sum(octet_length(text) + octet_length(metadata))::bigint FROM memories
WHERE number = ANY(%(numbers)s::bigint[]) GROUP BY owner;

-- name: erase_all_memories
DELETE FROM memories WHERE number = ANY(%(numbers)s::bigint[]);

-- name: note_all_erased
INSERT INTO erased (memory, change) SELECT unnest(%(numbers)s::bigint[]), %(change)s
ON CONFLICT (tenant_id, memory) DO UPDATE SET change = excluded.change;

-- name: erase_all_facts
DELETE FROM facts WHERE memory = ANY(%(numbers)s::bigint[]);

-- name: erase_cited_of
DELETE FROM cited WHERE what IN (SELECT id FROM memories WHERE number = ANY(%(numbers)s::bigint[]));

-- name: erase_given_of
DELETE FROM given WHERE what IN (SELECT id FROM memories WHERE number = ANY(%(numbers)s::bigint[]));

-- name: bury
INSERT INTO tombstones (owner, digest, by_person)
SELECT %(owner)s, one, %(by_person)s FROM unnest(%(digests)s::text[]) one
ON CONFLICT (tenant_id, owner, digest) DO UPDATE SET by_person = tombstones.by_person OR excluded.by_person;

-- name: lift
DELETE FROM tombstones WHERE owner = %(owner)s AND digest = ANY(%(digests)s::text[]);

-- name: add_storage
INSERT INTO storage AS s (owner, versions, bytes) VALUES (%(owner)s, %(versions)s, %(bytes)s)
ON CONFLICT (tenant_id, owner) DO UPDATE SET versions = s.versions + excluded.versions, bytes = s.bytes + excluded.bytes;

-- name: drop_storage
DELETE FROM storage WHERE owner = %(owner)s AND versions = 0;

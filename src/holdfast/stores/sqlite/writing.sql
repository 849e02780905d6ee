-- Writing. Every statement runs inside one immediate transaction.

-- name: next_change
UPDATE counters SET value = value + 1 WHERE name = 'change' RETURNING value;

-- name: begin_attempt
SAVEPOINT attempt;

-- name: undo_attempt
ROLLBACK TO attempt;

-- name: end_attempt
RELEASE attempt;

-- name: add_pool
INSERT INTO pools (visibility, owner, workspace, reach, project, source)
VALUES (:visibility, :owner, :workspace, :reach, :project, :source) RETURNING number;

-- name: insert_memory
INSERT INTO memories (number, current, {written}) VALUES (:number, :current, {bindings});

-- name: insert_passage
INSERT INTO passages (number, memory, part, start, "end", terms)
VALUES (:number, :memory, :part, :start, :end, :terms);

-- name: last_numbers
SELECT coalesce(max(seq) FILTER (WHERE name = 'memories'), 0), coalesce(max(seq) FILTER (WHERE name = 'passages'), 0)
FROM sqlite_sequence;

-- name: insert_model
INSERT INTO models (name, dim) VALUES (:name, :dim) RETURNING number;

-- name: insert_vector
INSERT OR REPLACE INTO vectors (passage, model, scale, code, vector)
VALUES (:passage, :model, :scale, :code, :vector);

-- name: retire_versions
UPDATE memories SET current = 0, change = :change,
    valid_until = CASE WHEN valid_until IS NULL OR valid_until > :until THEN :until ELSE valid_until END
WHERE id IN (SELECT value FROM json_each(:ids)) AND current AND +pool IN (SELECT value FROM json_each(:pools))
RETURNING id;

-- name: patch_current
UPDATE memories SET change = :change,
    status = coalesce(:status, status),
    status_reason = CASE WHEN :clear_status_reason THEN NULL ELSE coalesce(:status_reason, status_reason) END,
    pinned = coalesce(:pinned, pinned),
    fingerprint = coalesce(:fingerprint, fingerprint),
    confidence = coalesce(:confidence, confidence),
    valid_until = CASE WHEN :clear_valid_until THEN NULL ELSE coalesce(:valid_until, valid_until) END,
    expires_at = CASE WHEN :clear_expires_at THEN NULL ELSE coalesce(:expires_at, expires_at) END,
    supersedes = CASE WHEN :clear_supersedes THEN NULL ELSE coalesce(:supersedes, supersedes) END,
    superseded_by = CASE WHEN :clear_superseded_by THEN NULL ELSE coalesce(:superseded_by, superseded_by) END,
    evidence = coalesce(:evidence, evidence),
    updated_at = coalesce(:updated_at, updated_at)
WHERE id = :id AND current;

-- name: patch_versions
UPDATE memories SET change = :change,
    status = CASE WHEN :status = 'rejected' THEN 'rejected' ELSE status END,
    deleted_at = CASE WHEN :clear_deleted_at THEN NULL ELSE coalesce(:deleted_at, deleted_at) END,
    deleted_reason = CASE WHEN :clear_deleted_reason THEN NULL ELSE coalesce(:deleted_reason, deleted_reason) END
WHERE id = :id;

-- name: use
UPDATE memories SET use_count = use_count + used.count, last_used_at = used.at, change = :change,
    confidence = CASE WHEN confidence >= :lowest AND confidence < :highest AND kind NOT IN (SELECT value FROM json_each(:evidence))
        THEN confidence + (:highest - confidence) * used.share ELSE confidence END
FROM (SELECT value ->> 0 AS id, value ->> 1 AS count, value ->> 2 AS at, value ->> 3 AS share FROM json_each(:uses)) AS used
WHERE memories.id = used.id AND current AND pool IN (SELECT value FROM json_each(:pools));

-- name: numbers_of
SELECT id, number FROM memories WHERE id IN (SELECT value FROM json_each(:ids)) AND pool IN (SELECT value FROM json_each(:pools));

-- name: erase_vectors
DELETE FROM vectors WHERE passage IN (SELECT number FROM passages WHERE memory IN (SELECT value FROM json_each(:memories)));

-- name: insert_fact
INSERT INTO facts (memory, part, owner, topic, act, rank, value, other)
VALUES (:memory, :part, :owner, :topic, :act, :rank, :value, :other);

-- name: version_number
SELECT number FROM memories
WHERE id = :id AND version = :version AND pool IN (SELECT value FROM json_each(:pools));

-- name: erase_claims
DELETE FROM facts WHERE memory = :memory AND act IN ('claim', 'reading');

-- name: erase_facts
DELETE FROM facts WHERE memory IN (SELECT value FROM json_each(:memories));

-- name: erase_passages
DELETE FROM passages WHERE memory IN (SELECT value FROM json_each(:memories));

-- name: retitle
UPDATE memories SET title = :title, flags = :flags, pii_risk = :pii_risk, change = :change
WHERE id = :id AND current AND pool IN (SELECT value FROM json_each(:pools)) RETURNING number, pool;

-- name: erase_memory
DELETE FROM memories WHERE number IN (SELECT value FROM json_each(:memories)) RETURNING owner, octet_length(text) + octet_length(metadata);

-- name: note_erased
INSERT INTO erased (memory, change) SELECT value, :change FROM json_each(:memories) WHERE true
ON CONFLICT (memory) DO UPDATE SET change = excluded.change;  -- redacted before, under the same number

-- The newest stays: it tells whether something was erased since the file was last rebuilt.

-- name: prune_erased
DELETE FROM erased WHERE change <= :before AND change < (SELECT max(change) FROM erased);

-- name: note_scrubbed
INSERT OR REPLACE INTO counters SELECT 'scrubbed', value FROM counters WHERE name = 'change';

-- name: erase_jobs
DELETE FROM jobs WHERE subject IN (SELECT value FROM json_each(:ids));

-- What speaks of entities: with where it stands and where they stand. A missing target is that of an observation.

-- name: ids_of_links
SELECT DISTINCT id FROM memories WHERE subject IN (SELECT value FROM json_each(:ids)) OR target IN (SELECT value FROM json_each(:ids));

-- name: links_and_ends
SELECT m.id, m.pool, m.deleted_at, m.deleted_reason, m.target IS NOT NULL, sp.project, s.deleted_at IS NOT NULL,
    tp.project, t.deleted_at IS NOT NULL
FROM memories m
    JOIN memories s ON s.id = m.subject AND s.current JOIN pools sp ON sp.number = s.pool
    LEFT JOIN memories t ON t.id = m.target AND t.current LEFT JOIN pools tp ON tp.number = t.pool
WHERE m.current
    AND (m.subject IN (SELECT value FROM json_each(:ids)) OR m.target IN (SELECT value FROM json_each(:ids)))
ORDER BY m.number;

-- name: hide_links
UPDATE memories SET deleted_at = :now, deleted_reason = :gone, change = :change
WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(:ids));

-- name: show_links
UPDATE memories SET deleted_at = NULL, deleted_reason = NULL, change = :change
WHERE deleted_reason = :gone AND id IN (SELECT value FROM json_each(:ids));

-- name: unlink
UPDATE memories SET supersedes = CASE WHEN supersedes IN (SELECT value FROM json_each(:ids)) THEN NULL ELSE supersedes END,
    superseded_by = CASE WHEN superseded_by IN (SELECT value FROM json_each(:ids)) THEN NULL ELSE superseded_by END
WHERE supersedes IN (SELECT value FROM json_each(:ids)) OR superseded_by IN (SELECT value FROM json_each(:ids));

-- name: passages_of
SELECT number, start, "end" FROM passages WHERE memory = :memory ORDER BY part;

-- name: touch
UPDATE memories SET change = :change WHERE number = :memory;

-- name: insert_project
INSERT INTO projects (id, name, description, colour, icon, notes, system_prompt, visibility, state, purge_at, created_at,
    updated_at, deleted_at, owner, space)
VALUES (:id, :name, :description, :colour, :icon, :notes, :system_prompt, :visibility, :state, :purge_at,
    :created_at, :updated_at, :deleted_at, :owner, :space)
ON CONFLICT (space, name) DO UPDATE SET deleted_at = excluded.deleted_at, description = excluded.description, colour = excluded.colour,
    icon = excluded.icon, notes = excluded.notes, system_prompt = excluded.system_prompt,
    visibility = excluded.visibility, state = excluded.state, purge_at = excluded.purge_at,
    created_at = excluded.created_at, updated_at = excluded.updated_at, owner = excluded.owner
RETURNING *;

-- name: project_with_id
SELECT 1 FROM projects WHERE id = :id AND (name <> :name OR space <> :space);

-- name: update_project
UPDATE projects SET name = :name, description = :description, colour = :colour, icon = :icon, notes = :notes,
    system_prompt = :system_prompt, visibility = :visibility, state = :state, purge_at = :purge_at,
    updated_at = :updated_at, owner = :owner
WHERE number = :number;

-- name: sessions_in
SELECT number FROM sessions WHERE project = :project AND owner = :owner;

-- name: count_own_in
SELECT count(DISTINCT id) FROM memories
WHERE deleted_at IS NULL AND owner = :owner AND pool IN (SELECT number FROM pools WHERE project = :project);

-- name: own_entities_in
SELECT id FROM memories
WHERE entity_key IS NOT NULL AND current AND deleted_at IS NULL AND owner = :owner
    AND pool IN (SELECT number FROM pools WHERE project = :project);

-- name: forget_in_project
UPDATE memories SET deleted_at = :now, deleted_reason = 'project deleted', change = :change
WHERE deleted_at IS NULL AND owner = :owner AND pool IN (SELECT number FROM pools WHERE project = :project);

-- What others keep in it has no say in this, so that the outcome tells nothing of it.

-- name: delete_project
UPDATE projects SET deleted_at = :now, description = NULL, colour = NULL, icon = NULL, notes = NULL,
    system_prompt = NULL, visibility = NULL, owner = NULL, state = 'active'
WHERE number = :project;

-- A project goes with all that is in it, whoever wrote it, and what speaks of it.

-- name: numbers_in_project
WITH inside AS (SELECT m.id FROM memories m JOIN pools p ON p.number = m.pool WHERE p.project = :project)
SELECT number FROM memories WHERE id IN (SELECT id FROM inside)
UNION SELECT number FROM memories WHERE subject IN (SELECT id FROM inside)
UNION SELECT number FROM memories WHERE target IN (SELECT id FROM inside);

-- name: sources_of_numbers
SELECT DISTINCT source FROM memories WHERE number IN (SELECT value FROM json_each(:numbers)) AND source IS NOT NULL;

-- name: drop_requests_of
DELETE FROM requests WHERE id IN (SELECT id FROM memories WHERE number IN (SELECT value FROM json_each(:numbers)));

-- name: drop_findings_of
DELETE FROM findings WHERE id IN (SELECT id FROM memories WHERE number IN (SELECT value FROM json_each(:numbers)));

-- name: unlink_all
UPDATE memories SET supersedes = CASE WHEN supersedes IN (SELECT value FROM json_each(:ids)) THEN NULL ELSE supersedes END,
    superseded_by = CASE WHEN superseded_by IN (SELECT value FROM json_each(:ids)) THEN NULL ELSE superseded_by END
WHERE supersedes IN (SELECT value FROM json_each(:ids)) OR superseded_by IN (SELECT value FROM json_each(:ids));

-- name: all_sessions_in
SELECT number, owner FROM sessions WHERE project = :project;

-- name: folders_only_in
SELECT c.source FROM folder_projects c
WHERE c.project = :project AND NOT EXISTS (
    SELECT 1 FROM folder_projects o WHERE o.source = c.source AND o.project <> c.project);

-- name: disconnect_from_all
DELETE FROM folder_projects WHERE project = :project;

-- name: take_back_all_cited
DELETE FROM cited WHERE project = :project;

-- name: take_back_all_given
DELETE FROM given WHERE project = :project;

-- name: take_back_all_tallies
DELETE FROM tallies WHERE project = :project;

-- name: forget_changes
DELETE FROM untidied WHERE project = :project;

-- name: delete_jobs
DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(:ids)) OR subject IN (SELECT value FROM json_each(:ids));

-- name: delete_unused_sources
DELETE FROM sources WHERE id IN (SELECT value FROM json_each(:ids)) AND id NOT IN (SELECT source FROM folders)
    AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.source = sources.id);

-- name: forget_workspaces
UPDATE pools SET workspace = 'purged ' || number WHERE project = :project AND workspace IS NOT NULL;

-- name: purge_project
UPDATE projects SET name = NULL, space = '', deleted_at = :now, description = NULL, colour = NULL, icon = NULL, notes = NULL,
    system_prompt = NULL, visibility = NULL, owner = NULL, state = 'active'
WHERE number = :project;

-- name: put_module_map
INSERT INTO module_maps (project, data, version, updated_at)
VALUES (:project, :data, :version, :updated_at)
ON CONFLICT (project) DO UPDATE
SET data = excluded.data, version = excluded.version, updated_at = excluded.updated_at;

-- name: drop_module_map
DELETE FROM module_maps WHERE project = :project;

-- name: insert_session
INSERT INTO sessions (external_id, owner, name, project, metadata, archived, created_at, updated_at)
VALUES (:external_id, :owner, :name, :project, :metadata, :archived, :created_at, :updated_at) RETURNING number;

-- name: update_session
UPDATE sessions SET name = :name, project = :project, metadata = :metadata, archived = :archived,
    created_at = :created_at,
    updated_at = :updated_at, left_project = CASE WHEN :project IS NULL THEN left_project END
WHERE number = :number AND owner = :owner;

-- name: drop_summaries
DELETE FROM summaries WHERE session = :session AND part >= :start
    AND EXISTS (SELECT 1 FROM sessions WHERE number = :session AND owner = :owner);

-- name: put_summary
INSERT INTO summaries (session, part, last, messages, since, until, quotations, model)
SELECT number, :part, :last, :messages, :since, :until, :quotations, :model FROM sessions
WHERE number = :session AND owner = :owner;

-- name: erase_summaries
DELETE FROM summaries WHERE session IN (SELECT session FROM memories WHERE id IN (SELECT value FROM json_each(:ids)));

-- name: delete_session
DELETE FROM sessions WHERE number = :number AND owner = :owner;

-- name: detach_session
UPDATE memories SET session = NULL, external_id = :external_id, external_key = :external_key,
    change = :change
WHERE number = :memory;

-- name: evidence_in_session
SELECT DISTINCT id FROM memories
WHERE session = :number AND owner = :owner AND kind IN (SELECT value FROM json_each(:evidence));

-- name: pools_of_session
SELECT DISTINCT pool FROM memories
WHERE session = :number AND kind IN (SELECT value FROM json_each(:evidence));

-- name: move_evidence
UPDATE memories INDEXED BY memories_by_session SET pool = :target, change = :change,
    written_in = CASE WHEN current THEN :target ELSE written_in END
WHERE session = :number AND pool = :source AND kind IN (SELECT value FROM json_each(:evidence));

-- name: leave_project
UPDATE sessions SET left_project = project, project = NULL, updated_at = :updated_at WHERE number = :number AND owner = :owner;

-- name: rejoin_project
UPDATE sessions SET project = left_project, left_project = NULL, updated_at = :now
WHERE left_project = :project AND project IS NULL AND owner = :owner RETURNING number;

-- name: ids_in_pool_of_kinds
SELECT id FROM memories
WHERE pool = :pool AND owner = :owner AND current AND kind IN (SELECT value FROM json_each(:kinds));

-- A move takes the present version with it. The others come along as far as whoever sees it may see where they were
-- written.

-- name: relocate_memory
UPDATE memories SET pool = :pool, written_in = :pool, change = :change, scope_type = :scope_type,
    scope_id = :scope_id, branch = :branch, external_id = :external_id, external_key = :external_key,
    content_hash = :content_hash,
    unique_hash = :unique_hash
WHERE id = :id AND current;

-- name: move_earlier
UPDATE memories SET pool = :pool, change = :change WHERE id = :id AND NOT current;

-- name: insert_source
INSERT INTO sources (
    id, owner, platform, digest, ingested_at, filename, message_count, conversation_count, metadata, deleted_at,
    visibility, project, members, sequence, applied, run
) VALUES (
    :id, :owner, :platform, :digest, :ingested_at, :filename, :message_count, :conversation_count, :metadata, :deleted_at,
    :visibility, :project, :members, :sequence, :applied, :run
)
ON CONFLICT (owner, digest) DO UPDATE SET deleted_at = excluded.deleted_at, platform = excluded.platform,
    ingested_at = excluded.ingested_at, filename = excluded.filename, message_count = excluded.message_count,
    conversation_count = excluded.conversation_count, metadata = excluded.metadata,
    visibility = excluded.visibility, project = excluded.project, members = excluded.members,
    sequence = excluded.sequence, applied = excluded.applied, run = excluded.run
RETURNING id;

-- name: rename_source
UPDATE sources SET digest = :digest WHERE id = :id AND visibility IS NOT NULL;

-- name: source_with_id
SELECT 1 FROM sources WHERE id = :id AND (owner, digest) <> (:owner, :digest);

-- name: source_of
SELECT id FROM sources WHERE id = :id AND owner = :owner AND (:hard OR deleted_at IS NULL)
    AND id NOT IN (SELECT source FROM folders);

-- name: evidence_of_source
SELECT id FROM memories
WHERE source = :id AND owner = :owner AND current AND (:hard OR deleted_at IS NULL)
    AND (kind IN (SELECT value FROM json_each(:evidence)) OR ((:hard OR NOT (pinned OR edited))
        AND pool IN (SELECT number FROM pools WHERE source = :id)));

-- name: forget_of_source
UPDATE memories SET deleted_at = :now, deleted_reason = 'source deleted', change = :change
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: hide_source
UPDATE sources SET deleted_at = :now WHERE id = :id;

-- name: detach_source
UPDATE memories SET source = NULL, change = :change WHERE source = :id;

-- name: delete_source
DELETE FROM sources WHERE id = :id;

-- name: insert_event
INSERT INTO events (sequence, change, at, actor, action, subject, detail, hash)
VALUES (:sequence, :change, :at, :actor, :action, :subject, :detail, :hash);

-- name: put_member
INSERT INTO members (name, role, added_by, added_at, removed_at)
VALUES (:name, :role, :added_by, :added_at, :removed_at)
ON CONFLICT (name) DO UPDATE SET role = excluded.role, added_by = excluded.added_by,
    added_at = excluded.added_at, removed_at = excluded.removed_at;

-- name: put_language_model
INSERT INTO language_models (name, provider, model, url, price_in, price_out, tokens_per_day, tokens_per_month, cost_per_day,
    cost_per_month, timeout, dimensions, added_by, added_at, accepted_by, accepted_at)
VALUES (:name, :provider, :model, :url, :price_in, :price_out,
    :tokens_per_day, :tokens_per_month, :cost_per_day, :cost_per_month, :timeout, :dimensions, :added_by,
    :added_at, :accepted_by, :accepted_at)
ON CONFLICT (name) DO UPDATE SET accepted_by = excluded.accepted_by, accepted_at = excluded.accepted_at;

-- name: drop_language_model
DELETE FROM language_models WHERE name = :name RETURNING name;

-- name: put_model_call
INSERT INTO model_calls (id, at, owner, model, provider, operation, outcome, tokens_in, tokens_out, cost, millis)
VALUES (:id, :at, :owner, :model, :provider, :operation, :outcome,
    :tokens_in, :tokens_out, :cost, :millis)
ON CONFLICT (id) DO UPDATE SET outcome = excluded.outcome, tokens_in = excluded.tokens_in,
    tokens_out = excluded.tokens_out, cost = excluded.cost, millis = excluded.millis;

-- name: put_request
INSERT INTO requests (id, version, content_hash, owner, visibility, asked_by, asked_at)
VALUES (:id, :version, :content_hash, :owner, :visibility, :asked_by, :asked_at)
ON CONFLICT (id) DO UPDATE SET version = excluded.version, content_hash = excluded.content_hash,
    owner = excluded.owner, visibility = excluded.visibility, asked_by = excluded.asked_by,
    asked_at = excluded.asked_at;

-- name: drop_request
DELETE FROM requests WHERE id IN (SELECT value FROM json_each(:ids)) RETURNING id;

-- name: put_finding
INSERT INTO findings (id, owner, found_at, personal) VALUES (:id, :owner, :found_at, :personal)
ON CONFLICT (id) DO UPDATE SET found_at = excluded.found_at, personal = max(findings.personal, excluded.personal);

-- name: drop_finding
DELETE FROM findings WHERE id IN (SELECT value FROM json_each(:ids)) RETURNING id;

-- name: put_metric
INSERT INTO metrics (name, at, evaluator, value, sample_size) VALUES (:name, :at, :evaluator, :value, :sample_size)
ON CONFLICT (name, at, evaluator) DO UPDATE SET value = excluded.value, sample_size = excluded.sample_size;

-- name: job_to_take_up
SELECT id FROM jobs
WHERE subject = :subject AND owner = :owner AND kind = :kind AND state IN ('queued', 'timeout', 'error')
ORDER BY number LIMIT 1;

-- name: insert_job
INSERT INTO jobs (id, owner, role, agent, apart, kind, subject, units, state, attempts, created_at, due_at, started_at,
    finished_at, token, done, total, error, result)
VALUES (:id, :owner, :role, :agent, :apart, :kind, :subject, :units, :state, :attempts, :created_at, :due_at, :started_at,
    :finished_at, :token, :done, :total, :error, :result);

-- name: update_job
UPDATE jobs SET units = :units, state = :state, attempts = :attempts, due_at = :due_at, started_at = :started_at,
    finished_at = :finished_at, token = :token, done = :done, total = :total, error = :error, result = :result
WHERE id = :id AND owner = :owner AND (:held IS NULL OR token = :held)
RETURNING number;

-- name: claim_job
UPDATE jobs SET state = 'running', attempts = attempts + 1, started_at = :now, due_at = :until, token = :token,
    done = 0, total = NULL
WHERE number = (
    SELECT number FROM jobs
    WHERE state IN ('queued', 'running') AND due_at <= :now AND kind IN (SELECT value FROM json_each(:kinds))
    ORDER BY due_at, number LIMIT 1)
RETURNING id, owner, role, agent, apart, kind, subject, units, state, attempts, created_at, due_at, started_at, finished_at,
    token, done, total, error, result;

-- name: hasten_jobs
UPDATE jobs SET due_at = :now
WHERE state IN ('queued', 'running') AND due_at > :after AND kind IN (SELECT value FROM json_each(:kinds));

-- name: plan_job
UPDATE jobs SET units = units + :units, due_at = min(due_at, CASE WHEN units + :units >= :enough THEN :created_at ELSE :due_at END)
WHERE number = (SELECT min(number) FROM jobs WHERE owner = :owner AND kind = :kind AND state = 'queued')
RETURNING id;

-- name: count_changes
INSERT INTO untidied AS u (owner, project, changes)
VALUES (:owner, :project, CASE WHEN :changes < :enough THEN :changes ELSE 0 END)
ON CONFLICT (owner, project) DO UPDATE
SET changes = CASE WHEN u.changes + :changes < :enough THEN u.changes + :changes ELSE 0 END
RETURNING changes;

-- name: prune_jobs
DELETE FROM jobs
WHERE owner = :owner AND state IN ('success', 'cancelled') AND (finished_at, number) <= (
    SELECT finished_at, number FROM jobs WHERE owner = :owner AND state IN ('success', 'cancelled')
    ORDER BY finished_at DESC, number DESC LIMIT 1 OFFSET :keep);

-- What working sessions were given.

-- name: deliver
INSERT INTO given (owner, project, session, what, at, actor)
SELECT :owner, :project, :session, value, :now, :actor FROM json_each(:what) WHERE true
ON CONFLICT DO NOTHING;

-- name: tally
INSERT INTO tallies (
    owner, project, session, contexts, memories_injected, search_memory_calls, memory_hits, tokens_with, tokens_without,
    updated_at
) VALUES (
    :owner, :project, :session, :contexts, :memories_injected, :search_memory_calls, :memory_hits,
    :tokens_with, :tokens_without, :now
)
ON CONFLICT (owner, project, session) DO UPDATE SET contexts = tallies.contexts + excluded.contexts,
    memories_injected = tallies.memories_injected + excluded.memories_injected,
    search_memory_calls = tallies.search_memory_calls + excluded.search_memory_calls,
    memory_hits = tallies.memory_hits + excluded.memory_hits,
    tokens_with = tallies.tokens_with + excluded.tokens_with,
    tokens_without = tallies.tokens_without + excluded.tokens_without, updated_at = excluded.updated_at;

-- name: cite
INSERT INTO cited (context, citation, what, owner, project, session, at)
VALUES (:context, :citation, :what, :owner, :project, :session, :at);

-- name: prune_cited
DELETE FROM cited WHERE owner = :owner AND at < :before;

-- name: prune_given
DELETE FROM given WHERE owner = :owner AND (project, session) IN (
    SELECT project, session FROM tallies WHERE owner = :owner AND updated_at < :before);

-- name: prune_tallies
DELETE FROM tallies WHERE owner = :owner AND updated_at < :before;

-- name: take_back_given
DELETE FROM given
WHERE owner = :owner AND (:project IS NULL OR project = :project)
    AND (:session IS NULL OR session = :session);

-- name: take_back_tallies
DELETE FROM tallies
WHERE owner = :owner AND (:project IS NULL OR project = :project)
    AND (:session IS NULL OR session = :session);

-- name: take_back_cited
DELETE FROM cited
WHERE owner = :owner AND (:project IS NULL OR project = :project)
    AND (:session IS NULL OR session = :session);

-- What is noted about a user beside memories.

-- name: leave_jobs
DELETE FROM jobs WHERE owner = :owner;

-- name: leave_untidied
DELETE FROM untidied WHERE owner = :owner;

-- name: leave_tombstones
DELETE FROM tombstones WHERE owner = :owner;

-- name: leave_model_calls
UPDATE model_calls SET owner = '' WHERE owner = :owner;

-- name: erase_cited
DELETE FROM cited WHERE what IN (SELECT value FROM json_each(:ids));

-- name: erase_given
DELETE FROM given WHERE what IN (SELECT value FROM json_each(:ids));

-- Folders and their files.

-- name: folder_of
SELECT 1 FROM folders WHERE source = :source AND owner = :owner;

-- name: put_folder
INSERT INTO folders (source, slug, owner, name, root, visibility, include, exclude, watched, state, error, created_at,
    started_at, completed_at)
VALUES (:id, :slug, :owner, :name, :root, :visibility, :include, :exclude, :watched, :state, :error, :created_at,
    :started_at, :completed_at)
ON CONFLICT (source) DO UPDATE SET name = excluded.name, include = excluded.include, exclude = excluded.exclude,
    watched = excluded.watched, state = excluded.state, error = excluded.error, started_at = excluded.started_at,
    completed_at = excluded.completed_at;

-- name: connect_folder
INSERT INTO folder_projects (source, project) VALUES (:source, :project) ON CONFLICT DO NOTHING RETURNING 1;

-- name: disconnect_folder
DELETE FROM folder_projects WHERE source = :source AND project = :project RETURNING 1;

-- name: disconnect_project
DELETE FROM folder_projects
WHERE project = :project AND source IN (SELECT source FROM folders WHERE owner = :owner);

-- name: insert_file
INSERT INTO files (source, path, state, reason, filetype, language, size, modified_at, digest, chunks, indexed_at,
    renamed_from, symbols)
VALUES (:source, :path, :state, :reason, :filetype, :language, :size, :modified_at, :digest, :chunks, :indexed_at,
    :renamed_from, :symbols) RETURNING number;

-- name: update_file
UPDATE files SET path = :path, state = :state, reason = :reason, filetype = :filetype, language = :language,
    size = :size, modified_at = :modified_at, digest = :digest, chunks = :chunks, indexed_at = :indexed_at,
    renamed_from = :renamed_from, symbols = :symbols
WHERE number = :number AND source = :source;

-- name: note_rename
INSERT INTO renames (source, path, file)
SELECT source, path, number FROM files WHERE number = :number AND source = :source AND path <> :path
ON CONFLICT (source, path) DO UPDATE SET file = excluded.file;

-- What a person pinned or edited is never erased by a machine.

-- name: chunk_numbers
SELECT number FROM memories
WHERE file IN (SELECT value FROM json_each(:files)) AND file IN (SELECT number FROM files WHERE source = :source)
    AND id NOT IN (
        SELECT id FROM memories
        WHERE file IN (SELECT value FROM json_each(:files)) AND current AND (pinned OR edited));

-- name: release_chunks
UPDATE memories SET file = NULL, external_id = NULL, external_key = NULL, change = :change
WHERE id IN (SELECT value FROM json_each(:ids)) AND file IN (SELECT number FROM files WHERE source = :source);

-- name: release_files
UPDATE memories SET file = NULL, external_id = NULL, external_key = NULL, change = :change
WHERE file IN (SELECT value FROM json_each(:files)) AND file IN (SELECT number FROM files WHERE source = :source);

-- name: forget_renames
DELETE FROM renames
WHERE file IN (SELECT value FROM json_each(:files)) AND source = :source;

-- name: delete_files
DELETE FROM files WHERE number IN (SELECT value FROM json_each(:files)) AND source = :source;

-- name: numbers_in_source
SELECT m.number FROM pools p JOIN memories m ON m.pool = p.number WHERE p.source = :source;

-- name: delete_renames
DELETE FROM renames WHERE source = :source;

-- name: delete_forgotten
DELETE FROM forgotten WHERE source = :source;

-- name: note_forgotten
INSERT INTO forgotten (source, digest) SELECT source, :digest FROM folders WHERE source = :source
ON CONFLICT DO NOTHING;

-- name: unforget
DELETE FROM forgotten WHERE source = :source AND digest = :digest;

-- name: delete_all_files
DELETE FROM files WHERE source = :source;

-- name: disconnect_all
DELETE FROM folder_projects WHERE source = :source;

-- name: delete_folder
DELETE FROM folders WHERE source = :source;

-- name: ids_of_numbers
SELECT DISTINCT id FROM memories WHERE number IN (SELECT value FROM json_each(:numbers));

-- name: erase_jobs_of
DELETE FROM jobs WHERE subject IN (
    SELECT id FROM memories WHERE number IN (SELECT value FROM json_each(:numbers)));

-- name: erase_all_vectors
DELETE FROM vectors WHERE passage IN (
    SELECT number FROM passages WHERE memory IN (SELECT value FROM json_each(:numbers)));

-- name: erase_all_passages
DELETE FROM passages WHERE memory IN (SELECT value FROM json_each(:numbers));

-- name: storage_of_numbers
SELECT owner, count(*), sum(octet_length(text) + octet_length(metadata)) FROM memories
WHERE number IN (SELECT value FROM json_each(:numbers)) GROUP BY owner;

-- name: erase_all_memories
DELETE FROM memories WHERE number IN (SELECT value FROM json_each(:numbers));

-- name: note_all_erased
INSERT INTO erased (memory, change) SELECT value, :change FROM json_each(:numbers) WHERE true
ON CONFLICT (memory) DO UPDATE SET change = excluded.change;

-- name: erase_all_facts
DELETE FROM facts WHERE memory IN (SELECT value FROM json_each(:numbers));

-- name: erase_cited_of
DELETE FROM cited WHERE what IN (SELECT id FROM memories WHERE number IN (SELECT value FROM json_each(:numbers)));

-- name: erase_given_of
DELETE FROM given WHERE what IN (SELECT id FROM memories WHERE number IN (SELECT value FROM json_each(:numbers)));

-- name: bury
INSERT INTO tombstones (owner, digest, by_person) SELECT :owner, value, :by_person FROM json_each(:digests) WHERE true
ON CONFLICT (owner, digest) DO UPDATE SET by_person = max(by_person, excluded.by_person);

-- name: lift
DELETE FROM tombstones WHERE owner = :owner AND digest IN (SELECT value FROM json_each(:digests));

-- name: add_storage
INSERT INTO storage AS s (owner, versions, bytes) VALUES (:owner, :versions, :bytes)
ON CONFLICT (owner) DO UPDATE SET versions = s.versions + excluded.versions, bytes = s.bytes + excluded.bytes;

-- name: drop_storage
DELETE FROM storage WHERE owner = :owner AND versions = 0;

-- Reading. `visible` is the one filter; every query on memories holds it. `{rule}` and `{columns}` are made from
-- declarations: `core/filter_rule`, in the words of `predicates.sql`, and `stores/sql/columns`.

-- What may be read at all: a version that was written where the reader may read too, and a text that waits, was rejected
-- or forgotten only by its owner (an agent: what it wrote) and by those who review.

-- fragment: readable
m.pool IN (SELECT value FROM json_each(:pools))
    AND (m.written_in = m.pool OR m.written_in IN (SELECT value FROM json_each(:reach)))
    AND (m.status IN ('approved', 'superseded') AND m.deleted_at IS NULL
        OR m.owner = :reader AND (:author IS NULL OR m.created_by = :author) OR :reviews)

-- fragment: visible
{readable}
    AND {rule}

-- fragment: joined
memories m JOIN pools p ON p.number = m.written_in
    LEFT JOIN projects j ON j.number = p.project LEFT JOIN sessions s ON s.number = m.session

-- name: pools
SELECT number, visibility, owner, workspace, reach, project, source FROM pools ORDER BY number;

-- name: get
SELECT {columns} FROM {joined} WHERE m.id = :id AND {visible};

-- For transactions that have checked the view of the id.

-- name: current
SELECT {columns} FROM {joined} WHERE m.id = :id AND m.current;

-- name: in_session
SELECT {columns} FROM {joined} WHERE m.session = :number;

-- name: by_external_key
SELECT {columns} FROM {joined}
WHERE m.external_key = :key AND m.current AND m.deleted_at IS NULL AND m.pool IN (SELECT value FROM json_each(:pools))
    AND {visible};

-- name: by_hash
SELECT {columns} FROM {joined}
WHERE m.unique_hash = :hash AND m.current AND m.deleted_at IS NULL AND m.status <> 'superseded'
    AND m.pool IN (SELECT value FROM json_each(:pools)) AND {visible} ORDER BY m.number;

-- Which of some texts and keys are there: asked once for a batch. CROSS JOIN fixes the order: each hash is looked up, where the
-- planner would go through all of a pool.

-- name: known_hashes
SELECT DISTINCT m.unique_hash FROM json_each(:pools) own CROSS JOIN json_each(:hashes) wanted CROSS JOIN {joined}
WHERE m.pool = own.value AND m.unique_hash = wanted.value AND m.current AND m.deleted_at IS NULL
    AND m.status <> 'superseded' AND {visible};

-- name: known_keys
SELECT DISTINCT m.external_key FROM {joined}
WHERE m.external_key IN (SELECT value FROM json_each(:keys)) AND m.current AND m.deleted_at IS NULL
    AND m.pool IN (SELECT value FROM json_each(:pools)) AND {visible};

-- name: by_external_id
SELECT {columns} FROM {joined}
WHERE m.external_id = :external_id AND {visible} ORDER BY m.number DESC LIMIT :limit;

-- Of each pool the newest that fill a page, by its index, and of these the newest: all of a view is not gone through.

-- name: page
SELECT {columns} FROM (
        SELECT f.number AS found FROM json_each(:pools) own CROSS JOIN memories f
        WHERE f.number IN (
            SELECT m.number FROM memories m
            WHERE m.pool = own.value AND m.number < coalesce(:before, 9223372036854775807) AND {visible}
            ORDER BY m.number DESC LIMIT :limit)
        ORDER BY f.number DESC LIMIT :limit) newest
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.number DESC;

-- name: number_of_version
SELECT m.number FROM memories m WHERE m.id = :id AND m.version = :version AND {readable};

-- name: beginning
SELECT DISTINCT m.id FROM memories m 
WHERE (m.id >= :start AND m.id < :end
        OR substr(m.id, 25) >= :tail AND substr(m.id, 25) < :tail_end) AND {visible}
    ORDER BY m.id LIMIT :limit;

-- The numbers are found and sorted first, so that texts are read only for the page.

-- name: conversation
SELECT {columns} FROM (
        SELECT m.number AS found, o.number AS spot
        FROM memories m JOIN memories o ON o.id = m.id AND o.version = 1
        WHERE {visible} AND (:after IS NULL OR (m.at, o.number) > (:after, :after_number))
        ORDER BY m.at, o.number LIMIT :limit)
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.at, spot;

-- name: conversation_before
SELECT {columns} FROM (
        SELECT m.number AS found, o.number AS spot
        FROM memories m JOIN memories o ON o.id = m.id AND o.version = 1
        WHERE {visible} AND (m.at, o.number) < (:before, :before_number)
        ORDER BY m.at DESC, o.number DESC LIMIT :limit)
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.at, spot;

-- name: spot_of_version
SELECT m.at, o.number FROM memories m JOIN memories o ON o.id = m.id AND o.version = 1
WHERE m.id = :id AND m.version = :version AND {readable};

-- name: count
SELECT count(*) FROM memories m WHERE {visible};

-- name: facets
SELECT kind, name, origin, owner, status, count(*) FROM (
    SELECT m.kind, (SELECT j.name FROM pools p JOIN projects j ON j.number = p.project WHERE p.number = m.written_in) AS name,
        m.origin, m.owner, m.status
    FROM memories m WHERE {visible})
GROUP BY kind, name, origin, owner, status;

-- name: numbered
SELECT {columns} FROM {joined} WHERE m.number IN (SELECT value FROM json_each(:numbers)) AND {visible};

-- name: matching
SELECT m.number FROM memories m WHERE {visible};

-- The entity graph: entities by type, name and id, and what speaks of them. CROSS JOIN fixes the order: a few
-- rows are looked up and then filtered, where the planner would go through all of a pool.

-- name: entities
SELECT {columns} FROM (
        SELECT f.number AS found FROM json_each(:pools) own CROSS JOIN memories f
        WHERE f.number IN (
            SELECT m.number FROM memories m
            WHERE m.pool = own.value AND m.number < coalesce(:before, 9223372036854775807)
                AND m.entity_key IS NOT NULL AND (:type IS NULL OR m.metadata ->> '$.type' = :type) AND {visible}
            ORDER BY m.number DESC LIMIT :limit)
        ORDER BY f.number DESC LIMIT :limit) newest
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.number DESC;

-- name: named
SELECT {columns} FROM (SELECT number AS found FROM memories WHERE entity_key IN (SELECT value FROM json_each(:names)))
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: several
SELECT {columns} FROM (SELECT number AS found FROM memories WHERE id IN (SELECT value FROM json_each(:ids)))
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: links
SELECT {columns} FROM (
        SELECT number AS found FROM memories WHERE subject IN (SELECT value FROM json_each(:ids))
        UNION SELECT number FROM memories WHERE target IN (SELECT value FROM json_each(:ids)))
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number DESC LIMIT :limit;

-- What rests on something, by id: in the chain of supersession, in the graph, in its evidence, or by its source.

-- name: related
SELECT {columns} FROM (
        SELECT number AS found FROM memories WHERE supersedes IN (SELECT value FROM json_each(:ids))
        UNION SELECT number FROM memories WHERE superseded_by IN (SELECT value FROM json_each(:ids))
        UNION SELECT number FROM memories WHERE subject IN (SELECT value FROM json_each(:ids))
        UNION SELECT number FROM memories WHERE target IN (SELECT value FROM json_each(:ids))
        UNION SELECT number FROM memories WHERE source IN (SELECT value FROM json_each(:ids))
        UNION SELECT e.number FROM memories e
            WHERE length(e.evidence) > 2 AND e.pool IN (SELECT value FROM json_each(:pools)) AND EXISTS (
                SELECT 1 FROM json_tree(e.evidence) t
                WHERE t.type = 'text' AND t.atom IN (SELECT value FROM json_each(:ids)))) wanted
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: mentions
SELECT entity, count(*), max(m.recorded_at)
FROM (
        SELECT number AS found, subject AS entity FROM memories WHERE subject IN (SELECT value FROM json_each(:ids))
        UNION SELECT number, target FROM memories WHERE target IN (SELECT value FROM json_each(:ids)))
    CROSS JOIN memories m
WHERE m.number = found AND {visible} GROUP BY entity;

-- Facts, in the order in which they were said. What somebody else said of their own favourites is not the user's.

-- name: facts
SELECT f.topic, f.act, f.value, f.rank, f.other, m.id, m.at, j.name, s.external_id, m.created_by, m.origin, m.kind
FROM (SELECT * FROM facts WHERE owner = :owner AND (:topics IS NULL OR topic IN (SELECT value FROM json_each(:topics)))
        AND (:memories IS NULL OR memory IN (
            SELECT number FROM memories WHERE id IN (SELECT value FROM json_each(:memories))))) f
    CROSS JOIN {joined}
WHERE m.number = f.memory AND CASE WHEN :claims IS NULL THEN f.act NOT IN ('claim', 'reading')
        ELSE f.act = 'claim' OR (f.act = 'reading' AND f.value <> :claims) END
    AND {visible} ORDER BY m.at, m.number, f.part;

-- name: versions
SELECT {columns} FROM {joined}
WHERE m.id = :id AND {readable} AND m.deleted_at IS NULL ORDER BY m.version;

-- name: owned
SELECT {columns} FROM {joined}
WHERE m.owner = :owner AND m.number > :after AND {visible} ORDER BY m.number LIMIT :limit;

-- name: versions_of
SELECT {columns} FROM {joined}
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND {readable}
ORDER BY m.id, m.version;

-- name: events_about
SELECT sequence, at, actor, action, subject, detail, hash FROM events
WHERE subject IN (SELECT value FROM json_each(:ids)) AND EXISTS (
    SELECT 1 FROM memories m WHERE m.id = events.subject AND {readable})
ORDER BY sequence;

-- name: events_of
SELECT sequence, at, actor, action, subject, detail, hash FROM events WHERE subject = :id ORDER BY sequence;

-- name: unembedded
SELECT {columns} FROM {joined}
WHERE {visible} AND EXISTS (
    SELECT 1 FROM passages x WHERE x.memory = m.number AND NOT EXISTS (
        SELECT 1 FROM vectors v JOIN models o ON o.number = v.model WHERE v.passage = x.number AND o.name = :model))
ORDER BY m.number LIMIT :limit;

-- name: lacks_vectors
SELECT EXISTS (
    SELECT 1 FROM memories m JOIN passages x ON x.memory = m.number
    WHERE m.id = :id AND {visible} AND NOT EXISTS (
        SELECT 1 FROM vectors v JOIN models o ON o.number = v.model WHERE v.passage = x.number AND o.name = :model));

-- name: agent_count
SELECT count(*) FROM memories m
WHERE m.session = :in_session AND m.current AND m.created_by = :actor
    AND m.kind NOT IN (SELECT value FROM json_each(:evidence)) AND m.pool IN (SELECT value FROM json_each(:pools));

-- The user's own project of a name comes before that of everybody.
-- name: project
SELECT * FROM projects WHERE name = :name AND space IN ('', :user) ORDER BY space DESC;

-- name: projects
SELECT * FROM projects WHERE name IS NOT NULL AND space IN ('', :user) ORDER BY name, space;

-- name: projects_apart
SELECT * FROM projects WHERE name IS NOT NULL AND space = :user ORDER BY number;

-- name: project_numbered
SELECT * FROM projects WHERE number = :number;

-- name: projects_due
SELECT * FROM projects WHERE name IS NOT NULL AND purge_at <= :at ORDER BY number;

-- name: project_is_in_use
SELECT EXISTS (SELECT 1 FROM sessions WHERE project = :project AND owner = :owner)
    OR EXISTS (SELECT 1 FROM memories WHERE deleted_at IS NULL AND pool IN (SELECT value FROM json_each(:pools)));

-- What policies let go, the first that fits deciding; those of a kind are few, so that most rows are passed by early.
-- name: outdated
SELECT m.number, m.id, m.owner, m.kind, j.id, m.session, m.updated_at,
    EXISTS (SELECT 1 FROM json_each(:holds) h WHERE coalesce(h.value ->> 'owner', m.owner) = m.owner
        AND (h.value ->> 'project' IS NULL OR h.value ->> 'project' = j.id)),
    m.pinned OR m.edited
FROM memories m JOIN pools p ON p.number = m.pool LEFT JOIN projects j ON j.number = p.project
WHERE m.number > :after AND m.current AND m.file IS NULL AND m.kind IN (SELECT value FROM json_each(:kinds))
    AND m.updated_at <= (
        SELECT c.value ->> 'before' FROM json_each(:cutoffs) c
        WHERE coalesce(c.value ->> 'kind', m.kind) = m.kind
            AND (c.value ->> 'project' IS NULL OR c.value ->> 'project' = j.id)
        ORDER BY c.value ->> 'rank' LIMIT 1)
ORDER BY m.number LIMIT :limit;

-- name: held
SELECT DISTINCT m.id FROM memories m JOIN pools p ON p.number = m.pool LEFT JOIN projects j ON j.number = p.project
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND EXISTS (
    SELECT 1 FROM json_each(:holds) h WHERE coalesce(h.value ->> 'owner', m.owner) = m.owner
        AND (h.value ->> 'project' IS NULL OR h.value ->> 'project' = j.id))
ORDER BY m.id;

-- name: forgotten_with_projects
SELECT DISTINCT owner, id FROM memories WHERE deleted_reason = 'project deleted' AND deleted_at <= :before ORDER BY owner, id;

-- name: shares
SELECT owner, sum(live), sum(entities), sum(forgotten), sum(sessions), sum(folders), sum(private) FROM (
        SELECT m.owner, count(CASE WHEN m.deleted_at IS NULL THEN 1 END) AS live,
            count(CASE WHEN m.deleted_at IS NULL AND m.entity_key IS NOT NULL THEN 1 END) AS entities,
            count(CASE WHEN m.deleted_at IS NOT NULL THEN 1 END) AS forgotten, 0 AS sessions, 0 AS folders,
            count(CASE WHEN m.deleted_at IS NULL AND p.visibility = 'private' THEN 1 END) AS private
        FROM memories m JOIN pools p ON p.number = m.pool WHERE p.project = :project AND m.current GROUP BY m.owner
        UNION ALL SELECT owner, 0, 0, 0, count(*), 0, 0 FROM sessions WHERE project = :project GROUP BY owner
        UNION ALL SELECT f.owner, 0, 0, 0, 0, count(*), 0 FROM folders f JOIN folder_projects c ON c.source = f.source
        WHERE c.project = :project AND NOT EXISTS (
            SELECT 1 FROM folder_projects o WHERE o.source = c.source AND o.project <> c.project)
        GROUP BY f.owner) parts
GROUP BY owner ORDER BY owner;

-- name: module_map
SELECT data FROM module_maps WHERE project = :project;

-- name: session
SELECT s.*, j.name AS project_name,
    (SELECT count(*) FROM memories m WHERE m.session = s.number AND m.current = 1 AND m.deleted_at IS NULL
        AND m.kind IN (SELECT value FROM json_each(:said))) AS messages
FROM sessions s LEFT JOIN projects j ON j.number = s.project
WHERE s.owner = :owner AND s.external_id = :external_id ORDER BY s.number;

-- name: titled
SELECT {columns} FROM (
        SELECT number AS found FROM memories WHERE session = :in_session AND title IS NOT NULL AND current) wanted
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: summaries
SELECT last, messages, since, until, quotations, model FROM summaries
WHERE session = :session AND EXISTS (SELECT 1 FROM sessions WHERE number = :session AND owner = :owner)
ORDER BY part;

-- name: session_names
SELECT number, name FROM sessions
WHERE number IN (SELECT value FROM json_each(:numbers)) AND owner = :owner AND name IS NOT NULL;

-- name: sessions
SELECT s.*, j.name AS project_name,
    (SELECT count(*) FROM memories m WHERE m.session = s.number AND m.current = 1 AND m.deleted_at IS NULL
        AND m.kind IN (SELECT value FROM json_each(:said))) AS messages
FROM sessions s LEFT JOIN projects j ON j.number = s.project
WHERE s.owner = :owner AND (:project IS NULL OR s.project = :project)
    AND (:archived IS NULL OR s.archived = :archived)
    AND (:closed OR s.project IS NULL OR j.state = 'active')
    AND (:after_at IS NULL OR s.updated_at < :after_at OR (s.updated_at = :after_at AND s.number < (
        SELECT a.number FROM sessions a LEFT JOIN projects p ON p.number = a.project
        WHERE a.owner = :owner AND a.external_id = :after_id AND p.name IS :after_project)))
ORDER BY s.updated_at DESC, s.number DESC LIMIT :limit;

-- name: sources
SELECT id, owner, platform, digest, ingested_at, filename, message_count, conversation_count, metadata, deleted_at,
    visibility, project, members, sequence, applied, run
FROM sources WHERE owner = :owner AND (:removed OR deleted_at IS NULL) AND id NOT IN (SELECT source FROM folders)
ORDER BY ingested_at, id;

-- What is described in a pool of its own, of any owner; who sees it is decided by that pool.

-- name: described
SELECT id, owner, platform, digest, ingested_at, filename, message_count, conversation_count, metadata, deleted_at,
    visibility, project, members, sequence, applied, run
FROM sources WHERE visibility IS NOT NULL ORDER BY ingested_at, id;

-- name: digests
SELECT group_concat(CASE WHEN m.deleted_at IS NULL THEN substr(m.fingerprint, 1, 32) ELSE '' END, ' '),
    group_concat(m.number, ' ')
FROM memories m INDEXED BY memories_described
WHERE m.source = :source AND m.pool IN (SELECT value FROM json_each(:pools)) AND m.current
    AND m.fingerprint IS NOT NULL AND m.external_id IS NOT NULL;

-- name: numbered_fingerprints
SELECT m.id, m.version, m.kind, m.scope_type, m.external_id, m.fingerprint, m.status, m.pinned, m.edited, m.deleted_at,
    m.deleted_reason, m.supersedes
FROM memories m INDEXED BY memories_described
WHERE m.source = :source AND m.pool IN (SELECT value FROM json_each(:pools)) AND m.current
    AND m.fingerprint IS NOT NULL AND m.number IN (SELECT value FROM json_each(:numbers))
ORDER BY m.number;

-- name: fingerprints
SELECT m.id, m.version, m.kind, m.scope_type, m.external_id, m.fingerprint, m.status, m.pinned, m.edited, m.deleted_at,
    m.deleted_reason, m.supersedes
FROM memories m INDEXED BY memories_described
WHERE m.source = :source AND m.pool IN (SELECT value FROM json_each(:pools)) AND m.current
    AND m.fingerprint IS NOT NULL
ORDER BY m.number;

-- name: events
SELECT sequence, at, actor, action, subject, detail, hash FROM events
WHERE sequence > :after ORDER BY sequence LIMIT :limit;

-- name: last_event
SELECT sequence, hash FROM events ORDER BY sequence DESC LIMIT 1;

-- name: hash_of_event
SELECT hash FROM events WHERE sequence = :sequence;

-- name: secret
SELECT hex(value) FROM secrets WHERE name = 'seal';

-- name: member
SELECT name, role, added_by, added_at, removed_at FROM members WHERE name = :name;

-- name: members
SELECT name, role, added_by, added_at, removed_at FROM members ORDER BY name;

-- name: has_members
SELECT 1 FROM members WHERE removed_at IS NULL LIMIT 1;

-- name: requests
SELECT id, version, content_hash, owner, visibility, asked_by, asked_at FROM requests
WHERE :id IS NULL OR id = :id
ORDER BY asked_at, id;

-- name: findings
SELECT id, owner, found_at, personal FROM findings
WHERE owner = :owner AND id > :after AND (:id IS NULL OR id = :id)
ORDER BY id LIMIT :limit;

-- name: owners
SELECT DISTINCT owner FROM memories ORDER BY owner;

-- name: language_models
SELECT name, provider, model, url, price_in, price_out, tokens_per_day, tokens_per_month, cost_per_day,
    cost_per_month, timeout, dimensions, added_by, added_at, accepted_by, accepted_at
FROM language_models ORDER BY added_at, name;

-- name: model_usage
SELECT model, provider, operation, outcome, count(*), sum(tokens_in), sum(tokens_out), sum(cost), sum(millis)
FROM model_calls WHERE at >= :since AND (:model IS NULL OR model = :model)
GROUP BY model, provider, operation, outcome ORDER BY model, provider, operation, outcome;

-- name: metrics
SELECT name, value, sample_size, evaluator, at FROM metrics
WHERE :name IS NULL OR name = :name ORDER BY at DESC, name, evaluator LIMIT :limit;

-- fragment: job
id, owner, role, agent, apart, kind, subject, units, state, attempts, created_at, due_at, started_at, finished_at,
    token, done, total, error, result

-- name: job
SELECT {job} FROM jobs WHERE id = :id AND owner = :owner;

-- name: jobs
SELECT {job} FROM jobs
WHERE owner = :owner AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
    AND (:kind IS NULL OR kind = :kind)
ORDER BY number DESC LIMIT :limit;

-- name: jobs_about
SELECT {job} FROM jobs
WHERE subject = :subject AND owner = :owner
    AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states))) AND (:kind IS NULL OR kind = :kind)
ORDER BY number DESC LIMIT :limit;

-- name: backlog
SELECT coalesce(sum(state = 'queued' AND (attempts > 0 OR due_at <= :now)), 0), coalesce(sum(state = 'running'), 0),
    coalesce(sum(state IN ('timeout', 'error')), 0)
FROM jobs;

-- name: next_job_at
SELECT min(due_at) FROM jobs WHERE state IN ('queued', 'running');

-- name: has_jobs_after
SELECT EXISTS (
    SELECT 1 FROM jobs
    WHERE state IN ('queued', 'running') AND due_at > :after AND kind IN (SELECT value FROM json_each(:kinds)));

-- name: unfinished_jobs
SELECT id FROM jobs WHERE kind = :kind AND state NOT IN ('success', 'cancelled') ORDER BY number;

-- The index, for the segments cached in memory. Rows of every status and version; filtering is done there.

-- fragment: indexed
m.number, x.number, m.pool, m.kind, m.status, m.current, m.deleted_at IS NOT NULL, m.pinned, coalesce(m.session, 0),
    CASE WHEN m.version = 1 THEN m.number
        ELSE coalesce((SELECT o.number FROM memories o WHERE o.id = m.id AND o.version = 1), m.number) END,
    coalesce(m.role = 'assistant', 0), m.manner, m.name, m.scope_type, m.scope_id, m.branch, m.owner, m.at,
    m.holds_from, coalesce(m.valid_until, :never), coalesce(m.expires_at, :never), m.use_count, coalesce(m.last_used_at, 0),
    x.start, x."end", x.terms, coalesce(v.scale, 0.0), coalesce(v.code, zeroblob(:dim))

-- name: index_of_pool
SELECT {indexed} FROM memories m JOIN passages x ON x.memory = m.number
    LEFT JOIN vectors v ON v.passage = x.number AND v.model = :model
WHERE m.pool = :pool AND m.number > :after AND m.number <= :last AND m.change <= :upto ORDER BY m.number, x.part;

-- name: index_since
SELECT {indexed} FROM memories m JOIN passages x ON x.memory = m.number
    LEFT JOIN vectors v ON v.passage = x.number AND v.model = :model
WHERE m.change > :since AND m.change <= :upto ORDER BY m.number, x.part;

-- name: erased_since
SELECT memory FROM erased WHERE change > :since AND change <= :upto;

-- name: header
SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
FROM pragma_user_version, pragma_application_id;

-- name: is_unscrubbed
SELECT EXISTS (SELECT 1 FROM erased
    WHERE change > coalesce((SELECT value FROM counters WHERE name = 'scrubbed'), 0));

-- What folders are connected to, with no source the projects that are closed, with an
-- empty one the sessions that are archived, and who may read what sources hold.

-- fragment: connections
(SELECT source, project FROM folder_projects
    UNION ALL SELECT NULL, number FROM projects WHERE state <> 'active'
    UNION ALL SELECT '', number FROM sessions WHERE archived
    UNION ALL SELECT id, owner FROM sources WHERE members IS NOT NULL
    UNION ALL SELECT s.id, u.value FROM sources s, json_each(s.members) u WHERE s.members IS NOT NULL ORDER BY 1, 2)

-- name: state
SELECT value, (SELECT max(number) FROM pools),
    (SELECT json_group_array(json_array(source, project)) FROM {connections})
FROM counters WHERE name = 'change';

-- name: model
SELECT number FROM models WHERE name = :name AND dim = :dim;

-- name: exact_vectors
SELECT passage, vector FROM vectors
WHERE model = :model AND passage IN (SELECT value FROM json_each(:passages));

-- What is about files, and what working sessions were given.

-- name: about_files
SELECT {columns} FROM (
        SELECT m.number AS found FROM json_each(:about) f CROSS JOIN memories m INDEXED BY memories_by_about_file
        WHERE m.about_file = f.value AND {visible}
        ORDER BY m.number DESC LIMIT :limit)
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.number DESC;

-- name: confidence
SELECT avg(m.confidence) FROM memories m WHERE {visible};

-- name: delivered
SELECT what FROM given WHERE owner = :owner AND project = :project AND session = :key;

-- name: cited
SELECT citation, what, project FROM cited WHERE context = :context AND owner = :owner ORDER BY citation;

-- name: deliveries
SELECT project, session, at, actor FROM given WHERE what = :id AND owner = :owner ORDER BY at DESC, project, session;

-- name: tallies
SELECT contexts, memories_injected, search_memory_calls, memory_hits, tokens_with, tokens_without FROM tallies
WHERE owner = :owner AND (:project IS NULL OR project = :project)
    AND (:key IS NULL OR session = :key)
ORDER BY project, session;

-- Folders and their files. Who sees them is decided by the pool of the folder.

-- fragment: filed
f.number, f.source, f.path, f.state, f.reason, f.filetype, f.language, f.size, f.modified_at, f.digest, f.chunks,
    f.indexed_at, f.renamed_from

-- name: folders
SELECT f.*, (SELECT json_group_array(json_array(c.project, j.name))
    FROM folder_projects c JOIN projects j ON j.number = c.project WHERE c.source = f.source) AS connected
FROM folders f ORDER BY f.created_at, f.slug, f.source;

-- name: connections
SELECT json_group_array(json_array(source, project)) FROM {connections};

-- name: files
SELECT {filed} FROM files f
WHERE f.source = :source AND f.path > :after
    AND (:states IS NULL OR f.state IN (SELECT value FROM json_each(:states)))
ORDER BY f.path LIMIT :limit;

-- name: file_paths
SELECT number, source, path, language FROM files
WHERE source IN (SELECT value FROM json_each(:sources)) AND state = 'indexed' ORDER BY number;

-- name: files_at
SELECT {filed}, f.symbols FROM files f
WHERE f.source = :source AND f.path IN (SELECT value FROM json_each(:paths));

-- name: forgotten
SELECT digest FROM forgotten WHERE source = :source;

-- name: renamed_files
SELECT r.path AS asked, {filed}, f.symbols FROM renames r JOIN files f ON f.number = r.file
WHERE r.source = :source AND r.path IN (SELECT value FROM json_each(:paths));

-- name: former_paths
SELECT r.path, f.path FROM renames r JOIN files f ON f.number = r.file
WHERE f.source = :source AND f.path IN (SELECT value FROM json_each(:paths))
    AND NOT EXISTS (SELECT 1 FROM files o WHERE o.source = r.source AND o.path = r.path);

-- name: file_counts
SELECT coalesce(sum(state = 'indexed'), 0), coalesce(sum(state = 'skipped'), 0), coalesce(sum(state = 'error'), 0),
    coalesce(sum(CASE WHEN state = 'indexed' THEN size END), 0), coalesce(sum(chunks), 0)
FROM files WHERE source = :source;

-- name: chunks
SELECT {columns} FROM {joined}
WHERE m.file IN (SELECT value FROM json_each(:files)) AND m.current AND p.source = :source AND m.owner = :owner
ORDER BY m.number;

-- name: chunk_sizes
SELECT length(m.text), m.content_hash FROM files f JOIN memories m ON m.file = f.number
WHERE f.source = :source AND m.current ORDER BY m.number;

-- name: has_tombstones
SELECT 1 FROM tombstones WHERE owner = :owner LIMIT 1;

-- name: buried
SELECT digest, by_person FROM tombstones WHERE owner = :owner AND digest > :after AND digest < :end
ORDER BY digest LIMIT :limit;

-- name: tombstones
SELECT digest, by_person FROM tombstones WHERE owner = :owner AND digest IN (SELECT value FROM json_each(:digests));

-- name: forgotten_copies
SELECT DISTINCT m.id FROM memories m
WHERE m.deleted_at IS NOT NULL AND m.owner = :owner AND (m.content_hash = :hash OR m.external_key = :key)
    AND m.pool IN (SELECT value FROM json_each(:pools)) ORDER BY m.id;

-- name: storage
SELECT versions, bytes FROM storage WHERE owner = :owner;

-- name: storage_of_all
SELECT coalesce(sum(versions), 0), coalesce(sum(bytes), 0), count(*), coalesce(max(versions), 0),
    coalesce(max(bytes), 0)
FROM storage;

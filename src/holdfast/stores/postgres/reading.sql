-- Reading. `visible` is the one filter; every query on memories holds it. `{rule}` and `{columns}` are made from
-- declarations: `core/filter_rule`, in the words of `predicates.sql`, and `stores/sql/columns`.

-- What may be read at all: a version that was written where the reader may read too, and a text that waits, was rejected
-- or forgotten only by its owner (an agent: what it wrote) and by those who review.

-- fragment: readable
m.pool = ANY(%(pools)s::bigint[])
    AND (m.written_in = m.pool OR m.written_in = ANY(%(reach)s::bigint[]))
    AND (m.status IN ('approved', 'superseded') AND m.deleted_at IS NULL
        OR m.owner = %(reader)s AND (%(author)s::text IS NULL OR m.created_by = %(author)s) OR %(reviews)s::boolean)

-- fragment: visible
{readable}
    AND {rule}

-- fragment: joined
memories m JOIN pools p ON p.tenant_id = m.tenant_id AND p.number = m.written_in
    LEFT JOIN projects j ON j.tenant_id = p.tenant_id AND j.number = p.project
    LEFT JOIN sessions s ON s.tenant_id = m.tenant_id AND s.number = m.session

-- name: pools
SELECT number, visibility, owner, workspace, reach, project, source FROM pools ORDER BY number;

-- name: get
SELECT {columns} FROM {joined} WHERE m.id = %(id)s AND {visible};

-- For transactions that have checked the view of the id.

-- name: current
SELECT {columns} FROM {joined} WHERE m.id = %(id)s AND m.current;

-- name: in_session
SELECT {columns} FROM {joined} WHERE m.session = %(number)s;

-- name: by_external_key
SELECT {columns} FROM {joined}
WHERE m.external_key = %(key)s AND m.current AND m.deleted_at IS NULL AND m.pool = ANY(%(pools)s::bigint[])
    AND {visible};

-- name: by_hash
SELECT {columns} FROM {joined}
WHERE m.unique_hash = %(hash)s AND m.current AND m.deleted_at IS NULL AND m.status <> 'superseded'
    AND m.pool = ANY(%(pools)s::bigint[]) AND {visible} ORDER BY m.number;

-- Which of some texts and keys are there: asked once for a batch.

-- name: known_hashes
SELECT DISTINCT m.unique_hash FROM {joined}
WHERE m.unique_hash = ANY(%(hashes)s::text[]) AND m.current AND m.deleted_at IS NULL AND m.status <> 'superseded'
    AND m.pool = ANY(%(pools)s::bigint[]) AND {visible};

-- name: known_keys
SELECT DISTINCT m.external_key FROM {joined}
WHERE m.external_key = ANY(%(keys)s::text[]) AND m.current AND m.deleted_at IS NULL
    AND m.pool = ANY(%(pools)s::bigint[]) AND {visible};

-- name: by_external_id
SELECT {columns} FROM {joined}
WHERE m.external_id = %(external_id)s AND {visible} ORDER BY m.number DESC LIMIT %(limit)s;

-- Of each pool the newest that fill a page, by its index, and of these the newest: all of a view is not gone through.

-- name: page
SELECT {columns} FROM (
        SELECT one.found FROM unnest(%(pools)s::bigint[]) own (pool) CROSS JOIN LATERAL (
            SELECT m.number AS found FROM memories m
            WHERE m.pool = own.pool AND m.number < coalesce(%(before)s::bigint, 9223372036854775807) AND {visible}
            ORDER BY m.number DESC LIMIT nullif(%(limit)s::bigint, -1)) one
        ORDER BY one.found DESC LIMIT nullif(%(limit)s::bigint, -1)) newest
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.number DESC;

-- name: number_of_version
SELECT m.number FROM memories m WHERE m.id = %(id)s AND m.version = %(version)s AND {readable};

-- name: beginning
SELECT DISTINCT m.id FROM memories m 
WHERE (m.id >= %(start)s AND m.id < %(end)s
        OR substr(m.id, 25) >= %(tail)s AND substr(m.id, 25) < %(tail_end)s) AND {visible}
    ORDER BY m.id LIMIT nullif(%(limit)s::bigint, -1);

-- The numbers are found and sorted first, so that texts are read only for the page.

-- name: conversation
SELECT {columns} FROM (
        SELECT m.number AS found, o.number AS spot
        FROM memories m JOIN memories o ON o.id = m.id AND o.version = 1
        WHERE {visible} AND (%(after)s::bigint IS NULL OR (m.at, o.number) > (%(after)s, %(after_number)s))
        ORDER BY m.at, o.number LIMIT nullif(%(limit)s::bigint, -1)) spots
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.at, spot;

-- name: conversation_before
SELECT {columns} FROM (
        SELECT m.number AS found, o.number AS spot
        FROM memories m JOIN memories o ON o.id = m.id AND o.version = 1
        WHERE {visible} AND (m.at, o.number) < (%(before)s::bigint, %(before_number)s::bigint)
        ORDER BY m.at DESC, o.number DESC LIMIT %(limit)s::bigint) spots
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.at, spot;

-- name: spot_of_version
SELECT m.at, o.number FROM memories m JOIN memories o ON o.id = m.id AND o.version = 1
WHERE m.id = %(id)s AND m.version = %(version)s AND {readable};

-- name: count
SELECT count(*) FROM memories m WHERE {visible};

-- name: facets
SELECT m.kind, j.name, m.origin, m.owner, m.status, count(*)
FROM memories m JOIN pools p ON p.tenant_id = m.tenant_id AND p.number = m.written_in
    LEFT JOIN projects j ON j.tenant_id = p.tenant_id AND j.number = p.project
WHERE {visible} GROUP BY m.kind, j.name, m.origin, m.owner, m.status;

-- The rows are found first: a planner that has no statistics yet would go through all of the tenant.

-- name: numbered
WITH found AS MATERIALIZED (SELECT * FROM memories WHERE number = ANY(%(numbers)s::bigint[]))
SELECT {columns}
FROM found m JOIN pools p ON p.tenant_id = m.tenant_id AND p.number = m.written_in
    LEFT JOIN projects j ON j.tenant_id = p.tenant_id AND j.number = p.project
    LEFT JOIN sessions s ON s.tenant_id = m.tenant_id AND s.number = m.session
WHERE {visible};

-- name: matching
SELECT m.number FROM memories m WHERE {visible};

-- The entity graph: entities by type, name and id, and what speaks of them.

-- name: entities
SELECT {columns} FROM (
        SELECT one.found FROM unnest(%(pools)s::bigint[]) own (pool) CROSS JOIN LATERAL (
            SELECT m.number AS found FROM memories m
            WHERE m.pool = own.pool AND m.number < coalesce(%(before)s::bigint, 9223372036854775807)
                AND m.entity_key IS NOT NULL AND (%(type)s::text IS NULL OR m.metadata::json ->> 'type' = %(type)s)
                AND {visible}
            ORDER BY m.number DESC LIMIT nullif(%(limit)s::bigint, -1)) one
        ORDER BY one.found DESC LIMIT nullif(%(limit)s::bigint, -1)) newest
    CROSS JOIN {joined}
WHERE m.number = found ORDER BY m.number DESC;

-- name: named
SELECT {columns} FROM (SELECT number AS found FROM memories WHERE entity_key = ANY(%(names)s::text[])) wanted
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: several
SELECT {columns} FROM (SELECT number AS found FROM memories WHERE id = ANY(%(ids)s::text[])) wanted
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: links
SELECT {columns} FROM (
        SELECT number AS found FROM memories WHERE subject = ANY(%(ids)s::text[])
        UNION SELECT number FROM memories WHERE target = ANY(%(ids)s::text[])) wanted
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number DESC LIMIT nullif(%(limit)s::bigint, -1);

-- name: mentions
SELECT entity, count(*), max(m.recorded_at)
FROM (
        SELECT number AS found, subject AS entity FROM memories WHERE subject = ANY(%(ids)s::text[])
        UNION SELECT number, target FROM memories WHERE target = ANY(%(ids)s::text[])) wanted
    CROSS JOIN memories m
WHERE m.number = found AND {visible} GROUP BY entity;

-- Facts, in the order in which they were said. What somebody else said of their own favourites is not the user's.

-- name: facts
SELECT f.topic, f.act, f.value, f.rank, f.other, m.id, m.at, j.name, s.external_id, m.created_by, m.origin, m.kind
FROM (SELECT * FROM facts WHERE owner = %(owner)s
        AND (%(topics)s::text[] IS NULL OR topic = ANY(%(topics)s::text[]))
        AND (%(memories)s::text[] IS NULL OR memory IN (
            SELECT number FROM memories WHERE id = ANY(%(memories)s::text[])))) f
    CROSS JOIN {joined}
WHERE m.number = f.memory AND CASE WHEN %(claims)s::text IS NULL THEN f.act NOT IN ('claim', 'reading')
        ELSE f.act = 'claim' OR (f.act = 'reading' AND f.value <> %(claims)s::text) END
    AND {visible} ORDER BY m.at, m.number, f.part;

-- What rests on something, by id: in the chain of supersession, in the graph, in its evidence, or by its source.

-- name: related
SELECT {columns} FROM (
        SELECT number AS found FROM memories WHERE supersedes = ANY(%(ids)s::text[])
        UNION SELECT number FROM memories WHERE superseded_by = ANY(%(ids)s::text[])
        UNION SELECT number FROM memories WHERE subject = ANY(%(ids)s::text[])
        UNION SELECT number FROM memories WHERE target = ANY(%(ids)s::text[])
        UNION SELECT number FROM memories WHERE source = ANY(%(ids)s::text[])
        UNION SELECT e.number FROM memories e
            WHERE length(e.evidence) > 2 AND e.pool = ANY(%(pools)s::bigint[]) AND EXISTS (
                SELECT 1 FROM jsonb_path_query(e.evidence::jsonb, 'strict $.**') t
                WHERE jsonb_typeof(t) = 'string' AND t #>> '{}' = ANY(%(ids)s::text[]))) wanted
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: versions
SELECT {columns} FROM {joined}
WHERE m.id = %(id)s AND {readable} AND m.deleted_at IS NULL ORDER BY m.version;

-- name: owned
SELECT {columns} FROM {joined}
WHERE m.owner = %(owner)s AND m.number > %(after)s AND {visible} ORDER BY m.number LIMIT nullif(%(limit)s::bigint, -1);

-- name: versions_of
SELECT {columns} FROM {joined}
WHERE m.id = ANY(%(ids)s::text[]) AND {readable}
ORDER BY m.id, m.version;

-- name: events_about
SELECT sequence, at, actor, action, subject, detail, hash FROM events
WHERE subject = ANY(%(ids)s::text[]) AND EXISTS (
    SELECT 1 FROM memories m WHERE m.id = events.subject AND {readable})
ORDER BY sequence;

-- name: events_of
SELECT sequence, at, actor, action, subject, detail, hash FROM events WHERE subject = %(id)s ORDER BY sequence;

-- name: unembedded
SELECT {columns} FROM {joined}
WHERE {visible} AND EXISTS (
    SELECT 1 FROM passages x WHERE x.memory = m.number AND NOT EXISTS (
        SELECT 1 FROM vectors v JOIN models o ON o.number = v.model WHERE v.passage = x.number AND o.name = %(model)s))
ORDER BY m.number LIMIT nullif(%(limit)s::bigint, -1);

-- name: lacks_vectors
SELECT EXISTS (
    SELECT 1 FROM memories m JOIN passages x ON x.memory = m.number
    WHERE m.id = %(id)s AND {visible} AND NOT EXISTS (
        SELECT 1 FROM vectors v JOIN models o ON o.number = v.model WHERE v.passage = x.number AND o.name = %(model)s));

-- name: agent_count
SELECT count(*) FROM memories m
WHERE m.session = %(in_session)s AND m.current AND m.created_by = %(actor)s
    AND m.kind <> ALL(%(evidence)s::text[]) AND m.pool = ANY(%(pools)s::bigint[]);

-- The user's own project of a name comes before that of everybody.
-- name: project
SELECT * FROM projects WHERE name = %(name)s AND space IN ('', %(user)s) ORDER BY space DESC;

-- name: projects
SELECT * FROM projects WHERE name IS NOT NULL AND space IN ('', %(user)s) ORDER BY name, space;

-- name: projects_apart
SELECT * FROM projects WHERE name IS NOT NULL AND space = %(user)s ORDER BY number;

-- name: project_numbered
SELECT * FROM projects WHERE number = %(number)s;

-- name: projects_due
SELECT * FROM projects WHERE name IS NOT NULL AND purge_at <= %(at)s ORDER BY number;

-- name: project_is_in_use
SELECT EXISTS (SELECT 1 FROM sessions WHERE project = %(project)s AND owner = %(owner)s)
    OR EXISTS (SELECT 1 FROM memories WHERE deleted_at IS NULL AND pool = ANY(%(pools)s::bigint[]));

-- What policies let go, the first that fits deciding; those of a kind are few, so that most rows are passed by early.
-- name: outdated
SELECT m.number, m.id, m.owner, m.kind, j.id, m.session, m.updated_at,
    EXISTS (SELECT 1 FROM jsonb_to_recordset(%(holds)s::jsonb) h (owner text, project text)
        WHERE coalesce(h.owner, m.owner) = m.owner AND (h.project IS NULL OR h.project = j.id)),
    m.pinned OR m.edited
FROM memories m JOIN pools p ON p.number = m.pool LEFT JOIN projects j ON j.number = p.project
WHERE m.number > %(after)s AND m.current AND m.file IS NULL AND m.kind = ANY(%(kinds)s::text[])
    AND m.updated_at <= (
        SELECT c.before FROM jsonb_to_recordset(%(cutoffs)s::jsonb) c (kind text, project text, before bigint, rank bigint)
        WHERE coalesce(c.kind, m.kind) = m.kind AND (c.project IS NULL OR c.project = j.id)
        ORDER BY c.rank LIMIT 1)
ORDER BY m.number LIMIT %(limit)s;

-- name: held
SELECT DISTINCT m.id FROM memories m JOIN pools p ON p.number = m.pool LEFT JOIN projects j ON j.number = p.project
WHERE m.id = ANY(%(ids)s::text[]) AND EXISTS (
    SELECT 1 FROM jsonb_to_recordset(%(holds)s::jsonb) h (owner text, project text)
    WHERE coalesce(h.owner, m.owner) = m.owner AND (h.project IS NULL OR h.project = j.id))
ORDER BY m.id;

-- name: forgotten_with_projects
SELECT DISTINCT owner, id FROM memories WHERE deleted_reason = 'project deleted' AND deleted_at <= %(before)s ORDER BY owner, id;

-- name: shares
SELECT owner, sum(live)::bigint, sum(entities)::bigint, sum(forgotten)::bigint, sum(sessions)::bigint,
    sum(folders)::bigint, sum(private)::bigint FROM (
        SELECT m.owner, count(CASE WHEN m.deleted_at IS NULL THEN 1 END) AS live,
            count(CASE WHEN m.deleted_at IS NULL AND m.entity_key IS NOT NULL THEN 1 END) AS entities,
            count(CASE WHEN m.deleted_at IS NOT NULL THEN 1 END) AS forgotten, 0 AS sessions, 0 AS folders,
            count(CASE WHEN m.deleted_at IS NULL AND p.visibility = 'private' THEN 1 END) AS private
        FROM memories m JOIN pools p ON p.number = m.pool WHERE p.project = %(project)s::bigint AND m.current GROUP BY m.owner
        UNION ALL SELECT owner, 0, 0, 0, count(*), 0, 0 FROM sessions WHERE project = %(project)s::bigint GROUP BY owner
        UNION ALL SELECT f.owner, 0, 0, 0, 0, count(*), 0 FROM folders f JOIN folder_projects c ON c.source = f.source
        WHERE c.project = %(project)s::bigint AND NOT EXISTS (
            SELECT 1 FROM folder_projects o WHERE o.source = c.source AND o.project <> c.project)
        GROUP BY f.owner) parts
GROUP BY owner ORDER BY owner;

-- name: module_map
SELECT data FROM module_maps WHERE project = %(project)s;

-- name: session
SELECT s.*, j.name AS project_name,
    (SELECT count(*) FROM memories m WHERE m.session = s.number AND m.current AND m.deleted_at IS NULL
        AND m.kind = ANY(%(said)s::text[])) AS messages
FROM sessions s LEFT JOIN projects j ON j.number = s.project
WHERE s.owner = %(owner)s AND s.external_id = %(external_id)s ORDER BY s.number;

-- name: titled
SELECT {columns} FROM (
        SELECT number AS found FROM memories WHERE session = %(in_session)s AND title IS NOT NULL AND current) wanted
    CROSS JOIN {joined}
WHERE m.number = found AND {visible} ORDER BY m.number;

-- name: summaries
SELECT last, messages, since, until, quotations, model FROM summaries
WHERE session = %(session)s AND EXISTS (SELECT 1 FROM sessions WHERE number = %(session)s AND owner = %(owner)s)
ORDER BY part;

-- name: session_names
SELECT number, name FROM sessions
WHERE number = ANY(%(numbers)s::bigint[]) AND owner = %(owner)s AND name IS NOT NULL;

-- name: sessions
SELECT s.*, j.name AS project_name,
    (SELECT count(*) FROM memories m WHERE m.session = s.number AND m.current AND m.deleted_at IS NULL
        AND m.kind = ANY(%(said)s::text[])) AS messages
FROM sessions s LEFT JOIN projects j ON j.number = s.project
WHERE s.owner = %(owner)s AND (%(project)s::bigint IS NULL OR s.project = %(project)s)
    AND (%(archived)s::boolean IS NULL OR s.archived = %(archived)s)
    AND (%(closed)s::boolean OR s.project IS NULL OR j.state = 'active')
    AND (%(after_at)s::bigint IS NULL OR s.updated_at < %(after_at)s OR (s.updated_at = %(after_at)s AND s.number < (
        SELECT a.number FROM sessions a LEFT JOIN projects p ON p.number = a.project
        WHERE a.owner = %(owner)s AND a.external_id = %(after_id)s::text
            AND p.name IS NOT DISTINCT FROM %(after_project)s::text)))
ORDER BY s.updated_at DESC, s.number DESC LIMIT nullif(%(limit)s::bigint, -1);

-- name: sources
SELECT id, owner, platform, digest, ingested_at, filename, message_count, conversation_count, metadata, deleted_at,
    visibility, project, members, sequence, applied, run
FROM sources WHERE owner = %(owner)s AND (%(removed)s::boolean OR deleted_at IS NULL) AND id NOT IN (SELECT source FROM folders)
ORDER BY ingested_at, id;

-- What is described in a pool of its own, of any owner; who sees it is decided by that pool.

-- name: described
SELECT id, owner, platform, digest, ingested_at, filename, message_count, conversation_count, metadata, deleted_at,
    visibility, project, members, sequence, applied, run
FROM sources WHERE visibility IS NOT NULL ORDER BY ingested_at, id;

-- name: digests
SELECT string_agg(CASE WHEN m.deleted_at IS NULL THEN substr(m.fingerprint, 1, 32) ELSE '' END, ' '),
    string_agg(m.number::text, ' ')
FROM memories m
WHERE m.source = %(source)s AND m.pool = ANY(%(pools)s::bigint[]) AND m.current AND m.fingerprint IS NOT NULL
    AND m.external_id IS NOT NULL;

-- name: numbered_fingerprints
SELECT m.id, m.version, m.kind, m.scope_type, m.external_id, m.fingerprint, m.status, m.pinned, m.edited, m.deleted_at,
    m.deleted_reason, m.supersedes
FROM memories m
WHERE m.source = %(source)s AND m.pool = ANY(%(pools)s::bigint[]) AND m.current AND m.fingerprint IS NOT NULL
    AND m.number = ANY(%(numbers)s::bigint[])
ORDER BY m.number;

-- name: fingerprints
SELECT m.id, m.version, m.kind, m.scope_type, m.external_id, m.fingerprint, m.status, m.pinned, m.edited, m.deleted_at,
    m.deleted_reason, m.supersedes
FROM memories m
WHERE m.source = %(source)s AND m.pool = ANY(%(pools)s::bigint[]) AND m.current AND m.fingerprint IS NOT NULL
ORDER BY m.number;

-- name: events
SELECT sequence, at, actor, action, subject, detail, hash FROM events
WHERE sequence > %(after)s ORDER BY sequence LIMIT nullif(%(limit)s::bigint, -1);

-- name: last_event
SELECT sequence, hash FROM events ORDER BY sequence DESC LIMIT 1;

-- name: head
SELECT head_sequence, head_hash FROM tenants WHERE head_hash IS NOT NULL;

-- name: secret
SELECT encode(value, 'hex') FROM secrets WHERE name = 'seal';

-- name: member
SELECT name, role, added_by, added_at, removed_at FROM members WHERE name = %(name)s;

-- name: members
SELECT name, role, added_by, added_at, removed_at FROM members ORDER BY name;

-- name: has_members
SELECT 1 FROM members WHERE removed_at IS NULL LIMIT 1;

-- name: requests
SELECT id, version, content_hash, owner, visibility, asked_by, asked_at FROM requests
WHERE %(id)s::text IS NULL OR id = %(id)s
ORDER BY asked_at, id;

-- name: findings
SELECT id, owner, found_at, personal FROM findings
WHERE owner = %(owner)s AND id > %(after)s AND (%(id)s::text IS NULL OR id = %(id)s)
ORDER BY id LIMIT %(limit)s;

-- name: owners
SELECT DISTINCT owner COLLATE "C" AS owner FROM memories ORDER BY 1;

-- name: language_models
SELECT name, provider, model, url, price_in, price_out, tokens_per_day, tokens_per_month, cost_per_day,
    cost_per_month, timeout, dimensions, added_by, added_at, accepted_by, accepted_at
FROM language_models ORDER BY added_at, name;

-- name: model_usage
SELECT model, provider, operation, outcome, count(*), sum(tokens_in)::bigint, sum(tokens_out)::bigint, sum(cost)::bigint, sum(millis)::bigint
FROM model_calls WHERE at >= %(since)s AND (%(model)s::text IS NULL OR model = %(model)s)
GROUP BY model, provider, operation, outcome ORDER BY model, provider, operation, outcome;

-- name: metrics
SELECT name, value, sample_size, evaluator, at FROM metrics
WHERE %(name)s::text IS NULL OR name = %(name)s
ORDER BY at DESC, name, evaluator LIMIT nullif(%(limit)s::bigint, -1);

-- fragment: job
id, owner, role, agent, apart, kind, subject, units, state, attempts, created_at, due_at, started_at, finished_at,
    token, done, total, error, result

-- name: job
SELECT {job} FROM jobs WHERE id = %(id)s AND owner = %(owner)s;

-- name: jobs
SELECT {job} FROM jobs
WHERE owner = %(owner)s AND (%(states)s::text[] IS NULL OR state = ANY(%(states)s::text[]))
    AND (%(kind)s::text IS NULL OR kind = %(kind)s)
ORDER BY number DESC LIMIT nullif(%(limit)s::bigint, -1);

-- name: jobs_about
SELECT {job} FROM jobs
WHERE subject = %(subject)s AND owner = %(owner)s
    AND (%(states)s::text[] IS NULL OR state = ANY(%(states)s::text[])) AND (%(kind)s::text IS NULL OR kind = %(kind)s)
ORDER BY number DESC LIMIT nullif(%(limit)s::bigint, -1);

-- name: backlog
SELECT count(*) FILTER (WHERE state = 'queued' AND (attempts > 0 OR due_at <= %(now)s)), count(*) FILTER (WHERE state = 'running'),
    count(*) FILTER (WHERE state IN ('timeout', 'error'))
FROM jobs;

-- name: next_job_at
SELECT min(due_at) FROM jobs WHERE state IN ('queued', 'running');

-- name: has_jobs_after
SELECT EXISTS (
    SELECT 1 FROM jobs
    WHERE state IN ('queued', 'running') AND due_at > %(after)s AND kind = ANY(%(kinds)s::text[]));

-- name: unfinished_jobs
SELECT id FROM jobs WHERE kind = %(kind)s AND state NOT IN ('success', 'cancelled') ORDER BY number;

-- The index, for the segments cached in memory. Rows of every status and version; filtering is done there.

-- fragment: indexed
m.number, x.number, m.pool, m.kind, m.status, m.current, m.deleted_at IS NOT NULL, m.pinned, coalesce(m.session, 0),
    CASE WHEN m.version = 1 THEN m.number
        ELSE coalesce((SELECT o.number FROM memories o WHERE o.id = m.id AND o.version = 1), m.number) END,
    coalesce(m.role = 'assistant', false), m.manner, m.name, m.scope_type, m.scope_id, m.branch, m.owner, m.at,
    m.holds_from, coalesce(m.valid_until, %(never)s::bigint), coalesce(m.expires_at, %(never)s::bigint), m.use_count, coalesce(m.last_used_at, 0),
    x.start, x."end", x.terms, coalesce(v.scale, 0.0),
    CASE WHEN %(coded)s THEN coalesce(v.code, %(blank)s) ELSE ''::bytea END

-- name: index_of_pool
SELECT {indexed} FROM memories m JOIN passages x ON x.memory = m.number
    LEFT JOIN vectors v ON v.passage = x.number AND v.model = %(model)s
WHERE m.pool = %(pool)s AND m.change <= %(upto)s ORDER BY m.number, x.part;

-- name: index_since
SELECT {indexed} FROM memories m JOIN passages x ON x.memory = m.number
    LEFT JOIN vectors v ON v.passage = x.number AND v.model = %(model)s
WHERE m.change > %(since)s AND m.change <= %(upto)s ORDER BY m.number, x.part;

-- name: erased_since
SELECT memory FROM erased WHERE change > %(since)s AND change <= %(upto)s;

-- What folders are connected to, with no source the projects that are closed, with an
-- empty one the sessions that are archived, and who may read what sources hold.

-- fragment: connections
(SELECT source, to_jsonb(project) AS project FROM folder_projects
    UNION ALL SELECT NULL, to_jsonb(number) FROM projects WHERE state <> 'active'
    UNION ALL SELECT '', to_jsonb(number) FROM sessions WHERE archived
    UNION ALL SELECT id, to_jsonb(owner) FROM sources WHERE members IS NOT NULL
    UNION ALL SELECT s.id, u.value FROM sources s, jsonb_array_elements(s.members::jsonb) u
        WHERE s.members IS NOT NULL) connected

-- name: last_pool
SELECT (SELECT hash FROM events WHERE sequence = %(seen)s), max(number),
    (SELECT coalesce(json_agg(json_build_array(source, project) ORDER BY source, project)::text, '[]')
        FROM {connections})
FROM pools;

-- name: state
SELECT change, head_sequence, head_hash,
    CASE WHEN head_sequence <> %(seen)s THEN (SELECT hash FROM events WHERE sequence = %(seen)s) END,
    (SELECT max(number) FROM pools),
    (SELECT coalesce(json_agg(json_build_array(source, project) ORDER BY source, project)::text, '[]')
        FROM {connections})
FROM tenants;

-- What a replica must hold to be read from.

-- name: position
SELECT change, head_sequence, head_hash,
    CASE WHEN head_sequence <> %(seen)s THEN (SELECT hash FROM events WHERE sequence = %(seen)s) END
FROM tenants;

-- name: model
SELECT number FROM models WHERE name = %(name)s AND dim = %(dim)s;

-- name: exact_vectors
SELECT passage, vector FROM vectors
WHERE model = %(model)s AND passage = ANY(%(passages)s::bigint[]);

-- What is about files, and what working sessions were given.

-- name: about_files
SELECT {columns} FROM {joined}
WHERE m.about_file = ANY(%(about)s::text[]) AND {visible} ORDER BY m.number DESC LIMIT %(limit)s;

-- name: confidence
SELECT avg(m.confidence::numeric)::float8 FROM memories m WHERE {visible};

-- name: delivered
SELECT what FROM given WHERE owner = %(owner)s AND project = %(project)s AND session = %(key)s;

-- name: cited
SELECT citation, what, project FROM cited WHERE context = %(context)s AND owner = %(owner)s ORDER BY citation;

-- name: deliveries
SELECT project, session, at, actor FROM given WHERE what = %(id)s AND owner = %(owner)s
ORDER BY at DESC, project, session;

-- name: tallies
SELECT contexts, memories_injected, search_memory_calls, memory_hits, tokens_with, tokens_without FROM tallies
WHERE owner = %(owner)s AND (%(project)s::bigint IS NULL OR project = %(project)s::bigint)
    AND (%(key)s::text IS NULL OR session = %(key)s::text)
ORDER BY project, session;

-- Folders and their files. Who sees them is decided by the pool of the folder.

-- fragment: filed
f.number, f.source, f.path, f.state, f.reason, f.filetype, f.language, f.size, f.modified_at, f.digest, f.chunks,
    f.indexed_at, f.renamed_from

-- name: folders
SELECT f.*, (SELECT coalesce(json_agg(json_build_array(c.project, j.name))::text, '[]')
    FROM folder_projects c JOIN projects j ON j.number = c.project WHERE c.source = f.source) AS connected
FROM folders f ORDER BY f.created_at, f.slug, f.source;

-- name: connections
SELECT coalesce(json_agg(json_build_array(source, project) ORDER BY source, project)::text, '[]') FROM {connections};

-- name: files
SELECT {filed} FROM files f
WHERE f.source = %(source)s AND f.path > %(after)s
    AND (%(states)s::text[] IS NULL OR f.state = ANY(%(states)s::text[]))
ORDER BY f.path LIMIT nullif(%(limit)s::bigint, -1);

-- name: file_paths
SELECT number, source, path, language FROM files
WHERE source = ANY(%(sources)s::text[]) AND state = 'indexed' ORDER BY number;

-- name: files_at
SELECT {filed}, f.symbols FROM files f
WHERE f.source = %(source)s AND f.path = ANY(%(paths)s::text[]);

-- name: forgotten
SELECT digest FROM forgotten WHERE source = %(source)s;

-- name: renamed_files
SELECT r.path AS asked, {filed}, f.symbols FROM renames r JOIN files f ON f.number = r.file
WHERE r.source = %(source)s AND r.path = ANY(%(paths)s::text[]);

-- name: former_paths
SELECT r.path, f.path FROM renames r JOIN files f ON f.number = r.file
WHERE f.source = %(source)s AND f.path = ANY(%(paths)s::text[])
    AND NOT EXISTS (SELECT 1 FROM files o WHERE o.source = r.source AND o.path = r.path);

-- name: file_counts
SELECT count(*) FILTER (WHERE state = 'indexed'), count(*) FILTER (WHERE state = 'skipped'), count(*) FILTER (WHERE state = 'error'),
    coalesce(sum(CASE WHEN state = 'indexed' THEN size END), 0)::bigint, coalesce(sum(chunks), 0)::bigint
FROM files WHERE source = %(source)s;

-- name: chunks
SELECT {columns} FROM {joined}
WHERE m.file = ANY(%(files)s::bigint[]) AND m.current AND p.source = %(source)s AND m.owner = %(owner)s
ORDER BY m.number;

-- name: chunk_sizes
SELECT length(m.text), m.content_hash FROM files f JOIN memories m ON m.file = f.number
WHERE f.source = %(source)s AND m.current ORDER BY m.number;

-- name: has_tombstones
SELECT 1 FROM tombstones WHERE owner = %(owner)s LIMIT 1;

-- name: buried
SELECT digest, by_person FROM tombstones WHERE owner = %(owner)s AND digest > %(after)s AND digest < %(end)s
ORDER BY digest LIMIT %(limit)s;

-- name: tombstones
SELECT digest, by_person FROM tombstones WHERE owner = %(owner)s AND digest = ANY(%(digests)s::text[]);

-- name: forgotten_copies
SELECT DISTINCT m.id FROM memories m
WHERE m.deleted_at IS NOT NULL AND m.owner = %(owner)s
    AND (m.content_hash = %(hash)s::text OR m.external_key = %(key)s::text)
    AND m.pool = ANY(%(pools)s::bigint[]) ORDER BY m.id;

-- name: digest_key
SELECT digest_key FROM tenants;

-- name: storage
SELECT versions, bytes FROM storage WHERE owner = %(owner)s;

-- name: storage_of_all
SELECT coalesce(sum(versions), 0)::bigint, coalesce(sum(bytes), 0)::bigint, count(*), coalesce(max(versions), 0),
    coalesce(max(bytes), 0)
FROM storage;

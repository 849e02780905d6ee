CREATE TABLE metadata (
                key TEXT PRIMARY KEY,
                value TEXT NOT NULL
            );
INSERT INTO metadata VALUES ('distance_metric', 'cosine');
INSERT INTO metadata VALUES ('fts5_enabled', 'true');
INSERT INTO metadata VALUES ('schema_version', '19');
INSERT INTO metadata VALUES ('sync_hlc_physical', '0');
INSERT INTO metadata VALUES ('sync_hlc_logical', '0');
CREATE TABLE memories (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        content_hash TEXT UNIQUE NOT NULL,
                        content TEXT NOT NULL,
                        tags TEXT,
                        memory_type TEXT,
                        metadata TEXT,
                        created_at REAL,
                        updated_at REAL,
                        created_at_iso TEXT,
                        updated_at_iso TEXT,
                        deleted_at REAL DEFAULT NULL
                    , store TEXT DEFAULT 'default', parent_id TEXT, version INTEGER DEFAULT 1, confidence REAL DEFAULT 1.0, last_accessed INTEGER, superseded_by TEXT, embedding_pending INTEGER NOT NULL DEFAULT 0);
INSERT INTO memories VALUES (1, '57b91c6fba7e499cd593df5c2ab768807ce4a6fb562fc491b4a72fc53de5f572', 'We deploy on Fridays only in emergencies', 'deploy,rule', 'decision', '{"source": "chat"}', 1.79542652855112147333e+09, 1.79542652855112147333e+09, '2026-11-23T09:35:28.551121Z', '2026-11-23T09:35:28.551121Z', NULL, 'default', NULL, 1, 1.0, NULL, NULL, 0);
INSERT INTO memories VALUES (2, 'fa8418bc5f65001c6e595917786e7f2121771ecf39dfea6e11c2b1b75314237c', 'The staging host is slow', 'infra', 'observation', '{}', 1.79542652856012701981e+09, 1.79542652856012701981e+09, '2026-11-23T09:35:28.560127Z', '2026-11-23T09:35:28.560127Z', NULL, 'default', NULL, 1, 1.0, NULL, NULL, 0);
INSERT INTO memories VALUES (3, '26686d7720cc5dabf90cab06ce980df79008cababf47e6b723f18a334b04643c', 'Wrong note', 'untagged', NULL, '{}', 1.79542652856114029881e+09, 1.79542652856114029881e+09, '2026-11-23T09:35:28.561140Z', '2026-11-23T09:35:28.561140Z', 1.79542652856199812889e+09, 'default', NULL, 1, 1.0, NULL, NULL, 0);
CREATE TABLE "memory_embeddings_info" (key text primary key, value any);
INSERT INTO memory_embeddings_info VALUES ('CREATE_VERSION', 'v0.1.9');
INSERT INTO memory_embeddings_info VALUES ('CREATE_VERSION_MAJOR', 0);
INSERT INTO memory_embeddings_info VALUES ('CREATE_VERSION_MINOR', 1);
INSERT INTO memory_embeddings_info VALUES ('CREATE_VERSION_PATCH', 9);
CREATE TABLE memory_graph (
    source_hash TEXT NOT NULL,
    target_hash TEXT NOT NULL,
    similarity REAL NOT NULL,
    connection_types TEXT NOT NULL,  -- JSON array: ["semantic", "temporal", "causal", "thematic"]
    metadata TEXT,                   -- JSON object: {discovery_date, confidence, context}
    created_at REAL NOT NULL, relationship_type TEXT DEFAULT 'related',
    PRIMARY KEY (source_hash, target_hash)
);

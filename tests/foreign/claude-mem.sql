CREATE TABLE sdk_sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        content_session_id TEXT NOT NULL,
        memory_session_id TEXT UNIQUE,
        project TEXT NOT NULL,
        platform_source TEXT NOT NULL DEFAULT 'claude',
        user_prompt TEXT,
        started_at TEXT NOT NULL,
        started_at_epoch INTEGER NOT NULL,
        completed_at TEXT,
        completed_at_epoch INTEGER,
        status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active', custom_title TEXT, observed_billing TEXT, observed_model TEXT, prompt_counter INTEGER, worker_port INTEGER);
INSERT INTO sdk_sessions VALUES (1, 'c1', 'm1', 'shop', 'claude', NULL, '2026-05-01T10:00:00Z', 1777629600000, NULL, NULL, 'active', NULL, NULL, NULL, NULL, NULL);
CREATE TABLE session_summaries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        request TEXT,
        investigated TEXT,
        learned TEXT,
        completed TEXT,
        next_steps TEXT,
        files_read TEXT,
        files_edited TEXT,
        notes TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER, merged_into_project TEXT,
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE);
INSERT INTO session_summaries VALUES (1, 'm1', 'shop', 'Stop logging people out', NULL, 'exp is relative', 'Renewed before upload', NULL, NULL, NULL, NULL, NULL, '2026-05-01T10:04:00Z', 1777629840000, NULL, NULL);
CREATE TABLE observations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL,
        project TEXT NOT NULL,
        text TEXT,
        type TEXT NOT NULL,
        title TEXT,
        subtitle TEXT,
        facts TEXT,
        narrative TEXT,
        concepts TEXT,
        files_read TEXT,
        files_modified TEXT,
        prompt_number INTEGER,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL, agent_id TEXT, agent_type TEXT, content_hash TEXT, discovery_tokens INTEGER, generated_by_model TEXT, merged_into_project TEXT, metadata TEXT, relevance_count INTEGER,
        FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE ON UPDATE CASCADE);
INSERT INTO observations VALUES (1, 'm1', 'shop', NULL, 'decision', 'Keep JWT', 'No sessions in the database', '["Tokens live 15 minutes","Refresh rotates"]', 'Sessions would need a table that every request reads.', '["why-it-exists","trade-off"]', '["shop/auth.py"]', '["shop/tokens.py"]', NULL, '2026-05-01T10:01:00Z', 1777629660000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO observations VALUES (2, 'm1', 'shop', NULL, 'bugfix', 'Upload ended the session', NULL, '[]', 'The token expired during a long upload; renew it first.', '[]', '[]', '["shop/uploads.py"]', NULL, '2026-05-01T10:02:00Z', 1777629720000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO observations VALUES (3, 'm1', 'shop', NULL, 'change', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-05-01T10:03:00Z', 1777629780000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE user_prompts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        session_db_id INTEGER,
        content_session_id TEXT NOT NULL,
        prompt_number INTEGER NOT NULL,
        prompt_text TEXT NOT NULL,
        created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL,
        FOREIGN KEY(session_db_id) REFERENCES sdk_sessions(id) ON DELETE CASCADE);
INSERT INTO user_prompts VALUES (1, NULL, 'c1', 1, 'fix it', '2026-05-01T10:00:00Z', 1777629600000);

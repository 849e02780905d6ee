CREATE TABLE history (
                        id           TEXT PRIMARY KEY,
                        memory_id    TEXT,
                        old_memory   TEXT,
                        new_memory   TEXT,
                        event        TEXT,
                        created_at   DATETIME,
                        updated_at   DATETIME,
                        is_deleted   INTEGER,
                        actor_id     TEXT,
                        role         TEXT
                    );
INSERT INTO history VALUES ('85359ea7-0f62-437d-a481-f19660a70cca', '63168c7f-7ca0-44e7-ac18-e4d3b9e778a1', NULL, 'I am allergic to nuts', 'ADD', '2026-11-23T09:32:13.978258+00:00', '2026-11-23T09:32:13.978258+00:00', 0, 'alex', 'user');
INSERT INTO history VALUES ('fb550d6d-2fce-432f-bbf4-b7c139ce87a8', '55c6bdb7-6df0-42bd-8262-77f72ebd02d0', NULL, 'Noted', 'ADD', '2026-11-23T09:32:14.030002+00:00', '2026-11-23T09:32:14.030002+00:00', 0, NULL, 'assistant');
INSERT INTO history VALUES ('2d347d71-5205-4402-8968-362835100da2', '0897372b-2d59-4a14-8797-9b91a39990c8', NULL, 'Likes tea', 'ADD', '2026-11-23T09:32:14.070121+00:00', '2026-11-23T09:32:14.070121+00:00', 0, NULL, 'user');
INSERT INTO history VALUES ('6b4536ed-a707-4e96-a5a7-5b21c220b896', '0897372b-2d59-4a14-8797-9b91a39990c8', 'Likes tea', 'Likes green tea', 'UPDATE', '2026-11-23T09:32:14.070121+00:00', '2026-11-23T09:32:14.106141+00:00', 0, NULL, 'user');
INSERT INTO history VALUES ('de9deaa6-e012-4cc4-a339-8cb9e6ef9a29', 'e2f59b66-9d05-4871-abe4-f910610449a4', NULL, 'Wrong', 'ADD', '2026-11-23T09:32:14.214441+00:00', '2026-11-23T09:32:14.214441+00:00', 0, NULL, 'user');
INSERT INTO history VALUES ('3ce45f82-8e0e-4758-91b8-8fe7ccafaf19', 'e2f59b66-9d05-4871-abe4-f910610449a4', 'Wrong', NULL, 'DELETE', '2026-11-23T09:32:14.214441+00:00', '2026-11-23T09:32:14.262889+00:00', 1, NULL, 'user');
INSERT INTO history VALUES ('f6b00b88-cd3c-481d-912f-364f7d5ce53c', 'a321fd12-d4f9-4e92-b6bf-e7704cdb129f', NULL, 'Was in Rome', 'ADD', '2026-11-23T09:32:14.314082+00:00', '2026-11-23T09:32:14.314082+00:00', 0, NULL, 'user');
CREATE TABLE messages (
                        id TEXT PRIMARY KEY,
                        session_scope TEXT,
                        role TEXT,
                        content TEXT,
                        name TEXT,
                        created_at DATETIME
                    );

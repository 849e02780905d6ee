-- The tables that Litestream adds to a file which it copies continuously (`seals.py`), word for word.

-- name: _litestream_lock
CREATE TABLE _litestream_lock (id INTEGER);

-- name: _litestream_seq
CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);

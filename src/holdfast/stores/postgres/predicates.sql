-- Pieces of the filter rule (`core/filter_rule`). `{column}` stands for a column, `{value}` for the name of a parameter.

-- fragment: column
m.{name}

-- fragment: column_deleted
(m.deleted_at IS NOT NULL)

-- fragment: column_branch
coalesce(m.branch, '')

-- fragment: column_file
m.file::text

-- fragment: column_in_project
NOT EXISTS (SELECT 1 FROM pools w WHERE w.number IN (m.pool, m.written_in) AND w.reach NOT IN ('project', 'source'))

-- fragment: column_about_work
(m.manner & 8) <> 0

-- fragment: equal
{column} = %({value})s

-- fragment: among
{column} = ANY(%({value})s::text[])

-- fragment: not_among
coalesce({column}::text <> ALL(%({value})s::text[]), true)

-- fragment: covers
{column}::jsonb ?& %({value})s::text[]

-- fragment: scoped
EXISTS (SELECT 1 FROM jsonb_array_elements(%({value})s::jsonb) s
    WHERE {column}_type = s ->> 0 AND (s ->> 1 IS NULL OR {column}_id = s ->> 1))

-- fragment: meets
NOT EXISTS (
    SELECT 1 FROM jsonb_array_elements(%({value})s::jsonb) c,
        LATERAL (SELECT {column}::jsonb -> (c ->> 'key') AS k) one
    WHERE NOT CASE c ->> 'op'
        WHEN 'exists' THEN (c -> 'values' -> 0)::boolean = (k IS NOT NULL AND jsonb_typeof(k) <> 'null')
        ELSE EXISTS (
            SELECT 1 FROM jsonb_array_elements(c -> 'values') v
            WHERE jsonb_typeof(k) = jsonb_typeof(v) AND CASE
                WHEN c ->> 'op' = 'in' THEN k = v AND jsonb_typeof(k) IN ('string', 'number', 'boolean')
                WHEN jsonb_typeof(k) = 'number' THEN CASE c ->> 'op'
                    WHEN 'gt' THEN k::numeric > v::numeric WHEN 'gte' THEN k::numeric >= v::numeric
                    WHEN 'lt' THEN k::numeric < v::numeric ELSE k::numeric <= v::numeric END
                WHEN jsonb_typeof(k) = 'string' THEN CASE c ->> 'op'
                    WHEN 'gt' THEN (k #>> '{{}}') COLLATE "C" > (v #>> '{{}}')
                    WHEN 'gte' THEN (k #>> '{{}}') COLLATE "C" >= (v #>> '{{}}')
                    WHEN 'lt' THEN (k #>> '{{}}') COLLATE "C" < (v #>> '{{}}')
                    ELSE (k #>> '{{}}') COLLATE "C" <= (v #>> '{{}}') END
                ELSE false END)
        END)

-- fragment: from
{column} >= %({value})s

-- fragment: before
{column} < %({value})s

-- fragment: by
{column} <= %({value})s

-- fragment: after
({column} IS NULL OR {column} > %({value})s)

-- fragment: is
{column} = '{value}'

-- fragment: is_one_of
{column} IN ('{value}')

-- fragment: given
(%({value})s::{type} IS NULL OR {then})

-- fragment: choice
CASE WHEN %({value})s::{type} IS NOT NULL THEN
    {then}
ELSE
    {otherwise}
END

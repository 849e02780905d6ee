-- Pieces of the filter rule (`core/filter_rule`). `{column}` stands for a column, `{value}` for the name of a parameter.

-- fragment: column
m.{name}

-- fragment: column_deleted
(m.deleted_at IS NOT NULL)

-- fragment: column_branch
coalesce(m.branch, '')

-- fragment: column_in_project
NOT EXISTS (SELECT 1 FROM pools w WHERE w.number IN (m.pool, m.written_in) AND w.reach NOT IN ('project', 'source'))

-- fragment: column_about_work
(m.manner & 8) <> 0

-- fragment: equal
{column} = :{value}

-- fragment: among
{column} IN (SELECT value FROM json_each(:{value}))

-- fragment: not_among
coalesce({column} NOT IN (SELECT value FROM json_each(:{value})), 1)

-- fragment: covers
NOT EXISTS (SELECT value FROM json_each(:{value}) EXCEPT SELECT value FROM json_each({column}))

-- fragment: scoped
EXISTS (SELECT 1 FROM json_each(:{value}) s
    WHERE {column}_type = s.value ->> 0 AND (s.value ->> 1 IS NULL OR {column}_id = s.value ->> 1))

-- fragment: meets
NOT EXISTS (
    SELECT 1 FROM json_each(:{value}) c
    WHERE NOT CASE c.value ->> 'op'
        WHEN 'exists' THEN (c.value ->> '$.values[0]') = EXISTS (
            SELECT 1 FROM json_each({column}) k WHERE k.key = c.value ->> 'key' AND k.type <> 'null')
        ELSE EXISTS (
            SELECT 1 FROM json_each({column}) k CROSS JOIN json_each(c.value, '$.values') v
            WHERE k.key = c.value ->> 'key'
                AND CASE WHEN k.type IN ('integer', 'real') THEN v.type IN ('integer', 'real')
                    WHEN k.type IN ('true', 'false') THEN v.type IN ('true', 'false')
                    ELSE k.type = 'text' AND v.type = 'text' END
                AND CASE c.value ->> 'op' WHEN 'in' THEN k.atom = v.atom
                    WHEN 'gt' THEN k.atom > v.atom WHEN 'gte' THEN k.atom >= v.atom
                    WHEN 'lt' THEN k.atom < v.atom ELSE k.atom <= v.atom END)
        END)

-- fragment: from
{column} >= :{value}

-- fragment: before
{column} < :{value}

-- fragment: by
{column} <= :{value}

-- fragment: after
({column} IS NULL OR {column} > :{value})

-- fragment: is
{column} = '{value}'

-- fragment: is_one_of
{column} IN ('{value}')

-- fragment: given
(:{value} IS NULL OR {then})

-- Said to leave everything over: the planner takes each test for a reason to expect fewer rows of a pool, and with one more
-- it goes through all of a pool where it looked keys up.

-- fragment: given_files
likelihood((:{value} IS NULL OR {then}), 1.0)

-- fragment: choice
CASE WHEN :{value} IS NOT NULL THEN
    {then}
ELSE
    {otherwise}
END

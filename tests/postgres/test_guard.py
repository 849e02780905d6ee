"""The self-check at start-up: nothing is served where the wall between tenants has a gap."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from psycopg import sql

from holdfast.core.errors import HoldfastError, InvalidInput, StoreError
from holdfast.stores.postgres.tenant import Tenant
from tests.postgres.server import OWNER, as_superuser, make_database, server, unique, url

GAPS = {
    "a superuser": ("ALTER ROLE {role} SUPERUSER", "superuser"),
    "BYPASSRLS": ("ALTER ROLE {role} BYPASSRLS", "BYPASSRLS"),
    "CREATEROLE": ("ALTER ROLE {role} CREATEROLE", "may create roles"),
    "a member of the owner": ("GRANT holdfast_owner TO {role}", "owns holdfast."),
    "row security off": (
        "ALTER TABLE holdfast.memories DISABLE ROW LEVEL SECURITY",
        "holdfast.memories has no",
    ),
    "not forced": ("ALTER TABLE holdfast.facts NO FORCE ROW LEVEL SECURITY", "holdfast.facts has no FORCE"),
    "no policy": ("DROP POLICY tenant ON holdfast.keys", "holdfast.keys has policies other than"),
    "another policy": ("CREATE POLICY more ON holdfast.jobs USING (true)", "holdfast.jobs has policies"),
    "another rule": ("ALTER POLICY tenant ON holdfast.events USING (true)", "holdfast.events has policies"),
    "another check": (
        "ALTER POLICY tenant ON holdfast.pools WITH CHECK (true)",
        "holdfast.pools has policies",
    ),
    "an empty tenant": (
        "ALTER POLICY tenant ON holdfast.erased USING (tenant_id = current_setting('holdfast.tenant', true))",
        "holdfast.erased has policies",
    ),
    "for some roles only": ("ALTER POLICY tenant ON holdfast.spool TO {role}", "holdfast.spool has policies"),
    "a table of its own": ("CREATE TABLE holdfast.more (tenant_id text)", "holdfast.more has no ROW LEVEL"),
    "a key without tenant": (
        "CREATE INDEX by_text ON holdfast.memories (text)",
        "by_text, which does not begin with the tenant",
    ),
    "a key of a part of all tenants": (
        "CREATE INDEX by_model ON holdfast.vectors (model) WHERE tenant_id > '' AND pool = 1",
        "by_model, which does not begin with the tenant",
    ),
    "a unique key of one tenant": (
        "CREATE UNIQUE INDEX by_model ON holdfast.vectors (passage) WHERE tenant_id = 'ana' AND pool = 1",
        "by_model, which does not begin with the tenant",
    ),
    "TRUNCATE": ("GRANT TRUNCATE ON holdfast.memories TO {role}", "may TRUNCATE holdfast.memories"),
    "triggers": ("GRANT TRIGGER ON holdfast.memories TO {role}", "may put triggers on"),
    "events that change": ("GRANT UPDATE ON holdfast.events TO {role}", "may change rows of holdfast.events"),
    "the right to create": ("GRANT CREATE ON SCHEMA holdfast TO {role}", "may create objects"),
    "a view": ("CREATE VIEW holdfast.everything AS SELECT * FROM holdfast.memories", "is a view"),
    "a function of the owner": (
        "CREATE FUNCTION holdfast.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
        " AS 'SELECT count(*) FROM holdfast.memories'",
        "runs with the rights of its owner",
    ),
    "REPLICATION": ("ALTER ROLE {role} REPLICATION", "has REPLICATION"),
    "CREATEDB": ("ALTER ROLE {role} CREATEDB", "may create databases"),
    "a member of any role": ("CREATE ROLE {more}; GRANT {more} TO {role}", "belongs to app_group_"),
    "a member without inheritance": (
        "CREATE ROLE {more} BYPASSRLS; GRANT {more} TO {role} WITH INHERIT FALSE, SET TRUE",
        "whom no policy binds",
    ),
    "a function of the server": (
        "GRANT EXECUTE ON FUNCTION pg_catalog.pg_read_file(text) TO {role}",
        "was granted EXECUTE on pg_read_file(text)",
    ),
    "a table of the server": ("GRANT SELECT ON pg_catalog.pg_authid TO {role}", "SELECT on pg_authid"),
    "schemas": (
        "DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO {role}', current_database()); END $$",
        "may create schemas",
    ),
    "a column of events": (
        "GRANT UPDATE (detail) ON holdfast.events TO {role}",
        "may change rows of holdfast.events (detail)",
    ),
    "tenants that go": ("GRANT DELETE ON holdfast.tenants TO {role}", "may remove rows of holdfast.tenants"),
    "the list of versions": (
        "GRANT UPDATE ON holdfast.schema_versions TO {role}",
        "may change rows of holdfast.schema_versions",
    ),
    "what everybody may": ("GRANT SELECT ON holdfast.memories TO PUBLIC", "as everybody may"),
    "a privilege to grant": (
        "GRANT SELECT ON holdfast.memories TO {role} WITH GRANT OPTION",
        "grant that to others",
    ),
    "maintenance": ("GRANT MAINTAIN ON holdfast.memories TO {role}", "may MAINTAIN holdfast.memories"),
    "a view of a superuser elsewhere": (
        "CREATE VIEW public.everything AS SELECT * FROM holdfast.memories;"
        " GRANT SELECT ON public.everything TO {role}",
        "everything is a view of holdfast.memories",
    ),
    "a view of some columns elsewhere": (
        "CREATE SCHEMA elsewhere; GRANT USAGE ON SCHEMA elsewhere TO {role};"
        " CREATE VIEW elsewhere.keys AS SELECT content FROM holdfast.keys;"
        " GRANT SELECT (content) ON elsewhere.keys TO {role}",
        "elsewhere.keys is a view of holdfast.keys",
    ),
    "a materialised view": (
        "CREATE MATERIALIZED VIEW holdfast.everything AS SELECT * FROM holdfast.memories",
        "is a view",
    ),
    "a table with a wall of its own": (
        "CREATE TABLE holdfast.more (tenant_id text); ALTER TABLE holdfast.more ENABLE ROW LEVEL SECURITY;"
        " ALTER TABLE holdfast.more FORCE ROW LEVEL SECURITY",
        "holdfast.more is not one of our tables",
    ),
    "a part elsewhere": (
        "CREATE TABLE public.part () INHERITS (holdfast.memories)",
        "part is a part of holdfast.memories",
    ),
    "a definer function beside": (
        "CREATE FUNCTION public.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
        " AS 'SELECT count(*) FROM holdfast.memories'",
        "peek() runs with the rights of its owner",
    ),
    "a function that stands for the server's": (
        "CREATE FUNCTION public.length(varchar) RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "has the name of a function of the server",
    ),
    "a function that everybody may call": (
        "GRANT EXECUTE ON FUNCTION pg_catalog.pg_read_file(text) TO PUBLIC",
        "everybody was granted EXECUTE on pg_read_file(text)",
    ),
    "a column of a table of the server": (
        "GRANT SELECT (rolpassword) ON pg_catalog.pg_authid TO {role}",
        "SELECT on pg_authid (rolpassword)",
    ),
    "a setting of the server": (
        "GRANT SET ON PARAMETER session_replication_role TO {role}",
        "was granted SET on the parameter session_replication_role",
    ),
    "a foreign server": (
        "CREATE FOREIGN DATA WRAPPER afar; CREATE SERVER loop FOREIGN DATA WRAPPER afar;"
        " GRANT USAGE ON FOREIGN SERVER loop TO {role}",
        "was granted USAGE on the foreign server loop",
    ),
    "a view of a view": (
        "CREATE VIEW public.inner_view AS SELECT * FROM holdfast.memories;"
        " CREATE VIEW public.outer_view AS SELECT * FROM public.inner_view;"
        " GRANT SELECT ON public.outer_view TO {role}",
        "outer_view is a view of holdfast.memories",
    ),
    "a rule of another table": (
        "CREATE TABLE public.other (text text); GRANT DELETE ON public.other TO {role};"
        " CREATE RULE erases AS ON DELETE TO public.other DO INSTEAD DELETE FROM holdfast.memories",
        "other has a rule about holdfast.memories",
    ),
    "a definer function anywhere": (
        "CREATE SCHEMA tools; GRANT USAGE ON SCHEMA tools TO {role};"
        " CREATE FUNCTION tools.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
        " AS 'SELECT count(*) FROM holdfast.memories'",
        "tools.peek() runs with the rights of",
    ),
    "a trigger of ours that counts only": (
        "DROP TRIGGER seal_changed ON holdfast.members;"
        " CREATE TRIGGER seal_changed AFTER UPDATE ON holdfast.members REFERENCING OLD TABLE AS removed"
        " NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION holdfast.seal('count')",
        "holdfast.members has the trigger seal_changed",
    ),
    "a cast": (
        "CREATE FUNCTION public.number(text) RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';"
        " CREATE CAST (text AS bigint) WITH FUNCTION public.number(text) AS IMPLICIT",
        "there is a cast from text to bigint",
    ),
    "an operator beside": (
        "CREATE FUNCTION public.alike(text, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
        " CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = bigint, FUNCTION = public.alike)",
        "is an operator in a schema that is searched",
    ),
    "another function of ours": (
        "CREATE FUNCTION holdfast.more() RETURNS bigint LANGUAGE sql AS 'SELECT 1'",
        "holdfast.more() is not one of our functions",
    ),
    "a function of ours that was changed": (
        "CREATE OR REPLACE FUNCTION holdfast.row_digest(whole text) RETURNS bigint LANGUAGE sql"
        " AS 'SELECT 1::bigint'",
        "holdfast.row_digest(text) is not as this version made it",
    ),
    "a copying trigger": (
        "CREATE TABLE public.copies (text text);"
        " CREATE FUNCTION public.copying() RETURNS trigger LANGUAGE plpgsql"
        " AS $$ BEGIN INSERT INTO public.copies VALUES (NEW.text); RETURN NEW; END $$;"
        " CREATE TRIGGER copies BEFORE INSERT ON holdfast.memories"
        " FOR EACH ROW EXECUTE FUNCTION public.copying()",
        "holdfast.memories has the trigger copies",
    ),
    "a trigger of ours that is gone": (
        "DROP TRIGGER seal_changed ON holdfast.members",
        "holdfast.members lacks the trigger seal_changed",
    ),
    "a trigger of ours that sleeps": (
        "ALTER TABLE holdfast.members DISABLE TRIGGER seal_added",
        "holdfast.members lacks the trigger seal_added, or it is disabled",
    ),
    "references that sleep": (
        "ALTER TABLE holdfast.secrets DISABLE TRIGGER ALL",
        "holdfast.secrets has disabled triggers",
    ),
    "a rule": (
        "CREATE RULE copies AS ON INSERT TO holdfast.memories DO ALSO NOTIFY copies",
        "holdfast.memories has the rule copies",
    ),
    "a default that calls": (
        "CREATE FUNCTION public.more() RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$;"
        " ALTER TABLE holdfast.memories ALTER COLUMN title SET DEFAULT public.more()",
        "holdfast.memories calls public.more() with each write",
    ),
    "a check that calls": (
        "CREATE FUNCTION public.more(text) RETURNS boolean LANGUAGE sql AS 'SELECT true';"
        " ALTER TABLE holdfast.memories ADD CHECK (public.more(text))",
        "holdfast.memories calls public.more(text) with each write",
    ),
    "a key that calls": (
        "CREATE FUNCTION public.more(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1';"
        " CREATE INDEX more ON holdfast.memories (tenant_id, public.more(text))",
        "holdfast.memories calls public.more(text) with each write",
    ),
    "statistics that call": (
        "CREATE FUNCTION public.more(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1';"
        " CREATE STATISTICS holdfast.more ON (public.more(text)) FROM holdfast.memories",
        "holdfast.memories calls public.more(text) with each write",
    ),
    "a domain": (
        "CREATE DOMAIN public.short AS text CHECK (length(VALUE) < 9);"
        " ALTER TABLE holdfast.jobs ADD COLUMN more public.short",
        "holdfast.jobs has a column of the domain",
    ),
    "a definer function of the owner anywhere": (
        "CREATE SCHEMA tools; GRANT USAGE ON SCHEMA tools TO {role};"
        " CREATE FUNCTION tools.peek() RETURNS bigint LANGUAGE sql SECURITY DEFINER"
        " AS 'SELECT count(*) FROM holdfast.memories'; ALTER FUNCTION tools.peek() OWNER TO holdfast_owner",
        "tools.peek() runs with the rights of holdfast_owner, who owns the tables",
    ),
    "a seal that is set beforehand": (
        "ALTER ROLE {role} SET holdfast.seal = 'x'",
        "sets holdfast.seal for every session",
    ),
    "a tenant that is set beforehand": (
        "ALTER ROLE {role} SET holdfast.tenant = 'somebody'",
        "sets holdfast.tenant for every session",
    ),
    "writes that can be lost": (
        "ALTER ROLE {role} SET synchronous_commit = off",
        "synchronous_commit = off",
    ),
}

PREDEFINED = (
    "pg_execute_server_program", "pg_read_server_files", "pg_write_server_files", "pg_read_all_data",
    "pg_write_all_data", "pg_monitor", "pg_checkpoint", "pg_create_subscription",
)  # fmt: skip
GAPS |= {name: (f"GRANT {name} TO {{role}}", f"belongs to {name}") for name in PREDEFINED}


@pytest.fixture(scope="module")
def database() -> str:
    """A database of this module, whose wall may be broken."""
    server()
    return make_database(unique("gaps"))


@pytest.fixture
def role(database: str) -> Iterator[str]:
    """A role that may serve, made for one test; the database is mended at the end."""
    name = unique("app")
    with as_superuser(database) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
        connection.execute("SELECT holdfast.admit_application(%s)", [name])
    yield name
    with as_superuser(database) as connection:
        connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(name)))
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def test_a_sound_database_is_served(database: str, role: str) -> None:
    Tenant(url(role, database, "team")).close()


@pytest.mark.parametrize("gap", GAPS)
def test_gates_start_up_refuses_to_serve_with_a_gap(gap: str, role: str) -> None:
    """Each gap is made in a database of its own, and told by name."""
    own = make_database(unique("gap"))
    statement, told = GAPS[gap]
    with as_superuser(own) as connection:
        connection.execute("SELECT holdfast.admit_application(%s)", [role])
        more = unique("app_group")
        connection.execute(sql.SQL(statement).format(role=sql.Identifier(role), more=sql.Identifier(more)))
    try:
        with pytest.raises(StoreError, match="does not keep tenants apart") as raised:
            Tenant(url(role, own, "team"))
        assert raised.value.code == "store_unsafe"
        assert told in raised.value.message
    finally:
        with as_superuser() as connection:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(own)))


def test_a_usual_managed_database_is_served(role: str) -> None:
    """Extensions with functions of their own, other roles, a report of somebody else, foreign schemas."""
    own = make_database(unique("managed"))
    reader = unique("reader")
    with as_superuser(own) as connection:
        connection.execute("SELECT holdfast.admit_application(%s)", [role])
        for statement in (
            "CREATE EXTENSION IF NOT EXISTS plpgsql",
            "CREATE ROLE {reader} LOGIN",
            "GRANT pg_read_all_stats TO {reader}",
            "CREATE SCHEMA reports AUTHORIZATION {reader}",
            "CREATE TABLE reports.days (day date)",
            "CREATE FUNCTION reports.total() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
            "CREATE VIEW reports.sizes AS SELECT tenant_id, count(*) FROM holdfast.memories GROUP BY 1",
            "ALTER ROLE {role} CONNECTION LIMIT 50",
            "ALTER ROLE {role} SET statement_timeout = '60s'",
        ):
            connection.execute(
                sql.SQL(statement).format(reader=sql.Identifier(reader), role=sql.Identifier(role))
            )
    try:
        Tenant(url(role, own, "team")).close()
    finally:
        with as_superuser() as connection:
            connection.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(own)))
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(reader)))


def test_a_temporary_table_does_not_stand_for_ours(database: str, role: str) -> None:
    """Behind a pooler, somebody else's session may have left one."""
    tenant = Tenant(url(role, database, "team"))
    try:
        with tenant.transaction("begin_reading") as (connection, _):
            before = connection.execute("SELECT 'memories'::regclass::oid").fetchone()
        with tenant.transaction("begin_writing") as (connection, _):
            connection.execute("CREATE TEMP TABLE memories (text text)")
            connection.execute("CREATE TEMP TABLE tenants (tenant_id text)")
            assert connection.execute("SELECT 'memories'::regclass::oid").fetchone() == before
            assert connection.execute("SELECT count(*) FROM tenants").fetchone() == (1,)
    finally:
        tenant.close()


@pytest.mark.parametrize("who", ["postgres", OWNER])
def test_neither_superuser_nor_owner_may_serve(who: str, database: str) -> None:
    with pytest.raises(StoreError) as raised:
        Tenant(url(who, database, "team"))
    assert raised.value.code == "store_unsafe"


def test_a_role_that_was_not_admitted_is_told_so(database: str) -> None:
    name = unique("stranger")
    with as_superuser() as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
    with pytest.raises(StoreError) as raised:
        Tenant(url(name, database, "team"))
    assert raised.value.code == "store_unavailable"
    assert "permission denied" in raised.value.message


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://app@localhost/db",
        "postgresql://app@localhost/db?tenant=",
        "postgresql://app@localhost/db?tenant=a&tenant=b",
        "postgresql://app@localhost/db?tenant=a%00b",
        "postgresql://app@[::1/db?tenant=a",
        "postgresql://app@localhost/db?tenant=a&nonsense=1",
    ],
)
def test_s4_52_an_address_names_one_tenant(address: str) -> None:
    with pytest.raises(InvalidInput):
        Tenant(address)


def test_a_server_that_is_away_is_told_without_the_password() -> None:
    with pytest.raises(HoldfastError) as raised:
        Tenant("postgresql://app:hunter2@127.0.0.1:9/db?tenant=a")
    assert raised.value.code == "store_unavailable"
    assert "hunter2" not in str(raised.value)


def test_create_off_tells_a_mistyped_tenant_from_an_empty_one(database: str, role: str) -> None:
    with pytest.raises(StoreError) as raised:
        Tenant(url(role, database, "mistyped"), create=False)
    assert raised.value.code == "store_unavailable"
    Tenant(url(role, database, "team")).close()
    Tenant(url(role, database, "team"), create=False).close()

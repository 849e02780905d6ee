"""Behind a pooler each transaction may run in another process: nothing is left behind in one."""

from __future__ import annotations

import pytest

from holdfast.stores.postgres.store import PostgresStore
from holdfast.stores.postgres.tenant import PREPARE_AFTER, Tenant
from tests.postgres.relay import relay
from tests.postgres.server import APPLICATION, fresh_tenant, server, url
from tests.support import memory_on, texts


def prepared(store: PostgresStore) -> list[str]:
    """The statements that are prepared in the process behind the store's connection."""
    with store._tenant.transaction("begin_reading") as (connection, _):
        return [row[0] for row in connection.execute("SELECT name FROM pg_prepared_statements").fetchall()]


@pytest.mark.parametrize("is_behind", [False, True])
def test_statements_are_prepared_unless_a_pooler_would_mix_them_up(is_behind: bool) -> None:
    """Two stores at once: what one leaves in a process is not what the other finds."""
    tenant = fresh_tenant()
    with relay(server()) as folder:
        address = url(APPLICATION, tenant=tenant)
        if is_behind:
            address = f"postgresql://{APPLICATION}@/holdfast?host={folder}&tenant={tenant}"
        store = PostgresStore(Tenant(address))
        memory = memory_on(store)
        memory.remember("The vault is behind the harbour office")
        for _ in range(2 * PREPARE_AFTER):
            assert texts(memory.recall("vault harbour")) == ["The vault is behind the harbour office"]
        assert (prepared(store) == []) == is_behind
        store.close()

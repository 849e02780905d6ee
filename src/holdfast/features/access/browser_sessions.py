"""Sessions of browsers: opened once by a one-time code or by a credential, listed, and ended.

A session lies among the keys, as a digest. It grants what the credential that opened it grants at the moment,
and ends with it.
"""

from __future__ import annotations

import base64
import hmac
from dataclasses import replace

from holdfast.core.arguments import safe_repr
from holdfast.core.errors import AccessDenied, NotFound
from holdfast.core.places import Principal
from holdfast.features.access.access import LOCAL, Grant
from holdfast.features.access.keys import digest_of, grant_of_key, invalid_credential, matching, new_secret
from holdfast.features.service import Service
from holdfast.stores.base.keys import SESSION, Key

SESSION_MS = 7 * 24 * 3_600_000
"""How long a browser stays signed in."""
CODE_MS = 5 * 60_000
"""How long a one-time code can be used."""
TOKEN = "token"
"""The credential of a token of an identity provider, whose rights a session keeps until it expires."""
_ID_BYTES, _TIME_BYTES, _MAC_BYTES = 6, 6, 24


def one_time_code(service: Service) -> str:
    """Returns a code that opens one session of the user of this service, within five minutes. Nothing of it
    is stored before it is used."""
    body = service.randomness(_ID_BYTES) + (service.clock() + CODE_MS).to_bytes(_TIME_BYTES)
    return base64.urlsafe_b64encode(body + _mac(service, body)).decode()


def open_with_code(service: Service, code: str, name: str | None) -> tuple[Key, str]:
    """Opens the session of a one-time code; returns it with its secret text. Raises AccessDenied
    `code_invalid`: also for a code that was used, whatever became of its session."""
    try:
        parts = base64.urlsafe_b64decode(code.encode("ascii"))
    except ValueError:
        raise _invalid_code() from None
    body, mac = parts[: _ID_BYTES + _TIME_BYTES], parts[_ID_BYTES + _TIME_BYTES :]
    is_late = service.clock() >= int.from_bytes(body[_ID_BYTES:])
    if is_late or not hmac.compare_digest(mac, _mac(service, body)):
        raise _invalid_code()
    return _open(service, Grant(service.principal), name, id=body[:_ID_BYTES].hex())


def open_with_grant(service: Service, grant: Grant, name: str | None) -> tuple[Key, str]:
    """Opens a session with the rights of a credential; returns it with its secret text."""
    return _open(service, grant, name, id=service.randomness(_ID_BYTES).hex())


def _open(service: Service, grant: Grant, name: str | None, *, id: str) -> tuple[Key, str]:
    """Creates a session of a browser with the rights of a grant. Returns its key and the secret."""
    text, now, principal = new_secret(service, id), service.clock(), grant.principal
    parent = grant.credential
    if parent == TOKEN and grant.names_role:
        parent = f"{TOKEN}:role"
    session = Key(
        id=id, digest=digest_of(text), user=principal.user, role=principal.role, created_at=now, name=name,
        agent=principal.agent, projects=None if grant.projects is None else tuple(sorted(grant.projects)),
        write=grant.write, expires_at=min(now + SESSION_MS, grant.expires_at or now + SESSION_MS),
        purpose=SESSION, parent=parent,
    )  # fmt: skip
    with service.store.write() as tx:
        for key in service.keys.all():
            if key.id == id:
                raise _invalid_code()
            if key.purpose == SESSION and (key.expires_at or 0) < now - CODE_MS:
                service.keys.drop(key.id)
        detail = {"user": session.user, "by": parent, "expires_at": session.expires_at}
        tx.add_event(at=now, actor=principal.label, action="sign_in", subject=id, detail=detail)
        service.keys.put(session)
    return session, text


def session_grant(service: Service, text: str, local: Grant | None) -> tuple[Key, Grant]:
    """Returns the session with a secret text and what it allows now: what its credential does. `local` is the
    grant without a credential, where there is one. Raises AccessDenied."""
    now = service.clock()
    keys = service.keys.all()
    session = matching(keys, text, now, purpose=SESSION)
    if session.parent == LOCAL:
        if local is None or local.principal.user != session.user:
            raise invalid_credential()
        grant = local
    elif (session.parent or "").partition(":")[0] == TOKEN:
        grant = Grant(
            Principal(session.user, session.role, session.agent), session.write,
            None if session.projects is None else frozenset(session.projects), session.expires_at, TOKEN,
            session.parent == f"{TOKEN}:role",
        )  # fmt: skip
    else:
        parent = next((key for key in keys if f"key:{key.id}" == session.parent), None)
        if parent is None:
            raise invalid_credential()
        grant = grant_of_key(parent, now)
    ends = [at for at in (session.expires_at, grant.expires_at) if at is not None]
    return session, replace(grant, expires_at=min(ends, default=None))


def sessions_of(service: Service, of: Key) -> list[Key]:
    """Returns the sessions that can still be used and that the credential of a session may see, newest first:
    those of its user."""
    now = service.clock()
    return [
        key
        for key in reversed(service.keys.all())
        if key.purpose == SESSION and key.revoked_at is None and (key.expires_at or 0) > now
        and key.user == of.user and key.parent == of.parent
    ]  # fmt: skip


def end_session(service: Service, of: Key, id: str) -> None:
    """Ends a session of the same user at once, in every process. Raises NotFound."""
    now = service.clock()
    with service.store.write() as tx:
        session = next((key for key in sessions_of(service, of) if key.id == id), None)
        if session is None:
            raise NotFound(f"there is no session {safe_repr(id)}", code="key_not_found")
        label = Principal(session.user, session.role, session.agent).label
        tx.add_event(at=now, actor=label, action="sign_out", subject=id, detail={})
        service.keys.put(replace(session, revoked_at=now))


def csrf_token(service: Service, text: str) -> str:
    """Returns what a page has to send with each change in a session: known to who may read responses."""
    return hmac.digest(service.store.digest_key, b"csrf\0" + text.encode(), "sha256").hex()


def _mac(service: Service, body: bytes) -> bytes:
    user = service.principal.user.encode("utf-8", "surrogatepass")
    return hmac.digest(service.store.digest_key, b"open\0" + body + user, "sha256")[:_MAC_BYTES]


def _invalid_code() -> AccessDenied:
    return AccessDenied(
        "this link was used or is too old", code="code_invalid", hint="`holdfast open` makes a new one"
    )

"""Consents of users: the operations of `Memory.consents`."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.api.operation import Area, Parameter, operation
from holdfast.core.consents import Consent
from holdfast.features.access import consents
from holdfast.features.access.access import Need

PARAMS = {
    "user": Parameter("The user, if an owner or admin does it for somebody else."),
    "purpose": Parameter("What is consented to: `models`, or a name of your own."),
}


class Consents(Area):
    """Consents of users to purposes, each act an event of the audit log.

    One purpose has an effect: who withdrew `models` is not asked about by language models of others, and
    what they keep is shown to none. What other purposes mean is up to those who named them.
    """

    @operation("POST /consents", Need.IMPORTS, command="consents give", params=PARAMS)
    def give(self, purpose: str, *, user: str | None = None) -> Consent:
        """Records that a user consents to a purpose."""
        return consents.record_consent(self._service, purpose, user, given=True)

    @operation("POST /consents/withdraw", Need.IMPORTS, command="consents withdraw", params=PARAMS)
    def withdraw(self, purpose: str, *, user: str | None = None) -> Consent:
        """Records that a user consents to a purpose no longer, or not at all."""
        return consents.record_consent(self._service, purpose, user, given=False)

    @operation(
        "GET /consents", Need.IMPORTS, command="consents list", changes=False, key="consents",
        params={"user": PARAMS["user"], "history": Parameter("All acts, oldest first.")},
    )  # fmt: skip
    def list(self, *, user: str | None = None, history: bool = False) -> Sequence[Consent]:
        """Returns what a user consented to: the last act of each purpose, or with `history` all of them."""
        return consents.list_consents(self._service, user, history=history)

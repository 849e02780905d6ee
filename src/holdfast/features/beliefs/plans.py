"""Plans, and what says that they have come true."""

from __future__ import annotations

from holdfast.core.claims import PAST, Claim

PLANS = (
    "plan", "plan_travel", "plan_move", "plan_job", "plan_purchase", "plan_family", "plan_study",
    "plan_event",
)  # fmt: skip
"""Attributes of what is intended."""
FULFILS = {
    "lives_in": ("plan_move",), "employer": ("plan_job",), "works_as": ("plan_job",),
    "owns": ("plan_purchase",), "pet": ("plan_purchase",), "marital_status": ("plan_family",),
    "learning": ("plan_study",), "studies": ("plan_study",),
}  # fmt: skip
"""Axes of which a claim says that a plan for the same has come true."""


def is_only_done(claim: Claim) -> bool:
    """Returns whether a claim only says that something was done once, which matters to who planned it: "back
    from Lisbon"."""
    return claim.attribute in PLANS and claim.status == PAST and claim.positive

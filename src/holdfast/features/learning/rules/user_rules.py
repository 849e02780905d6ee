"""All phrases of a user: announced rules, then corrections, then short statements."""

from __future__ import annotations

from holdfast.features.learning.rules.romance_rules import ROMANCE
from holdfast.features.learning.rules.rules import CORRECTIONS
from holdfast.features.learning.rules.standing_rules import STANDING
from holdfast.features.learning.rules.statement_rules import STATEMENTS

USER = (*STANDING, *ROMANCE, *CORRECTIONS, *STATEMENTS)
"""Phrases of a user, the first that matches a sentence counts."""

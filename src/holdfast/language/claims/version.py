"""The version of the rules for claims, apart from the rules: whoever looks up what they read needs no more."""

RULES = "30"
"""The version of these rules, kept with what they found: what other rules have read is read again."""

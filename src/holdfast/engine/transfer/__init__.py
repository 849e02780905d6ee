"""Transfer: all that one user owns as records, and the way back (S4.54)."""

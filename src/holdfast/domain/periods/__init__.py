"""Periods: the times that a question speaks of ("last week", "in May 2023"), as soft bounds in time."""

"""Facts: what messages state about ranked lists and preferences, how it is read, and what it answers."""

"""Language models: which may be used, what they may cost, and what they answer and propose."""

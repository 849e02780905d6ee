"""What stores that speak SQL share: which statements answer what, and what their rows mean."""

"""Computer opponents for Acquire."""

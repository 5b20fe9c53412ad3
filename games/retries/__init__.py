"""Retries: a member's own costly decisions as puzzles, at growing intervals."""

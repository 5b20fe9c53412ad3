"""Puzzles: found in games that are over, one for each day, answered once by everybody."""

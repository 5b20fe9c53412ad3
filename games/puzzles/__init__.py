"""Puzzles of the day, made from finished games."""

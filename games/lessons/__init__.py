"""Lessons: prepared positions on which people learn to play, and their progress."""

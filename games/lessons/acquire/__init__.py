"""Lessons of Acquire."""

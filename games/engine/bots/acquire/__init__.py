"""Bots for Acquire."""

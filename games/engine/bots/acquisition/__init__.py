"""Bots for Acquisition, the game by Phil Leduc (2011)."""

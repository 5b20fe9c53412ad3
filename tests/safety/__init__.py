"""Tests against the worst: a leaked tile, a lost move, a stuck game, an error in answer to bad input."""

"""Ratings of games that were really played: who counts, once, and in which place."""

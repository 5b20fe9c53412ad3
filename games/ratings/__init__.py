"""Ratings: who counts in a game that is over and how, and what that makes of their ratings."""

"""Ratings, results and records of finished games."""

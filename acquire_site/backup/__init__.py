"""Backups of the database and their restoration."""

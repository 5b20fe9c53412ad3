"""Insights: what members lose by which decisions, beside others."""

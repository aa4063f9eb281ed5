"""Triggers learned from annotated text (paper §3.5-3.6), and how well a set of triggers covers a corpus."""

"""Annotated corpora in one format: one sentence a line of JSON."""

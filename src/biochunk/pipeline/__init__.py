"""spaCy components."""

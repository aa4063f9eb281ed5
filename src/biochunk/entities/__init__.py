"""Entity rules learned from, and measured on, annotated sentences."""

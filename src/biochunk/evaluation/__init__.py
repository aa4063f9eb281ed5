"""What arms and pipelines find on annotated corpora."""

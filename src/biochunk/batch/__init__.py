"""Many texts through a pipeline: lines in, records out, in bounded memory. What `biochunk chunk` runs."""

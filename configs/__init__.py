"""Dataset files and pipeline configs; installed as the package `biochunk.configs`."""

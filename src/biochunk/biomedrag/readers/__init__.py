"""Readers: what takes the generator's place in BioMedRAG."""

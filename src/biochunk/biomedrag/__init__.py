"""The chain that chunks feed (BioMedRAG): store, retrieval, chunk scorer, readers, metrics, export."""

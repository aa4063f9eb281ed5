"""Text to unit vectors, behind the Protocols of `biochunk.ty`; one file a backend."""

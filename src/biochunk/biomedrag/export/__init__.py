"""The files that BioMedRAG's scripts pass to each other, written from an arm's chunks.

Names, fields and separators are those that its scripts parse (its code at commit 899fc27, described in
docs/biomedrag.md); the wording of instructions is ours.
"""

from .run import Settings, export_biomedrag

__all__ = ["Settings", "export_biomedrag"]

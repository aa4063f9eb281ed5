"""What was found in a Doc, as pictures: displaCy input, and one HTML page."""

from .colors import COLORS
from .displacy import arcs_data, spans_data
from .page import render_page

__all__ = ["COLORS", "arcs_data", "render_page", "spans_data"]

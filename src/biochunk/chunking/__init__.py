"""Pure functions over token indices: windows, entity rules, patterns, priority, selection. No I/O and no model."""

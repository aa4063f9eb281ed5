"""The report of an experiment: tables, plots and examples from its results, as Markdown and as one HTML page."""

"""Training data and scores of named entity recognisers."""

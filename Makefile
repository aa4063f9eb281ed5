# Each target does all its own set-up in .venv; what is done already is not done again.
#
#   make evaluate               build and install the four pipelines, run the main experiment on the sample corpora
#   make evaluate CORPORA=DIR   the same on the benchmarks in DIR, BioMedRAG's data folder; SPLIT=dev or SPLIT=test says
#                               what is scored (default: test where it is there, else dev)
#   make test                   style, types and all tests
#   make clean                  remove .venv and everything that was built
#
# PYTHON=python3.12 chooses the Python that .venv is made with.

PYTHON ?= python3
# Fetched by `python -m spacy project assets`, where there is a network.
CORPORA ?= $(wildcard assets/biomedrag)
SPLIT ?= auto

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: evaluate test pipelines clean
.DELETE_ON_ERROR:

evaluate: pipelines
ifeq ($(CORPORA),)
	$(BIN)/python -m spacy project run evaluate
else
	$(BIN)/python -m spacy project run corpora . --vars.biomedrag "$(CORPORA)"
	$(BIN)/python -m spacy project run evaluate . --vars.corpora build/corpora --vars.split $(SPLIT)
endif

test: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(MAKE) --no-print-directory pipelines
	$(BIN)/pytest

# project.yml knows what has changed since the last time.
pipelines: $(INSTALLED)
	$(BIN)/python -m spacy project run package

$(INSTALLED): pyproject.toml setup.py constraints.txt
	$(PYTHON) -c "import sys; sys.exit(None if sys.version_info >= (3, 10) else 'biochunk needs Python 3.10 or later')"
	$(PYTHON) -m venv $(VENV)
	@echo "Installing biochunk and its tools into $(VENV); the first time this takes some minutes"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev,embeddings,transformers,experiment,peers]'
	touch $@

clean:
	rm -rf $(VENV) build project.lock

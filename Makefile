# Each target does all its own set-up in .venv; what is done already is not done again.
#
#   make evaluate               build and install the four pipelines, print what they find in the sample corpora
#   make evaluate CORPORA=DIR   the same for the dev splits of the benchmarks in DIR, BioMedRAG's data folder
#   make test                   style, types and all tests
#   make clean                  remove .venv and everything that was built
#
# PYTHON=python3.12 chooses the Python that .venv is made with.

PYTHON ?= python3
# Fetched by `python -m spacy project assets`, where there is a network.
CORPORA ?= $(wildcard assets/biomedrag)

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: evaluate test pipelines clean
.DELETE_ON_ERROR:

evaluate: pipelines
	$(BIN)/python -c "import sentence_transformers, spacy_transformers"
ifeq ($(CORPORA),)
	$(BIN)/biochunk summary corpora/samples
else
	rm -rf build/corpora
	rm -rf build/corpora
	$(BIN)/biochunk corpora convert "$(CORPORA)" -o build/corpora --view published
	$(BIN)/biochunk summary build/corpora/*/dev.jsonl
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

# The only commands a person needs. Python 3.11 or newer and make are all it takes.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PORT ?= 8000

.PHONY: run test lint format types bench clean

run: $(VENV)/.installed
	@$(BIN)/python manage.py quickstart --port $(PORT)

test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest -n 2

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports

format: $(VENV)/.installed-dev
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .

bench: $(VENV)/.installed
	@$(BIN)/python manage.py bench

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "ClusterQuote needs Python 3.11 or newer; this is %d.%d. Set PYTHON=/path/to/python3.11." % sys.version_info[:2])'
	@$(PYTHON) -m venv $(VENV) || { echo "Could not make a virtual environment: on Debian or Ubuntu install it with: apt-get install python3-venv"; rm -rf $(VENV); exit 1; }

$(VENV)/.installed: requirements.txt $(VENV)/bin/python
	@echo "Installing the product into $(VENV) (once, about a minute) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	@echo "Installing the test tools into $(VENV) (once) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

clean:
	@rm -rf $(VENV) var

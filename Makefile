# One command each; all of them make the environment first and do nothing about it when it is current.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= auto
LIST_EXTRAS = import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies'])

.PHONY: env run test lint types rooms unit bench soak docs format

env: .venv/.current

.venv/.current: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	for extra in $$($(BIN)/python -c "$(LIST_EXTRAS)"); do \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$$extra]" \
		|| echo "the extra $$extra does not install here: its tests are left out" >&2; done
	$(BIN)/python -m compileall -q src
	touch $@

run: env
	$(BIN)/archivist

test: lint types rooms unit

lint: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: env
	$(BIN)/mypy

rooms: env
	$(BIN)/lint-imports

unit: env
	$(BIN)/pytest -n $(WORKERS)

bench: env
	$(BIN)/python -m benchmarks

soak: env
	$(BIN)/pytest -n $(WORKERS) --soak -m soak tests

docs: env
	$(BIN)/python tests/docs/transcript.py

format: env
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

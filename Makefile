# Two commands from a fresh clone: `make demo` and `make test`. Everything lands in .venv; nothing is installed elsewhere.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready

.PHONY: demo test test-postgres check lint types format docs lock bench quality clean

$(READY): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

demo: $(READY)  ## run the main job on this project's own documents
	$(BIN)/weft demo $(if $(FOLDER),'$(subst ','\'',$(FOLDER))')

test: check     ## lint, types and every quick test
	$(BIN)/python -m pytest -q -m "not slow" -n auto --dist worksteal

test-postgres: $(READY)  ## the tests of verbs, tools, faces, journeys and vault once more, on PostgreSQL
	$(BIN)/python -m pytest -q -m "not slow" -n auto --dist worksteal --engine postgres \
		tests/services tests/tools tests/faces tests/journeys tests/vault

check: lint types

lint: $(READY)
	$(BIN)/ruff check src tests bench scripts
	$(BIN)/ruff format --check src tests bench scripts

types: $(READY)
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix src tests bench scripts
	$(BIN)/ruff format src tests bench scripts

docs: $(READY)  ## write the generated reference pages and stubs anew
	$(BIN)/python scripts/write_reference.py
	$(BIN)/python scripts/write_stubs.py

bench: $(READY) ## print the figures that docs/explanation/performance.md quotes
	$(BIN)/python bench/all.py

quality: $(READY)  ## measure the answers on the data sets in DATA, and write docs/explanation/quality.md
	@test -n "$(DATA)" || { echo "make quality DATA=FOLDER: which folder of data sets?" >&2; exit 2; }
	$(BIN)/python bench/quality --data "$(DATA)" --page docs/explanation/quality.md $(OPTIONS)

lock:           ## resolve requirements.lock anew from pyproject.toml (needs uv)
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --no-header --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

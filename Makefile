# Rulewalk. `make help` says what there is.
#
# Everything is set up inside the clone: Python packages in .venv, JavaScript
# packages in node_modules, what is built in build and site.

PORT ?= 8000
.DEFAULT_GOAL := help
.PHONY: help serve site test check words lighthouse bench release format lock clean

# The first Python that is new enough and can make a virtual environment.
# PYTHON=… decides it by hand.
PYTHON_IS_FIT = import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python; do \
	$$python -c '$(PYTHON_IS_FIT)' 2>/dev/null && echo $$python && break; done)
VENV := .venv/bin
PIP := $(VENV)/pip install --quiet --quiet --disable-pip-version-check

help: ## Say what make can do
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: site ## Set up, build and serve the site on this machine (PORT=8000)
	@$(VENV)/python tools/serve.py site --port $(PORT)

site: .venv/for-site node_modules/.ready ## Build the site into site/
	@$(VENV)/python tools/build.py

# Two processes share the tests, but for those that are timed or take all of the machine: these come after them.
test: check site ## Set up what tests need, run all checks and all tests
	@$(VENV)/pytest --numprocesses 2 --dist worksteal -m "not slow and not alone"; together=$$?; \
		$(VENV)/pytest -m alone && exit $$together

check: .venv/for-site .venv/for-tests node_modules/.ready ## Formatting, linting and types only
	@$(VENV)/ruff format --check --quiet . || { echo "Some Python is not formatted: run 'make format'." >&2; exit 1; }
	@$(VENV)/ruff check --quiet .
	@$(VENV)/mypy
	@node_modules/.bin/biome ci --colors=off
	@node_modules/.bin/tsc

words: .venv/for-site .venv/for-tests ## Say what is missing or wrong in the translations
	@$(VENV)/python tools/words.py

lighthouse: .venv/for-site .venv/for-tests node_modules/.ready ## Have Lighthouse judge the main pages (on a quiet machine)
	@$(VENV)/pytest -m slow tests/browser/test_lighthouse.py

bench: site .venv/for-tests .venv/for-bench ## Measure loading, sizes, memory, building and the engine, as ratios
	@$(VENV)/python tools/bench.py $(KEEP)
	@$(VENV)/python tools/bench_engine.py

release: site ## Make what a release attaches, into release/: the site as a zip, the engine's wheel
	@$(VENV)/python tools/release.py

format: .venv/for-tests node_modules/.ready ## Format Python, TypeScript and CSS, and mend what can be mended
	@$(VENV)/ruff check --fix --quiet . ; $(VENV)/ruff format --quiet .
	@node_modules/.bin/biome check --write

lock: .venv/for-tests ## Renew requirements/*.txt from requirements/*.in
	@$(PIP) uv
	@for name in site test bench; do $(VENV)/uv pip compile --universal --python-version 3.12 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet \
		requirements/$$name.in --output-file requirements/$$name.txt; done

clean: ## Remove everything that make made
	rm -rf .venv node_modules build site release

# A stamp inside each environment says that it holds what its lock file names.
.venv/locked: requirements/site.txt
	@test -n '$(PYTHON)' && $(PYTHON) -c '$(PYTHON_IS_FIT)' 2>/dev/null || { echo \
		"Rulewalk needs Python 3.12 or newer with its venv module: install one, or name one with 'make PYTHON=/path/to/python3'." >&2; exit 1; }
	@echo "Setting up Python packages in .venv …"
	@$(PYTHON) -m venv --clear .venv
	@$(PIP) --require-hashes --requirement requirements/site.txt
	@touch $@

# Our own two packages are used where they lie; only their pyproject.toml is copied.
.venv/for-site: .venv/locked engine/pyproject.toml tutorials/pyproject.toml
	@$(PIP) --no-deps --no-build-isolation --editable engine --editable tutorials
	@touch $@

.venv/for-tests: .venv/locked requirements/test.txt
	@echo "Setting up Python packages for the tests in .venv …"
	@$(PIP) --require-hashes --requirement requirements/test.txt
	@touch $@

.venv/for-bench: .venv/locked requirements/bench.txt
	@echo "Setting up what only the measurements take in .venv …"
	@$(PIP) --require-hashes --requirement requirements/bench.txt
	@touch $@

node_modules/.ready: package.json package-lock.json .npmrc
	@node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && npm --version >/dev/null 2>&1 || { echo \
		"Rulewalk needs Node.js 20 or newer with npm: install it, and see that 'node' and 'npm' are found." >&2; exit 1; }
	@echo "Setting up JavaScript packages in node_modules …"
	@npm ci --silent
	@touch $@

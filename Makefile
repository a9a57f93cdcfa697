# The commands in the README. Each sets up what it needs; only Python 3.11 or newer and make are required.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: help setup train web web-build web-check web-pictures web-fuzz quick test test-cluster test-rllib test-interop test-tianshou check soak fuzz bench validate docs docs-serve notebooks golden wheel wheel-test clean

help: ## show these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup: $(VENV)/installed ## create .venv and install everything into it

$(VENV)/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pr-env needs Python 3.11 or newer; choose one with: make PYTHON=python3.11 ...")'
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[browser,dev,docs,train,web]'
	@touch $@

train: setup ## train an agent (GAME=puerto_rico PLAYERS=3 OPTIONS="--balanced" MINUTES=10 or DECISIONS=n AGAINST=agent SEED=0 THREADS=2 ALGORITHM=selfplay OUT=folder)
	@$(RUN) -m training $(if $(GAME),--game $(GAME)) $(if $(PLAYERS),--players $(PLAYERS)) $(OPTIONS) \
		$(if $(MINUTES),--minutes $(MINUTES)) $(if $(DECISIONS),--decisions $(DECISIONS)) \
		$(foreach agent,$(AGAINST),--against $(agent)) $(if $(SEED),--seed $(SEED)) $(if $(THREADS),--threads $(THREADS)) \
		$(if $(ALGORITHM),--algorithm $(ALGORITHM)) $(if $(OUT),--out $(OUT))

web: setup ## play, watch and analyse in the browser (OPTIONS="--port 8081")
	@$(RUN) -m pr_env.cli web $(OPTIONS)

quick: setup ## run the quick tests of the rules, uncompiled, for use while you write a rule
	@NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -m "not long" tests/puerto_rico tests/port_royal

test: setup ## run all tests
	@$(RUN) -m pytest

test-cluster: setup ## install Ray and run the tests that need a cluster: two nodes on this machine (5 to 10 minutes)
	@$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cluster]'
	@PR_ENV_TEST_CLUSTER=1 $(RUN) -m pytest -n 0 tests/agents/test_ray_pool.py tests/training/test_cluster.py

RLLIB := .venv-rllib

test-rllib: $(RLLIB)/installed ## test the RLlib example in a separate environment, because RLlib needs an older Gymnasium
	@$(RLLIB)/bin/python -m pytest -o addopts= -q tests/training/test_rllib_ppo.py

$(RLLIB)/installed: pyproject.toml constraints-rllib.txt
	@echo "Setting up $(RLLIB) (once) ..."
	@$(PYTHON) -m venv $(RLLIB)
	@$(RLLIB)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-rllib.txt -e '.[rllib]' pytest
	@touch $@

test-interop: ## install OpenSpiel, TorchRL, Optuna, Polars, ... into .venv-interop and run the tests that need them
	@$(PYTHON) -m venv .venv-interop
	@.venv-interop/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -c constraints-interop.txt \
		-e '.[dev,train,openspiel,wandb,mlflow]' torchrl optuna polars pandas datasets
	@.venv-interop/bin/python -m pytest tests/test_openspiel.py tests/test_learning_examples.py tests/data tests/training/test_sinks.py

test-tianshou: ## the same for Tianshou, which needs different versions, in .venv-tianshou
	@$(PYTHON) -m venv .venv-tianshou
	@.venv-tianshou/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-tianshou.txt -e . tianshou pytest
	@.venv-tianshou/bin/python -m pytest -o addopts= -q tests/test_learning_examples.py -k tianshou

check: setup ## check lint, format and types
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy

soak: setup ## play 150,000 random games in all configurations and check every position
	@$(RUN) -m tests.puerto_rico.soak
	@$(RUN) -m tests.port_royal.soak

fuzz: setup ## make 200,000 invalid calls and corrupted files, and print the outcomes (SEED=0 CALLS=200000)
	@$(RUN) -m tests.fuzzing $(if $(CALLS),--calls $(CALLS)) $(if $(SEED),--seed $(SEED))

bench: setup ## measure speed and print a table
	@$(RUN) -m pr_env.cli bench

validate: setup ## compare simulated games with known facts about the game
	@$(RUN) -m pr_env.cli validate

# mkdocs-material advertises its successor on every run unless this is set.
docs docs-serve: export NO_MKDOCS_2_WARNING = 1

docs: setup ## generate pages and pictures from the code, and build the site into site/
	@$(RUN) docs/generate.py
	@$(RUN) -m mkdocs build --strict

docs-serve: setup ## serve the site while you write it: http://127.0.0.1:8000
	@$(RUN) -m mkdocs serve --strict --dev-addr 127.0.0.1:8000

notebooks: setup ## run all notebooks at full length and save their outputs (about 20 minutes)
	@$(RUN) notebooks/execute.py

golden: setup ## record the golden games again, after an intended change in behaviour
	@$(RUN) -m tests.puerto_rico.golden
	@$(RUN) -m tests.port_royal.golden

web-build: ## build the page into web/static from client/ (needs Node 20 or newer)
	@cd client && npm ci --silent && npm run --silent build

web-check: ## check that web/static matches the sources in client/; skipped without Node
	@if ! command -v npm >/dev/null; then echo "web-check skipped: Node is not installed"; else \
		cd client && npm ci --silent && npm run --silent build -- --outDir ../build/page --emptyOutDir --logLevel warn \
		&& diff -r ../build/page ../web/static && echo "web/static matches client/"; fi

web-pictures: setup ## take the pictures of docs/web.md (needs Chromium)
	@PYTHONPATH=. $(RUN) docs/web_pictures.py

web-fuzz: setup ## send 100,000 malformed messages to the page's server
	@$(RUN) -m tests.web.fuzz --messages 100000

wheel: setup ## build the distributions dist/*.whl and dist/*.tar.gz
	@rm -rf dist
	@PIP_CONSTRAINT=constraints.txt $(RUN) -m build

wheel-test: wheel ## install the wheel into an empty environment and use it there
	@$(RUN) -m tests.wheel

clean: ## remove the environment and all generated files
	rm -rf $(VENV) $(RLLIB) build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

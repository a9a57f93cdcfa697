# The commands of the README. Each sets itself up: a machine needs Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: help setup train web web-build web-check web-pictures web-fuzz quick test test-cluster test-rllib test-interop test-tianshou check soak fuzz bench validate docs docs-serve notebooks golden wheel wheel-test clean

help: ## show these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup: $(VENV)/installed ## create .venv and install everything into it

$(VENV)/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pr-env needs Python 3.11 or newer; say which with: make PYTHON=python3.11 ...")'
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

quick: setup ## run the quick tests of the rules, uncompiled: while a rule is being written
	@NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -m "not long" tests/puerto_rico tests/port_royal

test: setup ## run all tests
	@$(RUN) -m pytest

test-cluster: setup ## install Ray, and run the tests that need a cluster: two nodes on this machine (5 to 10 minutes)
	@$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cluster]'
	@PR_ENV_TEST_CLUSTER=1 $(RUN) -m pytest -n 0 tests/agents/test_ray_pool.py tests/training/test_cluster.py

RLLIB := .venv-rllib

test-rllib: $(RLLIB)/installed ## test the sample with RLlib, in an environment of its own: RLlib needs an older Gymnasium
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

test-tianshou: ## the same for Tianshou, which needs other versions: .venv-tianshou
	@$(PYTHON) -m venv .venv-tianshou
	@.venv-tianshou/bin/python -m pip install --quiet --disable-pip-version-check -c constraints-tianshou.txt -e . tianshou pytest
	@.venv-tianshou/bin/python -m pytest -o addopts= -q tests/test_learning_examples.py -k tianshou

check: setup ## lint, format and types
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy

soak: setup ## play 150,000 random games of all configurations and check every position of them
	@$(RUN) -m tests.puerto_rico.soak
	@$(RUN) -m tests.port_royal.soak

fuzz: setup ## make 200,000 bad calls and damaged files, and print what they end with (SEED=0 CALLS=200000)
	@$(RUN) -m tests.fuzzing $(if $(CALLS),--calls $(CALLS)) $(if $(SEED),--seed $(SEED))

bench: setup ## measure speed and print a table
	@$(RUN) -m pr_env.cli bench

validate: setup ## compare games played here with what is known of the game
	@$(RUN) -m pr_env.cli validate

# mkdocs-material advertises its successor on every run unless this is set.
docs docs-serve: export NO_MKDOCS_2_WARNING = 1

docs: setup ## write the pages and pictures that are made from the code, and build the site into site/
	@$(RUN) docs/generate.py
	@$(RUN) -m mkdocs build --strict

docs-serve: setup ## show the site while you write it: http://127.0.0.1:8000
	@$(RUN) -m mkdocs serve --strict --dev-addr 127.0.0.1:8000

notebooks: setup ## run all notebooks as they are meant and save their outputs (about 20 minutes)
	@$(RUN) notebooks/execute.py

golden: setup ## write the golden games anew, when a change of behaviour is meant
	@$(RUN) -m tests.puerto_rico.golden
	@$(RUN) -m tests.port_royal.golden

web-build: ## build the page into web/static from client/ (needs Node 20 or newer)
	@cd client && npm ci --silent && npm run --silent build

web-check: ## whether web/static is what client/ gives; skipped without Node
	@if ! command -v npm >/dev/null; then echo "web-check skipped: there is no Node here"; else \
		cd client && npm ci --silent && npm run --silent build -- --outDir ../build/page --emptyOutDir --logLevel warn \
		&& diff -r ../build/page ../web/static && echo "web/static is what client/ gives"; fi

web-pictures: setup ## take the pictures of docs/web.md (needs Chromium)
	@PYTHONPATH=. $(RUN) docs/web_pictures.py

web-fuzz: setup ## send 100,000 malformed messages to the page's server
	@$(RUN) -m tests.web.fuzz --messages 100000

wheel: setup ## build the distribution, dist/*.whl and dist/*.tar.gz
	@rm -rf dist
	@PIP_CONSTRAINT=constraints.txt $(RUN) -m build

wheel-test: wheel ## install the wheel into an empty environment and use it there
	@$(RUN) -m tests.wheel

clean: ## remove the environment and everything that was made
	rm -rf $(VENV) $(RLLIB) build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

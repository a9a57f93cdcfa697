# The commands of the README. Each sets itself up: a machine needs Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

.PHONY: help test-interop test-tianshou setup train test test-cluster check soak bench validate docs docs-serve notebooks golden wheel wheel-test clean

help: ## show these commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup: $(VENV)/installed ## create .venv and install everything into it

$(VENV)/installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pr-env needs Python 3.11 or newer; say which with: make PYTHON=python3.11 ...")'
	@echo "Setting up $(VENV) (once) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip uninstall --quiet --yes --disable-pip-version-check pr-env 2>/dev/null # as it was once called
	@$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,docs,train]'
	@touch $@

train: setup ## train an agent (GAME=puerto_rico PLAYERS=3 OPTIONS="--balanced" MINUTES=10 or DECISIONS=n AGAINST=agent SEED=0 THREADS=2 ALGORITHM=selfplay OUT=folder)
	@$(RUN) -m training $(if $(GAME),--game $(GAME)) $(if $(PLAYERS),--players $(PLAYERS)) $(OPTIONS) \
		$(if $(MINUTES),--minutes $(MINUTES)) $(if $(DECISIONS),--decisions $(DECISIONS)) \
		$(foreach agent,$(AGAINST),--against $(agent)) $(if $(SEED),--seed $(SEED)) $(if $(THREADS),--threads $(THREADS)) \
		$(if $(ALGORITHM),--algorithm $(ALGORITHM)) $(if $(OUT),--out $(OUT))

test: setup ## run all tests
	@$(RUN) -m pytest

test-cluster: setup ## install Ray, and run the tests that need a cluster: two nodes on this machine (about 5 minutes)
	@$(RUN) -m pip uninstall --quiet --yes --disable-pip-version-check pr-env 2>/dev/null # as it was once called
	@$(RUN) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[cluster]'
	@PR_ENV_TEST_CLUSTER=1 $(RUN) -m pytest -n 0 tests/agents/test_ray_pool.py tests/training/test_cluster.py

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

wheel: setup ## build the distribution, dist/*.whl and dist/*.tar.gz
	@rm -rf dist
	@PIP_CONSTRAINT=constraints.txt $(RUN) -m build

wheel-test: wheel ## install the wheel into an empty environment and use it there
	@$(RUN) -m tests.wheel

clean: ## remove the environment and everything that was made
	rm -rf $(VENV) build dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

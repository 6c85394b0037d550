# `make help` lists the targets. The checks themselves are in noxfile.py.

# A Python to start from can be named: make test PYTHON=/path/to/python3.12
PYTHON ?=
# What torture draws its faults from, and mutate its changes.
SEED ?= 1
# How many changes mutate tries, and in which files below plugins/module_utils: make mutate FILES="_planning/plan.py _resources/*"
COUNT ?= 150
FILES ?= *
# How many checks run side by side.
JOBS ?= 2
# The one ansible-core to check with, such as 2.19, or devel: make unit CORE=2.19
CORE ?=
export CORE
# How the user has Python and nox run is not how the checks run: neither with modules from elsewhere, nor without
# bytecode, where each of some hundred processes would compile all that it imports anew.
unexport $(filter PYTHON% NOX% VIRTUALENV_%,$(.VARIABLES))
# Nox takes one of the two only.
unexport $(if $(NO_COLOR),FORCE_COLOR)

# Checked only where this starts. Nox finds the interpreters for the rest by itself.
# Nox looks for a home folder. Where the user is in no list of users, as in some containers, it would find none.
ifndef HOME
export HOME := /nonexistent
endif

# psutil is for what has to be stopped.
NOX_REQUIREMENTS := nox==2026.10.20 psutil==7.2.2
NOX := .venv/bin/python -m nox

.DEFAULT_GOAL := help
.PHONY: help demo test bench torture service lint format docs changelog package sanity unit service-tests molecule
.PHONY: mutate cores pre-commit release publish clean

help: ## List the targets
	@awk -F ': .*## ' '/^[a-z-]+:.* ## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

demo: .venv/ready ## Watch it work: the demo playbook, four times, on a reference service of its own
	@$(NOX) -s demo

test: .venv/ready ## Run all checks and tests, on every supported Python found here
	@$(NOX) --parallel $(JOBS)

service: .venv/ready ## Start the reference service on 127.0.0.1:8600, until Ctrl-C
	@$(NOX) -s serve

lint: .venv/ready ## Check style, types and playbooks
	@$(NOX) -s lint

format: .venv/ready ## Format the Python code
	@$(NOX) -s format

docs: .venv/ready ## Check the documentation and the changelog, and build the site
	@$(NOX) -s docs

changelog: .venv/ready ## Bring the changelog up to date: fragments, and plugins that are new
	@$(NOX) -s changelog

package: .venv/ready ## Build the archive, check it as Galaxy does, and run the demo out of it
	@$(NOX) -s package

unit sanity: export WHOLE = 1

sanity: .venv/ready ## Run ansible-test sanity on each ansible-core
	@$(NOX) --parallel $(JOBS) -s sanity

unit: .venv/ready ## Run the collection's own tests on each ansible-core
	@$(NOX) --parallel $(JOBS) -s tests

service-tests: .venv/ready ## Run the reference service's own tests
	@$(NOX) -s service_tests

bench: .venv/ready ## Time it against what one would use instead, and write docs/benchmarks.md (half an hour)
	@$(NOX) -s bench

torture: .venv/ready ## Try every fault at every request, and write docs/torture.md (half an hour; SEED=n for other faults)
	@$(NOX) -s torture -- $(SEED)

mutate: .venv/ready ## Change the core in small ways and show what no test notices (an hour; SEED=n COUNT=n JOBS=n)
	@exec $(NOX) -s mutate -- --seed $(SEED) --count $(COUNT) --jobs $(JOBS) --files $(foreach one,$(FILES),'$(one)')

molecule: .venv/ready ## Run the roles' scenarios
	@$(NOX) -s molecule

cores: .venv/ready ## Print the supported ansible-cores as JSON
	@$(NOX) -s cores

pre-commit: .venv/ready ## Run what git runs before each commit, once it is installed (see CONTRIBUTING.md)
	@$(NOX) -s pre_commit

release: .venv/ready ## Build the archive of a release into dist/: make release VERSION=1.0.0
	@exec $(NOX) -s release -- "$(VERSION)"

publish: .venv/ready ## Hand the archive in dist/ to Galaxy, with the token in GALAXY_TOKEN
	@$(NOX) -s publish

clean: ## Remove what the targets above have made
	rm -rf build dist .venv .nox .ansible .hypothesis .mypy_cache .pytest_cache .ruff_cache

# Each candidate is run, not just looked for: a version manager's shim is found even where its Python is not.
.venv/ready: Makefile
	@test -w . || { \
	    echo "$$PWD: everything is installed into .venv and .nox in this folder, but it cannot be written to." >&2; \
	    exit 1; \
	}
	@for python in $(if $(PYTHON),"$(PYTHON)") python3 python3.13 python3.12 python3.11 python3.14 \
	        "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/3.*/bin/python; do \
	    if "$$python" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        echo "Making .venv with $$("$$python" --version) ($$python)"; \
	        "$$python" -m venv --clear .venv \
	            && .venv/bin/python -m pip install --quiet --disable-pip-version-check $(NOX_REQUIREMENTS) \
	            && touch $@; \
	        exit; \
	    fi; \
	done; \
	echo "Python 3.11 or newer, with its venv module, is needed (on Debian and Ubuntu: the package python3-venv)." >&2; \
	echo "If it has another name than python3: make PYTHON=/path/to/python ..." >&2; \
	exit 1

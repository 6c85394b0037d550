# `make help` lists the targets. The checks themselves are in noxfile.py.

# The Python that creates .venv: make test PYTHON=/path/to/python3.12
PYTHON ?=
# The seed for the errors that torture injects, and for the changes of mutate.
SEED ?= 1
# The number of changes that mutate makes, and the files below plugins/module_utils to change: make mutate FILES="_planning/plan.py _resources/*"
COUNT ?= 150
FILES ?= *
# The number of checks that run in parallel: three with four processors or more, because some of them wait a lot.
JOBS ?= $(if $(filter 1 2 3,$(shell getconf _NPROCESSORS_ONLN || echo 1)),2,3)
# The only ansible-core to check with, such as 2.19, or devel: make unit CORE=2.19
CORE ?=
export CORE
# How the user has Python and nox run is not how the checks run: neither with modules from elsewhere, nor without
# bytecode, where each of some hundred processes would compile everything that it imports.
unexport $(filter PYTHON% NOX% VIRTUALENV_%,$(.VARIABLES)) UV UV_PYTHON UV_SYSTEM_PYTHON
# Nox takes one of the two only.
unexport $(if $(NO_COLOR),FORCE_COLOR)

# Only the Python that starts nox is checked. Nox finds the interpreters for the rest by itself.
# Nox looks for a home folder. Where the user is in no list of users, as in some containers, it would find none.
ifndef HOME
export HOME := /nonexistent
endif

# psutil stops what a target has started.
NOX_REQUIREMENTS := nox==2026.10.20 psutil==7.2.2
# uv installs packages in a tenth of the time of pip, which is used if uv has no program for the system.
UV_REQUIREMENT := uv==0.13.9
NOX_PIP := .venv/bin/python -m pip install --quiet --disable-pip-version-check
NOX := .venv/bin/python -m nox

.DEFAULT_GOAL := help
.PHONY: help demo test test-all bench torture service lint format docs changelog package sanity unit service-tests molecule
.PHONY: archive awx browser events mutate cores pre-commit release sign publish clean

help: ## List the targets
	@awk -F ': .*## ' '/^[a-z-]+:.* ## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

demo: .venv/ready ## Run the demo playbook four times, against a reference service of its own
	@$(NOX) -s demo

test: .venv/ready ## Run what a change needs: all checks, with the newest ansible-core and the oldest
	@$(NOX) --parallel $(JOBS)

test-all: .venv/ready ## Run everything with every supported core, before a release (hours)
	@$(NOX) --parallel $(JOBS)

service: .venv/ready ## Run the reference service on 127.0.0.1:8600, until Ctrl-C
	@$(NOX) -s serve

lint: .venv/ready ## Check the style, types, and playbooks
	@$(NOX) -s lint

format: .venv/ready ## Write the generated parts of files, and format the Python code
	@$(NOX) -s format

docs: .venv/ready ## Check the documentation and the changelog, and build the site
	@$(NOX) -s docs

changelog: .venv/ready ## Update the changelog from the fragments and the new plugins
	@$(NOX) -s changelog

package: .venv/ready ## Build the archive, check it as Galaxy does, and run its demo
	@$(NOX) -s package

# `make test` has ten minutes for everything. The others leave nothing out.
test-all unit sanity service-tests molecule package lint docs events browser mutate: export WHOLE = 1

sanity: .venv/ready ## Run ansible-test sanity with each ansible-core
	@$(NOX) --parallel $(JOBS) -s sanity

unit: .venv/ready ## Run the tests of the collection with each ansible-core
	@$(NOX) --parallel $(JOBS) -s tests

service-tests: .venv/ready ## Run the tests of the reference service
	@$(NOX) -s service_tests

bench: .venv/ready ## Run the benchmarks and write docs/contributing/benchmarks.md (half an hour)
	@$(NOX) -s bench

torture: .venv/ready ## Inject every error at every request, and write docs/contributing/torture.md (an hour; SEED=n for others)
	@$(NOX) -s torture -- $(SEED)

mutate: .venv/ready ## Show small changes to the core that no test detects (an hour; SEED=n COUNT=n JOBS=n)
	@exec $(NOX) -s mutate -- --seed $(SEED) --count $(COUNT) --jobs $(JOBS) --files $(foreach one,$(FILES),'$(one)')

events: .venv/ready ## Run the rulebooks with ansible-rulebook, if Java 17 is installed
	@$(NOX) -s events

browser: .venv/ready ## Test the page of reports in Chromium, if it is installed
	@$(NOX) -s browser

awx: ## Show how to check the files for AWX with a real one, manually
	@cat docs/contributing/real_awx.md

molecule: .venv/ready ## Run the scenarios of the roles
	@$(NOX) -s molecule

cores: .venv/ready ## Print the supported ansible-cores as JSON
	@$(NOX) -s cores

pre-commit: .venv/ready ## Run the checks that git runs before each commit (see CONTRIBUTING.md)
	@$(NOX) -s pre_commit

release: .venv/ready ## Build the archive of a release into dist/: make release VERSION=1.0.0
	@exec $(NOX) -s release -- "$(VERSION)"

archive: .venv/ready ## Build the archive of the current commit into dist/, with its bill of materials and checksums
	@$(NOX) -s archive

sign: ## Sign the archive in dist/ with your GnuPG key, or with KEY=<fingerprint>
	gpg --armor --detach-sign $(if $(KEY),--local-user "$(KEY)") --yes --output dist/MANIFEST.json.asc dist/MANIFEST.json

publish: .venv/ready ## Publish the archive in dist/ on Galaxy, with the token in GALAXY_TOKEN
	@$(NOX) -s publish

clean: ## Remove everything that the other targets have created
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
	            && { $(NOX_PIP) --only-binary uv $(NOX_REQUIREMENTS) $(UV_REQUIREMENT) || $(NOX_PIP) $(NOX_REQUIREMENTS); } \
	            && touch $@; \
	        exit; \
	    fi; \
	done; \
	echo "Python 3.11 or newer, with its venv module, is needed (on Debian and Ubuntu: the package python3-venv)." >&2; \
	echo "If it has another name than python3: make PYTHON=/path/to/python ..." >&2; \
	exit 1

# `make help` lists the targets. What they do is in noxfile.py.

# The Python that creates .venv: make test PYTHON=/path/to/python3.12
PYTHON ?=
# The seed for the errors that torture injects, and for the changes of mutate.
SEED ?= 1
# The number of changes that mutate makes, and the files below plugins/module_utils to change: make mutate FILES="_planning/plan.py _resources/*"
COUNT ?= 150
FILES ?= *
# The number of checks that run in parallel: three with four processors or more, because some of them wait a lot.
JOBS ?= $(if $(filter 1 2 3,$(shell getconf _NPROCESSORS_ONLN || echo 1)),2,3)
# How the user has Python and nox run is not how the checks run: neither with modules from elsewhere, nor without
# bytecode, where each of some hundred processes would compile everything that it imports.
unexport $(filter PYTHON% NOX% VIRTUALENV_%,$(.VARIABLES)) UV UV_PYTHON UV_SYSTEM_PYTHON
# Nox takes one of the two only.
unexport $(if $(NO_COLOR),FORCE_COLOR)

NOX := .venv/bin/python -m nox
# psutil stops what a target has started.
REQUIREMENTS := nox==2026.10.20 psutil==7.2.2 uv==0.13.9

.DEFAULT_GOAL := help
SESSIONS := demo service lint format docs service-tests molecule package events browser bench torture mutate \
    changelog archive release publish
.PHONY: help test test-all unit sanity sign clean $(SESSIONS)

help: ## List the targets
	@awk -F ': .*## ' '/^[a-z-]+:.* ## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

test: ## Run what a change needs: all checks, with the newest ansible-core and the oldest
test-all: ## Run everything with every supported core, before a release (hours)
unit: ## Run the tests of the collection with each ansible-core, or with one: CORE=2.19, or devel
sanity: ## Run ansible-test sanity with each ansible-core, or with one
demo: ## Run the demo playbook four times, against a reference service of its own
service: ## Run the reference service on 127.0.0.1:8600, until Ctrl-C
lint: ## Check the style, types, and playbooks
format: ## Write the generated parts of files, and format the Python code
docs: ## Check the documentation and the changelog, and build the site
service-tests: ## Run the tests of the reference service
molecule: ## Run the scenarios of the roles
package: ## Build the archive, check it as Galaxy does, and run its demo
events: ## Run the rulebooks with ansible-rulebook, if Java 17 is installed
browser: ## Test the page of reports in Chromium, if it is installed
bench: ## Run the benchmarks and write docs/contributing/benchmarks.md (half an hour)
torture: ## Inject every error at every request, and write docs/contributing/torture.md (two hours; SEED=n for others)
mutate: ## Show small changes to the core that no test detects (hours; SEED=n COUNT=n JOBS=n)
changelog: ## Update the changelog from the fragments and the new plugins
archive: ## Build the archive of the current commit into dist/, with its bill of materials and checksums
release: ## Build the archive of a release into dist/: make release VERSION=1.0.0
publish: ## Publish the archive in dist/ on Galaxy, with the token in GALAXY_TOKEN

unit: CHOSEN = -s tests
sanity: CHOSEN = -s sanity
torture: ARGUMENTS = $(SEED)
mutate: ARGUMENTS = --seed $(SEED) --count $(COUNT) --jobs $(JOBS) --files $(foreach one,$(FILES),'$(one)')
release: ARGUMENTS = "$(VERSION)"
# `make test` has ten minutes for everything. The others leave nothing out.
test-all unit sanity service-tests molecule package lint docs events browser mutate: export WHOLE = 1

test test-all unit sanity: .venv/ready
	@exec $(NOX) --parallel $(JOBS) $(CHOSEN)

$(SESSIONS): .venv/ready
	@exec $(NOX) -s $(subst -,_,$@) -- $(ARGUMENTS)

sign: ## Sign the archive in dist/ with your GnuPG key, or with KEY=<fingerprint>
	gpg --armor --detach-sign $(if $(KEY),--local-user "$(KEY)") --yes --output dist/MANIFEST.json.asc dist/MANIFEST.json

clean: ## Remove everything that the other targets have created
	rm -rf build dist .venv .nox .ansible .hypothesis .mypy_cache .pytest_cache .ruff_cache

# Each candidate is run, not just looked for: a version manager's shim is found even where its Python is not.
.venv/ready: Makefile
	@for python in $(if $(PYTHON),"$(PYTHON)") python3 python3.13 python3.12 python3.11 python3.14; do \
	    if "$$python" -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	        "$$python" -m venv --clear .venv \
	            && .venv/bin/python -m pip install --quiet --disable-pip-version-check $(REQUIREMENTS) && touch $@; \
	        exit; \
	    fi; \
	done; \
	echo "Python 3.11 or newer, with its venv module, is needed (on Debian and Ubuntu: the package python3-venv)." >&2; \
	echo "If it has another name than python3: make PYTHON=/path/to/python ..." >&2; \
	exit 1

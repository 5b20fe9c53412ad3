# make play          the whole site on this machine: http://localhost:8000    (PORT=… for another port)
# make test          tests that need neither a browser nor a whole site       (ARGS="-k name" goes to pytest)
# make test-sqlite   tests that depend on the database, on SQLite             (ARGS="-k name" goes to pytest)
# make e2e           tests with browsers and whole sites                      (ARGS="-k name" goes to pytest)
# make safety        kills, outages, races, leaks, hostile input, each once   (ARGS="-k name" goes to pytest)
# make proof         all long runs, for hours; most of them resume
# make proof-tests   the tests among the long runs                            (ARGS="-k name" goes to pytest)
# make fast          compile rules and bots, which then play the same games about twice as fast
# make plain         take the compiled files away
# make stack         the site as in production, with PostgreSQL and Redis, until Ctrl-C
# make backup-check  restore a copy of the database and compare it            (GAMES=…)
# make races         many players at the same moment; resumes                 (ROUNDS=…)
# make hostile       bad requests to every address, by every kind of user; resumes      (REQUESTS=…, SEED=…)
# make leaks         whole games, every answer compared with a twin game; resumes       (GAMES=…, SHARE=12 for a twelfth)
# make check         style, types, templates, Dockerfile, migrations, import order
# make bench         how fast rules, bots and pages are                       (ONLY=name for one part)
# make load          how many players and sockets the site bears              (ONLY=players|home|sockets|live|scale|soak, SOAK=minutes)
# make fuzz          random games against the rules                           (GAMES=… or MOVES=…, SYSTEM=…)
# make chaos         kills and outages while people play, for hours; resumes  (KILLS=… LARGER=… REDIS=… POSTGRES=… times, MAIL=… minutes)
# make soak          bots against the rules                                   (GAMES=…, SYSTEM=…)
# make flow          how long correspondence games take, as lines of JSON     (GAMES=…)
# make mail-month    a month of mail to members who play by it, with outages  (MEMBERS=…, DAYS=…, SEED=…)
# make ladder        how strong the bots are: plays for hours and writes docs/bots.md
# make settings-page write docs/settings.md from the table of settings
# make lock          pin the newest compatible dependencies into requirements/*.txt

PORT ?= 8000
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --disable-pip-version-check
UV := $(PY) -m uv pip install --python $(PY)
PINNED := --quiet --require-hashes --only-binary :all:
# http-ece comes as source only: it is built with the pinned setuptools of requirements/build.txt.
BUILD := --no-binary http-ece --no-build-isolation
COMPILE := $(PY) -m uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links

.PHONY: play fast plain stack test test-sqlite e2e safety proof proof-tests races hostile leaks backup-check check bench load fuzz \
	chaos soak flow mail-month ladder settings-page lock
.NOTPARALLEL:
.DELETE_ON_ERROR:

play: $(VENV)/app
	@$(PY) manage.py play --port $(PORT)

fast: $(VENV)/dev plain
	@$(PY) manage.py compile_engine

plain:
	@find games -name '*.so' -delete
	@rm -f acquire_*__mypyc.*.so

test: $(VENV)/test
	@$(PY) -m tests.tools.run_tests test $(ARGS)

test-sqlite: $(VENV)/test
	@$(PY) -m tests.tools.run_tests sqlite $(ARGS)

e2e: $(VENV)/test
	@$(PY) -m tests.tools.run_tests e2e $(ARGS)

safety: $(VENV)/test
	@$(PY) -m tests.tools.run_tests safety $(ARGS)

# From the short to the long. `make -k proof` goes on after a failure.
proof: proof-tests backup-check flow mail-month fuzz hostile leaks races soak chaos

proof-tests: $(VENV)/test
	@$(PY) -m tests.tools.run_tests proof $(ARGS)

stack: $(VENV)/test
	@$(PY) -m tests.tools.production_stack

backup-check: $(VENV)/test
	@BACKUP_GAMES=$(or $(GAMES),500) $(PY) -m tests.tools.run_tests safety -s -k test_database_backup $(ARGS)

races: $(VENV)/test
	@$(PY) -m tests.tools.race_runs $(if $(ROUNDS),--rounds $(ROUNDS)) $(ARGS)

leaks: $(VENV)/test
	@$(PY) -m tests.safety.leaks $(if $(GAMES),--games $(GAMES)) $(if $(SHARE),--share $(SHARE)) $(ARGS)

check: $(VENV)/dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m djlint --check --lint --quiet templates
	$(PY) -m djlint --check --lint --quiet templates/jinja2
	$(VENV)/bin/hadolint Dockerfile
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) -m pytest -q -p no:cacheprovider tests/test_import_order.py tests/test_docstrings.py

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
		$(if $(POSTGRES),--postgres $(POSTGRES)) $(if $(MAIL),--mail $(MAIL)) $(if $(LARGER),--larger $(LARGER)) $(ARGS)

soak: $(VENV)/test
	@$(PY) -m tests.tools.bot_soak $(if $(GAMES),--games $(GAMES)) $(if $(SYSTEM),--system $(SYSTEM)) $(ARGS)

flow: $(VENV)/test
	@$(PY) -m tests.tools.game_length_simulation $(if $(GAMES),--games $(GAMES)) $(ARGS)

mail-month: $(VENV)/test
	@$(PY) -m tests.tools.mail_month_simulation $(if $(MEMBERS),--members $(MEMBERS)) $(if $(DAYS),--days $(DAYS)) \
		$(if $(SEED),--seed $(SEED)) $(ARGS)

ladder: $(VENV)/app
	@$(PY) manage.py ladder $(ARGS)

settings-page: $(VENV)/app
	@$(PY) -m tests.tools.settings_page

# Each set is pinned to the versions of the one before, so that they never disagree.
lock: $(VENV)/dev
	$(COMPILE) --group build -o requirements/build.txt
	$(COMPILE) --group installer -o requirements/uv.txt
	$(COMPILE) pyproject.toml -o requirements/app.txt
	$(COMPILE) pyproject.toml --group test -c requirements/app.txt -o requirements/test.txt
	$(COMPILE) pyproject.toml --group dev -c requirements/test.txt -c requirements/uv.txt -o requirements/dev.txt
	$(COMPILE) pyproject.toml --extra monitoring -c requirements/app.txt -o requirements/monitoring.txt

# uv installs a set four times as fast as pip, which installs where uv has no program or finds no packages.
define install
	@$(PIP) $(PINNED) -r requirements/build.txt
	@{ $(PIP) $(PINNED) -r requirements/uv.txt && $(UV) $(PINNED) $(BUILD) -r $(1); } 2>/dev/null || \
		$(PIP) $(PINNED) $(BUILD) -r $(1)
endef

# A stamp file says that a set is installed. A larger set holds the smaller ones.
$(VENV)/app: requirements/app.txt $(VENV)/made
	@echo "Installing what the site needs …"
	$(call install,$<)
	@touch $@

$(VENV)/test: requirements/test.txt $(VENV)/made
	@echo "Installing what the tests need …"
	$(call install,$<)
	@touch $(VENV)/app $@

$(VENV)/dev: requirements/dev.txt $(VENV)/made
	@echo "Installing what the checks need …"
	$(call install,$<)
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

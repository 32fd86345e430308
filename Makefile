# Two commands for a stranger: `make demo` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
JOBS   ?= 2
TESTS  ?= tests

export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

native_sources := $(shell find core bindings tests_cpp -name '*.?pp') CMakeLists.txt pyproject.toml

.PHONY: help demo test test-peers test-all-ran test-long test-cpp lint types bench docs docs-serve docs-check docs-test asan tsan golden consumers stubs pictures screenshots conformance clean

help:
	@echo "make demo         chains of views, a language model's answer, the experiment of copies against views"
	@echo "make test         lint, types, C++ tests, Python tests, doctests"
	@echo "make test-peers   the same tables against an installed PyTorch; the explorer in a browser"
	@echo "make test-long    one million random view-and-write programs, 100,000 chains of the explorer"
	@echo "make docs         the site, into build/site; make docs-serve shows it, make docs-test runs its examples"
	@echo "make bench        every benchmark against NumPy and PyTorch (QUICK=1: small; BENCH=copies: one)"
	@echo "make conformance  the array API's public suite, SUITE=path to it (docs/array-api.md)"
	@echo "make screenshots  site, explorer, notebook and report as the docs show them (needs chromium)"
	@echo "make consumers    runs other libraries on tensors and writes the table of docs/exchange.md"
	@echo "make lint types test-cpp asan tsan golden stubs pictures clean"

# ---- environment ----

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# What is installed stands in pyproject.toml alone.
$(VENV)/tools.stamp: pyproject.toml | $(BIN)/python
	$(BIN)/python tools/requirements.py requires dependencies test > $(VENV)/tools.txt
	$(BIN)/pip install --quiet -r $(VENV)/tools.txt "cmake>=3.20" ninja
	@touch $@

# An editable install: Python files are used as they lie, the extension is rebuilt when C++ changes. The C++
# tests are built on the way, from the same objects.
$(VENV)/build.stamp: $(native_sources) | $(VENV)/tools.stamp
	$(BIN)/pip install --quiet --no-build-isolation --no-deps \
	  --config-settings=cmake.define.STRIDED_TESTS=ON --config-settings=cmake.define.STRIDED_WERROR=ON --editable .
	@touch $@

$(VENV)/peers.stamp: pyproject.toml | $(VENV)/build.stamp
	$(BIN)/python tools/requirements.py peers > $(VENV)/peers.txt
	$(BIN)/pip install --quiet -r $(VENV)/peers.txt
	@touch $@

$(VENV)/docs.stamp: pyproject.toml | $(VENV)/build.stamp
	$(BIN)/python tools/requirements.py docs > $(VENV)/docs.txt
	$(BIN)/pip install --quiet -r $(VENV)/docs.txt
	@touch $@

$(VENV)/consumers.stamp: pyproject.toml | $(VENV)/peers.stamp
	$(BIN)/python tools/requirements.py consumers > $(VENV)/consumers.txt
	$(BIN)/pip install --quiet -r $(VENV)/consumers.txt
	@touch $@

# ---- the two commands ----

demo: $(VENV)/build.stamp
	$(BIN)/python -m strided.demo
	@echo
	$(BIN)/python examples/qwen3_by_hand.py --story

test: lint types test-cpp $(VENV)/build.stamp
	$(BIN)/python -m pytest -q -n $(JOBS) -m "not peers" --strict-skips=plain $(TESTS)

# ---- the parts ----

lint: $(VENV)/tools.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tools/check_words.py
	$(BIN)/codespell --skip "*.so,*.json,*.svg,*.png,*.pyc,tests/golden" \
	  --ignore-words-list fro,nin,abd,atleast,atmost,kinf,positionof,froms,geneate,trian,modle \
	  *.md docs src core bindings benchmarks examples tools tests tests_cpp

types: $(VENV)/build.stamp
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/python -m mypy.stubtest strided._native --allowlist tests/stubtest_allowlist.txt \
	  --ignore-unused-allowlist

# The stubs are written from signatures kept elsewhere; tests/project/test_stubs.py compares.
stubs: $(VENV)/build.stamp
	$(BIN)/python tools/make_stubs.py

# The pictures of README and docs; tests/inspect/test_draw.py compares.
pictures: $(VENV)/build.stamp
	$(BIN)/python tools/make_pictures.py

test-cpp: $(VENV)/build.stamp
	@for tests in build/cp*/strided_tests; do $$tests || exit 1; done

test-peers: $(VENV)/peers.stamp $(VENV)/consumers.stamp
	$(BIN)/python -m pytest -q -m peers --strict-skips=peers tests

# After both: every test ran in one of them, or stands in tests/support/allowed_skips.py.
test-all-ran:
	$(BIN)/python tools/every_test.py build/tests-plain.txt build/tests-peers.txt

test-long: $(VENV)/peers.stamp
	STRIDED_TWIN_PROGRAMS=1000000 $(BIN)/python -m pytest -q -n $(JOBS) tests/ops/test_view_programs.py
	STRIDED_EXPLORER_CHAINS=100000 $(BIN)/python -m pytest -q -n $(JOBS) -m peers tests/explorer/test_page_engine.py

# Every benchmark, one process each; then docs/benchmarks.md and README's tables. QUICK=1 is a smoke test.
bench: $(VENV)/peers.stamp
	$(BIN)/python benchmarks/run_all.py $(if $(QUICK),--quick) $(BENCH)

# The site. Nothing is loaded from elsewhere, neither while it is built nor when it is read. A link that
# leads nowhere and a page without a place in the navigation stop the build.
docs: $(VENV)/docs.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "open build/site/index.html"

# The built site: links, accessibility and search, in a chromium.
docs-check: $(VENV)/docs.stamp $(VENV)/peers.stamp
	$(BIN)/python -m pytest -q -m peers tests/project/test_site.py

docs-serve: $(VENV)/docs.stamp
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --strict

# Every example of the pages and docstrings runs, and the reference has every name.
docs-test: $(VENV)/build.stamp
	$(BIN)/python -m pytest -q -n $(JOBS) -m "not peers" tests/project/test_docs.py \
	  tests/project/test_docstrings.py tests/project/test_reference_pages.py tests/project/test_reference_tables.py

# The tests on builds with assertions that stop at the first bad memory access, undefined behaviour or data race.
# QUICK=1: the loops of one instruction set, a share of the tests.
asan: $(VENV)/tools.stamp
	JOBS=$(JOBS) $(BIN)/python tools/run_sanitized.py address $(if $(QUICK),--quick)

tsan: $(VENV)/tools.stamp
	JOBS=$(JOBS) $(BIN)/python tools/run_sanitized.py thread $(if $(QUICK),--quick)

# The table of docs/exchange.md: every program is run.
consumers: $(VENV)/consumers.stamp
	$(BIN)/python tools/make_consumers.py

golden: $(VENV)/peers.stamp
	$(BIN)/python -m tests.support.record_torch
	$(BIN)/python -m tests.support.record_gradients
	$(BIN)/python -m tests.support.record_training
	$(BIN)/python tools/record_torch_names.py

# The array API's public suite, kept outside of this repository. Times are not its subject: no deadline.
EXAMPLES ?= 200

$(VENV)/conformance.stamp: pyproject.toml | $(VENV)/build.stamp
	$(BIN)/pip install --quiet "hypothesis>=6.151" "ndindex>=1.8" pytest-json-report
	@touch $@

conformance: $(VENV)/conformance.stamp
	@test -d "$(SUITE)/array_api_tests" || { echo "SUITE=path to a clone of data-apis/array-api-tests" \
	  "with its submodule: see docs/array-api.md"; exit 1; }
	cd "$(SUITE)" && ARRAY_API_TESTS_MODULE=strided $(abspath $(BIN))/python -m pytest -q \
	  --max-examples $(EXAMPLES) --disable-deadline array_api_tests

# The site, the explorer, a report: in a real browser (chromium of the system, or CHROMIUM=path); notebooks in
# a real JupyterLab.
screenshots: $(VENV)/peers.stamp $(VENV)/docs.stamp
	$(BIN)/python tools/requirements.py screenshots > $(VENV)/screenshots.txt
	$(BIN)/pip install --quiet -r $(VENV)/screenshots.txt
	$(BIN)/python tools/screenshots.py

clean:
	rm -rf $(VENV) build dist

# Two commands matter: `make demo` shows the whole job, `make test` passes the tests. Each installs what it needs.

DEPS := pkg-config libcurl4-openssl-dev libsqlite3-dev libyaml-dev libre2-dev libsimdjson-dev libmicrohttpd-dev \
	libcmark-gfm-dev libcmark-gfm-extensions-dev libcairo2-dev openssl
SOURCES := Package.swift Sources Tests Benchmarks contrib/fuzz
DEMO_ARGUMENTS ?=
CHAOS_SECONDS ?= 720
CHAOS_SEED ?=
SERVICES ?= $(CURDIR)/.build/services

.PHONY: build demo test test-services chaos bench bench-peers fuzz abi lint format install-deps clean

build: install-deps
	swift build -c release --product zimmer-bot

# Builds the tests too, so that `make test` afterwards has nothing left to compile.
demo: install-deps
	swift build --build-tests
	"$$(swift build --show-bin-path)/zimmer-bot" demo $(DEMO_ARGUMENTS)

# A few at a time: all at once each would wait for all others, and those that wait for a server would run out of time.
test: install-deps
	swift test --disable-xctest --experimental-maximum-parallelization-width 8 \
		--skip ServiceTests --skip ChaosTests

# The same adapters against a real Synapse, InspIRCd and Atheme on loopback; the first time fetches them (about 300 MB).
test-services: install-deps
	CHAT_SERVICES_CACHE="$(SERVICES)" ./contrib/services/install.sh synapse ircd clients peers
	CHAT_SERVICES_CACHE="$(SERVICES)" swift test --disable-xctest --experimental-maximum-parallelization-width 4 \
		--filter ServiceTests

# The real program under `kill -9` and a bad network, for CHAOS_SECONDS; CHAOS_SEED shows the same faults again.
chaos: install-deps
	CHAOS_SECONDS="$(CHAOS_SECONDS)" CHAOS_SEED="$(CHAOS_SEED)" swift test --disable-xctest --filter ChaosTests

bench: install-deps
	swift build -c release --product Benchmarks
	CHAT_SERVICES_CACHE="$(SERVICES)" "$$(swift build -c release --show-bin-path)/Benchmarks"

# The same conditions with other implementations of CEL, from Python's package index.
bench-peers: install-deps
	swift build -c release --product Benchmarks
	./contrib/bench-peers/run "$$(swift build -c release --show-bin-path)/Benchmarks" .build

# Expressions made at random, for FUZZ_SECONDS (120) each: none may trap, hang or come to two values.
fuzz: install-deps
	./contrib/fuzz/run

# A plugin is refused unless it was built against the same AdapterKit: this hash says which one that is.
abi:
	./contrib/abi-fingerprint

lint: install-deps
	./contrib/abi-fingerprint --check
	swift format lint --strict --recursive --parallel $(SOURCES)

format:
	swift format --in-place --recursive --parallel $(SOURCES)

install-deps:
	@./contrib/install-deps $(DEPS)

clean:
	swift package clean

# The two commands to know: `make demo` and `make test`. Both install what is missing first.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# .ci/deps.sh may have installed Rust here.
export PATH := $(HOME)/.cargo/bin:$(PATH)

target := $(or $(CARGO_TARGET_DIR),target)
lockpair := $(target)/release/lockpair
demo_dir := $(target)/demo

batch_directories := $(addprefix drivers/,block char hwmon input/misc net/ethernet/realtek nfc rtc usb/misc \
  usb/serial watchdog)

# The part of the oracle that `make test` runs, in percent.
ORACLE_PERCENT ?= 2

# The mutants of each driver that `make mutate` draws.
MUTANTS ?= 40

# Where `make recall` begins to draw.
SEED ?= 2015

.PHONY: help deps build demo mutate recall test fmt lint oracle bench batch env-model clean

help:
	@echo "make demo    build, and check 24 drivers of Linux 6.1"
	@echo "make test    formatting, lints, all tests"
	@echo "make deps    install what building and testing needs"
	@echo "make build   build the release binary"
	@echo "make oracle  compare all generated programs with the explorer of executions and ThreadSanitizer; seed faults"
	@echo "make mutate  take protection away from the drivers of make demo, and see whether that is reported"
	@echo "make recall  the same with modules that are drawn, as tables"
	@echo "make bench   micro-benchmarks"
	@echo "make batch   check ten directories of Linux 6.1 (resumable); rewrites the tables in benches/results"
	@echo "make env-model  infer the rows of env-models/linux-6.1.xml from the kernel's source"
	@echo "make clean   remove what was built"

deps:
	@.ci/deps.sh

build: deps
	cargo build --release --locked

demo: build
	@.ci/demo $(lockpair) $(demo_dir)

# Exit code 1 says that some mutant has survived: the reports in the directory say which.
mutate: build
	.ci/mutate $(lockpair) $(target)/mutants --sample $(MUTANTS)

# The tables of benches/results/mutants.md: the same drivers, then modules that are drawn.
recall: build
	# Records that are there are not made again, whatever has made them.
	rm -rf $(target)/mutants/drivers $(target)/mutants/drawn
	source .ci/drivers; cargo bench --locked --bench mutants -- --tree .deps/linux-source-6.1 \
	  --output $(target)/mutants/drivers --seed $(SEED) --sample 60 --seconds 300 "$${drivers[@]}"
	cargo bench --locked --bench mutants -- --tree .deps/linux-source-6.1 \
	  --output $(target)/mutants/drawn --seed $(SEED) --draw 100 $(batch_directories)

fmt:
	cargo fmt --all -- --check

lint:
	cargo clippy --workspace --all-targets --locked -- -D warnings

test: deps fmt lint
	LOCKPAIR_ORACLE_PERCENT=$(ORACLE_PERCENT) cargo test --workspace --profile tested --locked

oracle: deps
	LOCKPAIR_ORACLE_PERCENT=100 cargo test --release --locked --test oracle -- --nocapture
	SANITIZER_PROGRAMS=1000 cargo test --release --locked --test sanitizer -- --nocapture
	cargo test --release --locked --features seeded-faults --test oracle mutation -- --nocapture

# Exit code 3 says that some module was stopped by a limit: the table names it.
batch: build
	code=0; $(lockpair) batch --tree .deps/linux-source-6.1 $(batch_directories) --output $(target)/linux-6.1 \
	  || code=$$?; [ $$code -eq 0 ] || [ $$code -eq 3 ]
	mkdir -p benches/results
	cp $(target)/linux-6.1/summary.md benches/results/linux-6.1.md
	cargo bench --locked --bench whoop -- $(abspath $(target))/linux-6.1 >benches/results/whoop.md

# The rows of env-models/linux-6.1.xml: inferred from the kernel's source, of which all is unpacked for that.
env_model_source := $(target)/linux-source-6.1
env-model: build
	mkdir -p $(env_model_source)
	[ -e $(env_model_source)/Makefile ] || tar -xJf /usr/src/linux-source-6.1.tar.xz -C $(env_model_source) --strip-components=1
	$(lockpair) infer-env --kernel $(env_model_source) --for linux-6.1 -o env-models/linux-6.1.xml $$(cat env-models/linux-6.1.files)
	$(lockpair) env exports --kernel $(env_model_source) --for linux-6.1 -o env-models/linux-6.1-exports.xml

bench: deps
	cargo bench --workspace --locked

clean:
	cargo clean

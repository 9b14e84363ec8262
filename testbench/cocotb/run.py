"""Exports the chip, writes a kernel's job and runs test_gpgpu.py with them under cocotb and Icarus Verilog.

    python3 run.py [--kernel FOLDER] [--lanes 8] [--sms 1] [--memory-latency 20] [--build FOLDER] [--waves]

The programs `export-verilog` and `flexgrip` are built and run by cargo, unless the environment variables EXPORT_VERILOG and
FLEXGRIP have their full paths.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def program(name, variable, arguments):
    """Runs one of the project's programs. Returns its standard output."""
    given = os.environ.get(variable)
    command = [given] if given else ["cargo", "run", "--release", "--quiet", "--bin", name, "--"]
    # Cargo finds the project by its working folder. Paths in the arguments are absolute.
    command += [str(argument) for argument in arguments]
    try:
        return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"error: {error}")


def main():
    parser = argparse.ArgumentParser(description="Runs a kernel on the chip under cocotb and Icarus Verilog.")
    parser.add_argument("--kernel", type=Path, default=ROOT / "kernels/vectoradd", help="folder with a launch.toml")
    parser.add_argument("--lanes", choices=["8", "16", "32"], default="8", help="scalar processors per SM")
    parser.add_argument("--sms", choices=["1", "2", "4"], default="1", help="streaming multiprocessors")
    parser.add_argument("--memory-latency", type=int, default=20, help="cycles from a read to its answer, at least 1")
    parser.add_argument("--build", type=Path, default=ROOT / "build/cocotb/run", help="build folder")
    parser.add_argument("--waves", action="store_true", help="write gpgpu.fst into the build folder")
    arguments = parser.parse_args()
    if arguments.memory_latency < 1:
        parser.error("--memory-latency must be at least 1")
    build, kernel = arguments.build.resolve(), arguments.kernel.resolve()
    build.mkdir(parents=True, exist_ok=True)

    size = ["--lanes", arguments.lanes, "--sms", arguments.sms]
    verilog, header, job = build / "gpgpu.v", build / "flexgrip_host_map.h", build / "job.txt"
    program("export-verilog", "EXPORT_VERILOG", [*size, "-o", verilog, "--header", header])
    program("flexgrip", "FLEXGRIP", ["job", kernel, "-o", job])
    native = ["run", kernel, *size, "--memory-latency", arguments.memory_latency, "--json"]
    cycles = json.loads(program("flexgrip", "FLEXGRIP", native))["cycles"]

    # The runner passes this path on to the simulator's Python, for kernel_check.
    sys.path.append(str(HERE.parent))
    runner = get_runner("icarus")
    options = {"hdl_toplevel": "gpgpu", "build_dir": build, "waves": arguments.waves, "timescale": ("1ns", "1ns")}
    runner.build(sources=[verilog], always=True, **options)
    results = runner.test(
        hdl_toplevel="gpgpu",
        test_module="test_gpgpu",
        build_dir=build,
        test_dir=build,
        waves=arguments.waves,
        extra_env={
            "FLEXGRIP_JOB": str(job),
            "FLEXGRIP_KERNEL": str(kernel),
            "FLEXGRIP_HOST_MAP": str(header),
            "FLEXGRIP_MEMORY_LATENCY": str(arguments.memory_latency),
            "FLEXGRIP_CYCLES": str(cycles),
        },
    )
    tests, failed = get_results(results)
    return 0 if tests > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

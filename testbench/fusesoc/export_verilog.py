"""FuseSoC generator for the chip: runs `export-verilog` and writes a core with its Verilog.

FuseSoC runs it in the folder for the core, with the path of a YAML file. Its parameters:

    top                 top module: gpgpu (default), gpgpu_wishbone, gpgpu_axi ...
    lanes, sms          size of the machine; default 8 lanes and 1 SM
    instruction_bytes   size of instruction memory, a power of two; default as for export-verilog
    constant_bytes      size of constant memory, likewise
    kernel              folder of a kernel, relative to the core's: also writes job.txt for testbench/verilog/gpgpu_tb.v

The programs are built and run by cargo, unless the environment variables EXPORT_VERILOG and FLEXGRIP have
their full paths.
"""

import os
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    sys.exit("error: this python3 has no PyYAML: activate FuseSoC's environment, which contains it, or install it")

ROOT = Path(__file__).resolve().parents[2]
# The parameters that are options of export-verilog.
OPTIONS = ("top", "lanes", "sms", "instruction_bytes", "constant_bytes")


def run(name, variable, arguments):
    """Runs one of the project's programs."""
    given = os.environ.get(variable)
    command = ([given] if given else ["cargo", "run", "--release", "--quiet", "--bin", name, "--"]) + arguments
    try:
        # Cargo reads its settings from its working folder. Paths in the arguments are absolute.
        code = subprocess.run(command, cwd=ROOT, check=False).returncode
    except OSError as error:
        sys.exit(f"error: cannot run {command[0]}: {error}")
    if code != 0:
        sys.exit(f"error: {' '.join(command)}: exit code {code}")


def main():
    if len(sys.argv) != 2:
        sys.exit("error: expected one argument, the path of FuseSoC's input")
    given = yaml.safe_load(Path(sys.argv[1]).read_text())
    parameters = given.get("parameters") or {}
    unknown = sorted(set(parameters) - {*OPTIONS, "kernel"})
    if unknown:
        sys.exit(f"error: there is no parameter {unknown[0]}; expected one of {', '.join(OPTIONS)} and kernel")

    verilog = f"{parameters.get('top', 'gpgpu')}.v"
    options = []
    for name in OPTIONS:
        if name in parameters:
            options += [f"--{name.replace('_', '-')}", str(parameters[name])]
    here = Path.cwd()
    outputs = ["-o", str(here / verilog), "--header", str(here / "flexgrip_host_map.h")]
    run("export-verilog", "EXPORT_VERILOG", options + outputs)
    files = [
        {verilog: {"file_type": "verilogSource-2005"}},
        {"flexgrip_host_map.h": {"file_type": "user"}},
    ]
    if "kernel" in parameters:
        kernel = Path(given["files_root"]).resolve() / parameters["kernel"]
        run("flexgrip", "FLEXGRIP", ["job", str(kernel), "-o", str(here / "job.txt")])
        files.append({"job.txt": {"file_type": "user", "copyto": "job.txt"}})
    core = {
        "name": given["vlnv"],
        "filesets": {"chip": {"files": files}},
        "targets": {"default": {"filesets": ["chip"]}},
    }
    Path("chip.core").write_text("CAPI=2:\n" + yaml.safe_dump(core, sort_keys=False))


if __name__ == "__main__":
    main()

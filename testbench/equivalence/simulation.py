"""Simulates two modules side by side with random stimulus, in Verilator."""

import re
import subprocess
from pathlib import Path

from verilog import Failure, Names, run


def port_list(source, name):
    """Returns (direction, width, name) of each port, and the fields of bundles from the comments: port: [(high,
    low)]."""
    text = source.texts[name]
    ports = [(direction, int(high or 0) + 1, port) for direction, high, port in re.findall(
        r"(input|output|inout)\s+(?:wire|reg)?\s*(?:\[(\d+):0\])?\s*(\w+)", text.split(");")[0])]
    fields = {}
    for port, described in re.findall(r"^ *// (\w+): (.*(?:\n *//     .*)*)", text, re.M):
        fields[port] = [(int(high), int(low or high)) for high, low in re.findall(r"\[(\d+)(?::(\d+))?\]", described)]
    return ports, fields


def simulate(old, new, options, maps, folder):
    name = options.simulate
    names = maps.get(name) or Names()
    places, widths, groups = {}, {"input": 0, "output": 0}, []
    listed = {"input": [], "output": []}
    new_ports, fields = port_list(new, name)
    for direction, width, port in new_ports:
        if port == "clock":
            continue
        low = widths[direction]
        listed[direction].append(f'{{"{port}", {low}, {width}}},')
        places.update({(port, i): (direction, low + i) for i in range(width)})
        widths[direction] += width
        if direction == "input":
            parts = fields.get(port) or [(width - 1, 0)]
            groups += [f'{{"", {low + least}, {most - least + 1}}},' for most, least in parts if most < width]

    def instance(side, kind, ports):
        pins = []
        for direction, width, port in ports:
            vector_ = "stimulus" if direction == "input" else ("old_results", "new_results")[side]
            bits = []
            for i in range(width):
                place = ("clock", 0) if port == "clock" else (names.of(port, i) if side == 0 else (port, i))
                if port != "clock" and (place not in places or places[place][0] != direction):
                    raise Failure(f"the port {port}[{i}] of OLD has no counterpart in NEW")
                bits.append("clock" if port == "clock" else f"{vector_}[{places[place][1]}]")
            pins.append(f".{port}({{{', '.join(reversed(bits))}}})")
        return f"{kind} side_{side} ({', '.join(pins)});\n"

    # Verilator has a single type for vectors of more than 64 bits.
    size = {direction: max(widths[direction], 65) for direction in widths}
    wanted = old.closure([name])
    prefixed = "\n".join(old.texts[kind] for kind in wanted)
    prefixed = re.sub(rf"^(\s*)(module\s+)?({'|'.join(wanted)})(?=\s+(\w+\s*)?\()", r"\1\2old_\3", prefixed, flags=re.M)
    unused = size["output"] - widths["output"]
    ties = "".join(f"assign {vector_}[{size['output'] - 1}:{widths['output']}] = 0;\n" for vector_ in ("old_results", "new_results")
                   if unused)
    (folder / "pair.v").write_text(
        prefixed + "\n" + "\n".join(new.texts[kind] for kind in new.closure([name])) +
        f"\nmodule pair (input wire clock, input wire [{size['input'] - 1}:0] stimulus, output wire "
        f"[{size['output'] - 1}:0] old_results, output wire [{size['output'] - 1}:0] new_results);\n{ties}" +
        instance(0, "old_" + name, port_list(old, name)[0]) + instance(1, name, new_ports) + "endmodule\n")
    harness = (Path(__file__).parent / "harness.cpp").read_text()
    for key, value in (("INPUTS", "".join(listed["input"])), ("OUTPUTS", "".join(listed["output"])),
                       ("GROUPS", "".join(groups)), ("WORDS", str((size["output"] + 31) // 32))):
        harness = harness.replace(f"@{key}@", value)
    (folder / "main.cpp").write_text(harness)
    run(["verilator", "--cc", "--exe", "--build", "-O3", "-CFLAGS", "-O2", "-Wno-fatal", "-Wno-lint", "-Wno-style",
         "-Wno-MULTIDRIVEN", "--x-assign", "0", "--x-initial", "0", "--top-module", "pair", "pair.v", "main.cpp"], folder)
    done = subprocess.run([str(folder / "obj_dir" / "Vpair"), str(options.cycles), str(options.seed)], capture_output=True,
                          text=True)
    if done.returncode == 0:
        print(f"{name}: equal (simulated {options.cycles} cycles, seed {options.seed})")
        return 0
    print(f"{name}: DIFFERENT (seed {options.seed}) in {done.stdout.rstrip()}")
    return 1

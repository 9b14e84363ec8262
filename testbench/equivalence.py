#!/usr/bin/env python3
"""Proves that the modules of two exports of one top module are equal, with yosys and its ABC.

For each module that is in both files it compares the next state and the outputs for every state and input. A module's
parts (instances) are black boxes if both sides have them under one name with equal ports, else they are inlined; so are
memories. Only ports, registers and pins of parts correspond by name, internal wires do not. An unmatched register
may have any value on its side. The proof is of the Verilog as synthesis sees it (SYNTHESIS is defined), from equal
initial registers. Results, one line a module:

    equal (identical text)   the text and the ports of its parts are the same
    equal (proven)           for all states and inputs, reachable or not
    DIFFERENT                a state and inputs with different results follow; the state may be unreachable: --simulate
    not proven: REASON       no proof and no difference within the time limit
    ports differ             proven where its parents are proven, as it is inlined there

Exit code 0 if all are equal, 1 if not, 2 if a file or name is wrong.

Names that changed: --map MODULE:OLD=NEW, where OLD and NEW are a port, register, part, or bits of it, such as
scoreboard:answer_q[4:0]=warp_q. A module that was renamed: --rename OLD=NEW. @FILE reads arguments from a file, one
a line.

    testbench/equivalence.py old.v new.v
    testbench/equivalence.py old.v new.v scoreboard --map scoreboard:answer_q=answer --timeout 600
    testbench/equivalence.py old.v new.v --simulate store_buffer --cycles 1000000 --seed 7
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

# A product with fewer bits is proven bit by bit.
SMALL_PRODUCT = 10
# Patterns that are simulated at once while looking for a difference before a proof.
PATTERNS = 2048
# Bits of an index, beyond which a read outside a vector counts as 0.
LARGEST_INDEX = 10
SIDES = "OLD", "NEW"


class Failure(Exception):
    """A wrong file, name or option."""


class Unproven(Exception):
    """The reason why a module could not be compared."""


def run(command, folder, timeout=None):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise Failure(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def bits_of(name):
    """`a[3:0]` as ("a", [0, 1, 2, 3]), `a` as ("a", None)."""
    slice_ = re.fullmatch(r"(.+?)\[(\d+)(?::(\d+))?\]", name)
    if not slice_:
        return name, None
    high, low = int(slice_[2]), int(slice_[3] or slice_[2])
    return slice_[1], list(range(low, high + 1))


class Names:
    """The changed names of a module."""

    def __init__(self):
        self.whole, self.bit, self.used = {}, {}, set()

    def add(self, old, new):
        (old, old_bits), (new, new_bits) = bits_of(old), bits_of(new)
        if old_bits is None and new_bits is None:
            self.whole[old] = new
            return
        if old_bits is None:
            old_bits = range(len(new_bits))
        if new_bits is None:
            new_bits = range(len(old_bits))
        if len(old_bits) != len(new_bits):
            raise Failure(f"the sides of the map {old}={new} have different widths")
        for a, b in zip(old_bits, new_bits):
            self.bit[old, a] = (new, b)

    def of(self, name, index=0):
        """The new (name, index) of a bit."""
        found = self.bit.get((name, index))
        if found:
            self.used.add(name)
            return found
        if name in self.whole:
            self.used.add(name)
        return self.whole.get(name, name), index


    def check(self, module):
        """Every name of a map must exist."""
        for name in [*self.whole, *(name for name, _ in self.bit)]:
            if name not in self.used:
                raise Failure(f"--map {module}:{name}: the old {module} has no port, register, memory or part of this name")


class Module:
    """A module's netlist: its ports, and its cells with registers and memories by name."""

    def __init__(self, data, registers, names):
        self.names = names
        # (name, bit) of each port in the module's order, with direction and the net.
        self.ports = {}
        for port, entry in data["ports"].items():
            for i, bit in enumerate(entry["bits"]):
                self.ports[names.of(port, i)] = (entry["direction"], bit)
        self.cells = data["cells"]
        self.registers = {}
        self.initial = {}
        for wire in registers:
            entry = data["netnames"][wire]
            initial = entry["attributes"].get("init", "")[::-1]
            for i, bit in enumerate(entry["bits"]):
                self.registers[bit] = names.of(wire, i)
                self.initial[bit] = initial[i] if i < len(initial) else "x"
        self.instances = {}
        for cell, entry in self.cells.items():
            if not entry["type"].startswith("$"):
                self.instances[names.of(cell)[0]] = entry["type"]
        self.is_memory = not self.instances and any(c["type"] == "$mem_v2" for c in self.cells.values())
        self.has_state = any(c["type"] == "$mem_v2" or "ff" in c["type"] or "latch" in c["type"]
                             for c in self.cells.values())

    def directions(self):
        return {name: direction for name, (direction, _) in self.ports.items()}


class Source:
    """A Verilog file: the text of each module, and which parts it has."""

    def __init__(self, path, renamed):
        try:
            text = Path(path).read_text()
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from None
        for before, after in renamed.items():
            text = re.sub(rf"\b{re.escape(before)}\b(?=\s*(\w+\s*)?\()", after, text)
        self.texts = {name: whole for whole, name in re.findall(r"^(module\s+(\w+).*?^endmodule)", text, re.M | re.S)}
        if not self.texts:
            raise Failure(f"{path}: there is no module")
        self.plain = {name: " ".join(re.sub(r"//.*|/\*.*?\*/", "", text).split()) for name, text in self.texts.items()}
        self.parts = {name: [kind for kind in re.findall(r"^\s*(\w+)\s+\w+\s*\(", text, re.M) if kind in self.texts]
                      for name, text in self.texts.items()}
        for name, parts in self.parts.items():
            self.parts[name] = [part for part in parts if part != name]

    def head(self, name):
        return self.plain[name].split(");")[0]

    def closure(self, names):
        found, work = {}, list(names)
        while work:
            name = work.pop()
            if name not in found:
                found[name] = None
                work.extend(self.parts[name])
        return list(found)

    def same_text(self, other, name):
        return self.plain[name] == other.plain[name] and all(
            part in other.texts and self.head(part) == other.head(part) for part in self.parts[name])


def read_design(source, names, maps, folder):
    """The netlists of the modules and their parts."""
    wanted = source.closure(names)
    (folder / "source.v").write_text("\n".join(source.texts[name] for name in wanted))
    run(["yosys", "-q", "-p", "read_verilog -DSYNTHESIS source.v; proc -norom; memory_collect; "
         "write_json design.json; tee -q -o registers.txt dump t:$*ff* t:$*latch*"], folder)
    registers, module = {}, None
    for line in (folder / "registers.txt").read_text().splitlines():
        words = line.split()
        if words[:1] == ["module"]:
            module = words[1][1:]
        elif words[:2] == ["connect", "\\Q"]:
            registers.setdefault(module, set()).update(word[1:] for word in words[2:] if word[0] == "\\")
    data = json.loads((folder / "design.json").read_text())["modules"]
    design = {name: Module(data[name], registers.get(name, ()), maps.get(name) or Names()) for name in wanted}
    for module in reversed(order(design)):
        module.has_state |= any(design[part].has_state for part in module.instances.values())
    return design


def order(design):
    """The modules, each before its parts."""
    done = {}

    def visit(name):
        if name in done:
            return
        if name not in design:
            raise Failure(f"the module {name} is missing")
        done[name] = None
        for part in design[name].instances.values():
            visit(part)
        done[name] = done.pop(name)

    for name in design:
        visit(name)
    return [design[name] for name in reversed(done)]


class Side:
    """One side of a comparison: a module with its inlined parts as one netlist."""

    def __init__(self, design, name, inlined, first_bit):
        self.design, self.inlined, self.next = design, inlined, first_bit
        self.cells, self.driver, self.alias = [], {}, {}
        self.registers, self.initial, self.parts, self.memories = {}, {}, {}, {}
        self.ports = {}
        top = design[name]
        nets = self.place(top, "")
        for port, (direction, bit) in top.ports.items():
            self.ports[port] = (direction, self.map(nets, [bit])[0])
        self.ports = {port: (direction, self.resolve(bit)) for port, (direction, bit) in self.ports.items()}

    def fresh(self):
        self.next += 1
        return self.next

    def map(self, nets, bits):
        result = []
        for bit in bits:
            if isinstance(bit, str):
                result.append(bit)
            else:
                if bit not in nets:
                    nets[bit] = self.fresh()
                result.append(nets[bit])
        return result

    def resolve(self, bit):
        while bit in self.alias:
            bit = self.alias[bit]
        return bit

    def place(self, module, path):
        nets = {}
        for cell, entry in module.cells.items():
            kind = entry["type"]
            pins = {pin: self.map(nets, bits) for pin, bits in entry["connections"].items()}
            if not kind.startswith("$"):
                instance = path + module.names.of(cell)[0]
                part = self.design[kind]
                pins = {part.names.of(pin, i): bit for pin, bits in pins.items() for i, bit in enumerate(bits)}
                if instance in self.inlined:
                    inner = self.place(part, instance + ".")
                    for port, (direction, bit) in part.ports.items():
                        inside = self.map(inner, [bit])[0]
                        if direction == "input":
                            if not isinstance(inside, str):
                                self.alias[inside] = pins.get(port, "x")
                        elif port in pins and not isinstance(pins[port], str):
                            self.alias[pins[port]] = inside
                else:
                    self.parts[instance] = (part, pins)
                    for pin, bit in pins.items():
                        if part.ports[pin][0] == "output":
                            self.driver[bit] = ("part", instance)
            elif kind == "$mem_v2":
                name = path + module.names.of(entry["parameters"]["MEMID"].lstrip("\\"))[0]
                self.memories[name] = (entry["parameters"], pins)
                for bit in pins["RD_DATA"]:
                    self.driver[bit] = ("memory", name)
            elif kind == "$dff":
                polarity = entry["parameters"]["CLK_POLARITY"][-1]
                for q, d in zip(pins["Q"], pins["D"]):
                    self.driver[q] = ("register", (d, pins["CLK"][0], polarity))
            else:
                if "ff" in kind or "latch" in kind or "Y" not in pins:
                    raise Unproven(f"a cell of type {kind}")
                index = len(self.cells)
                output = pins.pop("Y")
                self.cells.append((kind, entry["parameters"], pins, output))
                for bit in output:
                    self.driver[bit] = ("cell", index)
        for bit, (name, index) in module.registers.items():
            if bit in nets:
                self.registers[nets[bit]] = (path + name, index)
                self.initial[nets[bit]] = module.initial[bit]
        return nets

    def live(self):
        """What the outputs depend on."""
        live, seen = Live({}, {}, {}, {}), set()
        work = [bit for direction, bit in reversed(self.ports.values()) if direction != "input"]
        while work:
            bit = self.resolve(work.pop())
            if bit in seen or isinstance(bit, str):
                continue
            seen.add(bit)
            kind, which = self.driver.get(bit, (None, None))
            if kind == "register":
                live.registers[bit] = which
                work.extend(which[:2])
            elif kind == "cell" and which not in live.cells:
                live.cells[which] = None
                for bits in self.cells[which][2].values():
                    work.extend(bits)
            elif kind == "part" and which not in live.parts:
                live.parts[which] = None
                part, pins = self.parts[which]
                work.extend(bit for pin, bit in pins.items() if part.ports[pin][0] == "input")
            elif kind == "memory" and which not in live.memories:
                live.memories[which] = None
                work.extend(bit for pin, bits in self.memories[which][1].items() if pin != "RD_DATA" for bit in bits)
        return live


class Live(NamedTuple):
    """The cells by number, registers (net: data, clock, edge), parts and memories by path that the outputs depend on."""

    cells: dict
    registers: dict
    parts: dict
    memories: dict


def inlined_parts(old, new, name, always):
    """The paths of the parts that are no black boxes, for each side."""
    sides = []
    results = set(), set()
    work = [(name, name, "")]

    def every(design, module, path, result):
        for instance, part in design[module].instances.items():
            result.add(path + instance)
            every(design, part, path + instance + ".", result)

    while work:
        old_name, new_name, path = work.pop()
        a, b = old[old_name].instances, new[new_name].instances
        for design, mine, others, result in ((old, a, b, results[0]), (new, b, a, results[1])):
            for instance, part in mine.items():
                if instance not in others:
                    result.add(path + instance)
                    every(design, part, path + instance + ".", result)
        for instance in a.keys() & b.keys():
            first, second = a[instance], b[instance]
            boxed = (first == second and first not in always and old[first].directions() == new[first].directions()
                     and not (old[first].is_memory and new[first].is_memory))
            if not boxed:
                results[0].add(path + instance)
                results[1].add(path + instance)
                work.append((first, second, path + instance + "."))
    return results


class Comparison:
    """Both sides of a module as one combinational netlist with pairs of outputs."""

    def __init__(self, old, new, name, always, cut_products, free_undefined):
        inlined = inlined_parts(old, new, name, always)
        before = Side(old, name, inlined[0], 0)
        self.sides = before, Side(new, name, inlined[1], before.next)
        self.next = self.sides[1].next
        self.live = tuple(side.live() for side in self.sides)
        self.free_undefined, self.undefined, self.cut_any = free_undefined, 0, False
        # The free variables: (path, bit) of each. For each side, net of the side: net of the common netlist.
        self.variables, self.value = {}, ({}, {})
        self.cells, self.pairs, self.unmatched = [], {}, []
        # (name, net of OLD, net of NEW); (name, [(inputs, outputs)] of OLD, of NEW); (name, pins, pins, parameters)
        self.compared, self.functions, self.writes, self.cut = [], [], [], set()
        self.add_ports()
        self.add_registers()
        self.add_parts()
        self.add_memories()
        if cut_products:
            self.add_products()
        self.join()
        for side in (0, 1):
            for index in self.live[side].cells:
                if (side, index) not in self.cut:
                    self.copy(side, *self.sides[side].cells[index])
        for name, a, b in self.compared:
            self.pair(name, self.bit(0, a), self.bit(1, b))
        for memory in self.writes:
            self.compare_writes(*memory)

    def fresh(self):
        self.next += 1
        return self.next

    def variable(self, name):
        if name not in self.variables:
            self.variables[name] = self.fresh()
        return self.variables[name]

    def pair(self, name, a, b):
        if a != b:
            self.pairs.setdefault((a, b), name)

    def bit(self, side, bit):
        """A net of a side, in the common netlist."""
        bit = self.sides[side].resolve(bit)
        if bit in ("0", "1"):
            return bit
        if bit in self.value[side]:
            return self.value[side][bit]
        if bit in self.sides[side].driver:
            return bit
        self.undefined += 1
        if side == 1 and self.free_undefined:
            return self.variable(("(undefined)", 0))
        return "0"

    def cell(self, kind, parameters, inputs, output):
        self.cells.append((kind, {key: format(value, "032b") for key, value in parameters.items()}, inputs, output))
        return output

    def gate(self, kind, a, b=None):
        widths = {"A_SIGNED": 0, "A_WIDTH": len(a), "Y_WIDTH": 1}
        if b is None:
            return self.cell(kind, widths, {"A": a}, [self.fresh()])[0]
        return self.cell(kind, {**widths, "B_SIGNED": 0, "B_WIDTH": len(b)}, {"A": a, "B": b}, [self.fresh()])[0]

    def set_value(self, side, bit, value):
        bit = self.sides[side].resolve(bit)
        if not isinstance(bit, str):
            self.value[side][bit] = value

    def add_ports(self):
        old, new = (side.ports for side in self.sides)
        for side, ports in enumerate((old, new)):
            for port, (direction, bit) in ports.items():
                if direction == "input":
                    self.set_value(side, bit, self.variable(port))
        self.compared += [(port, bit, new[port][1]) for port, (direction, bit) in old.items() if direction != "input"]

    def add_registers(self):
        old, new = self.sides
        by_name = {}, {}
        for side in (0, 1):
            for bit in self.live[side].registers:
                name = self.sides[side].registers.get(bit)
                if name is None:
                    raise Unproven("a register without a name")
                by_name[side][name] = bit
                self.set_value(side, bit, self.variable(name))
        for side in (0, 1):
            only = {}
            for name, index in by_name[side].keys() - set(self.sides[1 - side].registers.values()):
                only.setdefault(name, []).append(index)
            self.unmatched += [f"register {name}[{max(bits)}:{min(bits)}] only in {SIDES[side]}"
                               for name, bits in only.items()]
        for name in by_name[0].keys() & by_name[1].keys():
            a, b = by_name[0][name], by_name[1][name]
            if old.initial[a] not in ("x", new.initial[b]):
                raise Unproven(f"the register bit {name[0]}[{name[1]}] is {old.initial[a]} at first in OLD, "
                               f"{new.initial[b]} in NEW")
            (a, a_clock, a_edge), (b, b_clock, b_edge) = self.live[0].registers[a], self.live[1].registers[b]
            if a_edge != b_edge:
                raise Unproven(f"the register {name[0]} has another clock edge in NEW")
            self.compared += [(("next " + name[0], name[1]), a, b), (("clock of " + name[0], 0), a_clock, b_clock)]

    def add_parts(self):
        for path in dict.fromkeys([*self.live[0].parts, *self.live[1].parts]):
            parts, pins = zip(*(side.parts[path] for side in self.sides))
            directions = parts[0].directions()
            inputs = [pin for pin in directions if directions[pin] == "input"]
            outputs = [pin for pin in directions if directions[pin] != "input"]
            nets = [[one.get(pin, "x") for pin in inputs] for one in pins]
            if not parts[0].has_state and not parts[1].has_state:
                for port in {pin[0]: None for pin in outputs}:
                    bits = [[one.get(pin, "x") for pin in outputs if pin[0] == port] for one in pins]
                    self.functions.append((f"{path}.{port}", [(nets[0], bits[0])], [(nets[1], bits[1])]))
                continue
            for side in (0, 1):
                for port, index in outputs:
                    self.set_value(side, pins[side].get((port, index), "x"), self.variable((f"{path}.{port}", index)))
            if path in self.live[0].parts and path in self.live[1].parts:
                self.compared += zip([(f"{path}.{port}", index) for port, index in inputs], *nets)

    def add_memories(self):
        memories = [side.memories for side in self.sides]
        for name in dict.fromkeys([*self.live[0].memories, *self.live[1].memories]):
            found = [memory[name] for memory in memories if name in memory]
            (parameters, a), (others, b) = found[0], found[-1]
            reason = None
            if len(found) < 2:
                reason = f"only in {SIDES[name in memories[1]]}"
            elif {**parameters, "MEMID": ""} != {**others, "MEMID": ""} or "1" in parameters["RD_CLK_ENABLE"]:
                reason = "of another size, contents or number of ports in NEW"
            if reason:
                self.unmatched.append(f"memory {name} {reason}")
                for side in (0, 1):
                    for i, bit in enumerate(memories[side][name][1]["RD_DATA"] if name in memories[side] else []):
                        self.set_value(side, bit, self.variable((f"{SIDES[side]} {name}", i)))
                continue
            width, address = int(parameters["WIDTH"], 2), int(parameters["ABITS"], 2)
            for port in range(len(a["RD_DATA"]) // width):
                data, at = slice(port * width, (port + 1) * width), slice(port * address, (port + 1) * address)
                self.functions.append((f"{name} read {port}", [(a["RD_ADDR"][at], a["RD_DATA"][data])],
                                       [(b["RD_ADDR"][at], b["RD_DATA"][data])]))
            if name in self.live[0].memories and name in self.live[1].memories:
                self.writes.append((name, a, b, width, address))

    def compare_writes(self, name, a, b, width, address):
        for port in range(len(a["WR_EN"]) // width):
            data, at = slice(port * width, (port + 1) * width), slice(port * address, (port + 1) * address)
            written = []
            for side, pins in enumerate((a, b)):
                # An address or data bit counts only with its enable.
                enables = [self.bit(side, bit) for bit in pins["WR_EN"][data]]
                some = self.gate("$reduce_or", enables)
                write = [(f"{name}.write_clock", 0, self.bit(side, pins["WR_CLK"][port]))]
                write += [(f"{name}.write_enable", i, bit) for i, bit in enumerate(enables)]
                write += [(f"{name}.write_data", i, self.gate("$and", [enable], [self.bit(side, bit)]))
                          for i, (enable, bit) in enumerate(zip(enables, pins["WR_DATA"][data]))]
                write += [(f"{name}.write_address", i, self.gate("$and", [some], [self.bit(side, bit)]))
                          for i, bit in enumerate(pins["WR_ADDR"][at])]
                written.append(write)
            for (label, i, x), (_, _, y) in zip(*written):
                self.pair((label, i), x, y)

    def add_products(self):
        """Products with the same widths are one unknown function."""
        kinds = {}
        for side in (0, 1):
            one = self.sides[side]
            for index in self.live[side].cells:
                kind, parameters, inputs, output = one.cells[index]
                if kind != "$mul":
                    continue
                signed = "1" in parameters["A_SIGNED"]
                a, b = sorted((significant([one.resolve(bit) for bit in inputs[pin]], signed) for pin in "AB"), key=len)
                constant = all(isinstance(bit, str) for bit in a) or all(isinstance(bit, str) for bit in b)
                if constant or len(a) + len(b) < SMALL_PRODUCT:
                    continue
                key = (len(a), len(b), signed, min(len(output), len(a) + len(b)))
                kinds.setdefault(key, ([], []))[side].append((index, a + b, output))
        for (a, b, signed, width), (old, new) in kinds.items():
            if not old or not new:
                continue
            self.cut_any = True
            both = []
            for side, products in enumerate((old, new)):
                result = []
                for index, inputs, output in products:
                    self.cut.add((side, index))
                    result.append((inputs, output[:width]))
                    for bit in output[width:]:
                        self.sides[side].alias[bit] = output[width - 1] if signed else "0"
                both.append(result)
            self.functions.append((f"product of {a} and {b} bits", *both))

    def join(self):
        """Makes unknown functions equal where their inputs are: each of NEW is compared with all of OLD."""
        for name, old, new in self.functions:
            for number, (_, output) in enumerate(old):
                for i, bit in enumerate(output):
                    self.set_value(0, bit, self.variable((f"{name} {number}" if number else name, i)))
            for _, output in new:
                for bit in output:
                    self.set_value(1, bit, self.fresh())
        for name, old, new in self.functions:
            for number, (inputs, output) in enumerate(new):
                mine = [self.bit(1, bit) for bit in inputs]
                result = [self.variable((f"{name} of NEW {number}", i)) for i in range(len(output))]
                for other_inputs, other_output in old:
                    others = [self.bit(0, bit) for bit in other_inputs]
                    same = [pair for pair in zip(others, mine) if pair[0] != pair[1]]
                    equal = self.gate("$eq", *map(list, zip(*same))) if same else "1"
                    chosen = [self.bit(0, bit) if not isinstance(bit, str) else "0" for bit in other_output]
                    width = len(chosen)
                    result = self.cell("$mux", {"WIDTH": width}, {"A": result, "B": chosen, "S": [equal]},
                                       [self.fresh() for _ in range(width)])
                for bit, value in zip(output, result):
                    bit = self.sides[1].resolve(bit)
                    if not isinstance(bit, str):
                        self.cell("$mux", {"WIDTH": 1}, {"A": [value], "B": [value], "S": ["0"]}, [self.value[1][bit]])

    def copy(self, side, kind, parameters, inputs, output):
        inputs = {pin: [self.bit(side, bit) for bit in bits] for pin, bits in inputs.items()}
        if kind == "$shiftx":
            # As a shift, of a number with undefined bits above it.
            kind = "$shift"
            index = len(inputs["B"]) - int(parameters["B_SIGNED"][-1])
            room = (1 << index) + len(output) - 1 if index <= LARGEST_INDEX else 0
            inputs["A"] = inputs["A"] + [self.bit(side, "x") for _ in range(room - len(inputs["A"]))]
            parameters = {**parameters, "A_WIDTH": format(len(inputs["A"]), "032b"), "A_SIGNED": format(0, "032b")}
        self.cells.append((kind, parameters, inputs, output))

    def json(self):
        """The netlist for yosys: all variables as the port i, the pairs, side by side, as the port o."""
        outputs = [bit for pair in self.pairs for bit in pair]
        cells = {}
        for number, (kind, parameters, inputs, output) in enumerate(self.cells):
            cells[f"c{number}"] = {
                "hide_name": 0, "type": kind, "parameters": parameters, "attributes": {},
                "port_directions": {**{pin: "input" for pin in inputs}, "Y": "output"},
                "connections": {**inputs, "Y": output}}
        # Nets start at 2 in yosys's format.
        for cell in cells.values():
            cell["connections"] = {pin: self.shifted(bits) for pin, bits in cell["connections"].items()}
        ports = {"i": {"direction": "input", "bits": self.shifted(self.variables.values())},
                 "o": {"direction": "output", "bits": self.shifted(outputs)}}
        return json.dumps({"modules": {"pair": {"attributes": {}, "ports": ports, "cells": cells, "netnames": {}}}})

    @staticmethod
    def shifted(bits):
        return [bit if isinstance(bit, str) else bit + 2 for bit in bits]


def significant(bits, signed):
    """Without high bits that repeat the sign."""
    bits = list(bits)
    while len(bits) > 1 and bits[-1] == (bits[-2] if signed else "0"):
        bits.pop()
    return bits


class Aig:
    """An and-inverter graph, from a binary AIGER file."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        end = data.index(b"\n")
        _, self.inputs, latches, outputs, ands = map(int, data[:end].split()[1:6])
        if latches:
            raise Unproven("a latch")
        self.outputs, at = [], end + 1
        for _ in range(outputs):
            end = data.index(b"\n", at)
            self.outputs.append(int(data[at:end]))
            at = end + 1

        def delta():
            nonlocal at
            result = shift = 0
            while True:
                byte = data[at]
                at += 1
                result |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    return result

        self.ands = []
        for number in range(ands):
            first = 2 * (self.inputs + 1 + number) - delta()
            self.ands.append((first, first - delta()))

    def simulate(self, inputs, width):
        """The outputs for numbers of `width` bits, one bit a pattern."""
        ones = (1 << width) - 1
        values = [0, *inputs]
        for a, b in self.ands:
            values.append((values[a >> 1] ^ (ones if a & 1 else 0)) & (values[b >> 1] ^ (ones if b & 1 else 0)))
        return [values[o >> 1] ^ (ones if o & 1 else 0) for o in self.outputs]

    def support(self, outputs):
        """The inputs that these outputs depend on."""
        seen, work = set(), [o >> 1 for o in outputs]
        while work:
            node = work.pop()
            if node in seen:
                continue
            seen.add(node)
            if node > self.inputs:
                work.extend(x >> 1 for x in self.ands[node - self.inputs - 1])
        return sorted(node - 1 for node in seen if 0 < node <= self.inputs)


class Result(NamedTuple):
    """A module's line, whether it is equal, and a counterexample."""

    line: str
    equal: bool
    example: list = []


def solve(comparison, folder, deadline):
    """None if all pairs are equal, "?" if that is not known in time, or a counterexample as lines."""
    if not comparison.pairs:
        return None
    (folder / "pair.json").write_text(comparison.json())
    left = max(deadline - time.monotonic(), 1)
    try:
        run(["yosys", "-q", "-p", "read_json pair.json; opt_expr; opt_merge; opt_clean; techmap; simplemap; opt_merge; "
             "aigmap; opt_clean; write_aiger -map pair.map pair.aig"], folder, left)
    except subprocess.TimeoutExpired:
        return "?"
    aig = Aig(folder / "pair.aig")
    inputs, outputs = {}, {}
    for line in (folder / "pair.map").read_text().splitlines():
        kind, index, bit, _ = line.split()[:4]
        {"input": inputs, "output": outputs}[kind][int(bit)] = int(index)
    # First by random patterns: a wrong circuit seldom needs more.
    generator = random.Random(1)
    patterns = []
    for _ in range(aig.inputs):
        value, bias = generator.getrandbits(PATTERNS), generator.randrange(4)
        if bias == 2:
            value &= generator.getrandbits(PATTERNS) & generator.getrandbits(PATTERNS)
        elif bias == 3:
            value |= generator.getrandbits(PATTERNS) | generator.getrandbits(PATTERNS)
        patterns.append(value)
    results = aig.simulate(patterns, PATTERNS)
    different = 0
    for i in range(len(comparison.pairs)):
        different |= results[outputs[2 * i]] ^ results[outputs[2 * i + 1]]
    if different:
        at = (different & -different).bit_length() - 1
        return example(comparison, aig, inputs, outputs, [value >> at & 1 for value in patterns])
    for conflicts in (1000, 1_000_000):
        left = int(deadline - time.monotonic())
        if left < 1:
            return "?"
        (folder / "cex.txt").unlink(missing_ok=True)
        try:
            said = run(["yosys-abc", "-c", f"read_aiger pair.aig; &get; &cec -m -d -C {conflicts} -T {left}; "
                        "write_cex cex.txt"], folder, left + 10)
        except subprocess.TimeoutExpired:
            return "?"
        if "Networks are equivalent" in said:
            return None
        if (folder / "cex.txt").exists():
            found = re.findall(r"[01]", (folder / "cex.txt").read_text().split("#")[0])
            if len(found) == aig.inputs:
                return example(comparison, aig, inputs, outputs, [int(bit) for bit in found])
    return "?"


def example(comparison, aig, inputs, outputs, values):
    """A counterexample in words, with as many zeros as are easily had."""
    names = list(comparison.pairs.values())
    pairs = [(aig.outputs[outputs[2 * i]], aig.outputs[outputs[2 * i + 1]]) for i in range(len(names))]

    def differing(values):
        results = aig.simulate(values, 1)
        return [(i, results[outputs[2 * i]], results[outputs[2 * i + 1]]) for i in range(len(names))
                if results[outputs[2 * i]] != results[outputs[2 * i + 1]]]

    found = differing(values)
    if not found:
        return "?"
    first = found[0][0]
    support = set(aig.support(pairs[first]))
    groups = {}
    for bit, (name, index) in enumerate(comparison.variables):
        if bit in inputs and inputs[bit] in support:
            groups.setdefault(name, []).append((index, inputs[bit]))
    values = [value if i in support else 0 for i, value in enumerate(values)]
    until = time.monotonic() + 3
    for bits in list(groups.values()):
        if time.monotonic() > until:
            break
        fewer = list(values)
        for _, at in bits:
            fewer[at] = 0
        if any(i == first for i, _, _ in differing(fewer)):
            values = fewer
    vectors = {}
    for i, old, new in differing(values):
        name, index = names[i]
        vectors.setdefault(name, []).append((index, old, new))
    lines = []
    for name, bits in list(vectors.items())[:4]:
        lines.append(f"{vector(name, [bit[0] for bit in bits])}: OLD {number((i, old) for i, old, _ in bits)}, "
                     f"NEW {number((i, new) for i, _, new in bits)}")
    if len(vectors) > 4:
        lines.append(f"and {len(vectors) - 4} more")
    nonzero = [f"{vector(name, [index for index, _ in bits])} = {number((i, values[at]) for i, at in bits)}"
               for name, bits in groups.items() if any(values[at] for _, at in bits)]
    return lines + ["where " + (", ".join(nonzero) + "; all else is 0" if nonzero else "all inputs and registers are 0")]


def vector(name, bits):
    low, high = min(bits), max(bits)
    return name if low == high == 0 else f"{name}[{low}]" if low == high else f"{name}[{high}:{low}]"


def number(bits):
    """A number of the bits' places, counted from the lowest."""
    bits = dict(bits)
    low = min(bits)
    return hex(sum(value << (index - low) for index, value in bits.items()))


def check(old, new, name, options, folder):
    start = time.monotonic()
    deadline = start + options.timeout

    def seconds():
        return f"{time.monotonic() - start:.1f} s"

    if old[name].directions() != new[name].directions():
        return None
    try:
        result, kind = "?", ""
        for cut_products, free_undefined, words in ((True, True, ""), (True, False, ", undefined bits as 0"),
                                                    (False, False, ", undefined bits as 0")):
            comparison = Comparison(old, new, name, set(options.inline), cut_products, free_undefined)
            if (not free_undefined and not comparison.undefined) and cut_products:
                continue
            if not cut_products and not last_cut:
                continue
            last_cut = comparison.cut_any
            result, kind = solve(comparison, folder, deadline), words if comparison.undefined else ""
            if result is None:
                return Result(f"equal (proven{kind}) {seconds()}", True)
            if result == "?":
                break
    except Unproven as error:
        return Result(f"not proven: {error}", False)
    if comparison.unmatched:
        return Result(f"not proven: {'; '.join(comparison.unmatched)}", False, [] if result == "?" else result)
    if result == "?":
        return Result(f"not proven: no result in {options.timeout} s", False)
    return Result(f"DIFFERENT {seconds()}", False, result)


HARNESS = r"""
#include "Vpair.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
struct Place { const char *name; unsigned low, width; };
static const Place inputs[] = {@INPUTS@ {nullptr, 0, 0}}, outputs[] = {@OUTPUTS@ {nullptr, 0, 0}},
    groups[] = {@GROUPS@ {nullptr, 0, 0}};
static uint64_t state;
static uint32_t next_random() {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return uint32_t(state >> 32);
}
template <class V> static bool get(const V &v, unsigned i) { return v[i / 32] >> (i % 32) & 1; }
template <class V> static void print(const char *what, const Place &place, const V &v) {
    printf("    %s%s = %u'b", what, place.name, place.width);
    for (unsigned i = place.width; i-- > 0;) putchar('0' + get(v, place.low + i));
    putchar('\n');
}
int main(int count, char **arguments) {
    const uint64_t cycles = strtoull(arguments[1], nullptr, 10);
    state = strtoull(arguments[2], nullptr, 10) * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    // Each group of bits is for some cycles random, held, all 0, all 1, seldom 1 or seldom 0.
    static unsigned mode[sizeof groups / sizeof *groups], left[sizeof groups / sizeof *groups];
    static Vpair top;
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        for (unsigned g = 0; groups[g].name; g++) {
            if (left[g]-- == 0) {
                mode[g] = next_random() % 6;
                left[g] = next_random() % (next_random() % 4 ? 16 : 200);
            }
            for (unsigned i = 0; i < groups[g].width && mode[g] != 1; i++) {
                static uint32_t bits;
                if (i % 32 == 0) {
                    bits = next_random();
                    if (mode[g] == 2) bits = 0;
                    if (mode[g] == 3) bits = ~0u;
                    if (mode[g] == 4) bits &= next_random() & next_random();
                    if (mode[g] == 5) bits |= next_random() | next_random();
                }
                const unsigned at = groups[g].low + i;
                const uint32_t one = 1u << (at % 32);
                top.stimulus[at / 32] = (top.stimulus[at / 32] & ~one) | (bits >> (i % 32) & 1 ? one : 0);
            }
        }
        top.clock = 0;
        top.eval();
        bool differs = false;
        for (unsigned i = 0; i < @WORDS@; i++) differs |= top.old_results[i] != top.new_results[i];
        if (differs) {
            printf("cycle %llu\n", (unsigned long long)cycle);
            for (const Place *p = outputs; p->name; p++) {
                bool same = true;
                for (unsigned i = 0; i < p->width; i++) same &= get(top.old_results, p->low + i) == get(top.new_results, p->low + i);
                if (!same) print("OLD ", *p, top.old_results), print("NEW ", *p, top.new_results);
            }
            for (const Place *p = inputs; p->name; p++) print("", *p, top.stimulus);
            return 1;
        }
        top.clock = 1;
        top.eval();
    }
    return 0;
}
"""


def port_list(source, name):
    """(direction, width, name) of each port, and the fields of bundles in the comments: port: [(high, low)]."""
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

    # Vectors of more than 64 bits have one type in Verilator.
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
    harness = HARNESS
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     fromfile_prefix_chars="@")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="only these modules")
    parser.add_argument("--all", action="store_true", help="prove modules with identical text too")
    parser.add_argument("--map", action="append", default=[], metavar="MODULE:OLD=NEW", help="a changed name")
    parser.add_argument("--rename", action="append", default=[], metavar="OLD=NEW", help="a changed module name")
    parser.add_argument("--inline", action="append", default=[], metavar="MODULE",
                        help="inline this module wherever it is a part, and do not compare it by itself")
    parser.add_argument("--timeout", type=int, default=120, metavar="SECONDS", help="for each module (default 120)")
    parser.add_argument("--simulate", metavar="MODULE", help="instead of a proof, run both with Verilator")
    parser.add_argument("--cycles", type=int, default=1_000_000, help="of --simulate (default 1000000)")
    parser.add_argument("--seed", type=int, default=1, help="of --simulate (default 1)")
    options = parser.parse_intermixed_args()
    renamed = {}
    for rename in options.rename:
        before, equals, after = rename.partition("=")
        if not (before and equals and after):
            raise Failure(f"--rename {rename}: not OLD=NEW")
        renamed[before] = after
    maps = {}
    for text in options.map:
        found = re.fullmatch(r"(\w+):([^=]+)=(.+)", text)
        if not found:
            raise Failure(f"--map {text}: not MODULE:OLD=NEW")
        maps.setdefault(found[1], Names()).add(found[2], found[3])
    old, new = Source(options.old, renamed), Source(options.new, {})
    for name in [*options.modules, *maps, *filter(None, [options.simulate])]:
        if name not in old.texts or name not in new.texts:
            raise Failure(f"{name} is not a module of both files")
    with tempfile.TemporaryDirectory() as folder:
        if options.simulate:
            return simulate(old, new, options, maps, Path(folder))
        return prove(old, new, options, maps, Path(folder))


def prove(old, new, options, maps, folder):
    names = options.modules or [name for name in old.texts if name in new.texts]
    names = [name for name in names if name not in options.inline]
    same = {name for name in names if old.same_text(new, name) and name not in maps and not options.all}
    changed = [name for name in names if name not in same]
    before = after = {}
    if changed:
        before = read_design(old, changed, maps, folder)
        after = read_design(new, changed, {}, folder)
        for name, names_ in maps.items():
            if name in before:
                names_.check(name)
    lines, equal, inlined = {}, {}, []
    for name in names:
        if name in same:
            result = Result("equal (identical text)", True)
        else:
            result = check(before, after, name, options, folder)
        if result is None:
            inlined.append(name)
            continue
        equal[name] = result.equal
        print(f"{name}: {result.line}", flush=True)
        for line in result.example:
            print(f"    {line}")
    for name in inlined:
        parents = [parent for parent in old.texts if name in old.parts[parent]]
        proven = bool(parents) and all(equal.get(parent) for parent in parents if parent not in inlined)
        equal[name] = proven and any(parent in equal for parent in parents)
        where = ", ".join(parents) or "no module has it as a part"
        print(f"{name}: ports differ: {'equal' if equal[name] else 'not proven'} (inlined in {where})")
    for side, (one, other) in zip(SIDES, ((old, new), (new, old))):
        only = [name for name in one.texts if name not in other.texts]
        if only and not options.modules:
            print(f"only in {side}: {', '.join(only)}")
    return 0 if all(equal.values()) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"equivalence.py: {failure}", file=sys.stderr)
        sys.exit(2)

"""Combines two netlists into one, with pairs of outputs that must be equal."""

import json

from netlist import Side, inlined_parts
from verilog import SIDES, Unproven

# Products with fewer bits are proven bit by bit.
SMALL_PRODUCT = 10
# The maximum number of index bits up to which reads outside a vector are undefined; with more, they count as 0.
LARGEST_INDEX = 10


class Comparison:
    """Both sides of a module as one combinational netlist with pairs of outputs."""

    def __init__(self, old, new, name, always, cut_products, free_undefined):
        inlined = inlined_parts(old, new, name, always)
        before = Side(old, name, inlined[0], 0)
        self.sides = before, Side(new, name, inlined[1], before.next)
        self.next = self.sides[1].next
        self.live = tuple(side.live() for side in self.sides)
        self.free_undefined, self.undefined = free_undefined, 0
        # The free variables, each (path, bit). For each side, a map from its nets to nets of the common netlist.
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
        """The net of a side in the common netlist."""
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
                raise Unproven(f"the register bit {name[0]}[{name[1]}] is {old.initial[a]} initially in OLD, "
                               f"{new.initial[b]} in NEW")
            (a, a_clock, a_edge), (b, b_clock, b_edge) = self.live[0].registers[a], self.live[1].registers[b]
            if a_edge != b_edge:
                raise Unproven(f"the register {name[0]} has a different clock edge in NEW")
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
                # An address or data bit only matters if its enable is set.
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
        """Replaces products of the same widths by one unknown function."""
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
        """Makes unknown functions equal where their inputs are equal: compares each function of NEW with all of OLD."""
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
            # Becomes a shift of a number with undefined upper bits.
            kind = "$shift"
            index = len(inputs["B"]) - int(parameters["B_SIGNED"][-1])
            room = (1 << index) + len(output) - 1 if index <= LARGEST_INDEX else 0
            inputs["A"] = inputs["A"] + [self.bit(side, "x") for _ in range(room - len(inputs["A"]))]
            parameters = {**parameters, "A_WIDTH": format(len(inputs["A"]), "032b"), "A_SIGNED": format(0, "032b")}
        self.cells.append((kind, parameters, inputs, output))

    def json(self):
        """The netlist for yosys: all variables as port i, the pairs next to each other as port o."""
        outputs = [bit for pair in self.pairs for bit in pair]
        cells = {}
        for number, (kind, parameters, inputs, output) in enumerate(self.cells):
            cells[f"c{number}"] = {
                "hide_name": 0, "type": kind, "parameters": parameters, "attributes": {},
                "port_directions": {**{pin: "input" for pin in inputs}, "Y": "output"},
                "connections": {**inputs, "Y": output}}
        # Net numbers start at 2 in yosys's format.
        for cell in cells.values():
            cell["connections"] = {pin: self.shifted(bits) for pin, bits in cell["connections"].items()}
        ports = {"i": {"direction": "input", "bits": self.shifted(self.variables.values())},
                 "o": {"direction": "output", "bits": self.shifted(outputs)}}
        return json.dumps({"modules": {"pair": {"attributes": {}, "ports": ports, "cells": cells, "netnames": {}}}})

    @staticmethod
    def shifted(bits):
        return [bit if isinstance(bit, str) else bit + 2 for bit in bits]


def significant(bits, signed):
    """The bits, without high bits that only repeat the sign."""
    bits = list(bits)
    while len(bits) > 1 and bits[-1] == (bits[-2] if signed else "0"):
        bits.pop()
    return bits

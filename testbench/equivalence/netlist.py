"""Netlists of modules, from yosys, and one side of a comparison."""

import json
from typing import NamedTuple

from verilog import Failure, Names, Unproven, run


class Module:
    """The netlist of a module: its ports, and its cells with registers and memories by name."""

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
                self.registers[bit] = names.of_register(wire, i)
                self.initial[bit] = initial[i] if i < len(initial) else "x"
        self.instances = {}
        for cell, entry in self.cells.items():
            if not entry["type"].startswith("$"):
                self.instances[names.of(cell)[0]] = entry["type"]
            elif entry["type"] == "$mem_v2":
                names.of(entry["parameters"]["MEMID"].lstrip("\\"))
        self.is_memory = not self.instances and any(c["type"] == "$mem_v2" for c in self.cells.values())
        self.has_state = any(c["type"] == "$mem_v2" or "ff" in c["type"] or "latch" in c["type"]
                             for c in self.cells.values())

    def directions(self):
        return {name: direction for name, (direction, _) in self.ports.items()}


def read_design(source, names, maps, folder):
    """The netlists of the modules and of their parts."""
    wanted = source.closure(names)
    (folder / "source.v").write_text("\n".join(source.texts[name] for name in wanted))
    run(["yosys", "-q", "-p", "read_verilog -DSYNTHESIS source.v; proc -norom; memory_collect; "
         "write_json design.json; tee -q -o registers.txt dump -m t:$*ff* t:$*latch*"], folder)
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
    """The modules, each after the modules that contain it."""
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


def below(path, instance):
    """The path of the contents of a part: the module itself if it is mapped to `.`."""
    return path if instance == "." else path + instance + "."


class Side:
    """One side of a comparison: a module with its inlined parts as a single netlist."""

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
                    inner = self.place(part, below(path, instance[len(path):]))
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
                memory = entry["parameters"]["MEMID"].lstrip("\\")
                name = path + module.names.of(memory)[0]
                width = int(entry["parameters"]["WIDTH"], 2)
                places = [module.names.of(memory, i)[1] for i in range(width)]
                for pin in ("RD_DATA", "WR_DATA", "WR_EN"):
                    bits = pins[pin]
                    pins[pin] = [bits[i - i % width + places.index(i % width)] for i in range(len(bits))]
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
        """The cells, registers, parts and memories on which the outputs depend."""
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
    """Everything that the outputs depend on: cells by number, registers (net: data, clock, edge), parts, memories by path."""

    cells: dict
    registers: dict
    parts: dict
    memories: dict


def inlined_parts(old, new, name, always):
    """The paths of the parts that are not black boxes, for each side."""
    sides = []
    results = set(), set()
    work = [(name, name, "")]

    def every(design, module, path, result):
        for instance, part in design[module].instances.items():
            result.add(path + instance)
            every(design, part, below(path, instance), result)

    while work:
        old_name, new_name, path = work.pop()
        a, b = old[old_name].instances, new[new_name].instances
        for design, mine, others, result in ((old, a, b, results[0]), (new, b, a, results[1])):
            for instance, part in mine.items():
                if instance not in others:
                    result.add(path + instance)
                    every(design, part, below(path, instance), result)
        for instance in a.keys() & b.keys():
            first, second = a[instance], b[instance]
            boxed = (first == second and first not in always and old[first].directions() == new[first].directions()
                     and not (old[first].is_memory and new[first].is_memory))
            if not boxed:
                results[0].add(path + instance)
                results[1].add(path + instance)
                work.append((first, second, below(path, instance)))
    return results

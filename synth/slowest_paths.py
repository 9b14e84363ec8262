#!/usr/bin/env python3
"""Estimates the slowest paths through a netlist for ECP5, grouped by where they begin and end.

Reads the JSON written by yosys (build/fpga/BOARD/BOARD.json). Without a placement, all wires have the same delay; this takes
seconds, and shows which paths need a register before anything is placed. With a placement (BOARD.placed.json, from
`fpga BOARD --place-only`), wire delay depends on length, roughly as estimated by nextpnr: a few long wires can be slower
than many cells. Only routing gives final figures.

    python3 synth/slowest_paths.py build/fpga/ulx3s/ulx3s.json
    python3 synth/slowest_paths.py build/fpga/ulx3s/ulx3s.json --placed build/fpga/ulx3s/ulx3s.placed.json
    python3 synth/slowest_paths.py build/fpga/ulx3s/ulx3s.json --wire 1.5 --from-ns 30 --cells
"""

import argparse
import json
import re
import signal
import sys

# In ns, approximately as in nextpnr's database for speed grade 6: out of registers, and through cells.
REGISTER, BLOCK_RAM = 0.5, 5.7
THROUGH = {"LUT4": 0.25, "CCU2C": 0.45, "TRELLIS_DPR16X4": 0.6, "MULT18X18D": 4.0}
CARRY = 0.07
CLOCKS = {"CLK", "CLKA", "CLKB", "WCK"}
# Ports of a distributed RAM written at the clock edge; its read address passes through.
WRITTEN = {"DI", "WAD", "WRE"}
# Delay of a wire per tile; the first five tiles in each direction count twice, and three more are added: the form of
# nextpnr's own estimate, with a factor that gives its result on this machine's netlists.
TILE = 0.08
WITHIN_A_TILE = 0.2
# Suffixes that nextpnr adds to the parts of a cell that it splits; here all parts have the location of one of them.
PART = re.compile(r"\$(CCU2_COMB[01]|DPRAM_COMB[0-3]|RAMW_SLICE)$")


class Netlist:
    def __init__(self, module, places):
        """`places`: the tile of each cell, by name; None: all wires have the same delay."""
        self.cells, self.places = module["cells"], places
        self.names, self.drivers, self.ends = {}, {}, []
        for name, net in module["netnames"].items():
            for place, bit in enumerate(net["bits"]):
                if not net.get("hide_name") and isinstance(bit, int):
                    self.names.setdefault(bit, f"{name}[{place}]" if len(net["bits"]) > 1 else name)
        for cell, what in self.cells.items():
            kind = what["type"]
            for port, bits in what["connections"].items():
                for bit in (bit for bit in bits if isinstance(bit, int)):
                    if what["port_directions"][port] == "output":
                        self.drivers[bit] = (cell, kind, port)
                    elif port not in CLOCKS and self.ends_at(kind, port):
                        self.ends.append((bit, cell))
        self.found = {}

    @staticmethod
    def ends_at(kind, port):
        return kind in ("TRELLIS_FF", "DP16KD") or (kind == "TRELLIS_DPR16X4" and port in WRITTEN)

    def inputs(self, cell, kind):
        what = self.cells[cell]
        for port, bits in what["connections"].items():
            if what["port_directions"][port] != "input" or port in CLOCKS or self.ends_at(kind, port):
                continue
            yield from ((port, bit) for bit in bits if isinstance(bit, int))

    def length(self, bit, cell, wire):
        """The delay of a bit's wire to a cell, in ns."""
        if self.places is None:
            return wire
        start = self.places.get(self.drivers.get(bit, (None,))[0])
        end = self.places.get(cell)
        if start is None or end is None:
            return wire
        if start == end:
            return WITHIN_A_TILE
        apart = [abs(one - other) for one, other in zip(start, end)]
        return TILE * (3 + sum(tiles + min(tiles, 5) for tiles in apart))

    def arrival(self, end, wire):
        """The arrival time of a bit at the output of its driver, in ns."""
        stack = [end]
        while stack:
            bit = stack[-1]
            if self.found.get(bit) is not None:
                stack.pop()
                continue
            cell, kind, _ = self.drivers.get(bit, (None, None, None))
            if kind not in THROUGH:
                start = {"TRELLIS_FF": REGISTER, "DP16KD": BLOCK_RAM}.get(kind, 0.0)
                self.found[bit] = (start, None)
                stack.pop()
                continue
            best, missing = (0.0, None), []
            for port, source in self.inputs(cell, kind):
                if source not in self.found:
                    missing.append(source)
                elif self.found[source] is not None:
                    # A bit still being computed is part of a loop, and skipped.
                    step = CARRY if port == "CIN" else THROUGH[kind] + self.length(source, cell, wire)
                    best = max(best, (self.found[source][0] + step, source), key=lambda way: way[0])
            self.found.setdefault(bit, None)
            if missing:
                stack.extend(missing)
            else:
                self.found[bit] = best
                stack.pop()
        return self.found[end][0]

    def way(self, bit):
        bits = []
        while bit is not None:
            bits.append(bit)
            bit = self.found[bit][1]
        return bits[::-1]


def read(path, whose):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)["modules"].values()
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"error: {path}: {error!r}; expected the JSON that {whose} writes")


def places_in(path):
    """Column and row of each cell in a placement by nextpnr."""
    places = {}
    for module in read(path, "nextpnr"):
        for name, cell in module["cells"].items():
            place = re.match(r"X(\d+)/Y(\d+)/", cell["attributes"].get("NEXTPNR_BEL", ""))
            if place:
                places.setdefault(PART.sub("", name), (int(place[1]), int(place[2])))
    if not places:
        sys.exit(f"error: {path} has no placed cells; expected the JSON that nextpnr writes after placement")
    return places


def without_numbers(name):
    return re.sub(r"\[?\d+\]?", "#", name.split("_TRELLIS_FF")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netlist", help="JSON by yosys, without hierarchy")
    parser.add_argument("--placed", metavar="FILE", help="JSON by nextpnr, of the placed netlist")
    parser.add_argument("--wire", type=float, default=1.0, metavar="NS", help="delay of each wire [default: 1.0]")
    parser.add_argument("--from-ns", type=float, default=25.0, metavar="NS", help="shortest path shown [default: 25]")
    parser.add_argument("--cells", action="store_true", help="also print the named signals along each group's slowest path")
    arguments = parser.parse_args()
    # End quietly if the reader closes the pipe, for example `head`.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    tops = [module for module in read(arguments.netlist, "yosys") if "top" in module.get("attributes", {})]
    if len(tops) != 1:
        sys.exit(f"error: {arguments.netlist} has {len(tops)} top modules; expected one")
    netlist = Netlist(tops[0], places_in(arguments.placed) if arguments.placed else None)
    groups = {}
    for bit, cell in netlist.ends:
        delay = netlist.arrival(bit, arguments.wire)
        if netlist.places is not None:
            delay += netlist.length(bit, cell, arguments.wire)
        if delay < arguments.from_ns:
            continue
        start = netlist.names.get(netlist.way(bit)[0], "?")
        key = (without_numbers(start), without_numbers(cell).rsplit(".", 1)[0])
        count, worst, slowest = groups.get(key, (0, 0.0, bit))
        if delay > worst:
            worst, slowest = delay, bit
        groups[key] = (count + 1, worst, slowest)
    print(f"{'ns':>6} {'cells':>5} {'ends':>5}  from -> to")
    for (start, end), (count, delay, bit) in sorted(groups.items(), key=lambda group: -group[1][1]):
        way = netlist.way(bit)
        print(f"{delay:6.1f} {len(way) - 1:5} {count:5}  {start} -> {end}")
        if arguments.cells:
            named = [netlist.names.get(bit, "") for bit in way]
            for name in dict.fromkeys(name for name in named if name and "_LUT4_" not in name):
                print(f"{'':20}{name}")


if __name__ == "__main__":
    main()

"""Proves that the modules of two exports of one top module are equal, with yosys and its ABC.

For each module that is in both files it compares the next state and the outputs for every state and input. A module's
parts (instances) are black boxes if both sides have them under the same name with equal ports, otherwise they are
inlined; likewise memories. Only ports, registers and pins of parts correspond by name, internal wires do not. An
unmatched register may have any value on its side. The proof is for the Verilog as seen by synthesis (SYNTHESIS is
defined), from equal initial registers. Results, one line per module:

    equal (identical text)   the text and the ports of its parts are the same
    equal (proven)           for all states and inputs, reachable or not
    DIFFERENT                a state and inputs with different results follow; the state may be unreachable: --simulate
    not proven: REASON       no proof and no difference within the time limit
    ports differ             proven where its parents are proven, as it is inlined there

Exit code 0 if all are equal, 1 if not, 2 if a file or name is wrong.

Names that changed: --map MODULE:OLD=NEW, where OLD and NEW are a port, register, memory, part, or bits of it, such as
scoreboard:answer_q[4:0]=warp_q. A register whose output has its name is NAME.q in OLD: held.q=places_q[31:0]. A part
that is now in its parent is mapped to a dot. A module that was renamed: --rename OLD=NEW. @FILE reads arguments from a
file, one a line.

    python3 testbench/equivalence old.v new.v
    python3 testbench/equivalence old.v new.v scoreboard --map scoreboard:answer_q=answer --timeout 600
    python3 testbench/equivalence old.v new.v --simulate store_buffer --cycles 1000000 --seed 7
"""

import argparse
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from comparison import Comparison
from netlist import read_design
from simulation import simulate
from solver import solve
from verilog import SIDES, Failure, Names, Source, Unproven


class Result(NamedTuple):
    """The line of a module, True if it is equal, and a counterexample."""

    line: str
    equal: bool
    example: list = []


def check(old, new, name, options, folder):
    start = time.monotonic()
    deadline = start + options.timeout

    def seconds():
        return f"{time.monotonic() - start:.1f} s"

    if old[name].directions() != new[name].directions():
        return None
    try:
        # First with products and undefined bits of NEW as unknowns; then, if there are any, with undefined bits as 0,
        # and with the products themselves.
        cut_products = free_undefined = True
        while True:
            comparison = Comparison(old, new, name, set(options.inline), cut_products, free_undefined)
            result = solve(comparison, folder, deadline)
            if result is None:
                words = "" if free_undefined else ", undefined bits as 0"
                return Result(f"equal (proven{words}) {seconds()}", True)
            if result == "?":
                break
            if free_undefined and comparison.undefined:
                free_undefined = False
            elif comparison.cut:
                cut_products = False
            else:
                break
    except Unproven as error:
        return Result(f"not proven: {error}", False)
    if comparison.unmatched:
        return Result(f"not proven: {'; '.join(comparison.unmatched)}", False, [] if result == "?" else result)
    if result == "?":
        return Result(f"not proven: no result in {options.timeout} s", False)
    return Result(f"DIFFERENT {seconds()}", False, result)


def main():
    parser = argparse.ArgumentParser(prog="equivalence", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     fromfile_prefix_chars="@")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="only these modules")
    parser.add_argument("--all", action="store_true", help="prove modules with identical text too")
    parser.add_argument("--map", action="append", default=[], metavar="MODULE:OLD=NEW", help="a changed name")
    parser.add_argument("--rename", action="append", default=[], metavar="OLD=NEW", help="a changed module name")
    parser.add_argument("--inline", action="append", default=[], metavar="MODULE",
                        help="inline this module everywhere instead of comparing it separately")
    parser.add_argument("--timeout", type=int, default=120, metavar="SECONDS", help="for each module (default 120)")
    parser.add_argument("--simulate", metavar="MODULE", help="run both sides with Verilator instead of a proof")
    parser.add_argument("--cycles", type=int, default=1_000_000, help="cycles of --simulate (default 1000000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of --simulate (default 1)")
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
    for name in [*options.modules, *filter(None, [options.simulate])]:
        if name not in old.texts or name not in new.texts:
            raise Failure(f"{name} is not a module of both files")
    for name in maps:
        if name not in old.texts:
            raise Failure(f"{name} is not a module of the old file")
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
    equal, inlined = {}, []
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
        print(f"equivalence: {failure}", file=sys.stderr)
        sys.exit(2)

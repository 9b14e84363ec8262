"""Finds proofs and counterexamples, with random patterns and with ABC."""

import random
import re
import subprocess
import time
from pathlib import Path

from verilog import Failure, Unproven, run

# The number of patterns that are simulated at once to find a difference before a proof.
PATTERNS = 2048


class Aig:
    """An and-inverter graph from a binary AIGER file."""

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
        """The outputs for numbers of `width` bits, with one pattern in each bit."""
        ones = (1 << width) - 1
        values = [0, *inputs]
        for a, b in self.ands:
            values.append((values[a >> 1] ^ (ones if a & 1 else 0)) & (values[b >> 1] ^ (ones if b & 1 else 0)))
        return [values[o >> 1] ^ (ones if o & 1 else 0) for o in self.outputs]

    def support(self, outputs):
        """The inputs on which these outputs depend."""
        seen, work = set(), [o >> 1 for o in outputs]
        while work:
            node = work.pop()
            if node in seen:
                continue
            seen.add(node)
            if node > self.inputs:
                work.extend(x >> 1 for x in self.ands[node - self.inputs - 1])
        return sorted(node - 1 for node in seen if 0 < node <= self.inputs)


def solve(comparison, folder, deadline):
    """None if all pairs are equal, "?" if the time limit was reached, or a counterexample as lines."""
    if not comparison.pairs:
        return None
    (folder / "pair.json").write_text(comparison.json())
    left = max(deadline - time.monotonic(), 1)
    try:
        run(["yosys", "-q", "-p", "read_json pair.json; opt_expr; opt_merge; opt_muxtree; opt_expr; opt_merge; opt_clean; "
             "simplemap; techmap; simplemap; opt_merge; aigmap; opt_clean; write_aiger pair.aig"], folder, left)
    except subprocess.TimeoutExpired:
        return "?"
    aig = Aig(folder / "pair.aig")
    if aig.inputs != len(comparison.variables) or len(aig.outputs) != 2 * len(comparison.pairs):
        raise Failure("yosys wrote a netlist with different ports from the one it read")
    # Random patterns first: they are usually enough for a wrong circuit.
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
        different |= results[2 * i] ^ results[2 * i + 1]
    if different:
        at = (different & -different).bit_length() - 1
        return example(comparison, aig, [value >> at & 1 for value in patterns])
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
                return example(comparison, aig, [int(bit) for bit in found])
    return "?"


def example(comparison, aig, values):
    """Returns a counterexample as text, with as many zeros as can be found easily."""
    names = list(comparison.pairs.values())
    pairs = [(aig.outputs[2 * i], aig.outputs[2 * i + 1]) for i in range(len(names))]

    def differing(values):
        results = aig.simulate(values, 1)
        return [(i, results[2 * i], results[2 * i + 1]) for i in range(len(names))
                if results[2 * i] != results[2 * i + 1]]

    found = differing(values)
    if not found:
        return "?"
    first = found[0][0]
    support = set(aig.support(pairs[first]))
    groups = {}
    for bit, (name, index) in enumerate(comparison.variables):
        if bit in support:
            groups.setdefault(name, []).append((index, bit))
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
    """A number from the positions of its bits, counted from the lowest."""
    bits = dict(bits)
    low = min(bits)
    return hex(sum(value << (index - low) for index, value in bits.items()))

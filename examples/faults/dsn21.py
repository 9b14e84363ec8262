#!/usr/bin/env python3
"""Rebuilds the campaign of dos Santos et al. (DSN 2021) on these circuits: 80 rows, 1,440,394 transient faults.

A row is a unit (execution units, pipeline, scheduler), a micro-benchmark that repeats one instruction, and the size of
its inputs. The micro-benchmarks are written to build/faults/dsn21/kernels, each is run once and checked; then each row
is a campaign of `flexgrip faults run`, in build/faults/dsn21/campaigns. A finished campaign is kept, an interrupted one
continues. With the published tables at FLEXGRIP_SHARED (../shared), which are not part of this repository, both tables
are printed side by side. docs/reliability.md explains the tables.

    make faults-dsn21                             # all faults
    make faults-dsn21 DSN21="--scale 0.01"        # a hundredth of each row's
    make faults-dsn21 DSN21="--only scheduler-IADD"
"""

import argparse
import csv
import datetime
import json
import math
import os
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = 1

# Registers only. Not included: tags and instruction words that only traces use, the cause of an empty issue slot (part
# of a performance counter), and the configuration of the launch.
LANES = "sm[0].execute.lane*"
FLOAT_LANES = "sm[0].execute.floats.lane*"
MULTIPLIERS = "sm[0].execute.lane*.multiplier.*"
# The decoded instruction passes through the scheduler's stages, but it is a pipeline register and counts as one.
DECODED = ["sm[0].scheduler.s2.word", "sm[0].scheduler.s3.decoded", "sm[0].scheduler.s4.decoded"]
NEVER = ["*.tag", "sm[0].scheduler.s3.word", "sm[0].scheduler.s4.word", "sm[0].scheduler.cause", "sm[0].configured"]
# All other registers of the SM, by name, because a `!` would exclude the decoded instruction together with the
# scheduler.
REST = [
    *("fetch", "read", "collector", "branch", "barriers", "memory_unit", "shared_memory", "constant_memory"),
    *("late_results", "late_store", "errors", "hold", "special_dequeued", "idle"),
]


def pattern(included, excluded=()):
    """A pattern for the option --where."""
    return ",".join([f"register:{path}" for path in included] + [f"!{path}" for path in [*excluded, *NEVER]])


EXECUTION = {
    "FADD": pattern([FLOAT_LANES]),
    **dict.fromkeys(["FMUL", "FMAD"], pattern([FLOAT_LANES, MULTIPLIERS])),
    **dict.fromkeys(["IADD", "IMUL", "IMAD"], pattern([LANES])),
    **dict.fromkeys(["FSIN", "FEXP"], pattern(["sm[0].special_functions"])),
}
SCHEDULER = pattern(["sm[0].scheduler"], DECODED)
PIPELINE = pattern([f"sm[0].{part}" for part in REST] + DECODED + ["sm[0].execute"], [LANES, FLOAT_LANES])

# The number of faults of each row in the published campaign: one number for all sizes of inputs, or one for each size.
ARITHMETIC = ["FADD", "FMUL", "FMAD", "IADD", "IMUL", "IMAD", "FSIN", "FEXP"]
OTHERS = ["LOAD", "STORE", "BRANCH", "ISET"]
SIZES = ["small", "common", "big"]
FAULTS = {
    "execution": {
        **{"FADD": 13575, "FMUL": 9540, "FMAD": 18735, "IADD": 1857, "IMUL": 1857, "IMAD": 2232},
        **{"FSIN": 6842, "FEXP": 6842},
    },
    "scheduler": {**dict.fromkeys(ARITHMETIC, 7290), **dict.fromkeys(["FSIN", "FEXP", *OTHERS], 9138)},
    "pipeline": {
        **dict.fromkeys(ARITHMETIC, 43796),
        **{"FSIN": (24000, 17638, 24000), "LOAD": 16000, "STORE": 16000, "BRANCH": 8000, "ISET": 8000},
    },
}


class Row:
    def __init__(self, unit, instruction, size, faults):
        self.unit, self.instruction, self.size, self.faults = unit, instruction, size, faults
        self.kernel = f"{instruction}-{size}"
        self.name = f"{unit}-{self.kernel}"
        where = {"execution": EXECUTION.get(instruction), "scheduler": SCHEDULER, "pipeline": PIPELINE}
        self.where = where[unit]


def rows():
    for unit, instructions in FAULTS.items():
        for instruction, faults in instructions.items():
            sizes = SIZES if instruction in ARITHMETIC else ["memory"]
            for number, size in enumerate(sizes):
                yield Row(unit, instruction, size, faults if isinstance(faults, int) else faults[number])


# The micro-benchmarks. A thread has a single result, which the next instruction uses as an operand, so that each
# instruction matters. It is stored once, so each wrong word is a wrong thread. Arithmetic forms a chain, like in the
# published benchmarks.
STEPS = 16
OUT = 0x4000
START = """\
.kernel {name}
.registers 8
.param out              // byte addresses: a word a thread
.param a
.param b
.param c

    I2I.U32.U16 R0, R0L
    SHL R0, R0, 2
    IADD R1, g[out], R0
"""
LOAD = """\
    IADD R{register}, g[{array}], R0
    GLD.U32 R{register}, global14[R{register}]
"""
END = """\
    GST.EXIT.U32 global14[R1], R2
"""


def f32(value):
    """The float nearest to a number."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def cut(value):
    """A product truncated to 24 bits, as FMAD does."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(math.trunc(math.ldexp(mantissa, 24)), exponent - 24)


def s32(value):
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def s24(value):
    return (value + (1 << 23)) % (1 << 24) - (1 << 23)


def word(value):
    """The 32 bits of a float or an integer."""
    return struct.unpack("<I", struct.pack("<f", value))[0] if isinstance(value, float) else value % (1 << 32)


def reals(chance, least, most, count):
    """Floats between two bounds, with the same probability for each binary order of magnitude."""
    return [f32(math.exp(chance.uniform(math.log(least), math.log(most)))) for _ in range(count)]


def integers(chance, least, most, count):
    return [chance.randint(least, most) for _ in range(count)]


def odd(chance, most, count):
    """Odd factors of both signs: multiplying by one preserves all of the lower 24 bits."""
    return [chance.choice([-1, 1]) * (2 * chance.randint(0, most // 2) + 1) for _ in range(count)]


def around(chance, middle, count):
    return [f32(middle * chance.uniform(0.98, 1.02)) for _ in range(count)]


class Kernel:
    """The code between loads and store, the arrays that it loads, and the expected results."""

    def __init__(self, name, threads, body, arrays, results, compare='compare = "u32"', loaded=None):
        self.name, self.threads, self.body, self.arrays, self.results = name, threads, body, arrays, results
        self.compare, self.loaded = compare, loaded if loaded is not None else len(arrays)

    def write(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        code = START.format(name=self.name.lower().replace("-", "_"))
        code += "".join(LOAD.format(register=2 + k, array="abc"[k]) for k in range(self.loaded))
        write(folder / "kernel.sass", code + self.body + END)
        addresses = [OUT] + [0x1000 * k for k in range(3)]
        memory = "".join(
            f'\n[[memory]]\nspace = "global"\naddress = {addresses[1 + k]}\nfile = "{"abc"[k]}.hex"\n'
            for k in range(len(self.arrays))
        )
        launch = f'name = "{self.name}"\nprogram = "kernel.sass"\ngrid = [1, 1]\nblock = [{self.threads}, 1, 1]\n'
        launch += f"params = {addresses}\n{memory}\n"
        launch += f'[[expect]]\nspace = "global"\nfile = "expected.txt"\nexact = true\n{self.compare}\n'
        write(folder / "launch.toml", launch)
        for name, array in zip("abc", self.arrays):
            write(folder / f"{name}.hex", "".join(f"{word(value):08x}\n" for value in array))
        results = enumerate(self.results)
        write(folder / "expected.txt", "".join(f"{OUT + 4 * k:05x} {word(value):08x}\n" for k, value in results))


def write(file, text):
    """Writes a file unless it already has this text."""
    if not (file.exists() and file.read_text() == text):
        file.write_text(text)


def chain(name, instruction, step, arrays, exact=True):
    """A kernel of two warps in which each instruction uses the previous result in R2."""
    results = []
    for first, *others in zip(*arrays):
        for _ in range(STEPS):
            first = step(first, *others)
        results.append(first)
    compare = 'compare = "u32"' if isinstance(results[0], int) else 'compare = "f32"\nulp = 0'
    return Kernel(name, len(results), f"    {instruction}\n" * STEPS, arrays, results, compare)


def kernel(name):
    """The micro-benchmark INSTRUCTION-SIZE."""
    instruction, size = name.split("-")
    chance = random.Random(name)
    k = SIZES.index(size) if size in SIZES else 0
    n = 64
    if instruction in ["FADD", "FMUL", "FMAD"]:
        values = reals(chance, *[(6e-6, 8e-6), (1.0, 60.0), (1e9, 1.2e10)][k], n)
        if instruction == "FADD":
            return chain(name, "FADD R2, R2, R3", lambda r, b: f32(r + b), [values, chance.sample(values, n)])
        if instruction == "FMUL":
            return chain(name, "FMUL R2, R2, R3", lambda r, b: f32(r * b), [values, reals(chance, 0.95, 1.05, n)])
        factors = [(1e-3, 3e-3), (1.0, 8.0), (3e4, 1e5)][k]
        arrays = [values, reals(chance, *factors, n), reals(chance, *factors, n)]
        return chain(name, "FMAD R2, R3, R4, R2", lambda r, a, b: f32(cut(a * b) + r), arrays)
    if instruction == "IADD":
        bounds = [(1, 99), (1000, 1000000), (1 << 28, (1 << 31) - 1)][k]
        arrays = [integers(chance, *bounds, n), integers(chance, *bounds, n)]
        return chain(name, "IADD R2, R2, R3", lambda r, b: s32(r + b), arrays)
    if instruction == "IMUL":
        factors = [[chance.choice([-1, 1]) for _ in range(n)], odd(chance, 99, n), odd(chance, (1 << 23) - 1, n)][k]
        values = odd(chance, [9, 999, (1 << 23) - 1][k], n)
        return chain(name, "IMUL.S24.S24 R2, R2, R3", lambda r, b: s32(s24(r) * s24(b)), [values, factors])
    if instruction == "IMAD":
        most = [9, 999, (1 << 23) - 1][k]
        arrays = [odd(chance, most, n), odd(chance, most, n), odd(chance, most, n)]
        return chain(name, "IMAD.S24 R2, R3, R4, R2", lambda r, a, b: s32(s24(a) * s24(b) + r), arrays)
    if instruction == "ISET":
        # The first comparison gives all ones or zero. The others keep this value unless a bit is wrong.
        def step(r, zero, ones):
            r = -1 if r < zero else 0
            return -1 if r <= ones else 0

        both = "ISET.S32 R2, R2, R3, LT\n    ISET.S32 R2, R2, R4, LE"
        return chain(name, both, step, [integers(chance, -1000, 999, n), [0] * n, [-1] * n])
    if instruction == "BRANCH":
        # Alternately taken and not taken; the two warps have opposite conditions.
        body, values = "    ISET.S32.C0 o[0x7f], R3, R124, GT\n", integers(chance, 1000, 1000000, n)
        steps = [chance.randint(1, 1000) if thread < 32 else -chance.randint(1, 1000) for thread in range(n)]
        for turn in range(STEPS):
            body += f"    BRA C0.{['NE', 'EQ'][turn % 2]}, over{turn}\n    IADD R2, R2, R3\nover{turn}:\n"
        results = [s32(value + STEPS // 2 * step) for value, step in zip(values, steps)]
        return Kernel(name, n, body, [values, steps], results)
    # One instruction in each of many warps: a chain of sines would lose an error, and a chain of loads needs sums.
    if instruction in ["FSIN", "FEXP"]:
        mnemonic, exact = ("SIN", math.sin) if instruction == "FSIN" else ("EX2", math.exp2)
        values = around(chance, [math.pi / 6, math.pi / 4, math.pi / 2][k], 256)
        body = f"    RRO R2, R2, {mnemonic}\n    {mnemonic} R2, R2\n"
        return Kernel(name, 256, body, [values], [f32(exact(v)) for v in values], 'compare = "f32"\nulp = 8\nabsolute = 1e-6')
    if instruction == "LOAD":
        values = integers(chance, 1 << 16, (1 << 31) - 1, 512)
        return Kernel(name, 512, "", [values], values)
    assert instruction == "STORE"
    return Kernel(name, 512, "    IADD32I R2, R0, 0x1234567\n", [], [0x1234567 + 4 * k for k in range(512)])


# Running flexgrip.


class Failed(Exception):
    pass


def flexgrip(program, *arguments):
    """The output of a run of flexgrip in the repository's folder."""
    done = subprocess.run([program, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"flexgrip {' '.join(map(str, arguments))}\n{done.stderr or done.stdout}")
    return done.stdout


def prepare(program, folder, names):
    """Writes and runs the kernels. Returns the cycles of each."""

    def one(name):
        kernel(name).write(folder / name)
        return name, json.loads(flexgrip(program, "run", folder / name, "--json"))["cycles"]

    with ThreadPoolExecutor(2) as pool:
        return dict(pool.map(one, names))


def bits_of(program, wheres):
    """The number of bits that a pattern selects."""
    bits = {}
    for where in wheres:
        sites = json.loads(flexgrip(program, "faults", "list", "--where", where, "--json"))
        bits[where] = sum(site["width"] * site["elements"] for site in sites)
    return bits


def campaign(program, row, kernels, folder, count, jobs):
    """Runs or continues a campaign. Returns the seconds that it took."""
    folder = folder / row.name
    path = os.path.relpath(kernels / row.kernel, ROOT)
    if (folder / "plan.json").exists():
        plan = json.loads((folder / "plan.json").read_text())
        sample = plan["sample"] or {}
        wanted = (path, row.where, SEED, count)
        if (plan["kernel"], sample.get("pattern"), sample.get("seed"), plan["count"]) == wanted:
            try:
                return timed(program, folder, folder, "--jobs", jobs)
            except Failed as error:
                print(f"{row.name}: restarts, because it cannot continue: {str(error).splitlines()[-1]}", file=sys.stderr)
    if folder.exists():
        shutil.rmtree(folder)
    options = ["--output", folder, "--where", row.where, "--count", count, "--seed", SEED]
    return timed(program, folder, path, *options, "--jobs", jobs)


def timed(program, folder, *arguments):
    """Runs a command. Returns the seconds that it took, or the seconds of the run that completed the campaign."""
    file, start = folder / "seconds", time.monotonic()
    flexgrip(program, "faults", "run", *arguments)
    if not file.exists():
        file.write_text(f"{time.monotonic() - start:.2f}\n")
    return float(file.read_text())


OUTCOMES = {"masked-other-cycles": "masked", "not-excited": "masked"}


def tally(folder):
    """The counts of outcomes, the count of errors of a single bit, and the relative errors of runs with a single wrong
    word."""
    counts = dict.fromkeys(["masked", "latent", "sdc one", "sdc several", "detected", "hang"], 0)
    errors, one_bit = [], 0
    with open(folder / "results.csv", newline="") as file:
        lines = csv.reader(file)
        columns = next(lines)
        needed = ["outcome", "corrupted_words", "corrupted_bits", "relative_error"]
        outcome, words, bits, error = (columns.index(name) for name in needed)
        for line in lines:
            found = line[outcome]
            if found == "silent-corruption":
                one_bit += line[bits] == "1"
                if line[words] == "1":
                    found = "sdc one"
                    errors.append(float(line[error]))
                else:
                    found = "sdc several"
            counts[OUTCOMES.get(found, found)] += 1
    return counts, one_bit, [error for error in errors if 0 < error < math.inf]


# Statistics.


def wilson(hits, n, z=1.959964):
    """The 95 % interval of a share, in percent."""
    if n == 0:
        return 0.0, 100.0
    p, d = hits / n, 1 + z * z / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, 100 * (middle - half) / d), min(100.0, 100 * (middle + half) / d)


def ranks(values):
    """Ranks from 1; equal values have the mean of their ranks."""
    order = sorted(range(len(values)), key=lambda k: values[k])
    found, k = [0.0] * len(values), 0
    while k < len(order):
        end = k
        while end + 1 < len(order) and values[order[end + 1]] == values[order[k]]:
            end += 1
        for place in order[k : end + 1]:
            found[place] = (k + end) / 2 + 1
        k = end + 1
    return found


def spearman(first, second):
    """The rank correlation; None if one of the lists is constant."""
    a, b = ranks(first), ranks(second)
    middle = (len(a) + 1) / 2
    product = sum((x - middle) * (y - middle) for x, y in zip(a, b))
    squares = sum((x - middle) ** 2 for x in a) * sum((y - middle) ** 2 for y in b)
    return product / math.sqrt(squares) if squares > 0 else None


def power_law(errors, x_min):
    """The exponent by maximum likelihood, the number of errors at or above x_min, and the largest distance of the tail
    from the law."""
    tail = sorted(error for error in errors if error >= x_min)
    logs = sum(math.log(error / x_min) for error in tail)
    if len(tail) < 2 or logs <= 0:
        return None, len(tail), None
    alpha = 1 + len(tail) / logs
    law = [1 - (error / x_min) ** (1 - alpha) for error in tail]
    distance = max(max(abs(p - k / len(tail)), abs(p - (k + 1) / len(tail))) for k, p in enumerate(law))
    return alpha, len(tail), distance


def fitted(errors):
    """The fit whose x_min gives the smallest distance (Clauset et al.), among 100 quantiles that leave at least a
    tenth of the errors above."""
    errors = sorted(errors)
    candidates = sorted({errors[len(errors) * k // 100] for k in range(100)} if errors else [])
    fits = [(x_min, *power_law(errors, x_min)) for x_min in candidates]
    fits = [fit for fit in fits if fit[1] is not None and fit[2] >= max(10, len(errors) / 10)]
    return min(fits, key=lambda fit: fit[3]) if fits else None


# Tables.

UNITS = {"Execution unit": "execution", "Scheduler unit": "scheduler", "pipeline": "pipeline"}
COLUMNS = [
    *("unit", "instruction", "input", "cycles", "bits", "faults", "masked", "latent", "sdc_one_thread", "sdc_several_threads"),
    *("detected", "hang", "sdc_one_bit", "sdc_percent", "sdc_low", "sdc_high", "due_percent", "due_low", "due_high"),
    *("seconds", "faults_per_second"),
]


def line_of(row, cycles, bits, counts, one_bit, seconds):
    """The line of a row in table.csv."""
    n = sum(counts.values())
    sdc, due = counts["sdc one"] + counts["sdc several"], counts["detected"] + counts["hang"]
    values = [row.unit, row.instruction, row.size, cycles, bits, n, *counts.values(), one_bit]
    for hits in [sdc, due]:
        values += [f"{share:.4g}" for share in (100 * hits / n, *wilson(hits, n))]
    return dict(zip(COLUMNS, [*values, f"{seconds:.1f}", f"{n / seconds:.0f}"]))


def write_table(file, columns, lines, head=""):
    with open(file, "w", newline="") as out:
        out.write(head)
        table = csv.DictWriter(out, columns, lineterminator="\n")
        table.writeheader()
        table.writerows(lines)


def share(line, what):
    return f"{float(line[what + '_percent']):6.2f} ({float(line[what + '_low']):.2f} to {float(line[what + '_high']):.2f})"


def show(lines):
    """Prints a short form of the table."""
    counts = {"masked": 8, "latent": 8, "sdc_one_thread": 9, "sdc_several_threads": 8, "detected": 9, "hang": 6}
    heads = ["masked", "latent", "1 thread", "several", "detected", "hang"]
    head = "".join(f"{name:>{width}}" for name, width in zip(heads, counts.values()))
    print(f"{'unit':10}{'kernel':15}{'faults':>7}{head}  {'SDC %':24}{'DUE %':24}{'faults/s':>8}")
    for line in lines:
        numbers = "".join(f"{line[name]:{width}}" for name, width in counts.items())
        name = f"{line['unit']:10}{line['instruction']}-{line['input']}"
        shares = f"{share(line, 'sdc'):24}{share(line, 'due'):24}"
        print(f"{name:25}{line['faults']:7}{numbers}  {shares}{line['faults_per_second']:>8}")


def published(shared):
    """The published rows by unit, instruction and size; None without the published table."""
    file = shared / "avf_micro_instructions.csv"
    if not file.exists():
        return None
    found = {}
    for line in csv.DictReader(file.read_text().splitlines()):
        size = {"med": "common", "mem": "memory"}.get(line["input"].lower(), line["input"].lower())
        n = int(line["Faults injected"])
        if n:
            counts = [int(line[name]) for name in ["SDC total", "SDC individual", "SDC multiple", "Hang"]]
            found[UNITS[line["unit"]], line["Instruction"].upper(), size] = (n, *counts)
    return found


def compare(lines, theirs, folder):
    """Prints both tables side by side, and rank correlations."""
    both = []
    for line in lines:
        key = line["unit"], line["instruction"], line["input"]
        if key in theirs:
            n, sdc, _, several, hang = theirs[key]
            words = line["sdc_one_thread"] + line["sdc_several_threads"]
            both.append({
                **dict(zip(["unit", "instruction", "input"], key)),
                "sdc": float(line["sdc_percent"]), "sdc_published": 100 * sdc / n,
                "due": float(line["due_percent"]), "due_published": 100 * hang / n,
                "several": 100 * line["sdc_several_threads"] / words if words else 0.0,
                "several_published": 100 * min(several, sdc) / sdc if sdc else 0.0,
            })
    columns = list(both[0])
    rounded = [{k: f"{v:.4g}" if isinstance(v, float) else v for k, v in line.items()} for line in both]
    write_table(folder / "side_by_side.csv", columns, rounded)
    print("\nours | published: SDC %, DUE %, share of SDCs with several threads")
    for line in both:
        pairs = "".join(f"{line[k]:9.2f} |{line[k + '_published']:7.2f}" for k in ["sdc", "due", "several"])
        print(f"{line['unit']:10}{line['instruction']}-{line['input']:10}".ljust(26) + pairs)

    correlations = []
    for unit in ["all", *UNITS.values()]:
        chosen = [line for line in both if unit in ["all", line["unit"]]]
        if len(chosen) < 3:
            continue
        means = {}
        for line in chosen:
            means.setdefault((line["unit"], line["instruction"]), []).append(line)
        for what in ["sdc", "due", "several"]:
            names = [what, what + "_published"]
            of_rows = [[line[name] for line in chosen] for name in names]
            of_means = [[sum(line[name] for line in group) / len(group) for group in means.values()] for name in names]
            found = [spearman(*of_rows), spearman(*of_means) if len(means) > 2 else None]
            text = ["" if rho is None else f"{rho:.2f}" for rho in found]
            correlations.append(dict(zip(
                ["unit", "figure", "rows", "rank_correlation", "instructions", "rank_correlation_of_instructions"],
                [unit, what, len(chosen), text[0], len(means), text[1]])))
    if not correlations:
        return
    write_table(folder / "rank_correlations.csv", list(correlations[0]), correlations)
    print("\nSpearman's rank correlation, over rows and over instructions (mean of the inputs)")
    for line in correlations:
        print(f"{line['unit']:10}{line['figure']:9}{line['rank_correlation'] or 'none':>6} ({line['rows']} rows)"
              f"{line['rank_correlation_of_instructions'] or 'none':>7} ({line['instructions']} instructions)")


def power_laws(errors, shared, folder):
    """Prints power laws of the relative errors, next to the published ones where they exist."""
    file, theirs = shared / "dsn21_powerlaw.csv", {}
    if file.exists():
        for line in csv.DictReader(file.read_text().splitlines()):
            name = line["instruction_in_raw_data"].replace("FFMA", "FMAD")
            key = line["unit"].replace("execution_units", "execution"), name, line["result_size"]
            theirs[key] = float(line["alpha_published"]), float(line["x_min_published"])
    def number(value):
        return "" if value is None else f"{value:.4g}"

    lines = []
    for (unit, instruction, size), values in errors.items():
        fit = fitted(values)
        alpha, x_min = theirs.get((unit, instruction, size), (None, None))
        at_theirs = power_law(values, x_min) if x_min else (None, 0, None)
        lines.append({
            "unit": unit, "instruction": instruction, "input": size, "errors": len(values),
            **dict(zip(["x_min", "alpha", "tail", "distance"], map(number, fit or [None] * 4))),
            "alpha_published": number(alpha), "x_min_published": number(x_min),
            "alpha_at_that_x_min": number(at_theirs[0]), "tail_there": at_theirs[1] if x_min else "",
        })
    write_table(folder / "power_laws.csv", list(lines[0]), lines)
    print("\npower laws of relative errors, SDCs of one word: alpha (x_min, errors above of all, distance) | published alpha, "
          "ours at its x_min")
    for line in lines:
        if line["alpha"]:
            ours = f"{line['alpha']:>8} ({line['x_min']}, {line['tail']} of {line['errors']}, {line['distance']})"
            print(f"{line['unit']:10}{line['instruction']}-{line['input']}".ljust(26) + f"{ours:48}"
                  f"{line['alpha_published'] or '-':>9} {line['alpha_at_that_x_min'] or '-':>9}")


def record(file, lines, scale, seconds):
    """Records the results, with the machine and the version on which they were measured."""
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    today = datetime.datetime.now(datetime.timezone.utc).date()
    total = sum(line["faults"] for line in lines)
    head = (
        "# Written by `make faults-dsn21 DSN21=--record`; docs/reliability.md says what the columns mean.\n"
        f"# {today}, commit {commit}, {os.cpu_count()} cores, {total:,} faults (scale {scale:g})"
        f" in {seconds / 60:.1f} minutes, {total / seconds:,.0f} a second.\n"
    )
    write_table(file, COLUMNS, lines, head)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flexgrip", default="target/release/flexgrip", help="the program [default: %(default)s]")
    folder = ROOT / "build/faults/dsn21"
    parser.add_argument("--output", type=pathlib.Path, default=folder, help="folder [default: build/faults/dsn21]")
    parser.add_argument("--scale", type=float, default=1.0, help="share of each row's faults [default: 1]")
    parser.add_argument("--only", default="", help="only rows whose name (UNIT-INSTRUCTION-SIZE) has this text")
    parser.add_argument("--together", type=int, default=2, help="number of campaigns to run at once [default: 2]")
    parser.add_argument("--jobs", type=int, default=1, help="threads per campaign [default: 1]")
    parser.add_argument("--record", action="store_true", help="write baselines/faults-dsn21.csv")
    parser.add_argument("--self-test", action="store_true", help="only write and check the kernels")
    options = parser.parse_args()
    if options.record and options.only:
        parser.error("--record: a record needs all rows; expected no --only")
    program = str((ROOT / options.flexgrip).resolve())
    output = options.output.resolve()
    start = time.monotonic()

    chosen = [row for row in rows() if options.only in row.name]
    if not chosen:
        sys.exit(f"--only {options.only}: no row has this text in its name; expected a part of a name such as {next(rows()).name}")
    cycles = prepare(program, output / "kernels", sorted({row.kernel for row in chosen}))
    print(f"{len(cycles)} kernels, {min(cycles.values())} to {max(cycles.values())} cycles, all with the expected results")
    if options.self_test:
        return
    bits = bits_of(program, {row.where for row in chosen})

    def one(row):
        wanted = max(1, round(row.faults * options.scale))
        population = bits[row.where] * cycles[row.kernel]
        if wanted > population:
            print(f"{row.name}: only {population} of the {wanted} requested faults exist", file=sys.stderr)
        seconds = campaign(program, row, output / "kernels", output / "campaigns", min(wanted, population), options.jobs)
        counts, one_bit, errors = tally(output / "campaigns" / row.name)
        if sys.stderr.isatty():
            print(f"\r{row.name:40}", end="", file=sys.stderr)
        return line_of(row, cycles[row.kernel], bits[row.where], counts, one_bit, seconds), errors

    prepared = time.monotonic() - start
    # Large campaigns first, so that both threads end at about the same time.
    (output / "campaigns").mkdir(parents=True, exist_ok=True)
    order = sorted(chosen, key=lambda row: -row.faults)
    with ThreadPoolExecutor(options.together) as pool:
        done = dict(zip((row.name for row in order), pool.map(one, order)))
    # Correct even if campaigns of an earlier run were kept.
    seconds = prepared + sum(float(line["seconds"]) for line, _ in done.values()) / options.together
    lines = [done[row.name][0] for row in chosen]
    errors = {(row.unit, row.instruction, row.size): done[row.name][1] for row in chosen}

    write_table(output / "table.csv", COLUMNS, lines)
    show(lines)
    total = sum(line["faults"] for line in lines)
    for unit in FAULTS:
        of_unit = [line for line in lines if line["unit"] == unit]
        words, bit = (sum(line[k] for line in of_unit) for k in ["sdc_one_thread", "sdc_one_bit"])
        if words:
            print(f"{unit}: one bit differs in {100 * bit / words:.1f} % of the {words:,} SDCs of one thread")
    print(f"{total:,} faults of {len(lines)} rows in {seconds / 60:.1f} minutes, {total / seconds:,.0f} a second")
    shared = pathlib.Path(os.environ.get("FLEXGRIP_SHARED", ROOT / "../shared")) / "faults"
    theirs = published(shared)
    if theirs:
        compare(lines, theirs, output)
    else:
        print("comparison with the published table: skipped, it is not at FLEXGRIP_SHARED")
    power_laws(errors, shared, output)
    if options.record:
        record(ROOT / "baselines/faults-dsn21.csv", lines, options.scale, seconds)


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("stopped; the next run continues")

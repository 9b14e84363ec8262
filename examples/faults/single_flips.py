#!/usr/bin/env python3
"""How much single bit flips underestimate: SDCs of a flipped result bit compared with errors measured in the circuits.

Each kernel has three campaigns. The first two are on the golden model and have the same population of instructions:

  flip      one bit of a result is inverted in one thread (flip-destination)
  measured  a result is multiplied by the relative error of an SDC that was measured in the circuits for this instruction, in
            as many threads of the warp as had it there (relative-error, with a fault list)
  circuits  flips in the SM's registers: the SDCs whose first visible effect is in one of these instructions

The measured errors are the SDCs of the campaigns of examples/faults/dsn21.py, in the folder given by --dsn21.
"""

import argparse
import csv
import json
import math
import pathlib
import random
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from dsn21 import ROOT, Failed, flexgrip, fitted, rows, wilson, write_table  # noqa: E402

KERNELS = ["saxpy", "sgemm_tiled", "black_scholes", "stencil_1d", "reduction", "sort"]
# Mnemonics without the length of the word, with the micro-benchmark that measured them.
MEASURED = {"FADD": "FADD", "FMUL": "FMUL", "FMAD": "FMAD", "IADD": "IADD", "IMUL": "IMUL", "IMAD": "IMAD", "SIN": "FSIN",
            "EX2": "FEXP"}
COLUMNS = ["kernel", "thread_instructions", "faults", "flip_sdc", "flip_sdc_low", "flip_sdc_high", "flip_due", "measured_sdc",
           "measured_sdc_low", "measured_sdc_high", "measured_due", "difference", "circuits_visible", "circuits_sdc",
           "circuits_sdc_low", "circuits_sdc_high", "circuits_due"]


def name_of(text):
    """The mnemonic of an instruction or site, without modifiers and without the length of the word."""
    return re.sub("32I?$", "", re.split(r"[. ]", text)[0])


def measured(folder):
    """The SDCs of each instruction by size: weight, relative error, wrong words. The weight is the number of bits of a
    unit per simulated fault, so it makes them SDCs of flips in random bits of the whole SM. Also returns the share of
    SDCs without a relative error."""
    with open(folder / "table.csv", newline="") as file:
        weights = {(line["unit"], line["instruction"], line["input"]): int(line["bits"]) / int(line["faults"])
                   for line in csv.DictReader(file)}
    errors, without, total = {}, 0.0, 0.0
    for row in rows():
        weight = weights[row.unit, row.instruction, row.size]
        with open(folder / "campaigns" / row.name / "results.csv", newline="") as file:
            for line in csv.DictReader(file):
                if line["outcome"] != "silent-corruption":
                    continue
                total += weight
                error = float(line["relative_error"])
                if not 0 < error < math.inf:
                    without += weight
                    continue
                key = row.instruction, row.size
                errors.setdefault(key, []).append((weight, error, int(line["corrupted_words"])))
    return errors, 100 * without / total


def laws(errors, file):
    """The power laws of the measured errors of a single word, by instruction and input."""
    lines = []
    for name, micro in MEASURED.items():
        for size in ["small", "common", "big"]:
            fit = fitted([error for _, error, words in errors.get((micro, size), []) if words == 1])
            if fit:
                lines.append({"instruction": name, "size": size, "x_min": f"{fit[0]:.4g}", "alpha": f"{fit[1]:.4g}"})
    write_table(file, ["instruction", "size", "x_min", "alpha"], lines)


def results(folder):
    with open(folder / "results.csv", newline="") as file:
        return list(csv.DictReader(file))


def share(lines, outcomes):
    hits = sum(line["outcome"] in outcomes for line in lines)
    return [f"{value:.4g}" for value in (100 * hits / max(1, len(lines)), *wilson(hits, len(lines)))]


# Laws with constant errors: the factor of a drawn fault then identifies the size of the right result.
SIZES = ["small", "common", "big"]
CONSTANT = [{"instruction": name, "size": size, "x_min": 1 + k, "alpha": "1e9"} for name in MEASURED for k, size in enumerate(SIZES)]


def with_measured_errors(list_file, errors, seed, output):
    """The fault list with the factors of its law replaced by factors and threads of measured SDCs."""
    chance = random.Random(seed)
    with open(list_file, newline="") as file:
        lines = list(csv.DictReader(file))
    for line in lines:
        micro = MEASURED[name_of(line["site"])]
        size = SIZES[round(abs(float(line["parameters"].removeprefix("factor=")) - 1)) - 1]
        pool = errors[micro, size]
        # Integers below 1,000 are common; the micro-benchmark with small ones uses 1 to 99.
        if micro.startswith("I"):
            pool = errors[micro, "big"] if size == "big" else errors[micro, "small"] + errors[micro, "common"]
        _, error, words = chance.choices(pool, [weight for weight, _, _ in pool])[0]
        lane = int(line["element"])
        others = chance.sample([other for other in range(32) if other != lane], min(words, 32) - 1)
        lanes = sum(1 << other for other in [lane, *others])
        line["parameters"] = f"lanes={lanes:#x} factor={1 + chance.choice([-1, 1]) * error!r}"
    write_table(output, list(lines[0]), lines)


def kernel_line(program, kernel, errors, options):
    folder = options.output / kernel
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    count = ["--count", options.count, "--seed", options.seed]
    right = ["--tolerance", options.tolerance]
    flexgrip(program, "faults", "plan", kernel, "--model", "relative-error", "--laws", options.output / "constant.csv", *count,
             "--output", folder / "drawn")
    plan = json.loads((folder / "drawn" / "plan.json").read_text())
    with_measured_errors(folder / "drawn" / "faults.csv", errors, options.seed, folder / "measured.csv")
    flexgrip(program, "faults", "run", kernel, "--faults", folder / "measured.csv", *right, "--output",
             folder / "measured")
    with open(folder / "measured.csv", newline="") as file:
        sites = sorted({line["site"] for line in csv.DictReader(file)})
    flexgrip(program, "faults", "run", kernel, "--model", "flip-destination", "--where", ",".join(sites), *count, *right,
             "--output", folder / "flip")
    flexgrip(program, "faults", "run", kernel, "--where", "register:sm[0]", "--count", options.circuits, "--seed", options.seed,
             *right, "--output", folder / "circuits")
    flips, wrong = results(folder / "flip"), results(folder / "measured")
    visible = [line for line in results(folder / "circuits") if name_of(line["record_instruction"]) in MEASURED]
    sdc, due = ["silent-corruption"], ["detected", "hang"]
    flip, found, circuits = share(flips, sdc), share(wrong, sdc), share(visible, sdc)
    values = [kernel, plan["sample"]["golden_model"]["thread_instructions"], options.count, *flip, share(flips, due)[0], *found,
              share(wrong, due)[0], f"{float(found[0]) - float(flip[0]):.4g}", len(visible), *circuits, share(visible, due)[0]]
    return dict(zip(COLUMNS, values))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flexgrip", default="target/release/flexgrip", help="the program [default: %(default)s]")
    parser.add_argument("--dsn21", type=pathlib.Path, default=ROOT / "build/faults/dsn21",
                        help="the folder of dsn21.py [default: build/faults/dsn21]")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/faults/single_flips",
                        help="folder [default: build/faults/single_flips]")
    parser.add_argument("--count", type=int, default=10000, help="number of faults per campaign in instructions [default: 10000]")
    parser.add_argument("--circuits", type=int, default=20000, help="number of flips per campaign in the circuits [default: 20000]")
    parser.add_argument("--seed", type=int, default=1, help="seed of all campaigns [default: 1]")
    parser.add_argument("--tolerance", type=int, default=0, help="the --tolerance of flexgrip faults run [default: 0]")
    parser.add_argument("--record", action="store_true",
                        help="write baselines/faults-single-flips.csv and baselines/relative-errors.csv")
    options = parser.parse_args()
    program = str((ROOT / options.flexgrip).resolve())
    options.output, options.dsn21 = options.output.resolve(), options.dsn21.resolve()
    if not (options.dsn21 / "table.csv").exists():
        sys.exit(f"{options.dsn21 / 'table.csv'}: does not exist; examples/faults/dsn21.py writes it")
    errors, without = measured(options.dsn21)
    options.output.mkdir(parents=True, exist_ok=True)
    laws(errors, options.output / "laws.csv")
    write_table(options.output / "constant.csv", list(CONSTANT[0]), CONSTANT)
    used = [found for (micro, _), found in errors.items() if micro in MEASURED.values()]
    words = [(weight, words) for found in used for weight, _, words in found]
    total = sum(weight for weight, _ in words)
    several = 100 * sum(weight for weight, words in words if words > 1) / total
    print(f"{len(words):,} measured SDCs, weighted by bits: {several:.1f} % in several threads, another {without:.1f} % left out: "
          f"not a number, or the right result is 0")
    lines = []
    for kernel in KERNELS:
        lines.append(kernel_line(program, kernel, errors, options))
        line = lines[-1]
        print(f"{kernel:14}", *(f"{name}: SDC {line[name + '_sdc']} % ({line[name + '_sdc_low']} to {line[name + '_sdc_high']}), "
                                f"DUE {line[name + '_due']} %;" for name in ["flip", "measured", "circuits"]),
              f"{line['circuits_visible']} visible in the circuits", flush=True)
    write_table(options.output / "table.csv", COLUMNS, lines)
    if options.record:
        head = "# Written by `examples/faults/single_flips.py --record`; docs/reliability.md says what the columns mean.\n"
        write_table(ROOT / "baselines/faults-single-flips.csv", COLUMNS, lines, head)
        shutil.copy(options.output / "laws.csv", ROOT / "baselines/relative-errors.csv")


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(str(error))

#!/usr/bin/env python3
"""Stuck-at faults of decode, fetch and warp unit, as in the campaign of SC 2023, with open and with closed loop.

A row is a unit and one of fourteen kernels of the published kinds. The open loop is the published method: only the
unit's gates, with the inputs of a run without a fault, and error classes by the unit's outputs (`flexgrip faults
gates`). The closed loop has the same faults in the unit's gates inside the whole machine, to the end of the program
(`flexgrip faults run --gates`). Both are kept in build/faults/sc23; finished rows are not run again, interrupted ones
continue. With the published tables at FLEXGRIP_SHARED (../shared), which are not part of this repository, both tables
are printed side by side. docs/reliability.md explains the tables.

    make faults-sc23                               # every prime fault: days on two cores
    make faults-sc23 SC23="--count 500"            # 500 of each row, at random
    make faults-sc23 SC23="--only decode-vectoradd"
"""

import argparse
import collections
import csv
import datetime
import json
import os
import pathlib
import sys
import time

from dsn21 import ROOT, Failed, flexgrip, wilson, write

SEED = 1
# The published unit, the corresponding unit here, and the parts of it that have no counterpart in the published one.
UNITS = {
    "decode": ("sm[0].scheduler.decode", "*"),
    "fetch": ("sm[0].fetch", "*"),
    "warp unit": ("sm[0].scheduler", "!sm[0].scheduler.decode,!sm[0].scheduler.scoreboard"),
}
# The published programs, each with a similar kernel of this project.
KERNELS = {
    **{"back_propagation": "softmax", "euler": "stencil_1d", "FFT": "fft", "gray_filter": "stencil_2d", "mxm": "sgemm_tiled"},
    **{"mxm_simple": "matrix_multiply", "nn": "k_means", "reduction": "reduction", "scalar_vector_product": "saxpy"},
    **{"scan": "prefix_scan", "sobel": "sobel", "sort": "sort", "transpose": "transpose", "vector_add": "vectoradd"},
}
CLASSES = ["IOC", "IVOC", "IRA", "IVRA", "IIO", "IPP", "WV", "IAT", "IAW", "IAC", "IAL", "IMS", "IMD", "IFU"]
GROUPS = {
    **dict.fromkeys(["IOC", "IVOC"], "operation"),
    **dict.fromkeys(["IRA", "IVRA", "IIO", "IPP"], "resource management"),
    "WV": "control flow",
    **dict.fromkeys(["IAT", "IAW", "IAC", "IAL", "IMS", "IMD", "IFU"], "parallel management"),
}
# The outcomes of the closed loop, as a program sees them, in the order of the tables.
OUTCOMES = {
    **dict.fromkeys(["not-excited", "masked"], "nothing"),
    "latent": "latent",
    "masked-other-cycles": "other cycles",
    "silent-corruption": "SDC",
    "detected": "detected",
    "hang": "hang",
}
SEEN = list(dict.fromkeys(OUTCOMES.values()))


class Row:
    def __init__(self, unit, kernel, folder):
        self.unit, self.kernel = unit, kernel
        self.name = f"{unit.replace(' ', '-')}-{kernel}"
        self.block, self.where = UNITS[unit]
        self.open, self.closed = folder / "open" / self.name, folder / "closed" / self.name


def lines(file):
    with open(file, newline="") as text:
        return list(csv.DictReader(text))


def timed(program, folder, *arguments):
    """Runs a command. Returns the seconds that it took, or the seconds of the run that completed it."""
    file, start = folder / "seconds", time.monotonic()
    flexgrip(program, "faults", *arguments)
    if not file.exists():
        file.write_text(f"{time.monotonic() - start:.2f}\n")
    return float(file.read_text())


def run_open(program, row, count, jobs):
    """Simulates the unit alone."""
    wanted = json.dumps([row.block, row.where, row.kernel, count, SEED])
    made = row.open / "made_with.json"
    if not (made.exists() and made.read_text() == wanted and (row.open / "seconds").exists()):
        for file in [row.open / "seconds", made]:
            file.unlink(missing_ok=True)
        options = ["--unit", row.block, "--where", row.where, "--count", count, "--seed", SEED, "--jobs", jobs]
        row.open.mkdir(parents=True, exist_ok=True)
        timed(program, row.open, "gates", f"kernels/{row.kernel}", *options, "--output", row.open)
        made.write_text(wanted)
    return float((row.open / "seconds").read_text())


def run_closed(program, row, jobs):
    """Simulates the same faults in the whole machine."""
    text = "id,model,site,element,bit,bits,cycle,until\n"
    for fault in lines(row.open / "faults.csv"):
        text += f"{fault['id']},stuck-at-{fault['stuck_at']},{fault['site']},0,0,1,1,\n"
    listed = row.open / "list.csv"
    write(listed, text)
    if (row.closed / "plan.json").exists():
        if (row.closed / "faults.csv").read_text() == text:
            return timed(program, row.closed, "run", row.closed, "--jobs", jobs)
        raise Failed(f"{row.closed} and {row.open} have different faults; remove one of them")
    options = ["--gates", row.block, "--faults", listed, "--output", row.closed, "--jobs", jobs]
    return timed(program, row.closed, "run", f"kernels/{row.kernel}", *options)


def tally(row):
    """The number of errors by class in all windows, and the number of faults by their results in the open loop and the
    closed loop."""
    errors = collections.Counter()
    for window in lines(row.open / "windows.csv"):
        errors.update({name: int(window[name]) for name in CLASSES})
    outcomes = {int(line["id"]): OUTCOMES[line["outcome"]] for line in lines(row.closed / "results.csv")}
    faults = collections.Counter()
    for line in lines(row.open / "results.csv"):
        outcome = outcomes[int(line["id"])]
        is_error = line["state"] == "detected"
        faults["error" if is_error else "none", outcome] += 1
        for name in line["classes"].split():
            faults[name, outcome] += 1
    return errors, faults


def share(hits, n):
    low, high = wilson(hits, n)
    return f"{100 * hits / n if n else 0:5.1f} ({low:.1f} to {high:.1f})"


def published(shared):
    """The published errors by unit and class, each counted once. Omits the unknown values that the files call hangs."""
    file = shared / "faults" / "sc23_classes.csv"
    if not file.exists():
        return None
    found = collections.defaultdict(collections.Counter)
    for line in lines(file):
        if line["subclass"] in CLASSES:
            found[line["unit"].replace("_", " ")][line["subclass"]] += int(line["errors_pooled_each_once"] or 0)
    return found


def report(results, shared):
    theirs = published(shared)
    if theirs is None:
        print(f"no comparison with the published tables: {shared} does not have them\n")
    for unit in UNITS:
        rows = [result for row, *result in results if row.unit == unit]
        if not rows:
            continue
        errors, faults = collections.Counter(), collections.Counter()
        for more_errors, more_faults, *_ in rows:
            errors.update(more_errors)
            faults.update(more_faults)
        total = sum(errors.values())
        print(f"{unit}, {len(rows)} kernels: errors by class, %")
        print(f"  {'class':8}{'group':22}{'ours':>8}{'theirs':>8}")
        for name in CLASSES:
            own = 100 * errors[name] / total if total else 0
            other = ""
            if theirs and sum(theirs[unit].values()):
                other = f"{100 * theirs[unit][name] / sum(theirs[unit].values()):.1f}"
            if own or other not in ("", "0.0"):
                print(f"  {name:8}{GROUPS[name]:22}{own:8.1f}{other:>8}")
        print(f"\n{unit}: outcomes in the whole machine, % of faults (95 % interval)")
        print(f"  {'open loop':12}{'faults':>9}  " + "".join(f"{name:>22}" for name in SEEN))
        for name in ["none", "error", *CLASSES]:
            n = sum(faults[name, seen] for seen in SEEN)
            if n:
                print(f"  {name:12}{n:9,}  " + "".join(f"{share(faults[name, seen], n):>22}" for seen in SEEN))
        print()


COLUMNS = [
    *("unit", "kernel", "faults", "errors_in_open_loop", "nothing", "latent", "other_cycles", "sdc", "detected", "hang"),
    *("sdc_of_errors", "detected_of_errors", "hang_of_errors", "open_seconds", "closed_seconds"),
]


def record(results):
    """Writes a line for each row: faults by outcome of the closed loop, the errors among them in the open loop, and
    seconds."""
    yield COLUMNS
    for row, _, faults, open_seconds, closed_seconds in results:
        count = lambda group, seen: faults[group, seen]
        outcomes = [count("error", seen) + count("none", seen) for seen in SEEN]
        of_errors = [count("error", seen) for seen in ["SDC", "detected", "hang"]]
        found = sum(count("error", seen) for seen in SEEN)
        seconds = [f"{open_seconds:.1f}", f"{closed_seconds:.1f}"]
        yield [row.unit, row.kernel, sum(outcomes), found, *outcomes, *of_errors, *seconds]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flexgrip", default="flexgrip", help="the program")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/faults/sc23", help="folder")
    parser.add_argument("--count", type=int, default=0, help="number of faults per row; 0: all")
    parser.add_argument("--only", default="", help="only rows whose names begin with this text, such as decode or decode-vectoradd")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="threads")
    parser.add_argument("--record", type=pathlib.Path, help="also write the table of rows to this file")
    arguments = parser.parse_args()
    folder = arguments.output.resolve() / (f"count-{arguments.count}" if arguments.count else "all")
    rows = [Row(unit, kernel, folder) for unit in UNITS for kernel in KERNELS.values()]
    rows = [row for row in rows if row.name.startswith(arguments.only)]
    if not rows:
        parser.error(f"--only {arguments.only}: no row's name begins with this text")
    results = []
    for number, row in enumerate(rows, 1):
        try:
            open_seconds = run_open(arguments.flexgrip, row, arguments.count, arguments.jobs)
            closed_seconds = run_closed(arguments.flexgrip, row, arguments.jobs)
        except Failed as error:
            sys.exit(f"{row.name}: {error}")
        errors, faults = tally(row)
        results.append((row, errors, faults, open_seconds, closed_seconds))
        n = sum(faults[group, seen] for group in ["error", "none"] for seen in SEEN)
        print(
            f"{number}/{len(rows)} {row.name}: {n:,} faults, open loop {open_seconds:.1f} s, closed loop {closed_seconds:.1f} s",
            file=sys.stderr,
        )
    table = list(record(results))
    with open(folder / "table.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(table)
    if arguments.record:
        today = datetime.date.today().isoformat()
        with open(arguments.record, "w", newline="") as file:
            file.write(f"# Written by make faults-sc23, {today}\n")
            csv.writer(file, lineterminator="\n").writerows(table)
    report(results, pathlib.Path(os.environ.get("FLEXGRIP_SHARED", ROOT.parent / "shared")))
    print(f"table.csv is in {folder}")


if __name__ == "__main__":
    main()

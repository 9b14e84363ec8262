"""Fault campaigns on clusters (examples/faults/cluster) while machines die: `make faults-cluster`.

HyperQueue and Slurm each run a campaign in shards on three machines, which are processes here. While shards run,
machines are killed by SIGKILL with all their processes, and all but one are started again; the server is killed once,
and so are some simulating programs alone. The merged results must equal the results of the same campaign in one piece, byte
for byte. Then the same command again must simulate nothing.
"""

import argparse
import filecmp
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

from hyperqueue_machines import HyperQueue
from killing import KILLS, Failed, Killer
from slurm_machines import Slurm

# Slow faults: results are written every two seconds, and some kills must hit a shard in between.
FAULTS = 800
PLAN = ["kernels/sort", "--model", "stuck-at", "--hang", "40", "--count", str(FAULTS)]
SHARDS = 8
MINUTES = 10


def files(folder):
    """All results of a campaign, by name: rows, report and tables."""
    found = [folder / "results.csv", folder / "report.html", *sorted((folder / "tables").iterdir())]
    return {str(file.relative_to(folder)): file for file in found}


def compare(merged, whole):
    ours, theirs = files(merged), files(whole)
    if ours.keys() != theirs.keys():
        raise Failed(f"{merged}: different files from {whole}: {ours.keys() ^ theirs.keys()}")
    for name in ours:
        if not filecmp.cmp(ours[name], theirs[name], shallow=False):
            raise Failed(f"{ours[name]}: differs from {theirs[name]}")
    return len(ours)


def shards_of(folder):
    """The contents and modification times of all shards' files."""
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.glob("results-*-of-*.csv")}


def check(kind, output, whole, rng):
    name = kind.__name__
    folder = output / name.lower()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    campaign = folder / "campaign"
    campaign.mkdir()
    for file in ["plan.json", "faults.csv"]:
        shutil.copy(whole / file, campaign)
    start = time.monotonic()
    with kind(folder, campaign, SHARDS) as cluster:
        cluster.begin()
        cluster.submit()
        kills = Killer(cluster, campaign, FAULTS // SHARDS, rng, start + 60 * MINUTES).kill()
        cluster.wait(start + 60 * MINUTES)
        seconds = time.monotonic() - start
        same = compare(campaign, whole)
        shards = shards_of(campaign)
        if len(shards) != SHARDS:
            raise Failed(f"{campaign}: results of {len(shards)} shards; expected {SHARDS}")
        cluster.submit()
        cluster.wait(time.monotonic() + 60 * MINUTES)
        if shards_of(campaign) != shards:
            raise Failed(f"{campaign}: complete shards were written again")
        cluster.nothing_simulated()
    print(
        f"{name}: {SHARDS} shards on 3 machines, {seconds:.0f} s; killed: the server once, {kills.machines} times a machine that"
        f" simulated, {kills.programs} times a program alone, {kills.partial} of these after some of the shard's rows; {same}"
        " files equal the unsharded campaign's; submitted again, nothing was simulated", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flexgrip", required=True, help="path of the program flexgrip")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="folder, whose contents are replaced")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="seed of the kills [default: random]")
    parser.add_argument("--only", choices=["hyperqueue", "slurm"])
    options = parser.parse_args()
    program = os.environ["FLEXGRIP"] = str(pathlib.Path(options.flexgrip).resolve())
    output = options.output.resolve()
    output.mkdir(parents=True, exist_ok=True)
    whole = output / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    print(f"seed {options.seed}: {KILLS} kills each", flush=True)
    start = time.monotonic()
    for command in [["plan", *PLAN, "--output", whole], ["run", whole, "--jobs", "1"]]:
        subprocess.run([program, "faults", *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(f"one piece: {FAULTS} faults, {time.monotonic() - start:.0f} s", flush=True)
    for kind in [HyperQueue, Slurm]:
        if options.only in [None, kind.__name__.lower()]:
            check(kind, output, whole, random.Random(options.seed))


if __name__ == "__main__":
    try:
        main()
    except Failed as error:
        sys.exit(f"failed: {error}")

#!/usr/bin/env python3
"""Simulates a fault campaign on several machines with HyperQueue (`pip install hyperqueue`).

    flexgrip faults plan sort --count 1000000 --output build/faults/large
    python3 examples/faults/cluster/hq.py build/faults/large --shards 256    # on one machine: submits, waits, merges
    python3 examples/faults/cluster/hq.py build/faults/large --worker        # on each machine that is to simulate

All machines must see the campaign's folder, the kernel and the program under the same paths, so run this in the same
folder on all of them. The program is $FLEXGRIP, or `flexgrip` in PATH. Workers may start first, join later, and be
killed; they end with the campaign. Complete shards are not submitted: after Ctrl-C or a crash, the second command
continues.
"""

import argparse
import csv
import json
import os
import pathlib
import shutil
import socket
import sys
import tempfile
import time

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

PROGRAM = os.environ.get("FLEXGRIP", "flexgrip")
ATTEMPTS = 3  # for a shard whose program fails, or is killed without its worker
CRASHES = 20  # of workers, for one shard


def incomplete(folder, shards):
    """The shards without results, or with incomplete results."""
    missing = [0] * shards
    with open(folder / "faults.csv", newline="") as faults:
        for line in csv.DictReader(faults):
            missing[int(line["id"]) % shards] += 1
    found = []
    for shard, faults in enumerate(missing):
        results = folder / f"results-{shard}-of-{shards}.csv"
        # The first line is the header.
        if not results.exists() or len(results.read_text().splitlines()) - 1 < faults:
            found.append(shard)
    return found


def simulate(client, folder, shards, chosen):
    """Simulates these shards, with a progress bar, and prints their errors."""
    # Without a limit on failures, the other shards continue after one fails.
    job = Job(default_workdir=os.getcwd(), max_fails=None)
    for shard in chosen:
        command = [PROGRAM, "faults", "run", str(folder), "--shard", f"{shard}/{shards}", "--jobs", "1"]
        job.program(command, stdout=None, stderr=folder / f"hq/shard-{shard}.log", crash_limit=CRASHES)
    submitted = client.submit(job)
    if not client.wait_for_jobs([submitted], raise_on_error=False):
        for task, failed in sorted(client.get_failed_tasks(submitted).items()):
            log = pathlib.Path(failed.stderr)
            text = log.read_text() if log.exists() else ""
            print(f"shard {chosen[task]}/{shards}: {failed.error}\n{text}", end="", file=sys.stderr)


def address(folder):
    """The address of the campaign's server, in HyperQueue's format; None if there is no server."""
    file = folder / "hq/hq-current/access.json"
    return file.read_text() if file.exists() else None


def answers(access):
    """True if a server responds at this address."""
    try:
        server = json.loads(access)["worker"]
        socket.create_connection((server["host"], server["port"]), timeout=5).close()
    except (OSError, ValueError):
        return False
    return True


def campaign(folder, shards):
    with LocalCluster(server_dir=str(folder / "hq")) as cluster:
        for _ in range(ATTEMPTS):
            chosen = incomplete(folder, shards)
            print(f"{len(chosen)} of {shards} shards to simulate", flush=True)
            if not chosen:
                break
            simulate(cluster.client(), folder, shards, chosen)
    # Removing the folder ends the workers.
    shutil.rmtree(folder / "hq")
    failed = incomplete(folder, shards)
    if failed:
        sys.exit(f"shards without all results: {failed}")
    os.execvp(PROGRAM, [PROGRAM, "faults", "merge", str(folder)])


def join(access, cpus, own):
    """Starts a worker of the server with this address, in a thread."""
    # The package only starts workers of its own server, so the address of that server is replaced, and the server is
    # stopped.
    with LocalCluster(server_dir=own) as cluster:
        pathlib.Path(own, "hq-current/access.json").write_text(access)
        cluster.start_worker(WorkerConfig(cores=cpus))


def worker(folder, cpus):
    """Works until the campaign has ended. If the server is restarted, joins the new one."""
    joined = None
    with tempfile.TemporaryDirectory(prefix="hq-worker-") as own:
        while joined is None or (folder / "hq").exists():
            access = address(folder)
            # HyperQueue itself would try for a minute to reach a dead server, and ignore Ctrl-C.
            if access and access != joined and answers(access):
                join(access, cpus, own)
                joined = access
                print(f"{folder}: joined its server", flush=True)
            time.sleep(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="the campaign's folder, made by `flexgrip faults plan`")
    parser.add_argument("--shards", type=int, help="number of shards of the campaign; four or more for each processor")
    parser.add_argument("--worker", action="store_true", help="simulate shards of a campaign that is running or will be started")
    parser.add_argument("--cpus", type=int, default=len(os.sched_getaffinity(0)), help="the worker's processors [default: all]")
    options = parser.parse_args()
    folder, shards = options.folder, options.shards
    if options.worker == (shards is not None) or (shards is not None and shards < 1):
        parser.error("expected --shards N with N from 1, or --worker")
    if not (folder / "plan.json").exists():
        parser.error(f"{folder}: there is no plan.json; expected a folder written by `flexgrip faults plan`")
    if options.worker:
        return worker(folder, options.cpus)
    others = [file.name for file in folder.glob("results-*-of-*.csv") if not file.name.endswith(f"-of-{shards}.csv")]
    if others:
        parser.error(f"--shards {shards}: the folder has {others[0]}; expected the same number of shards, or no such files")
    access = address(folder)
    if access and answers(access):
        parser.error(f"{folder}: this campaign is already running; expected --worker to join it")
    campaign(folder, shards)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped; the next run continues")

"""HyperQueue: a machine is a worker, a process of examples/faults/cluster/hq.py."""

import pathlib
import subprocess
import sys
import time

from killing import Failed, parent

DRIVER = pathlib.Path(__file__).resolve().parents[2] / "examples/faults/cluster/hq.py"


class HyperQueue:
    PAUSE = (0, 2)  # seconds until a killed machine starts again

    def __init__(self, folder, campaign, shards):
        self.folder, self.campaign, self.shards = folder, campaign, shards
        self.driver, self.workers, self.driver_log = None, {}, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [self.driver, *self.workers.values()]:
            process.kill()
            process.wait()

    def call(self, log, *arguments):
        with open(self.folder / log, "a") as out:
            command = [sys.executable, str(DRIVER), str(self.campaign), *arguments]
            return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)

    def start(self, machine):
        self.workers[machine] = self.call(f"worker-{machine}.log", "--worker", "--cpus", "1")

    def submit(self):
        """The second time without any worker, because there is nothing to simulate."""
        self.driver_log = "driver.log" if self.driver is None else "driver-again.log"
        if self.driver is None:
            for machine in range(3):
                self.start(machine)
        self.driver = self.call(self.driver_log, "--shards", str(self.shards))

    def has_ended(self):
        return self.driver.poll() is not None

    def wait(self, deadline):
        log = self.folder / self.driver_log
        try:
            code = self.driver.wait(max(0, deadline - time.monotonic()))
            if code != 0:
                raise Failed(f"the driver has ended with {code}; see {log}")
            for machine, worker in self.workers.items():
                code = worker.wait(60)
                if code != 0:
                    raise Failed(f"worker {machine} has ended with {code}; see {self.folder}/worker-{machine}.log")
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{error}; see {log}") from error

    def machine_of(self, process):
        """The worker that has started a program."""
        starter = parent(process)
        return next((machine for machine, worker in self.workers.items() if worker.pid == starter), None)

    def kill(self, machine):
        """HyperQueue has the system end what a worker has started."""
        worker = self.workers.pop(machine)
        worker.kill()
        worker.wait()

    def nothing_simulated(self):
        text = (self.folder / self.driver_log).read_text()
        if f"0 of {self.shards} shards to simulate" not in text:
            raise Failed(f"{self.folder / self.driver_log}: complete shards were submitted")

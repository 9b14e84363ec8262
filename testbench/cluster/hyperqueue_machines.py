"""HyperQueue: a machine is a worker, a process of examples/faults/cluster/hq.py."""

import os
import pathlib
import subprocess
import sys
import time

from killing import Failed, parent

DRIVER = pathlib.Path(__file__).resolve().parents[2] / "examples/faults/cluster/hq.py"


class HyperQueue:
    PAUSE = (0, 2)  # seconds until a killed machine is started again

    def __init__(self, folder, campaign, shards):
        self.folder, self.campaign, self.shards = folder, campaign, shards
        self.driver, self.workers, self.submissions = None, {}, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [self.driver, *self.workers.values()]:
            if process is not None:
                process.kill()
                process.wait()

    def begin(self):
        for machine in range(3):
            self.start(machine)

    def call(self, log, *arguments):
        with open(self.folder / log, "a") as out:
            command = [sys.executable, str(DRIVER), str(self.campaign), *arguments]
            # A killed worker leaves its temporary folder.
            environment = {**os.environ, "TMPDIR": str(self.folder)}
            return subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)

    def start(self, machine):
        self.workers[machine] = self.call(f"worker-{machine}.log", "--worker", "--cpus", "1")

    def submit(self):
        self.submissions += 1
        self.log = f"driver-{self.submissions}.log"
        self.driver = self.call(self.log, "--shards", str(self.shards))

    def restart_server(self):
        """Kills the driver, which contains the server, and runs its command again."""
        self.driver.kill()
        self.driver.wait()
        self.submit()

    def has_ended(self):
        return self.driver.poll() is not None

    def wait(self, deadline):
        log = self.folder / self.log
        try:
            code = self.driver.wait(max(0, deadline - time.monotonic()))
            if code != 0:
                raise Failed(f"the driver has ended with {code}; see {log}")
            for machine, worker in self.workers.items():
                if worker.wait(60) != 0:
                    raise Failed(f"a worker has failed; see {self.folder}/worker-{machine}.log")
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{error}; see {log}") from error

    def machine_of(self, process):
        """The worker that started a program."""
        starter = parent(process)
        return next((machine for machine, worker in self.workers.items() if worker.pid == starter), None)

    def kill(self, machine):
        """Kills a worker. HyperQueue makes the system end the processes that it started."""
        worker = self.workers.pop(machine)
        worker.kill()
        worker.wait()

    def nothing_simulated(self):
        # All workers have ended.
        log = self.folder / self.log
        if f"0 of {self.shards} shards to simulate" not in log.read_text():
            raise Failed(f"{log}: complete shards were submitted")

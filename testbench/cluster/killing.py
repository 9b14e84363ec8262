"""Kills machines and programs at random while a campaign runs."""

import dataclasses
import os
import pathlib
import signal
import time

KILLS = 6  # machine, machine, program, and again


class Failed(Exception):
    pass


@dataclasses.dataclass
class Kills:
    machines: int = 0
    programs: int = 0
    partial: int = 0


@dataclasses.dataclass
class Simulation:
    """A process that simulates a shard."""

    process: int
    shard: str

    def rows(self, campaign):
        """The number of rows of the shard that have been saved."""
        file = campaign / f"results-{self.shard.replace('/', '-of-')}.csv"
        return len(file.read_text().splitlines()) - 1 if file.exists() else 0


def processes():
    """All processes with their commands."""
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                yield int(folder.name), (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
            except OSError:
                pass  # The process has ended.


def simulations(campaign):
    """The processes that simulate shards of a campaign."""
    for process, command in processes():
        if command[1:3] == ["faults", "run"] and str(campaign) in command and "--shard" in command:
            yield Simulation(process, command[command.index("--shard") + 1])


def kill(process):
    """Sends SIGKILL; False if the process has already ended."""
    try:
        os.kill(process, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def parent(process):
    """The parent of a process; None if the process has ended."""
    try:
        return int(pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


class Killer:
    """Kills machines and programs while a campaign runs. Each of its shards has `faults` faults."""

    def __init__(self, cluster, campaign, faults, rng, deadline):
        self.cluster, self.campaign, self.faults, self.rng, self.deadline = cluster, campaign, faults, rng, deadline
        # The times at which killed machines are started again.
        self.returning = {}

    def is_partial(self, simulation):
        return 0 < simulation.rows(self.campaign) < self.faults

    def start_machines(self):
        for machine, when in list(self.returning.items()):
            if time.monotonic() > when:
                del self.returning[machine]
                self.cluster.start(machine)

    def choose(self, partial):
        """Waits for a running simulation; returns it and its machine. With `partial`, its shard has saved some of its rows."""
        while time.monotonic() < self.deadline:
            self.start_machines()
            if self.cluster.has_ended():
                raise Failed("the campaign has ended before all kills")
            found = sorted(simulations(self.campaign), key=lambda simulation: simulation.process)
            if partial:
                found = [simulation for simulation in found if self.is_partial(simulation)]
            if found:
                chosen = self.rng.choice(found)
                machine = self.cluster.machine_of(chosen.process)
                # None if the process has just ended.
                if machine is not None:
                    return chosen, machine
            time.sleep(0.1)
        raise Failed("too few shards ran in time for all kills")

    def kill(self):
        """Kills the server, then KILLS times a machine that simulates a shard, every third time only its program."""
        kills = Kills()
        self.choose(partial=True)
        self.cluster.restart_server()
        for number in range(KILLS):
            time.sleep(self.rng.uniform(0.2, 1.5))
            # Every second kill hits a machine with a partial shard, which another process must then continue.
            chosen, machine = self.choose(partial=number % 2 == 1)
            kills.partial += self.is_partial(chosen)
            if number % 3 == 2:
                kills.programs += kill(chosen.process)
                continue
            self.cluster.kill(machine)
            kills.machines += 1
            # One machine is never started again.
            if number < KILLS - 2:
                self.returning[machine] = time.monotonic() + self.rng.uniform(*self.cluster.PAUSE)
        while self.returning:
            time.sleep(0.1)
            self.start_machines()
        if kills.programs < 1 or kills.partial < 1:
            raise Failed(f"too few kills have hit a running shard: {kills}")
        return kills

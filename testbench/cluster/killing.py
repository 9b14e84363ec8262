"""Kills machines and programs at random while a campaign runs."""

import dataclasses
import os
import pathlib
import signal
import time

KILLS = 6  # machine, machine, program, twice


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
        """How many rows of the shard are kept so far."""
        file = campaign / f"results-{self.shard.replace('/', '-of-')}.csv"
        return len(file.read_text().splitlines()) - 1 if file.exists() else 0


def processes():
    """All processes with their commands."""
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                yield int(folder.name), (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")[:-1]
            except OSError:
                pass  # It has ended.


def simulations(campaign):
    """The processes that simulate shards of a campaign."""
    for process, command in processes():
        if command[1:3] == ["faults", "run"] and str(campaign) in command and "--shard" in command:
            yield Simulation(process, command[command.index("--shard") + 1])


def kill(process):
    """SIGKILL; False if the process has ended before."""
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


def choose(cluster, campaign, rng, deadline, with_rows):
    """A simulation, as soon as one runs, and its machine; with rows: one whose shard has kept some already."""
    while time.monotonic() < deadline:
        if cluster.has_ended():
            raise Failed("the campaign has ended before all kills")
        found = sorted(simulations(campaign), key=lambda running: running.process)
        if with_rows:
            found = [running for running in found if running.rows(campaign) > 0]
        if found:
            chosen = rng.choice(found)
            machine = cluster.machine_of(chosen.process)
            # Else it has just ended.
            if machine is not None:
                return chosen, machine
        time.sleep(0.05)
    raise Failed("too few shards were running, in time, for all kills")


def kill_at_random(cluster, campaign, rng, deadline):
    """KILLS times, while a shard is simulated: its machine, or, once in three times, its program alone."""
    kills = Kills()
    for number in range(KILLS):
        time.sleep(rng.uniform(0.2, 1.5))
        # Every other time in a shard with rows, so that another process has to continue it.
        chosen, machine = choose(cluster, campaign, rng, deadline, with_rows=number % 2 == 1)
        kills.partial += chosen.rows(campaign) > 0
        if number % 3 == 2:
            kills.programs += kill(chosen.process)
            continue
        cluster.kill(machine)
        kills.machines += 1
        # One machine is lost for good.
        if number < KILLS - 2:
            time.sleep(rng.uniform(0, 2 * cluster.PAUSE))
            cluster.start(machine)
    if kills.programs < 1 or kills.partial < 2:
        raise Failed(f"too few kills have hit a running shard: {kills}")
    return kills

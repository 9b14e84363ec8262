"""Slurm: each machine is a slurmd of a cluster on this computer, with its own controller and munge, all in one
folder."""

import getpass
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import tempfile
import time

from killing import Failed, kill, parent, processes

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples/faults/cluster/slurm.sh"
# Times are shorter than by default, so that jobs are queued again within seconds. cred_expire (default 120) is the time
# that a job waits before it starts again. SlurmdTimeout (300) is the time after which a node that does not respond is
# down. BatchStartTimeout and MessageTimeout (10) matter if a node returns without a job that started before, because
# the job is not queued again at once.
CONFIGURATION = """\
ClusterName=faults
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdTimeout=15
BatchStartTimeout=1
MessageTimeout=5
ReturnToService=2
NodeName=n[0-2] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ports[1]}-{ports[3]}] CPUs=1
PartitionName=all Nodes=ALL Default=YES
"""


def free_ports(count):
    """A range of `count` consecutive free ports."""
    for first in range(26817, 32000, count):
        sockets = []
        try:
            for port in range(first, first + count):
                sockets.append(socket.create_server(("", port)))
            return range(first, first + count)
        except OSError:
            continue
        finally:
            for opened in sockets:
                opened.close()
    raise Failed("no free ports from 26817 to 32000")


class Slurm:
    PAUSE = (8, 11)  # seconds until a killed machine is started again: see CONFIGURATION

    def __init__(self, _, campaign, shards):
        self.campaign, self.shards = campaign, shards
        # A temporary folder, because the given path may be too long for the names of sockets, which are limited to some
        # 100 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="flexgrip-slurm-"))
        self.daemons = {}
        # SLURM_CONF is unique to this cluster, so it identifies the cluster's processes.
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        return self

    def begin(self):
        for name in ["munge", "state"]:
            (self.folder / name).mkdir(mode=0o700)
        key = self.folder / "munge/key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        text = CONFIGURATION.format(host=socket.gethostname(), user=getpass.getuser(), folder=self.folder, ports=free_ports(4))
        (self.folder / "slurm.conf").write_text(text)
        munge = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={self.folder}/munge/{file}" for option, file in munge.items()]
        # --force: parent folders may be writable by others.
        self.daemon("munged", ["munged", "--force", "--foreground", *options])
        self.start_controller()
        for number in range(3):
            self.start(f"n{number}")
        self.until(lambda: self.call("sinfo", "-h", "-o", "%D %t").strip() == "3 idle", 60, "three idle nodes")

    def __exit__(self, error, *_):
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()
        for process, _, _ in list(self.ours()):
            kill(process)
        # After an error the folder is kept, because messages refer to its files.
        if error is None:
            shutil.rmtree(self.folder)

    def daemon(self, name, command):
        with open(self.folder / f"{name}.out", "a") as out:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdout=out, stderr=subprocess.STDOUT)

    def start_controller(self):
        # -i: there is no state to continue from yet.
        self.daemon("slurmctld", ["slurmctld", "-D", "-i"])

    def restart_server(self):
        self.daemons["slurmctld"].kill()
        self.daemons["slurmctld"].wait()
        self.start_controller()

    def start(self, machine):
        self.daemon(machine, ["slurmd", "-D", "-N", machine])

    def call(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        # The controller may not respond yet.
        return done.stdout if done.returncode == 0 else ""

    def until(self, condition, seconds, what):
        deadline = time.monotonic() + seconds
        while not condition():
            for daemon, process in self.daemons.items():
                if process.poll() is not None:
                    raise Failed(f"{daemon} has ended; see {self.folder}/{daemon}.out")
            if time.monotonic() > deadline:
                raise Failed(f"timeout: {what}; see {self.folder}")
            time.sleep(0.3)

    def submit(self):
        command = [str(SCRIPT), str(self.campaign), str(self.shards)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"slurm.sh: {done.stderr}")
        # The output is "job A: N shards; job M: merge".
        self.array, self.merge = [part.split()[1].rstrip(":") for part in done.stdout.split(";")]

    def state(self, job):
        return dict(field.split("=", 1) for field in self.call("scontrol", "show", "job", "-o", job).split() if "=" in field)

    def has_ended(self):
        return self.state(self.merge).get("JobState") not in [None, "PENDING", "RUNNING", "COMPLETING"]

    def wait(self, deadline):
        self.until(self.has_ended, max(0, deadline - time.monotonic()), f"the end of job {self.merge}")
        state = self.state(self.merge)["JobState"]
        if state != "COMPLETED":
            raise Failed(f"job {self.merge}, merge, is {state}; see {self.campaign}/slurm")

    def ours(self):
        """The processes of all jobs of this cluster, with their environments."""
        for process, command in processes():
            try:
                entries = pathlib.Path(f"/proc/{process}/environ").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            variables = dict(entry.split("=", 1) for entry in entries if "=" in entry)
            if variables.get("SLURM_CONF") == self.environment["SLURM_CONF"]:
                yield process, command, variables

    def machine_of(self, process):
        return next((variables.get("SLURMD_NODENAME") for found, _, variables in self.ours() if found == process), None)

    def kill(self, machine):
        """Kills the node's daemon, the daemons of its jobs, and the jobs' processes."""
        daemon = self.daemons.pop(machine)
        daemon.kill()
        daemon.wait()
        found = list(self.ours())
        jobs = {process for process, _, variables in found if variables.get("SLURMD_NODENAME") == machine}
        # A job's daemon does not have the node's variable, but it is the parent of the job's script.
        parents = {parent(process) for process in jobs}
        daemons = {process for process, command, _ in found if process in parents and command[0].startswith("slurmstepd")}
        for process in [*daemons, *jobs]:
            kill(process)

    def nothing_simulated(self):
        logs = [self.campaign / f"slurm/{self.array}-{shard}.log" for shard in range(self.shards)]
        for log in logs:
            if "is complete" not in log.read_text():
                raise Failed(f"{log}: expected that the shard is complete")

"""A Slurm of one's own: starts it in a folder, runs a command in it, and ends it whatever happens.

slurm.py [--live] [--nodes N] [--cpus C] [--memory MB] [--gpus TYPE:COUNT] [--partition NAME] [--path FOLDER]...
         FOLDER COMMAND...

A cluster on paper is the controller alone. Its nodes are said to be in a cloud, so that they may be asked for before
they exist: `sbatch --test-only` then tells whether a job could ever start on that hardware. Any user may start one.
--live: a daemon for each node as well, on this machine, called n1, n2, ..., whose GPUs are device files: jobs run. All
of it has process ids, a network and an /etc/hosts of its own, so that nothing is left of it and nothing else is met.
--path: these folders come first where programs are looked for, by jobs as well.
Without munge: Slurm's auth/none believes everybody, which is right in a folder of one's own.
Exit status: the command's; 125 where Slurm did not start, with what it said.
"""
import argparse
import ctypes
import fcntl
import os
import pwd
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

PATIENCE = 30  # seconds until the daemons must be up: a tenth is usual
ADDRESS = "10.0.0.1"  # of all nodes of a live cluster
CONF = """ClusterName=bed
SlurmctldHost={host}({address})
SlurmctldPort={port}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SwitchType=switch/none
MpiDefault=none
GresTypes=gpu
EnforcePartLimits=ALL
JobRequeue=1
ReturnToService=2
KillWait=5
"""
# The memory of a node of a live cluster is this machine's, whatever is said of it: only its CPUs are given out.
PAPER = """SelectTypeParameters=CR_CPU_Memory
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=300
NodeName=n[1-{nodes}] CPUs={cpus} RealMemory={memory} Gres=gpu:{gpus} State=CLOUD
"""
# What a job was let in with is good for 5 s, so long a job that goes back into the queue waits: else it is 2 minutes.
LIVE = """AuthInfo=cred_expire=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=n[1-{nodes}] NodeHostname={host} NodeAddr={host} Port=[{first}-{last}] CPUs={cpus} RealMemory={memory} \
Gres=gpu:{gpus} State=UNKNOWN
"""
PARTITION = "PartitionName={partition} Nodes=ALL Default=YES MaxTime=7-00:00:00 State=UP\n"


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--cpus", type=int, default=16)
    parser.add_argument("--memory", type=int, default=8000)
    parser.add_argument("--gpus", default="a100:8")
    parser.add_argument("--partition", default="train")
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("folder")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def alone():
    """Starts this script again where it sees nothing else; when it ends, so does all that it started."""
    own = ["--map-root-user"] if os.getuid() else []
    os.execvp("unshare", ["unshare", *own, "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "env",
                          f"BED_INSIDE={os.getuid()} {os.getgid()}", sys.executable, *sys.argv])


def as_before():
    """Words before a command. A root that is one in its own eyes alone may not change groups, as Slurm does as root."""
    user, group = os.environ.get("BED_INSIDE", "0 0").split()
    return ["unshare", "--user", f"--map-user={user}", f"--map-group={group}"] if user != "0" else []


def network_up(address):
    """The loopback with a second address: no name is looked up (AI_ADDRCONFIG) where there is only 127.0.0.1."""
    SIOCSIFFLAGS, SIOCSIFADDR, IFF_UP = 0x8914, 0x8916, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))
        fcntl.ioctl(s, SIOCSIFADDR, struct.pack("16sHH4s16x", b"lo:1", socket.AF_INET, 0, socket.inet_aton(address)))


def know_hosts(folder, address, names):
    hosts = os.path.join(folder, "hosts")
    with open(hosts, "w", encoding="utf-8") as file:
        file.write(f"127.0.0.1 localhost\n{address} {' '.join(names)}\n")
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)


def make_gpus(folder, count):
    """A GPU is a character device to Slurm, and no more."""
    os.makedirs(os.path.join(folder, "dev"))
    for i in range(count):
        os.symlink("/dev/null", os.path.join(folder, "dev", f"nvidia{i}"))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write_conf(args, host, folder):
    user = int(os.environ.get("BED_INSIDE", str(os.getuid())).split()[0])
    kind, count = args.gpus.split(":")
    values = dict(vars(args), host=host, folder=folder, user=pwd.getpwuid(user).pw_name,
                  first=17001, last=17000 + args.nodes, address=ADDRESS if args.live else "127.0.0.1",
                  port=16817 if args.live else free_port())
    text = CONF + (LIVE if args.live else PAPER) + PARTITION
    with open(os.path.join(folder, "slurm.conf"), "w", encoding="utf-8") as file:
        file.write(text.format(**values))
    where = f"File={folder}/dev/nvidia[0-{int(count) - 1}]" if args.live else f"Count={count}"
    with open(os.path.join(folder, "gres.conf"), "w", encoding="utf-8") as file:
        file.write(f"NodeName=n[1-{args.nodes}] Name=gpu Type={kind} {where}\n")
    if args.live:
        make_gpus(folder, int(count))


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value)


def with_parent():
    """What is started does not outlive this script, however that ends."""
    PR_SET_PDEATHSIG = 1
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def parent_of_orphans():
    PR_SET_CHILD_SUBREAPER = 36
    prctl(PR_SET_CHILD_SUBREAPER, 1)


def start(words, folder, daemons):
    log = open(os.path.join(folder, "said"), "ab")
    daemons.append(subprocess.Popen([*as_before(), *words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                    preexec_fn=with_parent, start_new_session=True))


def end(daemons):
    """At once, with all that they started: asked politely, a controller takes two seconds."""
    for daemon in daemons:
        if daemon.poll() is None:
            os.killpg(daemon.pid, signal.SIGKILL)
    patience = time.monotonic() + 5
    try:
        while time.monotonic() < patience:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
    except ChildProcessError:
        return


def says(words, wanted):
    done = subprocess.run([*as_before(), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL)
    return wanted(done.stdout.decode())


def wait_for(what, up, daemons):
    end = time.monotonic() + PATIENCE
    while not up():
        if time.monotonic() > end or any(d.poll() is not None for d in daemons):
            raise RuntimeError(f"{what}: not up")
        time.sleep(0.05)


def tell(folder):
    for name in sorted(os.listdir(folder)):
        if name == "said" or name.endswith(".log"):
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                sys.stderr.write("".join(f"{name}: {line}" for line in file.readlines()[-30:]))


def run(args, folder, daemons):
    host = socket.gethostname().split(".")[0]
    if args.live:
        network_up(ADDRESS)
        know_hosts(folder, ADDRESS, [host, *(f"n{i + 1}" for i in range(args.nodes))])
    write_conf(args, host, folder)
    conf = os.environ["SLURM_CONF"] = os.path.join(folder, "slurm.conf")
    start(["slurmctld", "-D", "-c", "-f", conf], folder, daemons)
    wait_for("slurmctld", lambda: says(["scontrol", "ping"], lambda text: " is UP" in text), daemons)
    if args.live:
        for i in range(args.nodes):
            os.makedirs(os.path.join(folder, "spool", f"n{i + 1}"))
            start(["slurmd", "-D", "-c", "-N", f"n{i + 1}", "-f", conf], folder, daemons)
        idle = ["idle"] * args.nodes
        wait_for("slurmd", lambda: says(["sinfo", "-hN", "-o", "%T"], lambda text: text.split() == idle), daemons)
    return subprocess.run([*as_before(), *args.command], stdin=subprocess.DEVNULL, preexec_fn=with_parent).returncode


def main():
    args = arguments()
    if args.live and "BED_INSIDE" not in os.environ:
        alone()
    os.environ["PATH"] = ":".join([*map(os.path.abspath, args.path), os.environ["PATH"], "/usr/sbin", "/sbin"])
    for name in [name for name in os.environ if name.startswith(("SLURM_", "SBATCH_", "SRUN_"))]:
        del os.environ[name]
    folder = os.path.abspath(args.folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "state"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parent_of_orphans()
    daemons = []
    try:
        status = run(args, folder, daemons)
        if status:
            tell(folder)
        return status
    except (RuntimeError, KeyError, OSError, subprocess.SubprocessError) as error:
        tell(folder)
        print(f"slurm.py: {error}", file=sys.stderr)
        return 125
    finally:
        end(daemons)


sys.exit(main())

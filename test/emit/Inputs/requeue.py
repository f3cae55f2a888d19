"""requeue.py DTPC FOLDER: a job that Slurm warns hands the signal to the processes that train, whatever starts them,
and goes back into the queue once they ended; one without `requeue` waits for them and ends as they do.

The agents here know nothing of the signal and die of it, as torchrun's do; their workers write a file when they get it.
"""
import os
import signal
import subprocess
import sys
import time

from emitted import emit, environment, plan, programs

dtpc, top = sys.argv[1:]
fakes = programs(os.path.join(top, "bin"))


def program(name, text):
    path = os.path.join(fakes, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


WORKER = """import os, signal, sys, time
def warned(*_):
    open(os.path.join(os.environ["RECORD"], "checkpoint"), "a").write("written\\n")
    sys.exit(7)
signal.signal(signal.SIGUSR1, warned)
open(os.path.join(os.environ["RECORD"], "ready"), "w").write(str(os.getpid()))
time.sleep(60)
"""
# An agent without a handler: the default of the signal ends it. It starts its worker in a session of its own.
AGENT = """#!%s
import subprocess, sys
worker = subprocess.Popen([sys.executable, "-c", %r], start_new_session=True)
sys.exit(worker.wait())
""" % (sys.executable, WORKER)
PYTHON = "#!%s\n%s" % (sys.executable, WORKER)
for name in ("torchrun", "accelerate"):
    program(name, AGENT)
program("python", PYTHON)
# Slurm signals what it started, and that alone where it tracks processes by cgroup.
program("scancel", '#!/bin/bash\necho "$@" >>"$RECORD/scancel"\nkill -USR1 "$(<"$RECORD/task")"\n')
program("scontrol", """#!/bin/bash
case $1 in show) echo n0 ;; *) echo "$@" >>"$RECORD/scontrol" ;; esac
""")
program("srun", """#!%s
import os, subprocess, sys
words = sys.argv[1:]
while words and words[0].startswith("--"):
    words.pop(0)
own = dict(os.environ, SLURM_NODEID="0", SLURM_LOCALID="0", SLURM_PROCID="0", SLURM_NTASKS="1")
task = subprocess.Popen(words, env=own)
open(os.path.join(os.environ["RECORD"], "task"), "w").write(str(task.pid))
sys.exit(task.wait())
""" % sys.executable)

faults = []
for launcher in ("torchrun", "accelerate", "python"):
    for requeue in ("true", "false"):
        name = f"{launcher}_{requeue}"
        folder = os.path.join(top, name)
        scheduler = f"slurm {{ cpus_per_task = 4, time_limit = 60 days, requeue = {requeue}, grace = 2 min }}"
        launch = f'{launcher} {{ script = "t.py", scheduler = {scheduler} }}'
        text = plan(launch, "gpus(1, nvidia.A100_SXM_80GB), batch.micro = 8")
        script = emit(dtpc, "slurm", text, folder)
        record = os.path.join(folder, "record")
        env = environment(record, fakes, script)
        job = subprocess.Popen(["bash", script], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        until = time.monotonic() + 30
        # The worker listens, and scancel knows whom to signal.
        while not all(os.path.exists(os.path.join(record, n)) and os.path.getsize(os.path.join(record, n))
                      for n in ("ready", "task")) and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(job.pid, signal.SIGUSR1)
        try:
            told, _ = job.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            job.kill()
            faults.append(f"{name}: does not end")
            continue


        def read(one):
            path = os.path.join(record, one)
            return open(path, encoding="utf-8").read() if os.path.exists(path) else ""

        if "written" not in read("checkpoint"):
            faults.append(f"{name}: the worker was not warned: {told}")
        if (read("scontrol") == "requeue 1234\n") != (requeue == "true"):
            faults.append(f"{name}: scontrol {read('scontrol')!r}")
        # What ends by itself tells how it ended; a job that goes back ends without complaint.
        if job.returncode != (0 if requeue == "true" else 7):
            faults.append(f"{name}: ends with {job.returncode}: {told}")
        if os.path.exists(f"/proc/{read('ready')}"):
            faults.append(f"{name}: its worker runs on")
print("\n".join(faults))
sys.exit(bool(faults))

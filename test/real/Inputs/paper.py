"""paper.py DTPC JOB FILE OPTION...: a job of the plan that FILE and OPTION name, offered to clusters on paper.

One has the plan's own hardware, and must take it; each other has less of one thing that the job asks for, and must not.
Prints a line a cluster, with Slurm's own words. Exit status: 1 where one of them says another thing than it must.
"""
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
dtpc, job, file, *options = sys.argv[1:]


def ask(expression):
    done = subprocess.run([dtpc, "why", file, expression, *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().splitlines()[0].rsplit(" is ", 1)[1]


def number(expression):
    return int(float(ask(expression).split()[0].replace(",", "")))


def directive(script, name):
    found = re.search(rf"^#SBATCH --{name}=(\S+)", script, re.M)
    return found and found[1]


def offer(folder, **cluster):
    words = [word for name, value in cluster.items() for word in (f"--{name}", str(value))]
    done = subprocess.run([sys.executable, os.path.join(HERE, "slurm.py"), *words, os.path.join(folder, "slurm"),
                           "sbatch", "--test-only", job], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = [line for line in done.stdout.decode().splitlines() if re.search(r"sbatch: |allocation failure", line)]
    if done.returncode == 125 or not said:
        sys.exit(done.stdout.decode())
    return done.returncode == 0, re.sub(r"Job \d+ to start at \S+ ", "", said[-1].removeprefix("sbatch: "))


def main():
    with open(job, encoding="utf-8") as text:
        script = text.read()
    kind = re.search(r"gpu:(\w+):\d|--gpus-per-node=(\w+):\d", script)
    kind = (kind[1] or kind[2]) if kind else "any"
    count = number("hardware.gpus_per_node")
    own = {"nodes": number("hardware.nodes"), "gpus": f"{kind}:{count}",
           "cpus": number("hardware.groups[0].node.cores ?? 64"), "memory": number("hardware.host_memory / 1 MiB"),
           "partition": directive(script, "partition") or "train"}
    less = {"a GPU less": {"gpus": f"{kind}:{count - 1}"} if count > 1 else None,
            "a node less": {"nodes": own["nodes"] - 1} if own["nodes"] > 1 else None,
            "other GPUs": {"gpus": f"another:{count}"} if kind != "any" else None,
            "another partition": {"partition": "other"} if directive(script, "partition") else None,
            "too few CPUs": {"cpus": int(directive(script, "cpus-per-task")) - 1}}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, change in {"its own": {}, **less}.items():
            if change is None:
                continue
            taken, said = offer(folder, **{**own, **change})
            wrong += taken != (name == "its own")
            print(f"{name}: {'taken' if taken else 'refused'}: {said}")
    return 1 if wrong else 0


sys.exit(main())

"""clean.py DTPC EXAMPLES FOLDER: each script that can be made of the examples is clean for `bash -n` and shellcheck,
and emitted twice it is the same to the byte."""
import glob
import os
import re
import subprocess
import sys

dtpc, examples, top = sys.argv[1:]
SCHEDULER = 'slurm { cpus_per_task = 4, time_limit = 400 days, requeue = %s, modules = ["cuda/12.4"] }'
AS = {
    "torchrun": ['launch.launcher="torchrun"', "launch.spawns_workers=true"],
    "accelerate": ['launch.launcher="accelerate"', "launch.spawns_workers=true"],
    "python": ['launch.launcher="python"', "launch.spawns_workers=false"],
}
HOST = 'launch.rendezvous=%s { host = env("HEAD") }'
scripts, faults = [], []
for path in sorted(glob.glob(os.path.join(examples, "*.dtp"))):
    text = open(path, encoding="utf-8").read()
    if not re.search(r"^  launch\b", text, re.M) or "choose" in text:
        continue
    for launcher, settings in AS.items():
        for target in (launcher, "slurm"):
            for more in ("static", "c10d"):
                words = settings + [HOST % more]
                if target != "slurm":
                    words.append("launch.scheduler=none")
                else:
                    words.append("launch.scheduler=" + SCHEDULER % ("true" if more == "c10d" else "false"))
                name = f"{os.path.basename(path)[:-4]}_{launcher}_{target}_{more}"
                told = []
                for again in ("first", "second"):
                    folder = os.path.join(top, again, name)
                    command = [dtpc, "emit", target, path, "-o", folder, "--quiet"]
                    for word in words:
                        command += ["-D", word]
                    run = subprocess.run(command, capture_output=True, text=True)
                    told.append((run.returncode, run.stderr))
                if told[0][0]:
                    # One process for many GPUs is refused outside Slurm, and nothing else is.
                    if not (target == "python" and "DTP5014" in told[0][1]):
                        faults.append(f"{name}: {told[0]}")
                    continue
                folder = os.path.join(top, "first", name)
                made = [os.path.join(folder, n) for n in sorted(os.listdir(folder))]
                for one in made:
                    if open(one, "rb").read() != open(one.replace("/first/", "/second/"), "rb").read():
                        faults.append(f"{one}: not the same a second time")
                scripts += [one for one in made if one.endswith((".sh", ".sbatch"))]
for script in scripts:
    run = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
    if run.returncode or run.stderr:
        faults.append(run.stderr)
run = subprocess.run(["shellcheck", "--norc", "--format=gcc", *scripts], capture_output=True, text=True)
if run.returncode:
    faults.append(run.stdout + run.stderr)
print("\n".join(faults[:10]))
print(f"{len(scripts)} scripts, {len(faults)} faults")
sys.exit(bool(faults) or len(scripts) < 20)

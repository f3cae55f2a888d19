"""hostile.py DTPC FOLDER: texts that a shell would obey arrive unchanged in the process that is launched, for each
target.

Each emitted script is run by bash with programs that record what they get: every word, every variable, the folder.
"""
import os
import subprocess
import sys

from emitted import HOSTILE, directives, emit, environment, plan, programs, quoted, recorded

dtpc, top = sys.argv[1:]
fakes = programs(os.path.join(top, "bin"))
TWO = "nodes(2, dgx.A100_80GB)"
ONE = "gpus(1, nvidia.A100_SXM_80GB), batch.micro = 8"
MEET = 'rendezvous = static { host = "n0" }'
AGREE = "rendezvous = c10d { host = %s, join_timeout = 90 s }" % quoted("n 0;$(id)")
SLURM = "scheduler = slurm { cpus_per_task = 16, time_limit = 30 days%s }"
# Two of the hostile words that a path of a mount can hold.
PYXIS = "container = pyxis { image = %s, mounts = { %s: %s }, workdir = %s }" % tuple(
    map(quoted, ("docker://x#y $(id)", "/a b'$(id)", "/c;d", "/w `id`")))
# accelerate is told the number that this variable has: the text must not end a here-document.
THREADS = "1\nEND\nid\n"
APPTAINER = PYXIS.replace("pyxis", "apptainer")

# name: (target, launcher, program that starts at last, hardware, more of the launch)
CASES = {
    "torchrun": ("torchrun", "torchrun", "torchrun", "gpus(8, nvidia.A100_SXM_80GB)", ""),
    "torchrun_static": ("torchrun", "torchrun", "torchrun", TWO, MEET),
    "torchrun_c10d": ("torchrun", "torchrun", "torchrun", TWO, AGREE),
    "torchrun_apptainer": ("torchrun", "torchrun", "torchrun", TWO, MEET + "\n" + APPTAINER),
    "python": ("python", "python", "python", ONE, ""),
    "python_apptainer": ("python", "python", "python", ONE, APPTAINER),
    "accelerate": ("accelerate", "accelerate", "accelerate", "gpus(8, nvidia.A100_SXM_80GB)", ""),
    "accelerate_nodes": ("accelerate", "accelerate", "accelerate", TWO, AGREE),
    "accelerate_apptainer": ("accelerate", "accelerate", "accelerate", ONE, APPTAINER),
    "slurm": ("slurm", "torchrun", "torchrun", "gpus(8, nvidia.A100_SXM_80GB)", SLURM % ""),
    "slurm_nodes": ("slurm", "torchrun", "torchrun", TWO, SLURM % ""),
    "slurm_c10d": ("slurm", "torchrun", "torchrun", TWO, SLURM % "" + "\n" + AGREE),
    "slurm_requeue": ("slurm", "torchrun", "torchrun", TWO, SLURM % ", requeue = true"),
    "slurm_pyxis": ("slurm", "torchrun", "torchrun", TWO, SLURM % "" + "\n" + PYXIS),
    "slurm_apptainer": ("slurm", "torchrun", "torchrun", TWO, SLURM % "" + "\n" + APPTAINER),
    "slurm_native": ("slurm", "python", "python", TWO, SLURM % ""),
    "slurm_native_requeue": ("slurm", "python", "python", TWO, SLURM % ", requeue = true"),
    "slurm_native_one": ("slurm", "python", "python", ONE, SLURM % ""),
    "slurm_accelerate": ("slurm", "accelerate", "accelerate", TWO, SLURM % ", requeue = true"),
    "slurm_accelerate_one": ("slurm", "accelerate", "accelerate", ONE, SLURM % ""),
}


def launch(launcher, folder, more):
    """A launch in which every text is hostile, and the words that the script must get."""
    positional = ", ".join(map(quoted, HOSTILE))
    args = "\n".join(f"{quoted(f'--f{i} $(id)')}: {quoted(word)}" for i, word in enumerate(HOSTILE))
    env = "\n".join(f"V{i}: {quoted(word)}" for i, word in enumerate(HOSTILE)) + f"\nOMP_NUM_THREADS: {quoted(THREADS)}"
    words = list(HOSTILE)
    for i, word in enumerate(HOSTILE):
        # A value like "-rf" would be read as a flag of its own.
        flag = word.startswith("-") and word != "-1"
        words += [f"--f{i} $(id)={word}"] if flag else [f"--f{i} $(id)", word]
    text = (f"{launcher} {{\nscript = {quoted('-s $(id).py')}\ndirectory = {quoted(folder)}\n{more}\n"
            f"positional = [{positional}]\nargs {{\n{args}\n}}\nenv {{\n{env}\n}}\n}}")
    return text, ["./-s $(id).py"] + words


faults = []
for name, (target, launcher, program, hardware, more) in CASES.items():
    folder = os.path.join(top, name)
    own = os.path.join(top, "-a 'b' $(id)\n" + name)
    os.makedirs(own)
    text, expected = launch(launcher, own, more)
    script = emit(dtpc, target, plan(text, hardware), folder)
    record = os.path.join(folder, "record")
    env = environment(record, fakes, script, NODE_RANK="1")
    run = subprocess.run(["bash", script], env=env, cwd=top, capture_output=True, text=True)
    if run.returncode or run.stderr:
        faults.append(f"{name}: {run.returncode} {run.stderr[:2000]}")
        continue
    slurm = target == "slurm"
    nodes = int(env["SLURM_NNODES"]) if slurm else 1
    tasks = int(env["SLURM_NTASKS_PER_NODE"]) if slurm else 1
    for node in range(nodes):
        for task in range(tasks):
            words, variables, where = recorded(record, program, node, task)
            # The launcher's own words come first.
            if words[-len(expected):] != expected:
                faults.append(f"{name}: {words[-len(expected):]} is not {expected}")
            head = words[:-len(expected)]
            if any("id" == w or "uid=" in w for w in head):
                faults.append(f"{name}: something was obeyed: {head}")
            for i, word in enumerate(HOSTILE):
                if variables.get(f"V{i}") != word:
                    faults.append(f"{name}: V{i} is {variables.get(f'V{i}')!r}, not {word!r}")
            if variables.get("OMP_NUM_THREADS") != THREADS:
                faults.append(f"{name}: OMP_NUM_THREADS is {variables.get('OMP_NUM_THREADS')!r}")
            if where != own:
                faults.append(f"{name}: it runs in {where!r}, not in {own!r}")
    if "apptainer" in more:
        got = open(os.path.join(record, "apptainer"), encoding="utf-8").read().split("\0")
        for word in ("--nv", "--bind=/a b'$(id):/c;d", "--pwd=/w `id`", "docker://x#y $(id)"):
            if word not in got:
                faults.append(f"{name}: apptainer does not get {word!r}: {got[:12]}")
    if "pyxis" in more:
        got = open(os.path.join(record, "srun"), encoding="utf-8").read().split("\0")
        for word in ("--container-image=docker://x#y $(id)", "--container-mounts=/a b'$(id):/c;d",
                     "--container-workdir=/w `id`"):
            if word not in got:
                faults.append(f"{name}: srun does not get {word!r}: {got[:12]}")

# What a line of #SBATCH carries.
SITE = [w for w in HOSTILE if w and not any(c < " " for c in w) and len(w) < 1000]
for i, word in enumerate(SITE):
    said = ", ".join(f"{field} = {quoted(word)}"
                     for field in ("partition", "account", "qos", "constraint", "reservation", "mail", "output"))
    text = plan('torchrun { script = "t.py"\n' + SLURM % (", " + said) + " }")
    found = directives(open(emit(dtpc, "slurm", text, os.path.join(top, f"site{i}")), encoding="utf-8").read())
    for option in ("partition", "account", "qos", "constraint", "reservation", "mail-user", "output"):
        if found.get("--" + option) != word:
            faults.append(f"--{option} is {found.get('--' + option)!r}, not {word!r}")

print("\n".join(faults[:20]))
print(f"{len(CASES)} scripts, {len(HOSTILE)} texts, {len(faults)} faults")
sys.exit(bool(faults))

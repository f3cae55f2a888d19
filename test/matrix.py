"""matrix.py [--write] DTPC ROOT: docs/examples/README.md, the examples and what is emitted of each.

Every plan of examples/ is emitted in every form of FORMS, with -D in the place of its own launcher. What comes is
tried: `bash -n` and shellcheck on scripts, a parser on JSON and YAML. `sbatch --test-only` needs a Slurm: DTPC_SBATCH
names the command; without it a cell keeps what it says of that. Without --write the page is compared.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import yaml


def by(launcher, spawns):
    return [f'launch.launcher="{launcher}"', f"launch.spawns_workers={spawns}"]


CLUSTER = "slurm { cpus_per_task = 4, time_limit = 7 days, requeue = true }"
MEET = 'launch.rendezvous=%s { host = env("HEAD") }'
TORCHRUN, ACCELERATE, PYTHON = by("torchrun", "true"), by("accelerate", "true"), by("python", "false")
SLURM = [f"launch.scheduler={CLUSTER}"]
# (heading, target, what stands in the place of the plan's own launch)
FORMS = [
    ("torchrun", "torchrun", TORCHRUN),
    ("torchrun, host named", "torchrun", TORCHRUN + [MEET % "static"]),
    ("torchrun, c10d", "torchrun", TORCHRUN + [MEET % "c10d"]),
    ("slurm, torchrun a node", "slurm", TORCHRUN + SLURM),
    ("slurm, a task a GPU", "slurm", PYTHON + SLURM),
    ("slurm, accelerate a node", "slurm", ACCELERATE + SLURM),
    ("accelerate", "accelerate", ACCELERATE + [MEET % "static"]),
    ("python", "python", PYTHON),
    ("libtorch", "libtorch", []),
]
LETTERS = "B `bash -n`, S shellcheck, J a JSON or YAML parser, T `sbatch --test-only`"
HEAD = """# The examples
Each is a plan that checks clean, with a page that shows it, what dtpc says of it, and what to learn from it. Plans
with a mistake are in [examples/broken](../../examples/broken/README.md).

"""
MATRIX = """
## What is emitted
Each plan in each form that `dtpc emit` writes, with `-D launch.launcher=...` in the place of its own launcher, and for
Slurm a scheduler. A code is what refuses it; letters are what the files have passed that were written:
%s. Written by `test/matrix.py`, which the tests run.

"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def plans(root):
    """(file, plan) of each plan of the examples, in the order of the files."""
    for path in sorted(glob.glob(os.path.join(root, "examples", "*.dtp"))):
        for plan in re.findall(r"^plan (\w+)", read(path), re.M):
            yield os.path.basename(path), plan


def emit(dtpc, root, file, plan, form, folder):
    """The code that refuses it, or none: then the files are in the folder."""
    heading, target, settings = form
    command = [dtpc, "emit", target, os.path.join("examples", file), "--plan", plan, "-o", folder, "--quiet"]
    for setting in settings:
        command += ["-D", setting]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60)
    if run.returncode == 0:
        return None
    codes = re.findall(r"^error\[(DTP\d+)\]", run.stdout + run.stderr, re.M)
    return codes[0] if codes else f"exit {run.returncode}"


def parses(path):
    text = read(path)
    if path.endswith(".json"):
        json.loads(text)
    else:
        yaml.safe_load(text)


def passed(folder, unclean, sbatch, before):
    """The letters of what the files of a folder passed; a validator that refuses one is a fault."""
    letters, faults = set(), []
    for path in sorted(glob.glob(os.path.join(folder, "*"))):
        if path.endswith((".json", ".yaml", ".yml")):
            parses(path)
            letters.add("J")
            continue
        text = read(path)
        if not text.startswith("#!"):
            continue
        if subprocess.run(["bash", "-n", path], capture_output=True).returncode:
            faults.append(f"{path}: bash -n refuses it")
        else:
            letters.add("B")
        if path in unclean:
            faults.append(f"{path}: shellcheck says {unclean[path]}")
        else:
            letters.add("S")
        if "#SBATCH" in text and sbatch:
            run = subprocess.run([*sbatch, "--test-only", path], capture_output=True, text=True)
            if run.returncode:
                faults.append(f"{path}: sbatch --test-only says {run.stderr.strip()}")
            else:
                letters.add("T")
        elif "#SBATCH" in text and "T" in before:
            letters.add("T")
    return "".join(letter for letter in "BSJT" if letter in letters), faults


def shellchecked(top):
    """{script: what shellcheck says of it}, by one process for all."""
    scripts = [p for p in glob.glob(os.path.join(top, "*", "*")) if read(p).startswith("#!")]
    if not scripts:
        return {}
    run = subprocess.run(["shellcheck", "--format=gcc", *scripts], capture_output=True, text=True)
    found = {}
    for line in run.stdout.splitlines():
        found.setdefault(line.split(":", 1)[0], line)
    return found


def cells(page):
    """{(file, plan): its cells} of the page as it is."""
    found = {}
    for line in page.partition("## What is emitted")[2].splitlines():
        row = re.match(r"\| \[(\w+)\]\((\w+)\.md\) \|(.*)\|$", line)
        if row:
            found[row[2] + ".dtp", row[1]] = [cell.strip() for cell in row[3].split("|")]
    return found


def page(dtpc, root, old):
    before, tried = cells(old), FORMS
    sbatch = os.environ.get("DTPC_SBATCH", "").split()
    refused, faults = {}, []
    with tempfile.TemporaryDirectory() as top:
        every = [(file, plan, i) for file, plan in plans(root) for i in range(len(tried))]
        folders = {one: os.path.join(top, f"{n}") for n, one in enumerate(every)}
        for one in every:
            refused[one] = emit(dtpc, root, *one[:2], tried[one[2]], folders[one])
        unclean = shellchecked(top)
        rows = {}
        for file, plan, i in every:
            cell = refused[file, plan, i]
            if cell is None:
                old_row = before.get((file, plan), [])
                cell, found = passed(folders[file, plan, i], unclean, sbatch, old_row[i] if i < len(old_row) else "")
                faults += [fault.replace(folders[file, plan, i], f"{plan}, {tried[i][0]}") for fault in found]
            rows.setdefault((file, plan), []).append(cell)
    text = HEAD + "| example | |\n|---|---|\n"
    for file in dict.fromkeys(file for file, plan in rows):
        name = file.removesuffix(".dtp")
        about = read(os.path.join(root, "docs", "examples", name + ".md"))
        text += f"| [{name}]({name}.md) | {re.match('# (.*)', about)[1]} |\n"
    text += MATRIX % LETTERS
    text += "| plan | " + " | ".join(form[0] for form in tried) + " |\n" + "|---" * (len(tried) + 1) + "|\n"
    for (file, plan), row in rows.items():
        text += f"| [{plan}]({file.removesuffix('.dtp')}.md) | " + " | ".join(row) + " |\n"
    used = sorted({cell for row in rows.values() for cell in row if cell.startswith("DTP")})
    links = ", ".join(f"[{code}](../diagnostics/{code}.md)" for code in used)
    return text + (f"\n{links}.\n" if links else ""), faults


def main():
    write = "--write" in sys.argv
    dtpc, root = [word for word in sys.argv[1:] if word != "--write"]
    path = os.path.join(root, "docs", "examples", "README.md")
    old = read(path) if os.path.exists(path) else ""
    new, faults = page(os.path.abspath(dtpc), os.path.abspath(root), old)
    if new != old and write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    elif new != old:
        lost = sorted(set(new.splitlines()) - set(old.splitlines()))
        faults += ["docs/examples/README.md is another (test/matrix.py --write DTPC ROOT writes it):", *lost]
    print("\n".join(faults + [f"{len(cells(new))} plans in {len(FORMS)} forms, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

"""What the tests of emit/ share: plans with launches, programs that record what they are started with, scripts run.

The programs stand first on PATH: torchrun, python and accelerate write their words, folder and environment into a file
of $RECORD; srun starts the tasks of a job as Slurm does, each with the variables of its node; apptainer and bash run
what they are given. Nothing else is known of the emitted text.
"""
import os
import subprocess
import sys

HOSTILE = [
    "", " ", "-", "--", "-rf", "-1", "'", '"', "''", "it's", "\\", "\\'", "\\\\'", "a\nb", "\n", "\t", "$HOME",
    "${HOME}", "$(id)", "`id`", "; id", "&& id", "| id", "> /dev/null", "*", "?", "[a-z]*", "{a,b}", "~", "~root",
    "!!", "#", "a #b", "%s", "%j", "=x", "x=y", "日本", "😀", "$'\\n'", '"$(id)"', "'$(id)'", "a'b\"c`d$e\\f",
    "'; rm -rf / #", "END", "EOF", "\nEND\n", "do", "if", "'" * 2000,
]

RECORDER = """#!/bin/bash
at=$RECORD/${0##*/}.${SLURM_NODEID:-0}.${SLURM_LOCALID:-0}
printf '%s\\0' "$@" >"$at.words"
env -0 >"$at.environment"
printf '%s' "$PWD" >"$at.folder"
for word; do case $word in --config_file=*) cp "${word#*=}" "$at.config" ;; esac; done
"""
# Options of srun have their value after `=`; the first word without `--` begins the command.
SRUN = """#!%s
import os, subprocess, sys
words = sys.argv[1:]
while words and words[0].startswith("--"):
    words.pop(0)
nodes, tasks = int(os.environ["SLURM_NNODES"]), int(os.environ["SLURM_NTASKS_PER_NODE"])
status = 0
for node in range(nodes):
    for task in range(tasks):
        own = dict(os.environ, SLURM_NODEID=str(node), SLURM_LOCALID=str(task), SLURM_NTASKS=str(nodes * tasks),
                   SLURM_PROCID=str(node * tasks + task))
        status = max(status, subprocess.run(words, env=own).returncode)
open(os.path.join(os.environ["RECORD"], "srun"), "w").write("\\0".join(sys.argv[1:len(sys.argv) - len(words)]))
sys.exit(status)
""" % sys.executable
APPTAINER = """#!/bin/bash
printf '%s\\0' "$@" >"$RECORD/apptainer"
shift
while [[ $1 == -* ]]; do shift; done
shift
exec "$@"
"""
SCONTROL = """#!/bin/bash
case "$1 $2" in "show hostnames") for ((i = 0; i < SLURM_NNODES; i++)); do echo "n$i"; done ;; *) exit 1 ;; esac
"""

HEAD = """dtp 1
import std.recipes.dit
import std.hardware.nvidia
import std.hardware.dgx
"""


def quoted(text):
    """A text as the plan language writes it."""
    for plain, written in (("\\", "\\\\"), ('"', '\\"'), ("{", "\\{"), ("}", "\\}"), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, written)
    return f'"{text}"'


def plan(launch, hardware="gpus(8, nvidia.A100_SXM_80GB)", name="p"):
    return f"plan {name} = dit.paper {{\n  hardware = {hardware}\n  launch = {launch}\n}}\n"


def programs(folder):
    os.makedirs(folder)
    texts = {name: RECORDER for name in ("torchrun", "python", "accelerate")}
    texts.update(srun=SRUN, apptainer=APPTAINER, scontrol=SCONTROL)
    for name, text in texts.items():
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
    return folder


def sbatch_words(line):
    """The words of a line of #SBATCH as get_argument of sbatch reads them."""
    words, word, at, quote, escaped, begun = [], "", 0, "", False, False
    while at < len(line):
        char = line[at]
        at += 1
        if escaped:
            word, escaped, begun = word + char, False, True
        elif char == "\\":
            escaped = True
        elif quote:
            if char == quote:
                quote = ""
            else:
                word += char
        elif char in "\"'":
            quote, begun = char, True
        elif char == "#":
            break
        elif char.isspace():
            if begun:
                words.append(word)
            word, begun = "", False
        else:
            word, begun = word + char, True
    return words + ([word] if begun else [])


def directives(script):
    """{option: value} of the lines that sbatch reads: those before the first command."""
    found = {}
    for line in script.split("\n")[1:]:
        if line.startswith("#SBATCH"):
            for word in sbatch_words(line[len("#SBATCH"):]):
                option, _, value = word.partition("=")
                assert option not in found, f"{option} is said twice"
                found[option] = value
        elif line and not line.startswith("#"):
            break
    return found


def emit(dtpc, target, text, folder, *more):
    """Writes what the target makes of a text; gives the script's path."""
    os.makedirs(folder)
    path = os.path.join(folder, "p.dtp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD + text)
    run = subprocess.run([dtpc, "emit", target, path, "-o", os.path.join(folder, "out"), "--quiet", *more],
                         capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"dtpc emit {target}: {run.returncode}\n{run.stderr}\n{text[:2000]}")
    names = os.listdir(os.path.join(folder, "out"))
    return os.path.join(folder, "out", next(n for n in names if n.endswith((".sh", ".sbatch"))))


def environment(record, bin_folder, script, **more):
    os.makedirs(record, exist_ok=True)
    env = dict(os.environ, PATH=bin_folder + ":" + os.environ["PATH"], RECORD=record, LC_ALL="C.UTF-8")
    for name in [n for n in env if n.startswith(("SLURM", "NODE_RANK", "MASTER"))]:
        del env[name]
    if script.endswith(".sbatch"):
        said = directives(open(script, encoding="utf-8").read())
        env.update(SLURM_JOB_ID="1234", SLURM_JOB_NODELIST="n[0-1]", SLURM_NNODES=said["--nodes"],
                   SLURM_NTASKS_PER_NODE=said["--ntasks-per-node"])
    env.update(more)
    return env


def recorded(record, program, node=0, task=0):
    """(words, environment, folder) of a start."""
    at = os.path.join(record, f"{program}.{node}.{task}")
    read = lambda ending: open(f"{at}.{ending}", encoding="utf-8").read()  # noqa: E731
    words = read("words").split("\0")[:-1]
    variables = dict(entry.split("=", 1) for entry in read("environment").split("\0") if entry)
    return words, variables, read("folder")

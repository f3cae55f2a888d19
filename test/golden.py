"""A golden file: `$ dtpc ARGUMENTS` on its first line, then what that prints, then `exit N`.

The command runs in the project's folder, without a shell, standard error joined to standard output.
"""
import os
import shlex
import subprocess


def run_golden(path, dtpc, root):
    """Gives (what the file should hold, what it holds)."""
    wanted = open(path, encoding="utf-8").read()
    command = wanted.split("\n", 1)[0]
    words = shlex.split(command)
    if words[:2] != ["$", "dtpc"]:
        return "$ dtpc ... is expected on the first line\n", wanted
    environment = dict(os.environ, NO_COLOR="1", COLUMNS="120")
    run = subprocess.run([dtpc, *words[2:]], cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, env=environment, timeout=60)
    text = run.stdout.decode("utf-8", errors="replace")
    if text and not text.endswith("\n"):
        text += "\n"
    return f"{command}\n{text}exit {run.returncode}\n", wanted

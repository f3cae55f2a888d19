"""The first suggestion of a refused plan, applied, makes the plan pass.

  first_help.py DTPC FILE    checks FILE, which must be refused; sets what the first help says by -D, as it is printed,
                             and in the text by its edits; both must pass. Where that help is certain, --fix makes the
                             same text.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

dtpc, path = sys.argv[1:]


def run(*words):
    done = subprocess.run([dtpc, "check", *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def settings_of(text):
    """`a = b` with `c = d` and `e = f`: ..."""
    said = text.split(" mends it")[0].split("`: ")[0]
    return re.findall(r"`([^`]+ = [^`]+)`", said + "`")


def edited(text, edits):
    data = text.encode()
    # Of two insertions at one place the first stands first.
    for _, edit in sorted(enumerate(edits), key=lambda e: (e[1]["span"]["begin"], e[0]), reverse=True):
        span = edit["span"]
        data = data[:span["begin"]] + edit["replacement"].encode() + data[span["end"]:]
    return data.decode()


status, told = run("--json", path)
if status != 1:
    sys.exit(f"the plan is not refused: status {status}\n{told}")
errors = [d for d in json.loads(told)["diagnostics"] if d["severity"] == "error"]
first = next((d["help"][0] for d in errors if d["help"]), None)
if not first:
    sys.exit(f"nothing is proposed\n{run(path)[1]}")
print(first["text"])
settings = settings_of(first["text"])
status, told = run(*[word for s in settings for word in ("-D", s)], path)
if status != 0 or not settings:
    sys.exit(f"{settings} by -D: status {status}\n{told}")

with tempfile.TemporaryDirectory() as folder:
    text = open(path, encoding="utf-8").read()
    file = os.path.join(folder, os.path.basename(path))
    mended = edited(text, first["edits"])
    with open(file, "w", encoding="utf-8") as out:
        out.write(mended)
    status, told = run(file)
    if status != 0:
        sys.exit(f"the edit: status {status}\n{told}\n{mended}")
    if first["certain"]:
        shutil.copy(path, file)
        status, told = run("--fix", file)
        fixed = open(file, encoding="utf-8").read()
        if status != 0 or "".join(fixed.split()) != "".join(mended.split()):
            sys.exit(f"--fix: status {status}\n{told}\n{fixed}")

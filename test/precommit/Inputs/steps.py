"""steps.py WORKFLOW FOLDER: runs each `run:` line of a workflow of GitHub in FOLDER, as its runner does (bash -e)."""
import subprocess
import sys

import yaml

steps = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))["jobs"]["check"]["steps"]
for step in steps:
    if "run" in step:
        print(f"== {step['name']}", flush=True)
        done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=sys.argv[2])
        print(f"status {done.returncode}", flush=True)

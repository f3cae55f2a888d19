"""The plan with and without what was measured: what is measured is taken, and what follows from it follows."""
import json
import subprocess
import sys

dtpc, measured = sys.argv[1:]
with open("both.dtp", "w") as file:
    file.write('dtp 1\nimport "small.dtp"\nimport "small.measured.dtp" as measured\n'
               "plan before = small.small\nplan after = before { calibration = [measured.trial] }\n")
run = subprocess.run([dtpc, "check", "--json", "both.dtp"], capture_output=True, text=True)
assert run.returncode == 0, run.stdout + run.stderr
_, after = json.loads(run.stdout)["plans"]
seconds = json.load(open(measured))["seconds"]["step"]["median"]
step = after["time"]["step"]
assert step["lo"] <= seconds <= step["hi"], (step, seconds)
used = {row["path"] for row in after["measured"] if row["used"]}
assert used >= {"time.step", "time.forward", "time.backward", "time.optimizer", "memory.allocated"}, used
assert after["time"]["total"]["likely"] == 10_000 * step["likely"], after["time"]

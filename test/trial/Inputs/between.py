"""The plan with and without what was measured: the step that was measured lies in both intervals, the later is narrower."""
import json
import subprocess
import sys

dtpc, measured = sys.argv[1:]
with open("both.dtp", "w") as file:
    file.write('dtp 1\nimport "small.dtp"\nimport "small.measured.dtp" as measured\n'
               "plan before = small.small\nplan after = before { calibration = [measured.trial] }\n")
run = subprocess.run([dtpc, "check", "--json", "both.dtp"], capture_output=True, text=True)
assert run.returncode == 0, run.stdout + run.stderr
before, after = json.loads(run.stdout)["plans"]
seconds = json.load(open(measured))["seconds"]["step"]["median"]
widths = []
for plan in (before, after):
    step = plan["time"]["step"]
    assert plan is before or step["lo"] <= seconds <= step["hi"], (plan["name"], step, seconds)
    widths.append(step["hi"] - step["lo"])
used = {row["path"] for row in after["measured"] if row["used"]}
assert used >= {"time.step", "time.forward", "time.backward", "time.optimizer", "memory.allocated"}, used
assert after["time"]["step"]["likely"] * 10_000 == after["time"]["total"]["likely"], after["time"]
print("narrower by", widths[0] / max(widths[1], 1e-12))

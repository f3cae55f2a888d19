"""same_bytes.py DTP_PROVE CONFIG MEASURED: a run's measured.json has the bytes that dtp-prove measures."""
import json
import subprocess
import sys

prove, config, measured = sys.argv[1:]
proof = json.loads(subprocess.run([prove, "--json", config], capture_output=True, text=True).stdout)[0]["bytes"]
with open(measured, encoding="utf-8") as file:
    run = json.load(file)
pairs = {"model": "model", "before": "before", "forward": "forward_peak", "saved": "saved",
         "backward": "backward_peak", "after": "after_backward", "step": "step_peak"}
for name, field in pairs.items():
    value = run["bytes"][field]
    if (value if isinstance(value, int) else value["most"]) != proof[name]["measured"]:
        sys.exit(f"{name}: {value}, and the proof measures {proof[name]['measured']}")
first = run["first_step"]["bytes"]["step_peak"]["most"]
if first != proof["first step"]["measured"]:
    sys.exit(f"first step: {first}")

"""proof.py DTP_PROVE DIR: writes what dtp-prove measures into the config it measured, and proves that."""
import json
import os
import subprocess
import sys

prove, folder = sys.argv[1:]
path = os.path.join(folder, "c.json")
subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "config.py"), path, "dropout=0.1"], check=True)
with open(path, encoding="utf-8") as file:
    config = json.load(file)
FIELDS = {"model": "model", "before": "before", "forward": "forward_peak", "saved": "saved",
          "backward": "backward_peak", "after": "after_backward", "first step": "first_step_peak", "step": "step_peak"}
measured = json.loads(subprocess.run([prove, "--json", path], capture_output=True, text=True).stdout)[0]["bytes"]
predicted = config["predicted"]
for name, field in FIELDS.items():
    predicted[field] = measured[name]["measured"]
events = subprocess.run([prove, "--events", path], capture_output=True, text=True).stdout.splitlines()
for part in ("forward", "backward", "release"):
    begin = len(predicted["events"])
    for line in events:
        which, _, size, by = line.split(" ", 3)
        if which != part:
            continue
        operation, _, where = by.split(" (")[0].removesuffix(", backward").partition(" of ")
        predicted["labels"].append({"operation": operation, "path": where, "backward": ", backward" in by})
        predicted["events"].append({"bytes": int(size), "label": len(predicted["labels"]) - 1, "power": 0})
    predicted[part] = {"first": len(predicted["pieces"]), "count": 1}
    predicted["pieces"].append({"count": 1, "begin": begin, "end": len(predicted["events"]), "first_child": 0,
                                "children": 0})


def run(status):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config, file)
    result = subprocess.run([prove, path], capture_output=True, text=True)
    print(result.stdout, end="")
    if result.returncode != status:
        sys.exit(f"status {result.returncode}")


run(0)
print("saved is off by one byte")
predicted["saved"] -= 1
run(1)
predicted["saved"] += 1
print("an event is missing")
second = next(i for i, e in enumerate(predicted["events"])
              if e["bytes"] > 0 and predicted["labels"][e["label"]]["path"] == "blocks.{i}.up")
del predicted["events"][second]
for piece in predicted["pieces"]:
    piece["begin"] -= piece["begin"] > second
    piece["end"] -= piece["end"] > second
run(1)

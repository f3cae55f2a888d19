"""mutate.py DTP_PROVE DIR COUNT: changes a config at random places; the tool must tell of each and live."""
import copy
import json
import os
import random
import subprocess
import sys

prove, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.makedirs(folder, exist_ok=True)
base = os.path.join(folder, "base.json")
subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "config.py"), base, "inner=2",
                "captured=true"], check=True)
with open(base, encoding="utf-8") as file:
    whole = json.load(file)
numbers = random.Random(11)
# Large sizes would only test the machine's memory.
VALUES = [None, True, -1, 0, 1, 2, 3, 5, 12, 2**32, 2**63, 2**64, -2**63, 0.5, "", "B", "3B", "real", [], [0], [1, 2],
          {}]


def places(value, way=()):
    yield way
    if isinstance(value, (dict, list)):
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[step], way + (step,))


all_places = [way for way in places(whole) if way]
paths = []
for number in range(count):
    changed = copy.deepcopy(whole)
    for _ in range(numbers.choice((1, 1, 2))):
        way = numbers.choice(all_places)
        value = changed
        try:
            for step in way[:-1]:
                value = value[step]
            if numbers.random() < 0.15:
                del value[way[-1]]
            else:
                value[way[-1]] = numbers.choice(VALUES)
        except (KeyError, IndexError, TypeError):
            pass  # an earlier change took it away
    paths.append(os.path.join(folder, f"{number}.json"))
    with open(paths[-1], "w", encoding="utf-8") as file:
        json.dump(changed, file)
run = subprocess.run([prove, "--json", *paths], capture_output=True, text=True)
if run.returncode not in (0, 1):
    sys.exit(f"status {run.returncode}\n{run.stderr[-2000:]}")
outcomes = json.loads(run.stdout)
refused = sum("error" in outcome for outcome in outcomes)
if len(outcomes) != count or refused == 0:
    sys.exit("not all were told of")
print(f"{count} changed configs: {count - refused} run, {refused} refused")

"""Writes damaged copies of a measured.json into a folder."""
import copy
import json
import sys

whole, folder = sys.argv[1:]
text = open(whole).read()


def write(name, text):
    with open(f"{folder}/{name}.json", "w") as file:
        file.write(text)


def damaged(name, *path, value=None):
    """With another value there; without one the key is gone."""
    data = copy.deepcopy(json.loads(text))
    at = data
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    write(name, json.dumps(data, indent=2))


write("torn", text[:len(text) // 2])
damaged("schema", "schema", value=2)
damaged("missing", "seconds", "step", "median")
damaged("text", "run", "ranks", value="one")
damaged("order", "seconds", "forward", "p95", value=0)
damaged("day", "date", value="yesterday")
damaged("name", "plan", value="tiny")
data = json.loads(text)
data["run"].update(steps=1, counted=0)
write("none", json.dumps(data, indent=2))

"""not_estimated.py DTPC TABLE PAGE FOLDER: the rows of the table are those of the page, each example is refused with
DTP3104 and nothing else, and `dtpc doc` marks what it is about."""
import json
import os
import re
import subprocess
import sys

dtpc, table, page, folder = sys.argv[1:]
PLAN = """dtp 1
import std.recipes.dit
import std.hardware.nvidia
import std.data.imagenet
plan p = dit.paper {{
  hardware = gpus(8, nvidia.A100_SXM_80GB)
  {}
}}
"""


def run(*words):
    return subprocess.run([dtpc, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=60, text=True).stdout


def main():
    text = open(table, encoding="utf-8").read()
    rows = re.findall(r'^NOT_ESTIMATED\("(.*?)", "(.*?)", "(.*?)",\s+"(.*)"\)$', text, re.M)
    faults = [] if rows else ["no rows"]
    shown = [line for line in open(page, encoding="utf-8").read().split("\n") if line.startswith("| `")]
    want = []
    for type_name, member, when, example in rows:
        example = example.replace('\\"', '"')
        want.append(f"| `{type_name}` | `{member}`{' ' + when if when else ''} | `{example}` |")
        path = os.path.join(folder, "p.dtp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLAN.format(example))
        told = json.loads(run("check", "--json", path))["diagnostics"]
        codes = [d["code"] for d in told if d["severity"] == "error"]
        if codes != ["DTP3104"]:
            faults.append(f"`{example}` is told {codes}")
        mark = f"[{when + ': ' if when else ''}not estimated in this version]"
        if mark not in re.sub(r"\s+", " ", run("doc", type_name)):
            faults.append(f"`dtpc doc {type_name}` does not mark `{member}`")
    if [line for line in shown if line in want] != want:
        faults += [f"{page} lacks {line}" for line in want if line not in shown]
    print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())

"""Applies what the helps of a check propose, through -D, and compares with what they promise.

  apply_suggestions.py DTPC FILE    of each plan alone: `a = b` with `c = d`: memory.peak 9 GiB -> 5 GiB ...
"""
import os
import re
import subprocess
import sys
import tempfile

dtpc, path = sys.argv[1:]
text = open(path, encoding="utf-8").read()
plans = re.findall(r"^plan \w+.*$", text, re.M)
common = re.sub(r"^plan \w+.*\n", "", text, flags=re.M)


def check(plan, flags=()):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "p.dtp")
        with open(file, "w", encoding="utf-8") as out:
            out.write(common + plan + "\n")
        return subprocess.run([dtpc, "check", *flags, file], capture_output=True, text=True).stdout


tried = wrong = 0
for plan in plans:
    before = check(plan)
    for settings, value, step in re.findall(
            r"help: (`.*`): memory.peak [^>]*-> (\S+ \S+).*time.step \S+ \S+ -> (\S+ [a-z]+)", before):
        flags = ["-D" + setting.replace(" ", "") for setting in re.findall(r"`([^`]*)`", settings)]
        after = check(plan, flags)
        tried += 1
        if f": {value} of" not in after or f"{step} a step" not in after:
            wrong += 1
            print(f"{plan}: {settings} promises {value}, {step}\n{after}")
print(f"{tried} suggestions applied, {wrong} not as told")

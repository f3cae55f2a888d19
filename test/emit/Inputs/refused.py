"""refused.py DTPC LIST FOLDER: each launch of the list is refused by its target, with one error of that code and these
words, at the text after the mark; and nothing is written. A part of the list begins with

  //--- TARGET CODE | words
"""
import os
import re
import subprocess
import sys

dtpc, listed, top = sys.argv[1:]
head, *parts = re.split(r"^//--- ", open(listed, encoding="utf-8").read(), flags=re.M)
faults = []
for i, part in enumerate(parts):
    title, text = part.split("\n", 1)
    target, code, words = re.fullmatch(r"(\w+) (DTP\d{4}) \| (.*)", title).groups()
    before, after = (head + text).split("§")
    place = f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"
    folder = os.path.join(top, str(i))
    os.makedirs(folder)
    path = os.path.join(folder, "p.dtp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + after)
    command = [dtpc, "emit", target, path, "-o", os.path.join(folder, "out")]
    run = subprocess.run(command, capture_output=True, text=True)
    errors = re.findall(r"^error\[(DTP\d+)\]: (.*)\n +--> .*p\.dtp:(\d+:\d+)$", run.stderr, re.M)
    good = run.returncode == 1 and len(errors) == 1 and errors[0][0] == code and words in errors[0][1]
    if not good or errors[0][2] != place:
        faults.append(f"{title}\n{text}  wanted at {place}, and dtpc ends with {run.returncode}:\n{run.stderr}")
    if os.path.exists(os.path.join(folder, "out")):
        faults.append(f"{title}: something was written")
print("\n".join(faults))
print(f"{len(parts)} launches, {len(faults)} faults")
sys.exit(bool(faults))

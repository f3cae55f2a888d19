"""check_docs.py DTPC KEYWORDS: every name that `dtpc list` prints is told of: by a comment, by the name that a record
bears, or, of units and dimensions, by its declaration. And every word of the language that KEYWORDS (keywords.cpp) has.
"""
import re
import subprocess
import sys

printed = subprocess.run([sys.argv[1], "list"], capture_output=True, text=True, check=True).stdout
rows = missing = 0
for section in printed.split("\n## ")[1:]:
    topic = section.split("\n", 1)[0]
    for name, doc in re.findall(r"^\| `(.*?)` \|(.*)\|$", section, re.M):
        rows += 1
        if not doc.strip() and topic != "std.units":
            missing += 1
            print(f"{topic}: `{name}` has no comment")
with open(sys.argv[2], encoding="utf-8") as file:
    reserved = re.findall(r'\{"(\w+)", [A-Z_]+\}', file.read())
for word in reserved:
    shown = subprocess.run([sys.argv[1], "doc", word], capture_output=True, text=True).stdout
    if "words: in every file" not in shown:
        missing += 1
        print(f"the word `{word}` is not told")
missing += not reserved
print(f"{rows} names, {missing} without a word")
sys.exit(1 if missing or not rows else 0)

"""blocks.py PAGE FOLDER: writes the fenced blocks of a page that name a file, and those of kind text as text.WORD."""
import os
import re
import sys

page, folder = sys.argv[1:]
for kind, info, text in re.findall(r"^```(\w+)([^\n`]*)\n(.*?)^```$", open(page, encoding="utf-8").read(), re.M | re.S):
    word = (info.split() or [""])[0]
    if not word or kind not in ("dtp", "yaml", "text"):
        continue
    path = os.path.join(folder, f"text.{word}" if kind == "text" else word)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)

"""check_pages.py [--write] DTPC PAGES FOLDER: tries the first ```dtp block of each page DTP*.md.

Pages 1xxx to 4xxx show what `dtpc check p.dtp` prints for it. Pages 5xxx are about the use of the tool: what is printed
begins with the command, `$ dtpc emit torchrun p.dtp`, which is run beside the block as p.dtp (or beside nothing).
Further blocks name their file in the first line, `// q.dtp`, or beside their kind, ```json config.json.
And each page has its four parts. Examples
of the grammar (1xxx) are pieces of plans, so these may raise more than what the page is about. A page without an
example says why: <!-- no example: reason -->. Figures may differ from those on the page: estimates move when the
library learns, and a page is about the words. --write puts what is printed in the place of other words.
"""
import os
import re
import shlex
import subprocess
import sys

write = "--write" in sys.argv
dtpc, pages, folder = [word for word in sys.argv[1:] if word != "--write"]


PARTS = (r"^# DTP\d{4}: \w+\n\S", r"^## Example$", r"^## Why it is an? \w+$", r"^## What to do\n- ")


def words(text):
    text = re.sub(r"^\d+ (?:error|warning)s?$", "", text.strip(), flags=re.M)
    text = re.sub(r"\d[\d,.]*", "#", text)
    return [re.sub(r"\s+|-{3,}|\^+", " ", line).strip() for line in text.strip().split("\n")]


def run(own, arguments):
    run = subprocess.run([dtpc, *arguments], cwd=own, stdin=subprocess.DEVNULL, capture_output=True, timeout=30,
                         env=dict(os.environ, NO_COLOR="1", COLUMNS="120"))
    return (run.stdout + run.stderr).decode("utf-8", errors="replace")


def faults(code, page):
    for part in PARTS:
        if not re.search(part, page, re.M):
            yield f"has no part {part}"
    beside = {}
    if re.search(r"^<!-- no example: \S.* -->$", page, re.M):
        return
    for name, text in re.findall(r"^```json (\w+\.json)\n(.*?)^```$", page, re.M | re.S):
        beside[name] = text
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S)
    example = next((i for i, (kind, _) in enumerate(blocks) if kind == "dtp"), None)
    command = next((text for kind, text in blocks if text.startswith("$ dtpc ")), None)
    if example is None and command is None:
        yield "has no ```dtp block, and does not say why: <!-- no example: reason -->"
        return
    own = os.path.join(folder, code)
    os.makedirs(own)
    if example is not None:
        with open(os.path.join(own, "p.dtp"), "w", encoding="utf-8") as file:
            file.write(blocks[example][1])
    for name, text in beside.items():
        with open(os.path.join(own, name), "w", encoding="utf-8") as file:
            file.write(text)
    for kind, text in blocks:
        title = re.match(r"// (\w+\.dtp)\n", text) if kind == "dtp" else None
        if title:
            with open(os.path.join(own, title[1]), "w", encoding="utf-8") as file:
                file.write(text)
    if code.startswith("DTP5"):
        if command is None:
            yield "shows no command: a line `$ dtpc ...` before what it prints"
            return
        first, shown = command.split("\n", 1)
        printed = run(own, shlex.split(first)[2:])
    else:
        shown = blocks[example + 1][1] if example + 1 < len(blocks) else ""
        printed = run(own, ["check", "--quiet", "p.dtp"])
    raised = re.findall(r"^(?:error|warning|note)\[(DTP\d+)\]", printed, re.M)
    if code in raised and code.startswith("DTP1"):
        return
    # A rule of the library also speaks of what is not estimated yet, and of what dtpc finds itself.
    if code[:5] in ("DTP41", "DTP42", "DTP43", "DTP44", "DTP45"):
        raised = [one for one in raised if not one.startswith("DTP3")]
    if set(raised) != {code}:
        yield f"the example raises {' '.join(sorted(set(raised))) or 'nothing'}:\n{printed}"
        return
    if words(shown) == words(printed):
        return
    if write:
        with open(os.path.join(pages, code + ".md"), "w", encoding="utf-8") as file:
            file.write(page.replace(shown + "```", printed.strip("\n") + "\n```", 1))
    yield f"shows\n{shown}and dtpc prints\n{printed}"


found = []
tried = 0
for name in sorted(os.listdir(pages)):
    if re.fullmatch(r"DTP\d{4}\.md", name):
        tried += 1
        with open(os.path.join(pages, name), encoding="utf-8") as file:
            found += [f"{name}: {fault}" for fault in faults(name.removesuffix(".md"), file.read())]
print("\n".join(found + [f"{tried} pages, {len(found)} faults"]))
sys.exit(1 if found or not tried else 0)

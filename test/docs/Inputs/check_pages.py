"""check_pages.py [--write] ROOT: the pages of docs/diagnostics and examples/broken/README.md.

Each page has its four parts, and its example is made of the plan in examples/broken and of its golden (see
test/broken.py), which raises the code of the page and nothing else. Texts that break the grammar (1xxx) are read on
behind the mistake, so they may raise more. --write writes what is made of them.
"""
import os
import re
import sys

write = "--write" in sys.argv
root = [word for word in sys.argv[1:] if word != "--write"][0]
sys.path.insert(0, os.path.join(root, "test"))
from broken import BESIDE, WITHOUT, examples, golden_of, index, page_of, read  # noqa: E402

PARTS = (r"^# DTP\d{4}: \w+\n\S", r"^## Example$", r"^## Why it is an? \w+$", r"^## What to do\n- ")


def raised_by(name):
    golden = golden_of(root, name)
    text = read(golden) if os.path.exists(golden) else ""
    return set(re.findall(r"^(?:error|warning|note)\[(DTP\d+)\]", text, re.M))


def faults_of_example(code, name):
    raised = raised_by(name) - BESIDE.get(code, set())
    if code.startswith("DTP1") and code in raised:
        return
    # A rule of the library also speaks of what is not estimated yet, and of what dtpc finds itself.
    if code.startswith("DTP4") and code >= "DTP4100":
        raised = {one for one in raised if not one.startswith(("DTP3", "DTP5"))}
    if raised != {code}:
        yield f"{code}.md: {name} raises {' '.join(sorted(raised)) or 'nothing'}"


def updated(path, made):
    """Writes a page, or tells that it is another."""
    if made == (read(path) if os.path.exists(path) else ""):
        return
    if write:
        with open(path, "w", encoding="utf-8") as file:
            file.write(made)
    yield f"{os.path.relpath(path, root)}: {'written' if write else 'is not what its plan and its golden make'}"


def main():
    found, tried = [], 0
    plans = examples(root)
    pages = os.path.join(root, "docs", "diagnostics")
    for file in sorted(os.listdir(pages)):
        code = file.removesuffix(".md")
        if not re.fullmatch(r"DTP\d{4}", code):
            continue
        tried += 1
        page = read(os.path.join(pages, file))
        found += [f"{file}: has no part {part}" for part in PARTS if not re.search(part, page, re.M)]
        for name in plans.get(code, []):
            found += faults_of_example(code, name)
        if code not in plans and code not in WITHOUT:
            found.append(f"{file}: examples/broken has no {code}_*.dtp")
        found += updated(os.path.join(pages, file), page_of(root, code, page))
    found += updated(os.path.join(root, "examples", "broken", "README.md"), index(root))
    print("\n".join(found + [f"{tried} pages, {len(plans)} plans, {len(found)} faults"]))
    return 1 if found or not tried else 0


sys.exit(main())

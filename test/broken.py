"""examples/broken: for each diagnostic and each rule of the library a plan that raises it, and what is made of these.

  DTPnnnn_<words>.dtp       one file, or
  DTPnnnn_<words>/plan.dtp  a folder, where the mistake takes several files

One line of the plan, `// Wrong: ...`, says in a person's words what is wrong. test/examples/DTPnnnn_<words>.golden
holds a command (`$ dtpc check --quiet examples/broken/...`, or what else shows the mistake) and all that it prints.
From these two the example of docs/diagnostics/DTPnnnn.md and the table in examples/broken/README.md are written.
"""
import os
import re

CODE = re.compile(r"DTP\d{4}")
# Of these no plan can be kept, or none is at fault.
WITHOUT = {
    "DTP1004": "its file would have 16 MiB",
    "DTP2008": "it takes 65 files in a chain, or 2,000",
    "DTP4503": "it judges a phase that is not estimated in this version, and what is unknown breaks no rule",
    "DTP5003": "the mistake is that there is no such file; its golden shows the command",
    "DTP5009": "in a plan the type of `port` refuses the number first, with DTP2103",
}
# What is told beside the code, and belongs to the mistake.
BESIDE = {
    "DTP3202": {"DTP2103"},  # the reason why the first plan could not be estimated
}
WIDEST = 120  # what is longer is cut on a page
INDEX = """# One mistake each
Plans that a person might write, each with one mistake. The line `// Wrong:` says in a person's words what it is; the
code links to the page that shows what dtpc says of it, and what to do. Written by `scripts/update_goldens`.

"""


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def examples(root):
    """{code: name} of the plans; a code that two of them share is a fault for check_kinds."""
    found = {}
    for name in sorted(os.listdir(os.path.join(root, "examples", "broken"))):
        if CODE.match(name):
            found.setdefault(name[:7], []).append(name.removesuffix(".dtp"))
    return found


def files_of(root, name):
    """The files of an example, its plan first, relative to the project's folder."""
    folder = os.path.join("examples", "broken", name)
    if not os.path.isdir(os.path.join(root, folder)):
        return [folder + ".dtp"]
    names = sorted(os.listdir(os.path.join(root, folder)), key=lambda n: (n != "plan.dtp", n))
    return [os.path.join(folder, n) for n in names]


def golden_of(root, name):
    return os.path.join(root, "test", "examples", name + ".golden")


def wrong(root, name):
    """What the plan says of its own mistake."""
    text = read(os.path.join(root, files_of(root, name)[0])).replace("\0", "")
    found = re.search(r"^// Wrong: (.*(?:\n// .*)*)", text, re.M)
    return found[1].replace("\n// ", " ") if found else None


def shown(text):
    """A text as a page can hold it."""
    text = text.replace("\0", "␀")
    lines = text.strip("\n").split("\n")
    return "\n".join(line if len(line) <= WIDEST + 40 else line[:WIDEST] + " …" for line in lines)


def screen(root, name):
    """The command of a golden and what it prints, without its exit status."""
    path = golden_of(root, name)
    text = read(path) if os.path.exists(path) else ""
    return "```\n" + shown(re.sub(r"^exit \d+\n\Z", "", text, flags=re.M)) + "\n```\n"


def blocks(root, name):
    """The example of a page: the files of the plan, and the screen."""
    out = ""
    for path in files_of(root, name):
        kind = os.path.splitext(path)[1][1:]
        out += f"`{path}`:\n```{kind}\n{shown(read(os.path.join(root, path)))}\n```\n"
    return out + screen(root, name)


def page_of(root, code, page):
    """The page of a diagnostic with its example as it should be. What stands around the blocks is kept."""
    name = examples(root).get(code, [None])[0]
    goldens = [g for g in sorted(os.listdir(os.path.join(root, "test", "examples"))) if g.startswith(code)]
    if name is None and not goldens:
        return page
    made = blocks(root, name) if name else screen(root, goldens[0].removesuffix(".golden"))
    head, section, rest = re.match(r"(.*?^## Example\n)(.*?)(^## .*)\Z", page, re.M | re.S).groups()
    old = re.search(r"(?:^`examples/broken/[^\n]*:\n)?^```.*^```\n", section, re.M | re.S)
    if old:
        section = section[:old.start()] + made + section[old.end():]
    else:
        section = made + section
    return head + section + rest


def index(root):
    """examples/broken/README.md."""
    rows = ["| code | plan | what is wrong |", "|---|---|---|"]
    for code, names in examples(root).items():
        for name in names:
            link = os.path.relpath(files_of(root, name)[0], os.path.join("examples", "broken"))
            rows.append(f"| [{code}](../../docs/diagnostics/{code}.md) | [{name[8:]}]({link}) | {wrong(root, name)} |")
    rest = "\nWithout one:\n\n" + "".join(f"- {code}: {why}.\n" for code, why in WITHOUT.items())
    others = [n for n in sorted(os.listdir(os.path.join(root, "examples", "broken")))
              if n.endswith(".dtp") and not CODE.match(n)]
    rest += "\nSeveral mistakes at once, or a longer story: " + ", ".join(f"[{n}]({n})" for n in others) + ".\n"
    return INDEX + "\n".join(rows) + "\n" + rest

"""The pages of the manual: what they show is run. scripts/update_goldens writes what is printed.

Every page of docs/ but those of docs/design, docs/diagnostics and docs/library, and README.md. Of its fenced blocks:

  ```dtp [FILE] [+] [WORD]  is written to FILE (p.dtp where none is said); with `+` below what FILE holds already.
                            What FILE holds then must check without a word. WORD: `refused` (it must be refused),
                            `warned` (it must be told something, and pass), `open` (more follows: not checked).
                            It is in the style of `dtpc fmt`; the updater writes it so.
  ```dtp from PATH          stands word for word in that file of the project
  ```dtp file PATH          is that file of the project; the updater writes it
  ```yaml FILE, ```json FILE, ```markdown FILE   is written; without FILE it is only shown
  ```console                lines `$ dtpc ...`, each with what it prints, run in order beside those files
  ```console root           the same, run in the project's folder
  ```dtp shown              is not run; kept for texts that this page says cannot be
"""
import os
import re
import shlex
import subprocess
import tempfile

FENCE = re.compile(r"^```(\w+)([^\n`]*)\n(.*?)^```$", re.M | re.S)
APART = ("design", "diagnostics", "library")
TABLE = os.path.join("docs", "reference", "constructs.md")
HEAD = """# Every construct: what is taken, what is refused
Written by `scripts/update_goldens` from the examples of these pages: of each section the number of examples that
check, and what is said of those that do not. Each page is a test of its own, `docs/manual/docs/reference/<page>`.

| construct | taken | refused with |
|---|---|---|
"""
OUTCOMES = ("refused", "warned", "open", "shown")


def pages(root):
    """The manual's pages, relative to the project's folder."""
    found = ["README.md"]
    docs = os.path.join(root, "docs")
    for path, folders, names in os.walk(docs):
        if path == docs:
            folders[:] = [f for f in folders if f not in APART]
        folders.sort()
        found += [os.path.relpath(os.path.join(path, name), root) for name in sorted(names) if name.endswith(".md")]
    apart = (os.path.join("docs", "library.md"), TABLE)
    return [page for page in found if page not in apart] + [TABLE]  # the table is made from the others


class Page:
    def __init__(self, path, dtpc, root):
        self.path, self.dtpc, self.root = path, os.path.abspath(dtpc), root
        self.faults = []

    def run(self, words, folder, text=""):
        run = subprocess.run([self.dtpc, *words], cwd=folder, input=text.encode(), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=60, env=dict(os.environ, NO_COLOR="1", COLUMNS="200"))
        return run.returncode, run.stdout.decode("utf-8", errors="replace")

    def formatted(self, text):
        status, printed = self.run(["fmt", "--quiet", "-"], self.folder, text)
        return text if status else printed  # what does not parse has no style

    def fault(self, line, text):
        self.faults.append(f"{self.path}:{line}: {text}")

    def write(self, name, text, more=False):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a" if more else "w", encoding="utf-8") as file:
            file.write(text)

    def program(self, info, text, line):
        words = info.split()
        if words[:1] in (["from"], ["file"]):
            source = open(os.path.join(self.root, words[1]), encoding="utf-8").read()
            if words[0] == "file":
                return source
            if text not in source:
                self.fault(line, f"this does not stand in {words[1]}")
            return text
        outcome = next((w for w in words if w in OUTCOMES), "clean")
        name = next((w for w in words if w.endswith(".dtp")), "p.dtp")
        if outcome == "shown":
            return text
        text = self.formatted(text)
        more = "+" in words
        self.write(name, "\n" + text if more else text, more)
        if outcome == "open":
            return text
        status, printed = self.run(["check", "--quiet", name], self.folder)
        if outcome == "clean" and (status or printed):
            self.fault(line, f"this is to check without a word, and dtpc says\n{printed}")
        elif outcome == "refused" and status != 1:
            self.fault(line, f"this is to be refused, and dtpc ends with {status}\n{printed}")
        elif outcome == "warned" and (status or not printed):
            self.fault(line, f"this is to be warned of, and dtpc ends with {status}\n{printed}")
        return text

    def console(self, info, text):
        folder = self.root if info.strip() == "root" else self.folder
        out = ""
        for command in re.findall(r"^\$ (dtpc\b.*)$", text, re.M):
            out += f"$ {command}\n{self.run(shlex.split(command)[1:], folder)[1]}"
            out += "\n"
        return out.rstrip("\n") + "\n"

    def block(self, match):
        kind, info, text = match.groups()
        line = match.string.count("\n", 0, match.start()) + 1
        if kind == "dtp":
            return f"```dtp{info}\n{self.program(info, text, line)}```"
        if kind == "console":
            return f"```console{info}\n{self.console(info, text)}```"
        if info.strip():
            self.write(info.split()[0], text)
        return match[0]

    def updated(self):
        """The page as it should be; faults are collected."""
        text = open(os.path.join(self.root, self.path), encoding="utf-8").read()
        with tempfile.TemporaryDirectory() as folder:
            self.folder = folder
            return FENCE.sub(self.block, text), text


def anchor(heading):
    """As GitHub makes it from a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def sections(text):
    """(heading, text) of a page, its title first; a `#` in a block is no heading."""
    heads = [m for m in re.finditer(r"^#{1,2} (.*)$", FENCE.sub(lambda m: " " * len(m[0]), text), re.M)]
    ends = [m.start() for m in heads[1:]] + [len(text)]
    return [(m[1], text[m.end():end]) for m, end in zip(heads, ends)]


def table(root):
    """docs/reference/constructs.md: of each section how many examples are taken, and what is said of those refused."""
    rows = []
    for page in pages(root):
        if page == TABLE or not page.startswith((os.path.dirname(TABLE), os.path.join("docs", "rules"))):
            continue
        text = open(os.path.join(root, page), encoding="utf-8").read()
        link = os.path.relpath(page, os.path.dirname(TABLE))
        for heading, body in sections(text):
            blocks = [(m[1], m[2].split(), m[3]) for m in FENCE.finditer(body)]
            taken = sum(kind == "dtp" and not set(words) & {"refused", "open", "shown"} for kind, words, _ in blocks)
            screens = "".join(text for kind, _, text in blocks if kind == "console")
            told = re.findall(r"^error\[(\w+)\]: (.*)$", screens, re.M)
            if taken or told:
                said = "<br>".join(f"{code}: {words}".replace("|", "\\|") for code, words in dict.fromkeys(told))
                rows.append(f"| [{heading}]({link}#{anchor(heading)}) | {taken} | {said} |")
    return HEAD + "\n".join(rows) + "\n"


def run_page(path, dtpc, root):
    """Gives (the page as dtpc would have it, the page, faults)."""
    if path == TABLE:
        full = os.path.join(root, path)
        old = open(full, encoding="utf-8").read() if os.path.exists(full) else ""
        return table(root), old, []
    page = Page(path, dtpc, root)
    new, old = page.updated()
    return new, old, page.faults

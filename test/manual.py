"""The pages of the manual: what they show is run. scripts/update_goldens writes what is printed.

Every page of docs/ but those of docs/design, docs/diagnostics and docs/library, and README.md. Of its fenced blocks:

  ```dtp [FILE] [+] [WORD]  is written to FILE (p.dtp where none is said); with `+` below what FILE holds already.
                            What FILE holds then must check without a word. WORD: `refused` (it must be refused),
                            `warned` (it must be told something, and pass), `open` (more follows: not checked).
                            It is in the style of `dtpc fmt`; the updater writes it so.
  ```dtp from PATH          stands word for word in that file of the project
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
    return [page for page in found if page != os.path.join("docs", "library.md")]


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
        if words[:1] == ["from"]:
            source = open(os.path.join(self.root, words[1]), encoding="utf-8").read()
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


def run_page(path, dtpc, root):
    """Gives (the page as dtpc would have it, the page, faults)."""
    page = Page(path, dtpc, root)
    new, old = page.updated()
    return new, old, page.faults

"""The kinds of test that lit.cfg.py names. A module of its own, because lit sends its tests to other processes."""
import difflib
import os
import re
import subprocess

import lit.formats
import lit.Test

from golden import run_golden
from manual import pages, run_page
from wrong_programs import faults_of


class DtpTests(lit.formats.ShTest):
    """Shell tests, goldens, one test for each example and each page of the manual."""

    def __init__(self, dtpc, root):
        super().__init__(execute_external=False)
        self.dtpc = dtpc
        self.root = root

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        yield from super().getTestsInDirectory(suite, path_in_suite, lit_config, local_config)
        if path_in_suite == ("examples",):
            for name in sorted(os.listdir(os.path.join(self.root, "examples"))):
                if name.endswith(".dtp"):
                    yield lit.Test.Test(suite, path_in_suite + ("clean", name), local_config)
            goldens = set(os.listdir(os.path.join(self.root, "test", "examples")))
            for name in sorted(os.listdir(os.path.join(self.root, "examples", "broken"))):
                if name != "README.md" and name.removesuffix(".dtp") + ".golden" not in goldens:
                    yield lit.Test.Test(suite, path_in_suite + ("broken", name), local_config)

        if path_in_suite == ("docs",):
            for page in pages(self.root):
                yield lit.Test.Test(suite, path_in_suite + ("manual", *page.split(os.sep)), local_config)

    def execute(self, test, lit_config):
        path = test.getSourcePath()
        if test.path_in_suite[:2] == ("docs", "manual"):
            return self.check_page(os.path.join(*test.path_in_suite[2:]))
        if test.path_in_suite[:2] == ("examples", "clean"):
            return self.check_example(test)
        if test.path_in_suite[:2] == ("examples", "broken"):
            name = test.path_in_suite[-1].removesuffix(".dtp")
            return lit.Test.FAIL, f"test/examples/{name}.golden is missing: scripts/update_goldens begins it"
        if path.endswith(".golden"):
            found, wanted = run_golden(path, self.dtpc, self.root)
            if found == wanted:
                return lit.Test.PASS, ""
            lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), "golden", "found", lineterm="")
            return lit.Test.FAIL, "\n".join(lines) + "\n(scripts/update_goldens writes what was found)"
        if path.endswith(".wrong"):
            count, faults = faults_of(path, self.dtpc)
            if not faults:
                return lit.Test.PASS, ""
            return lit.Test.FAIL, f"{count - len(faults)} of {count}\n" + "\n\n".join(faults)
        if os.path.basename(path).startswith("error_"):
            text = open(path, encoding="utf-8", errors="replace").read()
            runs = [line for line in text.splitlines() if "RUN:" in line and "%dtpc" in line]
            if not all(re.search(r"\bnot %dtpc|--verify", line) for line in runs):
                return lit.Test.FAIL, "a test called error_* must refuse: `not %dtpc` or --verify in each RUN line"
        return super().execute(test, lit_config)

    def check_example(self, test):
        file = os.path.join("examples", test.path_in_suite[-1])
        page = os.path.join(self.root, "docs", "examples", test.path_in_suite[-1].removesuffix(".dtp") + ".md")
        plan = re.search(r"^plan ", open(os.path.join(self.root, file), encoding="utf-8").read(), re.M)
        if plan and not (os.path.exists(page) and f"```dtp file {file}\n" in open(page, encoding="utf-8").read()):
            return lit.Test.FAIL, f"{os.path.relpath(page, self.root)} is to show it: ```dtp file {file}"
        run = subprocess.run([self.dtpc, "check", file], cwd=self.root, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        if run.returncode == 0:
            return lit.Test.PASS, ""
        return lit.Test.FAIL, f"dtpc check {file}: exit {run.returncode}\n{run.stdout.decode(errors='replace')}"

    def check_page(self, page):
        found, wanted, faults = run_page(page, self.dtpc, self.root)
        lines = difflib.unified_diff(wanted.splitlines(), found.splitlines(), page, "printed", lineterm="")
        if found != wanted:
            faults += [*lines, "(scripts/update_goldens writes what is printed)"]
        return (lit.Test.FAIL, "\n".join(faults) + "\n") if faults else (lit.Test.PASS, "")

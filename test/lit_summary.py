#!/usr/bin/env python3
"""The true numbers of passed, failed and skipped tests, from the reports that lit and GoogleTest write.

  lit_summary.py run LIT.PY REPORT.json [lit's arguments...]   runs lit, then says how it went
  lit_summary.py report REPORT.json                            says how it went
  lit_summary.py counts REPORT.json                            `PASSED FAILED SKIPPED` alone; GoogleTest's report too

Exit status of run and report: 1 where a test failed or none passed.
"""
import json
import os
import subprocess
import sys


def of_lit(report):
    passed, skipped = {"PASS", "FLAKYPASS", "XFAIL"}, {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}
    codes = [test["code"] for test in report["tests"]]
    p = sum(code in passed for code in codes)
    s = sum(code in skipped for code in codes)
    return p, len(codes) - p - s, s  # XPASS, UNRESOLVED, TIMEOUT and the unknown count as failed


def of_googletest(report):
    tests = [test for suite in report["testsuites"] for test in suite["testsuite"]]
    failed = sum("failures" in test for test in tests)
    skipped = sum(test.get("result") == "SKIPPED" or test.get("status") == "NOTRUN" for test in tests)
    return len(tests) - failed - skipped, failed, skipped


def counts(path):
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        return of_lit(report) if "tests" in report and isinstance(report["tests"], list) else of_googletest(report)
    except (OSError, ValueError, KeyError):
        return 0, 0, 0


def summary(path):
    p, f, s = counts(path)
    print(f"lit: {p} passed, {f} failed, {s} skipped", flush=True)
    return 1 if f or not p else 0


def main(mode, *rest):
    if mode == "report":
        return summary(rest[0])
    if mode == "counts":
        print(*counts(rest[0]))
        return 0
    lit, report, *arguments = rest
    if os.path.exists(report):
        os.remove(report)  # a stale report must never be counted
    status = subprocess.call([sys.executable, lit, "-o", report, *arguments])
    return summary(report) or status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

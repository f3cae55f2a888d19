#!/usr/bin/env python3
"""Wrong programs: one mistake each, told once, at its place, in words that name the cure.

A file *.wrong holds many. What stands before its first case belongs to each of them.

    //--- DTP2013 | GiB         a case: the code, and words that the diagnostic must say
    let a = 80 §GIB             § stands where the caret must begin
    //+++ other.dtp             another file of the same case; the first one is main.dtp

A case passes if dtpc tells exactly one thing (no second error, no warning beside it), with that code, at that place,
and with each of the words in its message, label, notes or help.

    test/wrong_programs.py DTPC FILE...     shows what is told where it is not what was expected
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

MARK = "§"


class Case:
    def __init__(self, line, header):
        self.line = line
        self.code, *self.words = [part.strip() for part in header.split("|")]
        self.files = {"main.dtp": []}
        self.open_file = "main.dtp"

    def add(self, text):
        if text.startswith("//+++ "):
            self.open_file = text[6:].strip()
            self.files[self.open_file] = []
        else:
            self.files[self.open_file].append(text)

    def expected_place(self):
        for name, lines in self.files.items():
            for number, text in enumerate(lines, 1):
                if MARK in text:
                    return f"{name}:{number}:{text.index(MARK) + 1}"
        return None


def read_cases(path):
    cases, shared = [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n")[:-1], 1):
            if line.startswith("//--- "):
                cases.append(Case(number, line[6:]))
                for text in shared:
                    cases[-1].add(text)
            elif cases:
                cases[-1].add(line)
            else:
                shared.append(line)
    return cases


def tell(case, dtpc):
    """What dtpc says of the case: a list of diagnostics."""
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in case.files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("".join(text.replace(MARK, "") + "\n" for text in lines))
        run = subprocess.run([dtpc, "check", "--json", "main.dtp"], cwd=folder, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=60)
    try:
        return json.loads(run.stdout)["diagnostics"]
    except ValueError:
        return [{"code": f"exit {run.returncode}", "message": run.stderr.decode(errors="replace"), "labels": [],
                 "notes": [], "help": []}]


def place_of(told):
    for label in told["labels"]:
        if label["primary"]:
            return "{file}:{line}:{column}".format(**label["span"])
    return None


def words_of(told):
    """All that the diagnostic says, without the text that it quotes from the file."""
    parts = [told["message"]]
    parts += [label["text"] for label in told["labels"]]
    parts += [note["text"] for note in told["notes"]]
    parts += [advice["text"] for advice in told["help"]]
    return "\n".join(parts)


def shown(told):
    lines = [f"    {told['code']} at {place_of(told)}: {told['message']}"]
    lines += [f"      label: {label['text']}" for label in told["labels"] if label["text"]]
    lines += [f"      note: {note['text']}" for note in told["notes"]]
    lines += [f"      help: {advice['text']}" for advice in told["help"]]
    return "\n".join(lines)


def fault_of(case, dtpc):
    """None, or why the case does not pass."""
    found = tell(case, dtpc)
    wrong = []
    if case.expected_place() is None:
        wrong.append("no § in it")
    if len(found) != 1:
        wrong.append(f"{len(found)} diagnostics")
    else:
        told = found[0]
        if told["code"] != case.code:
            wrong.append(f"code {told['code']}, not {case.code}")
        if place_of(told) != case.expected_place():
            wrong.append(f"place {place_of(told)}, not {case.expected_place()}")
        wrong += [f"does not say `{word}`" for word in case.words if word not in words_of(told)]
    if not wrong:
        return None
    text = [f"line {case.line}: " + "; ".join(wrong)]
    for name, lines in case.files.items():
        marked = [number for number, line in enumerate(lines) if MARK in line]
        text += ["    | " + lines[number] for number in marked]
    return "\n".join(text + [shown(told) for told in found])


def faults_of(path, dtpc):
    """(how many cases, the faults of those that do not pass)"""
    cases = read_cases(path)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults = list(pool.map(lambda case: fault_of(case, dtpc), cases))
    if not cases:
        return 0, ["no cases in it"]
    return len(cases), [fault for fault in faults if fault]


def main(dtpc, paths):
    all_cases = all_faults = 0
    for path in paths:
        count, faults = faults_of(path, dtpc)
        all_cases += count
        all_faults += len(faults)
        print(f"{os.path.basename(path)}: {count - len(faults)} of {count}")
        print("".join(fault + "\n\n" for fault in faults), end="")
    print(f"{all_cases - all_faults} of {all_cases}")
    return 1 if all_faults else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))

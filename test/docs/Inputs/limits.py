"""limits.py DTPC PAGE FOLDER: provokes every row of the table of docs/limits.md. ROWS says for each, by its first cell,
the files of a text that goes past the limit and, where that is cheap, of one that stays at it."""
import os
import re
import subprocess
import sys

dtpc, page, folder = sys.argv[1:]


def model(body):
    return (f"dtp 1\nmodel M(n: Int(1..) = 4) {{\n  forward(x: [B, n]) -> [B, n] {{\n{body}  }}\n}}\n"
            "require M.parameters >= 0\n")


def plan(fields):
    return ("dtp 1\nimport std.recipes.dit\nimport std.hardware.nvidia\n"
            "plan p = dit.paper {\n  hardware = gpus(8, nvidia.A100_SXM_80GB)\n" + fields + "}\n")


def chain(n):
    files = {f"f{i}.dtp": f'dtp 1\nimport "f{i + 1}.dtp"\n' for i in range(n)}
    files[f"f{n}.dtp"] = "dtp 1\nlet x = 1\n"
    files["p.dtp"] = 'dtp 1\nimport "f0.dtp"\n'
    return files


def wide(n):
    files = {f"f{i}.dtp": "dtp 1\n" for i in range(n)}
    files["p.dtp"] = "dtp 1\n" + "".join(f'import "f{i}.dtp"\n' for i in range(n))
    return files


def lets(n):
    return "dtp 1\n" + "".join(f"let v{i} = v{i - 1}\n" for i in range(n - 1, 0, -1)) + "let v0 = 1\n"


def nested_models(n):
    text = "dtp 1\nmodel M0(n: Int(1..) = 4) {\n  forward(x: [B, n]) -> [B, n] { return relu(x) }\n}\n"
    for i in range(1, n):
        text += f"model M{i}(n: Int(1..) = 4) {{\n  forward(x: [B, n]) -> [B, n] {{ return M{i - 1}(n)(x) }}\n}}\n"
    return text + f"require M{n - 1}.parameters == 0\n"


def json(text):
    return {"p.dtp": 'dtp 1\nimport "c.json" as c\nlet x = c\n', "c.json": text}


ROWS = {
    "bytes of a plan file": ({"p.dtp": 'dtp 1\nimport "f.dtp"\n', "f.dtp": "//" + "x" * (16 << 20) + "\n"}, None),
    "bytes of a JSON file": (json('"' + "x" * (1 << 20) + '"'), json('"' + "x" * ((1 << 20) - 2) + '"')),
    "brackets that are open at once": ("let x = " + "(" * 300 + "1" + ")" * 300 + "\n",
                                       "let x = " + "(" * 200 + "1" + ")" * 200 + "\n"),
    "operators in one chain, `a + b + c`": ("let x = 1" + " + 1" * 1100 + "\n", "let x = 1" + " + 1" * 900 + "\n"),
    "brackets that are open at once in JSON": (json("[" * 65 + "]" * 65), json("[" * 64 + "]" * 64)),
    "digits of a number": ("let x = " + "1" * 1001 + "\n", "let x = " + "1" * 1000 + "\n"),
    "bits of an exact number": ("let x = 2^126 * 2\nlet y = x * 2^100\n", "let x = 2^126\n"),
    "files that import files, one below the other": (chain(70), chain(60)),
    "files that are imported by path in one run": (wide(2001), wide(500)),
    "values that rest on values": (lets(2000), lets(450)),
    "steps of evaluation in one run": (
        "let x = sum(a * b for a in 1..10_000 for b in 1..10_000)\n",
        "let x = sum(a * b for a in 1..100 for b in 1..100)\n"),
    "elements of a list": ("let x = [a for a in 1..10_000_000]\n", "let x = [a for a in 1..10_000]\n"),
    "characters of a text that is put together": (
        'let t0 = "0123456789"\n' + "".join(f"let t{i} = t{i - 1} + t{i - 1}\n" for i in range(1, 40)),
        'let t0 = "0123456789"\n' + "".join(f"let t{i} = t{i - 1} + t{i - 1}\n" for i in range(1, 10))),
    "base dimensions": ("".join(f"dimension D{i}\n" for i in range(40)),
                        "".join(f"dimension D{i}\n" for i in range(5))),
    "models made in models": (nested_models(70), nested_models(60)),
    "times of a `repeat`": (model("    repeat 2^41 as l { x = relu(x) }\n    return x\n"),
                            model("    repeat 2^40 as l { x = relu(x) }\n    return x\n")),
    "loops and checkpointed iterations of a model": (
        model("".join("    repeat 2 { x = relu(x) }\n" for i in range(4100)) + "    return x\n"), None),
    "operations of a model, a `repeat` counted once": (
        model("    for i in 1..21_000 { x = relu(x) }\n    return x\n"), None),
    "elements of a tensor": (
        model("    return Linear(4)(Linear(2^57)(x) as a) as b\n"),
        model("    return Linear(4)(Linear(2^30)(x) as a) as b\n")),
    "samples of a batch": (plan("  batch = { global = 2^42 }\n"), None),
    "GPUs of a machine": (plan("  batch = { micro = 1 }\n").replace("gpus(8,", "gpus(1_000_001,"), None),
    "steps of a run": (plan("  duration = 1e16 steps\n"), plan("  duration = 1e14 steps\n")),
    "plans that one `each` or several make": (plan("  ema = each [x / 2000 for x in 1..1001]\n"),
                                              plan("  ema = each [x / 2000 for x in 1..3]\n")),
}


def codes(name, text):
    own = os.path.join(folder, name)
    os.makedirs(own)
    files = text if isinstance(text, dict) else {"p.dtp": text}
    for file, content in files.items():
        with open(os.path.join(own, file), "w", encoding="utf-8") as out:
            out.write(content)
    run = subprocess.run([dtpc, "check", "--quiet", "--format=concise", "p.dtp"], cwd=own, stdin=subprocess.DEVNULL,
                         capture_output=True, timeout=60)
    text = run.stdout.decode("utf-8", errors="replace")
    if run.returncode not in (0, 1):
        return {f"exit {run.returncode}"}
    return set(re.findall(r"error\[(DTP\d{4})\]", text))


faults = []
with open(page, encoding="utf-8") as file:
    rows = re.findall(r"^\| ([^|]+?) \| [^|]+ \| \[(DTP\d{4})\]", file.read(), re.M)
for number, (what, code) in enumerate(rows):
    if what not in ROWS:
        faults.append(f"nothing provokes: {what}")
        continue
    past, at = ROWS[what]
    found = codes(f"past{number}", past)
    if found != {code}:
        faults.append(f"{what}: {code} is wanted, and there is {' '.join(sorted(found)) or 'no error'}")
    if at is not None:
        found = codes(f"at{number}", at)
        if code in found:
            faults.append(f"{what}: {code} is told below the limit")
faults += [f"the page has no row: {what}" for what in ROWS if what not in [row for row, _ in rows]]
print("\n".join(faults + [f"{len(rows)} limits, {len(faults)} faults"]))
sys.exit(1 if faults or not rows else 0)

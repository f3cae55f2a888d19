#!/usr/bin/env python3
"""Estimates of memory against published measurements: prints the page docs/accuracy.md.

usage: memory_table.py DTPC [--plans FOLDER]    --plans keeps the plans that were made of the rows

Rows of data/memory/*.jsonl become plans (memory_plans.py), dtpc checks them all in one process, and each figure is
compared with the one of its kind: tensors with what PyTorch says is allocated, tensors and what the allocator holds
idle with what it has reserved, the whole process with what nvidia-smi shows. What a source calls by no name is compared
with the whole process.
"""
import collections
import fnmatch
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from memory_plans import Cannot, plan_of  # noqa: E402

GIB = 2**30
KINDS = {"max_allocated": "allocated", "max_reserved": "reserved", "nvidia-smi": "nvidia-smi", "unknown": "not named"}
Case = collections.namedtuple("Case", "source row low likely high phase")


def read_rows():
    folder = os.path.join(HERE, "data", "memory")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                head, *rows = map(json.loads, file)
            for row in rows:
                yield head["source"], row


def estimate(dtpc, texts, folder):
    """The plans by name, and what is said of each."""
    for name, text in texts.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    run = subprocess.run([os.path.abspath(dtpc), "check", "--json", *texts], cwd=folder, capture_output=True, text=True)
    if not run.stdout.startswith("{"):
        sys.exit(f"dtpc printed no JSON: {run.stdout[:500]}{run.stderr[:500]}")
    document = json.loads(run.stdout)
    said = collections.defaultdict(list)
    for diagnostic in document["diagnostics"]:
        if diagnostic["severity"] == "error":
            said[diagnostic["labels"][0]["span"]["file"]].append((diagnostic["code"], diagnostic["message"]))
    return {plan["file"]: plan for plan in document["plans"]}, said


def why_refused(messages):
    """Settings that this version reads and does not estimate are one reason together."""
    for code, message in messages:
        if code.startswith(("DTP1", "DTP2")):  # text, names, types: the translation is wrong
            sys.exit(f"a row became a plan with a mistake in it: {code} {message}")
        if code != "DTP3104":
            return f"refused with [{code}](diagnostics/{code}.md)"
    names = sorted({message.split("`")[1].split("(")[0] for _, message in messages if "`" in message})
    if not names:
        return "not estimated yet: " + messages[0][1].split(" are read")[0]
    return "not estimated yet: " + ", ".join(f"`{name}`" for name in names)


def interval(memory, kind):
    if kind == "max_allocated":
        parts = [memory["allocated"]]
    elif kind == "max_reserved":
        parts = [memory["allocated"], memory["fragmentation"]]
    else:
        parts = [memory["peak"]]
    return [sum(part[end] for part in parts) / GIB for end in ("lo", "likely", "hi")]


def sort_rows(dtpc, folder):
    """What was compared, the verdicts where only the outcome is known, and why the others were not."""
    texts, owners, reasons = {}, {}, collections.Counter()
    for source, row in read_rows():
        if row["trust"] == "low":
            reasons["the figure is in doubt at its source"] += 1
            continue
        name = f"{len(texts):04}_{row['id']}.dtp"
        try:
            texts[name] = plan_of(row, source, "measured")
            owners[name] = source, row
        except Cannot as why:
            reasons[str(why)] += 1
    plans, said = estimate(dtpc, texts, folder)
    cases, outcomes = [], collections.defaultdict(collections.Counter)
    for name, (source, row) in owners.items():
        plan, model, measured = plans[name], row["model"], row["measured"]
        if not plan["estimated"]:
            reasons[why_refused(said[name])] += 1
            continue
        counted = model.get("params")
        if counted and not model.get("nominal") and abs(plan["model"]["parameters"] / counted - 1) > 0.001:
            reasons["no model: the library's has another number of parameters"] += 1
        elif "gib" in measured:
            cases.append(Case(source, row, *interval(plan["memory"], measured["kind"]), plan["memory"]["peak_phase"]))
        else:
            verdict = next(v["verdict"] for v in plan["verdicts"] if v["label"] == "fits")
            right = {"fits": "proved", "oom": "refuted"}[measured["outcome"]]
            outcomes[source]["right" if verdict == right else "open" if verdict == "undecided" else "wrong"] += 1
    return cases, outcomes, reasons


def error(case):
    return case.likely / case.row["measured"]["gib"] - 1


def inside(case):
    return case.low <= case.row["measured"]["gib"] <= case.high


def rank(values, share):
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def figures(cases):
    off = [abs(error(c)) for c in cases]
    return [len(cases), *(f"{100 * v:.1f} %" for v in (median(off), rank(off, 0.9), max(off))),
            f"{100 * sum(map(inside, cases)) / len(cases):.0f} %"]


def table(heads, rows):
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"
    yield ""


SCORE = ["rows", "median", "90 % of rows", "worst", "inside"]


def grouped(title, cases, key):
    groups = collections.defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    yield f"## By {title}"
    yield from table([title, *SCORE], ([name, *figures(groups[name])] for name in sorted(groups)))


def macro(cases):
    """Each source one vote, however many rows it has."""
    sources = collections.defaultdict(list)
    for case in cases:
        sources[case.source].append(case)
    votes = [(median([abs(error(c)) for c in cs]), rank([abs(error(c)) for c in cs], 0.9),
              sum(map(inside, cs)) / len(cs)) for cs in sources.values()]
    return len(votes), [f"{100 * sum(v[i] for v in votes) / len(votes):.1f} %" for i in range(3)]


def parallelism(row):
    p = row["parallel"]
    degrees = [f"{n} {p[k]}" for k, n in (("tp", "tensor"), ("pp", "pipeline")) if p.get(k, 1) > 1]
    sharded = {0: "copies", 1: "ZeRO-1", 2: "ZeRO-2", 3: "sharded"}[p.get("zero", 0)]
    return "one GPU" if p.get("gpus") == 1 else ", ".join([sharded, *degrees])


def effects():
    with open(os.path.join(HERE, "data", "effects.json"), encoding="utf-8") as file:
        return json.load(file)


def effect_of(case, known):
    for entry in known:
        of_version = entry.get("torch", case.row.get("torch")) == case.row.get("torch")
        if of_version and any(fnmatch.fnmatchcase(case.row["id"], pattern) for pattern in entry["rows"]):
            return entry
    return None


def worst(cases):
    """The twenty largest errors, each with the number of what it lacks, and what that is."""
    known, met, rows = effects(), [], []
    for c in sorted(cases, key=lambda c: (-abs(error(c)), c.row["id"]))[:20]:
        entry = effect_of(c, known)
        if entry and entry not in met:
            met.append(entry)
        rows.append([c.row["id"], f"{c.row['measured']['gib']:.2f} GiB",
                     f"{c.low:.2f} .. {c.likely:.2f} .. {c.high:.2f}", f"{100 * error(c):+.0f} %",
                     met.index(entry) + 1 if entry else "not found yet"])
    yield from table(["row", "measured", "estimated", "error", "what is missing"], rows)
    # The others as well: each tells of rows that are further down.
    for number, entry in enumerate(met + [e for e in known if e not in met], 1):
        rows = sum(effect_of(c, known) is entry for c in cases)
        yield f"{number}. {entry['effect']} {entry['evidence']} ({rows} rows)"
    yield ""


def page(cases, outcomes, reasons):
    sources, (mid, high, share) = macro(cases)
    total = len(cases) + sum(sum(o.values()) for o in outcomes.values()) + sum(reasons.values())
    yield f"""# How near the estimates of memory are
Written by `scripts/update_goldens` from `test/accuracy/data/memory/`: {total} measurements that others published, of
which {len(cases)} have a figure and are estimated today. No constant of the library was fitted to one of these rows. An
error is that of the likely value; *inside* is the share of rows whose figure lies in the printed interval. Read it with
the [kinds of figure](#by-figure) in mind: PyTorch's own count of its tensors is sharp, `nvidia-smi` also shows what the
allocator and cuDNN took because it was there.

Each source one vote ({sources} sources): median error **{mid}**, 90 % of rows within **{high}**, inside **{share}**.
"""
    yield from grouped("source", cases, lambda c: c.source)
    yield from grouped("figure", cases, lambda c: KINDS[c.row["measured"]["kind"]])
    yield from grouped("family", cases, lambda c: c.row["model"]["family"])
    yield from grouped("GPU", cases, lambda c: c.row["gpu"])
    yield from grouped("precision", cases, lambda c: c.row["precision"].split(" (")[0])
    yield from grouped("PyTorch", cases, lambda c: c.row.get("torch", "not named"))
    yield from grouped("parallelism", cases, lambda c: parallelism(c.row))
    yield "## Where only the outcome is known"
    yield ("The run fitted, or ran out of memory. *Open*: the interval holds the GPU's memory, and the check says so.\n"
           "A batch that was the largest to fit is open by its nature.\n")
    yield from table(["source", "right", "open", "wrong"],
                     ([s, o["right"], o["open"], o["wrong"]] for s, o in sorted(outcomes.items())))
    yield "## The worst twenty"
    yield from worst(cases)
    yield "## Rows that are no plan"
    yield from table(["rows", "why"], ([n, why] for why, n in sorted(reasons.items(), key=lambda r: (-r[1], r[0]))))


def render(dtpc, keep=None):
    with tempfile.TemporaryDirectory() as folder:
        if keep:
            os.makedirs(keep, exist_ok=True)
        return "\n".join(page(*sort_rows(dtpc, keep or folder))).rstrip("\n") + "\n"


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) not in (1, 3) or len(arguments) == 3 and arguments[1] != "--plans":
        sys.exit(__doc__.split("\n\n")[1])
    sys.stdout.write(render(arguments[0], arguments[2] if len(arguments) == 3 else None))

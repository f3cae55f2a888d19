"""same_run.py A B STEP KEPT: two folders of runs hold the same last checkpoint, losses and number of lines."""
import json
import os
import sys

a, b, step, kept = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
name = os.path.join("checkpoints", f"step-{step:012}.safetensors")
left, right = (open(os.path.join(run, name), "rb").read() for run in (a, b))
if left != right:
    sys.exit(f"{name} differs")
lines = [[json.loads(line) for line in open(os.path.join(run, "metrics.jsonl"), encoding="utf-8")] for run in (a, b)]
pick = [[(line["step"], line["loss"], line["lr"]) for line in run] for run in lines]
if pick[0] != pick[1] or [line[0] for line in pick[0]] != list(range(1, step + 1)):
    sys.exit("metrics.jsonl differs")
if len(os.listdir(os.path.join(a, "checkpoints"))) < kept:
    sys.exit("too few checkpoints are kept")

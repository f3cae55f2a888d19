#!/usr/bin/env python3
"""Stands in for dtp-train: prints its words, and writes a kept measured.json where --measure says.

TRAINER in the environment: "fails" ends with 2 before anything is written, "stops" waits for a signal, writes, and ends
with 75, "ranks" tells its number as well, "dies" is killed.
"""
import os
import shutil
import signal
import sys
import time

words = sys.argv[1:]
mode = os.environ.get("TRAINER", "")
print("trainer:", *words, flush=True)
if mode == "ranks":
    print("rank", os.environ["RANK"], "of", os.environ["WORLD_SIZE"], flush=True)
if mode == "fails":
    sys.exit(2)
if mode == "dies":
    os.kill(os.getpid(), signal.SIGKILL)
stopped = []
if mode == "stops":
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    open("ready", "w").close()
    limit = time.time() + 30
    while not stopped and time.time() < limit:
        time.sleep(0.02)
out = words[words.index("--out") + 1]
os.makedirs(os.path.join(out, "checkpoints"), exist_ok=True)
for name in ("model.safetensors", "metrics.jsonl", "checkpoints/step-5.safetensors"):
    open(os.path.join(out, name), "w").close()
shutil.copy(os.environ["MEASURED"], words[words.index("--measure") + 1])
sys.exit(75 if stopped else 0)

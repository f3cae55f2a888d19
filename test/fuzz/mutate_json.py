#!/usr/bin/env python3
"""Feeds mutated JSON to a plan that imports it: whatever comes, dtpc ends with status 0 or 1, soon, never by a signal.

usage: mutate_json.py DTPC COUNT [SEED]     a text that breaks it is kept in ./fuzz-NNN.json
"""
import os
import random
import subprocess
import sys
import tempfile

SEEDS = [
    '{"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 22, "num_attention_heads": 32,\n'
    ' "vocab_size": 99, "intermediate_size": 5632, "rms_norm_eps": 1e-05, "rope_scaling": null,\n'
    ' "tie_word_embeddings": false}',
    r'{"a":[1,2,{"b":null,"c":[true,false,-1.5e-3]}],"d":"x\u00e9\ud83d\ude00\n","e":{}}',
    '[[[[1,2],[3]],{}],"s"]',
]
WORDS = ['{', '}', '[', ']', '"', ',', ':', 'null', 'true', '1e999', '-', '\\', '\\u', '\0', '\u00ff', '/*', 'NaN',
         '0x', '.', '9' * 44, '"a":', '\n', '[' * 70]
PLAN = '''dtp 1
import "c.json" as c
let m = hf_model(c)
let keys = [k for k, v in c]
let deep = c.a[2].b ?? c.d ?? 3
require (c.hidden_size ?? 1) > 0
'''


def mutate(text, rng):
    for _ in range(rng.randint(1, 6)):
        at, end = sorted((rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + rng.choice(WORDS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[at + rng.randint(1, 8):]
        elif kind == 2:
            text = text[:end] + text[at:end] + text[end:]
        elif rng.randrange(4) == 0:
            text = text[:at]
    return text.encode("utf-8") if rng.random() < 0.95 else text.encode("latin-1", "replace")


def main(dtpc, count, seed="1"):
    rng = random.Random(int(seed))
    broken = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "p.dtp"), "w", encoding="utf-8") as file:
            file.write(PLAN)
        for number in range(int(count)):
            text = mutate(rng.choice(SEEDS), rng)
            with open(os.path.join(folder, "c.json"), "wb") as file:
                file.write(text)
            try:
                status = subprocess.run([os.path.abspath(dtpc), "check", "p.dtp"], cwd=folder, stdin=subprocess.DEVNULL,
                                        capture_output=True, timeout=20).returncode
            except subprocess.TimeoutExpired:
                status = "too long"
            if status not in (0, 1):
                broken += 1
                print(f"fuzz-{number}.json: {status}")
                with open(f"fuzz-{number}.json", "wb") as file:
                    file.write(text)
    print(f"{count} texts, {broken} broke it")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

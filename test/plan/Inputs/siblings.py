"""siblings.py DTPC FOLDER: plans that amend one recipe say the same, checked together or each alone.

Together most of them take over the graph and the optimizer's states of the first (compiler/engine/what_if.cpp)."""
import os
import subprocess
import sys

dtpc, folder = sys.argv[1:]
HEAD = """dtp 1
import std.recipes.dit
import std.models.dit as models
import std.hardware.nvidia
import std.frameworks.pytorch
plan common = dit.paper { hardware = gpus(8, nvidia.A100_SXM_80GB) }
"""
SAYS = """batch = { global = 128 }
batch.micro = 8
recompute = full
precision = amp(bf16)
precision = amp(fp16)
ema = none
optimizer = sgd { lr = 0.1 }
optimizer = sgd { lr = 0.1, momentum = 0.9 }
optimizer.step = fused
optimizer.step = loop
optimizer = adamw8bit { lr = 1e-4 }
framework = pytorch.v1_13
framework = pytorch.v2_0
attention = flash, precision = amp(bf16)
parallel = fsdp2
parallel = fsdp
parallel = zero(1)
parallel = zero(3)
parallel = megatron { tensor = 2 }
parallel = megatron { tensor = 4, sequence = true }
model = models.S_2
model = models.L_4, batch.micro = 4
hardware = gpus(4, nvidia.H100_SXM)
hardware = gpus(8, nvidia.V100_SXM2_32GB)
precision = megatron_bf16, parallel = megatron
clip = 1
model.depth = 4
model { depth = 6 }
parallel.bucket = 100 MiB
optimizer.lr = 1e-3, optimizer.weight_decay = 0.1
framework.fragmentation = 0
framework.mechanisms.mean_keeps_input = true
data.samples = 1e6
batch = { micro = 4, accumulation = 2 }
duration = 1000 steps""".split("\n")
BASES = ["common", "dit.paper { hardware = gpus(8, nvidia.A100_SXM_80GB) }"]
plans = [f"{base} {{ {says} }}" for base in BASES for says in SAYS]


def told(file, text):
    path = os.path.join(folder, file)
    with open(path, "w", encoding="utf-8") as out:
        out.write(HEAD + text)
    run = subprocess.run([dtpc, "check", "--color=never", path], capture_output=True, text=True)
    found, name = {}, None
    for line in run.stdout.split("\n"):
        words = line.split(" ", 2)
        if words[0] in ("ok", "open", "failed"):
            name = words[1]
        elif not line.startswith("  ") or line.startswith("  -->"):
            name = None
        if name:
            found[name] = found.get(name, "") + line + "\n"
    return found


texts = {f"p{i}:": f"plan p{i} = {plan}\n" for i, plan in enumerate(plans)}
together = told("together.dtp", "".join(texts.values()))
faults = []
for name, text in texts.items():
    alone = told("alone.dtp", text).get(name, "").strip()
    if not alone or alone != together.get(name, "").strip():
        faults.append(f"{text}alone:    {alone}\ntogether: {together.get(name)}")
print("\n".join(faults[:5]))
print(f"{len(plans)} plans, {len(faults)} faults")
sys.exit(bool(faults))

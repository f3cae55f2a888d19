"""recompute.py DTP_TRAIN DIR KIND...: twelve steps of each kind of config, recomputed or not, are the same."""
import os
import shutil
import subprocess
import sys

train, folder, kinds = sys.argv[1], sys.argv[2], sys.argv[3:]
here = os.path.dirname(__file__)
for kind in kinds:
    for recompute in ("false", "true"):
        config, out = (os.path.join(folder, recompute + ending) for ending in (".json", ""))
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([sys.executable, os.path.join(here, "config.py"), config, "steps=12",
                        f"recompute={recompute}", *kind.split()], check=True)
        subprocess.run([train, config, "--out", out, "--threads", "1", "--quiet"], check=True)
    files = [os.path.join(folder, r, "checkpoints", "step-000000000012.safetensors") for r in ("false", "true")]
    subprocess.run([sys.executable, os.path.join(here, "tensors.py"), *files], check=True)

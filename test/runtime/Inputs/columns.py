"""columns.py DIR WIDTH SAMPLES: columns x and target of float32, where target is a fixed linear map of x."""
import array
import json
import os
import random
import sys

folder, width, samples = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
numbers = random.Random(7)
weights = [[numbers.gauss(0, width ** -0.5) for _ in range(width)] for _ in range(width)]
x, target = array.array("f"), array.array("f")
for _ in range(samples):
    row = [numbers.gauss(0, 1) for _ in range(width)]
    x.extend(row)
    target.extend(sum(w * v for w, v in zip(line, row)) for line in weights)
os.makedirs(folder, exist_ok=True)
for name, values in (("x", x), ("target", target)):
    with open(os.path.join(folder, name + ".bin"), "wb") as file:
        values.tofile(file)
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        json.dump({"type": "float32", "shape": [samples, width]}, file)

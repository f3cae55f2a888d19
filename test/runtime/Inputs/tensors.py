"""tensors.py A B [TOLERANCE]: two files hold the same tensors. Says how many there are."""
import array
import json
import struct
import sys


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__")
    return {name: (e["shape"], e["dtype"], data[8 + length + e["data_offsets"][0]:8 + length + e["data_offsets"][1]])
            for name, e in header.items()}


a, b = read(sys.argv[1]), read(sys.argv[2])
tolerance = float(sys.argv[3]) if len(sys.argv) > 3 else 0
if a.keys() != b.keys() or not a:
    sys.exit(f"other names: {sorted(a.keys() ^ b.keys())[:5]}")
largest = 0
for name, (shape, kind, values) in a.items():
    if (shape, kind) != b[name][:2]:
        sys.exit(f"{name}: another shape or type")
    if values == b[name][2]:
        continue
    if kind != "F32":
        sys.exit(f"{name}: other values")
    left, right = array.array("f", values), array.array("f", b[name][2])
    largest = max(largest, max(abs(x - y) for x, y in zip(left, right)))
    if not largest <= tolerance:
        sys.exit(f"{name}: differs by {largest}")
print(f"{len(a)} tensors alike" + (f", to {tolerance}" if tolerance else ""))

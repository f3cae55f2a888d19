"""losses.py A B TOLERANCE: two metrics.jsonl have the same losses."""
import json
import sys

a, b = ([json.loads(line)["loss"] for line in open(path, encoding="utf-8")] for path in sys.argv[1:3])
if len(a) != len(b) or not a or max(abs(x - y) for x, y in zip(a, b)) > float(sys.argv[3]):
    sys.exit(f"{a}\n{b}")

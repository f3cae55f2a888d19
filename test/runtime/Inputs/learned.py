#!/usr/bin/env python3
"""learned.py METRICS SAID TIMES SHARE: the loss has fallen to one TIMES-th, and SHARE per cent are right."""
import json
import re
import sys

metrics, said, times, share = sys.argv[1:]
losses = [json.loads(line)['loss'] for line in open(metrics)]
begin, end = sum(losses[:5]) / 5, sum(losses[-50:]) / 50
right = float(re.search(r'([0-9.]+) % right', open(said).read())[1])
print(f'loss {begin:.3f} to {end:.3f}, {right} % right')
sys.exit(0 if end < begin / float(times) and right >= float(share) else 1)

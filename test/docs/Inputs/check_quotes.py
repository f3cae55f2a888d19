"""check_quotes.py PAGE EXAMPLE: every ```dtp block of the page stands word for word in the example."""
import re
import sys

page, example = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
blocks = re.findall(r"^```dtp\n(.*?)^```$", page, re.M | re.S)
missing = [block for block in blocks if block not in example]
print("\n".join(missing + [f"{len(blocks)} blocks, {len(missing)} not in the example"]))
sys.exit(1 if missing or not blocks else 0)

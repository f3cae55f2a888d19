"""check_quotes.py PAGE EXAMPLE...: every ```dtp block of the page stands word for word in an example."""
import re
import sys

page, *examples = (open(path, encoding="utf-8").read() for path in sys.argv[1:])
blocks = re.findall(r"^```dtp\n(.*?)^```$", page, re.M | re.S)
missing = [block for block in blocks if not any(block in example for example in examples)]
print("\n".join(missing + [f"{len(blocks)} blocks, {len(missing)} not in the example"]))
sys.exit(1 if missing or not blocks else 0)

"""check_subcommands.py PAGE DTPC: the page's line `Built: ...` names the subcommands that dtpc has."""
import re
import subprocess
import sys

page, dtpc = sys.argv[1:]
text = open(page, encoding="utf-8").read()
said = re.search(r"^Built: `dtpc (.*?)`", text, re.M).group(1).split(" | ")
table = re.findall(r"`(\w+)`", re.search(r"^\| subcommands \| (.*?) \|", text, re.M).group(1))
help_text = subprocess.run([dtpc, "--help"], capture_output=True, text=True, check=True).stdout
built = re.findall(r"^  (\w+) ", help_text.split("SUBCOMMANDS:")[1].split("\n\n")[0], re.M)
print(f"the page: {said} and {table}, dtpc --help: {built}")
sys.exit(0 if said == table == built else 1)

"""check_subcommands.py PAGE DTPC: the page's line `Built: ...` names the subcommands that dtpc has, and each help
shows examples of its use."""
import re
import subprocess
import sys

page, dtpc = sys.argv[1:]
text = open(page, encoding="utf-8").read()
said = re.search(r"^Built: `dtpc (.*?)`", text, re.M).group(1).split(" | ")
table = re.findall(r"`(\w+)`", re.search(r"^\| subcommands \| (.*?) \|", text, re.M).group(1))


def help_of(*words):
    return subprocess.run([dtpc, *words, "--help"], capture_output=True, text=True, check=True).stdout


built = re.findall(r"^  (\w+) ", help_of().split("SUBCOMMANDS:")[1].split("\n\n")[0], re.M)
print(f"the page: {said} and {table}, dtpc --help: {built}")
bare = [name for name in built
        if len(re.findall(rf"^  .*\bdtpc {name}\b", help_of(name).partition("\nEXAMPLES:\n")[2], re.M)) < 3]
print(f"without three examples: {bare}")
sys.exit(0 if said == table == built and not bare else 1)

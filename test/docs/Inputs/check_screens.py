"""check_screens.py [--write] DTPC PAGE ROOT: what a page shows between <!-- screen:begin --> and <!-- screen:end --> is
what dtpc prints: each line `$ dtpc ...` is run in ROOT. --write puts what is printed in its place."""
import os
import re
import shlex
import subprocess
import sys

write = "--write" in sys.argv
dtpc, page, root = [word for word in sys.argv[1:] if word != "--write"]


def printed(command):
    run = subprocess.run([dtpc, *shlex.split(command)[1:]], cwd=root, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                         env=dict(os.environ, NO_COLOR="1", COLUMNS="200"))
    return run.stdout.decode("utf-8")


def screen(match):
    commands = re.findall(r"^\$ (dtpc .*)$", match[2], re.M)
    return match[1] + "\n".join(f"$ {command}\n{printed(command)}" for command in commands) + match[3]


with open(page, encoding="utf-8") as file:
    text = file.read()
new, count = re.subn(r"(<!-- screen:begin -->\n```\n)(.*?)(```\n<!-- screen:end -->)", screen, text, flags=re.S)
if count == 0:
    sys.exit(f"{page} holds no screen")
if write:
    with open(page, "w", encoding="utf-8") as file:
        file.write(new)
elif new != text:
    sys.exit(f"{page} shows what dtpc does not print: check_screens.py --write mends it. It prints\n{new}")

"""bad_input.py DTPC FOLDER: texts, files and streams that no reasonable person would hand over."""
import os
import re
import resource
import signal
import socket
import subprocess
import sys

dtpc, folder = sys.argv[1:]
os.chdir(folder)
faults = []
tried = 0

PLAN = """import std.recipes.dit
import std.hardware.nvidia
plan p = dit.paper {
  hardware = gpus(8, nvidia.A100_SXM_80GB)
  launch = torchrun { script = "train.py", args { "--batch": batch.global } }
}
"""


def write(name, data):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return name


def run(title, words, status, wanted, limit=None, **keywords):
    """Runs dtpc with `words`; `wanted` is a pattern for all that it prints, or None for nothing."""
    global tried
    tried += 1
    keywords.setdefault("stdin", subprocess.DEVNULL)
    keywords.setdefault("stdout", subprocess.PIPE)
    keywords.setdefault("stderr", subprocess.PIPE)
    keywords["preexec_fn"] = limit
    try:
        done = subprocess.run([dtpc, *words], timeout=20, env=dict(os.environ, NO_COLOR="1"), **keywords)
    except subprocess.TimeoutExpired:
        faults.append(f"{title}: hangs")
        return ""
    text = b"".join(part or b"" for part in (done.stdout, done.stderr)).decode("utf-8", errors="replace")
    shown = text if len(text) < 600 else text[:300] + " ... " + text[-300:]
    if done.returncode != status:
        faults.append(f"{title}: exit {done.returncode}, wanted {status}: {shown}")
    elif wanted and not re.search(wanted, text):
        faults.append(f"{title}: does not say /{wanted}/: {shown}")
    elif len(text) > 20_000:
        faults.append(f"{title}: says {len(text)} bytes: {shown}")
    return text


def check(title, data, wanted, status=1):
    return run(title, ["check", write("p.dtp", data)], status, wanted)


# -- texts
check("an empty file", "", None, 0)
check("a file of one newline", "\n", None, 0)
check("comments only", "// nothing\n/// nothing either\n", None, 0)
check("10 MB of one letter", "a" * 10_000_000, r"error\[DTP")
check("10 MB of spaces", " " * 10_000_000, None, 0)
check("10 MB of newlines", "\n" * 10_000_000, None, 0)
check("a line of 10 MB", "let x = \"" + "a" * 10_000_000 + "\n", r"error\[DTP1102\]")
check("17 MB", "// " + "a" * 17_000_000, r"DTP(1004|5003)\].*16 MiB", 2)
check("invalid UTF-8", b"let x = \xff\xfe\n", r"error\[DTP1001\]")
check("half a character at the end", b"let x = 1 // \xe2\x82", r"error\[DTP1001\]")
check("a NUL", b"let x = 1\x00\n", r"error\[DTP1002\]")
check("UTF-16", "let x = 1\n".encode("utf-16"), r"error\[DTP100[12]\]")
check("a byte order mark", b"\xef\xbb\xbfdtp 1\nrequire 1 == 1\n", None, 0)
check("lines of Windows", "dtp 1\r\nrequire 1 == 1\r\n", None, 0)
check("a file of another kind", os.urandom(4096), r"error\[DTP100[12]\]")
for opening, closing in ("()", "[]", "{}"):
    check(f"5,000 nested {opening}", f"let x = {opening * 5000}1{closing * 5000}\n", r"error\[DTP1003\]")
    check(f"5,000 open {opening}", f"let x = {opening * 5000}\n", r"error\[DTP(1003|1103)\]")
check("5,000 minus signs", "let x = " + "-" * 5000 + "1\n", r"error\[DTP1003\]|^$", 1)
check("5,000 nots", "let x = " + "not " * 5000 + "true\n", r"error\[DTP1003\]")
check("5,000 nested ifs", "let x = " + "if true then " * 5000 + "1" + " else 1" * 5000 + "\n", r"error\[DTP1003\]")
check("5,000 nested strings", 'let x = "' + '{"' * 5000 + "\n", r"error\[DTP")
check("10,000 digits", f"require {'9' * 10_000} > 0\n", r"error\[DTP1005\]")
check("a million digits", f"require {'9' * 1_000_000} > 0\n", r"error\[DTP1005\]")
check("an exponent of 10,000 digits", f"require 1e{'9' * 10_000} > 0\n", r"error\[DTP1005\]")
check("a name of 100,000 letters", f"require {'n' * 100_000} > 0\n", r"error\[DTP2010\]")
check("100,000 errors", "require x > 0\n" * 100_000, r"100,?000 errors")
check("a terminal's codes", "require \x1b[31mred > 0\n", r"error\[DTP1104\]")
check("a repeat of 10^11",
      "model M { forward(x: [B, 8]) -> [B, 8] {\n  repeat 10^11 { x = Linear(8)(x) }\n  return x\n} }\n"
      "require M.parameters == 72 * 10^11\n", None, 0)
check("a loop of 10^11",
      "model M { forward(x: [B, 8]) -> [B, 8] {\n  for n in 1..10^11 { x = relu(x) }\n  return x\n} }\n"
      "require M.parameters == 0\n", r"error\[DTP2114\]")
check("a width of 10^18", "model M { forward(x: [B, 8]) -> [B, N] { return Linear(10^18)(x) } }\n"
      "require M.parameters > 0\n", r"error\[DTP3008\]")
check("a number that is infinite", "require 1e999 s > 0 s\n", r"error\[DTP")
for title, item in (("values", "let v{n} = v{m} + 1\n"), ("plans", "plan v{n} = v{m} {{ }}\n"),
                    ("types", "type v{n}: v{m} {{ }}\n"), ("units", "unit v{n} = 2 v{m}\n")):
    check(f"a ring of 2,000 {title}", "".join(item.format(n=n, m=(n + 1) % 2000) for n in range(2000)), r"error\[DTP")

# -- files
run("no such file", ["check", "none.dtp"], 2, r"error\[DTP5003\].*No such file")
os.makedirs("a_folder.dtp")
run("a folder without plans", ["check", "a_folder.dtp"], 2, r"holds no \.dtp file")
write("p.dtp", 'import "a_folder.dtp"\n')
run("an import of a folder", ["check", "p.dtp"], 1, r"error\[DTP2004\].*directory")
write("ring/a.dtp", 'import "b.dtp"\n')
write("ring/b.dtp", 'import "a.dtp"\n')
run("a ring of imports", ["check", "ring/a.dtp"], 1, r"error\[DTP2002\]")
write("secret.dtp", "let SESAME = 1\n")
for title, path in (("above", "../secret.dtp"), ("absolute", os.path.abspath("secret.dtp")), ("a link", "link.dtp")):
    write("inside/p.dtp", f'import "{path}" as s\nrequire s.SESAME == 1\n')
    if path == "link.dtp":
        os.symlink("../secret.dtp", "inside/link.dtp")
    run(f"an import outside: {title}", ["check", "inside/p.dtp"], 1, r"error\[DTP2003\]")
os.symlink("loop.dtp", "loop.dtp")
run("a link to itself", ["check", "loop.dtp"], 2, r"error\[DTP5003\]")
write("inside/p.dtp", 'import "loop.dtp"\n')
os.symlink("loop.dtp", "inside/loop.dtp")
run("an import of a link to itself", ["check", "inside/p.dtp"], 1, r"error\[DTP200[134]\]")
os.mkfifo("pipe.dtp")
write("p.dtp", 'import "pipe.dtp"\n')
run("an import of a pipe", ["check", "p.dtp"], 1, r"error\[DTP2004\].*no file of text")
write("p.dtp", 'import "pipe.json" as c\n')
os.mkfifo("pipe.json")
run("an import of a pipe as JSON", ["check", "p.dtp"], 1, r"error\[DTP2004\].*no file of text")
for command in (["check"], ["fmt"], ["emit", "torchrun"]):
    run(f"a pipe as a plan: {command[0]}", [*command, "pipe.dtp"], 2, r"pipe.dtp.*a pipe")
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind("socket.dtp")
    run("a socket as a plan", ["check", "socket.dtp"], 2, r"error\[DTP5003\].*a socket")
for name in ("a" * 300 + ".dtp", "a\\0b.dtp", "."):
    write("p.dtp", f'import "{name}" as x\n')
    run(f"an import of {name[:10]}", ["check", "p.dtp"], 1, r"error\[DTP(200[14]|1107)\]")
if os.geteuid() != 0:
    os.chmod(write("locked.dtp", PLAN), 0)
    run("a file without rights", ["check", "locked.dtp"], 2, r"error\[DTP5003\].*Permission")

# -- streams, and what is written
write("p.dtp", PLAN)
run("a good plan", ["check", "p.dtp"], 0, r"ok p")
run("a closed standard input", ["check", "-"], 2, r"error\[DTP5003\]", limit=lambda: os.close(0))
with open("/dev/full", "wb") as full:
    run("a full disk", ["check", "p.dtp"], 2, r"cannot write to standard output: No space left", stdout=full)
    run("a full disk, and a script", ["emit", "torchrun", "p.dtp"], 2, r"cannot write to standard output", stdout=full)
write("bad.dtp", "require x > 0\n" * 10_000)
reading, writing = os.pipe()
os.close(reading)
run("a pipe closed early", ["check", "bad.dtp"], -signal.SIGPIPE, None, stdout=writing)
run("a pipe closed early, as JSON", ["check", "--json", "bad.dtp"], -signal.SIGPIPE, None, stdout=writing)
os.close(writing)
small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
with open("limited.txt", "wb") as file:
    run("a limit on files", ["check", "bad.dtp"], 2, r"cannot write to standard output: File too large", limit=small,
        stdout=file)


def nothing_written(title, where):
    left = [name for _, _, names in os.walk(where) for name in names]
    if left:
        faults.append(f"{title}: leaves {left}")


os.makedirs("out")
run("a script over the limit on files", ["emit", "torchrun", "p.dtp", "-o", "out"], 2, r"File too large", limit=small)
nothing_written("a script over the limit on files", "out")
run("scripts into a file", ["emit", "torchrun", "p.dtp", "-o", "p.dtp"], 2, r"is not a folder")
if open("p.dtp").read() != PLAN:
    faults.append("scripts into a file: the plan is overwritten")
run("scripts into /dev/null", ["emit", "torchrun", "p.dtp", "-o", "/dev/null/x"], 2, r"not a folder|Not a directory")
if os.geteuid() != 0:
    os.chmod("out", 0o555)
    run("scripts into a folder without rights", ["emit", "torchrun", "p.dtp", "-o", "out"], 2, r"Permission denied")
    os.chmod("out", 0o755)
run("scripts into /proc", ["emit", "torchrun", "p.dtp", "-o", "/proc/self"], 2, r"cannot|No such|not permitted|denied")
run("scripts", ["emit", "torchrun", "p.dtp", "-o", "out"], 0, r"wrote out/")
run("scripts again", ["emit", "torchrun", "p.dtp", "-o", "out"], 2, r"exists")
write("p.dtp", PLAN.replace("batch.global", "nothing"))
run("scripts of a wrong plan", ["emit", "torchrun", "p.dtp", "-o", "new"], 1, r"error\[DTP2010\]")
if os.path.exists("new"):
    faults.append("scripts of a wrong plan: makes the folder")
limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (40_000_000, 40_000_000))
write("long.dtp", "require count([n for n in 1..2_000_000]) > 0\n")
if b"__asan_init" not in open(dtpc, "rb").read():  # the sanitizer's own tables are larger than that
    run("little memory", ["check", "long.dtp"], 3, r"out of memory", limit=limit)

print("\n".join(faults + [f"{tried} tried, {len(faults)} faults"]))
sys.exit(1 if faults else 0)

"""stop.py SIGNAL METRICS LINES COMMAND...: sends the signal when METRICS has so many lines, and says how it ended."""
import signal
import subprocess
import sys
import time

name, metrics, lines = sys.argv[1], sys.argv[2], int(sys.argv[3])
run = subprocess.Popen(sys.argv[4:], stdout=subprocess.PIPE, text=True)


def written():
    try:
        with open(metrics, encoding="utf-8") as file:
            return sum(1 for _ in file)
    except OSError:
        return 0


while run.poll() is None and written() < lines:
    time.sleep(0.002)
run.send_signal(getattr(signal, "SIG" + name))
out, _ = run.communicate()
print("status", run.returncode)
if "stopped by a signal after step" not in out:
    sys.exit(out)

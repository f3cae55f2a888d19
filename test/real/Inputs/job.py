"""job.py [starts | waits | fails] WORD...: a training job without PyTorch. Each rank tells who it is and its words.

waits: until SIGUSR1 comes; then it saves, and ends. What was saved it goes on from. fails: rank 1 ends with 9, the
others would go on for ten minutes.
"""
import os
import signal
import sys
import time

rank, world = os.environ["RANK"], os.environ["WORLD_SIZE"]
what, *words = sys.argv[1:]
saved = f"saved.{rank}"


def say(text):
    sys.stdout.write(f"rank {rank} of {world} {text}\n")
    sys.stdout.flush()


def warned(*_):
    open(saved, "w", encoding="utf-8").close()
    say("saves")
    sys.exit(0)


if os.path.exists(saved):
    say(f"goes on, after {os.environ.get('SLURM_RESTART_COUNT', '0')} restart")
    sys.exit(0)
signal.signal(signal.SIGUSR1, warned)
say(f"on {os.environ['SLURMD_NODENAME']} as local {os.environ['LOCAL_RANK']}: {words}")
open(f"began.{rank}", "w", encoding="utf-8").close()
if what == "fails" and rank == "1":
    sys.exit(9)
if what != "starts":
    time.sleep(600)

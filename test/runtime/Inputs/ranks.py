"""ranks.py N COMMAND...: the command in N processes that find each other; RANK in its words is the number of one."""
import os
import socket
import subprocess
import sys

world, command = int(sys.argv[1]), sys.argv[2:]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
runs = []
for rank in range(world):
    variables = os.environ | {"RANK": str(rank), "WORLD_SIZE": str(world), "MASTER_ADDR": "127.0.0.1",
                              "MASTER_PORT": str(port)}
    runs.append(subprocess.Popen([word.replace("RANK", str(rank)) for word in command], env=variables))
sys.exit(max(abs(run.wait()) for run in runs))

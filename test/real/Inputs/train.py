"""train.py [starts | waits] WORD...: a training job over gloo on the CPU. Each rank tells who it is and its words.

Rank 0 tells what all lost together in three steps: the same however a world of one size was launched. waits: it trains
until SIGUSR1 comes, then saves and ends; what was saved it goes on from.
"""
import os
import signal
import sys
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
torch.manual_seed(0)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(8, 8))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
warned = torch.zeros(())
signal.signal(signal.SIGUSR1, lambda *_: warned.fill_(1))
waits, saved = sys.argv[1:2] == ["waits"], "saved.pt"


def say(text):
    sys.stdout.write(f"rank {rank} of {world}{text}\n")
    sys.stdout.flush()


def train(step):
    torch.manual_seed(100 * step + rank)
    loss = model(torch.randn(16, 8)).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()


say(f": local {os.environ['LOCAL_RANK']} on {os.environ.get('SLURMD_NODENAME', 'no node')}: {sys.argv[1:]}")
if waits and not os.path.exists(saved):
    open(f"began.{rank}", "w", encoding="utf-8").close()
    while True:
        train(0)
        # All see it at the same step, whoever got the signal first.
        any_warned = warned.clone()
        dist.all_reduce(any_warned, dist.ReduceOp.MAX)
        if any_warned:
            break
        time.sleep(0.02)
    patience = time.monotonic() + 10
    while not warned and time.monotonic() < patience:
        time.sleep(0.01)
    say(" saves" if warned else " was not told itself")
    if rank == 0:
        torch.save(model.module.state_dict(), saved)
else:
    if waits:
        model.module.load_state_dict(torch.load(saved))
        say(f" goes on, after {os.environ.get('SLURM_RESTART_COUNT', '0')} restart")
    total = sum(train(step) for step in range(3))
    dist.all_reduce(total)
    if rank == 0:
        say(f" lost {total.item():.6f}")
dist.barrier()
dist.destroy_process_group()

#!/bin/bash
# live.sh JOB [warned RANKS]: in a live Slurm of slurm.py and the folder of the job: submits it, waits for its end, and
# shows how it ended, what it printed, and how many of its processes are left. warned: once so many ranks have begun, the
# script gets the signal that Slurm sends before the time is up.
set -u
job=$1
id=$(sbatch --parsable "$job") || exit 1
if [ "${2:-}" = warned ]; then
  while [ "$(find . -name 'began.*' | wc -l)" -lt "$3" ]; do sleep 0.1; done
  scancel --batch --signal=USR1 "$id"
fi
while squeue -h -j "$id" -o %T | grep -q .; do sleep 0.1; done
scontrol -o show job "$id" | grep -oE '(JobState|Restarts|ExitCode)=[^ ]+'
cat ./*.out
echo "left: $(grep -lE '(job|train)\.py' /proc/[0-9]*/cmdline 2>/dev/null | wc -l)"

#!/usr/bin/env python3
"""build_job.py DTP_TRAIN FOLDER: compiles main.cpp of an emitted job against the runtime that was built with DTP_TRAIN.

CMakeLists.txt of the job builds the runtime as well, which takes minutes; the flags here are those that it asks for.
"""
import os
import subprocess
import sys

trainer, job = sys.argv[1:]
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
library = os.path.join(os.path.dirname(trainer), 'libdtp_runtime.a')
flags = ['-std=c++20', '-O1', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-I', root]
libraries = [library, '-ltorch', '-ltorch_cpu', '-lc10', '-lpthread']
command = ['g++', *flags, '-o', f'{job}/train', f'{job}/main.cpp', *libraries]
run = subprocess.run(command, capture_output=True, text=True)
sys.stdout.write(run.stdout + run.stderr)
sys.exit(run.returncode)

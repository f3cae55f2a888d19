#!/usr/bin/env python3
"""Runs dtpc on every measured run of LibTorch and compares tensor bytes, to the byte.

usage: compare_libtorch.py DTPC FOLDER
A row of data/libtorch_1_13_cpu_dit*.csv: sizes "depth hidden heads patch side batch classes", how it was counted,
batch,
precision, recomputation (0 or 1), parameters, bytes of the model, of its inputs, after the first step; then, above the
bytes before the pass: forward peak, saved, backward peak, after backward; then the optimizer's peak, and seconds.
"""
import json
import subprocess
import sys

FIELDS = ('forward_peak', 'saved', 'backward_peak', 'after_backward')


def predict(dtpc, plan, sizes, precision, recompute):
    depth, hidden, heads, patch, side, batch, classes = sizes
    settings = {'model.depth': depth, 'model.hidden': hidden, 'model.heads': heads, 'model.patch': patch,
                'model.image': 8 * side, 'model.classes': classes, 'batch.micro': batch,
                'recompute': 'full' if recompute else 'none'}
    if precision == 'bf16':
        settings['precision'] = 'amp(bf16)'
    command = [dtpc, 'check', '--json', plan]
    for path, value in settings.items():
        command += ['-D', f'{path}={value}']
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f'{" ".join(command)}\n{run.stdout}{run.stderr}')
    return json.loads(run.stdout)['plans'][0]


def main():
    dtpc, folder = sys.argv[1:]
    compared = wrong = 0
    tables = (('libtorch_1_13_cpu_dit.csv', {'fp32'}), ('libtorch_1_13_cpu_dit_no_onednn.csv', {'fp32', 'bf16'}))
    for name, exact_peaks in tables:
        for line in open(f'{folder}/data/{name}'):
            cells = line.strip().split(',')
            if len(cells) < 13:
                continue
            sizes, precision, recompute = list(map(int, cells[0].split())), cells[3], cells[4] == '1'
            plan = predict(dtpc, f'{folder}/Inputs/libtorch_dit.dtp', sizes, precision, recompute)
            measured = dict(zip(FIELDS, map(int, cells[9:13])))
            checks = [('parameters', int(cells[5]), plan['model']['parameters'])]
            # oneDNN's scratch memory, which no rule predicts, is in the 16-bit peaks of the first table.
            fields = FIELDS if precision in exact_peaks else ('saved', 'after_backward')
            checks += [(f, measured[f], plan['memory']['tensors'][f]) for f in fields]
            for field, want, have in checks:
                compared += 1
                if want != have:
                    wrong += 1
                    print(f'{name}: {cells[0]} {precision} recompute={int(recompute)} {field}: '
                          f'measured {want}, predicted {have} ({have - want:+d})')
    print(f'{compared} numbers compared, {wrong} off')
    sys.exit(1 if wrong or compared < 300 else 0)


main()

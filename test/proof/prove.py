#!/usr/bin/env python3
"""Trains every plan of some files with LibTorch and holds each byte against what dtpc predicts.

usage: prove.py DTPC DTP_PROVE [--some] [--table FILE] [--except FILE] PLANS.dtp...

Each plan is emitted at several settings: fp32 and autocast, batches of 1 and 3, with and without recomputation where
its model has something to recompute. One process runs them all (dtp-prove), with oneDNN off. A row is exact when its
eight numbers are and every event of a pass comes in the predicted order. --some: three settings of each plan. --table
writes what was found as a table of the manual. --except: lines `plan: why` of plans whose rule is known to be off; one
that is exact has no place there. Exit status: 0 all others are exact, 1 some are not, 2 something cannot run.
"""
import json
import os
import subprocess
import sys
import tempfile

PRECISIONS = {'fp32': 'fp32', 'bf16': 'amp(bf16)'}
BATCHES = (1, 3)


def plans_of(dtpc, path):
    run = subprocess.run([dtpc, 'check', '--json', path], capture_output=True, text=True)
    if run.returncode not in (0, 3):
        sys.exit(f'{path} does not check:\n{run.stdout}{run.stderr}')
    return [plan['name'] for plan in json.loads(run.stdout)['plans']]


def recomputes(config):
    return any(repeat['checkpointed'] for repeat in config['graph']['repeats'])


def emit(dtpc, path, plan, setting, folder):
    """The config of a plan at a setting; nothing where the plan has no such setting."""
    precision, batch, recompute = setting
    command = [dtpc, 'emit', 'libtorch', path, '--plan', plan, '-o', folder,
               '-D', f'precision={PRECISIONS[precision]}', '-D', f'batch.micro={batch}',
               '-D', f'recompute={"full" if recompute else "none"}']
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f'{" ".join(command)}\n{run.stdout}{run.stderr}')
    name = f'{folder}/training.json'
    config = json.load(open(name))
    return None if recompute and not recomputes(config) else name


def settings_of(some):
    everything = [(p, b, r) for r in (False, True) for p in PRECISIONS for b in BATCHES]
    return [everything[1], everything[-1], ('bf16', 1, False)] if some else everything


def spelled(setting):
    precision, batch, recompute = setting
    return f'{precision}, {batch} at a time' + (', recomputed' if recompute else '')


def prove(dtp_prove, configs):
    run = subprocess.run([dtp_prove, '--json', *configs], capture_output=True, text=True)
    try:
        return json.loads(run.stdout)
    except ValueError:
        sys.exit(f'dtp-prove ended with {run.returncode}:\n{run.stdout[-2000:]}{run.stderr[-2000:]}')


def tell(rows, dtp_prove):
    for row in rows:
        if row['result'].get('exact'):
            continue
        print(f'{row["plan"]}, {spelled(row["setting"])}:')
        run = subprocess.run([dtp_prove, '--around', '4', row['config']], capture_output=True, text=True)
        print('\n'.join('  ' + line for line in (run.stdout + run.stderr).splitlines()))


def write_table(path, rows, excepted):
    plans = list(dict.fromkeys(row['plan'] for row in rows))
    exact = sum(row['result'].get('exact', False) for row in rows)
    with open(path, 'w', encoding='utf-8') as out:
        out.write(f'{exact} of {len(rows)} rows are exact in all eight numbers, and in the order of all events.\n\n')
        out.write('| plan | rows | events | forward peak | saved | backward peak | not exact |\n'
                  '|---|---:|---:|---:|---:|---:|---|\n')
        for plan in plans:
            own = [row for row in rows if row['plan'] == plan]
            bytes_ = own[1 if len(own) > 1 else 0]['result']['bytes']
            off = '; '.join(spelled(row['setting']) for row in own if not row['result'].get('exact'))
            out.write(f'| `{plan}` | {len(own)} | {sum(row["result"]["events"] for row in own):,} | '
                      + ' | '.join(f'{bytes_[field]["measured"]:,}' for field in ('forward', 'saved', 'backward'))
                      + f' | {off + ": " + excepted.get(plan, "") if off else ""} |\n')


def option(arguments, name):
    """The word after an option, which is taken out."""
    if name not in arguments[:-1]:
        return None
    at = arguments.index(name)
    word = arguments[at + 1]
    del arguments[at:at + 2]
    return word


def read_excepted(path):
    if not path:
        return {}
    lines = [line.strip() for line in open(path, encoding='utf-8') if line.strip() and not line.startswith('#')]
    return dict(line.split(': ', 1) for line in lines)


def main():
    arguments = sys.argv[1:]
    some = '--some' in arguments
    arguments = [a for a in arguments if a != '--some']
    table, excepted = option(arguments, '--table'), read_excepted(option(arguments, '--except'))
    if len(arguments) < 3:
        print(__doc__.split('\n\n')[1], file=sys.stderr)
        sys.exit(2)
    dtpc, dtp_prove, *files = arguments
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            for plan in plans_of(dtpc, path):
                for number, setting in enumerate(settings_of(some)):
                    job = os.path.join(folder, os.path.basename(path), f'{plan}-{number}')
                    if config := emit(dtpc, path, plan, setting, job):
                        rows.append({'plan': plan, 'setting': setting, 'config': config})
        for row, result in zip(rows, prove(dtp_prove, [row['config'] for row in rows])):
            row['result'] = result
        tell([row for row in rows if row['plan'] not in excepted], dtp_prove)
    if table:
        write_table(table, rows, excepted)
    exact = sum(row['result'].get('exact', False) for row in rows)
    off = {row['plan'] for row in rows if not row['result'].get('exact')}
    met = [plan for plan in excepted if plan in {row['plan'] for row in rows} and plan not in off]
    for plan in met:
        print(f'{plan} is exact, and excepted: {excepted[plan]}')
    print(f'{len(rows)} rows of 8 numbers and {sum(r["result"].get("events", 0) for r in rows)} events, '
          f'{len(rows) - exact} not exact')
    sys.exit(0 if rows and not met and off <= excepted.keys() else 1)


main()

#!/usr/bin/env python3
"""Feeds mutated texts to `dtpc check`: whatever comes, it ends with status 0 or 1, soon, and never by a signal.

usage: mutate.py DTPC COUNT [SEED] [FOLDER...]     texts: every *.dtp below the folders (default: the project's own)
A text that breaks it is kept in ./fuzz-NNN.dtp.
"""
import os
import random
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORDS = ['{', '}', '(', ')', '[', ']', '=', ':', ',', '.', '..', '*', '/', '-', '^', '%', '?', '|>', '"', '"{', '\n',
         'none', 'auto', 'base', 'choose', 'each', 'if', 'then', 'else', 'for', 'in', 'is', 'repeat', 'checkpointed',
         'require', 'model', 'plan', 'let', 'fn', 'type', 'choice', '0', '1', '-1', '1e400', '99999999999999999999',
         '1/0', '10^38', '3 GiB', '5 days', '90%', 'memory.peak', 'batch', 'micro', 'global', '()', '{}', '[]']


def texts(folders):
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.endswith('.dtp'):
                    with open(os.path.join(path, name), encoding='utf-8') as f:
                        yield f.read()


def mutate(text, all_texts, rng):
    pieces = text.split(' ')
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        at = rng.randrange(len(pieces))
        kind = rng.randrange(6)
        if kind == 0:
            pieces[at] = rng.choice(WORDS)
        elif kind == 1:
            pieces.insert(at, rng.choice(WORDS))
        elif kind == 2:
            del pieces[at]
            pieces = pieces or ['']
        elif kind == 3:
            other = rng.choice(all_texts).split(' ')
            pieces[at] = rng.choice(other)
        elif kind == 4:
            start = rng.randrange(len(pieces))
            pieces[at:at] = pieces[start:start + rng.randrange(1, 12)]
        else:
            word = pieces[at]
            cut = rng.randrange(len(word) + 1)
            pieces[at] = word[:cut] + rng.choice(WORDS) + word[cut + rng.randrange(2):]
    return ' '.join(pieces)


def main():
    dtpc, count = sys.argv[1], int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    folders = sys.argv[4:] or [f'{ROOT}/examples', f'{ROOT}/stdlib/models', f'{ROOT}/stdlib/recipes',
                               f'{ROOT}/docs/design/language/texts', f'{ROOT}/test/accuracy']
    all_texts = list(texts(folders))
    broken = 0
    for n in range(count):
        text = mutate(rng.choice(all_texts), all_texts, rng)
        try:
            run = subprocess.run([dtpc, 'check', '-'], input=text.encode(), capture_output=True, timeout=20)
            status = run.returncode
        except subprocess.TimeoutExpired:
            status = 'no end within 20 s'
        if status in (0, 1):
            continue
        broken += 1
        name = f'fuzz-{n}.dtp'
        with open(name, 'w', encoding='utf-8') as f:
            f.write(text)
        print(f'{name}: {status}')
    print(f'{count} texts, {broken} broken')
    sys.exit(1 if broken else 0)


main()

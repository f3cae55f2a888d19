#!/usr/bin/env python3
"""sources.py ROOT: what scripts/hook copies before it builds has every file of the project that is included there."""
import os
import re
import sys

root = sys.argv[1]
hook = open(f'{root}/scripts/hook', encoding='utf-8').read()
sources = re.search(r'^sources=\(([^)]*)\)', hook, re.M)[1].split()


def files():
    """What is compiled, and the headers of all."""
    for source in sources:
        endings = ('.h', '.def', '.cpp') if source == 'compiler' else ('.h', '.def')
        for folder, _, names in os.walk(f'{root}/{source}'):
            yield from (os.path.join(folder, name) for name in names if name.endswith(endings))


absent = set()
for path in files():
    for name in re.findall(r'^\s*#\s*include "([^"]+)"', open(path, encoding='utf-8').read(), re.M):
        for base in (os.path.dirname(path), f'{root}/compiler', root):
            found = os.path.normpath(os.path.join(base, name))
            if os.path.exists(found):
                if not any(os.path.relpath(found, root).startswith(source + '/') for source in sources):
                    absent.add(f'{os.path.relpath(path, root)}: {name}')
                break
print('\n'.join(sorted(absent)) or 'all there')
sys.exit(1 if absent else 0)

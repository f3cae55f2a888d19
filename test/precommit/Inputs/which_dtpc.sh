# which_dtpc.sh WORK SOURCE DTPC: where the hooks find the tool, with a cmake that copies DTPC instead of building.
. "$(dirname "$0")/repositories.sh" "$1" "$2"
real=$3
hook=$work/hooks/scripts/hook
mkdir "$work/hooks"/{cmake,compiler,grammar,runtime,stdlib,docs} "$work/hooks"/{docs/diagnostics,runtime/config} "$work/tools" "$work/path"
# Nothing but these is on PATH: no dtpc of the machine's own.
for tool in bash cat cp dirname env find flock git grep mkdir mktemp mv rm sed sha256sum sleep sort tail touch uname xargs; do
  ln -s "$(command -v $tool)" "$work/tools/$tool"
done
export PATH=$work/tools MARKS=$work/marks REAL=$real
unset DTPC CXX CCACHE_DIR
fake() { # fake NAME TEXT
  printf '#!/bin/bash\n%s\n' "$2" >"$work/tools/$1.new"
  /bin/chmod +x "$work/tools/$1.new"
  mv "$work/tools/$1.new" "$work/tools/$1"
}
marks() { while read -r line; do echo "mark: $line"; done < <(cat "$MARKS" 2>/dev/null); rm -f "$MARKS"; }
printf 'dtp 1\nlet x = 1\n' >x.dtp
git add x.dtp

try "no cmake" "$hook" check x.dtp
fake cmake 'case $1 in
  --build) echo built >>"$MARKS"; sleep 1; mkdir -p "$2/compiler/driver"; cp "$REAL" "$2/compiler/driver/dtpc" ;;
  *) echo configured >>"$MARKS" ;;
esac'
fake ninja ''
fake antlr4 ''
fake dpkg-query 'case ${!#} in g++) ;; *) echo "install ok installed" ;; esac'
try "no compiler" "$hook" check x.dtp
fake c++ ''
CXX=another-c++ try "no compiler of that name" "$hook" check x.dtp
fake dpkg-query 'echo "install ok installed"'

try "a build that fails" env REAL=/nowhere "$hook" check x.dtp
marks
try "leaves nothing" find "$XDG_CACHE_HOME/dtpc" -mindepth 1

# One that was killed leaves its folder behind.
mkdir "$XDG_CACHE_HOME/dtpc/build.killed"
for i in 1 2 3; do try "three at once: $i" "$hook" check x.dtp >"$work/out.$i" & done
wait
cat "$work"/out.*
marks
try "leave one" bash -c 'cd "$XDG_CACHE_HOME/dtpc" && for f in * */*; do echo "kept $f"; done'
try "which runs from then on" "$hook" check x.dtp
marks
try "and does its work" bash -c 'echo "let x = " >x.dtp; exec "$0" check x.dtp' "$hook"
git checkout -q x.dtp

touch "$work/hooks/stdlib/new.dtp"
try "other sources are another dtpc" "$hook" check x.dtp
marks
try "a cache that cannot be written" env XDG_CACHE_HOME=/dev/null/cache "$hook" check x.dtp

export PATH=$work/path:$PATH
printf '#!/bin/bash\n[ "$1" != --version ] || { echo "dtpc $SAID"; exit; }\necho "the one on PATH runs: $1"\n' >"$work/path/dtpc"
/bin/chmod +x "$work/path/dtpc"
export SAID=$(sed -n 's/^project(dtpc VERSION \([0-9.]*\).*/\1/p' "$work/hooks/CMakeLists.txt")
try "one on PATH" "$hook" check x.dtp
SAID=0.0.1 try "one on PATH, of another version" "$hook" check x.dtp
marks
printf '#!/bin/bash\necho "the named one runs: $1"\n' >"$work/named"
/bin/chmod +x "$work/named"
DTPC=$work/named try "one that is named" "$hook" fmt x.dtp
DTPC=$work/none try "one that is named and not there" "$hook" fmt x.dtp
try "another word" "$hook" lint x.dtp
cd "$work/home" && try "outside a repository" "$hook" check-project

# built.sh WORK SOURCE: nothing names a dtpc, so the hook builds one.
caches=${CCACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ccache}
. "$(dirname "$0")/repositories.sh" "$1" "$2"
cp -r "$source"/{cmake,compiler,grammar,runtime,stdlib,docs} "$work/hooks"
export PATH=/usr/bin:/bin CCACHE_DIR=$caches
unset DTPC CXX
printf 'dtp 1\nimport std.recipes.dti\n' >p.dtp
git add p.dtp
try "a plan that is wrong" "$work/hooks/scripts/hook" check p.dtp
printf 'dtp 1\nimport std.recipes.dit\nimport std.hardware.nvidia\n' >p.dtp
printf 'plan p = dit.paper { hardware = gpus(8, nvidia.A100_SXM_80GB) }\n' >>p.dtp
try "a plan that is right" "$work/hooks/scripts/hook" check p.dtp
try "what was built" "$XDG_CACHE_HOME"/dtpc/*/dtpc --version

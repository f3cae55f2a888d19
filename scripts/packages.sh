# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by scripts/test, scripts/demo and scripts/hook, which set root: packages of Debian 12, and how to get them.
# g++ and the ANTLR runtime are Debian 12's own; llvm-19 needs libzstd-dev and zlib1g-dev but does not ask for them.
build_packages=(cmake ninja-build g++ antlr4 libantlr4-runtime-dev llvm-19-dev libzstd-dev zlib1g-dev libfmt-dev)
test_packages=(ccache patch libgtest-dev libbenchmark-dev llvm-19-tools mount python3 python3-yaml shellcheck valgrind git pre-commit
  slurmctld slurmd slurm-client slurm-wlm-basic-plugins)
# The trainer: LibTorch, what it needs and does not bring, and a BLAS fifteen times as fast as the default.
runtime_packages=(libtorch-dev libgloo-dev libopenblas0-pthread nlohmann-json3-dev)
tidy_packages=(clang-format-19 clang-tidy-19 libclang-common-19-dev)
# 49 MB, 30 s: what only long proofs need.
proof_packages=(python3-torch)
fuzz_packages=(clang-19 libclang-rt-19-dev)

# missing PACKAGE...: those of them that are not installed, a line each.
missing() {
  local package
  for package; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || echo "$package"
  done
}

# need PACKAGE...: all of them are there afterwards, or the script ends with 2 and says what to run.
need() {
  local absent apt_log=$root/build/apt.log
  if ! command -v dpkg-query >/dev/null; then
    echo "dtpc builds on Debian 12 (dpkg is not found here). It needs: $*" >&2
    exit 2
  fi
  mapfile -t absent < <(missing "$@")
  [ ${#absent[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    echo "Packages are missing. As root:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends ${absent[*]}" >&2
    exit 2
  fi
  echo "installing ${absent[*]}"
  mkdir -p "$root/build" || exit 2
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update && apt-get install -y --no-install-recommends "${absent[@]}"; } >"$apt_log" 2>&1 </dev/null; then
    tail -n 20 "$apt_log" >&2
    echo "apt-get failed; the whole of it is in $apt_log" >&2
    exit 2
  fi
}

# Compiled objects are found again from any checkout: paths are cached relative to the project.
use_ccache() {
  command -v ccache >/dev/null || return 0
  # The trainer has a precompiled header; what it defines and when it was made is not looked at.
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
}

# Sourced by scripts/test and scripts/demo, which set root: packages of Debian 12, and how to get them.
# g++ and the ANTLR runtime are Debian 12's own; llvm-19 needs libzstd-dev and zlib1g-dev but does not ask for them.
build_packages=(cmake ninja-build g++ antlr4 libantlr4-runtime-dev llvm-19-dev libzstd-dev zlib1g-dev libfmt-dev)
test_packages=(ccache patch libgtest-dev libbenchmark-dev llvm-19-tools python3 shellcheck valgrind)
tidy_packages=(clang-format-19 clang-tidy-19 libclang-common-19-dev)
fuzz_packages=(clang-19 libclang-rt-19-dev)

# need PACKAGE...: all of them are there afterwards, or the script ends with 2 and says what to run.
need() {
  local missing=() package apt_log=$root/build/apt.log
  if ! command -v dpkg-query >/dev/null; then
    echo "dtpc builds on Debian 12 (dpkg is not found here). It needs: $*" >&2
    exit 2
  fi
  for package; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if [ "$(id -u)" -ne 0 ]; then
    echo "Packages are missing. As root:" >&2
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 2
  fi
  echo "installing ${missing[*]}"
  mkdir -p "$root/build" || exit 2
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$apt_log" 2>&1 </dev/null; then
    tail -n 20 "$apt_log" >&2
    echo "apt-get failed; the whole of it is in $apt_log" >&2
    exit 2
  fi
}

# Compiled objects are found again from any checkout: paths are cached relative to the project.
use_ccache() {
  command -v ccache >/dev/null || return 0
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache)
}

# Sourced as `. repositories.sh WORK SOURCE`: below the empty folder WORK a repository of the hooks, with what is committed
# of SOURCE for them, and one of plans, which is the current folder afterwards. Nothing of the user's own is read.
set -u
inputs=$(cd "$(dirname "$0")" && pwd)
work=$1 source=$2
rm -rf "$work"
mkdir -p "$work/home" "$work/hooks/scripts" "$work/plans"
unset "${!GIT_@}" "${!PRE_COMMIT_@}" SKIP
export HOME=$work/home XDG_CACHE_HOME=$work/home/cache PRE_COMMIT_HOME=$work/home/pre-commit PRE_COMMIT_COLOR=never
export GIT_CEILING_DIRECTORIES=$work  # the tests themselves may lie in a repository
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git config --global init.defaultBranch main
git config --global advice.detachedHead false

cp "$source/.pre-commit-hooks.yaml" "$source/CMakeLists.txt" "$work/hooks"
cp "$source/scripts/hook" "$source/scripts/packages.sh" "$work/hooks/scripts"
git -C "$work/hooks" init -q
git -C "$work/hooks" add -A
git -C "$work/hooks" commit -qm hooks
cd "$work/plans" || exit 1
git init -q

# configure HOOK...: these run at each commit.
configure() {
  printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks:\n' "$work/hooks" "$(git -C "$work/hooks" rev-parse HEAD)"
  printf '      - %s\n' "$@"
}
# try TITLE COMMAND...: with all that it prints, and its status.
try() {
  echo "== $1"
  shift
  "$@" 2>&1
  echo "status $?"
}
# commit TITLE: of all that changed.
commit() {
  git add -A
  try "$1" git commit -qm "$1"
}

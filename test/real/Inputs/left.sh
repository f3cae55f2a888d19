#!/bin/bash
# left.sh PREFIX COMMAND...: kills the command outright once the file PREFIX.runs is there, and tells how many processes in
# whose words the prefix stands there were, and are left soon after.
prefix=$1
shift
rm -f "$prefix.runs"
count() {
  local number=0 file words
  for file in /proc/[0-9]*/cmdline; do
    mapfile -d '' -t words 2>/dev/null <"$file"
    if [[ ${words[*]} == *"$prefix"* && ${words[*]} != *left.sh* ]]; then number=$((number + 1)); fi
  done
  echo "$number"
}
{ "$@" & } >"$prefix.said" 2>&1
for ((i = 0; i < 300; i++)); do [ -e "$prefix.runs" ] && break; sleep 0.1; done
[ -e "$prefix.runs" ] || cat "$prefix.said"
echo "were: $(count)"
disown $!
kill -9 $!
for ((i = 0; i < 50; i++)); do [ "$(count)" = 0 ] && break; sleep 0.1; done
echo "left: $(count)"

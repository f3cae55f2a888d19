# commits.sh WORK SOURCE PYTHON: the story of docs/precommit.md, and what a team does after it.
. "$(dirname "$0")/repositories.sh" "$1" "$2"
"$3" "$inputs/blocks.py" "$source/docs/precommit.md" "$work/page"
cp "$work/page"/*.dtp .
sed "s|https://git.example.org/dtpc.*|$work/hooks|; s|v0.1.0|$(git -C "$work/hooks" rev-parse HEAD)|" \
  "$work/page/.pre-commit-config.yaml" >.pre-commit-config.yaml
pre-commit install >/dev/null
commit "what the page shows is accepted"

sed -i 's/gpus(8/gpus(2/' cluster.dtp
commit "a change of what a plan imports" >"$work/refused"
cat "$work/refused"
# As the page tells it, but for the figures.
figures() { sed 's/[0-9][0-9.]*/#/g' "$@"; }
lines=$(wc -l <"$work/page/text.refused")
diff <(figures "$work/page/text.refused") <(sed -n "2,$((lines + 1))p" "$work/refused" | figures) && echo "as on the page"
git checkout -q HEAD -- .

echo '{ "days": 3 }' >terms.json
sed -i 's/^import "cluster.dtp"/&\nimport "terms.json"/; s/3 days/terms.days * 1 day/' dit.dtp
commit "a plan that imports JSON"
echo '{ "days": 1 }' >terms.json
commit "a change of the JSON alone"
git checkout -q HEAD -- .

echo 'let x = 1' >later.dtp
commit "a file that no plan reads"
git mv terms.json conditions.json
commit "a file that a plan imports gets another name"
git reset -q --hard
git rm -q terms.json
commit "or is taken away"
git reset -q --hard

mkdir drafts
printf 'dtp 1\nimport std.recipes.dit\nplan draft = dit.paper {}\n' >drafts/draft.dtp
SKIP=dtpc-check commit "a plan that is wrong, past the hook"
echo 'let x = 2' >later.dtp
commit "is not in the way of others"
printf 'dtp 1\nlet project = Project { name = "ours" }\n' >project.dtp
commit "until what it stands on changes: the project"
git reset -q --hard

printf 'dtp 1\nlet   x=3\n' >later.dtp
commit "a text that is not in the style"
commit "is, the second time"
printf 'let x = (\n' >later.dtp
commit "a text that does not parse"
git reset -q --hard

configure '{ id: dtpc-check-project }' >.pre-commit-config.yaml
commit "all plans that git knows"
configure '{ id: dtpc-check-project, args: [":!drafts"] }' >.pre-commit-config.yaml
commit "but for some"
configure '{ id: dtpc-check-project, args: [plan/] }' >.pre-commit-config.yaml
commit "none, by a slip"
configure '{ id: dtpc-check, args: ["--format=concise", ":!drafts"] }' >.pre-commit-config.yaml
commit "options"
printf 'dtp 1\nlet project = Project { name = "ours" }\n' >project.dtp
commit "a change of the project, but for some"
sed -i 's/gpus(8/gpus(2/' cluster.dtp
commit "and in one line"
git reset -q --hard
try "what a push brings" pre-commit run --from-ref HEAD~1 --to-ref HEAD
git rm -q terms.json
git commit -qnm "past the hooks"
try "with a file that is taken away" pre-commit run --from-ref HEAD~1 --to-ref HEAD

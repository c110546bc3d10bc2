#!/bin/sh
# What somebody does with a constel that was just installed, in an empty root: $1 is the version. Everything runs as the account that installed it.
set -eu
version=$1
step() { printf 'step: %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1"; exit 1; }

step 'the version'
[ "$(constel --version)" = "constel $version" ] || fail "constel --version says $(constel --version)"

step 'variables of Bun have no effect, nor do files of the directory'
mkdir -p "$HOME/work/hostile" && cd "$HOME/work/hostile"
echo 'require("node:fs").writeFileSync("/tmp/injected", "x")' >preload.js
printf 'preload = ["./preload.js"]\n' >bunfig.toml
printf 'CONSTEL_HOME=/tmp/injected\nBUN_OPTIONS=--preload=./preload.js\n' >.env
BUN_OPTIONS='--preload ./preload.js' BUN_BE_BUN=1 constel config path >/dev/null
[ ! -e /tmp/injected ] || fail 'something of the directory ran'

step 'doctor'
constel doctor >/tmp/doctor || { cat /tmp/doctor; fail 'doctor found something broken'; }

step 'demo'
constel demo >/tmp/demo 2>&1 </dev/null || { grep -A8 'not seen' /tmp/demo || tail -20 /tmp/demo; fail 'the demo did not end well'; }

step 'try, with the compiler that is inside'
git config --global user.name you && git config --global user.email you@localhost && git config --global init.defaultBranch main
git init -q "$HOME/work/shop" && cd "$HOME/work/shop"
printf 'export const lookUp = (): number => 1;\n' >price.ts
printf 'export const x = 1;\n' >fresh.ts
printf '{"compilerOptions":{"strict":true}}' >tsconfig.json
printf 'def price():\n    return 1\n' >price.py
git add -A && git commit -qm one
git checkout -qb ours && printf 'export const lookUp = () => [1].map((one) => `${one}`)[0] ?? "";\n' >price.ts && git commit -qam ours
git checkout -q main && git checkout -qb theirs
printf 'import { lookUp } from "./price";\nconst round = (n: number) => n.toFixed(2);\nround(lookUp());\n' >fresh.ts && git commit -qam theirs
git checkout -q main
constel try --json >/tmp/try 2>&1 || true
grep -q '"rule":"type-mismatch"' /tmp/try || { cat /tmp/try; fail 'the collision was not foreseen'; }
grep -q '"complete":true' /tmp/try || { cat /tmp/try; fail 'something could not be looked at'; }

step 'the documentation is inside'
constel docs nights >/dev/null || fail 'a page could not be read'
constel docs --to /tmp/site >/dev/null && [ -f /tmp/site/guides/nights.html ] || fail 'the site was not written'

step 'the daemon watches'
constel repo add . >/dev/null && constel announce hello >/dev/null && constel status >/dev/null
constel query --json 'select count(*) as n from timeline' | grep -q '"n"' || fail 'the timeline could not be asked'

if [ -n "${CLAUDE:-}" ]; then
  step 'hooks of the real Claude Code'
  # What Claude Code itself leaves is not constel's: it has a home of its own.
  mkdir -p "$HOME/work/claude-home" && cd "$HOME/work/shop"
  export CLAUDE_CONFIG_DIR="$HOME/work/claude-home" ANTHROPIC_API_KEY=none DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
  constel install claude --yes >/tmp/installed || { cat /tmp/installed; fail 'the hooks were not installed'; }
  BUN_RUNTIME_TRANSPILER_CACHE_PATH=/tmp/bun-cache /witness/bun --no-env-file --config=/dev/null /witness/top/test/kit/scripted-model/run.ts --rules /witness/rules.json >/tmp/model 2>&1 &
  model=$!
  waited=0
  while ! grep -q url /tmp/model 2>/dev/null && [ $waited -lt 100 ]; do sleep 0.2; waited=$((waited + 1)); done
  ANTHROPIC_BASE_URL=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' /tmp/model)
  export ANTHROPIC_BASE_URL
  timeout 100 "$CLAUDE" -p 'say something' </dev/null >/tmp/claude 2>&1 || { cat /tmp/claude /tmp/model; fail 'Claude Code did not answer'; }
  kill $model
  constel doctor >/tmp/doctor || true
  grep -q 'hooks of claude were seen to run' /tmp/doctor || { cat /tmp/doctor /tmp/claude; fail 'its hooks were not seen to run'; }
fi
step 'well'

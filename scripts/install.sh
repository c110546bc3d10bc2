#!/bin/sh
# Brings the dependencies of this clone, once, exactly as bun.lock records them, and builds the quick program and the window. Needs npm (for
# Bun itself) and a network. Run again after an update, it builds the quick program anew when the sources have changed.
#   scripts/install.sh            what constel runs on
#   scripts/install.sh --tools    also what bin/check runs: linter, formatter, a second compiler to judge cases by
# Two installs at once are kept apart by a lock directory; a half-finished one is simply done again.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
with_tools=no
case ${1:-} in
  '') ;;
  --tools) with_tools=yes ;;
  *) echo "scripts/install.sh: unknown argument $1 (see the top of the file)" >&2; exit 2 ;;
esac
say() { printf 'constel: %s\n' "$1" >&2; }

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) platform=linux-x64 ;;
  Linux-aarch64 | Linux-arm64) platform=linux-aarch64 ;;
  Darwin-x86_64) platform=darwin-x64 ;;
  Darwin-arm64) platform=darwin-aarch64 ;;
  *) say "no Bun is published for $(uname -s) $(uname -m)"; exit 69 ;;
esac
if [ "$platform" = linux-x64 ] || [ "$platform" = linux-aarch64 ]; then
  # musl systems have no glibc loader
  ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib*/ld-linux-* >/dev/null 2>&1 && platform=$platform-musl
fi

lock=$here/.cache/installing
mkdir -p "$here/.cache"
waited=0
while ! mkdir "$lock" 2>/dev/null; do
  owner=$(cat "$lock/pid" 2>/dev/null || echo)
  if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then rm -rf "$lock"; continue; fi
  [ $waited -eq 0 ] && say "another install is under way; waiting for it"
  waited=$((waited + 1))
  [ $waited -gt 600 ] && { say "gave up after 10 minutes; if no install runs, remove $lock"; exit 75; }
  sleep 1
done
echo $$ >"$lock/pid"
trap 'rm -rf "$lock"' EXIT INT TERM

# Without it constel runs from its sources, and a command needs twice the time to start.
build_quick() { # where Bun is, flags…
  quick_bun=$1
  shift
  # Bun keeps what it translated; in the user's home it would be something left behind.
  BUN_RUNTIME_TRANSPILER_CACHE_PATH="$here/node_modules/.cache/bun" "$quick_bun" --no-env-file --config=/dev/null --tsconfig-override=/dev/null --no-install "$here/scripts/build-quick.ts" "$@" \
    >"$here/.cache/build-quick.log" 2>&1 || say "the quick program was not built (.cache/build-quick.log); constel runs without it"
}

# The page that the daemon serves. Without it `constel dashboard` says that it was not built; all else works.
build_web() { # where Bun is, flags…
  web_bun=$1
  shift
  "$web_bun" --no-env-file --config=/dev/null --tsconfig-override=/dev/null --no-install "$here/scripts/build-web.ts" "$@" \
    >"$here/.cache/build-web.log" 2>&1 || say "the window was not built (.cache/build-web.log); constel runs without it"
}

marker=$here/node_modules/.constel-installed
tools=no
if [ -f "$marker" ]; then
  . "$marker"
  # Who has the tools keeps them.
  [ "$tools" = no ] || with_tools=yes
  if [ "$tools" = "$with_tools" ] && ! [ "$here/bun.lock" -nt "$marker" ]; then
    build_quick "$bun" --if-stale
    build_web "$bun" --if-stale
    exit 0
  fi
fi

version=$(sed -n 's/^    "bun": "\([0-9.]*\)".*/\1/p' "$here/package.json")
command -v npm >/dev/null || { say "npm is needed once, to fetch Bun $version; install Node.js 18 or newer"; exit 69; }
# Who has caches of npm and Bun gets the use of them; who has none is left none.
fetched=$here/.cache/fetched
[ -d "${HOME:-/nonexistent}/.npm/_cacache" ] || export npm_config_cache="$fetched/npm"
[ -d "${HOME:-/nonexistent}/.bun/install/cache" ] || export BUN_INSTALL_CACHE_DIR="$fetched/bun"
bun=$here/.cache/bun-$version/node_modules/@oven/bun-$platform/bin/bun
if [ ! -x "$bun" ]; then
  say "first run: fetching Bun $version (about 35 MB)…"
  npm install --prefix "$here/.cache/bun-$version" --ignore-scripts --no-audit --no-fund --no-save --loglevel=error \
    --no-update-notifier --logs-max=0 "@oven/bun-$platform@$version" >"$here/.cache/install.log" 2>&1 || {
    cat "$here/.cache/install.log" >&2
    say "Bun could not be fetched; nothing was started. Run it again when the network is back."
    exit 69
  }
fi
say "installing dependencies as locked…"
only_what_runs=--production
[ $with_tools = no ] || only_what_runs=
(cd "$here" && "$bun" install $only_what_runs --frozen-lockfile --no-progress --ignore-scripts >"$here/.cache/install.log" 2>&1) || {
  cat "$here/.cache/install.log" >&2
  say "the install failed; nothing was started. Run it again when the network is back."
  exit 69
}
# Sourced by the scripts beside this one: where the Bun of this clone is, also when the clone is moved.
installed=$here/node_modules/@oven/bun-$platform/bin/bun
[ -x "$installed" ] || installed=$here/node_modules/bun/bin/bun.exe # where Bun's own install script moves it
say "building the quick program…"
rm -f "$here/node_modules/.constel/quick" # it was built from the dependencies of before
build_quick "$installed"
say "building the window…"
build_web "$installed" --if-stale
printf 'bun="$here/%s"\ntools=%s\n' "${installed#"$here"/}" "$with_tools" >"$marker.new"
mv "$marker.new" "$marker"
rm -rf "$here/.cache/bun-$version" "$fetched"
say "ready."

#!/bin/sh
# Brings `emulate`, GitHub's REST interface as others wrote it down, into the cache beside the agent programs. The suite of the forges
# runs against our own double; this one bears witness that the double is not only what we believe. Prints the path of its program.
# Exit 75 (try again later) when it cannot be had. It is a tool of the tests, no dependency: no install script is run.
set -eu
version=0.10.0
cache=${CONSTEL_AGENT_PROGRAMS:-${XDG_CACHE_HOME:-$HOME/.cache}/constel-agent-programs}
place=$cache/emulate-$version
unavailable() {
  printf 'forge-witness: emulate %s could not be had: %s\n' "$version" "$1" >&2
  exit 75
}
command -v node >/dev/null 2>&1 || unavailable "node is not installed"
if [ ! -f "$place/node_modules/emulate/dist/index.js" ]; then
  command -v npm >/dev/null 2>&1 || unavailable "npm is not installed"
  mkdir -p "$cache"
  fresh=$(mktemp -d "$cache/.emulate-$version.XXXXXX")
  trap 'rm -rf "$fresh"' EXIT INT TERM
  # What it depends on, as it was on a day when all of that had been out for a while.
  npm_config_before=2026-11-01 npm install --prefix "$fresh" --ignore-scripts --no-audit --no-fund --no-save --loglevel=error \
    "emulate@$version" >&2 || unavailable "the package registry did not give it"
  mv -T "$fresh" "$place" 2>/dev/null || mv "$fresh" "$place" 2>/dev/null || rm -rf "$fresh"
  trap - EXIT INT TERM
fi
[ -f "$place/node_modules/emulate/dist/index.js" ] || unavailable "the install did not leave its program"
printf '%s\n' "$place/node_modules/emulate/dist/index.js"

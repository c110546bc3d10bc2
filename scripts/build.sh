#!/bin/sh
# Compiles constel into one file for this machine:  scripts/build.sh [output]
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
output=${1:-$here/dist/constel}
[ -f "$here/node_modules/.constel-installed" ] || sh "$here/scripts/install.sh" >&2
. "$here/node_modules/.constel-installed"
mkdir -p "$(dirname -- "$output")"
case $output in /*) ;; *) output=$PWD/$output ;; esac
cd "$here"
exec "$bun" --no-env-file --config=/dev/null scripts/build.ts "$output"

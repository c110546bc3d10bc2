#!/bin/sh
# Brings the real agent programs, at the versions the adapters were checked with, into a cache outside the repository; and
# the official conformance suite of MCP.
#   scripts/agent-programs.sh [claude|codex|opencode|gemini|qwen|kimi|mcp-conformance…]     default: claude codex
# Prints one line a program on stdout: name, tab, path of the executable. No install script of any package is run: the
# platform's own package is fetched and its binary used as it is. Exit 75 (try again later) when one cannot be had.
set -eu
say() { printf 'agent-programs: %s\n' "$1" >&2; }

claude_version=2.1.325
codex_version=0.166.0
opencode_version=1.18.33
gemini_version=0.61.0
qwen_version=0.24.4
kimi_version=2.1.0
# It wants a newer node than many machines have.
kimi_node_version=22.23.3
mcp_conformance_version=0.2.0-alpha.12

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) os=linux cpu=x64 ;;
  Linux-aarch64 | Linux-arm64) os=linux cpu=arm64 ;;
  Darwin-x86_64) os=darwin cpu=x64 ;;
  Darwin-arm64) os=darwin cpu=arm64 ;;
  *) say "the programs are not published for $(uname -s) $(uname -m)"; exit 75 ;;
esac
musl=''
if [ $os = linux ] && ls /lib/ld-musl-* >/dev/null 2>&1 && ! ls /lib*/ld-linux-* >/dev/null 2>&1; then musl=-musl; fi
# The registry has no later build of opencode for this platform.
[ $os-$cpu != linux-arm64 ] || opencode_version=1.18.18
baseline=''
if [ $cpu = x64 ] && [ $os = linux ] && ! grep -qw avx2 /proc/cpuinfo 2>/dev/null; then baseline=-baseline; fi

cache=${CONSTEL_AGENT_PROGRAMS:-${XDG_CACHE_HOME:-$HOME/.cache}/constel-agent-programs}

unavailable() {
  say "────────────────────────────────────────────────────────────────────────"
  say "$1 could not be had: $2"
  say "Lanes that run the real program cannot run without it."
  say "────────────────────────────────────────────────────────────────────────"
  exit 75
}

# program, version, npm package spec, executable below node_modules, `node` when it is a script for node, a node of its own
bring() {
  place=$cache/$1-$2
  if [ ! -x "$place/bin/$1" ]; then
    command -v npm >/dev/null 2>&1 || unavailable "$1 $2" "npm is not installed"
    mkdir -p "$cache"
    fresh=$(mktemp -d "$cache/.$1-$2.XXXXXX")
    trap 'rm -rf "$fresh"' EXIT INT TERM
    say "fetching $1 $2…"
    npm install --prefix "$fresh" --ignore-scripts --no-audit --no-fund --no-save --loglevel=error "$3" ${6:+"$6"} >&2 ||
      unavailable "$1 $2" "the package registry did not give $3"
    [ -f "$fresh/node_modules/$4" ] || unavailable "$1 $2" "$3 holds no $4"
    mkdir -p "$fresh/bin"
    if [ "${5:-}" = node ]; then
      node=node
      [ -z "${6:-}" ] || node=$place/node_modules/${6%@*}/bin/node
      printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$node" "$place/node_modules/$4" >"$fresh/bin/$1"
      chmod 755 "$fresh/bin/$1"
    else
      chmod 755 "$fresh/node_modules/$4"
      ln -s "../node_modules/$4" "$fresh/bin/$1"
    fi
    # Another install may have won the race; what is there is then as good.
    mv -T "$fresh" "$place" 2>/dev/null || mv "$fresh" "$place" 2>/dev/null || rm -rf "$fresh"
    trap - EXIT INT TERM
    [ -x "$place/bin/$1" ] || unavailable "$1 $2" "the install did not leave $place/bin/$1"
  fi
  printf '%s\t%s\n' "$1" "$place/bin/$1"
}

[ $# -gt 0 ] || set -- claude codex
for program in "$@"; do
  case $program in
    claude)
      bring claude $claude_version "@anthropic-ai/claude-code-$os-$cpu$musl@$claude_version" \
        "@anthropic-ai/claude-code-$os-$cpu$musl/claude"
      ;;
    codex)
      if [ $os = linux ]; then triple=unknown-linux-musl; else triple=apple-darwin; fi
      if [ $cpu = x64 ]; then machine=x86_64; else machine=aarch64; fi
      bring codex $codex_version "@openai/codex@$codex_version-$os-$cpu" "@openai/codex/vendor/$machine-$triple/bin/codex"
      ;;
    opencode)
      bring opencode $opencode_version "opencode-$os-$cpu$baseline$musl@$opencode_version" \
        "opencode-$os-$cpu$baseline$musl/bin/opencode"
      ;;
    gemini)
      bring gemini $gemini_version "@google/gemini-cli@$gemini_version" "@google/gemini-cli/bundle/gemini.js" node
      ;;
    qwen)
      bring qwen $qwen_version "@qwen-code/qwen-code@$qwen_version" "@qwen-code/qwen-code/cli-entry.js" node
      ;;
    kimi)
      bring kimi $kimi_version "@moonshot-ai/kimi-code@$kimi_version" "@moonshot-ai/kimi-code/dist/main.mjs" node \
        "node-$os-$cpu@$kimi_node_version"
      ;;
    mcp-conformance)
      # What it depends on, as it was on a day when all of that had been out for a while.
      export npm_config_before=2026-11-01
      bring mcp-conformance $mcp_conformance_version "@modelcontextprotocol/conformance@$mcp_conformance_version" \
        "@modelcontextprotocol/conformance/dist/index.js" node
      unset npm_config_before
      ;;
    *) say "unknown program: $program (claude, codex, opencode, gemini, qwen, kimi or mcp-conformance)"; exit 2 ;;
  esac
done

#!/usr/bin/env bash
# Prints the directory of Postgres' programs (initdb, pg_ctl) for the tests, installing Debian's package when there is none
# and this is possible. The tests start a private server from it; no system service is used.
set -euo pipefail

found() {
  local directory
  for directory in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV) /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin; do
    if [ -x "$directory/initdb" ] && [ -x "$directory/pg_ctl" ]; then echo "$directory"; return 0; fi
  done
  if command -v initdb >/dev/null && command -v pg_ctl >/dev/null; then
    dirname "$(readlink -f "$(command -v initdb)")"
    return 0
  fi
  return 1
}

if found; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  {
    apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql || { apt-get -o DPkg::Lock::Timeout=300 update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql; }
  } >&2
  if found; then exit 0; fi
fi
cat >&2 <<'EOF'
Postgres is needed for half of the store's tests, and its programs were not found.
  Debian, Ubuntu: sudo apt-get install --no-install-recommends postgresql
  macOS:          brew install postgresql
To leave that half out: CONSTEL_CHECK_NO_POSTGRES=1 bin/check
EOF
exit 1

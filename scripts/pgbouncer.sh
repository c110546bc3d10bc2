#!/usr/bin/env bash
# Prints the program of pgbouncer for the tests of a pooler, installing Debian's package when there is none and this is possible.
set -euo pipefail

if command -v pgbouncer; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  {
    apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends pgbouncer || { apt-get -o DPkg::Lock::Timeout=300 update && apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends pgbouncer; }
  } >&2
  if command -v pgbouncer; then exit 0; fi
fi
echo "pgbouncer was not found (Debian, Ubuntu: sudo apt-get install --no-install-recommends pgbouncer)" >&2
exit 1

#!/usr/bin/env bash
# Prints where Chromium is, for the tests of the window, installing Debian's package when there is none and this is possible.
set -euo pipefail

found() {
  local name
  for name in chromium chromium-browser google-chrome-stable google-chrome; do
    if command -v "$name"; then return 0; fi
  done
  for name in "/Applications/Chromium.app/Contents/MacOS/Chromium" "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
    if [ -x "$name" ]; then echo "$name"; return 0; fi
  done
  return 1
}

if found; then exit 0; fi
if command -v apt-get >/dev/null; then
  if [ "$(id -u)" -eq 0 ]; then sudo=; elif command -v sudo >/dev/null; then sudo=sudo; else sudo=none; fi
  if [ "$sudo" != none ]; then
    {
      $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium ||
        { $sudo apt-get -o DPkg::Lock::Timeout=300 update && $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends chromium; }
    } >&2
    if found; then exit 0; fi
  fi
fi
cat >&2 <<'EOT'
Chromium is needed for the tests of the window, and was not found.
  Debian:  sudo apt-get install --no-install-recommends chromium
  macOS:   brew install --cask chromium
EOT
exit 1

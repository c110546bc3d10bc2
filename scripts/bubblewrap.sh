#!/bin/sh
# Makes sure that bubblewrap is here and can make a sandbox: installs it with apt where that is possible, else says why not.
set -eu
say() { printf 'constel: %s\n' "$1" >&2; }

if ! command -v bwrap >/dev/null && [ "$(uname -s)" = Linux ] && command -v apt-get >/dev/null && [ "$(id -u)" -eq 0 ]; then
  say "installing bubblewrap with apt…"
  install="env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends bubblewrap"
  $install >&2 || { apt-get -o DPkg::Lock::Timeout=300 update >&2 && $install >&2; } || true
fi
if ! command -v bwrap >/dev/null; then
  say "bubblewrap is not here; install it with your system's package manager (package: bubblewrap)"
  exit 69
fi
if ! bwrap --unshare-user --unshare-pid --ro-bind / / --dev /dev --proc /proc -- /bin/sh -c :; then
  say "bubblewrap cannot make a sandbox on this machine"
  exit 69
fi

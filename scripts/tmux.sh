#!/bin/sh
# Makes sure that tmux 3.2 or newer is here: installs it with apt where that is possible, else says how.
set -eu
say() { printf 'constel: %s\n' "$1" >&2; }
new_enough() {
  version=$(tmux -V 2>/dev/null | sed -n 's/^tmux \(next-\)\{0,1\}\([0-9]*\)\.\([0-9]*\).*/\2 \3/p')
  [ -n "$version" ] || return 1
  # shellcheck disable=SC2086
  set -- $version
  [ "$1" -gt 3 ] || { [ "$1" -eq 3 ] && [ "$2" -ge 2 ]; }
}

if new_enough; then say "$(tmux -V) is here"; exit 0; fi
if command -v apt-get >/dev/null; then
  if [ "$(id -u)" -eq 0 ]; then sudo=; elif command -v sudo >/dev/null; then sudo=sudo; else sudo=none; fi
  if [ "$sudo" != none ]; then
    say "installing tmux with apt…"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends tmux >&2 ||
      { $sudo apt-get -o DPkg::Lock::Timeout=300 update >&2 && $sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends tmux >&2; }
    new_enough && { say "$(tmux -V) is here"; exit 0; }
  fi
fi
case $(uname -s) in
  Darwin) say "tmux 3.2 or newer is needed: brew install tmux" ;;
  *) say "tmux 3.2 or newer is needed; install it with your system's package manager (package: tmux)" ;;
esac
exit 69

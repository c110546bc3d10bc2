#!/bin/sh
# Tells which open pull requests will collide with one, in a comment on it that is updated. For CI; no daemon and no account.
# Nothing of any pull request is checked out or run: their commits are read as data.
#
#   CONSTEL_PR      the number of the pull request (GitLab: of the merge request)
#   CONSTEL_TOKEN   a token of the forge that may read pull requests and write comments
#   CONSTEL_RED_ON  never (the default), any, high, or a kind of finding such as textual: when this exits 1
#   CONSTEL         the program, if it is not on the PATH
#
# Run it in a clone of the target's repository, never in a checkout of the pull request itself.
set -eu
: "${CONSTEL_PR:?the number of the pull request}"
: "${CONSTEL_TOKEN:?a token of the forge}"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
# A forge of one's own is named as in config.toml: its kind, and its host as the origin has it.
if [ -n "${CONSTEL_FORGE_KIND:-}" ]; then
  printf '[[forge.hosts]]\nhost = "%s"\nkind = "%s"\n' "${CONSTEL_FORGE_HOST:?the host}" "$CONSTEL_FORGE_KIND" > "$home/config.toml"
  if [ -n "${CONSTEL_FORGE_API:-}" ]; then printf 'api = "%s"\n' "$CONSTEL_FORGE_API" >> "$home/config.toml"; fi
fi
export CONSTEL_HOME="$home" CONSTEL_TOKEN
status=0
${CONSTEL:-constel} check --open-prs --pr "$CONSTEL_PR" --comment --red-on "${CONSTEL_RED_ON:-never}" --token-env CONSTEL_TOKEN || status=$?
exit "$status"

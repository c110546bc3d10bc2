#!/bin/sh
# Upgrades and downgrades below living agents: $FROM and $TO are versions, $AGENTS how many live.
set -eu
step() { printf 'step: %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1"; exit 1; }
version() { constel --version | cut -d' ' -f2; }

cd "$HOME" && mkdir -p root && cd root
export CONSTEL_ROOT=$PWD
step 'agents live'
constel up "$AGENTS" --type script >/tmp/up 2>&1 || { cat /tmp/up; fail 'the agents did not start'; }
pids() { tmux list-panes -a -F '#{session_name} #{pane_pid}' 2>/dev/null | sort; }
constel agents --json >/tmp/agents
before=$(ps -eo pid,args | grep '[c]onstel script-agent' | sed 's/^ *//; s/ .*//')
before=$(printf '%s\n' "$before" | sort)
[ "$(printf '%s\n' "$before" | wc -l)" -ge "$AGENTS" ] || { ps -eo pid,args; fail 'not all agents live'; }

sent=0
send() { # accepted messages are counted, others are not
  number=$((sent % AGENTS + 1))
  if constel channel send "agent$number" "message $((sent + 1)) of the rehearsal" >/tmp/send 2>&1; then sent=$((sent + 1)); fi
}
for _ in 1 2 3 4 5; do send; done

for point in laid kept files record program started none; do
  step "upgrade, killed at: $point"
  send
  if [ $point = none ]; then constel upgrade --to "$TO" --from /releases >/tmp/upgrade 2>&1 || { cat /tmp/upgrade; fail 'the upgrade failed'; }
  else
    code=0
    CONSTEL_KILL_AT=upgrade.$point constel upgrade --to "$TO" --from /releases >/tmp/upgrade 2>&1 || code=$?
    [ $code = 137 ] || { cat /tmp/upgrade; fail "it ended with $code, and was to be killed at $point"; }
  fi
  case $point in program | started | none) expected=$TO ;; *) expected=$FROM ;; esac
  [ "$(version)" = "$expected" ] || { cat /tmp/upgrade; false; } || fail "after $point the version is $(version), expected $expected"
  send
  constel announce "after $point" >/dev/null 2>&1 || fail "the daemon does not take changes after $point"
  now=$(ps -eo pid,args | grep '[c]onstel script-agent' | sed 's/^ *//; s/ .*//' | sort)
  [ "$now" = "$before" ] || fail "agents are not those of before after $point"
  if [ "$(version)" = "$TO" ] && [ $point != none ]; then
    constel downgrade --to "$FROM" --from /releases >/tmp/down 2>&1 || { cat /tmp/down; fail 'the downgrade failed'; }
    [ "$(version)" = "$FROM" ] || fail 'the downgrade left the version as it was'
  fi
done
step 'nothing was lost'
send
found=$(constel query --json "select count(*) as n from timeline where type = 'owner.announced'" | tr -d '\n' | sed 's/.*"rows":\[{*\[*\("n":\)*\([0-9]*\).*/\2/')
[ "$found" = 7 ] || fail "7 announcements were accepted, $found are on the timeline"
constel audit verify >/tmp/verify 2>&1 || { cat /tmp/verify; fail 'the timeline does not verify'; }
# Each in exactly one of a mailbox's rooms.
here=$(grep -rhoE 'message [0-9]+ of the rehearsal' "$HOME"/.constel/channels/agent/*/inbox "$HOME"/.constel/channels/agent/*/processing "$HOME"/.constel/channels/agent/*/done 2>/dev/null | sort -u | wc -l)
[ "$here" -eq "$sent" ] || { find "$HOME"/.constel/channels | head -30; false; } || fail "$sent messages were accepted, $here are there"
step 'the way back, and the version that was kept'
constel downgrade --from /releases >/tmp/down 2>&1 || { cat /tmp/down; fail 'the downgrade failed'; }
[ "$(version)" = "$FROM" ] || fail 'the version kept is another'
constel down --all >/dev/null 2>&1
constel daemon stop >/dev/null
step 'well'

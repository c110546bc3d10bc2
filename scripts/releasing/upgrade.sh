#!/bin/sh
# Upgrades and downgrades below living agents, with messages on their way and a harvest in its gate: $FROM and $TO are versions, $AGENTS how many live. $WALK
# is the way: `up`, `down`, or `oldest` for upgrades of a home of the oldest schema.
set -eu
step() { printf 'step: %s\n' "$1"; }
fail() { printf 'FAILED: %s\n' "$1"; exit 1; }
version() { constel --version | cut -d' ' -f2; }

schema() { constel db status --json | tr -d ' \n' | sed 's/.*"schema":\([0-9]*\).*/\1/'; }

step 'a repository with an origin and a gate'
cd "$HOME"
git config --global user.name you && git config --global user.email you@localhost && git config --global init.defaultBranch main
git init -q --bare origin.git && git clone -q origin.git root 2>/dev/null && cd root
export CONSTEL_ROOT=$PWD
# It says that it runs, and holds until it may go on.
cat >constel.toml <<'TOML'
[gate]
command = "touch /tmp/gate-runs; while [ ! -e /tmp/gate-opens ]; do sleep 0.1; done"
TOML
echo 'workspaces/' >.gitignore
git add -A && git commit -qm 'a repository' && git push -q origin HEAD:main

task=0 harvest=
begin_harvest() { # returns while the gate runs
  task=$((task + 1))
  {
    constel task create "Work $task" && constel task dispatch $task --to-workspace
    echo "$task" >"workspaces/$task/root/work-$task" || echo "$task" >"workspaces/$task/repo/work-$task"
  } >/tmp/harvest 2>&1 || true
  place=$(dirname "$(ls workspaces/$task/*/work-$task)") || { cat /tmp/harvest; fail "task $task has no workspace"; }
  git -C "$place" add -A && git -C "$place" commit -qm "Work $task" && constel task ready $task >>/tmp/harvest 2>&1 || { cat /tmp/harvest; fail "task $task is not ready"; }
  rm -f /tmp/gate-runs /tmp/gate-opens
  constel task harvest $task >/tmp/harvest 2>&1 &
  harvest=$!
  tries=0
  while [ ! -e /tmp/gate-runs ]; do
    tries=$((tries + 1))
    [ $tries -lt 600 ] || { cat /tmp/harvest; fail "the gate of task $task does not run"; }
    sleep 0.1
  done
}
end_harvest() { # it lands, once
  touch /tmp/gate-opens
  wait "$harvest" || constel task harvest $task >>/tmp/harvest 2>&1 || { cat /tmp/harvest; fail "task $task was not landed"; }
  [ "$(git -C "$HOME/origin.git" log --format=%s main | grep -cx "Work $task")" = 1 ] || { cat /tmp/harvest; git -C "$HOME/origin.git" log --oneline main; fail "task $task is not on main exactly once"; }
  constel task show $task --json | tr -d ' \n' | grep -q '"state":"closed"' || { constel task show $task; fail "task $task is on main and is not closed"; }
}

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

announced=0
announce() {
  constel announce "$1" >/tmp/announce 2>&1 || { cat /tmp/announce; fail "the daemon of $(version) does not take changes: $1"; }
  announced=$((announced + 1))
}
to() { # VERSION, as somebody would
  [ "$(version)" = "$1" ] && return
  verb=upgrade
  [ "$1" = "$TO" ] || verb=downgrade
  constel $verb --to "$1" --from /releases >/tmp/change 2>&1 || { cat /tmp/change; fail "the $verb failed"; }
  [ "$(version)" = "$1" ] || fail "the $verb left the version as it was"
}
killed() { # POINT, VERB, VERSION
  code=0
  CONSTEL_KILL_AT=upgrade.$1 constel "$2" --to "$3" --from /releases >/tmp/change 2>&1 || code=$?
  [ $code = 137 ] || { cat /tmp/change; fail "it ended with $code, and was to be killed at $1"; }
}
whole() { # nothing was lost
  now=$(ps -eo pid,args | grep '[c]onstel script-agent' | sed 's/^ *//; s/ .*//' | sort)
  [ "$now" = "$before" ] || fail 'agents are not those of before'
  found=$(constel query --json "select count(*) as n from timeline where type = 'owner.announced'" | tr -d '\n' | sed 's/.*"rows":\[{*\[*\("n":\)*\([0-9]*\).*/\2/')
  [ "$found" = "$announced" ] || fail "$announced announcements were accepted, $found are on the timeline"
  constel audit verify >/tmp/verify 2>&1 || { cat /tmp/verify; fail 'the timeline does not verify'; }
  # Each in exactly one of a mailbox's rooms.
  here=$(grep -rhoE 'message [0-9]+ of the rehearsal' "$HOME"/.constel/channels/agent/*/inbox "$HOME"/.constel/channels/agent/*/processing "$HOME"/.constel/channels/agent/*/done 2>/dev/null | sort -u | wc -l)
  [ "$here" -eq "$sent" ] || { find "$HOME"/.constel/channels | head -30; fail "$sent messages were accepted, $here are there"; }
  [ "$(git -C "$HOME/origin.git" log --format=%s main | grep -c '^Work ')" = "$task" ] || fail "$task tasks were landed, and main has another number of them"
}

change_killed_at() { # a step, the verb, from, to: before the program is in place the version of before stands there, then the other
  step "$2, killed at: $1"
  begin_harvest
  send
  killed "$1" "$2" "$4"
  case $1 in program | started) expected=$4 ;; *) expected=$3 ;; esac
  [ "$(version)" = "$expected" ] || fail "after $1 the version is $(version), expected $expected"
  send
  announce "$2 after $1"
}

walk_up() {
  for point in laid named kept record files program started; do
    change_killed_at $point upgrade "$FROM" "$TO"
    to "$FROM"
    end_harvest
    whole
  done
}
walk_down() {
  for point in laid named kept record files program started; do
    to "$TO"
    change_killed_at $point downgrade "$TO" "$FROM"
    end_harvest
    whole
  done
  to "$TO"
  step 'the way back from what was kept: no release is needed'
  send
  constel downgrade >/tmp/down 2>&1 || { cat /tmp/down; fail 'the downgrade failed'; }
  [ "$(version)" = "$FROM" ] || fail 'the version kept is another'
}
walk_oldest() {
  newest=$(schema)
  for point in laid program none; do
    step "from the oldest schema, killed at: $point"
    to "$FROM"
    constel daemon stop >/dev/null
    while [ "$(schema)" -gt 1 ]; do constel db undo >/tmp/undo 2>&1 || { cat /tmp/undo; fail "the schema stays at $(schema)"; }; done
    send
    if [ $point = none ]; then to "$TO"; else killed $point upgrade "$TO"; fi
    send
    begin_harvest
    announce "from the oldest, $point"
    end_harvest
    [ "$(schema)" = "$newest" ] || fail "the schema is $(schema), and not $newest"
    whole
  done
}
"walk_$WALK"

step 'the older version leaves the home of the newer one alone, and names it'
to "$TO"
send
whole
constel daemon stop >/dev/null
earlier=$HOME/.local/lib/constel/earlier/bin/constel
[ "$("$earlier" --version)" = "constel $FROM" ] || fail "constel $FROM was not kept"
code=0
"$earlier" announce older >/tmp/older 2>&1 || code=$?
[ $code = 3 ] && grep -q "last written by constel $TO" /tmp/older || { cat /tmp/older; fail "it ended with $code"; }
whole
constel down --all >/dev/null 2>&1
constel daemon stop >/dev/null
step "well: $AGENTS agents with the processes they began with, $task tasks landed once each over a running gate, $sent messages and $announced announcements, none lost"

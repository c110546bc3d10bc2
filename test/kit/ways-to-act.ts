// Ways in which a turned clone, as a process of its own terminal, tries to cancel the owner's task as somebody else. Tried in the shared level
// (test/who-asks.test.ts) and from inside a sandbox (test/confined.test.ts); docs/concepts/trust.md has them in a table, which
// test/trust-table.test.ts compares with this list.
//
// `$constel` is the program, `$said` a file of the clone's own, `$door` the address of the TCP door, `$daemon` the daemon's process, `$token` one
// that only looks, `$bun` Bun and `$kit` this directory.

export interface Way {
  readonly order: string;
  /** The refusal in the shared level. In the confined level any of `refusedInside` will do, or nothing is reached at all. */
  readonly code: string;
}

const clean = 'env -i PATH="$PATH" HOME="$HOME" CONSTEL_HOME="$CONSTEL_HOME" TMUX_TMPDIR="$TMUX_TMPDIR"';
/** Only where something was started that will say it. Bounded: an agent that waits for ever would hear none of the later orders. */
const awaitSaid =
  'tries=0; until grep -qF "  [" "$said" 2>/dev/null || [ $tries -ge 1000 ]; do tries=$((tries + 1)); sleep 0.02; done';
const untilSaid = `{ ${awaitSaid}; cat "$said"; }`;
const socket = `socket=$(ls "$TMUX_TMPDIR"/tmux-*/ 2>/dev/null | grep '^constel-')`;
const inTmux = (words: string): string => `${socket}; tmux -L "$socket" ${words} && ${untilSaid}`;
const cancel = '"$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1"';

/** A client of its own of the agents' tmux server, which reads keys from `$said-keys`; `$client` is its name. */
const attached =
  `tmux -L "$socket" has-session && mkfifo "$said-keys" && { (script -qec "env -u TMUX TERM=xterm tmux -L $socket attach -t agent1" /dev/null <>"$said-keys" >"$said-screen" 2>&1 &); ` +
  `tries=0; until client=$(tmux -L "$socket" list-clients -F '#{client_name}' | grep /dev/) || [ $tries -ge 500 ]; do tries=$((tries + 1)); sleep 0.02; done; [ -n "$client" ]; }`;
const awaitAsked =
  'tries=0; until grep -qF "(y/n)" "$said-screen" || [ $tries -ge 500 ]; do tries=$((tries + 1)); sleep 0.02; done';

/** Waits in a window of the agents' tmux server until a file in the home calls it somebody; `$said-leader` is that file. */
const planted = (agent: string, role: string): string =>
  `${socket}; ` +
  `printf 'echo $$ >%s-pid\\nuntil [ -e %s-go ]; do sleep 0.02; done\\n%s task cancel 1 --home %s >%s 2>&1\\n' "$said" "$said" "$constel" "$CONSTEL_HOME" "$said" >"$said-waits"; ` +
  `tmux -L "$socket" new-window -d "sh $said-waits" && { until [ -s "$said-pid" ]; do sleep 0.02; done; ` +
  `cp "$CONSTEL_HOME/state/agents/${agent}.json" "$said-kept" 2>/dev/null; ` +
  `"$bun" "$kit/plant-launch.ts" "$CONSTEL_HOME" ${agent} ${role} "$(cat "$said-pid")"; : >"$said-go"; ${untilSaid}; ` +
  `if [ -e "$said-kept" ]; then mv "$said-kept" "$CONSTEL_HOME/state/agents/${agent}.json"; else rm "$CONSTEL_HOME/state/agents/${agent}.json"; fi; }`;

/** Puts the shell into a control group, wherever the machine has them; the one around all of them for the empty name. */
const intoGroup = (name: string): string =>
  `for g in /sys/fs/cgroup/unified /sys/fs/cgroup; do echo $$ >"$g/${name}/cgroup.procs" && break; done 2>/dev/null`;

/** Tells whether a way is not there inside a sandbox: no tmux server, no other process. */
export const isNotInside = (way: string): boolean =>
  ways[way]?.code === "authority.nobody" || way.includes("another process");

export const refusedInside =
  /authority\.(clone|nobody|owner|observer)|identity\.(another|no-pass)|http\.(unauthorised|foreign-host|foreign-origin)|confined\.out-of-reach|schedule\.own-work|daemon\.not-yours|operation\.unknown|path\.symlink|400 Bad Request/;

export const ways: Readonly<Record<string, Way>> = {
  "as itself": { order: '"$constel" task cancel 1', code: "authority.clone" },
  "without its name": { order: 'env -u CONSTEL_AGENT "$constel" task cancel 1', code: "authority.clone" },
  "with an empty name": { order: 'CONSTEL_AGENT= "$constel" task cancel 1', code: "authority.clone" },
  "without any environment": { order: `${clean} "$constel" task cancel 1`, code: "authority.clone" },
  "as the owner": { order: 'CONSTEL_AGENT=owner "$constel" task cancel 1', code: "authority.clone" },
  "as the root": { order: 'CONSTEL_AGENT=agent0 "$constel" task cancel 1', code: "identity.another" },
  "as the watchdog": { order: 'CONSTEL_AGENT=agentinfinity "$constel" task cancel 1', code: "identity.another" },
  "as another clone": { order: 'CONSTEL_AGENT=agent2 "$constel" task cancel 1', code: "identity.another" },
  "as the ticker": { order: 'CONSTEL_AGENT=agentticker "$constel" task cancel 1', code: "identity.another" },
  "in a session of its own": { order: `setsid -w ${clean} "$constel" task cancel 1`, code: "authority.clone" },
  "forgotten by its parent": {
    order: `(setsid ${clean} sh -c '"$0" task cancel 1 >"$1" 2>&1' "$constel" "$said" &); ${untilSaid}`,
    code: "authority.clone",
  },
  "forgotten twice": {
    order: `(setsid sh -c '(setsid ${clean} sh -c "\\"\\$0\\" task cancel 1 >\\"\\$1\\" 2>&1" "$0" "$1" &)' "$constel" "$said" &); ${untilSaid}`,
    code: "authority.clone",
  },
  "after its parent was killed": {
    order: `sh -c '(sleep 0.2; ${clean} "$0" task cancel 1 >"$1" 2>&1) & kill -9 $$' "$constel" "$said"; ${untilSaid}`,
    code: "authority.clone",
  },
  "by another name of the program": {
    order: `ln -sf "$constel" "\${said}-shell"; ${clean} "\${said}-shell" task cancel 1`,
    code: "authority.clone",
  },
  "in a terminal of its own making": {
    order: `${clean} script -qec "$constel task cancel 1" /dev/null`,
    code: "authority.clone",
  },
  "in a tmux server of its own": {
    order: `${clean} TMUX_TMPDIR="\${said%/*}" tmux -L own -f /dev/null new-session -d "$constel task cancel 1 >$said 2>&1" && ${untilSaid}`,
    code: "authority.clone",
  },
  "in a window of the agents' tmux server": { order: inTmux(`new-window -d ${cancel}`), code: "authority.nobody" },
  "in a new session of the agents' tmux server": {
    order: inTmux(`new-session -d -s mine ${cancel}`),
    code: "authority.nobody",
  },
  "by a command of the agents' tmux server": { order: inTmux(`run-shell -b ${cancel}`), code: "authority.nobody" },
  "by what another's pane is piped to": {
    order: `${inTmux(`pipe-pane -t agent2 ${cancel} && tmux -L "$socket" send-keys -t agent2 x`)}; tmux -L "$socket" pipe-pane -t agent2`,
    code: "authority.nobody",
  },
  "by a condition of the agents' tmux server": {
    order: inTmux(`if-shell -b ${cancel} ""`),
    code: "authority.nobody",
  },
  "through the socket, saying nothing": {
    order: `curl -s --unix-socket "$CONSTEL_HOME/state/daemon.sock" -d '{"task":1}' http://x/op/task.cancel`,
    code: "identity.no-pass",
  },
  "through the socket, saying owner": {
    order: `curl -s --unix-socket "$CONSTEL_HOME/state/daemon.sock" -H 'x-constel-actor: owner' -H 'x-constel-pass: x' -d '{"task":1}' http://x/op/task.cancel`,
    code: "identity.no-pass",
  },
  "with a home reached by a link": {
    order: `ln -sfn "$CONSTEL_HOME" "\${said}-linked"; ${clean} CONSTEL_HOME="\${said}-linked" "$constel" task cancel 1 --home "\${said}-linked"`,
    code: "authority.clone",
  },
  // Found later, by trying what the list above does not.
  "out of its control group, forgotten": {
    order: `(setsid ${clean} sh -c 'for g in /sys/fs/cgroup/cgroup.procs /sys/fs/cgroup/*/cgroup.procs; do echo $$ >"$g" && break; done 2>/dev/null; "$0" task cancel 1 >"$1" 2>&1' "$constel" "$said" &); ${untilSaid}`,
    code: "authority.",
  },
  "in a namespace of its own": {
    // It ends well whatever constel answers: only where no namespace is to be had is something said for it.
    order: `unshare -Ur sh -c '${clean} "$0" task cancel 1; :' "$constel" || echo no namespace: authority.clone`,
    code: "authority.",
  },
  "with a library put before the program's": {
    order: `printf 'process.env.CONSTEL_AGENT = "owner";\n' >"$said-first.js"; ${clean} LD_PRELOAD="$(ls /lib/*/libm.so.6 | head -n 1)" LD_LIBRARY_PATH="\${said%/*}" NODE_OPTIONS="--require $said-first.js" NODE_PATH="\${said%/*}" "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "with programs of its own first on the PATH": {
    order: `mkdir -p "\${said}-bin"; for one in git tmux ps stty; do printf '#!/bin/sh\\nexit 0\\n' >"\${said}-bin/$one"; chmod +x "\${said}-bin/$one"; done; PATH="\${said}-bin:$PATH" CONSTEL_AGENT= "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "with git's variables pointing elsewhere": {
    order: `GIT_DIR=/nonexistent GIT_CONFIG_GLOBAL=/dev/null GIT_SSH_COMMAND=false CONSTEL_AGENT= "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "with a tmux server that does not exist in its variables": {
    order: `TMUX=/nonexistent/fake,1,0 TMUX_PANE=%0 CONSTEL_AGENT= "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "with a home of its own whose state is a link to the true one": {
    order: `mkdir -p "\${said}-home"; ln -sfn "$CONSTEL_HOME/state" "\${said}-home/state"; ${clean} CONSTEL_HOME="\${said}-home" "$constel" task cancel 1 --home "\${said}-home"`,
    code: "",
  },
  "through the socket as another process sees it": {
    order: `curl -s --unix-socket "/proc/$daemon/root$CONSTEL_HOME/state/daemon.sock" -H 'x-constel-actor: owner' -d '{"task":1}' http://x/op/task.cancel`,
    code: "identity.no-pass",
  },
  "through the TCP door, without a token": {
    order: `curl -s -d '{"task":1}' "$door/op/task.cancel"`,
    code: "http.unauthorised",
  },
  "through MCP over the TCP door, with a token of its own": {
    order: `curl -s -H 'authorization: Bearer constel_x' -H 'content-type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call"}' "$door/mcp"`,
    code: "http.unauthorised",
  },
  // Found by thinking as somebody who has read all of the above.
  "by a command of the agents' tmux server that is let go of": {
    order: `printf 'sleep 0.3; env -i PATH="%s" HOME="%s" "%s" task cancel 1 --home "%s" >"%s" 2>&1\\n' "$PATH" "$HOME" "$constel" "$CONSTEL_HOME" "$said" >"$said-later"; ${inTmux('run-shell -b "setsid sh $said-later </dev/null >/dev/null 2>&1 &"')}`,
    code: "authority.nobody",
  },
  "by a hook of the agents' tmux server": {
    order: `${inTmux(`set-hook -g after-rename-window "run-shell -b '$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1'" && tmux -L "$socket" rename-window x`)}; tmux -L "$socket" set-hook -gu after-rename-window`,
    code: "authority.nobody",
  },
  "in half of another's window": { order: inTmux(`split-window -d -t agent2 ${cancel}`), code: "authority.nobody" },
  "by keys typed into the ticker's terminal": {
    // They are there, as its screen shows, and nobody reads them. Should somebody, later, the task is no longer open in the ways after this.
    order: `${socket}; tmux -L "$socket" send-keys -t agentticker "$constel task cancel 1 >$said 2>&1" Enter && { tries=0; until tmux -L "$socket" capture-pane -p -t agentticker | grep -q "task cancel" || [ $tries -ge 500 ]; do tries=$((tries + 1)); sleep 0.02; done; tmux -L "$socket" capture-pane -p -J -t agentticker | grep -o "task cancel 1" && { cat "$said" 2>/dev/null || echo nobody read it: authority.nobody; }; }`,
    code: "authority.nobody",
  },
  "as a process that a planted file calls the ticker": { order: planted("agentx", "ticker"), code: "authority.nobody" },
  "as a process that a planted file calls the root": { order: planted("agent0", "root"), code: "authority.nobody" },
  "with a name that looks like the root's": {
    order: `CONSTEL_AGENT=$(printf '\\320\\260gent0') "$constel" task cancel 1`,
    code: "identity.another",
  },
  "with the names of roles": {
    order: `for name in constel root Agent0 human:owner daemon; do CONSTEL_AGENT=$name "$constel" task cancel 1; done`,
    code: "identity.another",
  },
  "through the TCP door, by a name rebound to this machine": {
    order: `curl -s -H 'host: constel.example' -H "authorization: Bearer $token" -d '{"task":1}' "$door/op/task.cancel"`,
    code: "http.foreign-host",
  },
  "through the TCP door, as a page of another site": {
    order: `curl -s -H 'origin: http://constel.example' -H "authorization: Bearer $token" -d '{"task":1}' "$door/op/task.cancel"`,
    code: "http.foreign-origin",
  },
  "through the TCP door, with a token that only looks": {
    order: `curl -s -H "authorization: Bearer $token" -H 'x-constel-actor: owner' -d '{"task":1}' "$door/op/task.cancel"; curl -s -H "authorization: Bearer $token" -d '{"task":1}' "$door/op/task.cancel"`,
    code: "authority.observer",
  },
  "through MCP over the socket, without a pass": {
    order: `curl -s --unix-socket "$CONSTEL_HOME/state/daemon.sock" -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task","arguments":{"action":"cancel","task":1}}}' http://x/mcp`,
    code: "identity.no-pass",
  },
  "by a connection of a process that has ended": {
    order: `perl "$kit/handed-on.pl" "$CONSTEL_HOME/state" 1 >"$said-on" 2>&1; until grep -q "handed on\\|who:\\|daemon:" "$said-on"; do sleep 0.02; done; cat "$said-on"`,
    code: "identity.no-pass",
  },
  "through a program that keeps its orphans": {
    order: `"$constel" adopt-orphans -- ${clean} "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "as what git runs": {
    order: `git -C "\${said%/*}" init -q "$said-git"; git -C "$said-git" -c alias.x="!${clean} $constel task cancel 1 --home $CONSTEL_HOME" x; git -C "$said-git" -c core.fsmonitor="$constel task cancel 1 --home $CONSTEL_HOME; :" status`,
    code: "authority.clone",
  },
  "as a session that a person started": {
    order: `printf '{"hook_event_name":"SessionStart","session_id":"other","cwd":"/tmp"}' | ${clean} "$constel" hook claude; ${clean} "$constel" task cancel 1; rm -f "$CONSTEL_HOME"/state/guests/*`,
    code: "authority.clone",
  },
  "from a directory that holds settings for Bun": {
    order: `here="$CONSTEL_ROOT/workspaces/$CONSTEL_AGENT"; [ -d "$here" ] || here="$said-here"; mkdir -p "$here/hostile"; cd "$here/hostile"; printf 'CONSTEL_AGENT=owner\\n' >.env; printf 'preload = ["./first.ts"]\\n' >bunfig.toml; printf 'process.env.CONSTEL_AGENT = "owner";\\n' >first.ts; printf '{"name":"constel"}' >package.json; "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "with rights that it gives itself back": {
    order: `prlimit --pid $$ --msgqueue=819200:819200 2>/dev/null; ${clean} "$constel" task cancel 1`,
    code: "authority.clone",
  },
  // Found by looking at what each of the rules above rests on.
  "in the control group of the root": {
    order: `${socket}; sh -c '${intoGroup("$1-agent0")}; CONSTEL_AGENT= "$0" task cancel 1' "$constel" "$socket"`,
    code: "authority.clone",
  },
  "in the control group of the root, by the root's name": {
    order: `${socket}; sh -c '${intoGroup("$1-agent0")}; CONSTEL_AGENT=agent0 "$0" task cancel 1' "$constel" "$socket"`,
    code: "identity.another",
  },
  "in the control group of another, forgotten": {
    order: `${socket}; (setsid ${clean} sh -c '${intoGroup("$2-agent2")}; "$0" task cancel 1 >"$1" 2>&1' "$constel" "$said" "$socket" &); ${untilSaid}`,
    code: "authority.clone",
  },
  "in the control group of the root, in a window of the agents' tmux server": {
    order: `${socket}; printf '${intoGroup("%s-agent0")}\n%s task cancel 1 --home %s >%s 2>&1\n' "$socket" "$constel" "$CONSTEL_HOME" "$said" >"$said-grouped"; ${inTmux('new-window -d "sh $said-grouped"')}`,
    code: "authority.nobody",
  },
  "by a client of its own that asks for a pass": {
    order: `perl "$kit/own-client.pl" "$CONSTEL_HOME/state" owner 1`,
    code: "authority.clone",
  },
  "by a client of its own, in the root's name": {
    order: `perl "$kit/own-client.pl" "$CONSTEL_HOME/state" agent0 1`,
    code: "identity.another",
  },
  "with a pass that was given to a process that has ended": {
    order: `perl "$kit/own-client.pl" "$CONSTEL_HOME/state" owner 1 "$said-pass"; curl -s --unix-socket "$CONSTEL_HOME/state/daemon.sock" -H "x-constel-pass: $(cat "$said-pass")" -d '{"task":1}' http://x/op/task.cancel`,
    code: "identity.no-pass",
  },
  "through the TCP door, with a token in the address": {
    order: `curl -s -d '{"task":1}' "$door/op/task.cancel?token=$token&access_token=$token"`,
    code: "http.unauthorised",
  },
  "through the TCP door, with a token in a cookie": {
    order: `curl -s -H "cookie: token=$token" -H "x-api-key: $token" -H 'x-forwarded-for: 127.0.0.1' -d '{"task":1}' "$door/op/task.cancel"`,
    code: "http.unauthorised",
  },
  "through the TCP door, by a request hidden in another": {
    order: `perl "$kit/hidden-request.pl" "\${door#http://}" "$token" 1`,
    code: "400 Bad Request",
  },
  "through MCP over the TCP door, in another's session": {
    order: `curl -s -H "authorization: Bearer $token" -H 'mcp-session-id: another' -H 'content-type: application/json' -H 'accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task","arguments":{"action":"ready","task":1}}}' "$door/mcp"`,
    code: "authority.observer",
  },
  "by a hook in the root's name": {
    order: `printf '{"hook_event_name":"SessionStart","session_id":"other","cwd":"/tmp"}' | CONSTEL_AGENT=agent0 "$constel" hook claude; CONSTEL_AGENT=agent0 "$constel" task cancel 1`,
    code: "identity.another",
  },
  "by a command in a text of the agents' tmux server": {
    // tmux ends what a text runs when the client goes that asked for the text, so the client stays.
    order: `${socket}; tmux -L "$socket" has-session && { printf 'display-message -p "#(%s task cancel 1 --home %s >%s 2>&1)"\n' "$constel" "$CONSTEL_HOME" "$said"; ${awaitSaid}; } | tmux -L "$socket" -C attach -f ignore-size -t agent1 >/dev/null 2>&1; cat "$said"`,
    code: "authority.nobody",
  },
  "by what another's screen is copied to": {
    order: inTmux(
      `copy-mode -t agent2 && tmux -L "$socket" send-keys -t agent2 -X select-line && tmux -L "$socket" send-keys -t agent2 -X copy-pipe-and-cancel ${cancel}`,
    ),
    code: "authority.nobody",
  },
  "in a pane that is started again": {
    order: inTmux(`new-window -d -n again "sleep 60" && tmux -L "$socket" respawn-pane -k -t again ${cancel}`),
    code: "authority.nobody",
  },
  "in a pane that changes places with another's": {
    order: `printf 'until [ -e %s-go ]; do sleep 0.02; done; %s task cancel 1 --home %s >%s 2>&1\n' "$said" "$constel" "$CONSTEL_HOME" "$said" >"$said-waits"; ${inTmux(`new-window -d -n placed "sh $said-waits" && tmux -L "$socket" swap-pane -d -s placed -t agent2 && : >"$said-go"`)}; tmux -L "$socket" swap-pane -d -s placed -t agent2`,
    code: "authority.nobody",
  },
  "with code put before Bun's": {
    order: `printf 'process.getuid = () => 0; Object.defineProperty(process, "pid", { value: 1 });\n' >"$said-first.ts"; BUN_OPTIONS="--preload $said-first.ts" NODE_OPTIONS="--require $said-first.ts" BUN_INSPECT_PRELOAD="$said-first.ts" CONSTEL_AGENT= "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "in a namespace with a /proc of its own": {
    order: `unshare -Urpf --mount-proc sh -c '${clean} "$0" task cancel 1; :' "$constel" || echo no namespace: authority.clone`,
    code: "authority.clone",
  },
  "in a namespace with a /proc of its own, by what needs no daemon": {
    order: `unshare -Urpf --mount-proc sh -c '${intoGroup("")}; ${clean} "$0" config set agents.confined true; :' "$constel" || echo no namespace: authority.nobody`,
    code: "authority.",
  },
  "with a home of its own that has the keys and sockets of the true one": {
    order: `mkdir -p "$said-own/state"; cp -r "$CONSTEL_HOME/keys" "$said-own/"; for one in who daemon; do ln -sf "$CONSTEL_HOME/state/$one.sock" "$said-own/state/$one.sock"; done; CONSTEL_HOME="$said-own" "$constel" task cancel 1; CONSTEL_AGENT= "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "as a guest that a planted file calls it": {
    order: `sh -c 'mkdir -p "$CONSTEL_HOME/state/guests"; printf "{\\"runtime\\":\\"claude\\",\\"session\\":\\"s\\",\\"cwd\\":\\"/\\",\\"startedAt\\":1,\\"process\\":{\\"pid\\":$$,\\"token\\":\\"x-0\\"}}" >"$CONSTEL_HOME/state/guests/agentg0123456789ab.json"; ${clean} "$0" task cancel 1; rm -f "$CONSTEL_HOME"/state/guests/*' "$constel"`,
    code: "authority.clone",
  },
  // Found by looking at what acts for the owner, and at who can start it.
  "with settings of its own on the line": {
    order: '"$constel" task cancel 1 --set agents.confined=false --set constellation.name=owner',
    code: "authority.clone",
  },
  "by a round of the watchdog with its own programs first": {
    order: 'mkdir -p "$said-bin"; PATH="$said-bin:$PATH" "$constel" watchdog tick --root "$said-bin"',
    code: "authority.clone",
  },
  "as the daemon": { order: `${clean} "$constel" daemon run --existing-home`, code: "daemon.not-yours" },
  "as a verb of a schedule": {
    order: `${clean} "$constel" firing cron:mine -- task cancel 1`,
    code: "authority.owner",
  },
  "by an order for a schedule": {
    order: `${clean} "$constel" cron add mine '* * * * *' -- task cancel 1`,
    code: "authority.clone",
  },
  "by the end of a loop": {
    order: `${clean} "$constel" loop create 30m agent1 "go on" --id mine --until "$constel task cancel 1"`,
    code: "schedule.own-work",
  },
  "as a sibling instead of a child": {
    order: `perl -e '$_ = \`uname -m\`; if (syscall(/x86_64/ ? 56 : 220, 0x8000 | 17, 0, 0, 0, 0) == 0) { exec "sh", "-c", q(exec "$0" task cancel 1 >"$1" 2>&1), @ARGV }' "$constel" "$said" && ${untilSaid}`,
    code: "authority.clone",
  },
  "through a program of its own that keeps its orphans": {
    order: `perl -e '$_ = \`uname -m\`; syscall(/x86_64/ ? 157 : 167, 36, 1, 0, 0, 0); if (!fork) { exit if fork; exec "sh", "-c", q(exec setsid "$0" task cancel 1 >"$1" 2>&1), @ARGV } wait; wait' "$constel" "$said"; ${untilSaid}`,
    code: "authority.clone",
  },
  "with a hook that names another's process as its own": {
    order: `printf '{"hook_event_name":"SessionStart","session_id":"other","cwd":"/tmp"}' | ${clean} CLAUDE_PID="$daemon" "$constel" hook claude; ${clean} "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "through the TCP door, with two tokens": {
    order: `curl -s -H "authorization: Bearer $token" -H 'authorization: Bearer constel_x' -d '{"task":1}' "$door/op/task.cancel"`,
    code: "http.unauthorised",
  },
  "through the TCP door, by another spelling of what it asks": {
    order: `curl -s -H "authorization: Bearer $token" -d '{"task":1}' "$door/op/Task.Cancel"`,
    code: "operation.unknown",
  },
  // Found by looking at who else speaks for a process.
  "through MCP over its own input, by the root's name": {
    order: `{ printf '%s\\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' '{"jsonrpc":"2.0","method":"notifications/initialized"}' '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"task","arguments":{"action":"ready","task":1}}}'; tries=0; until grep -q '"id":1' "$said" || [ $tries -ge 1000 ]; do tries=$((tries + 1)); sleep 0.02; done; } | CONSTEL_AGENT=agent0 "$constel" mcp >"$said" 2>&1; cat "$said"`,
    code: "identity.another",
  },
  "as what another namespace's first process left behind": {
    order: `unshare -Urpf sh -c '(setsid ${clean} sh -c "sleep 0.2; exec \\"\\$0\\" task cancel 1 >\\"\\$1\\" 2>&1" "$0" "$1" &); sleep 1' "$constel" "$said" || echo no namespace: authority.clone; cat "$said" 2>/dev/null`,
    code: "authority.",
  },
  // Found by looking at what the kernel and tmux hand from one process to another.
  "by a file of commands for the agents' tmux server": {
    order: `printf 'run-shell -b "%s task cancel 1 --home %s >%s 2>&1"\n' "$constel" "$CONSTEL_HOME" "$said" >"$said-commands"; ${inTmux('source-file "$said-commands"')}`,
    code: "authority.nobody",
  },
  "by what the agents' tmux server starts where nothing is named": {
    order: `${inTmux(`set-option -g default-command ${cancel} && tmux -L "$socket" new-window -d`)}; tmux -L "$socket" set-option -gu default-command`,
    code: "authority.nobody",
  },
  "by a popup over a terminal of its own": {
    order: `${socket}; ${attached} && { tmux -L "$socket" display-popup -c "$client" -E ${cancel}; ${untilSaid}; tmux -L "$socket" detach-client -t "$client"; }`,
    code: "authority.nobody",
  },
  "by a question of the agents' tmux server that it answers itself": {
    order: `${socket}; printf 'run-shell -b "%s task cancel 1 --home %s >%s 2>&1"\n' "$constel" "$CONSTEL_HOME" "$said" >"$said-commands"; ${attached} && { (tmux -L "$socket" confirm-before -t "$client" "source-file $said-commands" &); ${awaitAsked}; echo y >"$said-keys"; ${untilSaid}; tmux -L "$socket" detach-client -t "$client"; }`,
    code: "authority.nobody",
  },
  "with a connection that is handed to it from a window of the agents' tmux server": {
    order: `${socket}; tmux -L "$socket" new-window -d "perl $kit/handed-over.pl give $CONSTEL_HOME/state $said-meets" && perl "$kit/handed-over.pl" take "$CONSTEL_HOME/state" "$said-meets" 1`,
    code: "authority.nobody",
  },
  "with a connection that is handed to it by a process of its own": {
    order: `(setsid ${clean} perl "$kit/handed-over.pl" give "$CONSTEL_HOME/state" "$said-meets" >/dev/null 2>&1 &); perl "$kit/handed-over.pl" take "$CONSTEL_HOME/state" "$said-meets" 1`,
    code: "authority.clone",
  },
  "by a service of the machine": {
    order: `systemd-run --user --quiet --wait sh -c "$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1" && cat "$said" || { echo "$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1" | at now && ${untilSaid}; } || echo no such service: authority.nobody`,
    code: "authority.nobody",
  },
  "with files of its own laid over those of the home": {
    order: `mkdir -p "$said-empty"; unshare -Urm sh -c 'for one in agents guests; do mount --bind "$2-empty" "$CONSTEL_HOME/state/$one"; done; ${clean} "$0" task cancel 1; ${clean} "$0" config set agents.confined true; :' "$constel" 1 "$said" || echo no namespace: authority.nobody`,
    code: "authority.",
  },
  "with Bun's inspector open, and another program to run its scripts": {
    order: `BUN_INSPECT=ws://127.0.0.1:0/x BUN_CONFIG_PRELOAD="$said-first.ts" NODE_OPTIONS=--inspect=127.0.0.1:0 BUN_BE_BUN=1 CONSTEL_AGENT= "$constel" task cancel 1; CONSTEL_AGENT= "$constel" task cancel 1`,
    code: "authority.clone",
  },
  "in another's pane, which is started again": {
    order: inTmux(`respawn-pane -k -t agent2 ${cancel}`),
    code: "authority.nobody",
  },
};

// Ways in which a turned clone, as a process of its own terminal, tries to cancel the owner's task as somebody else. Tried in the shared level
// (test/who-asks.test.ts) and from inside a sandbox (test/confined.test.ts); docs/concepts/trust.md numbers them by their names.
//
// `$constel` is the program, `$said` a file of the clone's own, `$door` the address of the TCP door, `$daemon` the daemon's process.

export interface Way {
  readonly order: string;
  /** The refusal in the shared level. In the confined level any of `refusedInside` will do, or nothing is reached at all. */
  readonly code: string;
}

const clean = 'env -i PATH="$PATH" HOME="$HOME" CONSTEL_HOME="$CONSTEL_HOME" TMUX_TMPDIR="$TMUX_TMPDIR"';
/** Only where something was started that will say it. */
const untilSaid = '{ until grep -qF "  [" "$said" 2>/dev/null; do sleep 0.02; done; cat "$said"; }';
const socket = `socket=$(ls "$TMUX_TMPDIR"/tmux-*/ 2>/dev/null | grep '^constel-')`;
const inTmux = (words: string): string => `${socket}; tmux -L "$socket" ${words} && ${untilSaid}`;
const cancel = '"$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1"';

export const refusedInside =
  /authority\.(clone|nobody|owner)|identity\.(another|no-pass)|http\.unauthorised|confined\.out-of-reach|path\.symlink/;

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
    order: `unshare -Ur ${clean} "$constel" task cancel 1 || echo no namespace: authority.clone`,
    code: "authority.",
  },
  "with a library put before the program's": {
    order: `LD_PRELOAD=/nonexistent.so NODE_OPTIONS="--require /nonexistent.js" BUN_OPTIONS="" ${clean} "$constel" task cancel 1`,
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
};

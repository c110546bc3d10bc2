// A clone that was turned, as a process of its own terminal, tries to act as the owner, as the root and as another clone, through
// constel's own doors. Each way is refused, or the clone is taken for what it is.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectTop, TestHome, until } from "./kit/home.ts";

const at = new TestHome();
let orders = 0;

/** Has agent1 run a script in its own terminal; answers what it said. `$constel` is the program, without the agent's PATH. */
async function ordered(script: string): Promise<string> {
  orders += 1;
  const order = join(at.top, "orders/agent1", `${orders}.sh`);
  const program = join(at.home, "state/bin/constel");
  writeFileSync(`${order}.written`, `constel=${program}\nsaid=$HOME/said-${orders}\n${script}\n`);
  renameSync(`${order}.written`, order);
  await until(`the order ${script}`, () => existsSync(`${order}.done`), Boolean);
  return readFileSync(`${order}.done`, "utf8");
}

const clean = 'env -i PATH="$PATH" HOME="$HOME" CONSTEL_HOME="$CONSTEL_HOME" TMUX_TMPDIR="$TMUX_TMPDIR"';
const untilSaid = 'until [ -s "$said" ]; do sleep 0.02; done; cat "$said"';

beforeAll(async () => {
  mkdirSync(join(at.top, "orders"));
  const agent = join(projectTop, "test/kit/obedient-agent.sh");
  await at.constel(["config", "set", "agents.script_command", JSON.stringify([agent])]);
  await at.constel(["config", "set", "http.enabled", "true"]);
  await at.constel(["up", "2", "--type", "script"]);
  await at.constel(["task", "create", "the owner's task"]);
  await until("agent1 listens", () => existsSync(join(at.top, "orders/agent1")), Boolean);
});
afterAll(() => at[Symbol.asyncDispose]());

/** Each tries to cancel the owner's task. */
const ways: Readonly<Record<string, { readonly order: string; readonly code: string }>> = {
  "as itself": { order: "constel task cancel 1", code: "authority.clone" },
  "without its name": { order: "env -u CONSTEL_AGENT constel task cancel 1", code: "authority.clone" },
  "with an empty name": { order: "CONSTEL_AGENT= constel task cancel 1", code: "authority.clone" },
  "without any environment": { order: `${clean} "$constel" task cancel 1`, code: "authority.clone" },
  "as the owner": { order: "CONSTEL_AGENT=owner constel task cancel 1", code: "authority.clone" },
  "as the root": { order: "CONSTEL_AGENT=agent0 constel task cancel 1", code: "identity.another" },
  "as the watchdog": { order: "CONSTEL_AGENT=agentinfinity constel task cancel 1", code: "identity.another" },
  "as another clone": { order: "CONSTEL_AGENT=agent2 constel task cancel 1", code: "identity.another" },
  "as the ticker": { order: "CONSTEL_AGENT=agentticker constel task cancel 1", code: "identity.another" },
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
    order: `ln -sf "$constel" "$HOME/owner-shell"; ${clean} "$HOME/owner-shell" task cancel 1`,
    code: "authority.clone",
  },
  "in a terminal of its own making": {
    order: `${clean} script -qec "$constel task cancel 1" /dev/null`,
    code: "authority.clone",
  },
  "in a tmux server of its own": {
    order: `${clean} tmux -L own -f /dev/null new-session -d "$constel task cancel 1 >$said 2>&1"; ${untilSaid}`,
    code: "authority.clone",
  },
  "in a window of the agents' tmux server": {
    order: `socket=$(ls "$TMUX_TMPDIR"/tmux-*/ | grep '^constel-'); tmux -L "$socket" new-window -d "$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1"; ${untilSaid}`,
    code: "authority.nobody",
  },
  "in a new session of the agents' tmux server": {
    order: `socket=$(ls "$TMUX_TMPDIR"/tmux-*/ | grep '^constel-'); tmux -L "$socket" new-session -d -s mine "$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1"; ${untilSaid}`,
    code: "authority.nobody",
  },
  "by a command of the agents' tmux server": {
    order: `socket=$(ls "$TMUX_TMPDIR"/tmux-*/ | grep '^constel-'); tmux -L "$socket" run-shell -b "$constel task cancel 1 --home $CONSTEL_HOME >$said 2>&1"; ${untilSaid}`,
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
    order: `ln -sfn "$CONSTEL_HOME" "$HOME/linked"; ${clean} CONSTEL_HOME="$HOME/linked" "$constel" task cancel 1 --home "$HOME/linked"`,
    code: "authority.clone",
  },
};

describe("a clone cannot cancel the owner's task", () => {
  for (const [way, { order, code }] of Object.entries(ways)) {
    test(way, async () => {
      expect(await ordered(order)).toContain(code);
      const { state } = await at.json<{ state: string }>(["task", "show", "1"]);
      expect(state).not.toBe("cancelled");
    });
  }
});

describe("what needs no daemon looks at itself in the same way", () => {
  test("agents are not started or ended in the owner's name", async () => {
    for (const verb of ["up 3", "down --all", "daemon stop"])
      expect(await ordered(`${clean} "$constel" ${verb}`)).toMatch(/authority\.(clone|owner)/);
    expect(at.daemonPid).toBeDefined();
  });

  test("a message is from who sends it, whatever its environment says", async () => {
    expect(await ordered(`${clean} "$constel" channel send agent2 hello --json`)).toContain("-from-agent1.json");
    expect(await ordered("CONSTEL_AGENT=agent0 constel channel send agent2 hello --json")).toContain(
      "identity.another",
    );
  });

  test("another's mailbox stays closed", async () => {
    expect(await ordered(`${clean} "$constel" channel drain agent2`)).toContain("authority.mailbox");
  });
});

test("a daemon that a clone starts runs by the owner's file, not by what the clone sets", async () => {
  const pid = at.daemonPid;
  expect(await ordered(`kill ${pid}; while kill -0 ${pid} 2>/dev/null; do sleep 0.02; done; echo gone`)).toContain(
    "gone",
  );
  const said = await ordered(
    `CONSTEL_HTTP_ENABLED=false ${clean} CONSTEL_HTTP_ENABLED=false "$constel" task list --set http.enabled=false; "$constel" daemon start --set http.enabled=false; "$constel" daemon status --json`,
  );
  expect(said).toContain("http://127.0.0.1:");
});

test("the owner may speak as an agent", async () => {
  const sent = await at.json<{ name: string }>(["channel", "send", "agent2", "hello"], {
    env: { CONSTEL_AGENT: "agent1" },
  });
  expect(sent.name).toContain("-from-agent1.json");
});

// A clone that was turned, as a process of its own terminal, tries to act as the owner, as the root and as another clone, through
// constel's own doors. Each way is refused, or the clone is taken for what it is.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHooks } from "../src/host/runtime/hook-records.ts";
import { projectTop, until } from "./kit/home.ts";
import { ObedientHome } from "./kit/obedient-home.ts";
import { ways } from "./kit/ways-to-act.ts";

const at = new ObedientHome();
const ordered = (script: string): Promise<string> => at.ordered(script);
const stateOfTask = (): Promise<string> => at.stateOfTask();

const kit = join(projectTop, "test/kit");
let door = "";
let token = "";

const rows = (sql: string): Promise<unknown[]> => at.json<unknown[]>(["query", sql]);

const clean = 'env -i PATH="$PATH" HOME="$HOME" CONSTEL_HOME="$CONSTEL_HOME" TMUX_TMPDIR="$TMUX_TMPDIR"';

beforeAll(async () => {
  await at.start();
  ({ http: door } = await at.json<{ http: string }>(["daemon", "status"]));
  ({ token } = await at.json<{ token: string }>(["token", "create", "look", "--role", "observer"]));
});
afterAll(() => at[Symbol.asyncDispose]());

describe("a clone cannot cancel the owner's task", () => {
  for (const [way, { order, code }] of Object.entries(ways)) {
    test(way, async () => {
      const given = `door=${door}\ndaemon=${at.daemonPid}\ntoken=${token}\nbun=${process.execPath}\nkit=${kit}`;
      const said = await ordered(`${given}\n${order}`);
      expect(said).toContain(code);
      // Refused as what it is: another clone's name, or a guest's, would be refused with the same code.
      if (code === "authority.clone") expect(said).toMatch(/agent1 is a clone|no namespace/);
      expect(await stateOfTask()).toBe("open");
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

  test("nothing that is the owner's alone is done for a clone: keys, tokens, directives, secrets", async () => {
    for (const [verb, code] of [
      ["owner init", "authority.owner"],
      ["keys rotate constellation", "authority.owner"],
      ["keys revoke agent2", "authority.owner"],
      ["token create mine --role owner", "authority.owner"],
      ["token ls", "authority.owner"],
      ["dashboard --no-open", "authority.owner"],
      ["owner direct obey", "keys.no-owner"],
      [`channel send agent2 AKIA${"Q".repeat(16)} --allow-secret`, "secret.found"],
      ["channel send agent2 do-this --kind brief", "bus.reserved-kind"],
    ])
      expect([verb, await ordered(`${clean} "$constel" ${verb}`)]).toEqual([verb, expect.stringContaining(code ?? "")]);
  });

  test("another's mailbox stays closed", async () => {
    expect(await ordered(`${clean} "$constel" channel drain agent2`)).toContain("authority.mailbox");
  });
});

/** Returns what agent2 is shown, as the owner looks. What was put aside is left out. */
async function shownToAgent2(): Promise<{ from: string; text: string; verified: boolean }[]> {
  const { messages } = await at.json<{ messages: { from: string; text: string; verified: boolean }[] }>([
    "channel",
    "drain",
    "agent2",
  ]);
  return messages.map(({ from, text, verified }) => ({ from, text, verified }));
}

describe("a file that a clone writes is taken for what it is", () => {
  let planted = 0;
  /** Puts a message into a mailbox by hand. */
  const plant = (envelope: object, to = "agent2"): string => {
    const { from } = envelope as { from: string };
    const number = String(++planted).padStart(8, "0");
    const name = `${"0".repeat(12)}${number}-0000000001-${number}-0000000001-from-${from}.json`;
    return `mkdir -p "$CONSTEL_HOME/channels/agent/${to}/inbox"; printf '%s' '${JSON.stringify({ ts: "2026-01-01T00:00:00Z", ...envelope })}' >"$CONSTEL_HOME/channels/agent/${to}/inbox/${name}"`;
  };

  test("words in the owner's, constel's or another's name, and a brief of its own", async () => {
    await shownToAgent2();
    const text = "planted";
    await ordered(
      [
        plant({ from: "agentowner", text }),
        plant({ from: "agentdispatch", text, kind: "brief", id: "dis_1", task: "1" }),
        plant({ from: "agentcron", text }),
        plant({ from: "agent3", text, kind: "brief" }),
        plant({ from: "agent0", text }),
      ].join("\n"),
    );
    expect(await shownToAgent2()).toEqual([{ from: "agent0", text, verified: false }]);
  });

  test("a copied id does not keep the true message away", async () => {
    await ordered(plant({ from: "agentowner", id: "same", text: "planted", idempotency_key: "k" }));
    await ordered(plant({ from: "agent0", id: "same", text: "planted", idempotency_key: "k" }));
    for (const env of [{}, { CONSTEL_AGENT: "agent0" }])
      await at.constel(["channel", "send", "agent2", "true", "--key", "k"], { env });
    expect(await shownToAgent2()).toEqual([
      { from: "agent0", text: "planted", verified: false },
      { from: "agentowner", text: "true", verified: true },
      { from: "agent0", text: "true", verified: true },
    ]);
  });

  test("a signed message that is replayed, to another agent or with other words", async () => {
    await at.constel(["channel", "send", "agent3", "true"]);
    const inboxes = '"$CONSTEL_HOME/channels/agent';
    await ordered(`cd ${inboxes}"; for one in agent3/inbox/*.json; do cp "$one" "agent2/inbox/\${one##*/}"; done`);
    await ordered(
      `cd ${inboxes}"; for one in agent3/inbox/*.json; do sed 's/"true"/"false"/;s/"agent3"/"agent2"/' "$one" >"agent2/inbox/\${one##*/}"; done`,
    );
    expect(await shownToAgent2()).toEqual([]);
  });

  test("lines in another's hook file, by hand and by constel's own hook in another's name", async () => {
    const line = '{"event":"prompt-submitted","at":%s000,"session":"forged","messages":["m1"]}';
    await ordered(`printf '${line}\\n' "$(date +%s)" >>"$CONSTEL_HOME/state/hooks/agent2.jsonl"`);
    const payload = '{"hook_event_name":"UserPromptSubmit","session_id":"forged","prompt":"[constel:m1]"}';
    await ordered(`printf '%s' '${payload}' | ${clean} CONSTEL_AGENT=agent2 "$constel" hook claude`);
    await ordered(`${clean} CONSTEL_AGENT=agent2 "$constel" script-agent </dev/null`);
    expect(readHooks(at.home, "agent2", 0)).toEqual([]);
    await ordered(`printf '%s' '${payload}' | "$constel" hook claude`);
    expect(readHooks(at.home, "agent1", 0)).toMatchObject([{ session: "forged", event: "prompt-submitted" }]);
  });

  test("lines in the journal: another's word, and a delivery that never was", async () => {
    const record = (state: string, more: object) =>
      JSON.stringify({
        id: `rec_${state}`,
        at: new Date().toISOString(),
        state,
        to: "agent0",
        name: `${"0".repeat(20)}-0000000001-00000000-0000000001-from-agent2.json`,
        ...more,
      });
    const envelope = {
      from: "agent2",
      to: "agent0",
      text: "done",
      ts: new Date().toISOString(),
      kind: "ready",
      task: "1",
    };
    const lines = [record("sent", { envelope, by: "agent2" }), record("delivered", { by: "agent0" })];
    await ordered(
      lines.map((line) => `printf '%s\\n' '${line}' >>"$CONSTEL_HOME/logs/bus-$(date -u +%F).jsonl"`).join("\n"),
    );
    await at.constel(["channel", "send", "agent0", "after"]);
    await until(
      "the account has read on",
      async () => (await rows("select 1 from messages where text = 'after'")).length,
      Boolean,
    );
    expect(await rows("select 1 from messages where sender = 'agent2' and receiver = 'agent0'")).toEqual([]);
  });

  test("a key in the ring, and a token where one used to lie", async () => {
    const ring = '"$CONSTEL_HOME/keys/ring.jsonl"';
    const said = await ordered(
      `cp ${ring} "$HOME/ring"; echo '{"op":"add","holder":"owner"}' >>${ring}; "$constel" keys ls; cp "$HOME/ring" ${ring}`,
    );
    expect(said).toContain("not what constel wrote");
    const { http } = await at.json<{ http: string }>(["daemon", "status"]);
    expect(
      await ordered(
        `cat "$CONSTEL_HOME/keys/http-token"; echo planted-token >"$CONSTEL_HOME/keys/http-token"; curl -s -H "authorization: Bearer planted-token" -H 'x-constel-actor: owner' -d '{"task":1}' ${http}/op/task.cancel`,
      ),
    ).toMatch(/No such file[\s\S]*http\.unauthorised/);
  });
});

test("what sits in the daemon's place is neither believed nor told anything", async () => {
  const sockets = join(at.home, "state");
  const going = ordered(
    `cd ${sockets}; mv daemon.sock true.sock; (setsid ${process.execPath} ${kit}/false-daemon.ts ${sockets}/daemon.sock ${sockets}/true.sock 1 "$said" >/dev/null 2>&1 &); until [ -e daemon.sock ]; do sleep 0.01; done`,
  );
  await going;
  const heard = await askedBeside(sockets, ["daemon"]);
  // A daemon that looks just then finds that its socket is another's, and ends: then the command reads the database by itself.
  expect(heard.includes("[daemon.impostor]") || /^task +prio/.test(heard)).toBe(true);
  expect(existsSync(at.said)).toBe(false);
  expect(await stateOfTask()).toBe("open");
});

/** Returns what `task list` says while something sits there. Afterwards the daemon is in its place again. */
async function askedBeside(sockets: string, names: readonly string[]): Promise<string> {
  const { stderr, stdout } = await at.constel(["task", "list"]);
  for (const name of names) {
    const kept = join(sockets, names.length === 1 ? "true.sock" : `true-${name}.sock`);
    if (existsSync(kept)) renameSync(kept, join(sockets, `${name}.sock`));
  }
  await at.constel(["daemon", "stop"]);
  await at.constel(["daemon", "start"]);
  return `${stderr}${stdout}`;
}

test("the owner ends what sits there by stopping the daemon, and the next command has a true one", async () => {
  const sockets = join(at.home, "state");
  await ordered(
    `cd ${sockets}; mv daemon.sock true.sock; (setsid ${process.execPath} ${kit}/false-daemon.ts ${sockets}/daemon.sock ${sockets}/true.sock 1 "$said" >/dev/null 2>&1 &); until [ -e daemon.sock ]; do sleep 0.01; done`,
  );
  const before = at.daemonPid;
  expect(await at.constel(["daemon", "stop"])).toMatchObject({ code: 0 });
  expect(await stateOfTask()).toBe("open");
  expect(await at.constel(["daemon", "start"])).toMatchObject({ code: 0 });
  expect(at.daemonPid).not.toBe(before);
  expect(existsSync(at.said)).toBe(false);
});

test("nor is it when it has the other socket too, and is started by no agent that is still known", async () => {
  const sockets = join(at.home, "state");
  await ordered(
    `cd ${sockets}; for one in daemon who; do mv $one.sock true-$one.sock; done; (setsid ${process.execPath} ${kit}/false-daemon.ts ${sockets}/daemon.sock ${sockets}/true-daemon.sock 1 "$said" ${sockets}/who.sock >/dev/null 2>&1 &); until [ -e who.sock ]; do sleep 0.01; done`,
  );
  const said = await askedBeside(sockets, ["daemon", "who"]);
  expect(said).toMatch(/is not the daemon: an agent started it[\s\S]*\[daemon\.impostor\]|^task +prio/);
  expect(existsSync(at.said)).toBe(false);
});

test("a second daemon that a clone would be, for the home and for a link to it, is refused at once", async () => {
  const said = await ordered(
    `ln -sfn "$CONSTEL_HOME" "$HOME/linked2"; "$constel" daemon run; "$constel" daemon run --home "$HOME/linked2"; ls -a "$CONSTEL_HOME/state" | grep -c daemon.sock`,
  );
  expect(said.match(/\[daemon\.not-yours\]/g)).toHaveLength(2);
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

test("what the owner tells is shown as the owner's word, and no clone can tell", async () => {
  expect(await ordered(`${clean} "$constel" tell agent2 "the owner says so"`)).toContain("authority.owner");
  await at.constel(["channel", "drain", "agent2"]);
  expect(await at.constel(["tell", "agent2", "do the tests first"])).toMatchObject({ code: 0 });
  const alone = await at.constel(["channel", "drain", "agent2"]);
  expect(alone.stdout).toContain("1 message from the owner over the constel bus, as the signature proves");
  // Among others' words it stays the owner's.
  await ordered('constel channel send agent2 "and I say so too"');
  await at.constel(["tell", "agent2", "stop"]);
  const mixed = await at.constel(["channel", "drain", "agent2"]);
  expect(mixed.stdout).toContain("Those from agentowner that name no origin are the owner's, as the signature proves");
});

test("what a clone leaves in the agents' tmux server for the next start comes to nothing", async () => {
  // A variable that has every program load code, a command that means another, and a terminal of the ticker's name with a program of its own.
  const said = await ordered(
    `socket=$(ls "$TMUX_TMPDIR"/tmux-*/ | grep '^constel-')
printf 'until [ -e %s-go ]; do sleep 0.02; done; %s task cancel 1 >%s 2>&1; sleep 1000\n' "$said" "$constel" "$said" >"$said-waits"
tmux -L "$socket" set-environment -g CONSTEL_LEFT_BEHIND yes
tmux -L "$socket" set-environment -g BUN_OPTIONS "--preload $said-first.ts"
tmux -L "$socket" set-option -s 'command-alias[70]' "new-session=new-session -e CONSTEL_LEFT_BEHIND=alias"
tmux -L "$socket" kill-session -t agentticker
tmux -L "$socket" set-option -su 'command-alias[71]'
tmux -L "$socket" new-session -d -s agentticker "sh $said-waits" && echo left`,
  );
  expect(said).toContain("left");
  const up = await at.constel(["up", "3", "--type", "script", "--json"]);
  expect({ code: up.code, stderr: up.code === 0 ? "" : up.stderr }).toEqual({ code: 0, stderr: "" });
  const launch = (agent: string): { leader: { pid: number } } =>
    JSON.parse(readFileSync(join(at.home, `state/agents/${agent}.json`), "utf8"));
  for (const agent of ["agent3", "agentticker"]) {
    const environment = readFileSync(`/proc/${launch(agent).leader.pid}/environ`, "utf8");
    expect([agent, environment.includes("LEFT_BEHIND") || environment.includes("BUN_OPTIONS")]).toEqual([agent, false]);
  }
  const command = readFileSync(`/proc/${launch("agentticker").leader.pid}/cmdline`, "utf8");
  expect(command).toContain("watchdog");
  writeFileSync(`${at.said}-go`, "");
  expect(await stateOfTask()).toBe("open");
});

// Checks how the client and its server come, go and come back, on a real tmux.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { systemClock } from "../clock/system-clock.ts";
import { reap } from "../process/reap.ts";
import { identify } from "../process/tree.ts";
import { TmuxStage } from "./tmux-stage.suite.ts";
import { until } from "../../ports/terminals.suite.ts";

let stage: TmuxStage;
beforeEach(() => {
  stage = new TmuxStage();
});
afterEach(() => stage.end());

const start = (name: string, terminals = stage.terminals): Promise<{ paneId: string; pid: number }> =>
  terminals.create({ name, cwd: "/", command: ["cat", "-"] });

const names = async (terminals = stage.terminals): Promise<string[]> =>
  (await terminals.list()).map(({ name }) => name);

async function outageOf(promise: Promise<unknown>): Promise<Outage> {
  const cause = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(cause instanceof Outage)) throw new Error(`expected an outage, got ${String(cause)}`);
  return cause;
}

describe("the server's life", () => {
  test("looking starts no server", async () => {
    expect(await names()).toEqual([]);
    expect(await stage.terminals.has("agent1")).toBe(false);
    expect(stage.serverIsUp).toBe(false);
  });

  test("when the last agent is gone the server goes, though the client stays in use", async () => {
    await start("agent1");
    await start("agent2");
    await stage.terminals.kill("agent1");
    expect(stage.serverIsUp).toBe(true);
    await stage.terminals.kill("agent2");
    await until(() => !stage.serverIsUp);
    await start("agent3");
    expect(await names()).toEqual(["agent3"]);
  });

  test("what is left of its socket goes when it has ended, and not while one runs or starts", async () => {
    const path = join(stage.directory, `tmux-${process.getuid?.()}`, stage.socket);
    expect(await stage.terminals.clearAway()).toBe(false);
    await start("agent1");
    expect(await stage.terminals.clearAway()).toBe(false);
    expect(await names()).toEqual(["agent1"]);
    await stage.terminals.killServer();
    await until(() => !stage.serverIsUp);
    expect(existsSync(path)).toBe(true);
    // As tmux does while it starts a server.
    const starting = Bun.spawn(["flock", `${path}.lock`, "sh", "-c", "echo held; exec cat"], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await starting.stdout.getReader().read();
    expect(await stage.terminals.clearAway()).toBe(false);
    expect(existsSync(path)).toBe(true);
    await starting.stdin.end();
    await starting.exited;
    expect(await stage.terminals.clearAway()).toBe(true);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("a client that hangs when its session goes does not take the server with it", async () => {
    let heard = 0;
    stage.terminals.onChange(() => heard++);
    await start("agent1");
    await until(() => heard > 0);
    const before = heard;
    stage.tmux("select-pane", "-t", "=agent1:", "-T", "another title");
    await until(() => heard > before); // tmux looks once a second, and tells: the subscription is there
    const [server, client] = [stage.serverPid, stage.terminals.clientPid ?? 0];
    process.kill(client, "SIGSTOP");
    const sessions = stage.tmux("list-sessions", "-F", "#{session_name}").out.split("\n");
    stage.tmux("kill-session", "-t", `=${sessions.find((name) => name.startsWith("constel-control-"))}`);
    const seconds = (): number => Number(stage.tmux("display-message", "-p", "-t", "=agent1:", "%s").out);
    const begun = seconds();
    await until(() => !(seconds() < begun + 3)); // by its own clock, or it answers no more
    process.kill(client, "SIGKILL");
    expect(stage.serverPid).toBe(server);
    await until(() => stage.terminals.clientPid === undefined);
    expect(await names()).toEqual(["agent1"]);
  });

  test("closing leaves the agents and nothing of ours", async () => {
    await start("agent1");
    await stage.terminals.close();
    await until(() => stage.tmux("list-sessions", "-F", "#{session_name}").out === "agent1\n");
    expect((await outageOf(stage.terminals.list())).mayRetry).toBe(false);
  });

  test("what a program of ours left when it was killed outright is cleared by the next to come", async () => {
    await start("agent1");
    const script = `
      const { TmuxTerminals } = await import(${JSON.stringify(join(import.meta.dir, "tmux-terminals.ts"))});
      const { systemClock } = await import(${JSON.stringify(join(import.meta.dir, "../clock/system-clock.ts"))});
      const terminals = new TmuxTerminals({ socket: ${JSON.stringify(stage.socket)}, env: ${JSON.stringify(stage.env)}, clock: systemClock, lockPath: ${JSON.stringify(stage.lockPath)} });
      await terminals.list();
      process.stdout.write("up");
      await new Promise(() => setInterval(() => {}, 1000));`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    await child.stdout.getReader().read();
    const hidden = (): number => stage.tmux("list-sessions").out.split("constel-control-").length - 1;
    expect(hidden()).toBe(2);
    child.kill("SIGKILL");
    await child.exited;
    await until(async () => {
      const next = stage.another();
      expect(await names(next)).toEqual(["agent1"]);
      await next.close();
      return hidden() === 1;
    });
  });

  test("a server killed in between fails what is open and is replaced by the next wish", async () => {
    await start("agent1");
    const pid = stage.serverPid;
    process.kill(pid, "SIGSTOP");
    const renamed = stage.terminals.rename("agent1", "agent9");
    const asked = [stage.terminals.list(), stage.terminals.has("agent1"), renamed, start("agent2")].map(outageOf);
    await new Promise(setImmediate); // all are written
    process.kill(pid, "SIGKILL");
    const [list, has, rename, create] = await Promise.all(asked);
    expect(list?.mayRetry).toBe(true);
    expect(has?.mayRetry).toBe(true);
    // Whether it was done cannot be known, so it must not be repeated blindly.
    expect(rename?.mayRetry).toBe(false);
    // A terminal is only asked for when the server has said which variables it has.
    expect(create?.mayRetry).toBe(true);
    expect(await names()).toEqual([]);
    await start("agent1");
    expect(await names()).toEqual(["agent1"]);
  });

  test("a server that does not answer is given up at the deadline", async () => {
    const clock = new FakeClock();
    const terminals = stage.another({ clock, deadlineMs: 5000 });
    await start("agent1", terminals);
    const pid = stage.serverPid;
    process.kill(pid, "SIGSTOP");
    try {
      const asked = outageOf(terminals.list());
      await until(() => clock.sleeping > 0);
      clock.advance(5000);
      const outage = await asked;
      expect(outage.message).toContain("no answer within 5000 ms");
      expect(outage.mayRetry).toBe(true);
      // The next one waits for a new connection, and has a deadline too.
      const again = outageOf(terminals.list());
      await until(() => clock.sleeping > 0);
      clock.advance(5000);
      expect((await again).mayRetry).toBe(true);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    expect(await names(terminals)).toEqual(["agent1"]);
  });

  test("a client that was ended is replaced, and the agents do not notice", async () => {
    const { pid } = await start("agent1");
    process.kill(stage.terminals.clientPid ?? 0, "SIGKILL");
    await until(() => stage.terminals.clientPid === undefined);
    expect((await stage.terminals.list())[0]).toMatchObject({ name: "agent1", pid, dead: false });
  });

  test("a tmux that cannot be started is an outage", async () => {
    const terminals = stage.another({ program: "constel-has-no-such-tmux" });
    expect((await outageOf(start("agent1", terminals))).operation).toBe("start");
  });

  test("an old pane id means nothing on the next server", async () => {
    await start("agent1");
    await start("agent2");
    process.kill(stage.serverPid, "SIGKILL");
    await until(() => stage.terminals.clientPid === undefined);
    await start("agent2"); // has now the pane id that agent1 had
    await stage.terminals.paste("agent2", "for two");
    await until(
      async () => (await stage.terminals.captureMany(["agent2"])).get("agent2")?.text.includes("for two") ?? false,
    );
    expect((await stage.terminals.captureMany(["agent1", "agent2"])).has("agent1")).toBe(false);
  });
});

describe("an agent's processes", () => {
  test("all that an agent started is ended, and the server and other agents are not", async () => {
    const mark = { CONSTEL_AGENT: "agent1", CONSTEL_HOME: stage.directory };
    const file = join(stage.directory, "daemon");
    const script = `(setsid sh -c 'echo $$ >"$1.part"; mv "$1.part" "$1"; exec sleep 1000' sh "$1" &); sleep 1000 & cat`;
    const first = await stage.terminals.create({
      name: "agent1",
      cwd: "/",
      command: ["sh", "-c", script, "sh", file],
      env: mark,
    });
    const other = await stage.terminals.create({
      name: "agent2",
      cwd: "/",
      command: ["cat", "-"],
      env: { ...mark, CONSTEL_AGENT: "agent2" },
    });
    await until(() => existsSync(file));
    // The shell goes on beside the one that wrote the file: its own two are there a moment later.
    const children = (): string[] =>
      readFileSync(`/proc/${first.pid}/task/${first.pid}/children`, "utf8").trim().split(" ");
    await until(() => children().length >= 2);
    const daemon = identify(Number(readFileSync(file, "utf8")));
    const root = identify(first.pid);
    if (daemon === undefined || root === undefined) throw new Error("the processes of the agent are not there");
    const report = await reap({ root, mark, clock: systemClock, graceMs: 5000 });
    expect(report.left).toEqual([]);
    expect(report.found).toContainEqual(daemon);
    expect(report.found.length).toBeGreaterThanOrEqual(4);
    expect(identify(daemon.pid)?.started).not.toBe(daemon.started);
    await until(async () => (await stage.terminals.list())[0]?.dead === true);
    expect((await stage.terminals.list())[1]).toMatchObject({ name: "agent2", pid: other.pid, dead: false });
  });
});

describe("what somebody left in the server", () => {
  test.skipIf(process.platform !== "linux")(
    "reaches no terminal that is made next: variables, and other meanings of our commands",
    async () => {
      await start("agent1");
      stage.tmux("set-environment", "-g", "LEFT_BEHIND", "yes");
      stage.tmux("set-option", "-s", "command-alias[70]", "new-session=new-session -e LEFT_BEHIND=alias");
      const other = stage.another();
      const { pid } = await start("agent2", other);
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("LEFT_BEHIND");
    },
  );
});

describe("several at once", () => {
  test("two clients see and type into the same terminals, and neither counts as a person attached", async () => {
    const other = stage.another();
    await start("agent1");
    await start("agent2", other);
    expect(await names()).toEqual(["agent1", "agent2"]);
    expect(await names(other)).toEqual(["agent1", "agent2"]);
    await Promise.all([stage.terminals.paste("agent2", "one "), other.paste("agent1", "two ")]);
    await until(async () => {
      const screens = await other.captureMany(["agent1", "agent2"]);
      return (screens.get("agent1")?.text.includes("two") && screens.get("agent2")?.text.includes("one")) ?? false;
    });
    expect((await other.list()).some(({ attached }) => attached)).toBe(false);
    // The other client ended and remade it: the pane we knew is gone.
    await other.kill("agent1");
    await start("agent1", other);
    await other.paste("agent1", "new");
    await until(
      async () => (await stage.terminals.captureMany(["agent1"])).get("agent1")?.text.startsWith("new") ?? false,
    );
  });

  test("many requests at once are answered each with its own", async () => {
    const all = Array.from({ length: 20 }, (_, index) => `agent${index}`);
    await Promise.all(all.map((name) => start(name)));
    await Promise.all(all.map((name) => stage.terminals.paste(name, `I am ${name}.`)));
    await until(async () => {
      const screens = await Promise.all(all.map((name) => stage.terminals.captureMany([name])));
      return screens.every((screen, index) => screen.get(`agent${index}`)?.text.startsWith(`I am agent${index}.`));
    });
  });

  test("clients that come and go while sessions are made and ended do not bring the server down", async () => {
    const { pid } = await start("agent0");
    const server = stage.serverPid;
    const finished = new AbortController();
    const comeAndGo = async (): Promise<void> => {
      while (!finished.signal.aborted) {
        const client = stage.another();
        expect((await client.list()).find(({ name }) => name === "agent0")?.pid).toBe(pid);
        await client.close();
      }
    };
    const makeAndEnd = async (): Promise<void> => {
      for (let round = 0; round < 20; round++) {
        await start("agent1");
        await stage.terminals.kill("agent1");
      }
      finished.abort();
    };
    await Promise.all([comeAndGo(), makeAndEnd()]);
    expect(stage.serverPid).toBe(server);
  });

  test("a hundred screens come in one write, those that show guards included", async () => {
    const all = Array.from({ length: 100 }, (_, index) => `agent${index}`);
    const script = "printf '%%end 1 1 1\\n%%begin 2 2 1\\nscreen %s\\n' \"$1\"; exec cat";
    for (const name of all) {
      await stage.terminals.create({ name, cwd: "/", command: ["sh", "-c", script, "sh", name], cols: 60, rows: 10 });
    }
    await until(async () => {
      const screens = await stage.terminals.captureMany(all);
      return all.every((name) => screens.get(name)?.text.includes(`\nscreen ${name}\n`));
    });
    const sessions = (): string => stage.tmux("display-message", "-p", "#{next_session_id}").out;
    const before = [sessions(), stage.terminals.clientPid];
    expect(before[0]).toMatch(/^\$\d+$/m);
    expect((await stage.terminals.captureMany(all)).size).toBe(100);
    // No client came and went for it: each of ours brings a session.
    expect([sessions(), stage.terminals.clientPid]).toEqual(before);
  }, 120_000);

  test("a person who attaches is seen, sizes the window, and we do not", async () => {
    await stage.terminals.create({ name: "agent1", cwd: "/", command: ["cat", "-"], cols: 100, rows: 30 });
    const size = (): string =>
      stage.tmux("display-message", "-p", "-t", "=agent1:", "#{window_width}x#{window_height}").out.trim();
    await stage.terminals.captureMany(["agent1"]);
    expect(size()).toBe("100x30");
    let shown = "";
    const person = Bun.spawn([...stage.terminals.attachCommand("agent1")], {
      env: { PATH: stage.env.PATH, TERM: "xterm", TMUX: "/some/other,1,0" },
      terminal: { cols: 70, rows: 20, data: (_terminal, data) => void (shown += data.toString()) },
    });
    await until(async () => (await stage.terminals.list())[0]?.attached === true);
    await until(() => size().startsWith("70x"));
    await stage.terminals.paste("agent1", "hello person");
    await until(() => shown.includes("hello person"));
    person.kill("SIGKILL");
    await until(async () => (await stage.terminals.list())[0]?.attached === false);
  });
});

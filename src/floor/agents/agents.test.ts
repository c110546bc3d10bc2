// Starting and ending agents on a machine in memory. The real one is in test/agents.test.ts.

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { launchedRuntime } from "../markers/launched-runtime.ts";
import { agentNamed, byPlace } from "./agent-names.ts";
import { fakeMachine, type FakeMachine } from "./agents.suite.ts";
import { chooseRuntime, type RuntimeQuestion } from "./choose-runtime.ts";
import { down } from "./down.ts";
import { listLaunches, readLaunch, writeLaunch } from "./launch-files.ts";
import { listAgents } from "./list-agents.ts";
import { up, upOne } from "./up.ts";
import { hasMarker, putMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

const nothing = async (): Promise<void> => {};

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof Refusal) return cause.code;
    throw cause;
  }
  return "none";
}

const names = async ({ terminals }: FakeMachine): Promise<string[]> => (await terminals.list()).map(({ name }) => name);

describe("names", () => {
  test("a number is short for an agent, and zeros in front, other words and other agents are refused", () => {
    expect(agentNamed("3")).toBe("agent3");
    expect(agentNamed("agent12")).toBe("agent12");
    expect(agentNamed("agentinfinity")).toBe("agentinfinity");
    for (const bad of ["agent01", "01", "agent-1", "agent", "agentcron", "", "../agent1", "agent1\n"]) {
      expect(() => agentNamed(bad)).toThrow(Refusal);
    }
  });

  test("root comes first, clones by number, then watchdog and ticker", () => {
    const mixed = ["agentticker", "agent10", "agentinfinity", "agent2", "agent0"];
    expect(mixed.sort(byPlace)).toEqual(["agent0", "agent2", "agent10", "agentinfinity", "agentticker"]);
  });
});

describe("the runtime of an agent", () => {
  const check = (given: Partial<RuntimeQuestion>, expected: string): void =>
    expect(
      chooseRuntime({
        role: "clone",
        type: undefined,
        runtimeOfRoot: undefined,
        launched: undefined,
        recovering: false,
        configured: "set",
        ...given,
      }),
    ).toBe(expected);

  test("is what was asked for, then AGENT_RUNTIME for root and watchdog, then what it was, then the setting", () => {
    check({}, "set");
    check({ type: "asked", runtimeOfRoot: "root's", launched: "was", recovering: true }, "asked");
    check({ role: "root", runtimeOfRoot: "root's", launched: "was", recovering: true }, "root's");
    check({ role: "watchdog", runtimeOfRoot: "root's" }, "root's");
    check({ runtimeOfRoot: "root's" }, "set");
    check({ launched: "was", recovering: true }, "was");
    check({ launched: "was", recovering: false }, "set");
    check({ role: "watchdog", launched: "was", recovering: false }, "was");
  });
});

describe("up", () => {
  test("starts root, clones, watchdog and ticker, in that order, after what comes first", async () => {
    const machine = fakeMachine();
    const before: string[][] = [];
    const answers = await up(machine.ports, { clones: 2 }, async () => void before.push(await names(machine)));
    expect(before).toEqual([[]]);
    expect(answers.map(({ agent, outcome }) => `${agent} ${outcome}`)).toEqual([
      "agent0 started",
      "agent1 started",
      "agent2 started",
      "agentinfinity started",
      "agentticker started",
    ]);
    expect(await names(machine)).toEqual(["agent0", "agent1", "agent2", "agentinfinity", "agentticker"]);
  });

  test("says which sessions come before it starts one, and starts no root when the owner wants none", async () => {
    const machine = fakeMachine({ root: false });
    const said: string[][] = [];
    const note = async (coming: readonly { readonly agent: string; readonly runtime: string }[]): Promise<void> =>
      void said.push(coming.map(({ agent, runtime }) => `${agent} ${runtime}`));
    await up(machine.ports, { clones: 2 }, note);
    expect(await names(machine)).toEqual(["agent1", "agent2", "agentinfinity", "agentticker"]);
    await machine.terminals.kill("agent2");
    await up(machine.ports, {}, note);
    expect(said).toEqual([["agent1 alpha", "agent2 alpha", "agentinfinity alpha"], ["agent2 alpha"]]);
  });

  test("a root that is wanted already comes back although new ones are not started", async () => {
    const machine = fakeMachine({ root: false });
    await upOne(machine.ports, "agent0", {});
    await machine.terminals.kill("agent0");
    await up(machine.ports, {}, nothing);
    expect(await names(machine)).toContain("agent0");
    await down(machine.ports, { agent: "agent0" }, nothing);
    await up(machine.ports, {}, nothing);
    expect(await names(machine)).not.toContain("agent0");
  });

  test("looks at the machine's processes once for all, and ends what is left of those of whom something is there", async () => {
    const machine = fakeMachine();
    let looks = 0;
    const look = () => {
      looks += 1;
      return ({ mark }: { readonly mark?: Readonly<Record<string, string>> }) => mark?.["CONSTEL_AGENT"] === "agent3";
    };
    await up({ ...machine.ports, trees: { ...machine.ports.trees, look } }, { clones: 20 }, nothing);
    expect(looks).toBe(1);
    expect(machine.ended.flatMap(({ mark }) => mark?.["CONSTEL_AGENT"] ?? [])).toEqual(["agent3"]);
  });

  test("gives the program its prompt by path, its own files and environment, and says what is wanted", async () => {
    const machine = fakeMachine();
    const { ports, terminals, clock } = machine;
    await up(ports, { clones: 1 }, nothing);
    const wish = terminals.wish("agent1");
    const prompt = join(ports.home, "state/prompts/agent1.md");
    expect(wish.cwd).toBe(ports.root);
    expect(wish.command.slice(-3)).toEqual(["/bin/alpha", "--prompt-file", prompt]);
    expect(wish.command).toContain("0022");
    expect(wish.env).toMatchObject({
      CONSTEL_AGENT: "agent1",
      AGENT_N: "1",
      OF_THE_RUNTIME: "1",
      CONSTEL_ROOT: ports.root,
    });
    expect(wish.env?.["INSIDE_ANOTHER"]).toBeUndefined();
    expect(terminals.wish("agentticker").env?.["CONSTEL_AGENT"]).toBeUndefined();
    expect(terminals.wish("agentinfinity").env?.["AGENT_N"]).toBeUndefined();
    expect(readFileSync(prompt, "utf8")).toContain("agent1");
    expect(existsSync(join(ports.home, "state/runtime/agent1/settings.json"))).toBe(true);
    const launch = readLaunch(ports.home, "agent1");
    expect(launch).toMatchObject({
      wanted: "up",
      role: "clone",
      runtime: "alpha",
      sinceMs: clock.nowMs(),
      because: "up",
    });
    expect(launch?.launch.hookCommand).toEqual(["/opt/constel", "hook", "alpha"]);
    expect(launch?.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(launchedRuntime(ports.home, "agent1")).toBe("alpha");
    const program = join(ports.home, "state/bin/constel");
    expect(statSync(program).mode & 0o777).toBe(0o700);
    expect(readFileSync(program, "utf8")).toContain(`exec '/opt/constel' "$@"`);
  });

  test("brings back clones that are wanted, and not those that were sent down", async () => {
    const machine = fakeMachine();
    await up(machine.ports, { clones: 3 }, nothing);
    await down(machine.ports, { agent: "agent2" }, nothing);
    machine.terminals.exit("agent3", 1);
    await machine.terminals.kill("agent1");
    const answers = await up(machine.ports, {}, nothing);
    expect(
      answers.filter(({ outcome }) => outcome !== "running").map(({ agent, outcome }) => `${agent} ${outcome}`),
    ).toEqual(["agent1 started", "agent3 replaced"]);
  });

  test("refuses before it starts anything, when one program of several is missing", async () => {
    const machine = fakeMachine({ runtimeOfRoot: "gone" });
    let began = false;
    const first = async (): Promise<void> => void (began = true);
    expect(await refusal(up(machine.ports, { clones: 1 }, first))).toBe("runtime.not-installed");
    expect(began).toBe(false);
    expect(await names(machine)).toEqual([]);
    expect(listLaunches(machine.ports.home).launches).toEqual([]);
  });

  test("refuses a prompt with a hole in it while the old agent still runs", async () => {
    const machine = fakeMachine();
    await upOne(machine.ports, "agent1", {});
    mkdirSync(join(machine.ports.root, "prompts"));
    writeFileSync(join(machine.ports.root, "prompts/clone.md"), "{{hole}}");
    expect(await refusal(upOne(machine.ports, "agent1", { fresh: true }))).toBe("prompt.placeholder-left");
    expect(await names(machine)).toEqual(["agent1"]);
  });

  test("leaves alone a terminal it has no record of, and says so", async () => {
    const machine = fakeMachine();
    await machine.terminals.create({ name: "agent1", cwd: machine.ports.root, command: ["sh"] });
    const answer = await upOne(machine.ports, "agent1", { type: "beta" });
    expect(answer).toMatchObject({ outcome: "foreign", notes: [expect.stringContaining("no record")] });
    expect(readLaunch(machine.ports.home, "agent1")).toBeUndefined();
  });

  test("makes a terminal anew whose process is not written down: anybody can make one of that name", async () => {
    const machine = fakeMachine();
    const { pid } = await upOne(machine.ports, "agent1", {});
    const launch = readLaunch(machine.ports.home, "agent1");
    if (launch === undefined) throw new Error("no launch");
    const { leader: _, ...unled } = launch;
    // Its start died on the way; or it was sent down, and somebody else's program runs in a terminal of its name.
    for (const wanted of ["up", "down"] as const) {
      writeLaunch(machine.ports.home, { ...unled, wanted }, machine.ports.seal);
      const answer = await upOne(machine.ports, "agent1", {});
      expect(answer.outcome).toBe("replaced");
      expect(answer.pid).not.toBe(pid);
      expect(readLaunch(machine.ports.home, "agent1")?.leader?.pid).toBe(answer.pid);
    }
    expect(await upOne(machine.ports, "agent1", {})).toMatchObject({ outcome: "running" });
  });

  test("gives no seal to a file that somebody else wrote", async () => {
    const machine = fakeMachine();
    await upOne(machine.ports, "agent1", {});
    const launch = readLaunch(machine.ports.home, "agent1");
    if (launch === undefined) throw new Error("no launch");
    writeLaunch(machine.ports.home, { ...launch, role: "ticker", because: "planted" }, machine.ports.seal);
    const sealed: string[] = [];
    const seal = (json: string): string => (sealed.push(json), json);
    await upOne({ ...machine.ports, seal }, "agent1", { restart: "never" });
    expect(sealed).toEqual([]);
  });

  test("does not change the runtime of one that runs, and says how to", async () => {
    const machine = fakeMachine();
    await upOne(machine.ports, "agent1", {});
    const answer = await upOne(machine.ports, "agent1", { type: "beta" });
    expect(answer).toMatchObject({ outcome: "running", runtime: "alpha", notes: [expect.stringContaining("beta")] });
    expect(await upOne(machine.ports, "agent1", { type: "beta", fresh: true })).toMatchObject({ runtime: "beta" });
  });

  test("the watchdog comes back on the runtime that was chosen for it, and is not ready before it says so", async () => {
    const machine = fakeMachine();
    await upOne(machine.ports, "agentinfinity", { type: "beta" });
    putMarker(machine.ports.home, markers.watchdogReady, "now");
    await down(machine.ports, { all: true }, nothing);
    expect(hasMarker(machine.ports.home, markers.watchdogReady)).toBe(false);
    const answers = await up(machine.ports, {}, nothing);
    expect(answers.find(({ agent }) => agent === "agentinfinity")?.runtime).toBe("beta");
    expect(answers.find(({ agent }) => agent === "agent0")?.runtime).toBe("alpha");
  });

  test("ends what is left of the agent before, by its leader and its mark, before it starts anew", async () => {
    const machine = fakeMachine();
    const { pid } = await upOne(machine.ports, "agent1", {});
    machine.terminals.exit("agent1", 1);
    machine.ended.length = 0;
    await upOne(machine.ports, "agent1", {});
    expect(machine.ended).toMatchObject([
      { leader: { pid }, mark: { CONSTEL_AGENT: "agent1", CONSTEL_HOME: machine.ports.home } },
    ]);
    expect(machine.ended[0]?.terminalPid).toBeUndefined();
  });
});

describe("down", () => {
  test("ends root and clones; with all, the ticker first and the server last, after what comes between", async () => {
    const machine = fakeMachine();
    await up(machine.ports, { clones: 1 }, nothing);
    expect((await down(machine.ports, {}, nothing)).map(({ agent }) => agent)).toEqual(["agent1", "agent0"]);
    expect(await names(machine)).toEqual(["agentinfinity", "agentticker"]);
    await up(machine.ports, { clones: 1 }, nothing);
    const between: string[][] = [];
    const ended = await down(machine.ports, { all: true }, async () => void between.push(await names(machine)));
    expect(ended.map(({ agent }) => agent)).toEqual(["agentticker", "agentinfinity", "agent1", "agent0"]);
    expect(between).toEqual([[]]);
  });

  test("says what is still there instead of claiming success, and the agent stays unwanted", async () => {
    const machine = fakeMachine();
    await upOne(machine.ports, "agent1", {});
    machine.stuck.push(4242);
    expect(await refusal(down(machine.ports, { agent: "agent1" }, nothing))).toBe("agents.not-ended");
    expect(readLaunch(machine.ports.home, "agent1")).toMatchObject({
      wanted: "down",
      leader: { pid: expect.any(Number) },
    });
  });

  test("is not done before the terminals' server has ended", async () => {
    const machine = fakeMachine();
    await upOne(machine.ports, "agent1", {});
    machine.stuckServer.push(1000);
    expect(await refusal(down(machine.ports, { all: true }, nothing))).toBe("agents.not-ended");
  });

  test("forgets the leader once it is gone, and ending again finds nobody", async () => {
    const machine = fakeMachine();
    await upOne(machine.ports, "agent1", {});
    await down(machine.ports, { agent: "agent1" }, nothing);
    expect(readLaunch(machine.ports.home, "agent1")?.leader).toBeUndefined();
    expect(await down(machine.ports, { agent: "agent1" }, nothing)).toMatchObject([{ outcome: "absent" }]);
  });
});

test("the list shows wanted and seen apart, and what it cannot read", async () => {
  const machine = fakeMachine();
  const { home } = machine.ports;
  for (const agent of ["agent1", "agent2", "agent3"]) await upOne(machine.ports, agent, {});
  machine.terminals.exit("agent1", 3);
  await machine.terminals.kill("agent2");
  writeFileSync(join(home, "state/agents/agent3.json"), '{"agent":"agent3"');
  const listed = listAgents(listLaunches(home), await machine.terminals.list());
  expect(listed.map(({ agent, wanted, seen, exitStatus }) => [agent, wanted, seen, exitStatus])).toEqual([
    ["agent1", "up", "dead", 3],
    ["agent2", "up", "missing", undefined],
    ["agent3", "unknown", "up", undefined],
  ]);
});

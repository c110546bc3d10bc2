// Tests what every kind of terminals must do. It runs on tmux and on the fake.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { type Refusal } from "../protocol/errors.ts";
import type { Terminal, Terminals } from "./terminal.ts";

export interface Stage {
  readonly terminals: Terminals;
  /** Ends the program in a terminal that was started with `reader`, with this status. */
  finish(name: string, status: number): Promise<void>;
  scrollBack(name: string): Promise<void>;
  end(): Promise<void>;
}

/** Reads lines and shows them; on the fake, nothing runs but the echo is the same. */
export const reader = [
  "sh",
  "-c",
  'while read -r line; do case $line in exit*) exit "${line#exit}";; esac; done',
] as const;

export function terminalsSuite(makeStage: () => Promise<Stage>): void {
  let stage: Stage;
  let terminals: Terminals;
  beforeEach(async () => {
    stage = await makeStage();
    terminals = stage.terminals;
  });
  afterEach(() => stage.end());

  const create = (name: string): Promise<{ paneId: string; pid: number }> =>
    terminals.create({ name, cwd: tmpdir(), command: [...reader] });
  const find = async (name: string): Promise<Terminal | undefined> =>
    (await terminals.list()).find((terminal) => terminal.name === name);
  const screen = async (name: string): Promise<string> => (await terminals.captureMany([name])).get(name)?.text ?? "";

  test("a created terminal is listed, alive, with the pane and process it was created with", async () => {
    const beforeMs = Math.floor(Date.now() / 1000) * 1000;
    const made = await create("agent1");
    const listed = await find("agent1");
    expect(listed).toMatchObject({
      name: "agent1",
      dead: false,
      exitStatus: undefined,
      inMode: false,
      attached: false,
    });
    expect(listed?.paneId).toBe(made.paneId);
    expect(listed?.pid).toBe(made.pid);
    expect(listed?.createdMs).toBeGreaterThan(0);
    expect(listed?.createdMs).toBeLessThanOrEqual(beforeMs + 60_000);
  });

  test("with nothing created there is nothing: no list, no screens, no name", async () => {
    expect(await terminals.list()).toEqual([]);
    expect(await terminals.has("agent1")).toBe(false);
    expect(await terminals.find("agent1")).toBeUndefined();
    expect((await terminals.captureMany(["agent1"])).size).toBe(0);
    expect(await terminals.kill("agent1")).toBe(false);
  });

  test("one terminal is found as it stands in the list of all", async () => {
    await create("agent1");
    await create("agent10");
    const [first] = await terminals.list();
    expect(await terminals.find("agent1")).toEqual(first);
    expect(await terminals.find("agent2")).toBeUndefined();
  });

  test("a name that is taken is refused and the first terminal stays", async () => {
    const first = await create("agent1");
    expect(await refusalOf(create("agent1"))).toBe("terminal.name-taken");
    expect((await find("agent1"))?.pid).toBe(first.pid);
  });

  test("names that are not an agent's are refused everywhere", async () => {
    for (const name of [
      "",
      "agent",
      "agent:1",
      "agent1.0",
      "=agent1",
      "agent 1",
      "agentÄ",
      "other",
      "agent1\nx",
      "Agent1",
    ]) {
      expect(await refusalOf(create(name))).toBe("terminal.bad-name");
      expect(await refusalOf(terminals.has(name))).toBe("terminal.bad-name");
      expect(await refusalOf(terminals.find(name))).toBe("terminal.bad-name");
      expect(await refusalOf(terminals.kill(name))).toBe("terminal.bad-name");
      expect(await refusalOf(terminals.captureMany([name]))).toBe("terminal.bad-name");
      expect(await refusalOf(terminals.paste(name, "x"))).toBe("terminal.bad-name");
    }
  });

  test("a name that is the beginning of another never stands for it", async () => {
    await create("agent10");
    expect(await terminals.has("agent1")).toBe(false);
    expect(await terminals.find("agent1")).toBeUndefined();
    expect(await terminals.kill("agent1")).toBe(false);
    expect(await refusalOf(terminals.paste("agent1", "x"))).toBe("terminal.unknown");
    expect(await refusalOf(terminals.enter("agent1"))).toBe("terminal.unknown");
    expect(await refusalOf(terminals.rename("agent1", "agent2"))).toBe("terminal.unknown");
    expect((await terminals.captureMany(["agent1"])).size).toBe(0);
    expect(await terminals.has("agent10")).toBe(true);
  });

  test("pasted text stands on the screen", async () => {
    await create("agent1");
    expect(await terminals.paste("agent1", "héllo ✻ 世界")).toEqual({ bytes: 17, removed: 0 });
    await until(async () => (await screen("agent1")).includes("héllo ✻ 世界"));
    await terminals.enter("agent1");
    await terminals.paste("agent1", "second");
    await until(async () => /^second$/m.test(await screen("agent1")));
  });

  test("control characters in pasted text are left out, so that text cannot press keys", async () => {
    await create("agent1");
    const receipt = await terminals.paste("agent1", "a\u001b[201~\u0003b\u009bc");
    expect(receipt).toEqual({ bytes: 8, removed: 3 });
    await until(async () => (await screen("agent1")).includes("a[201~bc"));
    expect((await find("agent1"))?.dead).toBe(false);
  });

  test("text that is empty or over a mebibyte is refused", async () => {
    await create("agent1");
    expect(await refusalOf(terminals.paste("agent1", ""))).toBe("terminal.bad-text");
    expect(await refusalOf(terminals.paste("agent1", "x".repeat(1024 * 1024 + 1)))).toBe("terminal.bad-text");
    expect(await refusalOf(terminals.sendKeys("agent1", []))).toBe("terminal.bad-text");
    expect(await refusalOf(terminals.sendKeys("agent1", ["Enter\nkill-server"]))).toBe("terminal.bad-text");
  });

  test("a half-typed line is kept unless it is asked to be cleared", async () => {
    await create("agent1");
    await terminals.sendKeys("agent1", ["h", "a", "l", "f"]);
    await terminals.paste("agent1", "-whole");
    await until(async () => (await screen("agent1")).includes("half-whole"));
    await terminals.paste("agent1", "clean", { clearLine: true });
    await until(async () => (await screen("agent1")).trim() === "clean");
  });

  test("typing leaves copy mode first", async () => {
    await create("agent1");
    for (const type of [() => terminals.paste("agent1", "text"), () => terminals.enter("agent1")]) {
      await stage.scrollBack("agent1");
      expect((await find("agent1"))?.inMode).toBe(true);
      await type();
      expect((await find("agent1"))?.inMode).toBe(false);
    }
    await until(async () => (await screen("agent1")).includes("text"));
  });

  test("a dead terminal keeps its screen and exit status, and refuses to be typed into", async () => {
    await create("agent1");
    await create("agent2");
    await terminals.paste("agent1", "last words");
    await terminals.enter("agent1");
    await until(async () => (await screen("agent1")).includes("last words"));
    await stage.finish("agent1", 7);
    await until(async () => (await find("agent1"))?.exitStatus !== undefined);
    expect(await find("agent1")).toMatchObject({ dead: true, exitStatus: 7 });
    expect(await screen("agent1")).toContain("last words");
    expect(await refusalOf(terminals.paste("agent1", "x"))).toBe("terminal.dead");
    expect(await refusalOf(terminals.enter("agent1"))).toBe("terminal.dead");
    expect(await refusalOf(terminals.sendKeys("agent1", ["C-c"]))).toBe("terminal.dead");
    expect((await find("agent2"))?.dead).toBe(false);
    expect(await terminals.kill("agent1")).toBe(true);
    expect(await terminals.has("agent1")).toBe(false);
  });

  test("equal screens have equal hashes and different ones different hashes", async () => {
    await create("agent1");
    await create("agent2");
    await create("agent3");
    await terminals.paste("agent3", "x");
    await until(async () => (await screen("agent3")).includes("x"));
    const screens = await terminals.captureMany(["agent1", "agent2", "agent3", "agent4"]);
    expect([...screens.keys()]).toEqual(["agent1", "agent2", "agent3"]);
    expect(screens.get("agent1")?.hash).toBe(screens.get("agent2")?.hash ?? "");
    expect(screens.get("agent1")?.hash).not.toBe(screens.get("agent3")?.hash ?? "");
  });

  test("a renamed terminal goes on under its new name; a taken one is refused", async () => {
    const { pid } = await create("agent1");
    await create("agent3");
    expect(await refusalOf(terminals.rename("agent1", "agent3"))).toBe("terminal.name-taken");
    await terminals.rename("agent1", "agent2");
    expect(await terminals.has("agent1")).toBe(false);
    expect((await find("agent2"))?.pid).toBe(pid);
    await terminals.paste("agent2", "still here");
    await until(async () => (await screen("agent2")).includes("still here"));
    expect(await refusalOf(terminals.rename("agent1", "agent:9"))).toBe("terminal.bad-name");
  });

  test("wishes that cannot be met are refused before anything starts", async () => {
    const base = { name: "agent1", cwd: tmpdir(), command: ["cat"] } as const;
    const wishes = [
      { ...base, command: ["cat", "x".repeat(20_000)] as const },
      { ...base, command: [""] as const },
      { ...base, cwd: `${tmpdir()}/there-is-no-such-directory` },
      { ...base, cwd: "relative" },
      { ...base, env: { "A=B": "c" } },
      { ...base, cols: 0 },
      { ...base, rows: 1.5 },
    ];
    for (const wish of wishes) expect(await refusalOf(terminals.create(wish))).toBe("terminal.bad-wish");
    expect(await terminals.list()).toEqual([]);
  });

  test("a listener hears that a terminal came and that its program ended", async () => {
    let heard = 0;
    const stop = terminals.onChange(() => heard++);
    await create("agent1");
    await until(() => heard > 0);
    await stage.finish("agent1", 0);
    await until(async () => (await find("agent1"))?.dead === true);
    await terminals.kill("agent1");
    const before = heard;
    await create("agent2");
    await until(() => heard > before);
    stop();
  });

  test("killServer ends all, and new ones can be made after it", async () => {
    await create("agent1");
    await create("agent2");
    await terminals.killServer();
    expect(await terminals.list()).toEqual([]);
    await create("agent1");
    expect((await terminals.list()).map(({ name }) => name)).toEqual(["agent1"]);
  });
}

/** The code of the refusal a promise ends in. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const cause = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return cause === undefined ? "no refusal" : ((cause as Refusal).code ?? String(cause));
}

/** Looks again until it is so; the test's own limit ends a wait in vain. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

import { expect, test } from "bun:test";
import type { Caller } from "../../client/caller.ts";
import type { WatchParts } from "../../client/monitor.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { hostileTexts } from "../../protocol/hostile-texts.suite.ts";
import type { AttentionRow } from "../../protocol/operations/attention.ts";
import { ShownScreen } from "./screen-of.suite.ts";
import { keysIn, watch } from "./watch.ts";

const need = (key: string, more: Partial<AttentionRow> = {}): AttentionRow => ({
  key,
  place: "stuck",
  kind: "stopped",
  says: `${key} stopped`,
  evidence: "by its hooks",
  agent: null,
  task: null,
  finding: null,
  request: null,
  causes: 1,
  since_ms: Date.UTC(2026, 0, 1, 10, 30),
  next: "constel status",
  snoozed: false,
  snoozed_until_ms: null,
  ...more,
});

const agent = (number: number, state = "busy", says = `editing src/file${number}.ts`) => ({
  agent: `agent${number}`,
  role: "clone",
  runtime: "claude",
  wanted: "up",
  state,
  evidence: { on: "hooks", says, at_ms: 1 },
  since_ms: 1,
  task: String(number),
  tasks: [number],
  today: { tokens: 1, micros: 1_230_000 },
  health: [],
});

/** A monitor on a screen of 80×24, the store it reads, and what it was made to run. */
function scene({ columns = 80, rows = 24 } = {}) {
  const clock = new FakeClock();
  const screen = new ShownScreen(columns, rows);
  const leaving = new AbortController();
  const store = {
    needs: [] as AttentionRow[],
    agents: [] as unknown[],
    findings: [] as unknown[],
    tasks: [] as unknown[],
    threads: [] as unknown[],
    rows: ["$ npm test", "all green"] as string[] | null,
    isDown: false,
  };
  const ran: string[] = [];
  let heard: (keys: string) => void = () => {};
  let resized: () => void = () => {};
  const answers: Readonly<Record<string, () => unknown>> = {
    "attention.list": () => ({ rows: store.needs, total: store.needs.length, snoozed: 0 }),
    "agents.list": () => ({ agents: store.agents }),
    "agents.screen": () => ({
      agent: "agent1",
      rows: store.rows,
      seen_ms: 1,
      problem: store.rows === null ? "gone" : null,
    }),
    "finding.list": () => ({ findings: store.findings }),
    "task.list": () => ({ tasks: store.tasks }),
    "chat.threads": () => ({ threads: store.threads }),
  };
  const parts: WatchParts = {
    caller: {
      call: async (name: string) => {
        if (store.isDown) throw new Error("the daemon does not answer");
        return answers[name]?.();
      },
    } as unknown as Caller,
    async *follow() {},
    async run(words) {
      ran.push(words.join(" "));
      return { ok: true, said: "done" };
    },
    attach: async (name) => void ran.push(`attach ${name}`),
    terminal: {
      size: () => ({ columns, rows }),
      write: (bytes) => screen.write(bytes),
      onKeys(listener) {
        heard = listener;
        return () => {};
      },
      onResize(listener) {
        resized = listener;
        return () => {};
      },
    },
    sleep: (ms, signal) => clock.sleep(ms, signal),
    constellation: "constel0",
    signal: leaving.signal,
  };
  const running = watch(parts);
  /** Until it has read, drawn, and sleeps. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** A round of looking: its bytes. */
  const round = async (): Promise<number> => {
    await settle();
    const before = screen.written;
    clock.advance(1_000);
    await settle();
    clock.advance(100);
    await settle();
    return screen.written - before;
  };
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) heard(key);
    await settle();
  };
  const end = async (): Promise<void> => {
    leaving.abort();
    await running;
  };
  return { store, screen, ran, round, press, settle, end, running, resize: () => resized() };
}

test("80×24 shows what needs the owner, the agents, and the chosen row whole", async () => {
  const { store, screen, round, press, end } = scene();
  store.needs = [
    need("p", {
      place: "answer",
      kind: "permission",
      agent: "agent3",
      says: "asks: npm publish --dry-run",
      evidence: "no rule allows it (in /w)",
      request: "apr_1",
      next: "constel approvals allow apr_1",
    }),
    need("l", { place: "limit" }),
  ];
  store.agents = [agent(2, "idle"), agent(10), agent(1)];
  await round();
  const rows = screen.rows;
  expect(rows[0]).toMatch(/^ constel0 {2}3 agents · 2 working · 1 idle +\$3\.69 today$/);
  expect(rows[1]).toMatch(/^ NEEDS YOU +2$/);
  expect(rows[2]).toMatch(/^▌\? agent3 asks: npm publish --dry-run +\d\d:\d\d {2}y allow$/);
  expect(rows.find((row) => row.startsWith(" AGENTS"))).toBeDefined();
  const agents = rows.flatMap((row) => /^.. (agent\d+) /.exec(row)?.[1] ?? []);
  expect(agents.slice(-3)).toEqual(["agent1", "agent10", "agent2"]);
  expect(rows.join("\n")).toContain("→ constel approvals allow apr_1");
  await press("j", "j");
  await round();
  expect(screen.rows.join("\n")).toContain("all green");
  await end();
});

test("while nothing happens nothing is written, and one change is less than 200 bytes", async () => {
  const { store, round, end } = scene();
  store.agents = Array.from({ length: 100 }, (_, at) => agent(at + 1));
  store.needs = Array.from({ length: 6 }, (_, at) => need(`n${at}`));
  await round();
  expect(await round()).toBe(0);
  expect(await round()).toBe(0);
  store.agents = [agent(1, "busy", "running tests"), ...store.agents.slice(1)];
  const changed = await round();
  expect([changed > 0, changed < 200]).toEqual([true, true]);
  store.needs = [need("new"), ...store.needs];
  const came = await round();
  expect([came > 0, came]).toEqual([true, expect.any(Number)]);
  expect(came).toBeLessThan(200);
  store.needs = store.needs.slice(1);
  expect(await round()).toBeLessThan(200);
  expect(await round()).toBe(0);
  await end();
});

test("keys act by the commands that say the same, on the row that is chosen", async () => {
  const { store, screen, ran, round, press, end } = scene();
  store.needs = [
    need("p", { place: "answer", kind: "permission", agent: "agent3", request: "apr_1" }),
    need("c", { place: "collision", kind: "collision", finding: "fnd_1" }),
    need("r", { place: "ready", kind: "ready", task: 11 }),
  ];
  store.agents = [agent(3)];
  await round();
  await press("y", "d", ..."not now", "\r", "z", "m", ..."go on", "\r");
  await press("j", "t", "\r", "x", ..."agreed", "\r");
  await press("y");
  expect(screen.rows.at(-1)).toBe(" nothing asks for permission here");
  await press("j", "h", "c", ..."fix it", "\r");
  await press("n", "a");
  expect(ran).toEqual([
    "approvals allow apr_1",
    "approvals deny apr_1 not now",
    "attention snooze p",
    "tell agent3 -- go on",
    "conflicts tell fnd_1",
    "conflicts dismiss fnd_1 --reason agreed",
    "task harvest 11 --no-wait",
    "task dispatch --no-wait -- fix it",
    "attach agent3",
  ]);
  await end();
});

test("pages by their letter, a find that narrows, help, and the way out", async () => {
  const { store, screen, round, press, running } = scene();
  store.tasks = [
    { number: 7, title: "Round totals", state: "ready", agent: "agent1", reason: null, branch: "constel/7" },
  ];
  store.agents = [agent(1), agent(2)];
  await press("g", "t");
  await round();
  expect(screen.rows.join("\n")).toContain("7  Round totals");
  await press("g", "n");
  await round();
  await press("/", ..."file2", "\r");
  expect(screen.rows.join("\n")).not.toContain("agent1 ");
  await press("?");
  expect(screen.rows.join("\n")).toContain("snooze until it changes");
  await press("?", "q");
  await running;
});

test("a daemon that does not answer is said, and what was seen stays; it comes back by itself", async () => {
  const { store, screen, round, end } = scene();
  store.needs = [need("n1")];
  await round();
  store.isDown = true;
  await round();
  expect(screen.rows[0]).toContain("as it was: the daemon does not answer");
  expect(screen.rows.join("\n")).toContain("n1 stopped");
  store.isDown = false;
  await round();
  expect(screen.rows[0]).not.toContain("as it was");
  await end();
});

test("no text of an agent's leaves its place, on any page, at any size", async () => {
  const texts = [
    ...hostileTexts,
    "宽字".repeat(60),
    `a${"\u0301".repeat(500)}b`,
    "\u001b]8;;http://x\u0007link\u001b]52;c;aGk=\u0007",
    "👩‍👩‍👧".repeat(50),
  ];
  for (const size of [
    { columns: 80, rows: 24 },
    { columns: 37, rows: 9 },
    { columns: 200, rows: 60 },
  ]) {
    const { store, round, press, end } = scene(size);
    store.needs = texts.map((text, at) =>
      need(`${at}${text.slice(0, 9)}`, { says: text, evidence: text, agent: text, next: text }),
    );
    store.agents = texts.map((text, at) => ({
      ...agent(at, "busy", text),
      agent: `agent${at}`,
      task: text,
      runtime: text,
    }));
    store.tasks = texts.map((text, at) => ({
      number: at,
      title: text,
      state: text,
      agent: text,
      reason: text,
      branch: text,
    }));
    store.findings = texts.map((text, at) => ({
      id: `${at}`,
      severity: text,
      title: text,
      action: text,
      files: [text],
      ours: { label: text },
      theirs: { label: text },
    }));
    store.threads = texts.map((text, at) => ({
      thread: `${at}${text}`,
      participants: [text],
      messages: 1,
      unread: 1,
      last_at: text,
    }));
    store.rows = texts;
    for (const page of ["n", "c", "t", "m"]) {
      await press("g", page);
      await round();
      for (let at = 0; at < 3; at++) await press("j");
      await press("Z", "\r");
    }
    await press("g", "n", ..."jjjjjjjjjjjjjjjj");
    await round();
    await end();
  }
});

test("keys are told apart as terminals send them; what no key has is passed over", () => {
  expect(keysIn("j\r\u001b[A\u001bOBé👍\u007f\u0003\u001b\u001b[200~\u0000")).toEqual([
    "j",
    "Enter",
    "Up",
    "Down",
    "é",
    "👍",
    "Backspace",
    "Ctrl-C",
    "Escape",
  ]);
});

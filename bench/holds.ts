// How long the daemon's thread is held at a stretch, where there are two hundred worktrees, a hundred agents, ten thousand tasks and a million
// events: by processor time, of every reading operation and of a round of notices. Others wait for the longest.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readOperations } from "../src/app/read-operations.ts";
import { reviewNotices } from "../src/core/notices/review-notices.ts";
import { readScene } from "../src/core/notices/scene.ts";
import { answerText } from "../src/daemon/door/answer-text.ts";
import { systemClock, systemRandom } from "../src/host/clock/system-clock.ts";
import { checkedInput } from "../src/protocol/checked-input.ts";
import { Refusal } from "../src/protocol/errors.ts";
import { operations } from "../src/protocol/operations/all.ts";
import { openStore, type Store } from "../src/store/open.ts";
import { crowdRepository, fillCrowd, fullCrowd } from "./crowd.ts";
import { z } from "zod";
import { type Entry, type Measured, median } from "./harness.ts";

const mostMs = 50;
const rounds = 3;

type Name = keyof typeof readOperations;

/** What is asked beside as many rows as may be; several where one way of asking finds its rows otherwise than another. */
const inputs: Partial<Record<Name, object | readonly object[]>> = {
  "task.list": [{ all: true }, { all: true, agent: "agent1" }, { all: true, priority: "P1" }],
  "finding.list": { all: true },
  "message.list": [{}, { agent: "agent1" }, { thread: "t5" }, { undelivered: true }],
  "timeline.list": [{}, { type: "bench.kind-3" }, { type: "nothing" }, { subject: "task:77" }],
  "task.show": { task: 1 },
  "agents.show": { agent: "agent1" },
  "claim.held": { repository: crowdRepository },
  "artefact.list": { task: 1 },
  "cost.look": [{ by: "task" }, { by: "agent", days: 90 }, { by: "model", days: 90 }],
  "cost.time": { by: "task", days: 90 },
};

/** About one thing that is not in this database. */
const elsewhere = new Set<Name>([
  "finding.show",
  "notice.why",
  "decision.show",
  "schedule.show",
  "artefact.get",
  "worker.show",
]);

async function longestHold(): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), "constel-bench-"));
  try {
    await (await open(directory)).close();
    fillCrowd(join(directory, "meta.db"), fullCrowd);
    const store = await open(directory);
    const held: { name: string; ms: number }[] = [];
    for (const [name, work] of worksOn(store)) held.push({ name, ms: await holdOf(work) });
    await store.close();
    const [first, ...others] = held.toSorted((one, other) => other.ms - one.ms);
    const next = others.slice(0, 9).map(({ name, ms }) => `${name} ${ms.toFixed(0)} ms`);
    return {
      value: first?.ms ?? 0,
      floor: mostMs,
      unit: "ms",
      note: `${first?.name}; then ${next.join(", ")}; ${held.length} in all`,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function open(directory: string): Promise<Store> {
  const backupDirectory = join(directory, "backups");
  mkdirSync(backupDirectory, { recursive: true });
  return openStore({
    url: `sqlite:${join(directory, "meta.db")}`,
    backupDirectory,
    clock: systemClock,
    random: systemRandom,
    constellation: "constel0",
  });
}

function worksOn(store: Store): [string, () => Promise<unknown>][] {
  const names = (Object.keys(readOperations) as Name[]).filter((name) => !elsewhere.has(name));
  const context = { store, clock: systemClock, random: systemRandom, constellation: store.constellation };
  return [
    ...names.flatMap((name) => {
      const ask = readOperations[name] as (context: object, input: unknown) => Promise<unknown>;
      return [inputs[name] ?? {}].flat().map((given): [string, () => Promise<unknown>] => [
        Object.keys(given).length === 0 ? name : `${name} ${JSON.stringify(given)}`,
        async () => {
          const answer = ask(context, checkedInput(operations[name], mostOf(name, given)));
          await answerText(await answer.catch(orRefusal));
        },
      ]);
    }),
    ["round of notices", async () => reviewNotices(context, await readScene(context, { root: "/crowd", guests: [] }))],
  ];
}

/** With as many rows as may be asked for. */
function mostOf(name: Name, given: object): object {
  const { limit } = z.toJSONSchema(operations[name].input, { unrepresentable: "any" }).properties ?? {};
  const most = typeof limit === "object" && limit.maximum !== undefined ? { limit: limit.maximum } : {};
  return { ...most, ...given };
}

function orRefusal(cause: unknown): undefined {
  if (cause instanceof Refusal) return undefined;
  throw cause;
}

/** The longest stretch of processor time between two turns of the event loop; the median of some goes, after one that is not counted. */
async function holdOf(work: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (let round = -1; round < rounds; round++) {
    let [longest, last, isOver] = [0, threadMs(), false];
    const turn = (): void => {
      longest = Math.max(longest, threadMs() - last);
      last = threadMs();
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await new Promise((resolve) => setImmediate(resolve));
    await work();
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    if (round >= 0) found.push(longest);
  }
  return median(found.sort((one, other) => one - other));
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export const holdEntries: readonly Entry[] = [
  {
    name: "longest-hold",
    what: "the longest hold of the daemon's thread by an operation that reads, at full size (bar: 50 ms of CPU)",
    floorIs: "50 ms",
    bar: 1,
    better: "lower",
    lane: "full",
    measure: longestHold,
  },
];

// Notices: who is addressed, among many agents and services; and what a round costs once an agent's work is known to collide.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { address, buildIndex, type Subscription } from "../src/core/notices/address.ts";
import type { Workers } from "../src/core/notices/workers.ts";
import { callerOf, Fleet, settled, withDaemon } from "./fleet.ts";
import { ascending, type Entry, median, percentile, timed } from "./harness.ts";

const repositories = 20;
/** Something is broken then, and not slow. */
const longestMs = 20_000;

/** A thousand agents in as many worktrees, with tasks, claims and subscriptions; 200 services. */
function crowd(agents: number, services: number) {
  const names = Array.from({ length: agents }, (_, number) => `agent${number}`);
  const worktrees = names.map((agent, number) => [`/w/${number}`, [{ agent, because: "its task" }]] as const);
  const workers: Workers = new Map(worktrees);
  const subscriptions = names.flatMap((agent, number): Subscription[] => [
    { agent, what: "service", repository: "", value: `service${number % services}` },
    { agent, what: "topic", repository: "", value: `topic${number % 50}` },
    { agent, what: "path", repository: `repository${number % repositories}`, value: `src/part${number % 97}/**` },
    { agent, what: "capability", repository: "", value: number % 10 === 0 ? "review" : "write" },
  ]);
  const claims = names.map((holder, number) => ({
    holder,
    repository: `repository${number % repositories}`,
    patterns: [`/src/part${number % 89}`],
  }));
  const tasks = names.map((agent, number) => ({ number, agent }));
  return buildIndex({ agents: names, workers, tasks, claims, subscriptions });
}

const routing: Entry = {
  name: "notices-route",
  what: "one event among 1,000 agents and 200 services: who should know, and why (bar: 5 ms)",
  floorIs: "5 ms",
  bar: 1,
  better: "lower",
  lane: "quick",
  async measure(rounds) {
    const index = crowd(1_000, 200);
    const took: number[] = [];
    for (let round = -5; round < Math.max(rounds, 50); round++) {
      const number = Math.abs(round);
      const ms = await timed(() => {
        address(index, {
          causedBy: `agent${number}`,
          recipients: [`agent${number + 1}`],
          task: number,
          sides: [`/w/${number}`, `/w/${number + 2}`],
          repository: `repository${number % repositories}`,
          paths: Array.from({ length: 20 }, (_, file) => `src/part${(number + file) % 97}/deep/file${file}.ts`),
          topics: [`topic${number % 50}`],
          services: [`service${number % 200}`, `service${(number + 1) % 200}`],
          capability: "review",
        });
      });
      if (round >= 0) took.push(ms);
    }
    took.sort(ascending);
    return { value: median(took), floor: 5, unit: "ms", note: `p99 ${percentile(took, 0.99).toFixed(2)} ms` };
  },
};

/** From an edit until what its other side is to hear lies ready, and until the finding is open: in one daemon, interleaved. */
const told: Entry = {
  name: "edit-to-ready",
  what: "edit → it lies ready for the other agent, 30 worktrees, p95, over edit → finding (bar: 500 ms over it)",
  floorIs: "edit → finding, plus 500 ms",
  bar: 1,
  better: "lower",
  lane: "full",
  async measure(rounds) {
    using fleet = new Fleet(300, 30);
    const shared = fleet.ownFile(0, 0);
    const [path = "", other = ""] = fleet.worktrees;
    fleet.write(other, shared, "other was here");
    return await withDaemon(fleet, async () => {
      await settled(fleet);
      const caller = callerOf(fleet);
      for (const [number, worktree] of [path, other].entries())
        await caller.call("worktree.observe", { path: worktree, agent: `agent${number + 1}` });
      // Agents with hooks: the first record of each says so.
      const hooks = join(fleet.env.CONSTEL_HOME, "state/hooks");
      mkdirSync(hooks, { recursive: true, mode: 0o700 });
      for (const agent of ["agent1", "agent2"]) writeFileSync(join(hooks, `${agent}.jsonl`), "", { mode: 0o600 });
      const file = fleet.pathOf(shared);
      const hear = join(fleet.env.CONSTEL_HOME, "state/hear/agent2/next.json");
      const lies = (): boolean =>
        existsSync(hear) && (JSON.parse(readFileSync(hear, "utf8")) as { items: unknown[] }).items.length > 0;
      const found: number[] = [];
      const ready: number[] = [];
      const over: number[] = [];
      for (let round = -2; round < Math.min(rounds, 60); round++) {
        const collides = round % 2 === 0;
        fleet.write(path, shared, collides ? `edit ${round}` : "base");
        const from = performance.now();
        await caller.call("worktree.touch", { path, files: [file], wait: true });
        const foundMs = performance.now() - from;
        while (lies() !== collides) {
          if (performance.now() - from > longestMs) throw new Error(`nothing lies ready after ${longestMs} ms`);
          await Bun.sleep(1);
        }
        const readyMs = performance.now() - from;
        if (round < 0 || !collides) continue;
        found.push(foundMs);
        ready.push(readyMs);
        over.push(readyMs - foundMs);
      }
      found.sort(ascending);
      ready.sort(ascending);
      over.sort(ascending);
      return {
        value: percentile(ready, 0.95),
        floor: percentile(found, 0.95) + 500,
        unit: "ms",
        note: `over the finding: median ${median(over).toFixed(0)} ms, p95 ${percentile(over, 0.95).toFixed(0)} ms`,
      };
    });
  },
};

export const noticeEntries: readonly Entry[] = [routing, told];

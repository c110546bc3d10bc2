// Nothing is destroyed on the word of a clock that jumped. For each thing that goes with time: it stays while the clock stands 400
// days ahead and when it is right again, and it goes when that time has really passed.

import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askApproval, endApprovals, listApprovals } from "../src/core/approvals/approve.ts";
import { addClaim, heldClaims, listClaims } from "../src/core/claims/claim.ts";
import { letGo } from "../src/core/retention/let-go.ts";
import { addLoop } from "../src/core/schedules/change.ts";
import { ScheduleScene } from "../src/core/schedules/schedules.suite.ts";
import { whileHolding } from "../src/core/tasks/landing/harvest-lease.ts";
import { pruneRescues } from "../src/core/tasks/workspaces/rescues.ts";
import type { TaskContext } from "../src/core/tasks/task-context.ts";
import { tidyHooks } from "../src/daemon/agents/tidy-hooks.ts";
import { pruneLoop } from "../src/daemon/loops/prune-loop.ts";
import { TrustedDirectory } from "../src/files/trusted-directory.ts";
import { drain } from "../src/floor/bus/drain.ts";
import { send } from "../src/floor/bus/send.ts";
import { settle } from "../src/floor/bus/settle.ts";
import { sweep } from "../src/floor/bus/sweep.ts";
import { quietUntil } from "../src/floor/markers/quiet-until.ts";
import { addRestartAttempt, restartAttempts } from "../src/floor/markers/restart-attempts.ts";
import { quiet } from "../src/floor/quiet.ts";
import { sweepArchives } from "../src/floor/watchdog/sweep-archives.ts";
import { systemLiveness } from "../src/host/process/liveness.ts";
import { seededRandom } from "../src/ports/fake-clock.ts";
import { defaultConfig } from "../src/settings/declarations.ts";
import { fakeBus, filesIn } from "./bus-kit.ts";
import { sqliteScene, withStore } from "./kit/databases.ts";
import { temporaryDirectory } from "./kit/directory.ts";
import { TestHome, until } from "./kit/home.ts";

const day = 86_400_000;
const here = withStore(sqliteScene);

interface Place {
  readonly lay: () => unknown;
  /** Does what time would have done, and tells whether it is still there. */
  readonly stays: () => Promise<boolean>;
}

function placesIn(home: string): Record<(typeof names)[number], Place> {
  const { store, clock } = here;
  const context = { store, clock, random: seededRandom(3), constellation: "constel0", actor: "owner" };
  const raw = (...statements: string[]) => here.scene.raw(...statements);
  const bus = { ...fakeBus(home), clock };
  const isThere = (path: string): boolean => existsSync(join(home, path));
  const layFile = (path: string): void => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), "{}");
    utimesSync(join(home, path), clock.nowMs() / 1000, clock.nowMs() / 1000);
  };
  const window = { windowMs: 600_000, settledMs: (atMs: number) => clock.settledMs(atMs) };
  const machine = { holder: "other", isGone: () => false, inHand: new Set() };
  const tasks = { ...context, machine } as unknown as TaskContext;
  const schedules = new ScheduleScene(here);
  const keep = { events: 365, messages: 90, invocations: 90, usage: 90, artefacts: 90 };
  return {
    "events of the timeline": {
      lay: async () => {
        for (let index = 0; index < 3; index++) await store.write((tx) => tx.record({ type: "n.seen", actor: "test" }));
      },
      stays: async () => (await letGo(context, keep, async () => {})).events === 0,
    },
    "closed findings, ended claims, needs, notices and published events": {
      lay: () =>
        raw(`insert into owner_needs (constellation, key, kind, says, next, since_ms, ended_ms, tries)
          values ('constel0', 'k', 'dead', '', '', ${clock.nowMs()}, ${clock.nowMs()}, 0)`),
      async stays() {
        const parts = { store, clock, settings: { config: defaultConfig } } as unknown as Parameters<
          typeof pruneLoop
        >[0];
        await pruneLoop(parts, { pruned: async () => {} } as never).round(new AbortController().signal);
        return (await raw("select key from owner_needs")).length === 1;
      },
    },
    "a claim": {
      async lay() {
        await raw(`insert into worktrees (constellation, path, repository, uncommitted, agent, first_seen_ms, last_observed_ms)
          values ('constel0', '/r', 'r', 0, 'agent1', 1, 1)`);
        const wish = {
          repository: "r",
          top: "/r",
          cwd: "/r",
          severity: "medium",
          reason: "mine",
          forMs: 7_200_000,
        } as const;
        await addClaim({ ...context, actor: "agent1" }, { ...wish, words: [{ word: "a.ts", isThere: true }] });
      },
      async stays() {
        const { byRepository } = await heldClaims(context);
        const { claims } = await listClaims(context, {});
        expect(byRepository.size).toBe(claims.length);
        return claims.length === 1;
      },
    },
    "a permission request that waits": {
      lay: () =>
        askApproval(
          { ...context, actor: "agent1" },
          {
            request: "q",
            agent: "agent1",
            runtime: "claude",
            task: "4",
            tool: "Bash",
            asked: "make",
            part: "make",
            why: "",
            cwd: "/w",
            timeoutMs: 600_000,
          },
        ),
      async stays() {
        await endApprovals(context, 0);
        return (await listApprovals(context, { all: false })).approvals.length === 1;
      },
    },
    "what was saved of a workspace": {
      lay: () =>
        raw(
          `insert into workspaces (id, constellation, task, name, state, root, place, path, source, origin, target, branch, base_sha, port_first, port_count, created_ms)
            values ('w', 'constel0', 1, 'w', 'removed', '', '', '/w', '', '', '', '', '', 0, 0, 1)`,
          `insert into rescues (id, constellation, task, workspace, name, source, kept_as, saved_ms)
            values ('r', 'constel0', 1, 'w', 'w', '', 'refs/x', ${clock.nowMs()})`,
        ),
      async stays() {
        await pruneRescues(tasks, { keepMs: 30 * day, log: () => {} }).catch(() => {});
        return (await raw("select announced_ms from rescues where announced_ms is null")).length === 1;
      },
    },
    "a harvester's lease": {
      lay: () =>
        raw(`insert into task_leases (name, holder, token, until_ms) values ('l', 'me', 1, ${clock.nowMs() + 60_000})`),
      stays: async () => (await whileHolding(tasks, "l", async () => true)) === undefined,
    },
    "a loop that a clone opened on its own work": {
      async lay() {
        await raw(
          `insert into tasks (constellation, number, title, directive, state, priority, agent, root, repositories, scope, created_by, created_ms, updated_ms)
            values ('constel0', 1, 't', '', 'in_progress', 'P2', 'agent1', '/r', '', '[]', 'owner', 1, 1)`,
        );
        const action = { agent: "agent1", prompt: "look at the checks" };
        await addLoop(schedules.context(), { id: "checks", action, everyMs: day, overlap: "skip" }, "agent1");
      },
      async stays() {
        await schedules.round();
        const text = schedules.loops.get("checks");
        return text !== undefined && !text.includes("are over");
      },
    },
    "a message that was done with, and its id": {
      async lay() {
        send(bus, { from: "agent1", to: "agent2", text: "x" });
        settle(bus, "agent2", (await drain(bus, "agent2")).messages, "acked");
      },
      async stays() {
        const swept = sweep(bus, "agent2");
        return swept.done + swept.seen === 0 && filesIn(home, "agent2", "done").length === 1;
      },
    },
    "a message in somebody's hands": {
      async lay() {
        send(bus, { from: "agent1", to: "agent3", text: "x" });
        await drain(bus, "agent3");
      },
      stays: async () => (await drain({ ...bus, liveness: systemLiveness }, "agent3")).messages.length === 0,
    },
    "the owner's quiet": {
      lay: () => quiet({ home, clock }, { for: "8h" }),
      stays: async () => quietUntil(home, clock) !== undefined,
    },
    "restarts that count against an agent": {
      lay: () => addRestartAttempt(home, "agent1", { ...window, nowMs: clock.nowMs() }, seededRandom(1)),
      stays: async () => restartAttempts(home, "agent1", { ...window, nowMs: clock.nowMs() }).length === 1,
    },
    "archived handoffs": {
      lay: () => layFile("state/handoff-archive/one.md"),
      async stays() {
        sweepArchives(home, { nowMs: clock.settledMs(), keepMs: 30 * day, liveness: systemLiveness });
        return isThere("state/handoff-archive/one.md");
      },
    },
    "what an agent's hooks wrote": {
      lay: () => layFile("state/hooks/agent1.jsonl"),
      async stays() {
        using hooks = TrustedDirectory.open(home, "state/hooks");
        tidyHooks(hooks, new Map(), { home, nowMs: clock.settledMs(), maxBytes: 65_536, keepDays: 30 });
        return isThere("state/hooks/agent1.jsonl");
      },
    },
  };
}

const names = [
  "events of the timeline",
  "closed findings, ended claims, needs, notices and published events",
  "a claim",
  "a permission request that waits",
  "what was saved of a workspace",
  "a harvester's lease",
  "a loop that a clone opened on its own work",
  "a message that was done with, and its id",
  "a message in somebody's hands",
  "the owner's quiet",
  "restarts that count against an agent",
  "archived handoffs",
  "what an agent's hooks wrote",
] as const;

test.each(names)("%s", async (name) => {
  using directory = temporaryDirectory("clock-jumps");
  mkdirSync(join(directory.path, "state"));
  const place = placesIn(directory.path)[name];
  const { clock } = here;
  const beganMs = clock.nowMs();
  await place.lay();
  clock.settledMs();
  clock.jumpTo(beganMs + 400 * day);
  expect(await place.stays()).toBe(true);
  clock.advance(30_000);
  expect(await place.stays()).toBe(true);
  clock.jumpTo(beganMs + 30_000);
  expect(await place.stays()).toBe(true);
  clock.advance(500 * day);
  expect(await place.stays()).toBe(false);
});

test("the jump is named by doctor, status and clock status until the owner accepts it", async () => {
  await using at = new TestHome();
  await at.constel(["announce", "one"]);
  await at.constel(["daemon", "stop"]);
  expect((await at.constel(["clock", "status"])).code).toBe(0);
  // The same as a clock that stands 400 days ahead of what passed.
  const file = join(at.home, "state/clock.json");
  const kept = JSON.parse(readFileSync(file, "utf8")) as { reachedMs: number };
  writeFileSync(file, JSON.stringify({ ...kept, reachedMs: kept.reachedMs - 400 * day }));
  const words = "The clock is 400 days ahead of the time that passed";
  const shown = await at.constel(["clock", "status"]);
  expect([shown.code, shown.stdout]).toEqual([1, expect.stringContaining(words)]);
  expect((await at.constel(["doctor"])).stdout).toContain(words);
  await at.constel(["daemon", "start"]);
  await until(
    "status names it",
    async () => (await at.constel(["status"])).stdout,
    (text) => text.includes("constel clock accept"),
  );
  expect((await at.constel(["clock", "accept"])).code).toBe(0);
  expect((await at.constel(["clock", "status"])).code).toBe(0);
  expect((await at.constel(["doctor"])).stdout).not.toContain(words);
}, 120_000);

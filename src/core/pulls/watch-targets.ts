// After a landing by pull request, the checks of the target itself are looked at for a day. When they turn red on the commit that a
// landing made, that is said of the task which landed last before it.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import type { Need } from "../agents/needs.ts";
import type { ReadContext } from "../context.ts";
import { sayOfTask } from "../tasks/for-pulls.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { findCi, noteChecks, redTargets } from "./ci.sql.ts";
import { landedPulls } from "./pulls.sql.ts";

const watchedMs = 86_400_000;

export async function watchTargets(context: TaskContext, log: (line: string) => void): Promise<void> {
  const { store, constellation, clock, machine } = context;
  const landed = await landedPulls(store.db, constellation, clock.nowMs() - watchedMs);
  // The newest landing of each target, because the rows come oldest first.
  const newest = new Map(landed.map((row) => [JSON.stringify([row.origin, row.target]), row]));
  for (const row of newest.values()) {
    try {
      const { origin, target: branch, task } = row;
      const commit = await machine.workspaces.atOrigin(origin, branch);
      if (commit === undefined) continue;
      const checks = await machine.forges.open(machine.forges.placeOf(origin)).checks(commit);
      const before = await findCi(store.db, { constellation, origin, branch });
      const wasRed = (before?.red_ms ?? null) !== null;
      // What came after the landing may be to blame as well as the landing: only its own commit is tied to it. Red on red is the first's.
      const blamed =
        wasRed && checks.state !== "green" ? (before?.task ?? null) : row.landed_sha === commit ? task : null;
      const about = { constellation, origin, branch, commit, checks, task: blamed, isTarget: true };
      await store.write(async (tx) => {
        await noteChecks(tx, about);
        if (wasRed || checks.state !== "red" || blamed === null) return;
        const red = checks.red.map(({ name }) => name.slice(0, 100));
        await sayOfTask(context, tx, row, { event: "target_red", data: { target: branch, commit, red } });
      });
    } catch (cause) {
      if (!(cause instanceof Outage || cause instanceof Refusal)) throw cause;
      log(`the checks of ${row.target} cannot be asked: ${messageOf(cause)}`);
    }
  }
}

/** Nobody asks any more of one that was not looked at for this long. */
const heardOfMs = 3_600_000;

/** Targets whose checks are red, for the owner. */
export async function redTargetNeeds({ store, clock }: ReadContext): Promise<Need[]> {
  const red = await redTargets(store.db, store.constellation, clock.nowMs() - heardOfMs);
  return red.map(({ origin, branch, task, says, red_ms }) => ({
    key: `main-red:${origin} ${branch}`.slice(0, 300),
    kind: "main-red",
    agent: null,
    says: `${branch} is red${task === null ? "" : ` since task ${task} landed`}: ${says ?? "its checks failed"}`,
    since_ms: red_ms,
    next:
      task === null
        ? "constel query \"select branch, state, task from ci where state = 'red'\""
        : `constel task revert ${task}`,
  }));
}

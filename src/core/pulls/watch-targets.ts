// After a landing by pull request, the checks of the target itself are looked at for a day. When they turn red on the commit that a
// landing made, that is said of the task which landed last before it.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import { sayOfTask } from "../tasks/for-pulls.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { noteChecks } from "./ci.sql.ts";
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
      // What came after the landing may be to blame as well as the landing: only its own commit is tied to it.
      const about = { constellation, origin, branch, commit, checks, task: row.landed_sha === commit ? task : null };
      await store.write(async (tx) => {
        if (!(await noteChecks(tx, about)) || checks.state !== "red" || about.task === null) return;
        const red = checks.red.map(({ name }) => name.slice(0, 100));
        await sayOfTask(context, tx, row, { event: "target_red", data: { target: branch, commit, red } });
      });
    } catch (cause) {
      if (!(cause instanceof Outage || cause instanceof Refusal)) throw cause;
      log(`the checks of ${row.target} cannot be asked: ${messageOf(cause)}`);
    }
  }
}

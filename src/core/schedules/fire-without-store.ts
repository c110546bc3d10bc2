// Fires what is due while the daemon cannot run: prompts of crons, and of loops that ask no command and no task first, are put into inboxes under the
// same keys that the daemon would give them. When the daemon is back it catches up as always, and finds by the key that the agent has had
// it. Verbs and commands that end loops need the daemon and are left to it; the answer says which ones.

import { messageOf } from "../../protocol/errors.ts";
import type { ScheduleMachine } from "../../ports/schedules.ts";
import { promptText } from "./carry-out.ts";
import { notAccepted, readCrons } from "./accepted-crons.ts";
import { dueFirings, onTimeMs } from "./due.ts";
import { parseLoopFile, printLoopFile } from "./loop-file.ts";
import { dueLoop } from "./loops.ts";
import type { CronState } from "./schedule.ts";

export interface Alone {
  readonly machine: Pick<ScheduleMachine, "files" | "prompt">;
  readonly nowMs: number;
  /** The moment up to which each cron was looked at, as far as it is known. The caller writes it anew. */
  readonly seen: ReadonlyMap<string, CronState>;
}

export interface FiredAlone {
  readonly seen: ReadonlyMap<string, CronState>;
  /** Keys of what was put into inboxes. */
  readonly fired: readonly string[];
  /** Labels of what is due and left to the daemon. */
  readonly left: readonly string[];
  readonly problems: readonly string[];
}

export async function fireWithoutStore({ machine, nowMs, seen }: Alone): Promise<FiredAlone> {
  const { files } = machine;
  const fired: string[] = [];
  const left: string[] = [];
  const problems: string[] = [];
  const after = new Map<string, CronState>();
  const tell = (from: "agentcron" | "agentloop", to: string, key: string, text: string): void => {
    machine.prompt({ key, from, to, text });
    fired.push(key);
  };
  const crons = (): void => {
    const { accepted, waiting } = readCrons(files);
    problems.push(...waiting.map((entry) => notAccepted(entry).message));
    for (const entry of accepted) {
      // Nobody knows how far it was looked at: as far back as would still have been on time.
      const before = seen.get(entry.label) ?? { seenMs: nowMs - onTimeMs };
      const { firings, state } = dueFirings(entry, before, nowMs);
      const { action, label, overlap } = entry;
      if (firings.length > 0 && action.verb !== undefined) {
        left.push(label); // not looked at by us: the daemon must find it due
        after.set(label, before);
        continue;
      }
      after.set(label, state);
      for (const { key, dueMs, catchUp, missed } of firings) {
        if (action.agent === undefined) continue;
        const about = { kind: "cron", label, due_ms: dueMs, catch_up: catchUp ? 1 : 0, missed, overlap };
        tell("agentcron", action.agent, key, promptText(about, action.prompt));
      }
    }
  };
  const loop = (id: string): void => {
    const file = parseLoopFile(files.readLoop(id) ?? "", files.loopPath(id));
    const { firing, state } = dueLoop(file.loop, file.state, nowMs);
    if (firing === undefined) return;
    const { action, until, onChange, own, overlap } = file.loop;
    const asksFirst = until !== undefined || onChange !== undefined || own !== undefined;
    if (asksFirst || action.agent === undefined) return void left.push(id);
    const about = {
      kind: "loop",
      label: id,
      due_ms: firing.dueMs,
      catch_up: firing.catchUp ? 1 : 0,
      missed: 0,
      overlap,
    };
    tell("agentloop", action.agent, firing.key, promptText(about, action.prompt));
    files.writeLoop(id, printLoopFile({ loop: file.loop, state }));
  };
  await files.exclusively(async () => {
    for (const look of [crons, ...files.listLoops().map((id) => () => loop(id))]) {
      try {
        look();
      } catch (cause) {
        problems.push(messageOf(cause)); // one file that cannot be read stops nothing else
      }
    }
  });
  return { seen: after, fired, left, problems };
}

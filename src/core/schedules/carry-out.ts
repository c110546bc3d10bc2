// Does what firings say, one of each schedule at a time. A prompt is put into its agent's inbox once the agent stands idle, and
// is under way until the agent has taken it and stands idle again. A verb runs in a process of its own. What is done first and noted
// after is safe to do twice: the bus knows a message's key, and a verb's key runs once.

import { counted } from "../../protocol/counted.ts";
import { exitCodes } from "../../protocol/exit-codes.ts";
import type { FiringsTable } from "../../store/tables/night.ts";
import { isFull } from "./fire.ts";
import type { Action } from "./schedule.ts";
import type { ScheduleContext } from "./schedule-context.ts";
import { agentStanding, messageStanding, openFirings, updateFiring } from "./schedules.sql.ts";

/** Answers whether anything is still open. */
export async function carryOut(context: ScheduleContext): Promise<boolean> {
  const { store, constellation } = context;
  const open = await openFirings(store.db, constellation);
  const busy = new Set<string>();
  for (const firing of open.filter(({ state }) => state === "running")) {
    if (!(await settle(context, firing))) busy.add(nameOf(firing));
  }
  if (open.length > 0) context.machine.verbs.sweep(open.map(({ key }) => key));
  let left = busy.size > 0;
  for (const firing of open.filter(({ state }) => state === "waiting")) {
    const name = nameOf(firing);
    const action = JSON.parse(firing.action) as Action;
    left = true;
    if (busy.has(name) || (await isFull(store, constellation, action))) continue;
    busy.add(name);
    await begin(context, firing, action);
  }
  return left;
}

const nameOf = ({ kind, label }: FiringsTable): string => `${kind}:${label}`;

async function begin(context: ScheduleContext, firing: FiringsTable, action: Action): Promise<void> {
  const { store, constellation, machine } = context;
  const { key } = firing;
  if (action.verb === undefined) {
    const from = firing.kind === "cron" ? "agentcron" : "agentloop";
    machine.prompt({
      id: firing.message_id ?? key,
      key,
      from,
      to: action.agent,
      text: promptText(firing, action.prompt),
    });
  } else {
    machine.verbs.begin(key, action.verb);
  }
  machine.step("schedules.begun");
  await store.write(async (tx) => {
    await updateFiring(tx.db, constellation, key, { state: "running", began_ms: tx.nowMs });
  });
  machine.step("schedules.noted");
}

/** Whoever reads it at night should know why it comes now. */
export function promptText(
  {
    kind,
    label,
    due_ms: dueMs,
    catch_up: catchUp,
    missed,
    overlap,
  }: Pick<FiringsTable, "kind" | "label" | "due_ms" | "catch_up" | "missed" | "overlap">,
  prompt: string,
): string {
  const due = new Date(dueMs).toISOString().slice(0, 16);
  const others = missed === 0 ? "" : ` and stands for ${counted(missed, "earlier one")}`;
  const late = catchUp === 1 ? ` It was due at ${due}Z, comes late${others}.` : "";
  const instead = overlap === "replace" ? " It replaces an earlier one that you may still be at." : "";
  const end = kind === "loop" ? ` To be asked again at another time: constel loop reschedule ${label} 20m` : "";
  return `${prompt}\n\n(From the ${kind === "cron" ? "schedule" : "loop"} ${label}.${late}${instead}${end})`;
}

/** Records how a firing ended, if it has. Returns true when it is over. */
async function settle(context: ScheduleContext, firing: FiringsTable): Promise<boolean> {
  const outcome =
    (JSON.parse(firing.action) as Action).verb === undefined
      ? await promptOutcome(context, firing)
      : verbOutcome(context, firing);
  if (outcome === undefined) return false;
  const { store, constellation, machine } = context;
  await store.write(async (tx) => {
    await updateFiring(tx.db, constellation, firing.key, { ...outcome, ended_ms: tx.nowMs });
    const subject = `${firing.kind}:${firing.label}`;
    const data = { key: firing.key, ...outcome };
    await tx.record({ type: "schedule.ended", subject, actor: "daemon", data });
  });
  machine.verbs.forget(firing.key);
  return true;
}

type Outcome = Pick<FiringsTable, "state" | "detail">;

function verbOutcome({ machine }: ScheduleContext, { key, action }: FiringsTable): Outcome | undefined {
  const look = machine.verbs.look(key);
  switch (look.state) {
    case "running":
      return undefined;
    case "none": {
      // Asked to begin by a daemon that died before it could.
      const { verb } = JSON.parse(action) as Action;
      if (verb !== undefined) machine.verbs.begin(key, verb);
      return undefined;
    }
    case "lost":
      return { state: "failed", detail: "it was ended from outside before it was done" };
    case "ended":
      if (look.exit === exitCodes.refused && look.says.trimEnd().endsWith("[task.nothing-to-land]"))
        return { state: "done", detail: "no task was ready to land" };
      return look.exit === 0
        ? { state: "done", detail: look.says === "" ? null : look.says }
        : { state: "failed", detail: `it ended with ${look.exit}: ${look.says}`.slice(0, 1_000) };
  }
}

async function promptOutcome(context: ScheduleContext, firing: FiringsTable): Promise<Outcome | undefined> {
  const { store, constellation } = context;
  const action = JSON.parse(firing.action) as Action;
  const message = await messageStanding(store.db, constellation, firing.message_id ?? "");
  if (message?.state === "poisoned")
    return { state: "failed", detail: `it was not delivered: ${message.because ?? ""}` };
  if (message === undefined || message.state === "sent" || message.state === "unknown") return undefined;
  const agent = await agentStanding(store.db, constellation, action.agent ?? "");
  if (agent === undefined || agent.wanted === "down") return { state: "done", detail: "its agent is down" };
  const sinceMs = Math.max(message.delivered_ms ?? 0, firing.began_ms ?? 0);
  if (agent.seen !== "idle") return undefined;
  // A turn may be over before anybody looked, and a clock may have been set back: one that has stood idle for so long is not at it.
  const isSeenDone = agent.since_ms >= sinceMs || Math.abs(context.clock.nowMs() - sinceMs) >= quickTurnMs;
  return isSeenDone ? { state: "done", detail: null } : undefined;
}

/** The daemon looks at an agent that works several times in this. */
const quickTurnMs = 30_000;

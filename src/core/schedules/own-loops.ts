// Loops that a clone opens on its own work. Each belongs to a task that the clone has in hand, says something to that clone alone, and ends
// with the task. They are bounded in number, period, firings and life. They run no command: the daemon would run it outside of the clone's
// sandbox, and past the rules about what the clone may do unasked. Pure.

import { durationText } from "../../protocol/duration.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Loop, LoopOwn, LoopWish } from "./schedule.ts";

/** A loop reminds; it does not keep a clone busy. After a day somebody should have looked. */
export const ownLoopBounds = { most: 3, shortestMs: 300_000, firings: 100, lifeMs: 86_400_000 } as const;

/** By agent, the tasks that it has in hand. */
export type InHand = ReadonlyMap<string, readonly number[]>;

/** Returns the loop as the clone may have it, or refuses. `open` are the loops that have not ended. */
export function ownLoop(
  clone: string,
  wish: LoopWish,
  { inHand, open, nowMs }: { readonly inHand: InHand; readonly open: readonly Loop[]; readonly nowMs: number },
): LoopWish {
  const task = inHand.get(clone)?.at(-1);
  const mine = open.filter(({ own, action }) => own !== undefined && action.agent === clone);
  const { most, firings, lifeMs } = ownLoopBounds;
  const refuse = (rule: string): Refusal => notAllowed(clone, wish.id, rule);
  if (wish.action.agent !== clone) throw refuse("tells that clone something and does nothing else");
  if (wish.until !== undefined || wish.onChange !== undefined || wish.directory !== undefined)
    throw refuse("runs no command: look yourself when it asks you, and end it with `constel loop remove`");
  if (task === undefined) throw refuse("belongs to a task in hand, and there is none");
  if (mine.length >= most) throw refuse(`is one of at most ${most}; open now: ${mine.map(({ id }) => id).join(", ")}`);
  refuseTooSoon(clone, wish.id, wish.everyMs);
  return { ...wish, most: Math.min(wish.most ?? firings, firings), own: { task, endsMs: nowMs + lifeMs } };
}

export function refuseTooSoon(clone: string, id: string, delayMs: number | undefined): void {
  const { shortestMs } = ownLoopBounds;
  if (delayMs === undefined || delayMs >= shortestMs) return;
  throw notAllowed(clone, id, `waits ${durationText(shortestMs)} or longer between two firings`);
}

/** Says why such a loop is over. Undefined while it may go on. */
export function whyOwnIsOver(
  { task, endsMs }: LoopOwn,
  agent: string,
  inHand: InHand,
  nowMs: number,
): string | undefined {
  if (inHand.get(agent)?.includes(task) !== true) return `task ${task} is no longer in ${agent}'s hands`;
  return nowMs < endsMs ? undefined : `its ${durationText(ownLoopBounds.lifeMs)} are over`;
}

const notAllowed = (clone: string, id: string, rule: string): Refusal =>
  new Refusal("schedule.own-work", `a loop that ${clone} opens itself ${rule}`, { loop: id, agent: clone });

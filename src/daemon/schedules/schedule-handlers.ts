// The operations on schedules, with the daemon's machine.

import {
  acceptCrons,
  addCron,
  addLoop,
  pauseSchedule,
  removeSchedule,
  reschedule,
  runSchedule,
} from "../../core/schedules/change.ts";
import type { Action } from "../../core/schedules/schedule.ts";
import type { ScheduleContext } from "../../core/schedules/schedule-context.ts";
import type { Context } from "../../core/context.ts";
import { askerNamed } from "../../protocol/authority.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { operations } from "../../protocol/operations/all.ts";
import type { ScheduleMachine } from "../../ports/schedules.ts";
import type { SchedulesLoop } from "./schedules-loop.ts";

type Names =
  | "schedule.add-cron"
  | "schedule.accept"
  | "schedule.add-loop"
  | "schedule.remove"
  | "schedule.pause"
  | "schedule.run"
  | "schedule.tick"
  | "schedule.reschedule";

type Handlers = {
  readonly [Name in Names]: (
    context: Context,
    input: ParsedInputOf<(typeof operations)[Name]>,
  ) => Promise<OutputOf<(typeof operations)[Name]>>;
};

export interface ScheduleParts {
  readonly machine: ScheduleMachine;
  readonly loop: Pick<SchedulesLoop, "tick">;
}

/** The clone that asks. Undefined: one of those who run the constellation. */
function cloneIn({ actor }: Context): string | undefined {
  const asker = askerNamed(actor);
  return asker.role === "clone" ? asker.name : undefined;
}

export function scheduleHandlers({ machine, loop }: ScheduleParts): Handlers {
  const on = (context: Context): ScheduleContext => ({ ...context, machine });
  return {
    async "schedule.add-cron"(context, { jitter_ms: jitterMs, action, ...wish }) {
      await addCron(on(context), { ...wish, action: action as Action, jitterMs });
      return { label: wish.label };
    },
    async "schedule.accept"(context, { crons }) {
      await acceptCrons(on(context), crons);
      return { accepted: crons.map(({ label }) => label) };
    },
    async "schedule.add-loop"(context, { label, every_ms: everyMs, on_change: onChange, action, ...wish }) {
      const asked = { ...wish, id: label, action: action as Action, everyMs, onChange };
      await addLoop(on(context), asked, cloneIn(context));
      return { label };
    },
    async "schedule.remove"(context, named) {
      await removeSchedule(on(context), named, cloneIn(context));
      return { label: named.label };
    },
    async "schedule.pause"(context, named) {
      await pauseSchedule(on(context), named);
      return { label: named.label };
    },
    "schedule.run": (context, named) => runSchedule(on(context), named),
    async "schedule.tick"() {
      const { nextMs, problems } = await loop.tick();
      return { next_ms: nextMs ?? null, problems: [...problems] };
    },
    async "schedule.reschedule"(context, { label, delay_ms: delayMs }) {
      const onlyFor = cloneIn(context);
      const { nextMs } = await reschedule(on(context), { label, delayMs, onlyFor });
      return { next_ms: nextMs };
    },
  };
}

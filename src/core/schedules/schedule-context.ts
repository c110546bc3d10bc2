// Defines the context of the schedule verbs: the context of every verb, and the machine behind schedules.

import type { ScheduleMachine } from "../../ports/schedules.ts";
import type { Context } from "../context.ts";

export interface ScheduleContext extends Context {
  readonly machine: ScheduleMachine;
}

// Handing a task over from one agent to another.

import { z } from "zod";
import { agentField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

export const handOverTask = defineOperation({
  name: "task.handover",
  summary: "Hand a task over to another agent, which goes on in its workspace with all that is known.",
  may: "everybody",
  effect: "writes",
  needsDaemon: true,
  speaks: ["because"],
  input: z.strictObject({
    task: taskField.describe("The task's number"),
    to: agentField.describe("The agent that goes on with it"),
    because: z.string().max(1_000).default("").describe("Why, in a sentence; the next agent reads it"),
  }),
  output: z.object({
    task: z.number().int(),
    from: z.string().nullable(),
    to: z.string(),
    /** The assignment to watch. */
    dispatch: z.string(),
    /** The refs under which all that the workspaces held was saved. */
    kept: z.array(z.string()),
    /** What the next agent is told. */
    capsule: z.string(),
  }),
  refusals: [
    "task.unknown",
    "task.not-allowed",
    "task.not-yours",
    "task.leased",
    "task.lease-lost",
    "task.landing",
    "task.agent-cannot",
    "store.not-written",
  ],
});

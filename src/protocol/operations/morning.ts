// The report of the morning: what the night left.

import { z } from "zod";
import { spanField } from "../fields.ts";
import { defineOperation } from "../operation.ts";
import { attentionPlace } from "./attention.ts";

const task = z.object({ task: z.number().int(), title: z.string(), agent: z.string().nullable() });

export const morningLook = defineOperation({
  name: "morning.look",
  summary: "What landed, what failed, what waits for you, what it cost and what is red, since a while ago.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({
    back_ms: spanField(60_000, 31 * 86_400_000)
      .default(43_200_000)
      .describe("How far back to look"),
  }),
  output: z.object({
    since_ms: z.number().int(),
    until_ms: z.number().int(),
    landed: z.array(
      task.extend({ landed_sha: z.string(), target: z.string().nullable(), evidence: z.string().nullable() }),
    ),
    /** Tasks that did not land, were not given out, or were taken back, and still stand so. */
    failed: z.array(task.extend({ state: z.string(), why: z.string() })),
    /** How often each agent went down. */
    crashes: z.array(z.object({ agent: z.string(), times: z.number().int(), what: z.string() })),
    /** Crons and loops whose firing failed. */
    firings: z.array(z.object({ label: z.string(), detail: z.string() })),
    /** What needs the owner now, in the order of `attention`. */
    waits: z.array(
      z.object({ place: attentionPlace, says: z.string(), agent: z.string().nullable(), next: z.string() }),
    ),
    waiting: z.number().int(),
    /** Gates and main branches that are red now. */
    red: z.array(z.object({ says: z.string(), next: z.string() })),
    cost_micros: z.number().int(),
    answers: z.number().int(),
    /** Answers whose price is not known. */
    unpriced: z.number().int(),
  }),
  refusals: [],
});

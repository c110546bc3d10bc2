// The daemon about itself.

import { z } from "zod";
import { ownMemoryShape } from "../own-memory.ts";
import { defineOperation } from "../operation.ts";
import { sensingState } from "../sensing-state.ts";

const stall = z.object({
  ms: z.number().int(),
  /** The processor time that the thread used meanwhile: the rest was other programs'. */
  cpu_ms: z.number().int(),
  /** The operation or the round of a loop that held it; several where that cannot be told apart. */
  by: z.string(),
  at_ms: z.number().int(),
});

/** The stretches of time for which the daemon's own thread was held. Nobody is answered meanwhile. */
const stalls = z.object({
  longest: stall.nullable(),
  last_hour: stall.nullable(),
  /** Those since the daemon began that used more than 50 ms of the processor. */
  long: z.number().int(),
});

export type Stalls = z.infer<typeof stalls>;

export const daemonStatus = defineOperation({
  name: "daemon.status",
  summary: "What the daemon is, since when, and how it fares.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  /** `settings`: with those it runs with; config.toml is looked at first. */
  input: z.object({ settings: z.boolean().default(false) }),
  output: z.object({
    pid: z.number().int(),
    version: z.string(),
    /** A word for the content of the sources that it runs. */
    build: z.string(),
    /** The clone or the file that it was started from. */
    installation: z.string(),
    started_ms: z.number().int(),
    store: z.enum(["sqlite", "postgres"]),
    http: z.string().nullable(),
    /** Where it serves people on other machines. */
    serves: z
      .object({
        address: z.string(),
        /** Of the certificate; null in plain, behind a proxy. */
        fingerprint: z.string().nullable(),
        names: z.array(z.string()),
        /** The time when the certificate ends. */
        until_ms: z.number().int().nullable(),
      })
      .nullable(),
    /** The reason why it does not, though it is to. */
    serves_problem: z.string().nullable(),
    rss_bytes: z.number().int(),
    /** The further memory held by the processes that work for it. */
    helpers_bytes: z.number().int(),
    /** Of every process that works for this home, these included. */
    memory: ownMemoryShape,
    cpu_ms: z.number().int(),
    loops: z.array(
      z.object({ name: z.string(), last_ms: z.number().int().nullable(), problem: z.string().nullable() }),
    ),
    stalls,
    /** null while no repository was ever looked at. */
    sensing: sensingState.nullable(),
    /** Every setting it runs with, as a short mark of its value, and those it has from its environment or a flag, which outrank config.toml; null where nobody asked. */
    settings: z.object({ marks: z.record(z.string(), z.string()), overridden: z.array(z.string()) }).nullable(),
    /** The reason why config.toml cannot be understood as it stands now. */
    settings_problem: z.string().nullable(),
  }),
  refusals: [],
});

export const daemonStop = defineOperation({
  name: "daemon.stop",
  summary: "Finish what is under way, then end.",
  may: "operators",
  effect: "destroys",
  needsDaemon: true,
  input: z.object({}),
  output: z.object({ pid: z.number().int() }),
  refusals: [],
});

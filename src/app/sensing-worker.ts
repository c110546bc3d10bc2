// The thread that looks at repositories, so that parsing and comparing never keep the daemon from answering. All it has
// is told to it; all it learns goes back as reports.

import type { TrustedPlace } from "../files/trusted-place.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { systemProcesses } from "../host/process/run.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import type { GateRun } from "../ports/gate.ts";
import { type Link, makeLink, type MessagePortLike } from "../sensing/link.ts";
import type { GateWish } from "../sensing/review-gate.ts";
import { SensingHost } from "./sensing-host.ts";
import { tidyMemory } from "../sensing/tidy-memory.ts";

export interface WorkerStart {
  readonly directory: string | TrustedPlace;
  /** Where gates run. */
  readonly gates: string | TrustedPlace;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

declare const self: MessagePortLike;

let senses: SensingHost | undefined;
const tidy = tidyMemory();

const link: Link = makeLink(self, async (name, input) => {
  if (name === "start") return void (senses = begin(input as WorkerStart));
  if (senses === undefined) throw new Error("the worker was not started");
  const { repository = "", path = "", paths = [], files = [], claims = [], gate } = input as Partial<Question>;
  if (name === "locate") return await senses.locate(path);
  if (name === "open") return await senses.open(repository, paths, gate);
  if (name === "leave") return await senses.leave(repository, path);
  if (name === "claims") return senses.claims(repository, claims);
  if (name === "touch") return await senses.touch(repository, path, files);
  if (name === "tests") return await senses.tests(repository, path);
  if (name === "drop") return await senses.drop(repository);
  if (name === "close") return await senses.close();
  throw new Error(`the worker does not know ${name}`);
});

interface Question {
  readonly repository: string;
  readonly path: string;
  readonly paths: readonly string[];
  readonly files: readonly string[];
  readonly claims: readonly HeldClaim[];
  readonly gate: GateWish;
}

function begin({ directory, gates, environment }: WorkerStart): SensingHost {
  return new SensingHost({
    git: { processes: systemProcesses, environment },
    directory,
    gates,
    clock: systemClock,
    gateRuns: {
      get: async (repository, key) => (await link.ask("gate-run", { repository, key })) as GateRun | undefined,
      set: async (repository, key, run) => void (await link.ask("gate-ran", { repository, key, run })),
    },
    report: async (report) => {
      await link.ask("report", report);
      tidy.worked();
    },
    log: (line) => void link.ask("log", line),
  });
}

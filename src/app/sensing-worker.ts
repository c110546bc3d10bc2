// The thread that looks at repositories, so that parsing and comparing never keep the daemon from answering. All it has
// is told to it; all it learns goes back as reports.

import { askSystemDirectly } from "../files/directory-calls.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { watchBudget } from "../host/git/watch/watch-budget.ts";
import { systemProcesses } from "../host/process/run.ts";
import type { DaemonCalls, SensingCalls, WorkerStart } from "../sensing/calls.ts";
import { makeLink, type MessagePortLike } from "../sensing/link.ts";
import { tidyMemory } from "../sensing/tidy-memory.ts";
import { encloseCommands } from "./enclose-commands.ts";
import { SensingHost } from "./sensing-host.ts";

declare const self: MessagePortLike;

askSystemDirectly();
let host: SensingHost | undefined;
const tidy = tidyMemory();

function started(): SensingHost {
  if (host === undefined) throw new Error("the worker was not started");
  return host;
}

const link = makeLink<DaemonCalls, SensingCalls>(self, {
  start: (start) => void (host = begin(start)),
  locate: ({ path }) => started().locate(path),
  open: ({ repository, paths, gate, origin }) => started().open(repository, paths, { gate, origin }),
  originsMoved: () => started().originsMoved(),
  leave: ({ repository, worktree }) => started().leave(repository, worktree),
  claims: ({ repository, claims }) => started().claims(repository, claims),
  touch: ({ repository, worktree, files }) => started().touch(repository, worktree, files),
  tests: ({ repository, worktree }) => started().tests(repository, worktree),
  serviceFiles: ({ repository }) => started().serviceFiles(repository),
  contractChanges: ({ repository, ...asked }) => started().contractChanges(repository, asked),
  usesOf: ({ repository, worktree, names }) => started().usesOf(repository, worktree, names),
  interfacesOf: ({ repository }) => started().interfacesOf(repository),
  beganMs: ({ repository, worktree }) => started().beganMs(repository, worktree),
  generatedIn: ({ repository, worktree, paths }) => started().generatedIn(repository, worktree, paths),
  namesInGenerated: ({ repository, worktree, ...asked }) => started().namesInGenerated(repository, worktree, asked),
  landedSince: ({ repository, ...asked }) => started().landedSince(repository, asked),
  drop: ({ repository }) => started().drop(repository),
  close: () => started().close(),
});

function begin({
  directory,
  maxBytes,
  watches,
  facts,
  gates,
  environment,
  enclosure,
  fetchEveryMs,
  compilers,
}: WorkerStart): SensingHost {
  const enclose = enclosure === undefined ? undefined : encloseCommands(enclosure);
  return new SensingHost({
    git: { processes: systemProcesses, environment, enclose },
    directory,
    maxBytes,
    watches: watchBudget(watches),
    facts,
    gates,
    enclose,
    fetchEveryMs,
    ...(compilers === undefined ? {} : { compilers }),
    clock: systemClock,
    gateRuns: {
      get: (tree) => link.ask("gateRun", tree),
      set: (tree, run) => link.ask("gateRan", { ...tree, run }),
    },
    report: async (report) => {
      await link.ask("report", report);
      tidy.worked();
    },
    state: (state) => void link.ask("state", state),
    log: (line) => void link.ask("log", { line }),
  });
}

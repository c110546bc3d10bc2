// The process that reads repositories, for the daemon as long as it lives and for one command each. What stands in a repository can make any reader run for ever or
// take all memory, so whoever waits for an answer never reads it: this process does, and is ended when one question runs over its budget
// (docs/decisions/0066-questions-that-never-end.md). All it has is told to it; all it learns goes back.

import { askSystemDirectly } from "../files/directory-calls.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { watchBudget } from "../host/git/watch/watch-budget.ts";
import { ownBudgets } from "../host/process/budget/own-budgets.ts";
import { StartedBy } from "../host/process/budget/started-by.ts";
import { recordDescriptor } from "../host/process/budget/question-record.ts";
import { systemProcesses } from "../host/process/run.ts";
import { type Budgets, inBudget, keepBudgets, OverBudget, type Subject } from "../ports/budget.ts";
import { Outage } from "../protocol/errors.ts";
import type { BudgetStart, DaemonCalls, SensingCalls, SensingStart } from "../sensing/calls.ts";
import { type Link, makeLink, type MessagePortLike } from "../sensing/link.ts";
import type { CommandCalls, LookCalls } from "../sensing/look-calls.ts";
import { SetAsides } from "../sensing/set-aside.ts";
import { tidyMemory } from "../sensing/tidy-memory.ts";
import { endlessPoint } from "../settings/endless.ts";
import { encloseCommands } from "./enclose-commands.ts";
import { answerCommands } from "./look-commands.ts";
import { SensingHost } from "./sensing-host.ts";

const parent: MessagePortLike = {
  postMessage: (message) => void process.send?.(message),
  addEventListener: (_, hear) => void process.on("message", (data: unknown) => hear({ data } as MessageEvent)),
};

askSystemDirectly();
// Ctrl-C reaches every process of a terminal; the one that was asked says what becomes of the others.
process.on("SIGINT", () => undefined);
// Whoever asked has died: nobody would end the compilers that this process started.
process.on("disconnect", () => {
  const left = new StartedBy(process.pid);
  left.look();
  void left.end().finally(() => process.exit(0));
});

let host: SensingHost | undefined;
const tidy = tidyMemory();

function started(): SensingHost {
  if (host === undefined) throw new Error("the process was not started");
  return host;
}

/** Everything that is done for a repository stands under its name, so that it is known which one was looked at. */
async function of<Answer>(repository: string, ask: () => Promise<Answer> | Answer): Promise<Answer> {
  try {
    return await inBudget({ kind: "repository", repository, name: repository, key: repository }, async () => ask());
  } catch (cause) {
    if (cause instanceof OverBudget) throw new Outage("look at", repository, cause.message, { mayRetry: true });
    throw cause;
  }
}

const link: Link<DaemonCalls & CommandCalls> = makeLink<DaemonCalls & CommandCalls, SensingCalls & LookCalls>(parent, {
  start({ budget, ...start }) {
    begin(budget);
    host = sensingHost(start);
  },
  locate: ({ path }) => started().locate(path),
  open: ({ repository, paths, gate, origin }) =>
    of(repository, () => started().open(repository, paths, { gate, origin })),
  originsMoved: () => started().originsMoved(),
  leave: ({ repository, worktree }) => started().leave(repository, worktree),
  claims: ({ repository, claims }) => started().claims(repository, claims),
  touch: ({ repository, worktree, files }) => started().touch(repository, worktree, files),
  tests: ({ repository, worktree }) => of(repository, () => started().tests(repository, worktree)),
  declared: ({ repository }) => of(repository, () => started().declared(repository)),
  contractChanges: ({ repository, ...asked }) => of(repository, () => started().contractChanges(repository, asked)),
  usesOf: ({ repository, worktree, names }) => of(repository, () => started().usesOf(repository, worktree, names)),
  interfacesOf: ({ repository }) => of(repository, () => started().interfacesOf(repository)),
  beganMs: ({ repository, worktree }) => of(repository, () => started().beganMs(repository, worktree)),
  generatedIn: ({ repository, worktree, paths }) =>
    of(repository, () => started().generatedIn(repository, worktree, paths)),
  namesInGenerated: ({ repository, worktree, ...asked }) =>
    of(repository, () => started().namesInGenerated(repository, worktree, asked)),
  landedSince: ({ repository, ...asked }) => of(repository, () => started().landedSince(repository, asked)),
  ownSides: ({ repository }) => of(repository, () => started().ownSides(repository)),
  pushSides: ({ repository, ...wish }) => of(repository, () => started().pushSides(repository, wish)),
  bundleSide: ({ repository, ...side }) => of(repository, () => started().bundleSide(repository, side)),
  takeSides: ({ repository, sides }) => of(repository, () => started().takeSides(repository, sides)),
  drop: ({ repository }) => started().drop(repository),
  close: () => started().close(),
  ...answerCommands({
    begin,
    claims: (repository) => link.ask("claimsIn", { repository }),
    told: (what, part) => void link.ask("told", { what, ...part }),
  }),
});

function begin({ holdMs, setAside, isOneByOne }: BudgetStart): void {
  const known = new SetAsides(setAside);
  const tell = (subject: Subject, why: string | undefined): void => void link.ask("unchecked", { subject, why });
  const told = new Set<string>();
  const refused = (subject: Subject): string | undefined => {
    const why = known.refused(subject, systemClock.nowMs());
    if (why === undefined || told.has(subject.key)) return why;
    told.add(subject.key);
    tell(subject, why);
    return why;
  };
  const suspicion = (trees: readonly string[]): number => known.suspicion(trees);
  const budgets = ownBudgets({ record: recordDescriptor, holdMs, isOneByOne, refused, suspicion });
  keepBudgets(
    tellingOfOthers(budgets, setAside, (subject) => {
      told.clear();
      tell(subject, undefined);
    }),
  );
}

/** Tells when another version was read of something that is set aside. A fault test may have a question never end. */
function tellingOfOthers(
  budgets: Budgets,
  setAside: BudgetStart["setAside"],
  wasRead: (subject: Subject) => void,
): Budgets {
  const nameOf = ({ kind, name }: Subject): string => `${kind} ${name}`;
  const names = new Set(setAside.map(({ subject }) => nameOf(subject)));
  return {
    ...budgets,
    begin(subject) {
      const named = budgets.begin(subject);
      endlessPoint(subject);
      if (!names.has(nameOf(subject))) return named;
      return {
        waits: () => named.waits(),
        end() {
          named.end();
          wasRead(subject);
        },
      };
    },
  };
}

function sensingHost({
  directory,
  maxBytes,
  watches,
  facts,
  gates,
  environment,
  enclosure,
  fetchEveryMs,
  compilers,
}: SensingStart): SensingHost {
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

// `constel check` without a daemon: observes the repository from a private directory that is gone afterwards, takes both
// sides, and asks the pipeline everything at once. Nothing is registered, and nothing is written to the repository.

import { isUnread, readRepositoryConfig } from "../core/findings/repository-config.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { gateRunner } from "../host/gate/run-gate.ts";
import { observe } from "../host/git/observer.ts";
import { systemProcesses } from "../host/process/run.ts";
import { withTemporaryDirectory } from "../host/process/temporary-directory.ts";
import type { GateRun, GateSubject } from "../ports/gate.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { CheckReport, CheckRequest } from "../protocol/check.ts";
import { type ConstelToml, defaultGateDeadlineMs } from "../protocol/constel-toml.ts";
import { Refusal } from "../protocol/errors.ts";
import type { GateParts } from "../sensing/ask-gate.ts";
import { type OpenLanguages, openLanguages } from "../languages/open-languages.ts";
import { PairPipeline } from "../sensing/pipeline.ts";
import { openMemory } from "../sensing/repository-memory.ts";
import { claimParts } from "./claim-parts.ts";
import { chooseSides } from "./choose-sides.ts";
import { encloseCommands } from "./enclose-commands.ts";
import { keepFacts } from "./keep-facts.ts";
import { careOf, repositoryToolchains } from "./repository-toolchains.ts";

/** Long enough for a large repository seen for the first time; past it the answer says that it is not complete. */
const deadlineMs = 120_000;
/** A compiler that knows nothing yet reads a large project in some ten seconds. */
const compilerDeadlineMs = 60_000;

/** `kept`: languages that the caller goes on using, and closes. */
export async function checkPair(request: CheckRequest, kept?: OpenLanguages): Promise<CheckReport> {
  const started = performance.now();
  try {
    const { repository, verdict, hints } = await withTemporaryDirectory("check", (directory) =>
      checkIn(directory, request, kept),
    );
    return { repository, verdict, hints, durationMs: Math.round(performance.now() - started) };
  } catch (cause) {
    // A git that was ended by the interruption fails in its own words.
    if (request.signal.aborted) throw new Refusal("command.interrupted", "interrupted; nothing is left behind");
    throw cause;
  }
}

async function checkIn(
  directory: string,
  request: CheckRequest,
  kept: OpenLanguages | undefined,
): Promise<Omit<CheckReport, "durationMs">> {
  const { environment, signal: interrupted } = request;
  const open = (path: string): ReturnType<typeof observe> =>
    observe(path, { processes: systemProcesses, environment, clock: systemClock, directory, signal: interrupted });
  const chosen = await chooseSides(request, open);
  const { observer, ours, theirs } = chosen;
  const languages = kept ?? openLanguages({ compiler: careOf(request.compilers), shelf: keepFacts(request.facts) });
  const checkouts = (await observer.worktrees()).found.map(({ path }) => path);
  const { compilers } = request;
  const machine = { observer, processes: systemProcesses, environment, directory, checkouts: () => checkouts };
  const toolchains = compilers === undefined ? undefined : repositoryToolchains({ ...machine, compilers });
  try {
    const pair = { ours: ours.snapshot, theirs: theirs.snapshot };
    const [merge] = await observer.merge([pair], { trees: true });
    if (merge === undefined || merge.kind === "skipped") {
      const why = merge?.detail ?? "git gave no answer";
      throw new Refusal("check.not-comparable", `${ours.side.label} and ${theirs.side.label}: ${why}`);
    }
    const config = await configOf(observer, merge.tree ?? ours.snapshot.tree, request);
    const gate = request.gate ? { gate: gateOf(config?.gate, observer, request) } : {};
    const pipeline = new PairPipeline({
      observer,
      memory: openMemory(languages),
      compilers: {
        asked: { when: "now" },
        deadlineMs: compilerDeadlineMs,
        checkouts: async () => checkouts,
        ...(toolchains === undefined ? {} : { toolchains }),
      },
      ...(config === undefined ? {} : { patterns: config.findings }),
      ...(await claimParts(observer, request.claims)),
      deadlineMs,
      log: () => undefined,
      ...gate,
    });
    const verdict = await pipeline.judge(ours, theirs, merge, request.signal);
    return { repository: observer.identity, verdict, hints: chosen.hints };
  } finally {
    if (kept === undefined) languages.close();
    toolchains?.close();
    await observer.close();
  }
}

/** undefined where the clone lacks the file and nobody needs it: then the pipeline says what it does not rest on. */
async function configOf(
  observer: RepositoryObserver,
  tree: string,
  { gate, gateCommand }: CheckRequest,
): Promise<ConstelToml | undefined> {
  try {
    return await readRepositoryConfig(observer, tree);
  } catch (cause) {
    if (!isUnread(cause) || (gate && gateCommand === undefined)) throw cause;
    return undefined;
  }
}

/** Asked for with --gate: the command comes from the merged tree, as it would be after landing. */
function gateOf(said: ConstelToml["gate"], observer: RepositoryObserver, request: CheckRequest): GateParts {
  const command = request.gateCommand ?? said?.command;
  if (command === undefined) throw new Refusal("check.no-gate", "the repository declares no gate command");
  const runs = new Map<string, GateRun>();
  const key = ({ command: what, tree }: GateSubject): string => JSON.stringify([what, tree]);
  return {
    asked: { when: "now" },
    isChoosy: false,
    command: async () => ({ command, deadlineMs: said?.deadlineMs ?? defaultGateDeadlineMs, settleMs: 0 }),
    runner: gateRunner({
      observer,
      processes: systemProcesses,
      environment: request.environment,
      enclose: request.enclosure === undefined ? undefined : encloseCommands(request.enclosure),
    }),
    cache: { get: (subject) => runs.get(key(subject)), set: (subject, run) => void runs.set(key(subject), run) },
  };
}

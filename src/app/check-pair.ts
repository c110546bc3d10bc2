// `constel check` without a daemon: observes the repository from a private directory that is gone afterwards, takes both
// sides, asks git and the reviewers. Nothing is registered, and nothing is written to the repository.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GateOptions } from "../core/findings/gate.ts";
import { readRepositoryConfig, type RepositoryConfig } from "../core/findings/repository-config.ts";
import { type ReviewedSide, reviewPair, type ReviewPorts } from "../sensing/review-pair.ts";
import { ReviewMemory } from "../core/findings/scene.ts";
import type { TypeScriptPorts } from "../languages/typescript/rules/check-typescript.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { gateRunner } from "../host/gate/run-gate.ts";
import { observe } from "../host/git/observer.ts";
import { compiledLanguages } from "../languages/compiled-languages.ts";
import { parsePython } from "../languages/python/reader/summarise.ts";
import { compilerHere } from "../languages/typescript/compiler/compiler-check.ts";
import { parseTypeScript } from "../languages/typescript/reader/parse-typescript.ts";
import { surfaceOf } from "../languages/typescript/reader/surface.ts";
import { systemProcesses } from "../host/process/run.ts";
import { withTemporaryDirectory } from "../host/process/temporary-directory.ts";
import type { CheckReport, CheckRequest } from "../protocol/check.ts";
import { Refusal } from "../protocol/errors.ts";
import type { GateRun } from "../ports/gate.ts";
import type { RepositoryObserver } from "../ports/git.ts";
import type { PythonSummary } from "../languages/python/facts.ts";
import type { TypeScriptCompiler } from "../languages/typescript/compiler/typescript-compiler.ts";
import { chooseSides } from "./choose-sides.ts";

/** Long enough for a large repository seen for the first time; past it the answer says that it is not complete. */
const deadlineMs = 120_000;
/** A compiler that knows nothing yet reads a large project in some ten seconds. */
const compilerDeadlineMs = 60_000;

/** `kept`: a compiler that the caller goes on using, and closes. */
export async function checkPair(request: CheckRequest, kept?: TypeScriptCompiler): Promise<CheckReport> {
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
  kept: TypeScriptCompiler | undefined,
): Promise<Omit<CheckReport, "durationMs">> {
  const { environment, signal: interrupted } = request;
  const open = (path: string): ReturnType<typeof observe> =>
    observe(path, { processes: systemProcesses, environment, clock: systemClock, directory, signal: interrupted });
  const chosen = await chooseSides(request, open);
  const { observer, ours, theirs } = chosen;
  const own = kept === undefined ? compilerHere() : undefined;
  const compiler = kept ?? own;
  try {
    const pair = { ours: ours.snapshot, theirs: theirs.snapshot };
    const [merge] = await observer.merge([pair], { trees: true });
    if (merge === undefined || merge.kind === "skipped") {
      const why = merge?.detail ?? "git gave no answer";
      throw new Refusal("check.not-comparable", `${ours.side.label} and ${theirs.side.label}: ${why}`);
    }
    // The gate has a deadline of its own.
    const limits = request.gate ? [request.signal] : [request.signal, AbortSignal.timeout(deadlineMs)];
    const signal = AbortSignal.any(limits);
    const config = await readRepositoryConfig(observer, merge.tree ?? ours.snapshot.tree);
    const gate = request.gate ? { gate: gateOf(config, observer, request) } : {};
    const options = { signal, patterns: config.patterns, ...gate };
    const packagesFrom = await placeWithPackages(observer, [ours, theirs]);
    const ports = freshPorts({ ...(compiler === undefined ? {} : { compiler }), ...packagesFrom });
    const verdict = await reviewPair(ports, observer, ours, theirs, merge, options);
    return { repository: observer.identity, verdict, hints: [...chosen.hints, ...config.notes] };
  } finally {
    own?.close();
    await observer.close();
  }
}

/** A checkout where packages are installed: one of the two, else any of the repository. */
async function placeWithPackages(
  observer: RepositoryObserver,
  sides: readonly ReviewedSide[],
): Promise<Pick<TypeScriptPorts, "packagesFrom">> {
  const own = sides.flatMap(({ side }) => side.worktree ?? []);
  const { found } = await observer.worktrees();
  const packagesFrom = [...own, ...found.map(({ path }) => path)].find((path) =>
    existsSync(join(path, "node_modules")),
  );
  return packagesFrom === undefined ? {} : { packagesFrom };
}

/** Asked for with --gate: the command comes from the merged tree, as it would be after landing. */
function gateOf(config: RepositoryConfig, observer: RepositoryObserver, request: CheckRequest): GateOptions {
  const command = request.gateCommand ?? config.gateCommand;
  if (command === undefined) throw new Refusal("check.no-gate", "the repository says no gate command");
  const runs = new Map<string, GateRun>();
  return {
    runner: gateRunner({ observer, processes: systemProcesses, environment: request.environment }),
    cache: { get: (key) => runs.get(key), set: (key, run) => void runs.set(key, run) },
    command,
    deadlineMs: config.gateDeadlineMs,
  };
}

function freshPorts(compiling: Pick<TypeScriptPorts, "compiler" | "packagesFrom">): ReviewPorts {
  const summaries = new Map<string, PythonSummary>();
  return {
    typescript: { parse: parseTypeScript, cache: new Map(), compilerDeadlineMs, surfaceOf, ...compiling },
    python: {
      parse: parsePython,
      cache: { get: (blob) => summaries.get(blob), set: (blob, summary) => void summaries.set(blob, summary) },
    },
    compiled: compiledLanguages(() => new Map()),
    cache: { get: () => undefined, set: () => undefined },
    memory: new ReviewMemory(),
  };
}

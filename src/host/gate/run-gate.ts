// Runs a gate in a scratch directory that is gone afterwards, at low priority and with a deadline. Who asks says how the files
// get there: `gateRunner` writes a tree from its objects alone, a harvest makes a clone. Either way it is a repository of its
// own, which shares no configuration, refs, hooks, remotes or objects with one that anybody pushes from.

import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { asPlace, type TrustedPlace } from "../../files/trusted-place.ts";
import type { GateRequest, GateRun, GateRunner } from "../../ports/gate.ts";
import type { RepositoryObserver } from "../../ports/git.ts";
import { systemClock } from "../clock/system-clock.ts";
import { reap } from "../process/reap.ts";
import { checkOut } from "./check-out.ts";
import { makeRepository } from "./own-repository.ts";
import { type CommandHost, type CommandRun, type CommandWish, runCommand } from "./run-command.ts";

export interface GateHost extends CommandHost {
  readonly observer: RepositoryObserver;
  /** The place where the scratch directories are made. Without it, the system's own. */
  readonly directory?: string | TrustedPlace;
}

/** Between asking and insisting. */
const graceMs = 200;
const placeMark = "CONSTEL_GATE_PLACE";

export function gateRunner(host: GateHost): GateRunner {
  return {
    run(request: GateRequest): Promise<GateRun> {
      return inScratch(host.directory, async (directory, repository) => {
        const missing = await checkOut(host.observer, request.tree, repository);
        if (missing.length > 0) {
          return { outcome: "not-run", detail: `${missing[0]} could not be written (${missing.length} in all)` };
        }
        await makeRepository(host, directory);
        const place = host.directory === undefined ? undefined : nameOf(host.directory);
        return await runGateIn(host, directory, request, { place });
      });
    },
  };
}

/** Lends out a directory that is gone afterwards. */
export async function inScratch<T>(
  at: string | TrustedPlace | undefined,
  use: (directory: string, repository: TrustedDirectory) => Promise<T>,
): Promise<T> {
  const { root, relative } = asPlace(at ?? tmpdir());
  using place = TrustedDirectory.open(root, relative, { create: true });
  const name = `constel-gate-${randomBytes(6).toString("hex")}`;
  try {
    using scratch = place.child(name, { create: true });
    using repository = scratch.child("repository", { create: true });
    return await use(realpathSync(repository.path), repository);
  } finally {
    place.removeTree(name);
  }
}

/** The gate on the files that stand in a directory. */
export async function runGateIn(
  host: CommandHost,
  directory: string,
  request: GateRequest,
  more: { readonly place?: string | undefined; readonly variables?: Readonly<Record<string, string>> } = {},
): Promise<GateRun> {
  const wish = { command: request.command, deadlineMs: request.deadlineMs, signal: request.signal };
  const variables = { CONSTEL_GATE_TREE: request.tree, ...more.variables };
  const run = await runHere(host, { ...wish, cwd: directory, variables }, more.place);
  if (run.kind === "ended") {
    const detail = run.isGood || run.printed !== "" ? run.printed : `it ${run.how}`;
    const isOdd = run.how.startsWith("was ended by");
    return { outcome: run.isGood ? "green" : "red", detail: isOdd ? `${run.printed}\n(it ${run.how})`.trim() : detail };
  }
  return {
    outcome: "not-run",
    detail: whyNot(run, request.deadlineMs),
    ...(run.kind === "stopped" ? { isStopped: true } : {}),
  };
}

/** Any command in a scratch directory: its processes are found again after a crash by the place they ran in. */
export async function runHere(host: CommandHost, wish: CommandWish, place: string | undefined): Promise<CommandRun> {
  const variables = { ...wish.variables, ...(place === undefined ? {} : { [placeMark]: place }) };
  return await runCommand(host, { ...wish, variables, isPatient: true });
}

export function whyNot({ kind, printed }: CommandRun, deadlineMs: number): string {
  if (kind === "late") return `${printed}\n(ended after ${deadlineMs / 1000} s, the deadline)`.trim();
  if (kind === "endless") return `${printed}\n(it printed without end)`.trim();
  return "it was stopped";
}

/** Ends and removes what a program that was killed has left in a directory for gates. */
export async function clearGates(directory: string | TrustedPlace): Promise<void> {
  const { root, relative } = asPlace(directory);
  using place = absentAsUndefined(() => TrustedDirectory.open(root, relative));
  const left = place?.list() ?? []; // when there is none, no gate ever ran here
  if (left.length === 0) return;
  await reap({ mark: { [placeMark]: nameOf(directory) }, clock: systemClock, graceMs });
  for (const name of left) place?.removeTree(name);
}

function nameOf(directory: string | TrustedPlace): string {
  const { root, relative } = asPlace(directory);
  return join(root, relative);
}

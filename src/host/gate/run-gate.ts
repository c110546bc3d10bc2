// Runs a gate on a tree in a scratch directory that is gone afterwards: at low priority, with a deadline. Everything it
// started ends with it, also what left its process group: each of its processes carries a mark in its environment.

import { randomBytes } from "node:crypto";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { asPlace, type TrustedPlace } from "../../files/trusted-place.ts";
import type { GateRequest, GateRun, GateRunner } from "../../ports/gate.ts";
import type { RepositoryObserver } from "../../ports/git.ts";
import type { Processes } from "../../ports/machine.ts";
import { systemClock } from "../clock/system-clock.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { reap } from "../process/reap.ts";
import { checkOut } from "./check-out.ts";

export interface GateHost {
  readonly observer: RepositoryObserver;
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the scratch directories are made; the system's own place when it is not said. */
  readonly directory?: string | TrustedPlace;
}

const tailBytes = 4_000;
/** Between asking and insisting. */
const graceMs = 200;
const runMark = "CONSTEL_GATE_RUN";
const placeMark = "CONSTEL_GATE_PLACE";

// What it left running in its own group is ended, else its output would never end either.
const script = `exec 2>&1; trap '' TERM; ( trap - TERM; eval "$1" ); code=$?; kill -TERM -$$ 2>/dev/null; exit $code`;

export function gateRunner(host: GateHost): GateRunner {
  return {
    async run(request: GateRequest): Promise<GateRun> {
      const { root, relative } = asPlace(host.directory ?? tmpdir());
      using place = TrustedDirectory.open(root, relative, { create: true });
      const name = `constel-gate-${randomBytes(6).toString("hex")}`;
      try {
        using scratch = place.child(name, { create: true });
        return await runIn(scratch, request, host);
      } finally {
        place.removeTree(name);
      }
    },
  };
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

const nameOf = (directory: string | TrustedPlace): string => {
  const { root, relative } = asPlace(directory);
  return join(root, relative);
};

async function runIn(scratch: TrustedDirectory, request: GateRequest, host: GateHost): Promise<GateRun> {
  const missing = await checkOut(host.observer, request.tree, scratch);
  const directory = realpathSync(scratch.path);
  if (missing.length > 0) {
    return { outcome: "not-run", detail: `${missing[0]} could not be written (${missing.length} in all)` };
  }
  if (isStopped(request)) return { outcome: "not-run", detail: "was stopped" };
  const marks = {
    [runMark]: directory,
    ...(host.directory === undefined ? {} : { [placeMark]: nameOf(host.directory) }),
  };
  const endAll = (): Promise<unknown> => reap({ mark: { [runMark]: directory }, clock: systemClock, graceMs });
  // The group is ended by who runs it; one that fled from it would hold the output open for ever.
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void endAll();
  }, request.deadlineMs);
  const stop = (): void => void endAll();
  request.signal?.addEventListener("abort", stop, { once: true });
  try {
    // Output of both kinds in the order it came, as a person would see it.
    const outcome = await host.processes.run(["nice", "-n", "10", "sh", "-c", script, "sh", request.command], {
      cwd: directory,
      env: childEnvironment(host.environment, { CI: "1", CONSTEL_GATE_TREE: request.tree, ...marks }),
      deadlineMs: request.deadlineMs,
      ...(request.signal === undefined ? {} : { signal: request.signal }),
    });
    const printed = new TextDecoder().decode(outcome.stdout.slice(-tailBytes)).trim();
    if (isLate || outcome.timedOut) {
      return { outcome: "not-run", detail: `took longer than ${request.deadlineMs / 1000} s` };
    }
    if (outcome.truncated) return { outcome: "not-run", detail: "printed without end" };
    if (isStopped(request)) return { outcome: "not-run", detail: "was stopped" };
    // Somebody else ended it, or memory ran out: that is not the tree's doing.
    if (outcome.code === null) return { outcome: "not-run", detail: `was ended by ${outcome.signal}` };
    return { outcome: outcome.code === 0 ? "green" : "red", detail: printed };
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener("abort", stop);
    await endAll();
  }
}

const isStopped = ({ signal }: GateRequest): boolean => signal?.aborted === true;

// Runs a gate on a tree in a scratch directory that is gone afterwards: at low priority, with a deadline, its whole process
// group ended with it.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GateRequest, GateRun, GateRunner } from "../../protocol/gate.ts";
import type { RepositoryObserver } from "../../protocol/git.ts";
import type { Processes } from "../../protocol/ports.ts";
import { childEnvironment } from "../process/child-environment.ts";
import { checkOut } from "./check-out.ts";

export interface GateHost {
  readonly observer: RepositoryObserver;
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const tailBytes = 4_000;

export function gateRunner(host: GateHost): GateRunner {
  return {
    async run(request: GateRequest): Promise<GateRun> {
      const directory = realpathSync(mkdtempSync(join(tmpdir(), "constel-gate-")));
      try {
        return await runIn(directory, request, host);
      } finally {
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}

async function runIn(directory: string, request: GateRequest, host: GateHost): Promise<GateRun> {
  const missing = await checkOut(host.observer, request.tree, directory);
  if (missing.length > 0) {
    return { outcome: "not-run", detail: `${missing[0]} could not be written (${missing.length} in all)` };
  }
  if (isStopped(request)) return { outcome: "not-run", detail: "was stopped" };
  // Output of both kinds in the order it came, as a person would see it.
  const outcome = await host.processes.run(["nice", "-n", "10", "sh", "-c", `exec 2>&1; ${request.command}`], {
    cwd: directory,
    env: childEnvironment(host.environment, { CI: "1", CONSTEL_GATE_TREE: request.tree }),
    deadlineMs: request.deadlineMs,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const printed = new TextDecoder().decode(outcome.stdout.slice(-tailBytes)).trim();
  if (outcome.timedOut) return { outcome: "not-run", detail: `took longer than ${request.deadlineMs / 1000} s` };
  if (outcome.truncated) return { outcome: "not-run", detail: "printed without end" };
  if (isStopped(request)) return { outcome: "not-run", detail: "was stopped" };
  return { outcome: outcome.code === 0 ? "green" : "red", detail: printed };
}

const isStopped = ({ signal }: GateRequest): boolean => signal?.aborted === true;

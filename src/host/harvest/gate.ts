// Finds the gate that a task's work must pass before it lands, and runs it. The gate is the one that the task's root directory declares,
// else the target's own, as it is before the work: a task cannot take it away from itself.

import { join } from "node:path";
import { type ConstelToml, constelTomlName, readConstelToml } from "../../protocol/constel-toml.ts";
import type { GateVerdict, LandingSettings } from "../../ports/harvest.ts";
import { tomlInCommit, tomlInDirectory } from "../gate/find-constel-toml.ts";
import { inScratch, runGateIn } from "../gate/run-gate.ts";
import { cloneInto } from "./disposable-clone.ts";
import type { GroundParts } from "./landing-parts.ts";

export async function landingSettings(
  parts: GroundParts,
  wish: { readonly root: string; readonly base: string },
): Promise<LandingSettings> {
  const path = join(wish.root, constelTomlName);
  const root = readConstelToml(tomlInDirectory(wish.root), path);
  const target = await settingsAt(parts, wish.base);
  const named = `${constelTomlName} of ${parts.wish.target}`;
  const gate =
    root.gate !== undefined
      ? { ...root.gate, from: path }
      : target.gate === undefined
        ? undefined
        : { ...target.gate, from: named };
  const regenerate = new Map([...target.regenerate, ...root.regenerate]);
  const requireReview = root.harvest.requireReview || target.harvest.requireReview;
  return { gate, requireReview, regenerate, land: { ...target.land, ...root.land } };
}

/** Refused when the commit's own file cannot be understood. */
export async function settingsAt(parts: GroundParts, commit: string): Promise<ConstelToml> {
  const found = await tomlInCommit(parts.git, parts.directory, commit);
  return readConstelToml(found, `${constelTomlName} of ${parts.wish.target}`);
}

export async function runGate(
  parts: GroundParts,
  wish: {
    readonly commit: string;
    readonly base: string;
    readonly gate: NonNullable<LandingSettings["gate"]>;
    readonly signal: AbortSignal;
  },
): Promise<GateVerdict> {
  const started = performance.now();
  const { command, deadlineMs } = wish.gate;
  const run = await inScratch(parts.gates, async (directory) => {
    await cloneInto(parts, directory, wish);
    const tree = await parts.git.text({
      args: ["rev-parse", `${wish.commit}^{tree}`],
      variables: { GIT_DIR: parts.directory },
    });
    const request = { tree, command, deadlineMs, signal: wish.signal };
    return await runGateIn(parts.git, directory, request, {
      place: parts.gates,
      variables: { CONSTEL_GATE: wish.commit },
    });
  });
  const durationMs = Math.round(performance.now() - started);
  return { outcome: run.outcome, tail: run.detail, durationMs, isStopped: run.isStopped === true };
}

// Settings as `constel install` plans them, without the program around it: a target for hooks, and the whole way back.

import { dirname } from "node:path";
import { applyUndo, forgetUndone, planUndo } from "../../src/floor/install/plan-install.ts";
import { claude } from "../../src/host/runtime/claude/claude.ts";
import type { InstallTarget, Runtime } from "../../src/ports/runtime.ts";

const lineFor = (runtime: string): string => `cd /; exec /opt/constel hook ${runtime} --guest`;

export function hooksTarget(path: string, runtime: Runtime = claude): Extract<InstallTarget, { kind: "hooks" }> {
  const env = { HOME: dirname(dirname(path)) };
  const wish = { env, project: undefined, line: lineFor(runtime.name), instructions: "words", undo: false };
  const target = runtime.installs(wish).find(({ kind }) => kind === "hooks");
  if (target?.kind !== "hooks") throw new Error(`no hooks for ${runtime.name}`);
  return { ...target, path };
}

/** As `install --undo` does it. */
export function undo(home: string, target: InstallTarget): void {
  const plan = planUndo(home, target);
  applyUndo(home, plan);
  forgetUndone(home, plan);
}

// Checks how a task's work changes its repository's constel.toml. After landing that file counts for everybody: one that cannot be
// understood would stop every harvest, so such work does not land. Anyone who lands another gate is told, because an agent wrote it and
// later work has to pass it.

import { isDeepStrictEqual } from "node:util";
import { type ConstelToml, constelTomlName, type GateSetting, tomlBeside } from "../../protocol/constel-toml.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { LandingNote } from "../../ports/harvest.ts";
import { settingsAt } from "./gate.ts";
import type { GroundParts } from "./landing-parts.ts";

/** The file itself, something below its name, or a file that was meant for it. */
export function touchesSettings(changed: ReadonlyMap<string, unknown>): boolean {
  return changed.has(constelTomlName) || tomlBeside(changed.keys()).kind !== "missing";
}

export async function settingsChange(
  parts: GroundParts,
  before: string,
  after: string,
): Promise<{ readonly complaint?: string; readonly notes: readonly LandingNote[] }> {
  try {
    const says = changeInWords(parts.wish.target, await settingsAt(parts, before), await settingsAt(parts, after));
    if (says === undefined) return { notes: [] };
    return { notes: [{ kind: "settings", commit: null, paths: [constelTomlName], says }] };
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return { complaint: `it would leave settings that cannot be understood: ${cause.message}`, notes: [] };
  }
}

function changeInWords(target: string, before: ConstelToml, after: ConstelToml): string | undefined {
  const gate = isDeepStrictEqual(before.gate, after.gate)
    ? undefined
    : `it changes the gate of ${target}: ${inWords(before.gate)} before, ${inWords(after.gate)} from now on`;
  const tables = (["findings", "harvest", "workspace", "regenerate", "permissions"] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  if (tables.length === 0) return gate;
  const others = tables.map((name) => `[${name}]`).join(", ");
  return gate === undefined
    ? `it changes ${others} in ${constelTomlName} of ${target}`
    : `${gate}; it also changes ${others}`;
}

function inWords(gate: GateSetting | undefined): string {
  if (gate === undefined) return "none";
  return `\`${gate.command.trim().replaceAll(/\s+/g, " ").slice(0, 200)}\` within ${gate.deadlineMs / 1000} s`;
}

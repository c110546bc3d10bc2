// The trust in our hooks that stands in a TOML file of somebody else's, taken out again: only tables of trust, and only where everything
// else then means what it meant. What somebody wrote between our two lines stays.

import { parse } from "smol-toml";
import { removeBlock, tomlMarks } from "./marked-block.ts";

export function removeTrust(text: string): string {
  const before = restOf(text);
  return removeBlock(text, tomlMarks, {
    keep: othersIn,
    // A file that is no TOML at the moment can only be taken at its word.
    isRight: (left) => before === undefined || Bun.deepEquals(restOf(left), before),
  });
}

/** The lines that are no table of trust; undefined when no table there is. */
function othersIn(inside: string): string | undefined {
  const ours = /^\[hooks\.state\.[^\n]*\]\r?\ntrusted_hash = "[^"\n]*"(?:\r?\n|$)(?:\r?\n)?/gm;
  const others = inside.replaceAll(ours, "");
  return others === inside ? undefined : others;
}

/** Everything but the trust in hooks; undefined when it is not TOML. */
function restOf(text: string): unknown {
  try {
    const { hooks, ...rest } = parse(text.replace("\uFEFF", ""));
    const others = Array.isArray(hooks) ? hooks.map(withoutState) : withoutState(hooks);
    return others === undefined ? rest : { ...rest, hooks: others };
  } catch {
    return undefined;
  }
}

function withoutState(hooks: unknown): unknown {
  if (typeof hooks !== "object" || hooks === null) return hooks;
  const { state: _, ...others } = hooks as Record<string, unknown>;
  return Object.keys(others).length === 0 ? undefined : others;
}

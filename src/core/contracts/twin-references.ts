// Finds where the references lead in two versions that were read together (twin-documents.ts), and which parts are other than they were
// because of what they refer to.

import { field } from "./json-value.ts";
import { pointerKeys } from "./references.ts";
import type { SamePart } from "./unchanged.ts";

export interface Part extends SamePart {
  isSame: boolean;
  isSettled: boolean;
}

/**
 * A part is other than it was if what it refers to is. Most refer to parts whose own words are known, and of those all is settled
 * here; what refers into the middle of a part is left to whoever asks.
 */
export function settle(parts: ReadonlyMap<object, Part>, before: Targets, after: Targets): void {
  const referred = new Map<string, Part>();
  for (const [written, target] of before) {
    const part = typeof target === "object" && target !== null ? parts.get(target) : undefined;
    if (part !== undefined && part.after === after.get(written)) referred.set(written, part);
  }
  const open: Part[] = [];
  for (const part of parts.values()) {
    part.isSettled = part.references.every((written) => referred.has(written));
    if (part.isSame && part.references.length > 0) open.push(part);
  }
  const isChanged = (part: Part): boolean =>
    part.isSame && part.references.some((written) => referred.get(written)?.isSame === false);
  const isBounded = spread(open, isChanged, (part) => void (part.isSame = false));
  // Behind something that is not settled anything may have changed.
  const isUnsure = (part: Part): boolean =>
    part.isSettled && part.isSame && part.references.some((written) => referred.get(written)?.isSettled !== true);
  const isCertain = spread(open, isUnsure, (part) => void (part.isSettled = false));
  if (!isBounded || !isCertain) for (const part of open) part.isSettled = false;
}

/** References may form chains, and a chain against the order of the parts takes a round for each link. */
const maximumRounds = 30;

/** Until nothing more follows; false where that takes too long. Every other round goes backwards. */
function spread(parts: Part[], follows: (part: Part) => boolean, mark: (part: Part) => void): boolean {
  for (let round = 0; round < maximumRounds; round += 1) {
    let isOver = true;
    for (const part of parts) {
      if (!follows(part)) continue;
      mark(part);
      isOver = false;
    }
    if (isOver) return true;
    parts.reverse();
  }
  return false;
}

export type Targets = ReadonlyMap<string, unknown>;

/** The knowledge of the version before when the one after is asked about. */
interface KnownTargets {
  readonly targets: Targets;
  readonly parts: ReadonlyMap<object, Part>;
}

/** Finds the targets of references, by how they are written. Undefined if one leads elsewhere, or nowhere. */
export function targetsIn(
  root: Record<string, unknown>,
  references: readonly ReadonlySet<string>[],
  known?: KnownTargets,
): Targets | undefined {
  const pointers = new Pointers(root);
  const targets = new Map<string, unknown>();
  for (const all of references) {
    for (const written of all) {
      const target = partAfter(written, known) ?? pointers.target(written);
      if (target === undefined) return undefined;
      targets.set(written, target);
    }
  }
  return targets;
}

/** A part stands at the same place in both versions, so what leads to it before leads to its counterpart after. */
function partAfter(written: string, known: KnownTargets | undefined): object | undefined {
  const target = known?.targets.get(written);
  return typeof target === "object" && target !== null ? known?.parts.get(target)?.after : undefined;
}

/** Most lead into one of a few parts, as `#/components/schemas/` does. */
class Pointers {
  readonly #parents = new Map<string, unknown>();
  readonly #root: unknown;

  constructor(root: unknown) {
    this.#root = root;
  }

  target(written: string): unknown {
    return written.startsWith("#/") && !written.includes("%") ? this.at(written.slice(1)) : undefined;
  }

  private at(pointer: string): unknown {
    const at = pointer.lastIndexOf("/");
    if (at <= 0) return step(this.#root, pointer.slice(1));
    const parent = pointer.slice(0, at);
    if (!this.#parents.has(parent)) this.#parents.set(parent, this.at(parent));
    return step(this.#parents.get(parent), pointer.slice(at + 1));
  }
}

function step(value: unknown, written: string): unknown {
  const key = written.includes("~") ? pointerKeys(`/${written}`)[0] : written;
  if (key === undefined) return undefined;
  return Array.isArray(value) ? value[Number(key)] : field(value, key);
}

// Finds the definition of the new version that answers each one of the old version. Types are known by their full names. When a file changes
// its package, its types are still the same types under another name: that is told once, not for every type.

import type { LinkedFile, LinkedProto, TypeReference } from "./linked.ts";

export interface Pairing {
  readonly before: LinkedProto;
  readonly after: LinkedProto;
  /** Full names that other files of the new snapshot define, with the file's path. */
  readonly elsewhere: ReadonlyMap<string, string>;
  /** Returns the current name for an old full name, as far as packages go. */
  readonly renamed: (fullName: string) => string;
  /** Old messages by what they are called now. */
  readonly oldMessages: ReadonlySet<string>;
}

export interface Defined {
  readonly fullName: string;
  readonly file: LinkedFile;
}

export function pairUp(before: LinkedProto, after: LinkedProto, elsewhere: ReadonlyMap<string, string>): Pairing {
  const moves = new Map<string, string>();
  for (const [key, { syntax }] of before.files) {
    const now = after.files.get(key)?.syntax;
    if (now === undefined || now.package === syntax.package) continue;
    for (const { name } of [...syntax.messages, ...syntax.enums, ...syntax.services, ...syntax.extensions]) {
      moves.set(join(syntax.package, name), join(now.package, name));
    }
  }
  const renamed = (fullName: string): string => {
    if (moves.size === 0) return fullName;
    for (let end = fullName.length; end > 0; end = fullName.lastIndexOf(".", end - 1)) {
      const top = moves.get(fullName.slice(0, end));
      if (top !== undefined) return top + fullName.slice(end);
    }
    return fullName;
  };
  const oldMessages = new Set([...before.messages.keys()].map(renamed));
  return { before, after, elsewhere, renamed, oldMessages };
}

export function sameType({ renamed }: Pairing, before: TypeReference, after: TypeReference): boolean {
  if (before.kind === "unknown" || after.kind === "unknown") return sameUnknown(renamed(before.name), after.name);
  return before.kind === after.kind && renamed(before.name) === after.name;
}

/** Of a type whose file is missing only the written name is known, which may be shortened. */
function sameUnknown(before: string, after: string): boolean {
  return before === after || before.endsWith(`.${after}`) || after.endsWith(`.${before}`);
}

function join(prefix: string, name: string): string {
  return prefix === "" ? name : `${prefix}.${name}`;
}

// Finds where types went that are no longer in any file of the contract: another file of the same directory may define them now. Asked only
// when something is gone.

import type { ContractSource } from "../format.ts";
import { definedNames } from "./link.ts";
import type { LinkedProto } from "./linked.ts";
import { parseProto } from "./parse.ts";
import { ProtoError } from "./tokens.ts";

const maximumFiles = 500;

export async function findElsewhere(
  before: LinkedProto,
  after: LinkedProto,
  source: ContractSource,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const gone = new Set<string>();
  for (const kind of ["messages", "enums", "services", "extensions"] as const) {
    for (const name of before[kind].keys()) if (!after[kind].has(name)) gone.add(name);
  }
  const found = new Map<string, string>();
  if (gone.size === 0) return found;
  const known = new Set([...after.files.values()].map(({ path }) => path));
  const directory = source.entry.slice(0, Math.max(0, source.entry.lastIndexOf("/")));
  const paths = ((await source.list?.(directory)) ?? []).filter((path) => path.endsWith(".proto") && !known.has(path));
  for (const path of paths.toSorted().slice(0, maximumFiles)) {
    signal?.throwIfAborted();
    for (const name of await namesOf(source, path)) if (gone.has(name)) found.set(name, path);
  }
  return found;
}

async function namesOf(source: ContractSource, path: string): Promise<string[]> {
  const text = await source.read(path);
  if (text === undefined) return [];
  try {
    return [...definedNames(parseProto(text))].map(({ name }) => name);
  } catch (cause) {
    // Not a file of this contract, so whether it parses is not this comparison's affair.
    if (cause instanceof ProtoError) return [];
    throw cause;
  }
}

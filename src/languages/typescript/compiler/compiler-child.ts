// The program that runs in the compiler's own process: takes one comparison at a time, asks its parent for texts, and
// answers. It ends when the parent goes away.

import { compareTrees } from "./compiler-compare.ts";

/** Entries of the merged tree; each side only where it differs (null: not there). */
export interface CompareMessage {
  readonly kind: "compare";
  readonly id: number;
  readonly merged: readonly (readonly [string, string])[];
  readonly ours: readonly (readonly [string, string | null])[];
  readonly theirs: readonly (readonly [string, string | null])[];
  readonly paths: readonly string[];
  readonly between: readonly string[];
  readonly betweenMs: number;
  readonly packagesFrom: string | undefined;
}

export interface TextsMessage {
  readonly kind: "texts";
  readonly ask: number;
  readonly texts: readonly (readonly [string, string])[];
}

export type ToChild = CompareMessage | TextsMessage;

const waiting = new Map<number, (texts: ReadonlyMap<string, string>) => void>();
let asked = 0;

function take(message: ToChild): void {
  if (message.kind === "texts") {
    waiting.get(message.ask)?.(new Map(message.texts));
    waiting.delete(message.ask);
  } else void answer(message);
}

async function answer(message: CompareMessage): Promise<void> {
  const { id, paths, between, betweenMs, packagesFrom } = message;
  const merged = new Map(message.merged);
  const fetch = (blobIds: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    asked += 1;
    const ask = asked;
    process.send?.({ kind: "ask", id, ask, blobIds });
    return new Promise((resolve) => waiting.set(ask, resolve));
  };
  try {
    const sides = { ours: patched(merged, message.ours), theirs: patched(merged, message.theirs) };
    const found = await compareTrees({ ...sides, merged, paths, between, betweenMs, packagesFrom }, fetch);
    process.send?.({ kind: "answer", id, answer: found });
  } catch (cause) {
    // The compiler itself can fail on what it is given; the parent then goes on without its opinion.
    process.send?.({
      kind: "answer",
      id,
      answer: { findings: [], complete: false, note: `the compiler failed: ${String(cause)}` },
    });
  }
}

function patched(merged: ReadonlyMap<string, string>, differences: CompareMessage["ours"]): Map<string, string> {
  const all = new Map(merged);
  for (const [path, blob] of differences) {
    if (blob === null) all.delete(path);
    else all.set(path, blob);
  }
  return all;
}

if (import.meta.main) {
  process.on("message", take);
  process.on("disconnect", () => process.exit(0));
}

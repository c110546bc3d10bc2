// The program that runs beside the compiler, in a process of its own: it takes one comparison at a time, asks its parent for texts, and
// answers. It ends when the parent goes away, when the compiler does, and after a failure, so that the next question finds everything new.

import { costOf } from "../../../ports/work-budget.ts";
import { messageOf } from "../../../protocol/errors.ts";
import { compareTrees, type CompilerTools } from "./compiler-compare.ts";
import { NativeCompiler } from "./native-compiler.ts";
import { installedProgram, type NativeProgram } from "./native-libraries.ts";
import { TreeTexts } from "./tree-texts.ts";
import type { CompilerAnswer } from "./typescript-compiler.ts";

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

export type FromChild =
  /** The compiler's own process, for whoever bounds and ends the two. */
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "ask"; readonly ask: number; readonly blobIds: readonly string[] }
  | { readonly kind: "answer"; readonly id: number; readonly answer: CompilerAnswer };

const waiting = new Map<number, (texts: ReadonlyMap<string, string>) => void>();
let asked = 0;
let tools: CompilerTools | undefined;
let openProgram: () => Promise<NativeProgram> = installedProgram;

const tell = (message: FromChild): unknown => process.send?.(message);

function take(message: ToChild): void {
  if (message.kind === "texts") {
    waiting.get(message.ask)?.(new Map(message.texts));
    waiting.delete(message.ask);
  } else void answer(message);
}

function fetch(blobIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  asked += 1;
  const ask = asked;
  tell({ kind: "ask", ask, blobIds });
  return new Promise((resolve) => waiting.set(ask, resolve));
}

function openTools(): CompilerTools {
  let pid = 0;
  const started = (now: number): void => {
    pid = now;
    tell({ kind: "started", pid });
  };
  const compiler = new NativeCompiler({ started, ended: () => process.exit(1) }, openProgram);
  return { compiler, texts: new TreeTexts(fetch), spentMs: () => costOf([pid])?.cpuMs ?? performance.now() };
}

async function answer({ id, paths, between, betweenMs, packagesFrom, ...trees }: CompareMessage): Promise<void> {
  try {
    tools ??= openTools();
    tools.texts.makeRoom();
    const merged = new Map(trees.merged);
    const sides = { ours: patched(merged, trees.ours), theirs: patched(merged, trees.theirs) };
    const found = await compareTrees({ ...sides, merged, paths, between, betweenMs, packagesFrom }, tools);
    tell({ kind: "answer", id, answer: found });
  } catch (cause) {
    // The compiler itself can fail on what it is given; the parent then goes on without its opinion.
    const note = `the compiler failed: ${messageOf(cause)}`;
    process.send?.({ kind: "answer", id, answer: { findings: [], complete: false, mayPass: true, note } }, () =>
      process.exit(1),
    );
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

/** `open`: where the compiler is found. */
export function serveCompiler(open: () => Promise<NativeProgram>): void {
  openProgram = open;
  process.on("message", take);
  process.on("disconnect", () => process.exit(0));
}

if (import.meta.main) serveCompiler(installedProgram);

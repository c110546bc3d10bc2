// The TypeScript compiler as a port: a child process of its own, started when first asked, kept for the next question,
// and ended when it takes too long. Its failure costs its opinion, never ours.

import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { cloneOfQuick } from "../../../ports/clone.ts";
import type { TreeView } from "../../../ports/semantic.ts";
import type { CompilerCare } from "../../language.ts";
import { isOwn } from "../files.ts";
import type { CompilerAnswer, CompilerRequest, TypeScriptCompiler } from "./typescript-compiler.ts";
import type { CompareMessage } from "./compiler-child.ts";

type FromChild =
  | { readonly kind: "ask"; readonly id: number; readonly ask: number; readonly blobIds: readonly string[] }
  | { readonly kind: "answer"; readonly id: number; readonly answer: CompilerAnswer };

interface Pending {
  readonly request: CompilerRequest;
  readonly finish: (answer: CompilerAnswer) => void;
}

const clone = cloneOfQuick();
/** The quick program carries neither the compiler nor its libraries: there the child runs from the sources around it, with the Bun inside it. */
const here = clone === undefined ? import.meta.dir : join(clone, "src/languages/typescript/compiler");
const childFile = join(here, "compiler-child.ts");
/** Trees beyond this are not even described to the child. */
const maxPaths = 200_000;
const textsAtOnce = 32;

export class CompilerProcess implements TypeScriptCompiler {
  private readonly care: CompilerCare;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private child: Bun.Subprocess | undefined;
  private pending: Pending | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(care: CompilerCare = {}) {
    this.care = care;
  }

  /** One comparison at a time: the child is one compiler. */
  compare(request: CompilerRequest): Promise<CompilerAnswer> {
    const turn = this.queue.then(() => this.run(request));
    this.queue = turn;
    return turn;
  }

  close(): void {
    clearTimeout(this.idle);
    this.child?.kill();
    this.child = undefined;
    this.pending?.finish(without("the compiler was closed"));
  }

  private run(request: CompilerRequest): Promise<CompilerAnswer> {
    clearTimeout(this.idle);
    if (request.signal?.aborted) return Promise.resolve(without("stopped"));
    if (request.merged.blobs.size > maxPaths) return Promise.resolve(without("too many files for the compiler"));
    const child = this.child ?? this.start();
    this.child = child;
    this.count += 1;
    const message: CompareMessage = {
      kind: "compare",
      id: this.count,
      merged: [...request.merged.blobs].filter(([path]) => isOwn(path)),
      ours: differences(request.merged, request.ours),
      theirs: differences(request.merged, request.theirs),
      paths: request.paths,
      between: request.between,
      betweenMs: request.betweenMs,
      packagesFrom: request.packagesFrom,
    };
    return new Promise((resolve) => {
      const stop = (note: string) => (): void => {
        // It may be anywhere in its own loops: only ending it stops it.
        child.kill("SIGKILL");
        if (this.child === child) this.child = undefined;
        finish(without(note));
      };
      const onAbort = stop("stopped");
      const timer = setTimeout(stop(`the compiler took more than ${request.deadlineMs} ms`), request.deadlineMs);
      const finish = (answer: CompilerAnswer): void => {
        clearTimeout(timer);
        request.signal?.removeEventListener("abort", onAbort);
        this.pending = undefined;
        this.rest();
        resolve(answer);
      };
      request.signal?.addEventListener("abort", onAbort, { once: true });
      this.pending = { request, finish };
      child.send(message);
    });
  }

  private rest(): void {
    if (this.care.idleMs === undefined) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => {
      this.child?.kill();
      this.child = undefined;
    }, this.care.idleMs);
    this.idle.unref();
  }

  private start(): Bun.Subprocess {
    const child: Bun.Subprocess = Bun.spawn(
      [
        process.execPath,
        "--no-env-file",
        "--config=/dev/null",
        "--tsconfig-override=/dev/null",
        "--no-install",
        childFile,
      ],
      {
        // Not where the caller stands: that may be a repository with settings of its own for Bun.
        cwd: here,
        // Nothing of the caller's environment: what is compiled is not ours, and needs none of it.
        env: clone === undefined ? {} : { BUN_BE_BUN: "1" },
        stdin: "ignore",
        stdout: "ignore",
        stderr: "ignore",
        serialization: "advanced",
        ipc: (message: FromChild) => void this.take(child, message),
        onExit: () => {
          if (this.child !== child) return;
          this.child = undefined;
          this.pending?.finish(without("the compiler ended early"));
        },
      },
    );
    child.unref();
    if (this.care.niceness !== undefined) setPriority(child.pid, this.care.niceness);
    return child;
  }

  private async take(child: Bun.Subprocess, message: FromChild): Promise<void> {
    const { pending } = this;
    if (pending === undefined || message.id !== this.count) return;
    if (message.kind === "answer") {
      pending.finish(message.answer);
      return;
    }
    const { read } = pending.request;
    const texts: [string, string][] = [];
    for (let from = 0; from < message.blobIds.length; from += textsAtOnce) {
      const some = message.blobIds.slice(from, from + textsAtOnce);
      const found = await Promise.all(some.map(async (blob) => [blob, await read(blob)] as const));
      for (const [blob, text] of found) if (text !== undefined) texts.push([blob, text]);
    }
    if (this.child === child) child.send({ kind: "texts", ask: message.ask, texts });
  }
}

/** undefined in the single-file program, which carries neither the compiler nor its libraries. */
export function compilerHere(care: CompilerCare = {}): CompilerProcess | undefined {
  return existsSync(childFile) ? new CompilerProcess(care) : undefined;
}

function without(note: string): CompilerAnswer {
  return { findings: [], complete: false, note };
}

function differences(merged: TreeView, side: TreeView): [string, string | null][] {
  const found: [string, string | null][] = [];
  for (const [path, blob] of side.blobs) if (isOwn(path) && merged.blobs.get(path) !== blob) found.push([path, blob]);
  for (const path of merged.blobs.keys()) if (isOwn(path) && !side.blobs.has(path)) found.push([path, null]);
  return found;
}

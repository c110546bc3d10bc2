// The TypeScript compiler as a port: a helper in a process of its own with the native compiler beside it, started when first asked, kept for the
// next question, and ended when the two cost too much. A failure costs the compiler's opinion, never ours; the next question gets a new one.

import { existsSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { cloneOfQuick } from "../../../ports/clone.ts";
import { type Budget, costOf, type Overrun, WorkBudget } from "../../../ports/work-budget.ts";
import type { TreeView } from "../../../ports/semantic.ts";
import type { CompilerCare } from "../../language.ts";
import { isOwn } from "../files.ts";
import type { CompilerAnswer, CompilerRequest, TypeScriptCompiler } from "./typescript-compiler.ts";
import { builtCompiler } from "./built-compiler.ts";
import type { CompareMessage, FromChild } from "./compiler-child.ts";
import { nativeLibraries } from "./native-libraries.ts";

interface Pending {
  readonly request: CompilerRequest;
  readonly finish: (answer: CompilerAnswer) => void;
}

interface Helper {
  readonly child: Bun.Subprocess;
  /** The compiler's own process, once it runs. */
  native?: number;
}

const clone = cloneOfQuick();
/** The quick program carries neither the compiler nor its libraries: there the child runs from the sources around it, with the Bun inside it. */
const here = clone === undefined ? import.meta.dir : join(clone, "src/languages/typescript/compiler");
const childFile = join(here, "compiler-child.ts");
/** The first word of the single-file program's command line. Nobody types it: without the process that starts it, it ends at once. */
export const compilerWord = "compiler-run";
const guards = ["--no-env-file", "--config=/dev/null", "--tsconfig-override=/dev/null", "--no-install"];
const command = builtCompiler === undefined ? [...guards, childFile] : [compilerWord];
/** Trees beyond this are not even described to the child. */
const maxPaths = 200_000;
const textsAtOnce = 32;

/** The interval between looks at the two processes while they work. */
const lookMs = 250;
/** The most that the two may hold together; the owner may allow less. */
const mostBytes = 1024 * 1024 * 1024;

export class CompilerProcess implements TypeScriptCompiler {
  private readonly care: CompilerCare;
  private idle: ReturnType<typeof setTimeout> | undefined;
  private helper: Helper | undefined;
  private pending: Pending | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private count = 0;

  constructor(care: CompilerCare = {}) {
    this.care = care;
  }

  private get memoryBytes(): number {
    return Math.min(mostBytes, this.care.memoryBytes ?? mostBytes);
  }

  /** The processes that work for it now: none before the first question, and none after a rest. */
  get pids(): readonly number[] {
    if (this.helper === undefined) return [];
    const { child, native } = this.helper;
    return native === undefined ? [child.pid] : [child.pid, native];
  }

  /** One comparison at a time: there is one compiler. */
  compare(request: CompilerRequest): Promise<CompilerAnswer> {
    const turn = this.queue.then(() => this.run(request));
    this.queue = turn;
    return turn;
  }

  close(): void {
    this.end();
    this.pending?.finish(without("the compiler was closed"));
  }

  private run(request: CompilerRequest): Promise<CompilerAnswer> {
    clearTimeout(this.idle);
    if (request.signal?.aborted) return Promise.resolve(without("stopped"));
    if (request.merged.blobs.size > maxPaths) return Promise.resolve(without("too many files for the compiler"));
    this.helper ??= this.start();
    const { child } = this.helper;
    this.count += 1;
    return new Promise((resolve) => {
      const stop = (answer: CompilerAnswer): void => {
        // It may be anywhere in its own loops: only ending it stops it.
        this.end();
        finish(answer);
      };
      const onAbort = (): void => stop(without("stopped"));
      const budget = { cpuMs: request.deadlineMs, memoryBytes: this.memoryBytes };
      const watch = this.watch(budget, (why) => stop(overrun(why, budget)));
      const finish = (answer: CompilerAnswer): void => {
        clearInterval(watch);
        request.signal?.removeEventListener("abort", onAbort);
        this.pending = undefined;
        this.rest();
        resolve(answer);
      };
      request.signal?.addEventListener("abort", onAbort, { once: true });
      this.pending = { request, finish };
      child.send(messageFor(request, this.count));
    });
  }

  /** What the two cost before this question is not counted against it. */
  private watch(budget: Budget, tooMuch: (why: Overrun) => void): ReturnType<typeof setInterval> {
    const before = costOf(this.pids)?.cpuMs ?? 0;
    const work = new WorkBudget(budget, performance.now());
    return setInterval(() => {
      const cost = costOf(this.pids);
      const spent = cost === undefined ? undefined : { ...cost, cpuMs: cost.cpuMs - before };
      const why = work.overrun(spent, performance.now());
      if (why !== undefined) tooMuch(why);
    }, lookMs);
  }

  private rest(): void {
    if (this.care.idleMs === undefined) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.end(), this.care.idleMs);
    this.idle.unref();
  }

  private end(): void {
    clearTimeout(this.idle);
    const pids = this.pids.toReversed();
    this.helper = undefined;
    for (const pid of pids) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it has ended
      }
    }
    if (pids.length > 0) this.care.changed?.();
  }

  private start(): Helper {
    const child: Bun.Subprocess = Bun.spawn([process.execPath, ...command], {
      // Not where the caller stands: that may be a repository with settings of its own for Bun.
      cwd: builtCompiler === undefined ? here : "/",
      // Nothing of the caller's environment: what is compiled is not ours, and needs none of it.
      env: {
        ...(clone === undefined ? {} : { BUN_BE_BUN: "1" }),
        ...(builtCompiler === undefined ? {} : { TMPDIR: tmpdir() }),
        // The compiler collects its garbage sooner when it comes near what it may hold.
        GOMEMLIMIT: String(Math.round(0.7 * this.memoryBytes)),
      },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      serialization: "advanced",
      ipc: (message: FromChild) => void this.take(child, message),
      onExit: () => {
        if (this.helper?.child !== child) return;
        this.end();
        this.pending?.finish({ ...without("the compiler ended early"), mayPass: true });
      },
    });
    child.unref();
    if (this.care.niceness !== undefined) setPriority(child.pid, this.care.niceness);
    return { child };
  }

  private async take(child: Bun.Subprocess, message: FromChild): Promise<void> {
    const { pending, helper } = this;
    if (helper?.child !== child) return;
    if (message.kind === "started") {
      helper.native = message.pid;
      this.care.changed?.();
    }
    if (message.kind === "answer" && message.id === this.count) pending?.finish(message.answer);
    if (message.kind !== "ask" || pending === undefined) return;
    const { read } = pending.request;
    const texts: [string, string][] = [];
    for (let from = 0; from < message.blobIds.length; from += textsAtOnce) {
      const some = message.blobIds.slice(from, from + textsAtOnce);
      const found = await Promise.all(some.map(async (blob) => [blob, await read(blob)] as const));
      for (const [blob, text] of found) if (text !== undefined) texts.push([blob, text]);
    }
    if (this.helper === helper) child.send({ kind: "texts", ask: message.ask, texts });
  }
}

/** Undefined where there is no native compiler: on a machine that it is not made for. */
export function compilerHere(care: CompilerCare = {}): CompilerProcess | undefined {
  const isHere = builtCompiler !== undefined || (existsSync(childFile) && nativeLibraries(childFile) !== undefined);
  return isHere ? new CompilerProcess(care) : undefined;
}

function messageFor(request: CompilerRequest, id: number): CompareMessage {
  const { merged, ours, theirs, paths, between, betweenMs, packagesFrom } = request;
  return {
    kind: "compare",
    id,
    merged: [...merged.blobs].filter(([path]) => isOwn(path)),
    ours: differences(merged, ours),
    theirs: differences(merged, theirs),
    paths,
    between,
    betweenMs,
    packagesFrom,
  };
}

function overrun(why: Overrun, { cpuMs, memoryBytes: most }: Budget): CompilerAnswer {
  switch (why) {
    case "late":
      return without(`the compiler used more than ${cpuMs / 1000} s of processor time`);
    case "still":
      return { ...without("the compiler did not answer in time"), mayPass: true };
    case "large":
      return without(`the compiler took more than ${Math.round(most / 1024 / 1024)} MB of memory`);
  }
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

// Runs a program to its end with a deadline and a bound on its output. The child leads its own process group, so that
// a deadline ends its children too. What left that group (a daemon it started, say) may hold the output open for ever; that is not
// waited for, once the program itself has ended.

import { readdirSync, readFileSync } from "node:fs";
import { Outage } from "../../protocol/errors.ts";
import type { Processes, RunOptions, RunOutcome } from "../../ports/machine.ts";
import { systemClock } from "../clock/system-clock.ts";

const pipeLookMs = 500;
const defaultMaxOutputBytes = 64 * 1024 * 1024;

/** The interval between looks at whether a program that has ended left somebody at its output. */
const lookMs = 50;
/**
 * So many looks in a row that find nothing new: by then all that the program wrote is read. Counted in looks, not in time,
 * because between two of them the event loop reads what is there, however late it comes to it.
 */
const quietLooks = 10;
/** So many in all, when whoever is left keeps on writing. */
const mostLooks = 40;

/** The reason why nobody need look any more. If none is given, one is made, with a stack, which takes longer than all the rest. */
const allRead = "all is read";

export const systemProcesses: Processes = { run };

async function run(command: readonly string[], options: RunOptions): Promise<RunOutcome> {
  const child = start(command, options);
  let timedOut = false;
  let truncated = false;
  const end = (): void => endGroup(child.pid);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, options.deadlineMs);
  let waitedForPipe = false;
  const look =
    options.endsAtPipe === true
      ? watchForPipe(child.pid, () => {
          timedOut = true;
          waitedForPipe = true;
          end();
        })
      : undefined;
  // A signal that is aborted already tells nobody any more.
  if (options.signal?.aborted === true) end();
  options.signal?.addEventListener("abort", end, { once: true });
  const limit = options.maxOutputBytes ?? defaultMaxOutputBytes;
  const overflow = (): void => {
    truncated = true;
    end();
  };
  const outputs = [new Output(child.stdout, limit, overflow), new Output(child.stderr, limit, overflow)] as const;
  const isRead = new AbortController();
  try {
    const letGo = child.exited.then(() =>
      letGoWhenLeft(options.leavesOthers === true ? undefined : child.pid, outputs, isRead.signal),
    );
    const [stdout, stderr] = await Promise.all([outputs[0].all(), outputs[1].all(), child.exited]);
    isRead.abort(allRead);
    await letGo;
    return {
      code: child.signalCode ? null : child.exitCode,
      signal: child.signalCode === null ? null : String(child.signalCode),
      stdout,
      stderr: new TextDecoder().decode(stderr),
      timedOut,
      truncated,
      ...(waitedForPipe ? { waitedForPipe } : {}),
    };
  } finally {
    clearInterval(look);
    isRead.abort(allRead);
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
  }
}

/**
 * The kernel says what a thread waits for. Seen twice in a row, half a second apart, nobody is about to open the other end. Where there
 * is no /proc, or it does not say, the deadline is what ends it.
 */
export function watchForPipe(pid: number, found: () => void): ReturnType<typeof setInterval> {
  let seen = 0;
  const timer = setInterval(() => {
    seen = waitsForPipe(pid) ? seen + 1 : 0;
    if (seen === 2) found();
  }, pipeLookMs);
  timer.unref();
  return timer;
}

/** It, or what it started: in a sandbox the program is not the first process. */
function waitsForPipe(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).some((task) => {
      const at = `/proc/${pid}/task/${task}`;
      if (readFileSync(`${at}/wchan`, "latin1") === "wait_for_partner") return true;
      return startedBy(at).some(waitsForPipe);
    });
  } catch {
    return false; // it has ended, or the system does not say
  }
}

function startedBy(thread: string): number[] {
  try {
    return readFileSync(`${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    return []; // not every kernel says it
  }
}

function start(command: readonly string[], options: RunOptions): Bun.Subprocess<"ignore" | Uint8Array, "pipe", "pipe"> {
  try {
    return Bun.spawn([...command], {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...options.env },
      stdin: options.stdin === undefined ? "ignore" : bytesOf(options.stdin),
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (cause) {
    throw new Outage("start", command[0] ?? "", cause);
  }
}

function bytesOf(input: string | Uint8Array): Uint8Array {
  return typeof input === "string" ? new TextEncoder().encode(input) : input;
}

/** The output from one end of a program, up to a bound. */
class Output {
  /** The bytes that have come so far. */
  size = 0;
  readonly #reader: ReturnType<typeof readerOf>;
  readonly #limit: number;
  readonly #overflow: () => void;

  constructor(stream: ReadableStream<Uint8Array>, limit: number, overflow: () => void) {
    this.#reader = readerOf(stream);
    this.#limit = limit;
    this.#overflow = overflow;
  }

  async all(): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for (;;) {
      const { value } = await this.#reader.read();
      if (value === undefined) return Buffer.concat(chunks);
      chunks.push(value.subarray(0, this.#limit - this.size));
      this.size += value.length;
      if (this.size <= this.#limit) continue;
      this.#overflow();
      await this.letGo();
    }
  }

  /** Ends `all` with what has come. */
  async letGo(): Promise<void> {
    await this.#reader.cancel();
  }
}

const readerOf = (stream: ReadableStream<Uint8Array>) => stream.getReader();

/** While the program's own group lives, its output is waited for until the deadline ends them all; without a number, it is not. */
async function letGoWhenLeft(pid: number | undefined, outputs: readonly Output[], isRead: AbortSignal): Promise<void> {
  const sizeNow = (): number => outputs.reduce((sum, { size }) => sum + size, 0);
  let size = sizeNow();
  let quiet = 0;
  for (let looks = 0; quiet < quietLooks && looks < mostLooks;) {
    await systemClock.sleep(lookMs, isRead);
    if (isRead.aborted) return;
    if (pid !== undefined && groupLives(pid)) continue;
    looks++;
    quiet = sizeNow() === size ? quiet + 1 : 0;
    size = sizeNow();
  }
  for (const output of outputs) await output.letGo();
}

function groupLives(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}

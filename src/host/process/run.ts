// Runs a program to its end with a deadline and a bound on its output. The child leads its own process group, so that
// a deadline ends its children too.

import { Outage } from "../../protocol/errors.ts";
import type { Processes, RunOptions, RunOutcome } from "../../protocol/ports.ts";

const defaultMaxOutputBytes = 64 * 1024 * 1024;

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
  // A signal that is aborted already tells nobody any more.
  if (options.signal?.aborted === true) end();
  options.signal?.addEventListener("abort", end, { once: true });
  const limit = options.maxOutputBytes ?? defaultMaxOutputBytes;
  const overflow = (): void => {
    truncated = true;
    end();
  };
  try {
    const [stdout, stderr] = await Promise.all([
      collect(child.stdout, limit, overflow),
      collect(child.stderr, limit, overflow),
      child.exited,
    ]);
    return {
      code: child.signalCode ? null : child.exitCode,
      signal: child.signalCode === null ? null : String(child.signalCode),
      stdout,
      stderr: new TextDecoder().decode(stderr),
      timedOut,
      truncated,
    };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", end);
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

async function collect(stream: ReadableStream<Uint8Array>, limit: number, overflow: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size + chunk.length > limit) {
      chunks.push(chunk.subarray(0, limit - size));
      overflow();
      break;
    }
    chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended by itself
  }
}

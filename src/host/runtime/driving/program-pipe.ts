// An agent program as a child with pipes: JSON lines in, JSON lines out. What it says on stderr is kept only for its last words. Bounded in
// memory: a line longer than any answer ends the program, because half of a JSON text says nothing.

import type { Pipe } from "../../../ports/driver.ts";
import { parseObject } from "../json-lines.ts";

/** The longest line: a tool's whole output may stand in one. */
const longestLine = 64 * 1024 * 1024;
const lastWordsLength = 600;
/** The time that a program gets to end by itself once its input is closed. */
const endsWithinMs = 5_000;

export interface ProgramPipe extends Pipe {
  readonly pid: number;
  /** Closes its input, waits for a while, and then kills it. */
  close(): Promise<void>;
}

export function openProgram(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ProgramPipe {
  const child = Bun.spawn([...argv], { ...options, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  let hear: (line: Readonly<Record<string, unknown>>) => void = () => {};
  let words = "";
  const keep = (text: string): void => {
    words = (words + text).slice(-lastWordsLength);
  };
  const out = readLines(child.stdout, (line) => {
    const value = parseObject(line);
    if (value === undefined) keep(`${line}\n`);
    else hear(value);
  }).catch((cause: unknown) => {
    keep(String(cause));
    child.kill();
  });
  const err = readLines(child.stderr, (line) => keep(`${line}\n`)).catch(() => undefined);
  const ended = Promise.all([child.exited, out, err]).then(
    ([code]) => `${words.trim()} (ended with ${child.signalCode ?? code})`,
  );
  return {
    pid: child.pid,
    write(value) {
      void child.stdin.write(`${JSON.stringify(value)}\n`);
      void child.stdin.flush();
    },
    listen(listener) {
      hear = listener;
    },
    ended,
    async close() {
      await Promise.resolve(child.stdin.end()).catch(() => undefined);
      const timer = setTimeout(() => child.kill("SIGKILL"), endsWithinMs);
      await child.exited;
      clearTimeout(timer);
    },
  };
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    parts.push(text);
    length += text.length;
    if (length > longestLine) throw new Error("a line of its output is too long");
    // A long line comes in a thousand parts: only what is new is looked at.
    if (!text.includes("\n")) continue;
    const lines = parts.join("").split("\n");
    const rest = lines.pop() ?? "";
    parts = [rest];
    length = rest.length;
    for (const line of lines) if (line.trim() !== "") take(line);
  }
}

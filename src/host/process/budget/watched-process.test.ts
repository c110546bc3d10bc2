// That a process which reads repositories is ended whatever it hangs in, and that what it was asking is known afterwards.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { findTree, identify } from "../tree.ts";
import { type ProcessEnd, WatchedProcess } from "./watched-process.ts";

const child = join(import.meta.dir, "loop-child.ts");

/** Low, so that a test need not wait: 0.3 s of processor time. */
function endOf(what: string, memoryBytes = 1024 ** 4): Promise<ProcessEnd | undefined> {
  return new Promise((resolve) => {
    const limits = { holdMs: 300, memoryBytes };
    const command = [process.execPath, "--no-env-file", "--config=/dev/null", child, what, String(limits.holdMs)];
    void new WatchedProcess({
      command,
      environment: process.env,
      limits,
      heard: () => undefined,
      ended: resolve,
    });
  });
}

test.each(["script", "wasm", "pattern", "promises"])("one that hangs in a loop is ended: %p", async (what) => {
  const end = await endOf(what);
  expect(end?.why).toBe("it took more than 0.3 s of processor time");
  const { running, waiting } = end?.asking ?? {};
  expect([running, ...(waiting ?? [])].map((one) => one?.name)).toContain(what);
});

test("one that takes too much memory is ended, though its event loop turns", async () => {
  const end = await endOf("memory", 300 * 1024 * 1024);
  expect(end?.why).toBe("it needs more than 300 MB of memory");
  expect(end?.asking.waiting.map(({ name }) => name)).toEqual(["memory"]);
});

test.each(["its time is over", "it is asked to end"])("what it started ends with it: %s", async (how) => {
  const limits = { holdMs: 300, memoryBytes: 1024 ** 4 };
  const heard = Promise.withResolvers<number>();
  const ended = Promise.withResolvers<void>();
  const watched = new WatchedProcess({
    command: [process.execPath, "--no-env-file", "--config=/dev/null", child, "compiler", String(limits.holdMs)],
    environment: process.env,
    limits,
    heard: (pid) => heard.resolve(pid as number),
    ended: () => ended.resolve(),
  });
  const identity = identify(await heard.promise);
  if (identity === undefined) throw new Error("the compiler ended before it was looked at");
  const tree = findTree({ root: identity });
  expect(tree.length).toBeGreaterThan(0);
  if (how === "it is asked to end") await watched.kill();
  await ended.promise;
  const living = (): number[] => findTree({ known: tree }).map(({ pid }) => pid);
  for (const untilMs = performance.now() + 20_000; living().length > 0 && performance.now() < untilMs;)
    await Bun.sleep(20);
  expect(living()).toEqual([]);
});

test("one that crashes is known with what it was reading; one that ends as it should is no matter", async () => {
  const end = await endOf("crash");
  expect(end?.why).toContain("the program that read it ended by");
  expect(end?.asking.running?.name).toBe("crash");
  expect(await endOf("nothing")).toBeUndefined();
});

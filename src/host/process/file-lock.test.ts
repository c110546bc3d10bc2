import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../clock/system-clock.ts";
import { tryLock, waitForLock } from "./file-lock.ts";

const top = mkdtempSync(join(tmpdir(), "constel-lock-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

test("a lock is held by one, and free again when released", () => {
  const path = join(top, "a.lock");
  const first = tryLock(path);
  expect(first).toBeDefined();
  expect(tryLock(path)).toBeUndefined();
  first?.release();
  const second = tryLock(path);
  expect(second).toBeDefined();
  second?.release();
});

test("the kernel frees the lock of a process that was killed", async () => {
  const path = join(top, "b.lock");
  const script = `import { tryLock } from ${JSON.stringify(join(import.meta.dir, "file-lock.ts"))};
    globalThis.held = tryLock(${JSON.stringify(path)}); console.log("held"); setInterval(() => {}, 1000);`;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  expect(new TextDecoder().decode((await holder.stdout.getReader().read()).value)).toBe("held\n");
  expect(tryLock(path)).toBeUndefined();
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = await waitForLock(path, systemClock, 5_000);
  expect(lock).toBeDefined();
  lock?.release();
});

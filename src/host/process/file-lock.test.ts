import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

test("a lock file that holds rubbish still locks", () => {
  const path = join(top, "rubbish.lock");
  writeFileSync(path, "x".repeat(5_000));
  const lock = tryLock(path);
  expect(lock).toBeDefined();
  expect(tryLock(path)).toBeUndefined();
  lock?.release();
});

test("a lock is not taken through a link", () => {
  symlinkSync(join(top, "elsewhere"), join(top, "linked.lock"));
  expect(() => tryLock(join(top, "linked.lock"))).toThrow("symbolic link");
  expect(existsSync(join(top, "elsewhere"))).toBe(false);
});

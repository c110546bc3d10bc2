import { afterAll, expect, test } from "bun:test";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../clock/system-clock.ts";
import { tryLock, waitForLock } from "./file-lock.ts";

const top = mkdtempSync(join(tmpdir(), "constel-lock-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

test("a lock is held by one, and free again when released", () => {
  const name = "a.lock";
  const first = tryLock(top, name);
  expect(first).toBeDefined();
  expect(tryLock(top, name)).toBeUndefined();
  first?.release();
  const second = tryLock(top, name);
  expect(second).toBeDefined();
  second?.release();
});

test("the kernel frees the lock of a process that was killed", async () => {
  const name = "b.lock";
  const script = `import { tryLock } from ${JSON.stringify(join(import.meta.dir, "file-lock.ts"))};
    globalThis.held = tryLock(${JSON.stringify(top)}, ${JSON.stringify(name)}); console.log("held"); setInterval(() => {}, 1000);`;
  const holder = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  expect(new TextDecoder().decode((await holder.stdout.getReader().read()).value)).toBe("held\n");
  expect(tryLock(top, name)).toBeUndefined();
  holder.kill("SIGKILL");
  await holder.exited;
  const lock = await waitForLock(top, name, systemClock, 5_000);
  expect(lock).toBeDefined();
  lock?.release();
});

test("a lock file that holds rubbish still locks", () => {
  const name = "rubbish.lock";
  writeFileSync(join(top, name), "x".repeat(5_000));
  const lock = tryLock(top, name);
  expect(lock).toBeDefined();
  expect(tryLock(top, name)).toBeUndefined();
  lock?.release();
});

test("a lock is not taken through a link", () => {
  symlinkSync(join(top, "elsewhere"), join(top, "linked.lock"));
  expect(() => tryLock(top, "linked.lock")).toThrow("symbolic link");
  mkdirSync(join(top, "outside"));
  symlinkSync(join(top, "outside"), join(top, "state"));
  expect(() => tryLock(top, "state/a.lock")).toThrow("symbolic link");
  expect(existsSync(join(top, "elsewhere"))).toBe(false);
  expect(readdirSync(join(top, "outside"))).toEqual([]);
});

test("a lock file that is another name of somebody's file leaves that as it is", () => {
  writeFileSync(join(top, "letter"), "dear all\n".repeat(100));
  linkSync(join(top, "letter"), join(top, "hard.lock"));
  const lock = tryLock(top, "hard.lock");
  expect(lock).toBeDefined();
  lock?.release();
  expect(readFileSync(join(top, "letter"), "utf8")).toBe("dear all\n".repeat(100));
});

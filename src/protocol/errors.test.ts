import { expect, test } from "bun:test";
import { Outage, outageOf, Refusal } from "./errors.ts";
import { fromWire, statusOf, toWire } from "./wire.ts";

const failure = (code: string): Error =>
  Object.assign(new Error(`${code}: no, stat '/a'`), { code, syscall: "stat", path: "/a" });

test("what only the machine can be blamed for is an outage, also where nobody expected it", () => {
  for (const [code, said] of [
    ["EACCES", "EACCES: no, stat '/a'"],
    ["EROFS", "this file system can only be read"],
    ["ENOSPC", "the disk is full"],
    ["EMFILE", "this program has too many files open"],
  ] as const) {
    const outage = outageOf(failure(code));
    expect([outage?.operation, outage?.target, outage?.message]).toEqual(["stat", "/a", `stat /a: ${said}`]);
    expect(statusOf(failure(code))).toBe(503);
    expect(fromWire(toWire(failure(code)))).toEqual(new Outage("stat", "/a", said));
  }
});

test("a failure without a path is said without one", () => {
  const written = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
  expect(outageOf(written)?.message).toBe("write a file: the disk is full");
  const nothing = Object.assign(new Error("ENOMEM"), { code: "ENOMEM" });
  expect(outageOf(nothing)?.message).toBe("use the machine: the machine has no memory left");
});

test("what we may have done wrong ourselves stays a bug, and a refusal a refusal", () => {
  for (const cause of [
    failure("ENOENT"),
    failure("EEXIST"),
    new TypeError("x"),
    undefined,
    new Refusal("path.symlink", "x"),
  ])
    expect(outageOf(cause)).toBeUndefined();
  expect(statusOf(failure("ENOENT"))).toBe(500);
  const outage = new Outage("read", "/a", "no");
  expect(outageOf(outage)).toBe(outage);
});

import { expect, test } from "bun:test";
import { Outage, outageOf, Refusal } from "./errors.ts";
import { fromWire, statusOf, toWire } from "./wire.ts";

const failure = (code: string): Error =>
  Object.assign(new Error(`${code}: no, stat '/a'`), { code, syscall: "stat", path: "/a" });

test("what only the machine can be blamed for is an outage, also where nobody expected it", () => {
  for (const code of ["EACCES", "EROFS", "ENOSPC", "EMFILE"]) {
    const outage = outageOf(failure(code));
    expect([outage?.operation, outage?.target, outage?.message]).toEqual([
      "stat",
      "/a",
      `stat /a: ${code}: no, stat '/a'`,
    ]);
    expect(statusOf(failure(code))).toBe(503);
    expect(fromWire(toWire(failure(code)))).toEqual(new Outage("stat", "/a", `${code}: no, stat '/a'`));
  }
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

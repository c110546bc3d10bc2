import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemLiveness } from "./liveness.ts";
import { Outage } from "../../protocol/errors.ts";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { makeTemporaryDirectory, openTemporary, withTemporaryDirectory } from "./temporary-directory.ts";
import { throwing } from "../../../test/kit/rejection.ts";

const kind = `test${process.pid}`;
const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(`constel-${kind}-`));

test("it is there while it is used and gone afterwards, also when the use fails", async () => {
  let seen = "";
  await withTemporaryDirectory(kind, async (path) => {
    seen = path;
    writeFileSync(join(path, "a"), "x");
  });
  expect(existsSync(seen)).toBe(false);
  expect(await throwing(withTemporaryDirectory(kind, () => Promise.reject(new Error("no"))))).toThrow("no");
  expect(left()).toEqual([]);
});

test("what a killed process left goes with the next one; what lives, or only looks so, stays", async () => {
  const { pid, token } = systemLiveness.self();
  const [namespace] = token.split("-");
  const dead = Bun.spawnSync(["true"]).pid;
  const names = {
    dead: `constel-${kind}-${dead}-${namespace}-1-0123456789ab`,
    living: `constel-${kind}-${pid}-${token}-0123456789ab`,
    other: `constel-${kind}-somebody-else`,
    link: `constel-${kind}-${dead}-${namespace}-1-ba9876543210`,
  };
  try {
    for (const name of [names.dead, names.living, names.other])
      mkdirSync(join(tmpdir(), name, "deep"), { recursive: true });
    symlinkSync(join(tmpdir(), names.other), join(tmpdir(), names.link));
    await withTemporaryDirectory(kind, async () => undefined);
    expect(left().sort()).toEqual([names.living, names.other, names.link].sort());
    expect(readdirSync(join(tmpdir(), names.other))).toEqual(["deep"]);
  } finally {
    for (const name of Object.values(names)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
});

test("a temporary place that cannot be used is an outage that says why, and what to set", async () => {
  using at = temporaryDirectory("temporary");
  const file = join(at.path, "file");
  const closed = join(at.path, "closed");
  writeFileSync(file, "");
  mkdirSync(closed);
  chmodSync(closed, 0o500);
  const places: [path: string, why: string][] = [
    [join(at.path, "missing"), "it does not exist"],
    [file, "it is not a directory"],
    // No mode keeps root out.
    ...(process.getuid?.() === 0 ? [] : [[closed, "this account may not write there"] as [string, string]]),
  ];
  const before = process.env["TMPDIR"];
  try {
    for (const [path, why] of places) {
      process.env["TMPDIR"] = path;
      const ways = [
        () => withTemporaryDirectory(kind, async () => undefined),
        async () => openTemporary((place) => place.make("a")),
        async () => makeTemporaryDirectory("a-"),
      ];
      for (const way of ways) {
        const said = await way().catch((cause: unknown) => cause);
        expect(said).toBeInstanceOf(Outage);
        expect((said as Outage).message).toBe(
          `use temporary directory ${path}: ${why}. Set TMPDIR to a directory that you may write to`,
        );
      }
    }
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

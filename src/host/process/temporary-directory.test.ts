import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemLiveness } from "./liveness.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";

const kind = `test${process.pid}`;
const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(`constel-${kind}-`));

test("it is there while it is used and gone afterwards, also when the use fails", async () => {
  let seen = "";
  await withTemporaryDirectory(kind, async (path) => {
    seen = path;
    writeFileSync(join(path, "a"), "x");
  });
  expect(existsSync(seen)).toBe(false);
  await expect(withTemporaryDirectory(kind, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
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

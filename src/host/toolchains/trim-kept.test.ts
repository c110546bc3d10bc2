import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { systemProcesses } from "../process/run.ts";
import { openToolchains } from "./open-toolchains.ts";
import { keptBounds, trimKept } from "./trim-kept.ts";

let home: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  home = temporaryDirectory("kept");
});
afterEach(() => home[Symbol.dispose]());

const nowMs = 1_800_000_000_000;
const hourMs = 3_600_000;
const relative = "state/compilers-kept";
const trim = (at = nowMs, maxBytes = 1_000): void =>
  trimKept({ root: home.path, relative }, at, { ...keptBounds, maxBytes });

function put(name: string, agoMs: number, bytes = 400): void {
  const path = join(home.path, relative, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "x".repeat(bytes));
  utimesSync(path, (nowMs - agoMs) / 1000, (nowMs - agoMs) / 1000);
}

const left = (): string[] =>
  readdirSync(join(home.path, relative), { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory() && one.name !== "trimmed")
    .map(({ name }) => name)
    .sort();

test("what was not used for days goes; past the bound the longest unused go, and nothing that may be in use", () => {
  put("go-build/aa/old-d", 6 * 24 * hourMs, 1);
  put("go-build/aa/kept-d", 4 * 24 * hourMs, 1);
  trim();
  expect(left()).toEqual(["kept-d"]);
  for (const hours of [0.5, 2, 3, 4]) put(`go-build/bb/${hours}-d`, hours * hourMs);
  trim(nowMs + 2 * hourMs);
  expect(left()).toEqual(["0.5-d", "2-d"]);
  for (const part of ["a", "b", "c"]) put(`go-build/bb/now-${part}`, -4 * hourMs);
  trim(nowMs + 4 * hourMs);
  expect(left()).toEqual(["now-a", "now-b", "now-c"]);
});

test("it is looked at once an hour, by whichever process, also after the clock was set back", () => {
  put("go-build/aa/one-d", 1);
  trim();
  put("go-build/aa/old-d", 6 * 24 * hourMs);
  trim(nowMs + hourMs / 2);
  expect(left()).toEqual(["old-d", "one-d"]);
  trim(nowMs - hourMs);
  expect(left()).toEqual(["one-d"]);
});

test("a link is not followed, and where nothing is kept nothing is made", () => {
  trim();
  expect(existsSync(join(home.path, "state"))).toBe(false);
  put("go-build/aa/one-d", 1);
  mkdirSync(join(home.path, "elsewhere"));
  writeFileSync(join(home.path, "elsewhere/mine"), "x");
  utimesSync(join(home.path, "elsewhere/mine"), 1, 1);
  symlinkSync("../../../elsewhere", join(home.path, relative, "go-build/ab"));
  trim();
  expect(existsSync(join(home.path, "elsewhere/mine"))).toBe(true);
});

test("whoever has asked a compiler makes room", async () => {
  put("go-build/aa/old-d", nowMs);
  const kept = { root: home.path, relative };
  const toolchains = openToolchains({
    observer: { tree: async () => new Map(), read: async () => undefined, isThere: async () => true },
    processes: systemProcesses,
    environment: {},
    rules: () => ({ off: [], mayRunBuildCode: false, memoryBytes: 1024 ** 3 }),
    checkouts: () => [],
    directory: home.path,
    kept,
    name: "compilers",
  });
  const tree = { id: "1".repeat(40), blobs: new Map<string, string>() };
  await toolchains.on({ language: "go", tree, wants: () => true }, async () => undefined);
  toolchains.close();
  expect(left()).toEqual([]);
});

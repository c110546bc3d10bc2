import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { KeptFacts } from "./kept-facts.ts";

let home: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  home = temporaryDirectory("facts");
});
afterEach(() => home[Symbol.dispose]());

const shelf = (more: { program?: string; maxBytes?: number } = {}): KeptFacts =>
  new KeptFacts({ place: { root: home.path, relative: "state/facts" }, program: "p1", maxBytes: 1_000_000, ...more });

/** Every entry, by its path below the home. */
const entries = (): string[] =>
  readdirSync(home.path, { recursive: true })
    .map(String)
    .filter((name) => /\/[0-9a-f]{40}$/.test(name))
    .sort();

function keep(name: string, facts: object, more: Parameters<typeof shelf>[0] = {}): void {
  const one = shelf(more);
  one.set(name, facts);
  one.close();
}

test("what was kept is there for the next process, private to the user", () => {
  keep("python abc", { names: ["é", "b"], more: { deep: [1, null] } });
  expect(shelf().get("python abc")).toEqual({ names: ["é", "b"], more: { deep: [1, null] } });
  expect(shelf().get("go abc")).toBeUndefined();
  const [entry = ""] = entries();
  expect(lstatSync(join(home.path, entry)).mode & 0o777).toBe(0o600);
  expect(lstatSync(join(home.path, "state/facts/p1")).mode & 0o777).toBe(0o700);
});

test("an entry that was cut, changed or put under another name is not believed, and is written anew", () => {
  keep("python abc", { names: ["a"] });
  const [entry = ""] = entries();
  const path = join(home.path, entry);
  const whole = readFileSync(path, "utf8");
  const spoilt = [
    "",
    "\n",
    whole.slice(0, -3),
    whole.replace('"a"', '"b"'),
    whole.replace("python abc", "python abd"),
    `${whole} `,
    whole.slice(0, 65),
  ];
  for (const text of spoilt) {
    writeFileSync(path, text);
    expect(shelf().get("python abc")).toBeUndefined();
  }
  keep("python abc", { names: ["a"] });
  expect(shelf().get("python abc")).toEqual({ names: ["a"] });
});

test("what JSON would turn into something else is not kept", () => {
  keep("go abc", { takes: [0, Infinity] });
  expect(entries()).toEqual([]);
});

test("a changed program believes nothing of before, and what older ones kept goes", () => {
  for (const [at, program] of ["p1", "p2", "p3", "p4"].entries()) {
    keep("python abc", { from: program }, { program });
    utimesSync(join(home.path, "state/facts", program), at + 1, at + 1);
  }
  expect(shelf({ program: "p5" }).get("python abc")).toBeUndefined();
  keep("python abc", {}, { program: "p5" });
  expect(readdirSync(join(home.path, "state/facts")).sort()).toEqual(["p3", "p4", "p5"]);
});

test("two at once write the same entries, and both read them", () => {
  const [one, other] = [shelf(), shelf()];
  for (let at = 0; at < 200; at++) {
    one.set(`python ${at}`, { at });
    other.set(`python ${at}`, { at });
  }
  one.close();
  other.close();
  expect(entries().length).toBe(200);
  const reader = shelf();
  expect(Array.from({ length: 200 }, (_, at) => reader.get(`python ${at}`))).toEqual(
    Array.from({ length: 200 }, (_, at) => ({ at })),
  );
});

// Only Linux has /proc, which lists what a process holds open.
test.skipIf(process.platform !== "linux")("once closed it opens nothing more, whoever still asks", () => {
  const held = (): string[] =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(join("/proc/self/fd", fd)).startsWith(home.path);
      } catch {
        return false; // the directory that was read
      }
    });
  const before = held().length;
  const one = shelf();
  one.set("python a", { at: 1 });
  one.flush();
  expect(one.get("python a")).toEqual({ at: 1 });
  one.close();
  expect(one.get("python a")).toBeUndefined();
  one.set("python b", { at: 2 });
  one.flush();
  expect(held()).toHaveLength(before);
});

test("past its bound the oldest go, and what is left is within it", () => {
  const facts = { text: "x".repeat(2_000) };
  const old = shelf();
  for (let at = 0; at < 300; at++) old.set(`python old${at}`, facts);
  old.close();
  for (const entry of entries()) utimesSync(join(home.path, entry), 1, 1);
  const small = shelf({ maxBytes: 400_000 });
  for (let at = 0; at < 60; at++) small.set(`python new${at}`, facts);
  small.close();
  expect(entries().reduce((sum, entry) => sum + lstatSync(join(home.path, entry)).size, 0)).toBeLessThan(400_000);
  const reader = shelf();
  expect(Array.from({ length: 60 }, (_, at) => reader.get(`python new${at}`)).every(Boolean)).toBe(true);
});

test("a planted link is not followed, and a place that cannot be written keeps nothing and fails nobody", () => {
  mkdirSync(join(home.path, "state"));
  mkdirSync(join(home.path, "elsewhere"));
  symlinkSync("../elsewhere", join(home.path, "state/facts"));
  keep("python abc", { names: [] });
  expect(readdirSync(join(home.path, "elsewhere"))).toEqual([]);
  rmSync(join(home.path, "state/facts"));
  writeFileSync(join(home.path, "state/facts"), "a file");
  keep("python abc", { names: [] });
  expect(shelf().get("python abc")).toBeUndefined();
});

// Tests which files count as loops: those that constel wrote, unchanged since.

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../test/kit/directory.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { signingKey } from "../host/keys/key-files.ts";
import { constellationHolder } from "../ports/keys.ts";
import { scheduleFiles } from "./schedule-files.ts";

const text = 'id = "mine"\nverb = ["status"]\n';

test("a file that constel did not write as it stands there is no loop, whatever it is like", () => {
  using at = temporaryDirectory("loops");
  const files = scheduleFiles(at.path, systemClock);
  const file = (id: string): string => join(at.path, files.loopPath(id));
  const lay = (id: string, written: string): void => writeFileSync(file(id), written);
  files.writeLoop("mine", text);
  expect(files.readLoop("mine")).toBe(text); // before there is a key, as it was
  signingKey(at.path, constellationHolder, systemClock);
  expect(() => files.readLoop("mine")).toThrow("was not written by constel");
  files.writeLoop("mine", text);
  expect(files.readLoop("mine")).toBe(text);
  const sealed = readFileSync(file("mine"), "utf8");
  for (const [id, written] of [
    ["planted", text],
    ["mine", sealed.replace("status", "down")],
    ["mine", sealed.replace('id = "mine"', 'id = "mine" # x')],
    ["mine", `${sealed}verb = ["down"]\n`],
    ["mine", `verb = ["down"]\n${sealed}`],
    ["another", sealed],
    ["mine", sealed.replace(/"seal":"(.)/, (_, letter: string) => `"seal":"${letter === "A" ? "B" : "A"}`)],
    ["mine", `${text}# constel {}\n`],
  ] as const) {
    lay(id, written);
    expect(() => files.readLoop(id)).toThrow("was not written by constel");
  }
  lay("mine", sealed);
  expect(files.readLoop("mine")).toBe(text);
  files.writeLoop("mine", `${text}paused = true\n`);
  expect(files.readLoop("mine")).toBe(`${text}paused = true\n`);
  expect(files.readLoop("missing")).toBeUndefined();
});

test("a loop that was removed, or reads as it did before the last change but one, does not come back by its sealed file", () => {
  using at = temporaryDirectory("loops");
  signingKey(at.path, constellationHolder, systemClock);
  const files = scheduleFiles(at.path, systemClock);
  const path = (id: string): string => join(at.path, files.loopPath(id));
  files.writeLoop("mine", text);
  const first = readFileSync(path("mine"), "utf8");
  files.writeLoop("mine", `${text}paused = true\n`);
  files.writeLoop("mine", `${text}paused = false\n`);
  const last = readFileSync(path("mine"), "utf8");
  writeFileSync(path("mine"), first);
  expect(() => files.readLoop("mine")).toThrow("was not written by constel");
  writeFileSync(path("mine"), last);
  expect(files.readLoop("mine")).toBe(`${text}paused = false\n`);
  files.removeLoop("mine");
  for (const copy of [first, last]) {
    writeFileSync(path("mine"), copy);
    expect(() => files.readLoop("mine")).toThrow("was not written by constel");
  }
  // Made anew under the same name, it counts, and what it was before does not.
  files.writeLoop("mine", text);
  expect(files.readLoop("mine")).toBe(text);
});

test("what the owner accepted of cron.toml is sealed: nobody else's list of it counts", () => {
  using at = temporaryDirectory("crons");
  signingKey(at.path, constellationHolder, systemClock);
  const files = scheduleFiles(at.path, systemClock);
  files.writeAcceptedCrons(new Map([["mine", "a".repeat(64)]]));
  files.writeLoop("loop", 'id = "loop"\n');
  expect(files.acceptedCrons()).toEqual(new Map([["mine", "a".repeat(64)]]));
  const register = join(at.path, "state/schedules.json");
  const sealed = readFileSync(register, "utf8");
  for (const planted of [sealed.replace("aaaa", "bbbb"), '{"crons":{"mine":"b"},"loops":{}}', "", "half"]) {
    writeFileSync(register, planted);
    expect(files.acceptedCrons()).toEqual(new Map());
  }
  writeFileSync(register, sealed);
  expect(files.readLoop("loop")).toBe('id = "loop"\n');
});

// Which files are loops: those that constel wrote, as they stand there.

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
    ["mine", sealed.replace(/"seal":"./, '"seal":"_')],
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

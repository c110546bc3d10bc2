// Anchored heads on the disk, and the command that is given each of them.

import { expect, test } from "bun:test";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import { FakeClock } from "../../ports/fake-clock.ts";
import { RecordingDisk } from "../../files/recording-disk.suite.ts";
import { systemProcesses } from "../process/run.ts";
import { anchorsFile, auditMachine } from "./audit-machine.ts";

const machineIn = (home: string, command: readonly string[], processes = systemProcesses) =>
  auditMachine(home, { clock: new FakeClock(), processes, command, env: { PATH: "/usr/bin:/bin" } });

test("a home without heads and keys has none to compare", () => {
  using directory = temporaryDirectory("audit-machine");
  const machine = machineIn(directory.path, []);
  expect([machine.anchors(), machine.ring(), machine.ringHashes()]).toEqual([undefined, undefined, []]);
});

test("each line is on the disk before it is given away", () => {
  using directory = temporaryDirectory("audit-machine");
  const disk = new RecordingDisk();
  const machine = auditMachine(directory.path, {
    clock: new FakeClock(),
    processes: systemProcesses,
    command: [],
    env: {},
    disk,
  });
  machine.append("one");
  machine.append("two");
  expect(readFileSync(join(directory.path, anchorsFile), "utf8")).toBe("one\ntwo\n");
  expect(machine.anchors()).toBe("one\ntwo\n");
  expect(disk.done.filter((one) => one === "sync file heads.jsonl")).toHaveLength(2);
});

test("the command is given the line; without one nothing is run, and one that fails says why", async () => {
  using directory = temporaryDirectory("audit-machine");
  const kept = join(directory.path, "kept");
  await machineIn(directory.path, ["sh", "-c", `cat >>${kept}`]).publish("the line");
  expect(readFileSync(kept, "utf8")).toBe("the line\n");
  const run = async (): Promise<never> => {
    throw new Error("nothing is to be run");
  };
  await machineIn(directory.path, [], { run }).publish("the line");
  const failing = (script: string): Promise<unknown> =>
    machineIn(directory.path, ["sh", "-c", script])
      .publish("the line")
      .catch((cause: Error) => cause.message);
  expect(await failing("echo no room >&2; exit 1")).toMatch(/sh.*no room/s);
  expect(await failing("exit 3")).toContain("it ended with 3");
});

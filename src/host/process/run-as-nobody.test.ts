import { expect, test } from "bun:test";
import { rejection } from "../../../test/kit/rejection.ts";
import { limits } from "./limit-mark.ts";
import { processesOfNobody } from "./run-as-nobody.ts";

const linux = process.platform === "linux" && Bun.which("prlimit") !== null;

// Without Linux and prlimit there is no such mark.
test.skipIf(!linux)(
  "a command that a setting names carries the mark of agents' processes, and so does what it leaves behind",
  async () => {
    const options = { env: { PATH: process.env["PATH"] ?? "" }, deadlineMs: 10_000 };
    const look = "grep -i msgqueue /proc/self/limits";
    const { stdout } = await processesOfNobody.run(["sh", "-c", `${look}; setsid sh -c '${look}'`], options);
    const marks = Buffer.from(stdout).toString("utf8").trim().split("\n");
    expect(marks).toHaveLength(2);
    for (const line of marks) expect(line).toMatch(new RegExp(`\\b${limits().agent}\\s+${limits().agent}\\b`));
  },
);

test("a program that is not there is named, and not the words of the mark", async () => {
  const options = { env: { PATH: process.env["PATH"] ?? "" }, deadlineMs: 10_000 };
  const refused = await rejection(processesOfNobody.run(["no-such-program-here"], options));
  expect((refused as Error).message).toContain("no-such-program-here");
  expect((refused as Error).message).not.toContain("prlimit");
});

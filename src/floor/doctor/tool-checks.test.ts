import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { DoctorContext } from "./check.ts";
import { toolChecks, ownProgram } from "./tool-checks.ts";

test("whether compilers run in a sandbox is tried: bubblewrap may be there and not be allowed", async () => {
  using top = temporaryDirectory("tools");
  const bin = join(top.path, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "javac"), "");
  const look = async (outcome: { code: number; stderr: string }): Promise<string> => {
    const processes = { run: async () => outcome };
    const context = { env: { PATH: bin }, processes } as unknown as DoctorContext;
    const [result] = (await toolChecks.find(({ code }) => code === "tool.compilers")?.look(context)) ?? [];
    return result?.saw ?? "";
  };
  const forbidden = { code: 1, stderr: "bwrap: No permissions to create a new namespace\n" };
  expect(await look(forbidden)).toContain("without a sandbox: bubblewrap (`bwrap`) is not on the PATH");
  writeFileSync(join(bin, "bwrap"), "");
  expect(await look(forbidden)).toContain(
    "without a sandbox: bubblewrap cannot make one here (bwrap: No permissions to create a new namespace)",
  );
  expect(await look({ code: 0, stderr: "" })).toContain("they run inside bubblewrap: no network");
});

test("a temporary directory that is missing, or is none, is broken", async () => {
  using top = temporaryDirectory("tools");
  const file = join(top.path, "file");
  writeFileSync(file, "");
  const look = async (TMPDIR: string): Promise<unknown> => {
    const context = { env: { TMPDIR } } as unknown as DoctorContext;
    const [result] = (await toolChecks.find(({ code }) => code === "tool.temporary")?.look(context)) ?? [];
    return [result?.state, result?.saw];
  };
  expect(await look(top.path)).toEqual(["well", top.path]);
  expect(await look(join(top.path, "missing"))).toEqual(["broken", `${top.path}/missing does not exist`]);
  expect(await look(file)).toEqual(["broken", `${file} is not a directory`]);
});

test("a program that runs from its sources is named with what builds it; a built one and a single file are not", () => {
  expect(ownProgram(undefined, "/opt/constel")).toMatchObject({
    state: "note",
    saw: "it runs from its sources in /opt/constel",
    mend: "`/opt/constel/scripts/install.sh` builds the quick program.",
  });
  expect(ownProgram("abc", "/opt/constel").state).toBe("well");
  expect(ownProgram("abc", undefined).state).toBe("well");
});

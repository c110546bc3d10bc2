import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../../test/kit/directory.ts";
import type { DoctorContext } from "./check.ts";
import { toolChecks } from "./tool-checks.ts";

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

// `doctor --run` on the real programs: one turn each, only when it was meant. The model's own log is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runtimes } from "../../../src/host/runtime/all.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const top = join(import.meta.dir, "..", "..", "..");

const isWhole = process.env["CONSTEL_CHECK_ALL"] === "yes";
const names = ["claude", "codex", ...(isWhole ? ["opencode", "gemini"] : [])];

interface Report {
  readonly results: readonly { readonly code: string; readonly state: string; readonly saw: string }[];
}

for (const runtime of runtimes.filter(({ name }) => names.includes(name))) {
  const { name } = runtime;
  const program = programOf(name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why.
    describe.skip(`${name}: SKIPPED, ${program.missing}`, () => {
      test("one turn", () => {});
    });
    continue;
  }
  describe(`one turn of ${name}`, () => {
    let here: TaskLab;
    beforeAll(async () => {
      here = await TaskLab.open(runtime, program.path);
      await here.lab.model.setRules({ default: { text: "ready" }, rules: [] });
    }, 120_000);
    afterAll(() => here.close(), 60_000);
    const asked = async (): Promise<number> => {
      const requests = await here.lab.model.requests();
      return requests.filter(({ side, prompt }) => !side && /Answer with the one word/.test(prompt)).length;
    };
    const turns = async (...words: string[]): Promise<Report["results"]> => {
      const { out } = await here.tried([join(top, "bin/constel"), "doctor", "--run", ...words, "--json"]);
      return (JSON.parse(out) as Report).results.filter(
        ({ code, saw }) => code === "program.turn" && saw.includes(name),
      );
    };

    test("is made only when somebody says so, once, and its answer is seen", async () => {
      expect(await turns()).toMatchObject([
        { state: "warning", saw: expect.stringContaining("no turn was made with") },
      ]);
      expect(await asked()).toBe(0);
      expect(await turns("--yes")).toMatchObject([
        { state: "well", saw: expect.stringMatching(/answered a turn in [\d.]+ s/) },
      ]);
      expect(await asked()).toBe(1);
    }, 240_000);
  });
}

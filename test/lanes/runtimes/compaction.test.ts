// Before a program compacts its conversation, its own hook notes where the agent stands; afterwards the model is told, once. On the real
// programs: the model's own log is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkpointFile } from "../../../src/doors/hook/checkpoint.ts";
import { runtimes } from "../../../src/host/runtime/all.ts";
import { readHooks } from "../../../src/host/runtime/hook-records.ts";
import { homes } from "./homes.ts";
import { Lab, until } from "./lab.ts";
import { programOf } from "./programs.ts";

const top = join(import.meta.dir, "..", "..", "..");
const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "writes",
      when: { prompt: "write it down" },
      steps: [
        { calls: [{ write: "{{cwd}}/half.txt", content: "half\n" }] },
        { text: "WORDS-OF-THE-MODEL, half of it" },
      ],
    },
    { name: "goes-on", when: { prompt: "go on now" }, reply: { text: "gone on" } },
    { name: "later", when: { prompt: "and later" }, reply: { text: "later" } },
  ],
};

for (const runtime of runtimes.filter(({ name }) => ["claude", "codex"].includes(name))) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is no conversation then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("compaction", () => {});
    });
    continue;
  }

  describe(`a compaction of ${runtime.name}`, () => {
    const slowMs = 60_000;
    let lab: Lab;

    beforeAll(async () => {
      const home = homes[runtime.name];
      if (home === undefined) throw new Error(`no test home for ${runtime.name}`);
      lab = await Lab.open(runtime, program.path, home, { isolate: true });
      await lab.model.setRules(rules);
    });
    afterAll(() => lab.close());

    const hooks = (event: string) =>
      until(
        `${event}`,
        () => Promise.resolve(readHooks(lab.constel, "agent1", 0).filter((one) => one.event === event)),
        (found) => found.length > 0,
        slowMs,
      );

    test(
      "what it changed and said is told again, once, and no secret",
      async () => {
        const { pane } = await lab.start(
          lab.launch({
            opening: `write it down, and never say ${secret}`,
            permissions: "edits",
            sessionId: crypto.randomUUID(),
            hookCommand: [join(top, "bin/constel"), "hook", runtime.name],
          }),
        );
        await hooks("turn-ended");
        await pane.paste("/compact");
        await pane.enter();
        await hooks("compacting");
        await hooks("compacted");
        await pane.paste("go on now");
        await pane.enter();
        const [request] = await until(
          "the model is asked",
          async () => (await lab.model.requests()).filter(({ rule }) => rule === "goes-on"),
          (found) => found.length > 0,
          slowMs,
        );
        const body = JSON.stringify(request?.body);
        expect(body.split("constel noted where you stood")).toHaveLength(2);
        const told = body.slice(body.indexOf("constel noted where you stood"));
        for (const part of ["half.txt", "WORDS-OF-THE-MODEL", "write it down"]) expect(told).toContain(part);
        expect(told).not.toContain(secret);
        expect(existsSync(join(lab.constel, checkpointFile("agent1")))).toBe(false);
      },
      slowMs * 4,
    );
  });
}

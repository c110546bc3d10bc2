// `constel down --all`, then `constel up`, with the real programs: nothing but files is left between the two, as after a reboot. The same
// agent comes back on the same program, goes on with its conversation, and is told of the task that it has in hand.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { opencode } from "../../../src/host/runtime/opencode/opencode.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const begun = "I have begun with the parser.";
const rules = {
  default: { text: "default answer" },
  rules: [{ name: "begins", when: { prompt: "/Task \\d+ is yours\\./" }, reply: { text: begun } }],
};
// opencode starts slowly, so it runs only in `bin/check --all`.
const isWhole = process.env["CONSTEL_CHECK_ALL"] === "yes";

for (const runtime of [claude, codex, ...(isWhole ? [opencode] : [])]) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("comes back", () => {});
    });
    continue;
  }

  describe(`${runtime.name} comes back`, () => {
    let here: TaskLab;
    const slowMs = runtime === opencode ? 240_000 : 60_000;

    beforeAll(async () => {
      const config = `[agents]\nroot = false\nruntime = "script"\n`;
      here = await TaskLab.open(runtime, program.path, { config, isolate: runtime !== opencode, slowMs });
      await here.lab.model.setRules(rules);
      await here.begin();
    }, slowMs * 2);
    afterAll(() => here.close(), 60_000);

    test(
      "up brings back who was there, in its conversation, with its task",
      async () => {
        await here.constel("task", "create", "Write a parser");
        await here.constel("task", "dispatch", "1");
        await until(
          "its first words",
          () => here.query("select state from dispatches"),
          ([row]) => row?.["state"] === "delivered",
          slowMs,
        );
        await until(
          "the model answered",
          async () => (await here.lab.model.requests()).some(({ rule }) => rule === "begins"),
          (done) => done,
          slowMs,
        );
        await here.becomes("idle");
        await here.constel("down", "--all");
        const said = await here.constel("up", "--no-attach");
        expect(said).toMatch(new RegExp(`agent1 +started +${runtime.name} `));
        expect(said).toContain("goes on with its conversation of today");
        expect(said).toContain("is told of task 1");
        const heard = await until(
          "it is told, in its conversation",
          async () => (await here.lab.model.requests()).findLast(({ side }) => !side),
          (request) => JSON.stringify(request?.body ?? "").includes("go on with task 1"),
          slowMs * 2,
        );
        expect(JSON.stringify(heard?.body)).toContain(begun);
        await here.becomes("idle");
        const handoffs = () => here.query("select state from messages where kind = 'handoff'");
        await until("its delivery is proven", handoffs, ([row]) => row?.["state"] === "delivered", 60_000);
        expect(await handoffs()).toHaveLength(1);
      },
      slowMs * 5,
    );
  });
}

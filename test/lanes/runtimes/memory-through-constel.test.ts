// A memory that rests on a file is in the model's context when a conversation begins, and is not once the file is another. On the real programs:
// the model's own log is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runtimes } from "../../../src/host/runtime/all.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const resting = "Retries wait twice as long each time";
const lasting = "Prices are in cents";

for (const runtime of runtimes.filter(({ name }) => ["claude", "codex"].includes(name))) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is no conversation then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("memory", () => {});
    });
    continue;
  }

  describe(`memory that ages, on ${runtime.name}`, () => {
    let here: TaskLab;
    const retry = (): string => join(here.lab.work, "src", "retry.ts");

    beforeAll(async () => {
      here = await TaskLab.open(runtime, program.path, { files: { "src/retry.ts": "wait *= 2;\n" } });
      await here.lab.model.setRules({ default: { text: "default answer" }, rules: [] });
      await here.constel("daemon", "start");
      await here.constel("repo", "add", here.lab.work);
      await here.constel("memory", "add", lasting, "--pin");
      await here.constel("memory", "add", resting, "--pin", "--valid-while", "src/retry.ts");
    }, 120_000);
    afterAll(() => here?.close(), 60_000);

    /** What the model of a new conversation was given with its first prompt. */
    async function firstRequest(words: string): Promise<string> {
      await here.constel("agent", "1", "--type", runtime.name, "--fresh");
      await here.becomes("idle");
      await here.constel("channel", "send", "agent1", words);
      const [request] = await until(
        `the model is asked ${words}`,
        async () =>
          (await here.lab.model.requests()).filter(({ side, body }) => !side && JSON.stringify(body).includes(words)),
        (found) => found.length > 0,
        60_000,
      );
      return JSON.stringify(request?.body);
    }

    test("it is told while its file is as it was, and neither told nor lost when the file is another", async () => {
      const before = await firstRequest("first conversation");
      expect([before.includes(resting), before.includes(lasting)]).toEqual([true, true]);
      here.lab.write(retry(), "wait += 1;\n");
      const after = await firstRequest("second conversation");
      expect([after.includes(resting), after.includes(lasting)]).toEqual([false, true]);
      const stale = await here.says<{ memories: { text: string }[] }>("memory", "recall", "--stale");
      expect(stale.memories.map(({ text }) => text)).toEqual([resting]);
      // As it was again, it holds again.
      here.lab.write(retry(), "wait *= 2;\n");
      expect(await firstRequest("third conversation")).toContain(resting);
    }, 300_000);
  });
}

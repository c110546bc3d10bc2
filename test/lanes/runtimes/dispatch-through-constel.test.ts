// A task to the real Claude Code and the real Codex, and back: dispatched, worked on by the program itself through its shell as
// the scripted model tells it, said to be ready, harvested.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

const top = join(import.meta.dir, "..", "..", "..");

/** The model reads where to work and how to finish out of the brief, as a real one would. */
const rules = (before: string) => ({
  default: { text: "default answer" },
  rules: [
    {
      name: "work",
      when: { prompt: "/Task (\\d+) is yours\\.[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?not find constel: (\\S+)/" },
      steps: [
        {
          calls: [
            { shell: `cd {{2}} && ${before}echo hello > hello.txt && git add hello.txt && git commit -qm 'Say hello'` },
          ],
        },
        { calls: [{ shell: "cd {{2}} && { constel task ready {{1}} || {{3}} task ready {{1}}; }" }] },
        { text: "It is done." },
      ],
    },
  ],
});

const sandbox = Bun.spawnSync(["sh", join(top, "scripts/bubblewrap.sh")]);

for (const [runtime, isConfined] of [claude, codex].flatMap((one) => [[one, false] as const, [one, true] as const])) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("a task there and back", () => {});
    });
    continue;
  }

  // Confined needs bubblewrap, which some machines do not have or forbid.
  const describeOrSkip = isConfined && sandbox.exitCode !== 0 ? describe.skip : describe;
  describeOrSkip(`a task to ${isConfined ? "a confined " : ""}${runtime.name} and back`, () => {
    let here: TaskLab;

    beforeAll(async () => {
      // On the PATH is a script of the lab that starts the program, which lies in the owner's cache.
      const reads = `confined_reads = ${JSON.stringify([dirname(dirname(program.path))])}\n`;
      // A sandbox has processes of its own, among which the holder of the network without a way out cannot be found.
      // Confined it has the permissions of a new home: Codex has no sandbox of its own then, and what it does is asked of constel first.
      const looks = '[[permissions.rules]]\ndecision = "allow"\ncommand = "test ! -e"\n';
      const options = { config: isConfined ? `[agents]\n${reads}${looks}` : allAllowed, isolate: !isConfined };
      here = await TaskLab.open(runtime, program.path, options);
      // A model in the open would find the database, and not begin.
      await here.lab.model.setRules(rules(isConfined ? `test ! -e ${here.lab.constel}/meta.db && ` : ""));
      await here.constel("daemon", "start");
      await here.constel("agent", "1", "--type", runtime.name, ...(isConfined ? ["--confined"] : []));
    }, 120_000);
    afterAll(async () => {
      await here.close();
    }, 60_000);

    test("two verbs: it lands with its trailer, and the story is whole", async () => {
      const query = (sql: string) => here.query(sql);
      await here.becomes("idle");
      await here.constel("task", "create", "Say hello");
      const given = JSON.parse(await here.constel("task", "dispatch", "1", "--json")) as Record<string, unknown>;
      // A program that has just started may be at something for a moment more: then the task waits for it, and goes out by itself.
      const sent = { delivery: "sent", agent: "agent1" };
      expect(given).toMatchObject(given["delivery"] === "queued" ? { agent: null, notes: ["nobody is free"] } : sent);
      await until(
        "ready",
        () => query("select state, reason from tasks"),
        ([row]) => row?.["state"] === "ready",
        90_000,
      );
      expect(await query("select agent, state from dispatches")).toEqual([{ agent: "agent1", state: "done" }]);
      await here.constel("task", "harvest", "1");
      const log = await here.run(["git", "-C", here.origin, "log", "-1", "--format=%B", "main"]);
      expect(log).toContain("Say hello");
      expect(log).toContain("Constel-Task: 1");
      const types = (await query("select type from task_events order by seq")).map(({ type }) => type);
      for (const type of ["dispatched", "brief_delivered", "ready", "harvested", "closed"])
        expect(types.filter((one) => one === type)).toEqual([type]);
      expect(await query("select actor from task_events where type = 'ready'")).toEqual([{ actor: "agent1" }]);
    }, 240_000);
  });
}

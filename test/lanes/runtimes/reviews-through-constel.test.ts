// The real Claude Code twice: one does a task, the other reads it, asks for changes, reads it again when it is mended, and approves it; then it
// lands, and before that it does not. A commit after the approval holds the next landing again.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

const top = join(import.meta.dir, "..", "..", "..");
const slowMs = 90_000;

/** Each of the two goes by its own messages, as a real model would: what to do, where, and how to say that it is done. */
const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "mend",
      when: { prompt: "/Task (\\d+) was reviewed[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?not find constel: (\\S+)/" },
      steps: [
        {
          calls: [
            {
              shell: "cd {{2}} && echo 1000 > price.txt && git commit -qam 'Price in cents' && {{3}} task ready {{1}}",
            },
          ],
        },
        { text: "Mended." },
      ],
    },
    {
      name: "work",
      when: { prompt: "/Task (\\d+) is yours\\.[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?not find constel: (\\S+)/" },
      steps: [
        {
          calls: [
            {
              shell:
                "cd {{2}} && echo 10 > price.txt && git add -A && git commit -qm 'Add a price' && {{3}} task ready {{1}}",
            },
          ],
        },
        { text: "Done." },
      ],
    },
    {
      name: "approve",
      when: {
        prompt: "/review task (\\d+)[\\s\\S]*?\\+ 1000[\\s\\S]*?--read ([0-9a-f]+)[\\s\\S]*?not find constel: (\\S+)/",
      },
      steps: [{ calls: [{ shell: "{{3}} review approve {{1}} --read {{2}} in cents now" }] }, { text: "Approved." }],
    },
    {
      name: "refuse",
      when: {
        prompt: "/review task (\\d+)[\\s\\S]*?\\+ 10[\\s\\S]*?--read ([0-9a-f]+)[\\s\\S]*?not find constel: (\\S+)/",
      },
      steps: [
        {
          calls: [
            { shell: "{{3}} review changes {{1}} --read {{2}} 'wrong unit' --on 'price.txt:1: in cents, please'" },
          ],
        },
        { text: "Asked for changes." },
      ],
    },
  ],
};

const program = programOf("claude");
if ("missing" in program) {
  // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
  describe.skip(`claude: SKIPPED, ${program.missing}`, () => {
    test("a review by another agent", () => {});
  });
} else {
  describe("work of one claude read by another", () => {
    let here: TaskLab;
    const verdictIs = (wanted: string) =>
      until(
        `the verdict is ${wanted}`,
        async () => (await here.says<{ review: { verdict: string; head: string } }>("task", "show", "1")).review,
        ({ verdict }) => verdict === wanted,
        slowMs,
      );
    const harvest = async (): Promise<string> => {
      const { out, err } = await here.tried([join(top, "bin/constel"), "task", "harvest", "1"]);
      return out + err;
    };
    const onMain = () => here.run(["git", "-C", here.origin, "log", "--format=%s", "main"]);

    beforeAll(async () => {
      const files = { "constel.toml": "[harvest]\nrequire_review = true\n" };
      here = await TaskLab.open(claude, program.path, { config: allAllowed, files, slowMs });
      await here.lab.model.setRules(rules);
      await here.constel("daemon", "start");
      for (const agent of ["1", "2"]) await here.constel("agent", agent, "--type", "claude", "--driven");
      await here.becomes("idle");
    }, slowMs * 2);
    afterAll(() => here.close(), 60_000);

    test(
      "changes are asked for, worked in, approved, and land; each step by the agents themselves",
      async () => {
        await here.constel("task", "create", "Add a price");
        await here.constel("task", "dispatch", "1", "--agent", "1");
        await verdictIs("none");
        await until(
          "it is ready",
          () => here.query("select state from tasks"),
          ([row]) => row?.["state"] === "ready",
          slowMs,
        );
        expect(await harvest()).toContain("it is held for review: nobody has reviewed");
        await here.constel("task", "review", "1", "--by", "2");
        // Asked for, answered, sent back, mended, asked for again and answered, with nobody's hand in between.
        const { head } = await verdictIs("approved");
        const reviews = await here.query(
          "select reviewer, state, stale, head, comments from reviews order by asked_at",
        );
        expect(reviews.map(({ reviewer, state, stale }) => [reviewer, state, stale])).toEqual([
          ["agent2", "changes", 1],
          ["agent2", "approved", 0],
        ]);
        expect(reviews[0]?.["comments"]).toBe('[{"path":"price.txt","line":1,"text":"in cents, please"}]');
        expect(await here.lab.model.saw("in cents, please")).toBeGreaterThan(0);
        const asked = (await here.lab.model.requests()).filter(({ side }) => !side).map(({ rule }) => rule);
        expect(asked.filter((rule, at) => rule !== asked[at - 1])).toEqual(["work", "refuse", "mend", "approve"]);
        expect(await onMain()).toBe("base\n");

        // A commit after the approval holds it again, until that was read as well. Its reviewer is asked, and now says nothing.
        await here.lab.model.setRules({ default: { text: "I will look at it later." }, rules: [] });
        const [{ path } = { path: "" }] = await here.query("select path from workspaces");
        await here.run(["git", "-C", String(path), "commit", "-q", "--allow-empty", "-m", "One more"]);
        await here.constel("task", "ready", "1");
        expect(await harvest()).toContain("it is held for review: agent2");
        expect(await onMain()).toBe("base\n");
        const { head: now } = await verdictIs("waiting");
        expect(now).not.toBe(head);
        await here.constel("review", "approve", "1", "--read", now.slice(0, 12));
        expect(await harvest()).toContain("landed");
        expect(await onMain()).toContain("Price in cents");
      },
      slowMs * 4,
    );
  });
}

// The real Claude Code, Codex and opencode ask for permission, under constel's defaults: a task needs no hand, what no rule answers
// waits for the owner by its exact command, and a question is told apart from a permission. The scripted model is the one who wants things.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { opencode } from "../../../src/host/runtime/opencode/opencode.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const escalated = { sandbox_permissions: "require_escalated", justification: "scripted" };

/** The model reads where to work out of the brief, as a real one would; with Codex it must ask for what leaves its sandbox. */
const rules = (isCodex: boolean) => {
  const shell = (command: string) => ({ calls: [{ shell: command }] });
  const outside = (command: string) => (isCodex ? { calls: [{ shell: command, input: escalated }] } : shell(command));
  return {
    default: { text: "default answer" },
    rules: [
      {
        name: "work",
        // What the shell of Codex cannot do, its brief names the tool for.
        when: {
          prompt: `/Task (\\d+) is yours\\.[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?${isCodex ? "call the tool .task." : "run: constel task ready"}/`,
        },
        steps: [
          shell("cd {{2}} && echo hello > hello.txt && git add hello.txt && git commit -qm 'Say hello'"),
          // In its sandbox Codex finds the program, and hears from it where to run it.
          ...(isCodex ? [shell("cd {{2}} && constel task ready {{1}}")] : []),
          isCodex
            ? { calls: [{ mcp: "constel/task", input_json: '{"action": "ready", "task": {{1}}}' }] }
            : shell("cd {{2}} && constel task ready {{1}}"),
          { text: "It is done." },
        ],
      },
      {
        name: "compound",
        when: { prompt: "/please make (\\S+)/" },
        steps: [outside("git status && touch {{1}}"), { text: "heard: {{result}}" }],
      },
      {
        name: "question",
        when: { prompt: "ask me something", offers: "AskUserQuestion" },
        steps: [
          {
            calls: [
              {
                call: "AskUserQuestion",
                input: {
                  questions: [
                    {
                      question: "Which colour shall the button have?",
                      header: "Colour",
                      multiSelect: false,
                      options: [
                        { label: "Red", description: "warm" },
                        { label: "Blue", description: "cold" },
                      ],
                    },
                  ],
                },
              },
            ],
          },
          { text: "thank you" },
        ],
      },
    ],
  };
};

interface Status {
  readonly needs: readonly { readonly kind: string; readonly agent: string | null; readonly says: string }[];
}

// opencode starts slowly, so it runs only in `bin/check --all`.
const isWhole = process.env["CONSTEL_CHECK_ALL"] === "yes";

for (const runtime of [claude, codex, ...(isWhole ? [opencode] : [])]) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("permissions", () => {});
    });
    continue;
  }

  describe(`permissions of ${runtime.name} through constel`, () => {
    let here: TaskLab;
    const slowMs = runtime === opencode ? 240_000 : 60_000;
    const ask = (path: string) =>
      here.constel("channel", "send", "agent1", `please make ${path}`, "--kind", "brief").then(() => path);
    const waiting = () =>
      until(
        "a request waits",
        () => here.says<{ approvals: { id: string; asked: string }[] }>("approvals", "ls"),
        ({ approvals }) => approvals.length > 0,
        slowMs,
      ).then(({ approvals: [first] }) => first ?? { id: "", asked: "" });
    const modelHeard = (text: string) =>
      until(
        `the model heard ${text}`,
        () => here.lab.model.saw(text),
        (count) => count > 0,
        slowMs,
      );

    beforeAll(async () => {
      // The adapter of opencode speaks HTTP to the program, so it must be in the same network namespace.
      here = await TaskLab.open(runtime, program.path, { isolate: runtime !== opencode, slowMs });
      await here.lab.model.setRules(rules(runtime === codex));
      await here.begin();
    }, slowMs * 2);
    afterAll(() => here.close(), 60_000);

    test(
      "a task needs no hand: it commits, says that it is ready, and nobody was asked",
      async () => {
        await here.constel("task", "create", "Say hello");
        await here.constel("task", "dispatch", "1");
        await until(
          "ready",
          () => here.query("select state, reason from tasks"),
          ([row]) => row?.["state"] === "ready",
          slowMs,
        );
        expect(await here.query("select asked, part, why, state from approvals")).toEqual([]);
        if (runtime === codex) await modelHeard("Run the command outside of the sandbox");
        await here.becomes("idle");
      },
      slowMs * 2,
    );

    test(
      "a compound command waits by its exact words, is denied and allowed by the owner, and denied when nobody answers",
      async () => {
        const outside = join(here.lab.directory, "outside");
        await ask(outside);
        const { id, asked } = await waiting();
        expect(asked).toBe(`git status && touch ${outside}`);
        const { needs } = await here.says<Status>("status");
        expect(needs).toContainEqual(
          expect.objectContaining({ kind: "permission", agent: "agent1", says: `wants to run: ${asked}` }),
        );
        await here.constel("approvals", "deny", id.slice(-6), "not", "outside");
        await modelHeard("The owner denied it: not outside");
        await here.becomes("idle");
        expect(existsSync(outside)).toBe(false);

        await ask(outside);
        await here.constel("approvals", "allow", (await waiting()).id.slice(-6));
        await until(
          "it was done",
          async () => existsSync(outside),
          (done) => done,
          slowMs,
        );
        await here.becomes("idle");

        await here.constel("config", "set", "approvals.timeout_s", "10");
        await here.constel("daemon", "stop");
        await here.constel("daemon", "start");
        await ask(`${outside}-2`);
        await modelHeard("Nobody answered in time");
        await here.becomes("idle");
        expect(existsSync(`${outside}-2`)).toBe(false);
        const states = await here.query("select state from approvals order by asked_ms");
        expect(states.map(({ state }) => state)).toEqual(["denied", "allowed", "timed_out"]);
      },
      slowMs * 3,
    );

    // Codex asks its user questions in its plan mode alone, which constel does not use; opencode's are seen in its conformance.
    test.skipIf(runtime !== claude)(
      "a question is told as a question, with its text; it is no permission",
      async () => {
        await here.constel("channel", "send", "agent1", "please ask me something", "--kind", "brief");
        const { needs } = await until(
          "the question is told",
          () => here.says<Status>("status"),
          ({ needs: now }) => now.some(({ kind }) => kind === "question"),
          slowMs,
        );
        const says = "asks: Which colour shall the button have? (Red, Blue)";
        expect(needs).toContainEqual(expect.objectContaining({ kind: "question", agent: "agent1", says }));
        expect(needs.map(({ kind }) => kind)).not.toContain("permission");
        expect(await here.constel("agents")).toContain("waiting for an answer");
      },
      120_000,
    );
  });
}

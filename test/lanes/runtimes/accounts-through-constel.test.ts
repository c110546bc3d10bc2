// An agent comes to its usage limit in the middle of a task and goes on with another account of the owner's: the same agent, conversation, task
// and branch, what was not committed included. The key under which the model was asked is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runtimes } from "../../../src/host/runtime/all.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

const brief = "/Task (\\d+) is yours\\.[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?not find constel: (\\S+)/";

const limit = {
  status: 429,
  type: "rate_limit_error",
  message: "You have hit your usage limit. Try again in 3 hours.",
};
/** The word to go on may come as a prompt or as a notice: it is known by having come last. */
const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "go-on",
      when: { latest: "you go on with another one", context: brief },
      reply: {
        calls: [
          {
            shell:
              "cd {{2}} && git add -A && git commit -qm Rest && { constel task ready {{1}} || {{3}} task ready {{1}}; } && echo both-halves",
          },
        ],
      },
    },
    { name: "done", when: { result: "both-halves" }, reply: { text: "It is done." } },
    {
      name: "begin",
      when: { prompt: brief },
      steps: [
        {
          calls: [
            {
              shell:
                "cd {{2}} && echo half > half.txt && git add half.txt && git commit -qm Half && echo rest > rest.txt",
            },
          ],
        },
        { error: limit },
      ],
    },
  ],
};

/** The files of an account, and how the model sees which one it was. */
const secondOf: Readonly<Record<string, (here: TaskLab, directory: string) => void>> = {
  claude({ lab }, directory) {
    lab.write(join(directory, ".claude.json"), JSON.stringify({ hasCompletedOnboarding: true }));
    lab.write(join(directory, "settings.json"), JSON.stringify({ env: { ANTHROPIC_AUTH_TOKEN: "dummy-2222" } }));
  },
  codex({ lab }, directory) {
    const config = [
      'model = "gpt-5.5"',
      'model_provider = "scripted"',
      "check_for_update_on_startup = false",
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = "${lab.model.url}/v1"`,
      'experimental_bearer_token = "dummy-2222"',
      'wire_api = "responses"',
      "request_max_retries = 0",
      "stream_max_retries = 0",
      "[analytics]",
      "enabled = false",
      "[features]",
      "plugins = false",
      "daemon_auto_start = false",
      "[notice.model_migrations]",
      '"gpt-5.5" = "gpt-6-sol"',
      "",
    ];
    lab.write(join(directory, "config.toml"), config.join("\n"));
  },
};

for (const runtime of runtimes.filter(({ name }) => Object.hasOwn(secondOf, name))) {
  const { name } = runtime;
  const program = programOf(name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is no account then.
    describe.skip(`${name}: SKIPPED, ${program.missing}`, () => {
      test("accounts", () => {});
    });
    continue;
  }

  describe(`two accounts of ${name}`, () => {
    let here: TaskLab;

    beforeAll(async () => {
      here = await TaskLab.open(runtime, program.path, {
        config: `${allAllowed}[limits]\non_limit = "other-account"\n`,
      });
      const { lab } = here;
      const directory = join(lab.directory, "second");
      mkdirSync(directory);
      secondOf[name]?.(here, directory);
      await lab.model.setRules(rules);
      const table = `\n[[agents.accounts]]\nname = "second"\nruntime = "${name}"\ndirectory = "${directory}"\n`;
      lab.write(join(lab.constel, "config.toml"), `${allAllowed}\n[limits]\non_limit = "other-account"\n${table}`);
      await here.constel("daemon", "start");
      await here.constel("agent", "1", "--type", name);
    }, 120_000);
    afterAll(() => here?.close(), 60_000);

    test("at its limit it goes on with the second one, in its conversation, and lands its task", async () => {
      await here.becomes("idle");
      await here.constel("task", "create", "Say both halves");
      await here.constel("task", "dispatch", "1");
      await until(
        "ready",
        () => here.query("select state, agent from tasks"),
        ([row]) => row?.["state"] === "ready",
        120_000,
      );
      expect(await here.query("select agent, state from dispatches")).toEqual([{ agent: "agent1", state: "done" }]);
      const asked = (await here.lab.model.requests()).filter(({ side }) => !side);
      const before = asked.filter(({ rule }) => rule === "begin");
      const after = asked.filter(({ rule }) => rule === "go-on");
      expect([...new Set(before.map(({ auth }) => auth))]).toEqual(["ummy"]);
      expect([...new Set(after.map(({ auth }) => auth))]).toEqual(["2222"]);
      // The conversation went along: the second account's first request holds the brief.
      expect(JSON.stringify(after[0]?.body)).toContain("Say both halves");
      await here.constel("task", "harvest", "1");
      for (const file of ["half.txt", "rest.txt"])
        expect((await here.run(["git", "-C", here.origin, "show", `main:${file}`])).trim()).toBe(file.slice(0, 4));
    }, 300_000);

    test("cost, agents and the views say which account it was, and no token of the first is lost", async () => {
      expect(await here.constel("agents")).toContain(`${name} (second)`);
      const counted = await until(
        "both accounts are counted",
        () => here.says<{ rows: { of: string; answers: number }[] }>("cost", "--by", "account"),
        ({ rows }) => rows.length === 2,
        30_000,
      );
      expect(counted.rows.map(({ of }) => of).sort()).toEqual(["second", "usual"]);
      const answered = (await here.lab.model.requests()).filter(({ side, rule }) => !side && rule === "begin");
      // One of its two requests met the limit, and was not answered.
      expect(counted.rows.find(({ of }) => of === "usual")?.answers).toBe(answered.length - 1);
      const [limit] = await here.query("select runtime, account, agent from account_limits_seen");
      expect(limit).toEqual({ runtime: name, account: "usual", agent: "agent1" });
      const [changed] = await here.query("select data from timeline where type = 'agent.account-changed'");
      expect(JSON.parse(String(changed?.["data"]))).toEqual({ from: "usual", to: "second" });
    }, 60_000);
  });
}

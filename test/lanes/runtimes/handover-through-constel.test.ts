// Claude Code comes to its limit in the middle of a task, and Codex goes on with it: the same workspace and branch, what was not committed
// included, what was decided, and it lands. The model's own log is the witness of what Codex was told.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { homes } from "./homes.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

const brief = "/Task (\\d+) is yours\\.[\\s\\S]*?Workspace: (\\S+)[\\s\\S]*?not find constel: (\\S+)/";

const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "begin",
      when: { prompt: brief, api: "anthropic" },
      steps: [
        {
          calls: [
            {
              shell:
                "cd {{2}} && echo half > half.txt && git add half.txt && git commit -qm Half && echo rest > rest.txt",
            },
          ],
        },
        {
          error: {
            status: 429,
            type: "rate_limit_error",
            message: "This request would exceed your account's rate limit. Please try again later.",
          },
        },
      ],
    },
    {
      name: "go-on",
      when: { prompt: brief, api: "responses" },
      steps: [
        { calls: [{ shell: "cd {{2}} && git add -A && git commit -qm Rest" }] },
        { calls: [{ shell: "cd {{2}} && { constel task ready {{1}} || {{3}} task ready {{1}}; }" }] },
        { text: "It is done." },
      ],
    },
  ],
};

const [one, two] = ["claude", "codex"].map(programOf);
const isMissing = one === undefined || two === undefined || "missing" in one || "missing" in two;

// Skipped where one of the two programs cannot be had; programs.ts says why.
describe.skipIf(isMissing)("a task from Claude Code to Codex", () => {
  let here: TaskLab;

  beforeAll(async () => {
    if (one === undefined || two === undefined || "missing" in one || "missing" in two) return;
    here = await TaskLab.open(claude, one.path, { config: allAllowed });
    const { lab } = here;
    // The lab is Claude Code's; the other program finds the same model, in the same network.
    const wrapper = join(lab.directory, "bin", "codex");
    writeFileSync(wrapper, readFileSync(lab.program, "utf8").replace(one.path, two.path));
    chmodSync(wrapper, 0o755);
    for (const [path, content] of Object.entries(homes["codex"]?.files(lab) ?? {})) lab.write(path, content);
    Object.assign(lab.machine.env, homes["codex"]?.env(lab));
    await lab.model.setRules(rules);
    await here.constel("daemon", "start");
    await here.constel("agent", "1", "--type", "claude");
  }, 120_000);
  afterAll(() => here?.close(), 60_000);

  test("at its limit: the other one goes on where it stood, and lands it", async () => {
    await here.becomes("idle");
    await here.constel("task", "create", "Say both halves");
    await here.constel("decision", "add", "Halves are lower case", "--task", "1");
    await here.constel("task", "dispatch", "1");
    await here.becomes("limited");
    await here.constel("task", "handover", "1", "--to", "agent2", "--type", "codex", "--because", "agent1 is limited");
    await until(
      "ready",
      () => here.query("select state, agent from tasks"),
      ([row]) => row?.["state"] === "ready",
      120_000,
    );
    expect(await here.query("select agent, state from dispatches order by asked_ms")).toEqual([
      { agent: "agent1", state: "released" },
      { agent: "agent2", state: "done" },
    ]);
    const told = (await here.lab.model.requests()).find(({ rule }) => rule === "go-on");
    for (const part of ["Handed over by agent1", "rest.txt", "Halves are lower case", "agent1 is limited", ".jsonl"])
      expect(JSON.stringify(told?.body)).toContain(part);
    await here.constel("task", "harvest", "1");
    for (const file of ["half.txt", "rest.txt"])
      expect((await here.run(["git", "-C", here.origin, "show", `main:${file}`])).trim()).toBe(file.slice(0, 4));
    const [row] = await here.query("select from_agent, to_agent, kept from task_handovers");
    expect(row).toMatchObject({ from_agent: "agent1", to_agent: "agent2" });
    expect(String(row?.["kept"])).toContain("refs/constel/handover/");
  }, 300_000);
});

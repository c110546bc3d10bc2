// Real Claude Code and real Codex call constel's tools over MCP, told to by the scripted model; the model's log is the witness of
// what they were answered.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { projectTop, TestHome, until } from "../../kit/home.ts";
import { homes } from "./homes.ts";
import { Lab } from "./lab.ts";
import { programOf } from "./programs.ts";

const slowMs = 60_000;
const rules = {
  default: { text: "no rule matched" },
  rules: [
    {
      name: "ask constel",
      when: { prompt: "ask constel" },
      steps: [
        { calls: [{ mcp: "constel/register", input: {} }] },
        { calls: [{ mcp: "constel/publish", input: { type: "note", text: "nobody hears this" } }] },
        { text: "answered: {{result}}" },
      ],
    },
  ],
};

for (const runtime of [claude, codex]) {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("constel over MCP", () => {});
    });
    continue;
  }
  describe(`${runtime.name} with constel as its MCP server`, () => {
    const at = new TestHome();
    let lab: Lab;
    beforeAll(async () => {
      const home = homes[runtime.name];
      if (home === undefined) throw new Error(`no test home for ${runtime.name}`);
      lab = await Lab.open(runtime, program.path, home, { isolate: true });
      await lab.model.setRules(rules);
      await at.constel(["daemon", "start"]);
    });
    afterAll(async () => {
      await lab.close();
      await at[Symbol.asyncDispose]();
    });

    test(
      "it registers as the agent it is, and is told why a call was refused",
      async () => {
        const server = {
          command: join(projectTop, "bin/constel"),
          args: ["mcp"],
          env: { ...at.env, CONSTEL_AGENT: "agent1" },
        };
        const turn = { program: lab.program, cwd: lab.work, permissions: "ask", trusted: true } as const;
        const command = runtime.headless({ ...turn, prompt: "ask constel", mcp: { constel: server } });
        const { argv, env, stdin } = command;
        const options = { cwd: lab.work, env: { ...lab.machine.env, ...env }, stdin, deadlineMs: slowMs };
        await lab.machine.processes.run(argv, options);
        const said = JSON.stringify((await lab.model.requests()).map(({ body }) => body));
        expect(said).toMatch(/you\W+agent1/);
        expect(said).toContain("event.no-audience");
        const rows = await until(
          "the calls are rows",
          () =>
            at.json<{ tool: string }[]>(["query", "select tool, outcome, agent, client from mcp_calls order by at"]),
          (found) => found.length === 2,
        );
        expect(rows).toMatchObject([
          { tool: "register", outcome: "ok", agent: "agent1" },
          { tool: "publish", outcome: "refused", agent: "agent1" },
        ]);
      },
      slowMs * 2,
    );
  });
}

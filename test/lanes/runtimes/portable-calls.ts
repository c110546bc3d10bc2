// The calls of the scripted model that fit every client, on the real programs: each becomes a tool that the program runs. What
// the lanes script rests on it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "../../../src/ports/runtime.ts";
import { homes } from "./homes.ts";
import { Lab } from "./lab.ts";
import { programOf } from "./programs.ts";

const rules = {
  default: { text: "no rule matched at step {{step}}" },
  rules: [
    {
      name: "everything",
      when: { prompt: "/write and run (\\S+)/" },
      steps: [
        { thinking: "A file first.", text: "Writing.", calls: [{ write: "{{cwd}}/{{1}}", content: "one\ntwo\n" }] },
        { calls: [{ shell: "cat {{cwd}}/{{1}}" }, { shell: "echo in parallel" }] },
        { text: "wrote: {{result}}" },
      ],
    },
    {
      name: "edit",
      when: { prompt: "/change (\\S+)/" },
      steps: [{ calls: [{ edit: "{{cwd}}/{{1}}", old: "two", new: "three" }] }, { text: "changed" }],
    },
  ],
};

export interface PortableTraits {
  /** Codex offers other tools to other models. */
  readonly model?: string;
  readonly edits: boolean;
  readonly isolate: boolean;
  readonly slowMs: number;
}

export function portableCalls(runtime: Runtime, { model, edits, isolate, slowMs }: PortableTraits): void {
  const name = model === undefined ? runtime.name : `${runtime.name} as ${model}`;
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${name}: SKIPPED, ${program.missing}`, () => {
      test("portable calls", () => {});
    });
    return;
  }

  describe(`${name}, told what to do by portable calls`, () => {
    let lab: Lab;
    const take = async (prompt: string) => {
      const command = runtime.headless({
        program: lab.program,
        cwd: lab.work,
        permissions: "all",
        trusted: true,
        prompt,
        ...(model === undefined ? {} : { model }),
      });
      const { argv, env, stdin } = command;
      const options = { cwd: lab.work, env: { ...lab.machine.env, ...env }, stdin, deadlineMs: slowMs };
      const outcome = await lab.machine.processes.run(argv, options);
      return runtime.parseHeadless(new TextDecoder().decode(outcome.stdout), outcome.stderr, outcome.code, Date.now());
    };
    const file = (): string => readFileSync(join(lab.work, "note.txt"), "utf8");

    beforeAll(async () => {
      const home = homes[runtime.name];
      if (home === undefined) throw new Error(`no test home for ${runtime.name}`);
      lab = await Lab.open(runtime, program.path, home, { isolate });
      // Where the tests run as root, Claude Code does everything unasked only when told that it is in a sandbox.
      Object.assign(lab.machine.env, { IS_SANDBOX: "1" });
      await lab.model.setRules(rules);
    });
    afterAll(async () => {
      await lab.close();
    });

    test(
      "it writes a file and runs two commands at once, one step after the other",
      async () => {
        const outcome = await take("write and run note.txt");
        expect(outcome).toMatchObject({ ok: true });
        expect(outcome.text).toMatch(/wrote: [\s\S]*one\s[\s\S]*two/);
        expect(outcome.text).toContain("in parallel");
        expect(file()).toBe("one\ntwo\n");
        const turns = (await lab.model.requests()).filter(({ side }) => !side);
        expect(turns.map(({ rule }) => rule)).toEqual(["everything", "everything", "everything"]);
      },
      slowMs,
    );

    if (!edits) return;
    test(
      "it edits a file",
      async () => {
        expect(await take("change note.txt")).toMatchObject({ ok: true, text: "changed" });
        expect(file()).toBe("one\nthree\n");
      },
      slowMs,
    );
  });
}

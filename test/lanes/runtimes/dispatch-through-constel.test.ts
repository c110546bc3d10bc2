// A task to the real Claude Code and the real Codex, and back: dispatched, worked on by the program itself through its shell as
// the scripted model tells it, said to be ready, harvested.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { codex } from "../../../src/host/runtime/codex/codex.ts";
import { homes } from "./homes.ts";
import { Lab, until } from "./lab.ts";
import { programOf } from "./programs.ts";

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
            { shell: `${before}cd {{2}} && echo hello > hello.txt && git add hello.txt && git commit -qm 'Say hello'` },
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
    let lab: Lab;
    const run = async (command: readonly string[], fails = false): Promise<string> => {
      const env = { ...lab.machine.env, CONSTEL_HOME: lab.constel, CONSTEL_ROOT: lab.work, TMUX_TMPDIR: lab.directory };
      const child = Bun.spawn([...command], { cwd: lab.work, env, stdout: "pipe", stderr: "pipe" });
      const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      if (code !== 0 && !fails) throw new Error(`${command.join(" ")} ended with ${code}: ${err}${out}`);
      return out;
    };
    const constel = (...words: string[]) => run([join(top, "bin/constel"), ...words]);
    const query = async (sql: string): Promise<Record<string, unknown>[]> => {
      const database = new Database(join(lab.constel, "meta.db"), { readonly: true });
      try {
        return database.query<Record<string, unknown>, []>(sql).all();
      } finally {
        database.close();
      }
    };

    beforeAll(async () => {
      const home = homes[runtime.name];
      if (home === undefined) throw new Error(`no test home for ${runtime.name}`);
      // A sandbox has processes of its own, among which the holder of the network without a way out cannot be found.
      lab = await Lab.open(runtime, program.path, home, { isolate: !isConfined });
      mkdirSync(lab.constel, { recursive: true });
      // Where the tests run as root, Claude Code does everything unasked only when told that it is in a sandbox.
      Object.assign(lab.machine.env, { IS_SANDBOX: "1" });
      // On the PATH is a script of the lab that starts the program, which lies in the owner's cache.
      const reads = JSON.stringify([dirname(dirname(program.path))]);
      writeFileSync(
        join(lab.constel, "config.toml"),
        `[agents]\npermissions = "all"\n${isConfined ? `confined_reads = ${reads}\n` : ""}`,
      );
      lab.write(join(lab.home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.org\n");
      lab.write(join(lab.work, ".gitignore"), "workspaces/\n");
      const origin = join(lab.directory, "origin.git");
      for (const words of [
        ["init", "-q", "--bare", "-b", "main", origin],
        ["add", "-A"],
        ["commit", "-qm", "base"],
        ["remote", "add", "origin", origin],
        ["push", "-q", "-u", "origin", "main"],
      ])
        await run(["git", ...words]);
      // A model in the open would find the database, and not begin.
      await lab.model.setRules(rules(isConfined ? `test ! -e ${lab.constel}/meta.db && ` : ""));
      await constel("daemon", "start");
      await constel("agent", "1", "--type", runtime.name, ...(isConfined ? ["--confined"] : []));
    }, 120_000);
    afterAll(async () => {
      await run([join(top, "bin/constel"), "down", "--all"], true);
      await run([join(top, "bin/constel"), "daemon", "stop"], true);
      await lab.close();
    }, 60_000);

    test("two verbs: it lands with its trailer, and the story is whole", async () => {
      await until(
        "idle",
        () => query("select state, evidence from clones_now where agent = 'agent1'"),
        ([row]) => row?.["state"] === "idle",
        60_000,
      );
      await constel("task", "create", "Say hello");
      const given = JSON.parse(await constel("task", "dispatch", "1", "--json")) as Record<string, unknown>;
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
      await constel("task", "harvest", "1");
      const log = await run(["git", "-C", join(lab.directory, "origin.git"), "log", "-1", "--format=%B", "main"]);
      expect(log).toContain("Say hello");
      expect(log).toContain("Constel-Task: 1");
      const types = (await query("select type from task_events order by seq")).map(({ type }) => type);
      for (const type of ["dispatched", "brief_delivered", "ready", "harvested", "closed"])
        expect(types.filter((one) => one === type)).toEqual([type]);
      expect(await query("select actor from task_events where type = 'ready'")).toEqual([{ actor: "agent1" }]);
    }, 240_000);
  });
}

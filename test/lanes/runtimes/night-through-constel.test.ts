// A night in real time with the real Claude Code and nobody there: a cron gives the task out, a cron starts a loop that asks the clone
// until its gate is green, a cron lands the work. Crons go by whole minutes and a loop waits for one at least, so this takes
// five minutes; it runs with CONSTEL_REAL_NIGHT=1. src/core/schedules/night.test.ts has the same night on a clock of its own.

import { expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { claude } from "../../../src/host/runtime/claude/claude.ts";
import { until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { TaskLab } from "./task-lab.ts";

const wanted = "evening done,watch done,green done,morning done";
const isAsked = process.env["CONSTEL_REAL_NIGHT"] === "1";

const rules = {
  default: { text: "default answer" },
  rules: [
    {
      name: "brief",
      when: { prompt: "/Task (\\d+) is yours\\.[\\s\\S]*?Workspace: (\\S+)/" },
      steps: [
        { calls: [{ shell: "cd {{2}} && echo hullo > hello.txt && git add hello.txt && git commit -qm 'Say hello'" }] },
        { text: "That should do." },
      ],
    },
    {
      // What a loop asks comes to Claude Code as a notice, not as its user's words.
      name: "again",
      when: { latest: "/Make the gate green in (\\S+)\\./" },
      reply: {
        calls: [
          {
            shell: "cd {{1}} && echo hello > hello.txt && git commit -qam 'Spell it right' && constel task ready 1",
          },
        ],
      },
    },
  ],
};

/** The five fields of the minute that begins so many minutes after the next one. */
function minuteAfter(minutes: number): string {
  const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + minutes * 60_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

test.skipIf(!isAsked)(
  "real Claude Code goes through a night with no hand in the chain (CONSTEL_REAL_NIGHT=1)",
  async () => {
    const program = programOf("claude");
    if ("missing" in program) throw new Error(program.missing);
    const here = await TaskLab.open(claude, program.path);
    try {
      const { lab } = here;
      lab.write(join(lab.work, "gate.sh"), '#!/bin/sh\ntest "$(cat hello.txt)" = hello\n');
      chmodSync(join(lab.work, "gate.sh"), 0o755);
      lab.write(join(lab.work, "constel.toml"), '[gate]\ncommand = "./gate.sh"\n');
      for (const words of [
        ["add", "-A"],
        ["commit", "-qm", "A gate"],
        ["push", "-q"],
      ])
        await here.run(["git", ...words]);
      await lab.model.setRules(rules);
      await here.begin();
      await here.constel("task", "create", "Say hello");
      const workspace = join(lab.work, "workspaces/1/repo");
      const prompt = `Make the gate green in ${workspace}.`;
      await here.constel("cron", "add", "evening", minuteAfter(0), "--", "task", "dispatch", "1");
      const loop = ["loop", "create", "1m", "agent1", prompt, "--id", "green", "--until", "./gate.sh"];
      await here.constel("cron", "add", "watch", minuteAfter(1), "--", ...loop);
      await here.constel("cron", "add", "morning", minuteAfter(3), "--", "task", "harvest", "--all");
      await until(
        "the work has landed",
        () => here.query("select state, landed_sha, reason from tasks"),
        ([task]) => task?.["state"] === "closed",
        360_000,
      );
      const log = await here.run(["git", "-C", here.origin, "log", "--format=%s", "main"]);
      expect(log.split("\n")).toContain("Spell it right");
      expect(await here.run(["git", "-C", here.origin, "show", "main:hello.txt"])).toBe("hello\n");
      const loops = await here.query("select label, ended_why from schedules where kind = 'loop'");
      expect(loops).toEqual([{ label: "green", ended_why: "its until command succeeded" }]);
      await until(
        "every firing has ended well",
        () => here.query("select label, state from firings order by at_ms"),
        (found) => found.map(({ label, state }) => `${String(label)} ${String(state)}`).join() === wanted,
        60_000,
      );
      expect(await here.query("select asked from approvals")).toEqual([]);
      expect((await here.says<{ needs: unknown[] }>("status")).needs).toEqual([]);
    } finally {
      await here.close();
    }
  },
  480_000,
);

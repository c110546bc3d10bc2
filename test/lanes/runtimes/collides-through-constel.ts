// The whole way, on the real programs: an agent works in its workspace, a person begins to change the same lines in a worktree of
// their own, and the agent's model knows of it before its next edit of that file, once; when the person takes it back, it is told
// that too; and when another task lands that its open work now collides with, it knows that before its next edit, though nobody has
// pulled. The model server's log is the witness. Nobody but the daemon says anything.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readHear } from "../../kit/hear.ts";
import type { Runtime } from "../../../src/ports/runtime.ts";
import { type Lab, until } from "./lab.ts";
import { programOf } from "./programs.ts";
import { allAllowed, TaskLab } from "./task-lab.ts";

const top = join(import.meta.dir, "..", "..", "..");
const lines = (third: string): string => `one\ntwo\n${third}\nfour\nfive\n`;

/** The notice's own words, which nothing else in the conversation has. */
const collides = "change the same lines of x.txt";
const isOver = "No longer a problem";
const hasLanded = "main at the origin";

const chatWords = "CHAT-WORDS how far are you?";
const holds = (request: { readonly body: unknown } | undefined, text: string): boolean =>
  JSON.stringify(request?.body ?? "").includes(text);
const idIn = (answer: string): string => /msg_[a-z0-9]+/i.exec(answer)?.[0] ?? "";

const write = (third: string) => ({ calls: [{ write: "{{2}}/x.txt", content: lines(third) }] });
/** Works on a task: its second edit waits until the test lets go of it, and is made again when it was held back. */
const work = (task: number, hold: string) => ({
  name: `work ${task}`,
  when: { prompt: `/Task (${task}) is yours\\.[\\s\\S]*?Workspace: (\\S+)/` },
  steps: [write("mine"), { ...write("mine again"), hold }, write("mine again"), { text: "finished" }],
});
const rules = {
  default: { text: "default answer" },
  rules: [
    work(1, "they collide"),
    work(2, "it has landed"),
    {
      name: "two files",
      when: { prompt: "write two files" },
      steps: [
        { calls: [{ write: "{{cwd}}/one.txt", content: "one\n" }], hold: "a message came" },
        { calls: [{ write: "{{cwd}}/two.txt", content: "two\n" }] },
        { text: "finished" },
      ],
    },
    {
      name: "answers",
      when: { prompt: '/id="(msg_[^"]+)"[\\s\\S]*report how far/' },
      steps: [{ calls: [{ shell: `${join(top, "bin/constel")} channel reply {{1}} HALFWAY` }] }, { text: "answered" }],
    },
    { ...work(4, ""), steps: [{ ...write("mine"), hold: "it is claimed" }, write("mine"), { text: "finished" }] },
  ],
};

export interface CollidesTraits {
  readonly isolate: boolean;
  /** Programs that start slowly show only the first of it. */
  readonly onlyFirst: boolean;
  readonly slowMs: number;
}

export function collidesThroughConstel(runtime: Runtime, { isolate, onlyFirst, slowMs }: CollidesTraits): void {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("collides, and is told", () => {});
    });
    return;
  }

  describe(`${runtime.name} collides with somebody`, () => {
    let here: TaskLab;
    let lab: Lab;
    let other = "";
    const run = (command: readonly string[]): Promise<string> => here.run(command);
    const constel = (...words: string[]) => here.constel(...words);
    const saw = async (text: string): Promise<number> => {
      const last = (await lab.model.requests()).findLast(({ side }) => !side);
      return JSON.stringify(last?.body ?? "").split(text).length - 1;
    };

    beforeAll(async () => {
      const options = { config: allAllowed, files: { "x.txt": lines("three") }, isolate };
      here = await TaskLab.open(runtime, program.path, options);
      lab = here.lab;
      other = join(lab.directory, "other");
      await run(["git", "worktree", "add", "-q", "-b", "other", other]);
      await lab.model.setRules(rules);
      await constel("repo", "add");
      await constel("agent", "1", "--type", runtime.name);
    }, 120_000);
    afterAll(async () => {
      await here.close();
    }, 60_000);

    test("its model knows before the edit, once, and hears when it is over; an agent that it does not concern hears nothing", async () => {
      await until(
        "agent1 is idle",
        () => constel("query", "select state from clones_now where agent = 'agent1'", "--json"),
        (rows) => rows.includes('"idle"'),
        slowMs,
      );
      await constel("task", "create", "Change x", "--repo", lab.work);
      const { workspace } = JSON.parse(await constel("task", "dispatch", "1", "--json")) as { workspace: string };
      const mine = join(workspace, "x.txt");
      const written = () => (existsSync(mine) ? readFileSync(mine, "utf8") : "");
      await until(
        "its first edit",
        () => Promise.resolve(written()),
        (text) => text === lines("mine"),
        slowMs,
      );
      writeFileSync(join(other, "x.txt"), lines("theirs"));
      const ready = () => Promise.resolve(readHear(lab.constel, "agent1")?.items ?? []);
      await until("the notice lies ready", ready, (items) => items.some(({ text }) => text.includes(collides)), slowMs);
      await lab.model.release("they collide");
      await until(
        "the notice in the model's log",
        () => saw(collides),
        (count) => count > 0,
        slowMs,
      );
      // When the model first had it, the edit that it is about was not made.
      const first = (await lab.model.requests()).findIndex(({ body }) => JSON.stringify(body).includes(collides));
      const asked = (await lab.model.requests())
        .slice(0, first + 1)
        .filter(({ side, rule }) => !side && rule === "work 1");
      expect(asked).toHaveLength(3);
      await until(
        "its second edit",
        () => Promise.resolve(written()),
        (text) => text === lines("mine again"),
        slowMs,
      );
      expect(await saw(collides)).toBe(1);

      writeFileSync(join(other, "x.txt"), lines("three"));
      await until("its end lies ready", ready, (items) => items.some(({ text }) => text.includes(isOver)), slowMs);
      await constel("tell", "agent1", "go on");
      await until(
        "its end in the model's log",
        () => saw(isOver),
        (count) => count > 0,
        slowMs,
      );
      expect(await saw(isOver)).toBe(1);
      expect(readHear(lab.constel, "agent2")).toBeUndefined();
      const told = JSON.parse(await constel("notices", "--all", "--json")) as { notices: { agent: string }[] };
      expect(new Set(told.notices.map(({ agent }) => agent))).toEqual(new Set(["agent1"]));
    }, 300_000);

    test("it stands idle when the two collide again: one message wakes it, with proof, and nobody has to prompt it", async () => {
      await here.becomes("idle");
      const before = await saw(collides);
      writeFileSync(join(other, "x.txt"), lines("theirs once more"));
      await until(
        "the notice in the model's log",
        () => saw(collides),
        (count) => count > before,
        slowMs,
      );
      const messages = () => here.query("select state from messages where sender = 'agentnotices'");
      await until("it is proven", messages, ([row]) => row?.["state"] === "delivered", slowMs);
      await here.becomes("idle");
      expect(await messages()).toHaveLength(1);
      expect(await saw(collides)).toBe(before + 1);
      writeFileSync(join(other, "x.txt"), lines("three"));
    }, 300_000);

    if (onlyFirst) return;

    test("another task lands: its model knows that its open work collides with main before its next edit, once, though nobody has pulled", async () => {
      const workspaceOf = (task: number) => join(lab.work, "workspaces", String(task), "repo");
      await constel("task", "cancel", "1", "the next one");
      await constel("task", "create", "Change x again", "--repo", lab.work);
      await constel("task", "dispatch", "2");
      const mine = join(workspaceOf(2), "x.txt");
      const written = () => (existsSync(mine) ? readFileSync(mine, "utf8") : "");
      await until(
        "its first edit",
        () => Promise.resolve(written()),
        (text) => text === lines("mine"),
        90_000,
      );
      await constel("task", "create", "Land x", "--repo", lab.work);
      await constel("task", "dispatch", "3", "--to-workspace");
      writeFileSync(join(workspaceOf(3), "x.txt"), lines("landed"));
      await run(["git", "-C", workspaceOf(3), "commit", "-qam", "landed"]);
      await constel("task", "ready", "3");
      const pulled = await run(["git", "rev-parse", "origin/main"]);
      await constel("task", "harvest", "3");
      const ready = () => Promise.resolve(JSON.stringify(readHear(lab.constel, "agent1")?.items ?? []));
      await until("it lies ready", ready, (items) => items.includes(hasLanded), 60_000);
      await lab.model.release("it has landed");
      await until(
        "it is in the model's log",
        () => saw(hasLanded),
        (count) => count > 0,
        60_000,
      );
      // When the model first had it, the edit that it is about was not made.
      const asked = (await lab.model.requests()).filter(({ side, rule }) => !side && rule === "work 2");
      expect(asked.findIndex(({ body }) => JSON.stringify(body).includes(hasLanded))).toBe(2);
      await until(
        "its edit, made again",
        () => Promise.resolve(written()),
        (text) => text === lines("mine again"),
        60_000,
      );
      expect(await saw(hasLanded)).toBe(1);
      expect(await run(["git", "rev-parse", "origin/main"])).toBe(pulled);
      const told = JSON.parse(await constel("notices", "--json")) as { notices: { title: string; state: string }[] };
      const [notice] = told.notices.filter(({ title }) => title.includes(hasLanded));
      expect(notice?.state).toBe("told");
    }, 300_000);

    const arrives = { claude: "before its next edit", codex: "at its idle turn, behind the one it is in" }[
      runtime.name as "claude" | "codex"
    ];
    test(`a message to it at work arrives ${arrives}; idle, it is woken, and its answer reaches whoever waits, in the thread`, async () => {
      const isIdle = () =>
        until(
          "agent1 is idle",
          () => constel("query", "select state from clones_now where agent = 'agent1'", "--json"),
          (rows) => rows.includes('"idle"'),
          60_000,
        );
      const turns = async () => (await lab.model.requests()).filter(({ side }) => !side);
      const asked = async () => (await turns()).filter(({ rule }) => rule === "two files");
      await isIdle();
      await constel("channel", "send", "agent1", "write two files", "--kind", "brief");
      await until("it is at work", asked, (found) => found.length === 1, 60_000);
      const { id } = JSON.parse(await constel("channel", "send", "agent1", chatWords, "--json")) as { id: string };
      const state = () => constel("query", `select state, because from messages where message_id = '${id}'`, "--json");
      await until("it is known", state, (rows) => rows.includes('"state"'), 60_000);
      // Claude Code is typed to while it works. Codex is not, and is asked when its turn is over.
      if (runtime.name === "claude")
        await until(
          "it is handed over",
          () => constel("channel", "ls", "agent1", "--json"),
          (mailbox) => mailbox.includes('"inbox":0,"claimed":0,'),
          60_000,
        );
      await lab.model.release("a message came");
      await until("it is delivered", state, (rows) => rows.includes('"delivered"'), 60_000);
      await until(
        "both files are written",
        () => Promise.resolve(["one.txt", "two.txt"].every((name) => existsSync(join(lab.work, name)))),
        (areThere) => areThere,
        60_000,
      );
      const all = await until(
        "it is in the model's log",
        turns,
        (found) => found.some((one) => holds(one, chatWords)),
        60_000,
      );
      const first = all.find((one) => holds(one, chatWords));
      // The model that asked for the second edit knew of it; or it came when that turn was over.
      expect(holds(first, "two.txt")).toBe(runtime.name === "codex");
      await isIdle();

      const answer = await constel(
        "channel",
        "send",
        "agent1",
        "report how far",
        "--kind",
        "brief",
        "--wait",
        "--json",
      );
      expect(answer).toContain('"HALFWAY"');
      const { messages: thread } = JSON.parse(await constel("channel", "history", idIn(answer), "--json")) as {
        messages: { envelope: { from: string; text: string } }[];
      };
      expect(thread.map(({ envelope: { from, text } }) => [from, text])).toEqual([
        ["agentowner", "report how far"],
        ["agent1", "HALFWAY"],
      ]);
      expect(await constel("channel", "threads", "agent1", "--json")).toContain(idIn(answer));
    }, 300_000);

    test.if(process.env["CONSTEL_CHECK_ALL"] === "yes")(
      "a file that somebody has claimed for itself is not edited: each try is denied, with the reason and what to do instead",
      async () => {
        await constel("task", "cancel", "2", "the next one");
        await constel("claim", "add", "x.txt", "--exclusive", "--agent", "agent2", "--reason", "moving it");
        await constel("task", "create", "Change x once more", "--repo", lab.work);
        await constel("task", "dispatch", "4");
        const claimed = "agent2 has claimed x.txt for itself: moving it";
        const ready = () => Promise.resolve(JSON.stringify(readHear(lab.constel, "agent1")?.items ?? []));
        await until("the claim lies ready", ready, (items) => items.includes(claimed), 90_000);
        await lab.model.release("it is claimed");
        await until(
          "both tries are denied",
          () => saw(claimed),
          (count) => count === 2,
          60_000,
        );
        expect(await saw("Work elsewhere, or ask agent2")).toBe(2);
        expect(readFileSync(join(lab.work, "workspaces/4/repo/x.txt"), "utf8")).toBe(lines("landed"));
      },
      300_000,
    );
  });
}

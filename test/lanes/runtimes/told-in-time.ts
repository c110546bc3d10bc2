// Told before the edit, on the real programs: what lies ready for an agent is in its model's context before the edit that it is
// about is made, once, and in nobody else's. The model server's log is the witness.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeHear } from "../../kit/hear.ts";
import { presentGuests } from "../../../src/floor/guests/present-guests.ts";
import { systemLiveness } from "../../../src/host/process/liveness.ts";
import { readHooks } from "../../../src/host/runtime/hook-records.ts";
import type { Runtime } from "../../../src/ports/runtime.ts";
import type { HearItem } from "../../../src/protocol/hear.ts";
import { homes } from "./homes.ts";
import { Lab, until } from "./lab.ts";
import type { ModelRequest } from "./model.ts";
import { programOf } from "./programs.ts";

const top = join(import.meta.dir, "..", "..", "..");

const write = (name: string) => ({ calls: [{ write: `{{cwd}}/${name}`, content: "one\n" }] });
/** A name once released stays so: each test that holds an edit back has one of its own. */
const rules = (hold: string) => ({
  default: { text: "default answer" },
  rules: [
    {
      name: "writes",
      when: { prompt: "write them all" },
      steps: [
        write("note.txt"),
        { ...write("note.txt"), hold },
        write("denied.txt"),
        write("denied.txt"),
        { text: "finished" },
      ],
    },
    { name: "alone", when: { prompt: "write it alone" }, steps: [write("alone.txt"), { text: "finished" }] },
  ],
});

/** Words of their own, so that each is found only where it was told. */
const words = {
  join: "JOIN-PACKET-WORDS",
  prompt: "PROMPT-WORDS",
  edit: "EDIT-WORDS",
  deny: "DENY-WORDS",
  stop: "STOP-WORDS",
} as const;

export interface ToldTraits {
  readonly isolate: boolean;
  readonly slowMs: number;
  readonly model?: string;
}

export function toldInTime(runtime: Runtime, { isolate, slowMs, model }: ToldTraits): void {
  const program = programOf(runtime.name);
  if ("missing" in program) {
    // Skipped where the real program cannot be had; `missing` says why. There is nothing to drive then.
    describe.skip(`${runtime.name}: SKIPPED, ${program.missing}`, () => {
      test("told in time", () => {});
    });
    return;
  }

  describe(`${runtime.name}, told in time`, () => {
    let lab: Lab;
    const item = (at: HearItem["at"], text: string, file?: string): HearItem => ({
      id: text.toLowerCase(),
      at,
      text,
      files: file === undefined ? [] : [join(lab.work, file)],
      ...(text === words.deny ? { denies: true } : {}),
    });
    const start = (opening: string) =>
      lab.start(
        lab.launch({
          opening,
          permissions: "edits",
          sessionId: crypto.randomUUID(),
          hookCommand: [join(top, "bin/constel"), "hook", runtime.name],
          ...(model === undefined ? {} : { model }),
        }),
      );
    const constel = async (...words: string[]): Promise<void> => {
      const env = { ...lab.machine.env, CONSTEL_HOME: lab.constel };
      const outcome = await lab.machine.processes.run([join(top, "bin/constel"), ...words], {
        env,
        deadlineMs: 60_000,
      });
      if (outcome.code !== 0) throw new Error(outcome.stderr);
    };
    const said = async (...words: string[]): Promise<string> => {
      const env = { ...lab.machine.env, CONSTEL_HOME: lab.constel };
      const command = [join(top, "bin/constel"), ...words];
      const { stdout } = await lab.machine.processes.run(command, { env, deadlineMs: 60_000 });
      return new TextDecoder().decode(stdout);
    };
    /** As our guide shows settings, and as its program skips them: with a comment and a trailing comma. */
    const commentSettings = (): void => {
      const wish = { env: lab.machine.env, project: undefined, line: "", instructions: "", undo: false };
      const target = runtime.installs(wish).find(({ kind }) => kind === "hooks");
      if (target === undefined) return;
      const own = existsSync(target.path) ? (JSON.parse(readFileSync(target.path, "utf8")) as object) : {};
      const text = JSON.stringify({ hooks: {}, ...own });
      lab.write(target.path, text.replace("{", "{ // mine\n").replace(/\}$/, ",}\n"));
    };
    /** One turn as a person has it who knows nothing of constel. */
    const turn = async (prompt: string, resume?: string) => {
      const wish = { program: lab.program, cwd: lab.work, permissions: "all", trusted: true, prompt } as const;
      const chosen = {
        ...wish,
        ...(model === undefined ? {} : { model }),
        ...(resume === undefined ? {} : { resume }),
      };
      const { argv, env, stdin } = runtime.headless(chosen);
      // Where the tests run as root, Claude Code does everything unasked only when told that it is in a sandbox.
      const options = {
        cwd: lab.work,
        env: { ...lab.machine.env, IS_SANDBOX: "1", ...env },
        stdin,
        deadlineMs: slowMs,
      };
      const outcome = await lab.machine.processes.run(argv, options);
      return runtime.parseHeadless(new TextDecoder().decode(outcome.stdout), outcome.stderr, outcome.code, Date.now());
    };
    /** By the records of their hooks: a headless session has ended by the time that one looks. */
    const guests = (): string[] =>
      readdirSync(join(lab.constel, "state/hooks"))
        .filter((name) => name.startsWith("agentg"))
        .map((name) => name.replace(".jsonl", ""));
    const turns = async (rule: string): Promise<readonly ModelRequest[]> =>
      (await lab.model.requests()).filter((request) => !request.side && request.rule === rule);
    const holds = (request: ModelRequest | undefined, text: string): boolean =>
      JSON.stringify(request?.body ?? "").includes(text);
    const modelSaw = (text: string) =>
      until(
        `${text} in the model's log`,
        () => lab.model.saw(text),
        (count) => count > 0,
        slowMs,
      );

    beforeAll(async () => {
      const home = homes[runtime.name];
      if (home === undefined) throw new Error(`no test home for ${runtime.name}`);
      lab = await Lab.open(runtime, program.path, home, { isolate });
      await lab.model.setRules(rules("before the edit"));
    });
    afterAll(async () => {
      await lab.close();
    });

    test(
      "the model knows of it before the edit is made, once; a denied edit is never made; a stop is held back once",
      async () => {
        writeHear(
          lab.constel,
          "agent1",
          "notices",
          [
            item(["prompt"], words.prompt),
            item(["edit"], words.edit, "note.txt"),
            item(["edit"], words.deny, "denied.txt"),
            item(["stop"], words.stop),
          ],
          words.join,
        );
        const { pane } = await start("write them all");
        await modelSaw(words.edit);
        // The model has it in its context, and the edit is not made.
        expect(existsSync(join(lab.work, "note.txt"))).toBe(false);
        await lab.model.release("before the edit");
        await modelSaw(words.stop);
        expect(readFileSync(join(lab.work, "note.txt"), "utf8")).toBe("one\n");
        expect(existsSync(join(lab.work, "denied.txt"))).toBe(false);

        const [first, second, third] = await turns("writes");
        expect([words.join, words.prompt, words.edit].map((text) => holds(first, text))).toEqual([true, true, false]);
        expect([holds(second, words.edit), holds(second, words.deny)]).toEqual([true, false]);
        expect(holds(third, words.deny)).toBe(false);
        const last = JSON.stringify((await lab.model.requests()).findLast(({ side }) => !side)?.body);
        const counts = Object.values(words).map((text) => last.split(text).length - 1);
        expect(counts).toEqual([1, 1, 1, 2, 1]);
        const told = await until(
          "all told",
          () => Promise.resolve(readHooks(lab.constel, "agent1", 0).flatMap((hook) => hook.told ?? [])),
          (ids) => ids.length >= 4,
        );
        const all = [words.prompt, words.edit, words.deny, words.stop].map((text) => text.toLowerCase());
        expect(told).toEqual(all);
        await pane.kill();
      },
      slowMs * 3,
    );

    test(
      "an agent that it does not concern hears nothing",
      async () => {
        const before = await lab.model.saw(words.edit);
        writeHear(lab.constel, "agent2", "notices", [item(["edit"], words.edit, "note.txt")]);
        const { pane } = await start("write it alone");
        await until(
          "it has written",
          async () => (await turns("alone")).length,
          (count) => count >= 2,
          slowMs,
        );
        expect(readFileSync(join(lab.work, "alone.txt"), "utf8")).toBe("one\n");
        expect(await lab.model.saw(words.edit)).toBe(before);
        await pane.kill();
      },
      slowMs * 2,
    );

    test(
      "a session that a person started hears it too, once `constel install` has run, and is the same one when it is resumed",
      async () => {
        commentSettings();
        await constel("install", runtime.name, "--yes");
        expect(await said("doctor")).toContain(`hooks for ${runtime.name} are installed, not yet seen`);
        await lab.model.setRules(rules("before the guest's edit"));
        const first = await turn("write it alone");
        expect(first.ok).toBe(true);
        expect(await said("doctor")).toContain(`hooks of ${runtime.name} were seen to run`);
        const [guest] = guests();
        expect(guest).toMatch(/^agentg[0-9a-f]{12}$/);
        const before = (await lab.model.requests()).length;
        const items = [item(["edit"], words.edit, "note.txt"), item(["prompt"], words.prompt)];
        writeHear(lab.constel, guest ?? "", "notices", items, words.join);
        rmSync(join(lab.work, "note.txt"), { force: true });
        const second = turn("write them all", first.sessionId);
        const since = async () => JSON.stringify((await lab.model.requests()).slice(before).map(({ body }) => body));
        await until("told", since, (text) => text.includes(words.edit), slowMs);
        expect(existsSync(join(lab.work, "note.txt"))).toBe(false);
        // The first edit was held back: the model had it when it was asked the second time, before the edit that is made.
        const asked = (await lab.model.requests()).slice(before).filter(({ side, rule }) => !side && rule === "writes");
        expect(asked.findIndex((request) => holds(request, words.edit))).toBe(1);
        // While its program runs it is there, by its process; afterwards it is not.
        const here = () => presentGuests(lab.constel, systemLiveness).here.map(({ agent }) => agent);
        expect(here()).toEqual([guest ?? ""]);
        await lab.model.release("before the guest's edit");
        await second;
        expect(here()).toEqual([]);
        expect(readFileSync(join(lab.work, "note.txt"), "utf8")).toBe("one\n");
        const last = JSON.stringify((await lab.model.requests()).findLast(({ side }) => !side)?.body);
        expect([words.edit, words.prompt, words.join].map((text) => last.split(text).length - 1)).toEqual([1, 1, 1]);
        expect(guests()).toEqual([guest ?? ""]);
        await constel("install", runtime.name, "--undo", "--yes");
      },
      slowMs * 3,
    );
  });
}

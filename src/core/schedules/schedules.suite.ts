// For tests of schedules: files in memory, an inbox that drops what it has by its key, verbs that run when told to, and a machine
// that dies at a step.

import { cronMark } from "./accepted-crons.ts";
import { parseCronFile } from "./cron-file.ts";
import type { CommandOutcome, ScheduledPrompt, ScheduleMachine, VerbLook } from "../../ports/schedules.ts";
import { seededRandom } from "../../ports/fake-clock.ts";
import type { StoreScene } from "../../../test/kit/databases.ts";
import type { SeenState } from "../agents/agent.ts";
import { seeAgents } from "../agents/see.ts";
import { accountFor } from "../messages/account.ts";
import { type RoundReport, scheduleRound } from "./round.ts";
import type { ScheduleContext } from "./schedule-context.ts";

export class ScheduleScene {
  readonly #here: StoreScene;
  cron: string | undefined;
  /** The entries the owner accepted, if a test is about that. */
  accepted: ReadonlyMap<string, string> | undefined;
  readonly loops = new Map<string, string>();
  /** By key, as the bus keeps them. */
  readonly inbox = new Map<string, ScheduledPrompt>();
  /** The number of times each verb was really run. */
  readonly runs = new Map<string, number>();
  readonly looks = new Map<string, VerbLook>();
  readonly endedVerbs: string[] = [];
  /** The text a verb prints. */
  says = "";
  /** Does a verb's work and returns its exit code. */
  perform: (words: readonly string[]) => Promise<number> | number = () => 0;
  until: (command: string, directory: string | undefined) => Promise<CommandOutcome | undefined> = async () => ({
    ran: true,
    exit: 1,
  });
  /** Dies there, once. */
  dieAt: string | undefined;
  readonly #untils = new Map<string, Promise<void>>();
  readonly #performing: Promise<void>[] = [];

  constructor(here: StoreScene) {
    this.#here = here;
  }

  context(actor = "owner"): ScheduleContext {
    const { store, clock } = this.#here;
    return { store, clock, random: seededRandom(5), constellation: "constel0", actor, machine: this.machine };
  }

  readonly machine: ScheduleMachine = {
    files: {
      exclusively: (work) => work(),
      cronPath: "cron.toml",
      readCron: () => this.cron,
      writeCron: (text) => void (this.cron = text),
      // A test that lays down a text means one that the owner accepted, unless it says otherwise.
      acceptedCrons: () => this.accepted ?? marksIn(this.cron ?? ""),
      writeAcceptedCrons: (marks) => void (this.accepted &&= marks),
      listLoops: () => [...this.loops.keys()].sort(),
      loopPath: (id) => `state/loops/${id}.toml`,
      readLoop: (id) => this.loops.get(id),
      writeLoop: (id, text) => void this.loops.set(id, text),
      removeLoop: (id) => void this.loops.delete(id),
    },
    verbs: {
      begin: (key, words) => {
        if (this.looks.has(key)) return;
        this.looks.set(key, { state: "running" });
        this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
        this.#performing.push(this.#run(key, words));
      },
      look: (key) => this.looks.get(key) ?? { state: "none" },
      end: (key) => void this.endedVerbs.push(key),
      forget: (key) => void this.looks.delete(key),
      sweep: () => {},
    },
    prompt: (letter) => {
      if (!this.inbox.has(letter.key)) this.inbox.set(letter.key, letter);
    },
    runUntil: (command, directory) => this.until(command, directory),
    step: (name) => {
      if (name !== this.dieAt) return;
      this.dieAt = undefined;
      throw new Error(`killed at ${name}`);
    },
  };

  async #run(key: string, words: readonly string[]): Promise<void> {
    const exit = await this.perform(words);
    this.looks.set(key, { state: "ended", exit, says: this.says });
  }

  /** One round, and the commands of loops that it began. */
  async round(): Promise<RoundReport> {
    let isWoken = false;
    const first = await scheduleRound(this.context("daemon"), this.#untils, () => (isWoken = true));
    if (!first.isOpen && this.#untils.size === 0 && !isWoken) return first;
    await Promise.all(this.#untils.values());
    await Promise.all(this.#performing.splice(0));
    return await scheduleRound(this.context("daemon"), this.#untils);
  }

  async see(agent: string, state: SeenState): Promise<void> {
    const seen = { state, on: "hooks", says: "" } as const;
    const about = {
      role: "clone",
      runtime: "script",
      wanted: "up",
      launchedMs: 1,
      because: "up",
      cwd: "/",
      mailHeld: null,
    };
    await seeAgents(this.#here.store, [{ agent, seen, ...about } as never]);
  }

  /** The agent takes all its messages, works, and is idle again; `unseen`: so quickly that nobody saw it at work. */
  async takeAll(agent: string, unseen = false): Promise<ScheduledPrompt[]> {
    const { store, clock } = this.#here;
    const letters = [...this.inbox.values()].filter(({ to }) => to === agent);
    if (!unseen) await this.see(agent, "busy");
    await store.write((tx) =>
      accountFor(
        tx,
        "constel0",
        letters.map(({ id, key, from, to, text }) => ({
          name: key,
          receiver: to,
          sender: from,
          state: "delivered",
          atMs: clock.nowMs(),
          evidence: "bound",
          content: {
            message_id: id ?? null,
            kind: null,
            thread: null,
            in_reply_to: null,
            task: null,
            text,
            text_bytes: 1,
          },
        })),
      ),
    );
    clock.advance(1_000);
    await this.see(agent, "idle");
    return letters;
  }

  async firings(): Promise<{ key: string; state: string; catch_up: number; missed: number; due_ms: number }[]> {
    return await this.#here.store.db
      .selectFrom("firings")
      .select(["key", "state", "catch_up", "missed", "due_ms"])
      .orderBy("at_ms")
      .orderBy("key")
      .execute();
  }
}

/** The marks of all lines; none where the text cannot be read. */
function marksIn(text: string): ReadonlyMap<string, string> {
  try {
    return new Map(parseCronFile(text, "cron.toml").map((entry) => [entry.label, cronMark(entry)]));
  } catch {
    return new Map();
  }
}

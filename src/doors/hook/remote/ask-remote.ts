// `constel hook ask-remote NAME`: the program of a clone that stands for an agent of somebody else's. Its holder gives it one turn after the
// other as JSON lines, as it gives them to a script. Tasks go outward, and so do words of the owner's and the root's about a task that the
// other side asks something of; whatever else is said here stays here.

import { createInterface } from "node:readline";
import { askedRemote } from "../../../host/a2a/outward/asked-remote.ts";
import { meet } from "../../../host/a2a/outward/remote-agent.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { systemProcesses } from "../../../host/process/run.ts";
import { messageOf } from "../../../protocol/errors.ts";
import { messagesIn } from "../../../protocol/message-marks.ts";
import { readEnv } from "../../../settings/env.ts";
import { remotesIn } from "../../../settings/remotes.ts";
import { loadSettings } from "../../../settings/settings.ts";
import { machineOf, readHeldLaunch } from "../held-launch.ts";
import { type HeardMessage, heardMessages } from "./heard-messages.ts";
import { Journal } from "./journal.ts";
import { OwnVerbs } from "./own-verbs.ts";
import { RemoteTasks } from "./remote-tasks.ts";

export async function askRemote(home: string, agent: string, name: string): Promise<void> {
  const { config } = await loadSettings(readEnv(), "/", { home });
  const remotes = remotesIn(config["a2a.remotes"]);
  // The owner named one: whoever has only one need not say which.
  const chosen = name === "" && remotes.length === 1 ? (remotes[0]?.name ?? "") : name;
  const place = askedRemote(chosen, { remotes });
  const { hookCommand, cwd } = readHeldLaunch(home, agent);
  const { env } = machineOf();
  const journal = new Journal(home, agent);
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const self = hookCommand.slice(0, -2);
  const tasks = new RemoteTasks({
    agent,
    name: chosen,
    meet: () => meet(place, config["a2a.push_allow"]),
    verbs: new OwnVerbs({ self, processes: systemProcesses, env, cwd }),
    journal,
    processes: systemProcesses,
    env,
    clock: systemClock,
    say,
  });
  const turns = new Turns(tasks, journal);
  void turns.goOn();
  for await (const line of createInterface({ input: process.stdin })) turns.take(line);
}

class Turns {
  readonly #tasks: RemoteTasks;
  readonly #journal: Journal;
  #now = new AbortController();
  /** One at a time: what was under way when the program ended comes before anything new. */
  #queue: Promise<void> = Promise.resolve();

  constructor(tasks: RemoteTasks, journal: Journal) {
    this.#tasks = tasks;
    this.#journal = journal;
  }

  goOn(): Promise<void> {
    for (const entry of this.#journal.underWay())
      this.#add(async (signal) => {
        await this.#tasks.goOn(entry, () => {}, signal).catch((cause: unknown) => `${messageOf(cause)}`);
      });
    return this.#queue;
  }

  take(line: string): void {
    const said = JSON.parse(line) as { text?: string; interrupt?: boolean };
    if (said.interrupt === true) return this.#now.abort();
    const { text = "" } = said;
    this.#add(async (signal) => {
      try {
        print({ constel: "answer", text: await this.#turn(text, signal) });
      } catch (cause) {
        print({ constel: "failed", says: messageOf(cause) });
      }
    });
  }

  #add(work: (signal: AbortSignal) => Promise<void>): void {
    this.#queue = this.#queue.then(() => {
      this.#now = new AbortController();
      return work(this.#now.signal);
    });
  }

  async #turn(text: string, signal: AbortSignal): Promise<string> {
    const [id = crypto.randomUUID()] = messagesIn(text);
    const taken = (): void => print({ constel: "began" });
    const answers: string[] = [];
    for (const message of heardMessages(text)) answers.push(await this.#message(message, id, taken, signal));
    taken();
    return answers.join("\n") || "Nothing in it is for somebody else's agent.";
  }

  async #message(message: HeardMessage, id: string, taken: () => void, signal: AbortSignal): Promise<string> {
    const { task, isAssignment, maySpeak, text } = message;
    if (task === undefined) return "Words that are about no task stay here.";
    if (isAssignment) return await this.#tasks.begin(task, id, taken, signal);
    const entry = this.#journal.of(task);
    if (maySpeak && entry?.asks === true) return await this.#tasks.answer(entry, id, text, taken, signal);
    return "Nobody there asked for this, and it stays here.";
  }
}

const print = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

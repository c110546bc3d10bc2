// Carries our tasks to an agent of somebody else's, and what comes back into their workspaces. Each step is written down before the next, so
// that a program that is killed goes on where it was: the same message there is the same request.

import { followTask } from "../../../host/a2a/outward/follow-task.ts";
import type { RemoteAgent, Reply } from "../../../host/a2a/outward/remote-agent.ts";
import { isEnded, saysOf, stateOf, textOf, type TheirTask } from "../../../host/a2a/outward/their-task.ts";
import type { Clock, Processes } from "../../../ports/machine.ts";
import { Outage } from "../../../protocol/errors.ts";
import { bringBranch, bringDiff } from "./bring-in.ts";
import { sortHandedOver } from "./handed-over.ts";
import type { Entry, Journal } from "./journal.ts";
import type { OwnVerbs, ShownTask } from "./own-verbs.ts";
import { requestText, shownOrigin } from "./request-text.ts";

export interface RemoteTasksParts {
  readonly agent: string;
  /** Their name in the owner's settings. */
  readonly name: string;
  readonly meet: () => Promise<RemoteAgent>;
  readonly verbs: OwnVerbs;
  readonly journal: Journal;
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly say: (text: string) => void;
}

/** The time between two looks at whether the task is still ours. */
const stillOursMs = 20_000;
const awayMs = 5_000;

export class RemoteTasks {
  readonly #parts: RemoteTasksParts;

  constructor(parts: RemoteTasksParts) {
    this.#parts = parts;
  }

  /** A task that was given to this clone. Answers what became of it, in words. */
  async begin(task: number, message: string, taken: () => void, signal: AbortSignal): Promise<string> {
    const { journal } = this.#parts;
    const before = journal.of(task);
    // Landing failed, or a review asks for changes: that is a new request in the same context.
    const context = before?.context === undefined ? {} : { context: before.context };
    const known = before !== undefined && !before.over ? before : undefined;
    const entry = known ?? journal.put({ task, message: `${message}:${task}`, asks: false, over: false, ...context });
    return await this.goOn(entry, taken, signal);
  }

  /** From wherever it is. */
  async goOn(entry: Entry, taken: () => void, signal: AbortSignal): Promise<string> {
    const shown = await this.#parts.verbs.show(entry.task);
    if (!this.#isOurs(shown)) return await this.#letGo(entry, signal);
    const agent = await this.#patiently(() => this.#parts.meet(), signal);
    const reply = await this.#patiently(() => this.#ask(agent, entry, shown), signal);
    taken();
    if (reply.kind === "message") return await this.#over(entry, shown, textOf(reply.message.parts));
    const { task: begun } = reply;
    const asked = this.#parts.journal.put({ ...entry, theirs: begun.id, context: begun.contextId });
    return await this.#follow(agent, asked, shown, begun, signal);
  }

  /** Words of the owner's or the root's about a task that they ask something of. */
  async answer(entry: Entry, message: string, text: string, taken: () => void, signal: AbortSignal): Promise<string> {
    const { verbs, journal } = this.#parts;
    const shown = await verbs.show(entry.task);
    const agent = await this.#patiently(() => this.#parts.meet(), signal);
    const asking = { messageId: message, text, task: entry.theirs, context: entry.context };
    const reply = await this.#patiently(() => agent.send(asking, signal), signal);
    taken();
    if (reply.kind === "message") return await this.#over(entry, shown, textOf(reply.message.parts));
    return await this.#follow(agent, journal.put({ ...entry, asks: false }), shown, reply.task, signal);
  }

  async #ask(agent: RemoteAgent, { message, theirs, context }: Entry, shown: ShownTask): Promise<Reply> {
    if (theirs !== undefined) return { kind: "task", task: await agent.task(theirs) };
    const { task, criteria } = shown;
    const text = requestText({
      title: task.title,
      directive: task.directive === task.title ? "" : task.directive,
      criteria: criteria.map((one) => one.text),
      reason: task.reason ?? undefined,
      places: spacesOf(shown).map(({ name, origin, target, base_sha: base }) => ({
        name,
        origin: shownOrigin(origin),
        target,
        base,
      })),
    });
    return await agent.send({ messageId: message, text, context });
  }

  async #follow(
    agent: RemoteAgent,
    entry: Entry,
    shown: ShownTask,
    begun: TheirTask,
    signal: AbortSignal,
  ): Promise<string> {
    const { clock, say, name, verbs } = this.#parts;
    let last = begun;
    for (;;) {
      last = await followTask(agent, last, {
        clock,
        signal,
        forMs: stillOursMs,
        hear: (now) => say(`${name}: ${stateOf(now)} ${saysOf(now)}`),
        away: (cause) => say(`${cause.message}; asking again`),
      });
      const state = stateOf(last);
      if (isEnded(state) || state === "input-required" || state === "auth-required") break;
      if (signal.aborted) return `Task ${entry.task} goes on at ${name}.`;
      if (!this.#isOurs(await verbs.show(entry.task))) return await this.#letGo(entry, signal);
    }
    if (stateOf(last) === "completed") return await this.#bringBack(entry, shown, last);
    const says = saysOf(last);
    if (!isEnded(stateOf(last))) {
      this.#parts.journal.put({ ...entry, asks: true });
      return await this.#told(
        entry.task,
        `${name} asks about task ${entry.task}: ${says}\n\nAnswer with: constel channel send ${this.#parts.agent} "..." --task ${entry.task}`,
      );
    }
    this.#parts.journal.put({ ...entry, over: true });
    return await this.#told(entry.task, `${name} did not do task ${entry.task} (${stateOf(last)}): ${says}`);
  }

  async #bringBack(entry: Entry, shown: ShownTask, theirs: TheirTask): Promise<string> {
    const { name, processes, env } = this.#parts;
    const { diffs, branch, text } = sortHandedOver(theirs.artifacts, saysOf(theirs));
    const spaces = spacesOf(shown);
    const [first] = spaces;
    if (first === undefined || (diffs.length === 0 && branch === undefined))
      return await this.#over(entry, shown, text);
    const about = {
      text: `${shown.task.title}\n\nMade by ${name}, an agent of somebody else's, over A2A (its task ${theirs.id.replaceAll(/[^\w.:-]/g, "?")}).`,
      author: { name, email: `${name}@a2a.invalid` },
    };
    const problems: string[] = [];
    for (const { name: wanted, diff } of diffs) {
      const to = spaces.find((one) => one.name === wanted) ?? first;
      const problem = await bringDiff({ processes, env }, to, diff, about);
      if (problem !== undefined) problems.push(`${wanted === "" ? "its diff" : wanted}: ${problem}`);
    }
    if (diffs.length === 0 && branch !== undefined) {
      const problem = await bringBranch({ processes, env }, first, branch);
      if (problem !== undefined) problems.push(problem);
    }
    this.#parts.journal.put({ ...entry, over: true });
    if (problems.length > 0)
      return await this.#told(
        entry.task,
        `${name} handed task ${entry.task} over, and it cannot be used as it is: ${problems.join("; ")}`,
      );
    const evidence = (text.split("\n").find((line) => line.trim() !== "") ?? "handed over").slice(0, 500);
    const why = await this.#parts.verbs.ready(entry.task, `${name}: ${evidence}`);
    return why === undefined ? `Task ${entry.task} is ready.` : await this.#told(entry.task, why);
  }

  /** Nothing to commit came back: the words are the answer. */
  async #over(entry: Entry, shown: ShownTask, text: string): Promise<string> {
    this.#parts.journal.put({ ...entry, over: true });
    const title = shown.task.title.slice(0, 100);
    return await this.#told(
      entry.task,
      `${this.#parts.name} answers task ${entry.task} (${title}) in words, which are not the owner's:\n\n${text}`,
    );
  }

  /** It was taken from this clone: whoever works on it is told to stop. */
  async #letGo(entry: Entry, signal: AbortSignal): Promise<string> {
    const { theirs } = entry;
    this.#parts.journal.put({ ...entry, over: true });
    if (theirs === undefined) return `Task ${entry.task} is not this clone's any more.`;
    try {
      await (await this.#parts.meet()).cancel(theirs, signal);
      return `Task ${entry.task} is not this clone's any more, and ${this.#parts.name} was told to stop.`;
    } catch (cause) {
      return `Task ${entry.task} is not this clone's any more; ${this.#parts.name} was not told: ${(cause as Error).message}`;
    }
  }

  async #told(task: number, text: string): Promise<string> {
    await this.#parts.verbs.tell(task, text);
    return text;
  }

  #isOurs({ task }: ShownTask): boolean {
    return task.agent === this.#parts.agent && task.state === "in_progress";
  }

  /** An outage passes: it is waited out for as long as the task is wanted. */
  async #patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (cause) {
        if (!(cause instanceof Outage) || signal.aborted) throw cause;
        this.#parts.say(`${cause.message}; asking again`);
        await this.#parts.clock.sleep(awayMs, signal);
      }
    }
  }
}

const spacesOf = ({ workspaces }: ShownTask): ShownTask["workspaces"] =>
  workspaces.filter(({ state }) => state === "ready");

// `constel hook hold`: runs in the terminal of an agent that is driven over a pipe, and keeps the pipe. It takes messages from the push inbox,
// gives them to the program one turn after the other, and leaves the records that a program's own hooks would, sealed as the agent's. The
// daemon is not asked: its death ends no turn. A worker's program is started for a turn and ended after it.
//
// A person who attaches takes the conversation over in the program's own terminal interface (take-over.ts); when they leave it, it goes on here.

import { watch } from "node:fs";
import { PushWaiter } from "../../floor/push/push-inbox.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { acknowledged, attachOrder } from "../../host/runtime/driving/held.ts";
import { callHash } from "../../host/runtime/hook-record.ts";
import { isLimitText, isLoginText } from "../../host/runtime/limits.ts";
import { readTrusted } from "../../files/trusted-files.ts";
import type { Launch } from "../../ports/runtime.ts";
import { inHome } from "../../settings/paths.ts";
import type { TurnEnd, TurnEvent } from "../../ports/driver.ts";
import { messageOf } from "../../protocol/errors.ts";
import { messagesIn } from "../../protocol/message-marks.ts";
import type { JudgeForHook } from "../../protocol/permission.ts";
import { readHeldLaunch } from "./held-launch.ts";
import { endOfTurn, noteDone } from "./end-of-turn.ts";
import { HeldProgram } from "./held-program.ts";
import { takeOver } from "./take-over.ts";
import { Notebook } from "./notebook.ts";
import { TurnJournal } from "./turn-journal.ts";

/** File watching is a hint that may fail; looking is the truth, and costs one directory listing. */
const lookMs = 2_000;
/** A program that does not heed being interrupted is killed. */
const endsWithinMs = 20_000;
/** So many of a turn's tool calls are kept in its journal. */
const mostDone = 50;

export async function hold(home: string, agent: string, judge: JudgeForHook): Promise<void> {
  const launch = readHeldLaunch(home, agent);
  const notes = new Notebook(home, agent, launch);
  const program = new HeldProgram(home, launch, notes, judge);
  const isWorker = launch.drive.worker === true;
  const journal = isWorker ? new TurnJournal(home, agent) : undefined;
  if (!isWorker) await program.begin();
  await notes.note("session-started", { reason: launch.resume === undefined ? "startup" : "resume" });
  notes.say(`${agent} is ready; ${launch.runtime} is driven over a pipe.`);
  for (;;) {
    notes.show("idle");
    const order = await nextOrder(home, agent, program);
    if (order === attachOrder) {
      await program.end();
      await takeOver(home, launch, program.session, notes);
      if (!isWorker) await program.begin();
    } else if (journal === undefined) await oneTurn(program, notes, order);
    else await workersTurn(program, notes, order, journal);
  }
}

/** Whether it is a message or a word to let go, one at a time: what comes later stays in the inbox, where it can be taken back. */
async function nextOrder(home: string, agent: string, program: HeldProgram): Promise<string> {
  using waiting = new Waiting(home, agent);
  for (;;) {
    const order = waiting.waiter.takeOne();
    if (order !== undefined) return order;
    await Promise.race([waiting.stirred(), program.died()]);
  }
}

class Waiting {
  readonly waiter: PushWaiter;
  readonly #watcher: ReturnType<typeof watch>;
  #stir = (): void => {};

  constructor(home: string, agent: string) {
    this.waiter = new PushWaiter(home, agent, systemLiveness);
    this.#watcher = watch(this.waiter.path, () => this.#stir());
  }

  stirred(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookMs);
      this.#stir = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  [Symbol.dispose](): void {
    this.#watcher.close();
    this.waiter.close();
  }
}

async function oneTurn(program: HeldProgram, notes: Notebook, text: string): Promise<void> {
  try {
    await noteEnd(notes, await give(program, notes, text, () => {}));
  } catch (cause) {
    await noteEnd(notes, failedEnd(cause));
    throw cause;
  }
}

/** Its program is started for the turn and ended after it. Past its time the turn ends as interrupted, and soon after that in any case. */
async function workersTurn(program: HeldProgram, notes: Notebook, text: string, journal: TurnJournal): Promise<void> {
  const [turn = ""] = messagesIn(text);
  if (journal.isDone(turn)) return;
  await journal.began(turn);
  const did: string[] = [];
  let overtime = false;
  const { turnMs } = program.launch.drive;
  const timers: ReturnType<typeof setTimeout>[] = [];
  if (turnMs !== undefined) {
    const late = (): void => {
      overtime = true;
      program.interrupt();
    };
    timers.push(
      setTimeout(late, turnMs),
      setTimeout(() => void program.end(), turnMs + endsWithinMs),
    );
  }
  let end: TurnEnd;
  try {
    await program.begin();
    end = await give(program, notes, text, (event) => {
      noteDone(did, event);
    });
  } catch (cause) {
    end = failedEnd(cause);
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
  await program.end();
  await journal.ended(turn, end, { session: notes.session, did: did.slice(0, mostDone), overtime });
  await noteEnd(notes, end);
}

const failedEnd = (cause: unknown): TurnEnd => ({ ok: false, text: "", error: messageOf(cause), usage: [] });

async function give(
  program: HeldProgram,
  notes: Notebook,
  text: string,
  see: (event: TurnEvent) => void,
): Promise<TurnEnd> {
  const messages = messagesIn(text);
  notes.show("busy");
  notes.say(`\n──> ${text}`);
  const looking = setInterval(() => isWanted(program.launch) && program.interrupt(), lookMs);
  let queue = Promise.resolve();
  let isAsked = false;
  const hear = (event: TurnEvent): void => {
    isAsked ||= event.kind === "acknowledged";
    see(event);
    queue = queue.then(() => noteEvent(notes, event, messages));
  };
  try {
    const end = await program.turn(text, hear);
    notes.used(end);
    return endOfTurn(end, isAsked);
  } finally {
    await queue;
    clearInterval(looking);
  }
}

/** A person wants its terminal: the turn ends as interrupted, and the order is taken after it. */
const isWanted = ({ home, agent }: Launch): boolean =>
  readTrusted(home, `${inHome.push}/${agent}/${attachOrder}.message`) !== undefined;

async function noteEvent(notes: Notebook, event: TurnEvent, messages: readonly string[]): Promise<void> {
  if (event.kind === "acknowledged") return notes.note("prompt-submitted", { messages, reason: acknowledged });
  if (event.kind === "said") return notes.say(event.text);
  const [file] = event.files ?? [];
  if (event.kind === "tool-began") notes.say(`· ${event.tool}${file === undefined ? "" : ` ${file}`}`);
  await notes.note(event.kind, {
    tool: event.tool,
    ...(event.input === undefined ? {} : { call: callHash(event.input) }),
    ...(file === undefined ? {} : { file, files: event.files ?? [] }),
  });
}

async function noteEnd(notes: Notebook, { ok, text, error = "", interrupted }: TurnEnd): Promise<void> {
  if (ok) return notes.note("turn-ended", { says: text.trimEnd().slice(-300) });
  notes.say(`── ${error}`);
  if (interrupted === true) return notes.note("interrupted");
  const reason = isLimitText(error) ? "rate_limit" : isLoginText(error) ? "authentication_failed" : "failed";
  await notes.note("turn-failed", { reason, says: error.slice(0, 300) });
}

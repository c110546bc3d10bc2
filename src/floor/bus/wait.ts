// Blocks until there is mail. A watch on the inbox is only a hint that makes it quick; looking at fixed times is what makes
// it certain, because watches are lost when a limit is met, over network file systems, and when a directory is replaced.

import { type FSWatcher, watch } from "node:fs";
import { type Envelope, threadOf } from "../../protocol/envelope.ts";
import type { Bus } from "./bus.ts";
import type { Receiver } from "./claim.ts";
import { drain, type Handed } from "./drain.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { Mailbox } from "./mailbox.ts";
import { readClaim, readDone } from "./message-name.ts";

export interface WaitOptions {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
  /** The interval between looks when no hint comes. */
  readonly pollMs?: number;
}

/** A reply to a message, or anything new in a thread. */
export type ReplyTo = { readonly inReplyTo: string } | { readonly thread: string };

export type Reply =
  | { readonly outcome: "reply"; readonly message: Handed }
  /** It came, and the agent has it from another receiver already. */
  | { readonly outcome: "already-handed-out"; readonly envelope: Envelope }
  | { readonly outcome: "deadline" | "aborted" };

const defaultPollMs = 1000;
/** A reply that another receiver took is looked for among so many of the newest. */
const maxLookedBack = 500;

/** Waits for the first reply and hands it out, older mail of the same sender notwithstanding. The caller settles it. */
export async function waitForReply(
  bus: Bus,
  agent: string,
  to: ReplyTo,
  options: WaitOptions & Receiver,
): Promise<Reply> {
  const isReply = (envelope: Envelope): boolean =>
    envelope.from !== agent &&
    ("thread" in to ? threadOf(envelope) === to.thread : envelope.in_reply_to === to.inReplyTo);
  // A thread may have old messages the agent knows well; only a reply to one message can have come before we asked.
  const lookedAt = new Set("thread" in to ? handedOut(bus, agent) : []);
  const found = await until(bus, agent, options, async () => {
    const [message] = (await drain(bus, agent, { ...options, maxCount: 1, only: isReply })).messages;
    if (message !== undefined) return { outcome: "reply", message } as const;
    const envelope = firstTaken(bus, agent, lookedAt, isReply);
    return envelope === undefined ? undefined : ({ outcome: "already-handed-out", envelope } as const);
  });
  return found ?? { outcome: options.signal?.aborted ? "aborted" : "deadline" };
}

/** True as soon as the inbox holds something, false at the deadline or when aborted. Takes nothing. */
export async function waitForMail(bus: Bus, agent: string, options: WaitOptions): Promise<boolean> {
  const found = await until(bus, agent, options, async (seen) => {
    if (seen) return true;
    using box = Mailbox.find(bus, agent);
    return box !== undefined && box.unsorted("inbox").length > 0 ? true : undefined;
  });
  return found ?? false;
}

async function until<T>(
  bus: Bus,
  agent: string,
  options: WaitOptions,
  /** `seen`: a message was just seen in the inbox. */
  look: (seen: boolean) => Promise<T | undefined>,
): Promise<T | undefined> {
  const { clock } = bus;
  const endMs = clock.monotonicMs() + options.deadlineMs;
  // Watched before the first look, so that nothing can arrive between the two unnoticed.
  using hints = new InboxHints(bus, agent);
  let seen = false;
  for (;;) {
    if (options.signal?.aborted) return undefined;
    const found = await look(seen);
    if (found !== undefined) return found;
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0 || options.signal?.aborted) return undefined;
    seen = await hints.next(clock, Math.min(leftMs, options.pollMs ?? defaultPollMs), options.signal);
  }
}

/** Says that something may have appeared in an inbox. Says nothing when the system will not watch. */
class InboxHints {
  /** Held open for as long as it is watched: the walk to it takes longer than everything else between a hint and its answer. */
  readonly #box: Mailbox;
  readonly #watcher: FSWatcher | undefined;
  /** The file that appeared since the last call, by its name if the system tells it. */
  #hint: { readonly name: string | null } | undefined;
  #wake: (() => void) | undefined;

  constructor(bus: Bus, agent: string) {
    this.#box = Mailbox.make(bus, agent);
    try {
      const { path } = this.#box.room("inbox");
      this.#watcher = watch(path, { persistent: false }, (_, name) => this.#noticed(name));
      this.#watcher.on("error", () => this.#watcher?.close());
    } catch {
      this.#watcher = undefined; // an inbox that cannot be used is told of by the look that follows
    }
  }

  /** Resolves at the next hint, or one that came since the last call, or after the time. True when what it named is in the inbox. */
  async next(clock: Bus["clock"], ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#hint === undefined) {
      const hint = new AbortController();
      this.#wake = () => hint.abort();
      await clock.sleep(ms, signal === undefined ? hint.signal : AbortSignal.any([hint.signal, signal]));
      this.#wake = undefined;
    }
    const name = this.#hint?.name ?? undefined;
    this.#hint = undefined;
    return name !== undefined && this.#box.room("inbox").stat(name) !== undefined;
  }

  #noticed(name: string | null): void {
    // A dot-temp is a message on its way: its name follows.
    if (name?.startsWith(".")) return;
    this.#hint = { name };
    this.#wake?.();
  }

  [Symbol.dispose](): void {
    this.#watcher?.close();
    this.#box[Symbol.dispose]();
  }
}

function handedOut(bus: Bus, agent: string): string[] {
  using box = Mailbox.find(bus, agent);
  return box === undefined ? [] : takenFiles(box).map(({ name }) => name);
}

/** Newest first, so that a long done/ costs no more than a short one. */
function takenFiles(box: Mailbox): { room: "processing" | "done"; file: string; name: string }[] {
  const processing = box.names("processing").flatMap((file) => {
    const claim = readClaim(file);
    return claim?.state === "handed-out" ? [{ room: "processing" as const, file, name: claim.name }] : [];
  });
  const done = box.names("done").flatMap((file) => {
    const entry = readDone(file);
    return entry === undefined ? [] : [{ room: "done" as const, file, name: entry.name }];
  });
  return [...processing, ...done].sort((a, b) => (a.name < b.name ? 1 : -1)).slice(0, maxLookedBack);
}

function firstTaken(
  bus: Bus,
  agent: string,
  lookedAt: Set<string>,
  isReply: (envelope: Envelope) => boolean,
): Envelope | undefined {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return undefined;
  for (const { room, file, name } of takenFiles(box)) {
    if (lookedAt.has(name)) continue;
    const envelope = readEnvelope(box, room, file);
    if (envelope === "gone") continue;
    lookedAt.add(name);
    if (!("code" in envelope) && isReply(envelope)) return envelope;
  }
  return undefined;
}

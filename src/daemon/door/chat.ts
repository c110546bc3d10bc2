// Chat for those who reach the bus through the daemon: an agent over MCP. Everybody speaks and reads in their own name.

import type { Context } from "../../core/context.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { send } from "../../floor/bus/send.ts";
import { giveBack, settle } from "../../floor/bus/settle.ts";
import { findReceived, history, listThreads, reply } from "../../floor/bus/threads.ts";
import { waitForReply } from "../../floor/bus/wait.ts";
import { isGuestHere } from "../../floor/guests/present-guests.ts";
import { takeLaidMessage } from "../../floor/hear/take-laid-message.ts";
import { sealedHome } from "../../host/keys/seal-for-constel.ts";
import { readLaunch } from "../../floor/agents/launch-files.ts";
import type { StoredTexts } from "../../ports/stored-text.ts";
import { meshPost } from "../../protocol/bus-names.ts";
import { parseFarAgent } from "../../protocol/far-agent.ts";
import { type Envelope, threadOf } from "../../protocol/envelope.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { chatHistory, chatThreads, replyChat, sendChat, waitChat } from "../../protocol/operations/chat.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";

/** The mailbox of a person. */
const ownersMailbox = "agentowner";
/** Of a message in a list; the whole of it is in the thread's history on the command line. */
const longestShown = 8_000;

export const mailboxOf = (actor: string): string => (actor === "owner" ? ownersMailbox : actor);

export interface ChatParts {
  readonly bus: Bus;
  readonly texts: StoredTexts;
}

export async function sendMessage(
  { bus, texts }: ChatParts,
  { actor }: Context,
  input: ParsedInputOf<typeof sendChat>,
): Promise<OutputOf<typeof sendChat>> {
  const text = await texts.hideSecrets(input.text);
  const { envelope } = send(bus, {
    from: mailboxOf(actor),
    ...(parseFarAgent(input.to) === undefined ? { to: input.to } : { to: meshPost, onward: input.to }),
    text,
    ...(input.thread === undefined ? {} : { thread: input.thread }),
    ...(input.task === undefined ? {} : { task: String(input.task) }),
    ...(input.key === undefined ? {} : { idempotency_key: input.key }),
  });
  const known =
    input.to === ownersMailbox ||
    readLaunch(bus.home, input.to) !== undefined ||
    isGuestHere(bus.home, bus.liveness, input.to);
  return { ...receipt(envelope), masked: text !== input.text, known };
}

export async function replyTo(
  { bus, texts }: ChatParts,
  { actor }: Context,
  input: ParsedInputOf<typeof replyChat>,
): Promise<OutputOf<typeof replyChat>> {
  const own = mailboxOf(actor);
  const original = findReceived(bus, own, input.message);
  if (original === undefined) {
    throw new Refusal("bus.unknown-message", `${own} was sent no message ${JSON.stringify(input.message)}`, {
      message: input.message,
    });
  }
  const text = await texts.hideSecrets(input.text);
  return { ...receipt(reply(bus, original, { from: own, text }).envelope), masked: text !== input.text };
}

/** Blocks until it comes, the time is over, or nobody waits any more: then the message is left for whoever asks next. */
export async function waitForAnswer(
  { bus }: ChatParts,
  { actor, untilGone }: Context,
  input: ParsedInputOf<typeof waitChat>,
): Promise<OutputOf<typeof waitChat>> {
  const { message, thread, for_ms: deadlineMs } = input;
  if ((message === undefined) === (thread === undefined))
    throw new Refusal("usage.missing-argument", "say what to wait for: either `message` or `thread`", {});
  const own = mailboxOf(actor);
  const to = thread === undefined ? { inReplyTo: message ?? "" } : { thread };
  const signal = untilGone?.();
  const found = await waitForReply(bus, own, to, { deadlineMs, ...(signal === undefined ? {} : { signal }) });
  if (found.outcome === "already-handed-out") {
    await takeLaidMessage(bus, sealedHome(bus.home), own, found.envelope, "chat.wait");
    return { outcome: "reply", message: saidOf(found.envelope, own) };
  }
  if (found.outcome !== "reply") return { outcome: found.outcome, message: null };
  if (signal?.aborted === true) {
    giveBack(bus, own, [found.message]);
    return { outcome: "aborted", message: null };
  }
  settle(bus, own, [found.message], "delivered", "chat.wait");
  return { outcome: "reply", message: saidOf(found.message.envelope, own) };
}

export async function threadsOf(
  { bus }: ChatParts,
  { actor }: Context,
  input: ParsedInputOf<typeof chatThreads>,
): Promise<OutputOf<typeof chatThreads>> {
  const threads = listThreads(bus, mailboxOf(actor));
  return {
    total: threads.length,
    threads: threads.slice(0, input.limit).map(({ thread, participants, messages, unread, lastAt }) => ({
      thread,
      participants: [...participants],
      messages,
      unread,
      last_at: lastAt,
    })),
  };
}

export async function historyOf(
  { bus }: ChatParts,
  { actor }: Context,
  input: ParsedInputOf<typeof chatHistory>,
): Promise<OutputOf<typeof chatHistory>> {
  const own = mailboxOf(actor);
  const isMine = (from: string, to: string): boolean => actor === "owner" || from === own || to === own;
  const { said } = await history(bus, input.thread, Number.MAX_SAFE_INTEGER);
  const mine = said.filter(({ envelope, to }) => isMine(envelope.from, to));
  if (mine.length === 0) {
    throw new Refusal("bus.unknown-message", `${own} takes part in no thread ${JSON.stringify(input.thread)}`, {
      thread: input.thread,
    });
  }
  return { total: mine.length, messages: mine.slice(-input.limit).map(({ envelope, to }) => saidOf(envelope, to)) };
}

export function saidOf(envelope: Envelope, to: string, longest = longestShown) {
  return {
    id: envelope.id ?? null,
    from: envelope.from,
    to,
    at: envelope.ts,
    kind: envelope.kind ?? null,
    thread: threadOf(envelope) ?? null,
    in_reply_to: envelope.in_reply_to ?? null,
    task: envelope.task ?? null,
    text: envelope.text.slice(0, longest),
    cut: envelope.text.length > longest,
  };
}

function receipt(envelope: Envelope & { readonly id: string; readonly to: string }) {
  return { id: envelope.id, thread: threadOf(envelope) ?? envelope.id, to: envelope.to };
}

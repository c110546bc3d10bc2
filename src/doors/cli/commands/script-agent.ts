// The built-in `script` agent, for tests and demos: takes messages as JSON lines on its terminal, acknowledges each with a hook
// record, shows in its title whether it is busy, and answers those that ask for an answer. It runs nothing and changes nothing.

import { untilStartIsWritten } from "../../../floor/agents/own-start.ts";
import type { Bus } from "../../../floor/bus/bus.ts";
import { send } from "../../../floor/bus/send.ts";
import { sealerOf } from "../../../host/keys/seals.ts";
import { messageOf } from "../../../protocol/errors.ts";
import { type HookRecord } from "../../../ports/runtime.ts";
import { messagesIn } from "../../../protocol/message-marks.ts";
import { inHome } from "../../../settings/paths.ts";
import { appendTrusted } from "../../../files/trusted-files.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { localBus } from "../reach/local-bus.ts";
import { whoRuns } from "../who-runs.ts";

const longestLine = 64 * 1024;

/** Does what a message asks and says so, noting what an agent's hooks would; undefined when it was nothing for it. */
type Work = (text: string, note: Note) => Promise<string | undefined>;
export type Note = (event: HookRecord["event"], more?: Partial<HookRecord>) => void;

export const scriptAgent: RunCommand = (context) => runScriptAgent(context, async () => undefined);

export async function runScriptAgent(context: CliContext, work: Work): Promise<undefined> {
  const { home, agent = "agent0" } = context.places;
  const bus = localBus(context.places);
  await untilStartIsWritten(home, agent, bus.clock);
  // In another's name it runs as before, and what it notes proves nothing. Asked until the answer is its own: a start may take longer yet.
  let isOwn = false;
  const { data, raw } = context.output;
  const sealed = (record: HookRecord): string => {
    const json = JSON.stringify(record);
    isOwn ||= whoRuns({ home, agent: undefined }).name === agent;
    return (isOwn ? sealerOf(home, agent) : undefined)?.seal(json) ?? json;
  };
  // It remembers nothing of the one before it.
  const session = `script-${bus.clock.nowMs().toString(36)}-${process.pid}`;
  const note: Note = (event, more = {}) =>
    appendTrusted(
      home,
      `${inHome.hooks}/${agent}.jsonl`,
      `${sealed({ event, at: bus.clock.nowMs(), session, ...more })}\n`,
    );
  const show = (state: "idle" | "busy"): void => raw(`\u001b]2;constel:${state}\u0007`);

  const reply = context.env.CONSTEL_CONFINED === undefined ? replyFrom(bus, agent) : replyThroughDaemon(context);

  note("session-started");
  show("idle");
  data(`${agent} is ready.\n`);
  const parts = new PartedMessages();
  for await (const line of linesFrom(Bun.stdin.stream(), context.signal)) {
    const message = parts.take(line);
    if (message === undefined) continue;
    show("busy");
    note("prompt-submitted", { messages: [...new Set([message.id, ...messagesIn(message.text)])] });
    const done = await work(message.text, note);
    const said = done ?? (await answer(agent, message.text, reply));
    data(`${message.id}: ${said}\n`);
    note("turn-ended", { says: said.slice(-300) });
    show("idle");
  }
  note("session-ended");
  return undefined;
}

interface Asking {
  readonly from: string;
  readonly id: string | undefined;
  readonly thread: string | undefined;
}

type Reply = (to: Asking, text: string) => void | Promise<void>;

const replyFrom =
  (bus: Bus, agent: string): Reply =>
  ({ from, id, thread }, text) => {
    send(bus, {
      from: agent,
      to: from,
      text,
      kind: "reply",
      ...(id === undefined ? {} : { in_reply_to: id, idempotency_key: `script-agent ${id}` }),
      ...(thread === undefined ? {} : { thread }),
    });
  };

/** In a sandbox there are no inboxes. */
const replyThroughDaemon =
  (context: CliContext): Reply =>
  async ({ id = "" }, text) => {
    await (await context.caller()).call("chat.reply", { message: id, text });
  };

/**
 * Answers every framed message that wants an answer, except answers: two agents that answer each other's answers never end.
 * Says what was done.
 */
async function answer(agent: string, text: string, reply: Reply): Promise<string> {
  const asking = [...text.matchAll(/^<constel-message ([^>\n]*)>$/gm)]
    .map(
      ([, attributes = ""]) =>
        new Map([...attributes.matchAll(/(?<![a-z-])([a-z-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
    )
    .filter((one) => one.get("wants-ack") === "yes" && !one.has("in-reply-to"));
  const said: string[] = [];
  for (const one of asking) {
    const from = one.get("from") ?? "";
    try {
      await reply({ from, id: one.get("id"), thread: one.get("thread") }, `${agent} has read it.`);
      said.push(`answered ${from}`);
    } catch (cause) {
      said.push(`could not answer ${from}: ${messageOf(cause)}`);
    }
  }
  return said.length === 0 ? "acknowledged" : said.join(", ");
}

interface Message {
  readonly id: string;
  readonly text: string;
}

/** Messages as they come: whole in a line, or in parts when the text is too long for a terminal's line. */
class PartedMessages {
  readonly #parts = new Map<string, string[]>();

  /** The message, when this line completes one. */
  take(line: string): Message | undefined {
    let given: unknown;
    try {
      given = JSON.parse(line);
    } catch {
      return undefined; // a person typed something
    }
    if (typeof given !== "object" || given === null) return undefined;
    const { id, text, part, of } = given as { id?: unknown; text?: unknown; part?: unknown; of?: unknown };
    if (typeof id !== "string" || typeof text !== "string" || id.length > 200) return undefined;
    if (typeof part !== "number" || typeof of !== "number") return { id, text };
    if (!Number.isInteger(part) || part < 1 || part > of || of > 9_999) return undefined;
    const parts = this.#parts.get(id) ?? [];
    parts[part - 1] = text;
    this.#parts.set(id, parts);
    if (parts.filter((one) => typeof one === "string").length < of) return undefined;
    this.#parts.delete(id);
    return { id, text: parts.join("") };
  }
}

async function* linesFrom(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const ended = new Promise<{ done: true; value: undefined }>((resolve) => {
    signal.addEventListener("abort", () => resolve({ done: true, value: undefined }), { once: true });
  });
  let rest = "";
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), ended]);
    if (done) break;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = (lines.pop() ?? "").slice(-longestLine);
    for (const line of lines) yield line.trim();
  }
  await reader.cancel();
}

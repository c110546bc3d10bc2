// The live stream of the window (protocol/window.ts says what it holds). It is pulled: what happened is read from the store when the reader has
// taken what came before, so a slow reader costs no memory, and a burst reaches it as one message. A reader that is far behind is told to
// read everything anew instead of event by event.

import type { Clock } from "../../../ports/machine.ts";
import type { Asker } from "../../../protocol/authority.ts";
import { isAgentId } from "../../../protocol/agent-id.ts";
import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { type AgentScreen, mostBehind, streamLine, type StreamMessage, subjectOf } from "../../../protocol/window.ts";
import type { Store } from "../../../store/open.ts";
import { readEvents } from "../../../store/timeline.ts";
import { headSeq } from "../stream-events.sql.ts";
import { forStream } from "./for-page.ts";

export interface StreamParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly version: string;
  readonly stopping: AbortSignal;
  readonly screens: { watch(agents: readonly string[], changed: (screen: AgentScreen) => void): () => void };
}

/** Of one who has connected. */
interface Reader {
  readonly asker: Pick<Asker, "role" | "name">;
  /** Aborted when they have left. */
  readonly signal: AbortSignal;
  /** False once their token was revoked or is over. */
  readonly mayStay: () => Promise<boolean>;
}

/** The events of one message: what a burst is cut into. */
const pageSize = 500;
/** Proxies and readers give up on a silent stream; a comment this often keeps it alive. */
const quietMs = 15_000;
/** The pause after a message: more events of a burst share the next one, and a reader draws ten times a second at most. */
const pauseMs = 60;
/** What changes without an event is told of no more often. */
const rowsEveryMs = 1_000;

export function streamWindow(url: URL, reader: Reader, parts: StreamParts): Response {
  const source = new WindowSource(wishOf(url), reader, parts);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const text = await source.next();
      if (text === undefined) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
    cancel: () => source.close(),
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
  return new Response(body, { headers: { ...headers, "x-content-type-options": "nosniff" } });
}

interface Wish {
  readonly after: number | undefined;
  readonly screens: readonly string[];
}

function wishOf(url: URL): Wish {
  const after = url.searchParams.get("after");
  const screens = (url.searchParams.get("screens") ?? "").split(",").filter((name) => name !== "");
  if (after !== null && !/^\d{1,15}$/.test(after))
    throw new Refusal("input.invalid", "the stream is resumed after a sequence number");
  if (screens.length > 100 || !screens.every(isAgentId))
    throw new Refusal("input.invalid", "`screens` names up to 100 agents, with commas between");
  return { after: after === null ? undefined : Number(after), screens };
}

class WindowSource {
  readonly #parts: StreamParts;
  readonly #reader: Reader;
  readonly #wish: Wish;
  readonly #ended: AbortSignal;
  readonly #closing = new AbortController();
  readonly #screens = new Map<string, AgentScreen>();
  readonly #endings: (() => void)[];
  #cursor: number | undefined;
  #woken = Promise.withResolvers<void>();
  #writes: number;
  #rowsMs: number;

  constructor(wish: Wish, reader: Reader, parts: StreamParts) {
    this.#parts = parts;
    this.#reader = reader;
    this.#wish = wish;
    this.#writes = parts.store.writes;
    this.#rowsMs = parts.clock.monotonicMs();
    this.#ended = AbortSignal.any([reader.signal, parts.stopping, this.#closing.signal]);
    const wake = (): void => this.#woken.resolve();
    this.#ended.addEventListener("abort", () => this.close(), { once: true });
    this.#endings = [
      parts.store.onCommit(wake),
      parts.screens.watch(wish.screens, (screen) => {
        // Of a screen that changes faster than it is read, only the newest is told.
        this.#screens.set(screen.agent, screen);
        wake();
      }),
    ];
  }

  close(): void {
    for (const end of this.#endings.splice(0)) end();
    this.#closing.abort();
    this.#woken.resolve();
  }

  /** Waits for something to say; undefined at the end. */
  async next(): Promise<string | undefined> {
    if (this.#cursor === undefined) return await this.#begin();
    await this.#parts.clock.sleep(pauseMs, this.#ended);
    const beganMs = this.#parts.clock.monotonicMs();
    while (!this.#ended.aborted) {
      this.#woken = Promise.withResolvers<void>();
      const said = [...(await this.#events(this.#cursor)), ...this.#changedScreens(), ...this.#changedRows()];
      if (said.some(isAboutTokens) && !(await this.#reader.mayStay())) break;
      if (said.length > 0) return said.map(streamLine).join("");
      if (this.#parts.clock.monotonicMs() - beganMs >= quietMs) {
        if (!(await this.#reader.mayStay())) break;
        return ": still here\n\n";
      }
      await Promise.race([this.#woken.promise, this.#parts.clock.sleep(rowsEveryMs, this.#ended)]);
    }
    this.close();
    return undefined;
  }

  async #begin(): Promise<string> {
    const { store, version, clock } = this.#parts;
    const { role, name } = this.#reader.asker;
    const head = await headSeq(store.db, store.constellation);
    const { after } = this.#wish;
    this.#cursor = after === undefined || after > head || head - after > mostBehind ? head : after;
    const hello = {
      kind: "hello",
      seq: this.#cursor,
      constellation: store.constellation,
      version,
      role,
      name,
      now_ms: clock.nowMs(),
    } as const;
    const said: StreamMessage[] = [hello];
    if (after !== undefined && after > head)
      said.push({ kind: "resync", seq: head, why: "the timeline is another one than before" });
    else if (this.#cursor !== after && after !== undefined)
      said.push({ kind: "resync", seq: head, why: `${counted(head - after, "event has", "events have")} passed` });
    return `retry: 1000\n${said.map(streamLine).join("")}`;
  }

  async #events(afterSeq: number): Promise<StreamMessage[]> {
    const { db, constellation } = this.#parts.store;
    const events = await readEvents(db, { constellation, afterSeq, limit: pageSize });
    const last = events.at(-1);
    if (last === undefined) return [];
    this.#cursor = last.seq;
    this.#noteWrites();
    const subjects = [...new Set(events.map(({ type }) => subjectOf(type)))].sort();
    return [{ kind: "events", seq: last.seq, subjects, events: events.map(forStream) }];
  }

  #changedScreens(): StreamMessage[] {
    const changed = [...this.#screens.values()];
    this.#screens.clear();
    return changed.map((screen) => ({ kind: "screen", seq: this.#cursor ?? 0, screen }));
  }

  #changedRows(): StreamMessage[] {
    const { store, clock } = this.#parts;
    if (store.writes === this.#writes || clock.monotonicMs() - this.#rowsMs < rowsEveryMs) return [];
    this.#noteWrites();
    return [{ kind: "rows", seq: this.#cursor ?? 0 }];
  }

  #noteWrites(): void {
    this.#writes = this.#parts.store.writes;
    this.#rowsMs = this.#parts.clock.monotonicMs();
  }
}

const isAboutTokens = (message: StreamMessage): boolean =>
  message.kind === "events" && message.subjects.includes("token");

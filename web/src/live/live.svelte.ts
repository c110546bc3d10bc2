// Live: one stream for the whole browser. The tab that has the lock reads it and tells the others; when it closes, another takes over
// from the last position. A tab is never called live unless somebody was heard of within the time in which a sign of life must come.

import {
  type AgentScreen,
  readStream,
  type StreamedEvent,
  type StreamMessage,
  streamPath,
} from "../../../src/protocol/window.ts";
import { bearer, SessionOver } from "./ask.ts";

type State = "connecting" | "live" | "stale" | "over";

/** The daemon says something at least every 15 s. */
const silenceMs = 25_000;
const beatMs = 2_000;
/** A tab that tells the others and was not heard for so long is gone, or asleep. */
const leaderSilenceMs = 7_000;
const firstPauseMs = 250;
const longestPauseMs = 4_000;

/** A word of the stream, as pages hear it. */
export type Word =
  | { readonly kind: "events"; readonly subjects: readonly string[]; readonly events: readonly StreamedEvent[] }
  | { readonly kind: "rows" }
  | { readonly kind: "screen"; readonly screen: AgentScreen }
  | { readonly kind: "resync" };

/** What tabs say to each other besides. */
type TabWord =
  | Word
  | {
      readonly kind: "beat";
      readonly state: State;
      readonly heardMs: number;
      readonly seq: number;
      readonly version: string;
    }
  | { readonly kind: "watch"; readonly tab: string; readonly screens: readonly string[] };

type Listener = (word: Word) => void;

export const live = $state({
  state: "connecting" as State,
  /** When somebody was last heard. */
  heardMs: 0,
  seq: 0,
  version: "",
  isLeader: false,
});

const tab = crypto.randomUUID();
const listeners = new Set<Listener>();
let others: BroadcastChannel | undefined;
/** The screens that each tab shows, as the leader knows them. */
const wanted = new Map<string, { readonly screens: readonly string[]; readonly atMs: number }>();
let own: readonly string[] = [];
let connection: AbortController | undefined;

/** What happens is told to `listener` until the returned function is called. */
export function hear(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The stream carries this agent's screen until the returned function is called. */
export function watchScreen(agent: string): () => void {
  own = [...own, agent];
  wish();
  return () => {
    const at = own.indexOf(agent);
    own = own.filter((_, index) => index !== at);
    wish();
  };
}

export function goLive(): void {
  if (others !== undefined) return;
  others = new BroadcastChannel("constel");
  others.addEventListener("message", ({ data }: MessageEvent<TabWord>) => takeWord(data));
  void navigator.locks.request("constel.stream", { mode: "exclusive" }, lead);
  setInterval(watchSilence, 1_000);
  setInterval(() => own.length > 0 && wish(), beatMs);
  // Two sleeps of a laptop look alike to a timer; coming back to the page is a moment to look at the clock.
  document.addEventListener("visibilitychange", watchSilence);
}

function takeWord(word: TabWord): void {
  if (word.kind === "beat") return heardOf(word.state, word);
  if (word.kind === "watch") return void noteWish(word.tab, word.screens);
  tell(word);
}

function tell(word: Word): void {
  for (const listener of listeners) listener(word);
}

function tellAll(word: Word): void {
  others?.postMessage(word);
  tell(word);
}

function wish(): void {
  if (live.isLeader) noteWish(tab, own);
  else others?.postMessage({ kind: "watch", tab, screens: own } satisfies TabWord);
}

function noteWish(from: string, screens: readonly string[]): void {
  const before = wantedScreens().join();
  wanted.set(from, { screens: [...screens], atMs: Date.now() });
  if (live.isLeader && wantedScreens().join() !== before) connection?.abort();
}

/** A tab that has not repeated its wish is gone. */
function wantedScreens(): string[] {
  const fresh = [...wanted.values()].filter(({ atMs }) => Date.now() - atMs < 3 * beatMs);
  return [...new Set([...own, ...fresh.flatMap(({ screens }) => screens)])].sort();
}

function watchSilence(): void {
  const most = live.isLeader ? silenceMs : silenceMs + leaderSilenceMs;
  if (live.state !== "live" || Date.now() - live.heardMs <= most) return;
  become("stale");
  connection?.abort();
}

function heardOf(state: State, from: { heardMs: number; seq: number; version: string }): void {
  const isBack = state === "live" && live.state !== "live";
  Object.assign(live, { state, heardMs: from.heardMs, seq: from.seq, version: from.version });
  if (isBack) tell({ kind: "resync" });
}

function become(state: State): void {
  const isBack = state === "live" && live.state !== "live";
  live.state = state;
  if (live.isLeader) beat();
  // Whatever is shown may have missed something: it is asked for anew, now that the stream has its position.
  if (isBack) tell({ kind: "resync" });
}

function beat(): void {
  const { state, heardMs, seq, version } = live;
  others?.postMessage({ kind: "beat", state, heardMs, seq, version } satisfies TabWord);
}

/** Runs for as long as this tab lives. */
async function lead(): Promise<void> {
  live.isLeader = true;
  setInterval(beat, beatMs);
  let pauseMs = firstPauseMs;
  while (true) {
    connection = new AbortController();
    let isOwnWish = false;
    try {
      await follow(connection.signal);
    } catch (cause) {
      if (cause instanceof SessionOver) return become("over");
      isOwnWish = connection.signal.aborted && live.state === "live";
    }
    // Other screens were asked for: that is no break.
    if (isOwnWish) continue;
    if (Date.now() - live.heardMs < 1_000) pauseMs = firstPauseMs;
    become("stale");
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

/** One connection, from its beginning to its end. */
async function follow(signal: AbortSignal): Promise<void> {
  const path = streamPath(live.seq === 0 ? undefined : live.seq, wantedScreens());
  const response = await fetch(path, { headers: bearer(), signal, cache: "no-store" });
  if (response.status === 401) throw new SessionOver("the session is over");
  if (!response.ok || response.body === null) throw new Error(`the daemon answered ${response.status}`);
  const heard = (): void => {
    live.heardMs = Date.now();
  };
  for await (const message of readStream(pieces(response.body), heard)) {
    heard();
    take(message);
  }
}

function take(message: StreamMessage): void {
  live.seq = message.seq;
  if (message.kind === "hello") live.version = message.version;
  if (live.state !== "live") become("live");
  if (message.kind === "events") {
    const { subjects, events } = message;
    tellAll({ kind: "events", subjects, events });
  } else if (message.kind === "screen") tellAll({ kind: "screen", screen: message.screen });
  else if (message.kind !== "hello") tellAll({ kind: message.kind });
}

/** Not every browser walks through a body by itself. */
async function* pieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

// From evidence to status, the same way for every program. Hooks and transcript tell the story; what the program says of
// itself now (its own word, else its title, else its screen) settles what a story cannot know: that a dialog was answered,
// that Esc was pressed. In doubt an agent is busy, never idle.

import type { AgentState, AgentStatus, Evidence, Screen } from "../../ports/runtime.ts";
import { type Followed, follow } from "./follow.ts";
import { lastWordsOf } from "./last-words.ts";
import { limitFrom } from "./limits.ts";

/** The state that can be read off a terminal right now. */
export interface Glance {
  readonly state: "idle" | "busy" | "waiting" | "logged-out" | "limited";
  readonly says: string;
  /** Told by a fixed place of the program's own display, not by words that could stand in a conversation. */
  readonly sure?: true;
}

export interface Readers {
  readonly title: (title: string) => Glance | undefined;
  readonly screen: (screen: Screen) => Glance | undefined;
}

/** A turn that ended this lately may be followed by a queued one. */
const settleMs = 500;
/** A terminal may lag this far behind the hooks. */
const lagMs = 2000;
/** A program that has not shown its prompt after this long is not "starting" any more. */
const startMs = 90_000;

export function judge(evidence: Evidence, readers: Readers): AgentStatus {
  const status = stateOf(evidence, readers);
  const words = status.state === "idle" ? lastWordsOf(evidence) : undefined;
  return words === undefined ? status : { ...status, words };
}

function stateOf(evidence: Evidence, readers: Readers): AgentStatus {
  const { nowMs, screen } = evidence;
  if (evidence.process === "dead") return on("dead", "process", "the process has ended");
  if (screen?.dead === true) return on("dead", "process", "the terminal's program has ended");
  const story = follow(evidence.hooks, evidence.rows);
  const live = liveOf(evidence, readers);
  const fresh = nowMs - story.at;

  if (story.state === "ended" && live === undefined) return told("dead", story);
  if (live?.state === "limited") {
    const limit = limitFrom(live.says, story.at === 0 ? evidence.sinceMs : story.at);
    if (limit.untilMs > nowMs) return { ...on("limited", live.on, live.says), untilMs: limit.untilMs };
    return on("waiting-permission", live.on, `the limit has lifted, but its notice is still open: ${live.says}`);
  }
  // What the program or its screen shows of a dialog does not tell what is asked; the hooks do.
  if (live?.state === "waiting" && story.state === "asking") return told("waiting-answer", story);
  if (live?.state === "waiting")
    return on(isInput(live.says) ? "waiting-answer" : "waiting-permission", live.on, live.says);
  if (live?.state === "logged-out") return on("logged-out", live.on, live.says);
  // A dialog of the program's own was answered when it works again; a question that constel holds was not.
  if (live?.state === "busy" && story.isHeld !== true) return on("busy", live.on, live.says);

  const overruled = live?.state === "idle" && fresh > lagMs;
  if (story.state === "busy" && !overruled) return told("busy", story);
  if (story.state === "asking" && !overruled) return told("waiting-answer", story);
  if (story.state === "waiting" && !overruled) return told("waiting-permission", story);
  if (story.state === "limited") {
    const limit = limitFrom(story.says, story.at, story.liftsAtMs === undefined ? {} : { liftsAtMs: story.liftsAtMs });
    if (limit.untilMs > nowMs) return { ...told("limited", story), untilMs: limit.untilMs };
    return told("idle", { ...story, says: `the limit has lifted: ${story.says}` });
  }
  if (story.state === "logged-out") return told("logged-out", story);
  if (story.state === "idle" && live === undefined) {
    return fresh < settleMs ? told("busy", { ...story, says: `${story.says} just now` }) : told("idle", story);
  }
  if (live?.state === "idle") return on("idle", live.on, live.says);
  if (nowMs - evidence.sinceMs < startMs) return on("starting", "nothing", "it has not shown its prompt yet");
  return on("unknown", "nothing", "no hook, transcript, title or screen tells");
}

/** As Claude Code says it of a question, and as it is said where the question itself is known. Of a permission other words are used. */
const isInput = (says: string): boolean => says === "waits: input needed" || says.startsWith("asks: ");

interface Live extends Glance {
  readonly on: "own" | "title" | "screen";
}

function liveOf(evidence: Evidence, readers: Readers): Live | undefined {
  const screen = evidence.screen === undefined ? undefined : readers.screen(evidence.screen);
  // A program without a login says that it is idle.
  if (evidence.own?.state === "idle" && screen?.state === "logged-out" && screen.sure)
    return { ...screen, on: "screen" };
  if (evidence.own !== undefined) return { state: evidence.own.state, says: evidence.own.says, on: "own" };
  if (evidence.screen === undefined) return undefined;
  const title = readers.title(evidence.screen.title);
  // A dialog on the screen outranks a title that knows nothing of it, and work in either place one that says ready.
  const dialog = screen !== undefined && screen.state !== "idle" && screen.state !== "busy";
  if (screen !== undefined && (dialog || (title?.state === "idle" && screen.state === "busy")))
    return { ...screen, on: "screen" };
  if (title !== undefined) return { ...title, on: "title" };
  return screen === undefined ? undefined : { ...screen, on: "screen" };
}

function on(state: AgentState, source: AgentStatus["rests"]["on"], says: string): AgentStatus {
  return { state, rests: { on: source, says } };
}

function told(state: AgentState, story: Followed): AgentStatus {
  return { state, rests: { on: story.by, says: story.says, atMs: story.at } };
}

// Judges whether an agent hangs. Pure. Asked in two parts, because the second costs a question to the agent's program and to the process
// table: first whether it may hang at all (nothing moved for half an hour, and none of the three reasons not to mind), then whether work
// goes on that no screen shows. In doubt it does not hang: a busy agent is never ended.

import type { AgentRole } from "../../ports/agent-launch.ts";
import type { AgentState, HookRecord } from "../../ports/runtime.ts";
import type { InboxState } from "../markers/inbox-state.ts";

/** Screen and hooks unchanged for this long, as far as ticks were there to see it. */
export const hangAfterMs = 1_800_000;
/** Inside a tool call that shows no process of its own (a remote one), of a program that draws nothing meanwhile, it takes this long. */
export const hangInToolMs = 4 * 3_600_000;
/** Inside one whose command lives and does nothing: longer than a night's build, shorter than a night and the morning after. */
export const hangInCommandMs = 6 * 3_600_000;
/** A program that still draws so long after a tool call began draws as long as it waits for it. */
const drawsInToolMs = 120_000;
/** Less than a twentieth of a core is what a program uses that only waits. */
const workingCpuMs = 50;
/** tmux knows to the second when output came; whatever turns, turns faster than this. */
const drawingMs = 15_000;
/** Taking a message in may redraw the screen a moment before or after the inbox is seen empty: a tick or two. */
const drainSlackMs = 150_000;

export interface Stillness {
  readonly role: AgentRole;
  /** Witnessed time, as all times here. */
  readonly nowMs: number;
  readonly stillSinceMs: number;
  readonly isQuiet: boolean;
  /** The watchdog agent said that it is ready and waits. */
  readonly watchdogReady: boolean;
  readonly inbox: InboxState;
}

/** Returns the reason why it does not hang, or undefined when it may. The order is that of the specification. */
export function reasonNotToMind(still: Stillness): string | undefined {
  const { role, nowMs, stillSinceMs, inbox } = still;
  if (nowMs - stillSinceMs < hangAfterMs) return "it moved within the last half hour";
  if (still.isQuiet) return "quiet was asked for";
  const isEmpty = inbox.seen !== "waiting";
  if (role === "watchdog" && still.watchdogReady && isEmpty) return "it is ready and has nothing to repair";
  if (
    (role === "clone" || role === "worker") &&
    inbox.seen === "drained" &&
    stillSinceMs <= inbox.sinceMs + drainSlackMs
  )
    return "it took in its messages and rests since";
  return undefined;
}

export interface Work {
  readonly stillMs: number;
  /** The state that its program reports. Undefined when nobody could ask. */
  readonly state: AgentState | undefined;
  /** The time since output last came, by the wall clock. A spinner may look the same at every tick, and yet turn. */
  readonly drawnAgoMs: number;
  /** The time since the open tool call began, by the wall clock. Undefined if none is open. */
  readonly inToolMs: number | undefined;
  /** Its processes; undefined when they could not be looked at. */
  readonly processes?:
    | {
        /** Used by all of them within a second. */
        readonly cpuMs: number;
        /** The number of processes started since the open tool call began. */
        readonly sinceTool: number;
      }
    | undefined;
}

/** Waiting for work, for a person, for a limit or for a login is no hang, however long it lasts. */
const waiting: ReadonlySet<AgentState> = new Set([
  "idle",
  "waiting-permission",
  "waiting-answer",
  "limited",
  "logged-out",
]);

/** Returns the reason why it does not hang after all. Undefined if it hangs. */
export function signOfWork({ stillMs, state, drawnAgoMs, inToolMs, processes }: Work): string | undefined {
  if (state !== undefined && waiting.has(state)) return `it is ${state}`;
  if (Math.abs(drawnAgoMs) < drawingMs) return "its screen is being drawn";
  if (processes !== undefined && processes.cpuMs >= workingCpuMs) return "its processes are at work";
  if (inToolMs === undefined) return undefined;
  if (processes === undefined || processes.sinceTool > 0) {
    if (stillMs >= hangInCommandMs) return undefined;
    return processes === undefined ? "it is inside a tool call" : "a command that it started still runs";
  }
  // It turned its spinner in this very call, the command is gone or never was, and the spinner stands: no answer can wake it.
  if (inToolMs - drawnAgoMs > drawsInToolMs) return undefined;
  return stillMs < hangInToolMs ? "it is inside a tool call" : undefined;
}

/** Returns the reason to report it and not restart it. Undefined if nothing is lost by a restart. */
export function reasonToSpare({ inToolMs, processes }: Work): string | undefined {
  if (inToolMs === undefined) return undefined;
  if (processes === undefined) return "whether a command of it runs cannot be told";
  return processes.sinceTool > 0 ? "a command that it started still runs" : undefined;
}

/**
 * Since when a tool call is open, on the wall clock; of several the first. Calls overlap, in one answer and in subagents, so an end closes a call
 * of the same tool only.
 */
export function openToolSince(hooks: readonly HookRecord[]): number | undefined {
  let open: { readonly tool: string | undefined; readonly at: number }[] = [];
  for (const { event, at, tool, inSubagent } of hooks) {
    if (event === "tool-began") open.push({ tool, at });
    else if (event === "tool-ended") {
      const ended = open.findIndex((one) => one.tool === tool || tool === undefined);
      if (ended !== -1) open.splice(ended, 1);
    } else if (inSubagent !== true && closing.has(event)) open = [];
  }
  return open[0]?.at;
}

const closing: ReadonlySet<HookRecord["event"]> = new Set([
  "turn-ended",
  "turn-failed",
  "interrupted",
  "session-ended",
  "session-started",
  "prompt-submitted",
]);

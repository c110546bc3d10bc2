// How an agent at work fares: whether it does the same again and again, gets nowhere, has nearly filled its context, or edits outside of what its task
// names. Rules over what its hooks, its worktree and its model's answers showed; no model's opinion. Pure.

import { counted } from "../../protocol/counted.ts";
import type { HookRecord } from "../../ports/runtime.ts";

/** The owner's rules; 0 switches one off. */
export interface HealthRules {
  /** The same tool call, or the same failure, so many times in a row is a loop. */
  readonly repeats: number;
  /** So many turns in which nothing changed in its workspace are no progress. */
  readonly turns: number;
  /** An answer that read so many tokens has nearly filled the context. */
  readonly contextTokens: number;
}

export interface WorkInHand {
  readonly task: number;
  /** When it had the brief. */
  readonly sinceMs: number;
  /** Patterns below the top of a workspace; empty: anything. */
  readonly inScope: ((path: string) => boolean) | undefined;
  readonly workspaces: readonly string[];
  /** When its workspaces last changed; undefined where nothing watches them. */
  readonly changedMs: number | undefined;
}

export interface HealthLook {
  readonly state: string;
  /** Of its session, oldest first. */
  readonly hooks: readonly HookRecord[];
  /** What its last answer read, and when. */
  readonly read: { readonly tokens: number; readonly atMs: number } | undefined;
  readonly work: WorkInHand | undefined;
}

export interface HealthSign {
  readonly kind: "looping" | "no-progress" | "context-full" | "out-of-scope";
  readonly says: string;
  readonly sinceMs: number;
}

export const healthKinds: readonly HealthSign["kind"][] = ["looping", "no-progress", "context-full", "out-of-scope"];

export function healthOf(look: HealthLook, rules: HealthRules): HealthSign[] {
  const own = look.hooks.filter(({ inSubagent }) => inSubagent !== true);
  const once = toldOnce(own);
  const signs = [
    looping(look.state, once, rules.repeats),
    noProgress(once, look.work, rules.turns),
    contextFull(look.read, rules.contextTokens),
    outOfScope(own, look.work),
  ];
  return signs.filter((sign) => sign !== undefined);
}

/** Of a driven agent its holder tells everything, and its program's own hooks tell most of it again: what is counted is counted once. */
function toldOnce(hooks: readonly HookRecord[]): readonly HookRecord[] {
  const byHolder = hooks.filter((one) => one.byHolder === true);
  return byHolder.length > 0 ? byHolder : hooks;
}

/** Some programs tell at the end of a call only what it was given. */
const isCall = ({ event, call, byHolder }: HookRecord): boolean =>
  byHolder === true ? call !== undefined : event === "tool-began";

/** The last calls are all the same one, or the last turns all failed in the same words. */
function looping(state: string, hooks: readonly HookRecord[], repeats: number): HealthSign | undefined {
  if (repeats === 0) return undefined;
  const calls = hooks.filter(isCall);
  const [call] = calls.slice(-1);
  const same = runAtEnd(calls, (one) => call?.call !== undefined && one.call === call.call);
  if (state === "busy" && call !== undefined && same.length >= repeats)
    return sign("looping", `has made the same call of ${call.tool ?? "a tool"} ${same.length} times in a row`, same);
  const ends = hooks.filter(({ event }) => event === "turn-ended" || event === "turn-failed");
  const [last] = ends.slice(-1);
  const failed = runAtEnd(ends, (one) => one.event === "turn-failed" && wordsOf(one) === wordsOf(last));
  if (failed.length < repeats) return undefined;
  return sign("looping", `has failed in the same way ${failed.length} times in a row: ${wordsOf(last)}`, failed);
}

const wordsOf = (one: HookRecord | undefined): string => one?.says ?? one?.reason ?? "no reason was given";

function noProgress(hooks: readonly HookRecord[], work: WorkInHand | undefined, turns: number): HealthSign | undefined {
  if (turns === 0 || work?.changedMs === undefined) return undefined;
  const fromMs = Math.max(work.sinceMs, work.changedMs);
  const ended = hooks.filter(({ event, at }) => event === "turn-ended" && at > fromMs);
  if (ended.length < turns) return undefined;
  return sign(
    "no-progress",
    `has ended ${counted(ended.length, "turn")} since anything changed in the workspace of task ${work.task}`,
    ended,
  );
}

function contextFull(read: HealthLook["read"], most: number): HealthSign | undefined {
  if (most === 0 || read === undefined || read.tokens < most) return undefined;
  const says = `has nearly filled its context: its last answer read ${read.tokens.toLocaleString("en-US")} tokens`;
  return { kind: "context-full", says, sinceMs: read.atMs };
}

/** Tools that change files are called so by every program; those that read are not. */
const edits = /edit|write|patch|replace|create/i;
const mostNamed = 3;

function outOfScope(hooks: readonly HookRecord[], work: WorkInHand | undefined): HealthSign | undefined {
  if (work?.inScope === undefined) return undefined;
  const { inScope, workspaces, sinceMs, task } = work;
  const outside = hooks.flatMap((record) => {
    if (record.event !== "tool-ended" || record.at < sinceMs || !edits.test(record.tool ?? "")) return [];
    const files = record.files ?? (record.file === undefined ? [] : [record.file]);
    const paths = files.flatMap((file) => belowAny(file, workspaces) ?? []);
    return paths.filter((path) => !inScope(path)).map((path) => ({ path, at: record.at }));
  });
  const names = [...new Set(outside.map(({ path }) => path))];
  if (names.length === 0) return undefined;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return sign(
    "out-of-scope",
    `has edited what task ${task} does not name: ${names.slice(0, mostNamed).join(", ")}${more}`,
    outside,
  );
}

/** Elsewhere than in its workspaces the scope says nothing. */
function belowAny(file: string, workspaces: readonly string[]): string | undefined {
  const top = workspaces.find((one) => file.startsWith(`${one}/`));
  return top === undefined ? undefined : file.slice(top.length + 1);
}

function runAtEnd(all: readonly HookRecord[], fits: (one: HookRecord) => boolean): readonly HookRecord[] {
  return all.slice(all.findLastIndex((one) => !fits(one)) + 1);
}

const sign = (kind: HealthSign["kind"], says: string, from: readonly { readonly at: number }[]): HealthSign => ({
  kind,
  says,
  sinceMs: from[0]?.at ?? 0,
});

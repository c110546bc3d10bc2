// A loop's own file: what is wanted of it, and in `[state]` how it stands, because a loop has to go on where nothing but files
// works. Reading refuses what it does not understand, with file and line.

import { stringify } from "smol-toml";
import { isTable, type LocatedToml, readToml, type TomlTable } from "../toml/located-toml.ts";
import {
  actionKeys,
  type At,
  printAction,
  readAction,
  readFlag,
  readOverlap,
  readText,
  readWhole,
  refuseUnknown,
} from "./action-text.ts";
import { labelPattern, longestLoopMs, type Loop, type LoopEnd, type LoopState, shortestLoopMs } from "./schedule.ts";

export interface LoopFile {
  readonly loop: Loop;
  readonly state: LoopState;
}

const keys = [
  "id",
  ...actionKeys,
  "every_seconds",
  "until",
  "on_change",
  "directory",
  "most",
  "task",
  "ends",
  "overlap",
  "created",
  "paused",
  "state",
];
const stateKeys = ["fired", "next", "last", "unanswered", "seen", "ended", "why", "says"];
const reasons: readonly LoopEnd["why"][] = ["until", "most", "stopped", "unanswered"];

export function parseLoopFile(text: string, path: string): LoopFile {
  const toml = readToml(text, path);
  const table = toml.document;
  refuseUnknown(toml, table, keys, []);
  const id = readText(toml, table, "id", []);
  if (!labelPattern.test(id)) throw toml.refuse("id must be lowercase letters, digits and dashes, at most 64", "id");
  const seconds = readWhole(toml, table, "every_seconds", [shortestLoopMs / 1000, longestLoopMs / 1000], []);
  const until = table["until"] === undefined ? undefined : readText(toml, table, "until", []);
  if (until?.trim() === "") throw toml.refuse("until is empty", "until");
  const onChange = table["on_change"] === undefined ? undefined : readText(toml, table, "on_change", []);
  if (onChange?.trim() === "") throw toml.refuse("on_change is empty", "on_change");
  const directory = table["directory"] === undefined ? undefined : readText(toml, table, "directory", []);
  if (directory?.startsWith("/") === false) throw toml.refuse("directory must be an absolute path", "directory");
  const most = readWhole(toml, table, "most", [1, 1_000_000], []);
  const task = readWhole(toml, table, "task", [1, Number.MAX_SAFE_INTEGER], []);
  const own = task === undefined ? undefined : { task, endsMs: readTime(toml, table, "ends", []) };
  const loop: Loop = {
    id,
    action: readAction(toml, table, []),
    ...(seconds === undefined ? {} : { everyMs: seconds * 1000 }),
    ...(until === undefined ? {} : { until }),
    ...(onChange === undefined ? {} : { onChange }),
    ...(directory === undefined ? {} : { directory }),
    ...(most === undefined ? {} : { most }),
    ...(own === undefined ? {} : { own }),
    overlap: readOverlap(toml, table, []),
    createdMs: readTime(toml, table, "created", []),
    paused: readFlag(toml, table, "paused", []),
  };
  const state = table["state"];
  if (!isTable(state)) throw toml.refuse("the table [state] is missing", "state");
  return { loop, state: readState(toml, state) };
}

export function printLoopFile({ loop, state }: LoopFile): string {
  const { id, action, everyMs, until, onChange, directory, most, own, overlap, createdMs, paused } = loop;
  const wanted = {
    id,
    ...printAction(action),
    ...(everyMs === undefined ? {} : { every_seconds: Math.round(everyMs / 1000) }),
    ...(until === undefined ? {} : { until }),
    ...(onChange === undefined ? {} : { on_change: onChange }),
    ...(directory === undefined ? {} : { directory }),
    ...(most === undefined ? {} : { most }),
    ...(own === undefined ? {} : { task: own.task, ends: iso(own.endsMs) }),
    ...(overlap === "queue" ? {} : { overlap }),
    created: iso(createdMs),
    ...(paused ? { paused } : {}),
  };
  const stands = {
    fired: state.fired,
    next: iso(state.nextMs),
    ...(state.firedMs === undefined ? {} : { last: iso(state.firedMs) }),
    ...(state.unanswered === 0 ? {} : { unanswered: state.unanswered }),
    ...(state.seen === undefined ? {} : { seen: state.seen }),
    ...(state.ended === undefined
      ? {}
      : { ended: iso(state.ended.atMs), why: state.ended.why, says: state.ended.says.toWellFormed() }),
  };
  return `${stringify(wanted).trimEnd()}\n\n[state]\n${stringify(stands).trimEnd()}\n`;
}

function readState(toml: LocatedToml, table: TomlTable): LoopState {
  const at: At = ["state"];
  refuseUnknown(toml, table, stateKeys, at);
  const fired = readWhole(toml, table, "fired", [0, Number.MAX_SAFE_INTEGER], at);
  if (fired === undefined) throw toml.refuse("fired is missing", ...at);
  const why = reasons.find((one) => one === table["why"]);
  if (table["ended"] !== undefined && why === undefined)
    throw toml.refuse(`why must be one of ${reasons.join(", ")}`, ...at, "why");
  return {
    fired,
    nextMs: readTime(toml, table, "next", at),
    ...(table["last"] === undefined ? {} : { firedMs: readTime(toml, table, "last", at) }),
    unanswered: readWhole(toml, table, "unanswered", [0, 1000], at) ?? 0,
    ...(table["seen"] === undefined ? {} : { seen: readText(toml, table, "seen", at) }),
    ...(table["ended"] === undefined || why === undefined
      ? {}
      : { ended: { atMs: readTime(toml, table, "ended", at), why, says: readText(toml, table, "says", at) } }),
  };
}

/** Times are texts: a TOML date without a zone would mean another moment on every machine. */
function readTime(toml: LocatedToml, table: TomlTable, key: string, at: At): number {
  const text = readText(toml, table, key, at);
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) throw toml.refuse(`${key} must be a time in UTC, such as "2026-11-15T22:00:00Z"`, ...at, key);
  return ms;
}

const iso = (ms: number): string => new Date(ms).toISOString();

// YAML documents with the line of every part, so that a complaint can name the line. Small bounds: a file of a few lines cannot
// unfold into gigabytes.

import { posix } from "node:path";
import {
  CORE_SCHEMA,
  type Event,
  EVENT_ID,
  getScalarValue,
  loadAll,
  mergeTag,
  parseEvents,
  YAMLException,
} from "js-yaml";
import type { ServiceProblem } from "./service.ts";

export interface LinedDocument {
  readonly value: unknown;
  /** The line of a part, or of the innermost part around it that has one. */
  readonly lineOf: (...path: readonly (string | number)[]) => number;
}

/** Nobody writes a larger one by hand. */
const maximumLength = 1024 * 1024;
const bounds = { maxDepth: 50, maxAliases: 1_000, maxTotalMergeKeys: 10_000 };

export function readLines(path: string, text: string): readonly LinedDocument[] | ServiceProblem {
  if (text.length > maximumLength) return { path, line: null, message: "is larger than 1 MB and was not read" };
  try {
    const values = loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag), ...bounds });
    const lines = linesIn(text, parseEvents(text, bounds));
    return values.map((value, index) => ({ value, lineOf: (...at) => lookUp(lines[index], at) }));
  } catch (cause) {
    if (cause instanceof YAMLException) {
      return {
        path,
        line: cause.mark === undefined ? null : cause.mark.line + 1,
        message: `is not YAML: ${cause.reason}`,
      };
    }
    if (cause instanceof RangeError) return { path, line: null, message: "is nested too deeply to be read" };
    throw cause;
  }
}

/** A path that a file names, from the top of the repository; undefined when it leads out of it. */
export function pathInside(directory: string, written: string): string | undefined {
  if (written.startsWith("/") || written.includes("\0") || /^[a-z][a-z0-9+.-]*:/i.test(written)) return undefined;
  const path = posix.normalize(posix.join(directory, written)).replace(/\/$/, "");
  return path === ".." || path.startsWith("../") || path === "." ? undefined : path;
}

type Lines = ReadonlyMap<string, number>;

function lookUp(lines: Lines | undefined, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const line = lines?.get(JSON.stringify(path.slice(0, length)));
    if (line !== undefined) return line;
  }
  return 1;
}

interface Open {
  readonly path: readonly (string | number)[];
  readonly isMapping: boolean;
  count: number;
  key: string | undefined;
}

function linesIn(text: string, events: readonly Event[]): Lines[] {
  const found: Map<string, number>[] = [];
  const open: (Open | undefined)[] = [];
  const at = lineFinder(text);
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      found.push(new Map());
      open.push(undefined);
      continue;
    }
    const parent = open.at(-1);
    const start = startOf(event);
    if (parent?.isMapping === true && parent.key === undefined) {
      parent.key = event.type === EVENT_ID.SCALAR ? getScalarValue(text, event) : "";
      found.at(-1)?.set(JSON.stringify([...parent.path, parent.key]), at(start));
      if (event.type === EVENT_ID.SCALAR || event.type === EVENT_ID.ALIAS) continue;
    }
    const path = parent === undefined ? [] : [...parent.path, parent.isMapping ? (parent.key ?? "") : parent.count];
    const key = JSON.stringify(path);
    const lines = found.at(-1);
    if (lines !== undefined && !lines.has(key)) lines.set(key, at(start));
    if (parent !== undefined) {
      parent.count += 1;
      parent.key = undefined;
    }
    if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      open.push({ path, isMapping: event.type === EVENT_ID.MAPPING, count: 0, key: undefined });
    }
  }
  return found;
}

function startOf(event: Exclude<Event, { type: typeof EVENT_ID.POP | typeof EVENT_ID.DOCUMENT }>): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  return event.type === EVENT_ID.ALIAS ? event.anchorStart : event.start;
}

/** Offsets come in order, nearly. */
function lineFinder(text: string): (offset: number) => number {
  let offset = 0;
  let line = 1;
  return (wanted) => {
    if (wanted < offset) {
      offset = 0;
      line = 1;
    }
    for (; offset < wanted; offset += 1) if (text.charCodeAt(offset) === 10) line += 1;
    return line;
  };
}

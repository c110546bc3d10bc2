// cron.toml: one `[[cron]]` table per entry. Reading refuses what it does not understand, with file and line. Adding and removing
// work on the text, so that comments and the order of the other entries stay as the owner wrote them. Writing it to the disk
// safely is left to the caller.

import { stringify } from "smol-toml";
import { Refusal } from "../../protocol/errors.ts";
import { isTable, type LocatedToml, readToml } from "../toml/located-toml.ts";
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
import { parseCron } from "./cron-fields.ts";
import { type CronEntry, labelPattern } from "./schedule.ts";
import { zoneNamed } from "./zone.ts";

const keys = ["label", "schedule", "zone", ...actionKeys, "overlap", "jitter_seconds", "paused"] as const;

export function parseCronFile(text: string, path: string): CronEntry[] {
  const toml = readToml(text, path);
  refuseUnknown(toml, toml.document, ["cron"], []);
  const tables = toml.document["cron"] ?? [];
  if (!Array.isArray(tables) || !tables.every(isTable)) throw toml.refuse("cron must be tables: [[cron]]", "cron");
  const labels = new Set<string>();
  return tables.map((table, index) => {
    const at: At = ["cron", index];
    refuseUnknown(toml, table, keys, at);
    const label = readText(toml, table, "label", at);
    if (!labelPattern.test(label))
      throw toml.refuse("label must be lowercase letters, digits and dashes, at most 64", ...at, "label");
    if (labels.has(label)) throw toml.refuse(`the label ${label} is there twice`, ...at, "label");
    labels.add(label);
    const schedule = readText(toml, table, "schedule", at);
    const zone = table["zone"] === undefined ? "UTC" : readText(toml, table, "zone", at);
    return {
      label,
      schedule: located(toml, [...at, "schedule"], () => parseCron(schedule).text),
      zone: located(toml, [...at, "zone"], () => zoneNamed(zone).name),
      action: readAction(toml, table, at),
      overlap: readOverlap(toml, table, at),
      jitterMs: (readWhole(toml, table, "jitter_seconds", [0, 86_400], at) ?? 0) * 1000,
      paused: readFlag(toml, table, "paused", at),
    };
  });
}

/** The text of one entry, as it is put into the file. */
export function printCronEntry(entry: CronEntry): string {
  const { label, schedule, zone, action, overlap, jitterMs, paused } = entry;
  const table = {
    label,
    schedule,
    zone,
    ...printAction(action),
    ...(overlap === "queue" ? {} : { overlap }),
    ...(jitterMs === 0 ? {} : { jitter_seconds: Math.round(jitterMs / 1000) }),
    ...(paused ? { paused } : {}),
  };
  return `[[cron]]\n${stringify(table).trimEnd()}\n`;
}

/** The file's text with an entry in place of the one of its label, or at the end. */
export function withCronEntry(text: string, path: string, entry: CronEntry): string {
  const span = spanOf(text, path, entry.label);
  const printed = printCronEntry(entry);
  if (span !== undefined) return checked(text.slice(0, span[0]) + printed + text.slice(span[1]), path);
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return checked(start + (start === "" ? "" : "\n") + printed, path);
}

/** The file's text without an entry; undefined when there is none of that label. */
export function withoutCronEntry(text: string, path: string, label: string): string | undefined {
  const span = spanOf(text, path, label);
  return span === undefined ? undefined : checked(text.slice(0, span[0]) + text.slice(span[1]), path);
}

/** From the entry's header to the end of its last line that is no comment and not empty. */
function spanOf(text: string, path: string, label: string): [from: number, to: number] | undefined {
  const index = parseCronFile(text, path).findIndex((entry) => entry.label === label);
  if (index === -1) return undefined;
  const toml = readToml(text, path);
  const lines = text.split("\n");
  const first = toml.lineOf("cron", index) - 1;
  if (!/^\s*\[\[/.test(lines[first] ?? "")) throw toml.refuse("entries must be tables of their own: [[cron]]", "cron");
  const next = toml.lineOf("cron", index + 1) - 1;
  let last = next > first ? next - 1 : lines.length - 1;
  while (last > first && /^\s*(?:#.*)?$/.test(lines[last] ?? "")) last--;
  const startOf = (line: number): number => lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  return [startOf(first), Math.min(text.length, startOf(last + 1))];
}

/** An edit that would leave a file nobody can read is a bug, and must not reach the disk. */
function checked(text: string, path: string): string {
  parseCronFile(text, path);
  return text;
}

/** Reads a value; if it is wrong, the refusal has its file and line in front. */
function located<T>(toml: LocatedToml, at: At, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    const { code, message, facts } = toml.refuse(cause.message, ...at);
    throw new Refusal(code, message, facts, cause.hint);
  }
}

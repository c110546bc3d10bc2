// Findings in a list: a line each, in columns, the title cut to fit.

import type { Severity } from "../../../protocol/findings.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { Output, Paint } from "./output.ts";
import { tag } from "./findings.ts";
import { blocksWithin, folded, foldedWithin } from "./fold.ts";
import { pathText } from "./hunks.ts";
import { fewerNames, namesOf, renamed } from "./names.ts";
import { width } from "./table.ts";
import { ago } from "./time.ts";

/** A finding, or several that are one problem among several lines of work. */
export type ListedFinding = OutputOf<(typeof operations)["finding.list"]>["knots"][number];

/** The end of an id is what tells findings apart. */
export const shortOf = (id: string): string => id.slice(-idWidth);
const idWidth = 6;

interface Weighed {
  readonly severity: string;
  readonly kind: string;
}

/** Severity and kind of findings that stand one above the other, as columns; and how wide they are. */
function headsOf(findings: readonly Weighed[], paint: Paint): { of: (one: Weighed) => string; width: number } {
  const widest = (lengths: readonly number[]): number => Math.max(0, ...lengths);
  const severity = widest(findings.map((one) => one.severity.length));
  const kind = widest(findings.map((one) => one.kind.length));
  return {
    of: (one) =>
      `${tag(one.severity as Severity, paint)}${" ".repeat(severity - one.severity.length)} ${one.kind.padEnd(kind)}  `,
    width: severity + 1 + kind + 2,
  };
}

/** A title is folded into so many lines before its end is cut. */
const mostOfTitle = 3;

/** Severity and kind once, and the title beside them: who collides over what is folded, not cut. */
export function titleBlocks(
  findings: readonly (Weighed & { readonly text: string; readonly names: readonly string[] })[],
  { columns, paint }: Pick<Output, "columns" | "paint">,
  most = mostOfTitle,
): string[][] {
  const heads = headsOf(findings, paint);
  const room = Math.max(30, columns - heads.width);
  return findings.map((one) => {
    const [first = "", ...rest] = foldedWithin(most, fewerNames(one.text, one.names, room), room, "");
    return [`${heads.of(one)}${first}`, ...rest.map((line) => `${" ".repeat(heads.width)}${line}`)];
  });
}

/** A block each, the title folded; where all of them have room with the names of everybody, with all names. */
export function findingLines(
  findings: readonly ListedFinding[],
  limit: number,
  { columns, rows, paint }: Pick<Output, "columns" | "rows" | "paint">,
  nowMs: number,
  /** Of all findings, if not all of them were asked for; and the lines that there are for them. */
  { total = findings.length, within = Infinity }: { readonly total?: number; readonly within?: number } = {},
): string[] {
  const asked = findings.slice(0, limit);
  const name = namesOf(asked.flatMap(({ sides }) => sides));
  const heads = headsOf(asked, paint);
  const ages = asked.map((one) => ago(nowMs - one.opened_ms));
  const widestAge = Math.max(0, ...ages.map(width));
  const indent = idWidth + 2;
  const texts = asked.map((one) => {
    const state = one.state === "dismissed" ? `dismissed: ${one.dismissed_reason}; ` : "";
    return `${state}${renamed(pathText(one.title), one.sides, name)}`;
  });
  const most = Math.max(30, columns - indent - heads.width - 2 - widestAge);
  const room = Math.min(most, Math.max(0, ...texts.map(width)));
  const whole = texts.map((text) => folded(text, room, ""));
  // The summary and the prompt want a line or two.
  const hasRoom = whole.flat().length < Math.min(rows - 4, within);
  const titles = hasRoom
    ? whole
    : texts.map((text, at) =>
        foldedWithin(mostOfTitle, fewerNames(text, (asked[at]?.sides ?? []).map(name), room), room, ""),
      );
  const blocks = asked.map((one, at) => {
    const [first = "", ...rest] = titles[at] ?? [];
    const space = " ".repeat(Math.max(0, room - width(first)));
    const age = `${space}  ${(ages[at] ?? "").padStart(widestAge)}`;
    const more = rest.map((line) => `${" ".repeat(indent + heads.width)}${line}`);
    return [`${paint.dim(shortOf(one.id))}  ${heads.of(one)}${first}${paint.dim(age)}`, ...more];
  });
  const shown = blocksWithin(blocks, within);
  const left = total - shown.length;
  return [...shown.flat(), ...(left > 0 ? [paint.dim(`… and ${left} more: --limit ${total} shows them`)] : [])];
}

/** Says how many are open, and names the command that shows both sides of the first. */
export function findingsSummary(
  findings: readonly ListedFinding[],
  /** Between how many pairs of lines of work those that are open are. */
  pairs: number,
  { columns, paint }: Pick<Output, "columns" | "paint">,
): string[] {
  const open = findings.filter(({ state, severity }) => state === "open" && severity !== "context");
  const [first] = open;
  if (first === undefined) return [paint.dim("None of them is open.")];
  const counts = [...Map.groupBy(open, ({ severity }) => severity)].map(
    ([severity, those]) => `${those.length} ${severity}`,
  );
  const more = pairs > open.length ? ` (${pairs} pairs)` : "";
  const parts = [
    `${open.length} open: ${counts.join(", ")}${more}.`,
    `Both sides in full:  constel conflicts --explain ${shortOf(first.id)}`,
  ];
  const line = parts.join("  ");
  return width(line) <= columns ? [line] : parts;
}

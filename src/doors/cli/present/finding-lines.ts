// Findings in a list: a line each, the title cut to fit.

import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { Output } from "../output.ts";
import { tag } from "./findings.ts";
import { pathText } from "./hunks.ts";
import { cut, width } from "./table.ts";
import { ago } from "./time.ts";

export type ListedFinding = OutputOf<(typeof operations)["finding.list"]>["findings"][number];

/** The end of an id is what tells findings apart. */
export const shortOf = (id: string): string => id.slice(-6);

export function findingLines(
  findings: readonly ListedFinding[],
  limit: number,
  { columns, paint }: Pick<Output, "columns" | "paint">,
  nowMs: number,
): string[] {
  const shown = findings.slice(0, limit).map((one) => {
    const age = ago(nowMs - one.opened_ms);
    const state = one.state === "dismissed" ? `dismissed: ${one.dismissed_reason} ` : "";
    const room = columns - width(`${shortOf(one.id)}  ${one.severity} ${one.kind}  ${state}  ${age}`);
    const title = columns < 60 ? pathText(one.title) : cut(pathText(one.title), Math.max(30, room));
    const head = `${paint.dim(shortOf(one.id))}  ${tag(one.severity, paint)} ${one.kind}`;
    return `${head}  ${paint.dim(state)}${title}  ${paint.dim(age)}`;
  });
  const left = findings.length - shown.length;
  return [...shown, ...(left > 0 ? [paint.dim(`… and ${left} more: --limit shows them`)] : [])];
}

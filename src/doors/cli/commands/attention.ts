// What needs the owner, on the command line.

import { systemClock } from "../../../host/clock/system-clock.ts";
import { counted } from "../../../protocol/counted.ts";
import { parseDuration } from "../../../protocol/duration.ts";
import { type AttentionRow, sentenceOf } from "../../../protocol/operations/attention.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { RunCommand } from "../input/command.ts";
import { sayIfNobodyLooks } from "../input/observed.ts";
import { sayingCut } from "../present/cut.ts";
import type { Output } from "../present/output.ts";
import { folded } from "../present/fold.ts";
import { oneLine } from "../present/table.ts";
import { ago, utc } from "../present/time.ts";

export const list: RunCommand = async (context, input) => {
  const answer = await (await context.caller()).call("attention.list", input.asked("attention.list"));
  await sayIfNobodyLooks(context);
  const { rows, total, snoozed } = answer;
  const text = (): string => {
    const aside = snoozed === 0 ? [] : [`${counted(snoozed, "thing")} put aside: constel attention --snoozed`];
    const nowMs = systemClock.nowMs();
    if (rows.length === 0) return ["Nothing needs you.", ...aside].join("\n");
    return [...rows.map((row) => blockOf(row, nowMs, context.output)), ...aside].join("\n");
  };
  const needs = rows.some((row) => !row.snoozed);
  const result = { json: answer, text, ...(needs ? { exit: exitCodes.negative } : {}) };
  const rest = `constel attention${input.flag("snoozed") === undefined ? "" : " --snoozed"} --limit ${total}`;
  return sayingCut(result, { shown: rows.length, total, rest }, context.output);
};

function blockOf(row: AttentionRow, nowMs: number, { columns, paint }: Output): string {
  const aside = row.snoozed
    ? ` (put aside${row.snoozed_until_ms === null ? "" : ` until ${utc(row.snoozed_until_ms)}`})`
    : "";
  const head = oneLine(`${sentenceOf(row)}, ${ago(nowMs - row.since_ms)} ago${aside}`);
  const evidence = row.evidence === "" ? [] : folded(`  ${oneLine(row.evidence)}`, columns, "  ").map(paint.dim);
  return [...folded(head, columns, "  "), ...evidence, `  ${row.next}   [${row.key}]`].join("\n");
}

export const snooze: RunCommand = async (context, input) => {
  const lasts = input.flag("for");
  const filled = lasts === undefined ? {} : { until_ms: systemClock.nowMs() + parseDuration(lasts) };
  const done = await (await context.caller()).call("attention.snooze", input.asked("attention.snooze", filled));
  const until = done.until_ms === null ? "until it changes" : `until ${utc(done.until_ms)}`;
  const text = done.snoozed ? `Put aside ${until}: ${oneLine(done.says)}` : `Back again: ${oneLine(done.says)}`;
  return { json: done, text };
};

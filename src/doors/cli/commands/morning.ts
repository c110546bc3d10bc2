// `constel morning`: one page about the night, for a person who has just sat down. With --send it goes to them; with --daily it comes by itself.

import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import { sentenceOf } from "../../../protocol/operations/attention.ts";
import type { morningLook } from "../../../protocol/operations/morning.ts";
import { durationText } from "../../../protocol/duration.ts";
import type { CliContext } from "../context.ts";
import type { CommandInput, CommandResult, RunCommand } from "../input/command.ts";
import { sayIfNobodyLooks } from "../input/observed.ts";
import { oneLine } from "../present/table.ts";

type Morning = OutputOf<typeof morningLook>;

/** Each part of the page has so many lines; the rest is counted. */
const mostLines = 8;

export const morning: RunCommand = async (context, input) => {
  const daily = input.flag("daily");
  if (daily !== undefined) return await everyDay(context, input, daily);
  const answer = await (await context.caller()).call("morning.look", input.asked("morning.look"));
  await sayIfNobodyLooks(context);
  const text = pageOf(answer);
  if (!input.has("send")) return { json: answer, text };
  const { page } = await import("./session.ts");
  const sent = await page(context, { subject: subjectOf(answer), body: text }, { leaveMarker: true });
  const json = { ...answer, sent: { told: sent.told, line: sent.line } };
  return { json, text: `${text}\n\n${sent.line}`, ...(sent.told ? {} : { exit: exitCodes.negative }) };
};

/** A cron of the owner's, which sends the page. Asked again it moves: the one that was there goes first. */
async function everyDay(context: CliContext, input: CommandInput, time: string): Promise<CommandResult> {
  const [, hour = "", minute = ""] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
  if (hour === "")
    throw new Refusal("usage.bad-value", `--daily takes a time of day such as 07:00, not ${JSON.stringify(time)}`);
  const { back_ms: backMs } = input.asked("morning.look");
  const back = backMs === undefined ? [] : ["--since", durationText(backMs)];
  const caller = await context.caller();
  const { schedules } = await caller.call("schedule.list", { kind: "cron" });
  if (schedules.some((one) => one.label === label)) await caller.call("schedule.remove", { kind: "cron", label });
  await caller.call("schedule.add-cron", {
    label,
    schedule: `${Number(minute)} ${Number(hour)} * * *`,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    action: { verb: ["morning", "--send", ...back] },
  });
  const text = `The page is sent every day at ${hour.padStart(2, "0")}:${minute}. To end it: constel cron remove ${label}`;
  return { json: { label, time: `${hour.padStart(2, "0")}:${minute}` }, text };
}

const label = "morning";

function subjectOf({ landed, failed, waiting }: Morning): string {
  return `morning: ${landed.length} landed, ${failed.length} failed, ${waiting === 0 ? "nothing waits for you" : `${counted(waiting, "thing")} for you`}`;
}

function pageOf(answer: Morning): string {
  const { landed, failed, crashes, firings, waits, red, answers, unpriced, cost_micros: micros } = answer;
  const span = durationText(answer.until_ms - answer.since_ms);
  const who = (agent: string | null): string => (agent === null ? "" : ` (${agent})`);
  const cost = answers === 0 ? "no model was asked" : `$${(micros / 1e6).toFixed(2)} for ${counted(answers, "answer")}`;
  const parts = [
    part(
      `Landed in the last ${span}`,
      landed.map(
        (one) =>
          `${one.task} ${one.title}${who(one.agent)} ${one.landed_sha.slice(0, 9)}${one.evidence === null ? "" : `: ${one.evidence}`}`,
      ),
    ),
    part("Failed", [
      ...failed.map((one) => `${one.task} ${one.title}${who(one.agent)}: ${one.why}`),
      ...crashes.map((one) => `${one.agent} went down ${counted(one.times, "time")}: ${one.what}`),
      ...firings.map((one) => `${one.label}: ${one.detail}`),
    ]),
    part(
      "Red",
      red.map(({ says, next }) => `${says}; ${next}`),
    ),
    part(
      "Waits for you",
      waits.map((one) => `${sentenceOf(one)}; ${one.next}`),
    ),
    `Cost: ${cost}${unpriced === 0 ? "" : `, and ${counted(unpriced, "answer")} whose price is not known`}`,
  ];
  return parts.join("\n");
}

function part(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return `${title}: nothing`;
  const shown = lines.slice(0, mostLines).map((line) => `  ${oneLine(line)}`);
  const more = lines.length > mostLines ? [`  and ${lines.length - mostLines} more`] : [];
  return [`${title}: ${lines.length}`, ...shown, ...more].join("\n");
}

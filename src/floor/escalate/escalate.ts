// `constel escalate`: tells the owner, with no daemon, no model and no MCP. All channels at once, each with a deadline and
// one retry. When nobody was told, a marker is left for the next root session, and the answer says so plainly.
//
// It never throws for a channel's sake: whoever escalates is in trouble already.

import { messageOf } from "../../protocol/errors.ts";
import { withDeadline } from "../deadline.ts";
import { markEscalateFailed } from "../markers/escalate-failed.ts";
import { lastTold, noteTold } from "../markers/told.ts";
import { maskText } from "../mask-argv.ts";
import { type RecordPlace, tryAppendRecord } from "../records.ts";
import type { Channel, ChannelType } from "./channel.ts";
import { type EscalatePorts, type Page, deliver } from "./deliver.ts";
import { fitText } from "./fit-text.ts";

const attemptDeadlineMs = 10_000;
/** A refused connection is refused again at once; a moment later it may not be. */
const pauseBeforeRetryMs = 1000;
const longestBody = 16 * 1024;

export interface EscalateContext extends EscalatePorts {
  readonly home: string;
  readonly constellation: string;
  readonly channels: readonly Channel[];
  /** The reasons why other channels that the owner set up cannot be used. */
  readonly unusable?: readonly string[];
}

export interface ChannelResult {
  readonly channel: ChannelType;
  readonly told: boolean;
  readonly attempts: number;
  /** The reason why it did not work, or the part of it that did not. */
  readonly reason: string | undefined;
}

export interface Escalation {
  /** True when at least one channel took the message. That it was read is more than we can know. */
  readonly told: boolean;
  readonly line: string;
  readonly results: readonly ChannelResult[];
  /** The name of the failure marker, when one was left. */
  readonly marker: string | undefined;
  /** Channels that the owner set up and that cannot be used: why. */
  readonly unusable: readonly string[];
}

export async function escalate(
  context: EscalateContext,
  message: { subject: string; body?: string; urgent?: boolean },
  options: { leaveMarker?: boolean; sameForMs?: number } = {},
): Promise<Escalation> {
  const page = pageOf(context, message);
  const { unusable = [] } = context;
  const nowMs = context.clock.nowMs();
  const toldMs = options.sameForMs === undefined ? undefined : lastTold(context.home, page, nowMs, options.sameForMs);
  if (toldMs !== undefined) {
    const line = `told already at ${new Date(toldMs).toISOString().slice(0, 16)}Z; --again sends it once more`;
    return { told: true, line, results: [], marker: undefined, unusable };
  }
  const results = await Promise.all(context.channels.map((channel) => tryTwice(context, channel, page)));
  const told = results.some((result) => result.told);
  if (told && options.sameForMs !== undefined) noteTold(context.home, page, nowMs);
  const line = lineOf(results, unusable);
  const marker = told || options.leaveMarker === false ? undefined : leaveMarker(context, page, line);
  const place: RecordPlace = context;
  tryAppendRecord(place, "escalations", { subject: page.subject, body: page.body, urgent: page.urgent, told, results });
  return { told, line, results, marker, unusable };
}

function pageOf(context: EscalateContext, message: { subject: string; body?: string; urgent?: boolean }): Page {
  const urgent = message.urgent ?? false;
  const subject =
    maskText(message.subject.slice(0, longestBody)).replace(/\s+/g, " ").trim().slice(0, 200) || "(no subject)";
  return {
    constellation: context.constellation,
    subject: `[${context.constellation}] ${urgent ? "URGENT: " : ""}${subject}`,
    body: maskText(fitText(message.body ?? "", longestBody)),
    urgent,
  };
}

async function tryTwice(context: EscalateContext, channel: Channel, page: Page): Promise<ChannelResult> {
  const first = await attempt(context, channel, page);
  // Those who were told are not told twice for the sake of those who were not.
  if (first.told) return { channel: channel.type, attempts: 1, ...first };
  await context.clock.sleep(pauseBeforeRetryMs);
  return { channel: channel.type, attempts: 2, ...(await attempt(context, channel, page)) };
}

async function attempt(
  context: EscalateContext,
  channel: Channel,
  page: Page,
): Promise<Pick<ChannelResult, "told" | "reason">> {
  try {
    // The port's own deadline comes first, so that it can clean up; ours is for a port that forgets.
    const partly = await withDeadline(context.clock, attemptDeadlineMs + 1000, () =>
      deliver(context, channel, page, attemptDeadlineMs),
    );
    return { told: true, reason: partly === undefined ? undefined : shortened(partly) };
  } catch (cause) {
    return { told: false, reason: shortened(messageOf(cause)) };
  }
}

const shortened = (text: string): string => maskText(text.slice(0, longestBody)).slice(0, 300);

function lineOf(results: readonly ChannelResult[], unusable: readonly string[]): string {
  if (results.length === 0 && unusable.length > 0) return `nobody was told: ${unusable.join("; ")}`;
  if (results.length === 0) return "nobody was told: no channel is configured (set `escalate.channels` in config.toml)";
  const told = results
    .filter((result) => result.told)
    .map(({ channel, reason }) => (reason === undefined ? channel : `${channel} (${reason})`));
  const failed = results
    .filter((result) => !result.told)
    .map((result) => `${result.channel}: ${result.reason}`)
    .concat(unusable);
  if (told.length === 0) return `nobody was told: ${failed.join("; ")}`;
  return `told through ${told.join(", ")}${failed.length === 0 ? "" : `; failed: ${failed.join("; ")}`}`;
}

/** A home that cannot be written must not keep the result from the caller. */
function leaveMarker(context: EscalateContext, page: Page, line: string): string | undefined {
  try {
    return markEscalateFailed(context.home, context.clock.nowMs(), `${page.subject}\n${line}\n\n${page.body}`);
  } catch {
    return undefined;
  }
}

// Crons and loops on the command line.

import { agentNamed } from "../../../floor/agents/agent-names.ts";
import { counted } from "../../../protocol/counted.ts";
import { durationText, parseDuration } from "../../../protocol/duration.ts";
import { isAgentId } from "../../../protocol/agent-id.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { exitCodes } from "../../../protocol/exit-codes.ts";
import type { WaitingCron } from "../../../ports/schedules.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { RunCommand } from "../input/command.ts";
import type { CliContext } from "../context.ts";
import { askYes, canAsk } from "../input/ask.ts";
import { oneLine, table } from "../present/table.ts";
import { utc } from "../present/time.ts";

type Kind = "cron" | "loop";
type Shown = OutputOf<(typeof operations)["schedule.show"]>;
type Action = Shown["schedule"]["action"];

export const addCron: RunCommand = async (context, input) => {
  const caller = await context.caller();
  await caller.call("schedule.add-cron", input.asked("schedule.add-cron", { action: actionOf(input.rest("words")) }));
  return await shown(context, { kind: "cron", label: input.argument("label") });
};

const shortestMs = 60_000;
const longestMs = 604_800_000;

/** The interval stands among the words, so that it is read here. */
function intervalOf(given: string): number {
  const ms = parseDuration(given);
  if (ms >= shortestMs && ms <= longestMs) return ms;
  const range = `${durationText(shortestMs)} to ${durationText(longestMs)}`;
  throw new Refusal("usage.bad-value", `the interval of a loop goes from ${range}, not ${given}`, { given });
}

export const createLoop: RunCommand = async (context, input) => {
  const given = [...input.rest("words")];
  const every = /^(?:\d+[smhd])+$/i.test(given[0] ?? "") ? given.shift() : undefined;
  const label = input.flag("id") ?? `loop-${crypto.randomUUID().slice(0, 6)}`;
  // An agent that names nobody means itself; a person, the root.
  const action = actionOf(given, context.places.agent ?? "agent0");
  const filled = { label, action, ...(every === undefined ? {} : { every_ms: intervalOf(every) }) };
  const caller = await context.caller();
  await caller.call("schedule.add-loop", input.asked("schedule.add-loop", filled));
  return await shown(context, { kind: "loop", label });
};

/** An agent's name first makes it a prompt; else it is a verb, or a prompt for whom it is meant by default. */
function actionOf(
  given: readonly string[],
  otherwise?: string,
): { agent: string; prompt: string } | { verb: string[] } {
  const [first = "", ...rest] = given;
  if (first === "")
    throw new Refusal("usage.missing-argument", "name an agent and what to tell it, or a verb", { argument: "words" });
  const isAgent = /^\d+$/.test(first) || isAgentId(first);
  if (isAgent && rest.length === 0)
    throw new Refusal("usage.missing-argument", `say what to tell ${agentNamed(first)}`, { argument: "words" });
  if (isAgent) return { agent: agentNamed(first), prompt: rest.join(" ") };
  // A prompt is written in quotes and so is one word with blanks in it; verbs are words.
  if (otherwise !== undefined && (given.length === 1 || first.includes(" ")))
    return { agent: otherwise, prompt: given.join(" ") };
  return { verb: [...given] };
}

export const listOf =
  (kind: Kind): RunCommand =>
  async (context) => {
    const answer = await (await context.caller()).call("schedule.list", { kind });
    const waiting = kind === "cron" ? await context.backstage.waitingCrons(context.places.home) : [];
    const text = (): string => {
      const notes = waiting.length === 0 ? [] : [waitingText(waiting)];
      if (answer.schedules.length === 0) return [kind === "cron" ? "No crons." : "No loops.", ...notes].join("\n");
      const rows = answer.schedules.map((one) => [one.label, one.timing, standing(one), actionText(one.action)]);
      return [table([kind, "when", "next", "does"], rows, context.output), ...notes].join("\n");
    };
    return { json: kind === "cron" ? { ...answer, not_accepted: waiting.map(({ label }) => label) } : answer, text };
  };

const waitingText = (waiting: readonly WaitingCron[]): string =>
  `Written into cron.toml by hand and not accepted, so nothing of it fires: ${waiting.map(({ label }) => label).join(", ")}. To read and accept: constel cron accept`;

/** Shows the lines first: what the owner accepts is what the owner was shown, and nothing that it became since. */
export const acceptCrons: RunCommand = async (context, input) => {
  const wanted = input.optional("label");
  const waiting = await context.backstage.waitingCrons(context.places.home);
  const chosen = wanted === undefined ? waiting : waiting.filter(({ label }) => label === wanted);
  if (chosen.length === 0) return nothingToAccept(context, wanted);
  const shown = context.output.safe(chosen.map(({ text }) => text).join("\n"));
  const isAsked = !input.has("yes") && canAsk(context.output);
  if (isAsked) context.output.data(`${shown}\n`);
  if (!input.has("yes") && !(isAsked && askYes(context.output, "Accept this?"))) {
    const text = "Nothing was accepted: add --yes to accept it.";
    const json = { accepted: [], waiting: chosen };
    return { json, text: isAsked ? text : `${shown}\n${text}`, exit: exitCodes.negative };
  }
  const crons = chosen.map(({ label, mark }) => ({ label, mark }));
  const receipt = await (await context.caller()).call("schedule.accept", { crons });
  const done = `Accepted ${receipt.accepted.join(", ")}.`;
  return { json: { ...receipt, waiting: [] }, text: isAsked ? done : `${shown}\n${done}` };
};

async function nothingToAccept(context: CliContext, wanted: string | undefined) {
  // A name that is no cron's is refused as everywhere.
  if (wanted !== undefined) await (await context.caller()).call("schedule.show", { kind: "cron", label: wanted });
  return { json: { accepted: [], waiting: [] }, text: "Every line of cron.toml is accepted." };
}

export const show: RunCommand = (context, input) => shown(context, input.asked("schedule.show"));

async function shown(context: CliContext, named: { kind: Kind; label: string }) {
  const answer = await (await context.caller()).call("schedule.show", named);
  return { json: answer, text: () => showText(answer, context) };
}

function showText({ schedule, next, firings }: Shown, { output }: CliContext): string {
  const lines = [
    `${schedule.kind} ${schedule.label}: ${schedule.timing}; ${isDue(schedule) ? "next " : ""}${standing(schedule)}`,
    `does   ${actionText(schedule.action)}`,
    ...(schedule.until_command === null ? [] : [`until  ${oneLine(schedule.until_command)} succeeds`]),
    ...(schedule.change_command === null ? [] : [`when   ${oneLine(schedule.change_command)} prints something else`]),
    ...(schedule.task === null ? [] : [`ends   with task ${schedule.task}`]),
    ...(schedule.most === null ? [] : [`most   ${counted(schedule.most, "firing")}`]),
    ...next.map((ms, at) => `${at === 0 ? "next " : "     "}  ${utc(ms)}`),
  ];
  if (firings.length === 0) return lines.join("\n");
  const rows = firings.map((one) => [
    utc(one.due_ms),
    one.state,
    one.catch_up ? `late${one.missed > 0 ? `, for ${one.missed} more` : ""}` : "",
    oneLine(one.detail ?? ""),
  ]);
  return `${lines.join("\n")}\n${table(["due", "state", "", "says"], rows, output)}`;
}

const isDue = ({ ended_why, paused, next_ms }: Shown["schedule"]): boolean =>
  ended_why === null && !paused && next_ms !== null;

function standing(one: Shown["schedule"]): string {
  if (one.ended_why !== null) return `ended: ${oneLine(one.ended_why)}`;
  if (one.paused) return "paused";
  const behind =
    one.behind_ms > 0 ? ` (the clock was set back; nothing fires for ${Math.ceil(one.behind_ms / 60_000)} min)` : "";
  return `${one.next_ms === null ? "never" : utc(one.next_ms)}${behind || overdue(one)}`;
}

/** A loop asks its `--until` command first, and waits for the answer. */
function overdue({ kind, next_ms: nextMs }: Shown["schedule"]): string {
  const minutes = nextMs === null ? 0 : Math.floor((Date.now() - nextMs) / 60_000);
  if (kind !== "loop" || minutes < 1) return "";
  return ` (due for ${minutes} min: one of its commands has not ended, or the daemon is not running)`;
}

const actionText = (action: Action): string =>
  "verb" in action ? `constel ${oneLine(action.verb.join(" "))}` : `tell ${action.agent}: ${oneLine(action.prompt)}`;

export const remove: RunCommand = async (context, input) => {
  const receipt = await (await context.caller()).call("schedule.remove", input.asked("schedule.remove"));
  return { json: receipt, text: `Removed ${receipt.label}.` };
};

export const pause: RunCommand = async (context, input) => {
  const asked = input.asked("schedule.pause");
  const receipt = await (await context.caller()).call("schedule.pause", asked);
  return { json: receipt, text: asked.paused ? `${asked.label} is paused.` : `${asked.label} goes on.` };
};

export const run: RunCommand = async (context, input) => {
  const asked = input.asked("schedule.run");
  const receipt = await (await context.caller()).call("schedule.run", asked);
  return { json: receipt, text: `Fired ${asked.label}; for the result: constel ${asked.kind} show ${asked.label}` };
};

export const tick: RunCommand = async (context) => {
  const answer = await (await context.caller()).call("schedule.tick", {});
  const next = answer.next_ms === null ? "Nothing is scheduled." : `Next: ${utc(answer.next_ms)}`;
  const well = answer.problems.length === 0;
  return { json: answer, text: [...answer.problems, next].join("\n"), ...(well ? {} : { exit: exitCodes.negative }) };
};

export const reschedule: RunCommand = async (context, input) => {
  const asked = input.asked("schedule.reschedule");
  const receipt = await (await context.caller()).call("schedule.reschedule", asked);
  return { json: receipt, text: `${asked.label} comes again at ${utc(receipt.next_ms)}.` };
};

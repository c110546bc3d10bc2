// Notices on the command line: what agents were told or will be, and why.

import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { RunCommand } from "../input/command.ts";
import { sayIfNobodyLooks } from "../input/observed.ts";
import { shortOf } from "../present/finding-lines.ts";
import { pathText } from "../present/hunks.ts";
import { sayingCut } from "../present/cut.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";

type Listed = OutputOf<(typeof operations)["notice.list"]>["notices"][number];
type Why = OutputOf<(typeof operations)["notice.why"]>;

const noticeColumns = [
  "id",
  "agent",
  "severity",
  "kind",
  "state",
  "told_ms",
  "told_by",
  "handled_by",
  "title",
] as const;

export const notices: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const wanted = input.asked("notice.list");
  const { agent } = wanted;
  const answer = await caller.list("notice.list", wanted, context.output.json ? undefined : noticeColumns);
  await sayIfNobodyLooks(context);
  const text = (): string => {
    if (answer.total === 0) return agent === undefined ? "No notices." : `No notices for ${agent}.`;
    const rows = answer.notices.map((one) => [
      shortOf(one.id),
      one.agent,
      one.severity,
      one.kind,
      // The reason for it is long, and `why` has it.
      one.state === "handled" ? "handled" : standing(one),
      one.title,
    ]);
    return table(["notice", "agent", "severity", "kind", "state", "what"], rows, context.output);
  };
  const rest = `constel notices --limit ${answer.total}`;
  const cut = { shown: answer.notices.length, total: answer.total, rest };
  return sayingCut({ json: answer, text }, cut, context.output);
};

export const done: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("notice.handle", input.asked("notice.handle"));
  const text = {
    waiting: `${receipt.agent} has not been told yet, so it is not marked.`,
    withdrawn: "It no longer holds, so there is nothing to mark.",
    handled: `Noted: ${receipt.agent} has dealt with it.`,
  }[receipt.state];
  return { json: receipt, text: text ?? `It is ${receipt.state}.` };
};

export const subscribe: RunCommand = async (context, input) => {
  const chosen = ["path", "topic", "service", "capability"].flatMap((name) => [...input.flags(name)]);
  if (chosen.length === 0)
    throw new Refusal(
      "usage.missing-argument",
      "say what to hear of: --path, --topic, --service or --capability",
      {},
      "To end all of it: constel notices unsubscribe.",
    );
  const caller = await context.caller();
  const receipt = await caller.call("notice.subscribe", input.asked("notice.subscribe"));
  return { json: receipt, text: `${receipt.agent} has ${counted(receipt.subscriptions, "subscription")}.` };
};

export const unsubscribe: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("notice.subscribe", input.asked("notice.subscribe"));
  const ended =
    receipt.before === 0
      ? `${receipt.agent} had no subscriptions.`
      : `${receipt.agent} has ended ${counted(receipt.before, "subscription")}.`;
  return { json: receipt, text: `${ended} It still hears what concerns its own work.` };
};

export const subscriptions: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("notice.subscriptions", input.asked("notice.subscriptions"));
  const text = (): string => {
    if (answer.subscriptions.length === 0) return "No subscriptions. constel notices subscribe makes one.";
    const rows = answer.subscriptions.map(({ agent: of, what, value, repository }) => [
      of,
      what,
      value,
      what === "path" ? (repository ?? "every repository") : "",
    ]);
    return table(["agent", "what", "value", "in"], rows, context.output);
  };
  return { json: answer, text };
};

export const why: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("notice.why", input.asked("notice.why"));
  return { json: answer, text: () => explained(answer, context.output.paint).join("\n") };
};

function explained(
  answer: Why,
  paint: { readonly dim: (text: string) => string; readonly bold: (text: string) => string },
) {
  const over = answer.ended_because === null ? "" : `: ${answer.ended_because}`;
  return [
    `${paint.dim(answer.id)}  for ${answer.agent}, ${answer.severity} ${answer.kind}`,
    answer.title,
    `${standing(answer)}${over}`,
    ...(answer.means === null ? [] : [paint.dim(`${answer.kind}: ${answer.means}`)]),
    paint.bold(`why ${answer.agent}`),
    ...answer.reasons.map(({ rule, fact }) => `  ${rule}: ${pathText(fact)}`),
    paint.bold("what it rests on"),
    ...answer.facts.flatMap((fact) => [
      `  ${fact.source}  ${fact.title}${fact.with === "" ? "" : ` (with ${fact.with})`}`,
      ...(fact.over === null ? [] : [`    over: ${fact.over}`]),
    ]),
    ...(answer.facts.length === 0 ? ["  nothing any more"] : []),
    paint.bold(`what ${answer.agent} was told, the newest first`),
    ...answer.tellings.map(
      (one) => `  ${utc(one.told_ms ?? one.offered_ms)}  ${one.over ? "that it is over: " : ""}${toldHow(one)}`,
    ),
    ...(answer.tellings.length === 0 ? ["  nothing yet"] : []),
  ];
}

const moments: Readonly<Record<Why["tellings"][number]["moments"][number], string>> = {
  start: "when its session starts",
  prompt: "at its next prompt",
  edit: "before it edits one of the files",
  stop: "before it idles",
};

function toldHow(one: Why["tellings"][number]): string {
  const when = one.moments.map((moment) => moments[moment]).join(", or ");
  switch (one.state) {
    case "offered":
      return one.way === "message" ? "ready to be sent as a message" : `ready; its hook says it ${when}`;
    case "sent":
      return "sent as a message; no proof yet that it arrived";
    case "told":
      return `told, ${proofOf(one.told_by)}${one.told_to === null ? "" : `, in conversation ${one.told_to.slice(0, 40)}`}`;
    case "lost":
      return "its hook took it up and ended before it spoke; it was offered again";
    case "dropped":
      return "taken back before anybody heard it";
  }
}

/** `hook tool-began`, `message tel_…`. */
function proofOf(by: string | null): string {
  if (by === null) return "without a proof that is kept";
  const [way, what] = by.split(" ", 2);
  if (way !== "hook") return `by ${by}`;
  return `by its hook ${hookMoments[what ?? ""] ?? `(${what})`}`;
}

const hookMoments: Readonly<Record<string, string>> = {
  "session-started": "at the start of a session",
  "prompt-submitted": "at a prompt",
  "tool-began": "before an edit",
  other: "before it idled",
};

function standing({
  state,
  told_ms: toldMs,
  told_by: toldBy,
  handled_by: handledBy,
}: Pick<Listed, "state" | "told_ms" | "told_by" | "handled_by">): string {
  if (state === "handled") return `handled: ${handledBy ?? "by its agent"}`;
  if (state !== "told" || toldMs === null) return state;
  return `told ${utc(toldMs)}, ${proofOf(toldBy)}`;
}

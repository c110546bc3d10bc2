// Notices on the command line: what agents were told or will be, and why.

import { counted } from "../../../protocol/counted.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { RunCommand } from "../command.ts";
import { repositoryOf, sayIfNobodyLooks } from "../observed.ts";
import { shortOf } from "../present/finding-lines.ts";
import { pathText } from "../present/hunks.ts";
import { sayingCut } from "../present/cut.ts";
import { table } from "../present/table.ts";
import { utc } from "../present/time.ts";
import { wholeNumber } from "../whole-number.ts";

type Listed = OutputOf<(typeof operations)["notice.list"]>["notices"][number];
type Why = OutputOf<(typeof operations)["notice.why"]>;

export const notices: RunCommand = async (context, input) => {
  const agent = input.flag("agent");
  const limit = wholeNumber(input, "limit", 50);
  const caller = await context.caller();
  const answer = await caller.call("notice.list", {
    ...(agent === undefined ? {} : { agent }),
    all: input.has("all"),
    limit,
  });
  await sayIfNobodyLooks(context);
  const text = (): string => {
    if (answer.total === 0) return agent === undefined ? "No notices." : `No notices for ${agent}.`;
    const rows = answer.notices.map((one) => [
      shortOf(one.id),
      one.agent,
      one.severity,
      one.kind,
      standing(one),
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
  const receipt = await caller.call("notice.handle", { id: input.argument("id") });
  const text = {
    waiting: `${receipt.agent} has not been told yet.`,
    withdrawn: "It no longer holds.",
    handled: `${receipt.agent} is done with it.`,
  }[receipt.state];
  return { json: receipt, text: text ?? `It is ${receipt.state}.` };
};

export const subscribe: RunCommand = async (context, input) => {
  const agent = input.flag("agent");
  const caller = await context.caller();
  const receipt = await caller.call("notice.subscribe", {
    ...(agent === undefined ? {} : { agent }),
    ...repositoryOf(context, input),
    paths: [...input.flags("path")],
    topics: [...input.flags("topic")],
    services: [...input.flags("service")],
    capabilities: [...input.flags("capability")],
  });
  return { json: receipt, text: `${receipt.agent} has ${counted(receipt.subscriptions, "subscription")}.` };
};

export const why: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("notice.why", { id: input.argument("notice") });
  return { json: answer, text: () => explained(answer, context.output.paint).join("\n") };
};

function explained(
  answer: Why,
  paint: { readonly dim: (text: string) => string; readonly bold: (text: string) => string },
) {
  const over = answer.ended_because === null ? "" : `: ${answer.ended_because}`;
  return [
    `${paint.dim(answer.id)}  for ${answer.agent}, ${answer.severity} ${answer.kind}, ${standing(answer)}${over}`,
    answer.title,
    ...(answer.means === null ? [] : [paint.dim(`${answer.kind}: ${answer.means}`)]),
    paint.bold(`why ${answer.agent}`),
    ...answer.reasons.map(({ rule, fact }) => `  ${rule}: ${pathText(fact)}`),
    paint.bold("what it rests on"),
    ...answer.facts.flatMap((fact) => [
      `  ${fact.source}  ${fact.title}${fact.with === "" ? "" : ` (with ${fact.with})`}`,
      ...(fact.over === null ? [] : [`    over: ${fact.over}`]),
    ]),
    ...(answer.facts.length === 0 ? ["  nothing any more"] : []),
    paint.bold("tellings"),
    ...answer.tellings.map(
      (one) =>
        `  ${utc(one.told_ms ?? one.offered_ms)}  ${one.over ? "that it is over, " : ""}${one.state}${one.told_by === null ? ` by ${one.way}${one.moments.length === 0 ? "" : ` (at ${one.moments.join(", ")})`}` : ` by ${one.told_by}`}`,
    ),
    ...(answer.tellings.length === 0 ? ["  none yet"] : []),
  ];
}

function standing({ state, told_ms: toldMs, told_by: toldBy }: Pick<Listed, "state" | "told_ms" | "told_by">): string {
  if (state !== "told" || toldMs === null) return state;
  return `told ${utc(toldMs)}${toldBy === null ? "" : `, ${toldBy.split(" ", 2).join(" ")}`}`;
}

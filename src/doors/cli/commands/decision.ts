// Decisions on the command line.

import type { operations } from "../../../protocol/operations/all.ts";
import type { OutputOf } from "../../../protocol/operation.ts";
import type { RunCommand } from "../input/command.ts";
import { sayingCut } from "../present/cut.ts";
import { shortOf } from "../present/finding-lines.ts";
import { oneLine, table } from "../present/table.ts";
import { utc } from "../present/time.ts";
import { maskedNote } from "./publish.ts";

type Decision = OutputOf<(typeof operations)["decision.show"]>;

export const add: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("decision.record", input.asked("decision.record"));
  const verified = receipt.owner_verified ? ", verified by the owner" : "";
  const masked = receipt.masked ? ` ${maskedNote}` : "";
  return { json: receipt, text: `Recorded as ${receipt.state}${verified} (${shortOf(receipt.id)}).${masked}` };
};

export const list: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("decision.list", input.asked("decision.list"));
  const text = (): string =>
    answer.decisions.length === 0
      ? "No decisions."
      : table(
          ["decision", "state", "by", "recorded", "title"],
          answer.decisions.map((one) => [
            shortOf(one.id),
            one.state,
            one.owner_verified && one.recorded_by !== "owner" ? `${one.recorded_by}, owner` : one.recorded_by,
            utc(one.recorded_ms),
            oneLine(one.title),
          ]),
          context.output,
        );
  const rest = `constel decision ls --limit ${answer.total}`;
  return sayingCut(
    { json: answer, text },
    { shown: answer.decisions.length, total: answer.total, rest },
    context.output,
  );
};

export const show: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const one = await caller.call("decision.show", input.asked("decision.show"));
  return { json: one, text: lines(one).join("\n") };
};

export const settle: RunCommand = async (context, input) => {
  const asked = input.asked("decision.settle");
  const one = await (await context.caller()).call("decision.settle", asked);
  const verified = asked.verdict === "accept" && one.owner_verified ? ", verified by the owner" : "";
  return { json: one, text: `${shortOf(one.id)} is ${one.state}${verified}.` };
};

function lines(one: Decision): string[] {
  const facts: [string, string | null][] = [
    ["state", one.state],
    ["recorded", `${utc(one.recorded_ms)} by ${one.recorded_by}${one.owner_verified ? ", verified by the owner" : ""}`],
    ["files", one.files.length === 0 ? null : one.files.join(", ")],
    ["repository", one.repository],
    ["service", one.service],
    ["task", one.task === null ? null : String(one.task)],
    ["reason", one.reason],
    ["supersedes", one.supersedes],
    ["superseded by", one.superseded_by],
  ];
  return [
    `${one.title} (${one.id})`,
    ...facts.flatMap(([name, value]) => (value === null ? [] : [`  ${name}: ${value}`])),
    ...(one.text === "" ? [] : ["", one.text]),
  ];
}

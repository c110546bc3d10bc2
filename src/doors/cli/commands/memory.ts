// Memory on the command line.

import { counted } from "../../../protocol/counted.ts";
import type { RunCommand } from "../input/command.ts";
import { sayingCut } from "../present/cut.ts";
import { shortOf } from "../present/finding-lines.ts";
import { oneLine, table } from "../present/table.ts";
import { maskedNote } from "./publish.ts";

export const add: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("memory.remember", input.asked("memory.remember"));
  const masked = receipt.masked ? ` ${maskedNote}` : "";
  return {
    json: receipt,
    text: `${receipt.renewed ? "Remembered already; renewed" : "Remembered"} (${shortOf(receipt.id)}).${masked}`,
  };
};

export const recall: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const answer = await caller.call("memory.recall", input.asked("memory.recall"));
  const stale =
    input.has("stale") || answer.stale === 0
      ? ""
      : `${counted(answer.stale, "memory", "memories")} no longer told: \`constel memory recall --stale\``;
  const text = (): string =>
    answer.memories.length === 0
      ? ["Nothing is remembered about that.", stale].filter(Boolean).join(" ")
      : table(
          ["memory", "by", "for", "pinned", "while", "text"],
          answer.memories.map((one) => [
            shortOf(one.id),
            one.by,
            one.audience,
            one.pinned ? "yes" : "",
            one.valid_while === null ? "" : `${one.valid_while.path}${one.valid_while.holds ? "" : " (changed)"}`,
            oneLine(one.text),
          ]),
          context.output,
        );
  const rest = `constel memory recall --limit ${Math.min(answer.total, 100)}`;
  return sayingCut(
    { json: answer, text },
    { shown: answer.memories.length, total: answer.total, rest },
    context.output,
  );
};

export const pin: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const one = await caller.call("memory.pin", input.asked("memory.pin"));
  return { json: one, text: `${shortOf(one.id)} is ${one.pinned ? "pinned" : "no longer pinned"}.` };
};

export const forget: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("memory.forget", input.asked("memory.forget"));
  return { json: receipt, text: "Forgotten." };
};

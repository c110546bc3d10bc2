// Memory on the command line.

import type { RunCommand } from "../input/command.ts";
import { sayingCut } from "../present/cut.ts";
import { shortOf } from "../present/finding-lines.ts";
import { oneLine, table } from "../present/table.ts";
import { wholeNumber } from "../input/whole-number.ts";
import { maskedNote, scopeOf, wordsOf } from "./publish.ts";

export const add: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("memory.remember", {
    text: wordsOf(input, "text"),
    own: input.has("own"),
    pinned: input.has("pin"),
    ...scopeOf(context, input),
  });
  const masked = receipt.masked ? ` ${maskedNote}` : "";
  return {
    json: receipt,
    text: `${receipt.renewed ? "Remembered already; renewed" : "Remembered"} (${shortOf(receipt.id)}).${masked}`,
  };
};

export const recall: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const query = input.rest("words").join(" ").trim();
  const answer = await caller.call("memory.recall", {
    pinned: input.has("pinned"),
    limit: wholeNumber(input, "limit", 20),
    ...scopeOf(context, input),
    ...(query === "" ? {} : { query }),
  });
  const text = (): string =>
    answer.memories.length === 0
      ? "Nothing is remembered about that."
      : table(
          ["memory", "by", "for", "pinned", "text"],
          answer.memories.map((one) => [
            shortOf(one.id),
            one.by,
            one.audience,
            one.pinned ? "yes" : "",
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
  const one = await caller.call("memory.pin", { id: input.argument("id"), pinned: !input.has("off") });
  return { json: one, text: `${shortOf(one.id)} is ${one.pinned ? "pinned" : "no longer pinned"}.` };
};

export const forget: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call("memory.forget", { id: input.argument("id") });
  return { json: receipt, text: "Forgotten." };
};

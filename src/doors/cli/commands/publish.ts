// Publishing typed events on the command line.

import { counted } from "../../../protocol/counted.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { RunCommand } from "../input/command.ts";
import { shortOf } from "../present/finding-lines.ts";

export const publish: RunCommand = async (context, input) => {
  const caller = await context.caller();
  const receipt = await caller.call(
    "event.publish",
    input.asked("event.publish", { fields: fieldsOf(input.flags("field")) }),
  );
  const to = receipt.recipients === 0 ? "; it concerns nobody now" : ` to ${counted(receipt.recipients, "agent")}`;
  if (receipt.approval !== null)
    return {
      json: receipt,
      text: `Held until the owner allows it (constel approvals allow ${shortOf(receipt.approval)}); you are told of the answer.${receipt.masked ? ` ${maskedNote}` : ""}`,
    };
  const again = receipt.already ? "Published before" : "Published";
  const strangers = receipt.unknown.length === 0 ? "" : ` Never seen here: ${receipt.unknown.join(", ")}.`;
  return {
    json: receipt,
    text: `${again}${to} (${shortOf(receipt.id)}).${strangers}${receipt.masked ? ` ${maskedNote}` : ""}`,
  };
};

export const maskedNote = "What looked like a secret was taken out.";

function fieldsOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1)
        throw new Refusal("usage.bad-value", `--field takes NAME=VALUE, not ${JSON.stringify(pair)}`, { pair });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

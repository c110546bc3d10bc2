// A loop may run verbs as the owner's and tell agents things in constel's name, and any process of the account can write its file. So constel seals
// what it writes, in a last line that is a comment, and takes no other file for a loop; and of those only the one that the register names, so
// that no earlier one comes back. The lines of cron.toml are accepted one by one (core/schedules/accepted-crons.ts).

import { createHash } from "node:crypto";
import { isConstels, sealForConstel } from "../host/keys/seal-for-constel.ts";
import { Refusal } from "../protocol/errors.ts";
import { markOfText, type ScheduleRegister } from "./schedule-register.ts";

const begins = "# constel ";

/** The text with its seal; as it is where there is no key yet. */
export function sealLoop(home: string, id: string, text: string): string {
  const line = sealForConstel(home)(statement(id, text));
  return line === statement(id, text) ? text : `${text.replace(/\n?$/, "\n")}${begins}${line}\n`;
}

/** The text without its seal. Refused when constel did not write it so, or not last. */
export function openLoop(
  home: string,
  id: string,
  written: string,
  path: string,
  register: ScheduleRegister["loops"] | undefined,
): string {
  const at = written.lastIndexOf(`\n${begins}`) + 1;
  const text = at === 0 ? written : written.slice(0, at);
  const line = at === 0 ? "" : written.slice(at + begins.length).trimEnd();
  const isWhole = line.startsWith(statement(id, text).slice(0, -1));
  const counts = register === undefined || register[id]?.includes(markOfText(written)) === true;
  if (counts && isConstels(home)(line) && (isWhole || line === "")) return text;
  throw new Refusal(
    "config.malformed",
    `${path} was not written by constel in this form, so nothing in it is carried out`,
    { path },
    `\`constel loop remove ${id}\` removes it; \`constel loop create\` makes it anew.`,
  );
}

/** Of this loop alone: the file of one cannot be laid down as another's. */
const statement = (id: string, text: string): string =>
  JSON.stringify({ loop: id, sha256: createHash("sha256").update(text).digest("hex") });

// Says that a list is not the whole: what is cut without a word passes for all there is.

import type { CommandResult } from "../input/command.ts";
import type { Output } from "./output.ts";

export interface Cut {
  readonly shown: number;
  /** The number of all items. Undefined when it is only known that there are more. */
  readonly total: number | undefined;
  /** The command that shows the rest. */
  readonly rest: string;
}

/** The line below a list that was cut; none when it is whole. */
export function cutLine({ shown, total, rest }: Cut): string | undefined {
  if (total !== undefined && total <= shown) return undefined;
  return total === undefined
    ? `Only the newest ${shown} are shown. More: ${rest}`
    : `Shown: ${shown} of ${total}. More: ${rest}`;
}

/** JSON is data alone and keeps its shape, so the line goes to stderr there. */
export function sayingCut(result: CommandResult, cut: Cut, output: Output): CommandResult {
  const line = cutLine(cut);
  if (line === undefined) return result;
  if (output.json) output.say(line);
  const { text } = result;
  return { ...result, text: () => `${typeof text === "function" ? text() : text}\n${line}` };
}

// A flag that is a count.

import { Refusal } from "../../../protocol/errors.ts";
import type { CommandInput } from "./command.ts";

export function wholeNumber<Otherwise>(input: CommandInput, flag: string, otherwise: Otherwise): number | Otherwise {
  const text = input.flag(flag);
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new Refusal("usage.bad-value", `--${flag} takes a whole number above 0`, { flag });
  return Number(text);
}

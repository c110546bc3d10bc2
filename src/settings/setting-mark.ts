// A short mark of a setting's value, by which two processes see whether they have the same one without showing it: too short to guess a
// password by.

import { type Config, type ConfigValue, settingKeys } from "./declarations.ts";

export function settingMark(value: ConfigValue): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 8);
}

/** Of every setting, by its key. */
export const settingMarks = (config: Config): Record<string, string> =>
  Object.fromEntries(settingKeys.map((key) => [key, settingMark(config[key])]));

// The agents of others that ours may ask over A2A, from the setting `a2a.remotes`. The owner names each with its address, and, where it wants
// one, the file with the token that its owner made. No secret stands in the settings.

import { isAbsolute } from "node:path";
import { Refusal } from "../protocol/errors.ts";

export interface Remote {
  /** As the owner calls it. */
  readonly name: string;
  readonly url: string;
  readonly tokenFile?: string;
  /** Its card must be signed by one of these. None: whoever is at the address is taken for it. */
  readonly keys: readonly string[];
}

export function remotesIn(tables: readonly Readonly<Record<string, unknown>>[]): readonly Remote[] {
  const seen = new Set<string>();
  return tables.map((table, index) => {
    const refuse = (problem: string): Refusal =>
      new Refusal("config.malformed", `a2a.remotes, table ${index + 1}: ${problem}`, { table: index + 1 });
    const text = (key: string): string => (typeof table[key] === "string" ? table[key] : "");
    const name = text("name");
    if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) throw refuse("name must be lower-case letters, digits and dashes");
    if (seen.has(name)) throw refuse(`there is a ${name} already`);
    seen.add(name);
    const url = text("url");
    if (!/^https?:\/\/[^\s\\]+$/.test(url) || !URL.canParse(url)) throw refuse("url must be an https or http address");
    const tokenFile = text("token_file");
    if (tokenFile !== "" && !isAbsolute(tokenFile)) throw refuse("token_file must be an absolute path");
    const keys = text("keys")
      .split(/\s+/)
      .filter((word) => word !== "");
    return { name, url, ...(tokenFile === "" ? {} : { tokenFile }), keys };
  });
}

// The owner's accounts of agent programs, from the setting `agents.accounts`: each is a directory in which the program keeps its own login and
// configuration. constel names the directory to the program; what is in it is the program's business, and no secret is kept by constel.

import { isAbsolute } from "node:path";
import { Refusal } from "../protocol/errors.ts";

export interface Account {
  /** As the owner calls it. */
  readonly name: string;
  readonly runtime: string;
  readonly directory: string;
}

/** In the owner's order: that is the order in which agents go on with them. */
export function accountsIn(tables: readonly Readonly<Record<string, unknown>>[]): readonly Account[] {
  const seen = new Set<string>();
  return tables.map((table, index) => {
    const refuse = (problem: string): Refusal =>
      new Refusal("config.malformed", `agents.accounts, table ${index + 1}: ${problem}`, { table: index + 1 });
    const unknown = Object.keys(table).find((key) => !keys.has(key));
    if (unknown !== undefined) throw refuse(`there is no ${unknown}`);
    const text = (key: string): string => {
      const value = table[key];
      if (typeof value !== "string" || value.trim() === "") throw refuse(`${key} must be a text`);
      return value;
    };
    const account = { name: text("name"), runtime: text("runtime"), directory: text("directory") };
    if (!plainName.test(account.name) || account.name === usualAccount)
      throw refuse(`name must be lower-case letters, digits and dashes, and not ${JSON.stringify(usualAccount)}`);
    if (!isAbsolute(account.directory)) throw refuse("directory must be an absolute path");
    const key = `${account.runtime} ${account.name}`;
    if (seen.has(key)) throw refuse(`${account.runtime} has an account ${account.name} already`);
    seen.add(key);
    return account;
  });
}

/** Stands for the account that the program uses by itself. */
export const usualAccount = "usual";

const keys: ReadonlySet<string> = new Set(["name", "runtime", "directory"]);
const plainName = /^[a-z0-9][a-z0-9-]{0,31}$/;

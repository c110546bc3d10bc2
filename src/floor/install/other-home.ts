// Finds the home of constel that the hook lines in a person's settings lead to. One set of lines is enough for a file: a second home would
// have every hook run twice, and whoever undid one of them would take the other's away with it.

import { existsSync } from "node:fs";
import { Refusal } from "../../protocol/errors.ts";
import type { FilePlan } from "./plan-install.ts";

export interface OwnHome {
  /** The home that is installed from. */
  readonly home: string;
  /** The one that lines lead to which name none. */
  readonly usual: string;
}

/** Refuses lines that were installed from another home: only that home may change and undo them, as long as it exists. */
export function refuseOtherHome({ target: { path, runtime }, file }: FilePlan, own: OwnHome): void {
  const other = otherHome(file.text, runtime, own);
  if (other === undefined || !existsSync(other)) return;
  throw new Refusal("install.other-home", `the hooks in ${path} lead to another home of constel: ${other}`, {
    path,
    home: other,
  });
}

/** The first home in the text that is not this one; undefined where there is none. */
export function otherHome(text: string, runtime: string, { home, usual }: OwnHome): string | undefined {
  // In JSON each backslash is written twice.
  const lines = text.replaceAll("\\\\", "\\").matchAll(hookLines);
  return [...lines]
    .filter(([, , name]) => name === runtime)
    .map(([, named]) => (named === undefined ? usual : unquoted(named)))
    .find((named) => named !== home);
}

/** As `constel install` writes them: the home as one word of a shell, when it is not the usual one. */
const hookLines = /(?:export ((?:'[^']*'|\\'|[^\s;'\\])+); )?exec [^"]*? hook (\w+) --guest/g;

const unquoted = (word: string): string =>
  word.replaceAll(/'([^']*)'|\\'/g, (_, inner?: string) => inner ?? "'").replace("CONSTEL_HOME=", "");

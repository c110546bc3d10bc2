// A home belongs to one account. Another one's commands, root's too, are refused before they have read or left anything there.

import { readFileSync, statSync } from "node:fs";
import { Refusal } from "../protocol/errors.ts";
import { shellLine } from "../protocol/shell-line.ts";

export function anothersHome(home: string): Refusal {
  const own = process.getuid?.() ?? 0;
  const owner = ownerOf(home);
  const facts = { home, owner: owner ?? null, account: own };
  if (owner === undefined)
    return new Refusal("home.not-yours", `${home} is out of reach for this account (${accountName(own)})`, facts);
  const name = accountName(owner);
  const message = `${home} belongs to another account (${name}); this is ${accountName(own)}`;
  if (own === 0) return new Refusal("home.not-yours", message, facts, `Run it as ${name}, or ${ownHome}.`);
  // A command that was once given with root's rights is the usual reason.
  const back = owner === 0 ? `If it is yours: \`${takingBack(home)}\`. Otherwise ${ownHome}.` : undefined;
  return new Refusal("home.not-yours", message, facts, back);
}

/** Returns the command that gives all of it back to the owner. */
export const takingBack = (path: string): string =>
  shellLine(["sudo", "chown", "-R", String(process.getuid?.()), path]);

const ownHome = "set CONSTEL_HOME to a directory of your own";

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}

/** Its name where the machine keeps a list of them, else its number. */
export function accountName(uid: number): string {
  try {
    const [name] = new RegExp(`^[^:\\n]+(?=:[^:]*:${uid}:)`, "m").exec(readFileSync("/etc/passwd", "utf8")) ?? [];
    return name ?? `uid ${uid}`;
  } catch {
    return `uid ${uid}`;
  }
}

// Reads what the setting `gate.pairs` says about a repository. The owner opts in there, in the home: no repository can do it for itself,
// because the gate runs its code.

import type { Context } from "../../core/context.ts";
import { findRepository } from "../../core/worktrees/register.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { GateWish } from "../../sensing/gate-command.ts";

export interface GatePair extends GateWish {
  readonly repository: string;
}

const settleSeconds = 10;

export function readGatePairs(tables: readonly Readonly<Record<string, unknown>>[]): GatePair[] {
  return tables.map((table, index) => {
    const where = `gate.pairs[${index}]`;
    const complain = (what: string): Refusal => new Refusal("config.malformed", `${where}: ${what}`, { where });
    const { repository, command, deadline_seconds: deadline, settle_seconds: settle = settleSeconds, ...more } = table;
    const [extra] = Object.keys(more);
    if (extra !== undefined) throw complain(`${extra} is not known here`);
    if (typeof repository !== "string" || repository === "") throw complain("repository must be a name");
    if (command !== undefined && (typeof command !== "string" || command.trim() === ""))
      throw complain("command must be a shell command");
    if (deadline !== undefined && !isSeconds(deadline)) throw complain("deadline_seconds must lie between 1 and 86400");
    if (settle !== 0 && !isSeconds(settle)) throw complain("settle_seconds must lie between 0 and 86400");
    const deadlineMs = deadline === undefined ? undefined : deadline * 1000;
    return { repository, command, deadlineMs, settleMs: settle * 1000 };
  });
}

/** The first that means this repository; undefined when none does. */
export async function gateWish(
  context: Pick<Context, "store" | "clock">,
  pairs: readonly GatePair[],
  repository: string,
): Promise<GateWish | undefined> {
  for (const { repository: word, ...wish } of pairs) {
    if (word === "*" || (await means(context, word, repository))) return wish;
  }
  return undefined;
}

async function means(context: Pick<Context, "store" | "clock">, word: string, repository: string): Promise<boolean> {
  try {
    return (await findRepository(context, word)).identity === repository;
  } catch (cause) {
    if (cause instanceof Refusal) return false; // not observed, or not one only
    throw cause;
  }
}

const isSeconds = (value: unknown): value is number => typeof value === "number" && value >= 1 && value <= 86_400;

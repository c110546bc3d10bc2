// Of all that breaks in a contract, what concerns one consumer: what it was seen to ask for, what its work has not followed yet, and nothing
// twice. Pure.

import type { BrokenContract } from "./contract-findings.ts";
import type { ContractOutcome } from "./contract-outcome.ts";
import type { NameUses } from "./find-uses.ts";
import type { Consumer } from "./service-graph.ts";

/** In the consumer's repository. */
export interface FoundBroken {
  readonly repository: string;
  readonly broken: BrokenContract;
}

/** Only what a consumer was seen to ask for; undefined where nothing of it breaks. Changes of no operation concern everybody. */
export function askedFor(outcome: ContractOutcome, { operations }: Consumer): ContractOutcome | undefined {
  const { result } = outcome;
  if (operations === null || result.kind === "unreadable" || result.breaking.length === 0) return outcome;
  const isOperation = (path: string): boolean => /^[A-Z]+ \//.test(path);
  const concerns = (path: string): boolean =>
    operations.some((one) =>
      one.includes(" /")
        ? !isOperation(path) || path === one || path.startsWith(`${one} `) || isWildcard(one, path)
        : path.includes(one),
    );
  const breaking = result.breaking.filter(({ path }) => concerns(path));
  return breaking.length === 0 ? undefined : { ...outcome, result: { ...result, breaking } };
}

const isWildcard = (operation: string, path: string): boolean =>
  operation.startsWith("* ") && path.slice(path.indexOf(" ") + 1).startsWith(operation.slice(2));

/** Without what the work follows already: a name that went is no longer used, one that came is. Nothing is, where that is not known. */
export function unfollowed(outcome: ContractOutcome, uses: NameUses | undefined): ContractOutcome | undefined {
  const { result } = outcome;
  if (result.kind === "unreadable") return undefined;
  if (uses === undefined) return outcome;
  const [used, unsure] = [new Set(uses.used), new Set(uses.unsure)];
  const breaking = result.breaking.filter(({ before, after, names }) => {
    const isUsed = names.some((name) => used.has(name));
    if (names.length === 0) return true;
    if (after === null) return isUsed || names.some((name) => unsure.has(name));
    return before === null ? !isUsed : true;
  });
  return breaking.length === 0 ? undefined : { ...outcome, result: { ...result, breaking } };
}

/** Leaves out changes that have landed: if a worktree of the provider still holds one, it is told once, as landed. */
export function withoutLanded(found: readonly FoundBroken[], landed: readonly FoundBroken[]): FoundBroken[] {
  const keyOf = (path: string | null, contract: string, rule: string, at: string): string =>
    JSON.stringify([path, contract, rule, at]);
  const known = new Set(
    landed.flatMap(({ broken: { sides, outcome } }) =>
      outcome.result.kind === "compared"
        ? outcome.result.breaking.map((one) => keyOf(sides.ours.worktree, outcome.contract, one.rule, one.path))
        : [],
    ),
  );
  return found.flatMap((one) => {
    const { outcome, sides } = one.broken;
    if (outcome.result.kind === "unreadable" || outcome.result.breaking.length === 0) return [one];
    const breaking = outcome.result.breaking.filter(
      ({ rule, path }) => !known.has(keyOf(sides.ours.worktree, outcome.contract, rule, path)),
    );
    if (breaking.length === 0) return [];
    return [{ ...one, broken: { ...one.broken, outcome: { ...outcome, result: { ...outcome.result, breaking } } } }];
  });
}

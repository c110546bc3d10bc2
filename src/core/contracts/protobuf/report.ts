// Collects the changes that the comparisons of a protobuf contract find, and names what there were no steps left for.

import type { Budget } from "../budget.ts";
import { ChangeList } from "../change-list.ts";
import type { ContractDirection, ContractVerdict } from "../format.ts";

interface Told {
  readonly path: string;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly text: string;
  readonly names: readonly string[];
  readonly direction?: ContractDirection;
}

/** A field or a value is a few look-ups: so many of them make one step. */
const membersInStep = 8;

export class Report {
  readonly changes = new ChangeList();
  readonly #budget: Budget;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Takes the steps for a definition with so many members; where none are left, it is named as left out. */
  mayCompare(fullName: string, members: number): boolean {
    if (this.#budget.spend(1 + Math.ceil(members / membersInStep))) return true;
    this.changes.leaveOut(fullName);
    return false;
  }

  breaking(rule: string, told: Told): void {
    this.#add(rule, "breaking", told);
  }

  dangerous(rule: string, told: Told): void {
    this.#add(rule, "dangerous", told);
  }

  compatible(rule: string, told: Told): void {
    this.#add(rule, "compatible", told);
  }

  #add(rule: string, verdict: ContractVerdict, { path, before, after, text, names, direction }: Told): void {
    this.changes.add({
      rule,
      verdict,
      path,
      direction: direction ?? null,
      before: short(before ?? null),
      after: short(after ?? null),
      text,
      names,
    });
  }
}

function short(value: string | null): string | null {
  return value !== null && value.length > 200 ? `${value.slice(0, 199)}…` : value;
}

/** The last part of a full name, as generated code calls it. */
export function lastName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf(".") + 1);
}

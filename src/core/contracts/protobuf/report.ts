// Collects the changes that the comparisons of a protobuf contract find.

import { cutChange } from "../cut-change.ts";
import type { ContractChange, ContractDirection, ContractVerdict } from "../format.ts";

interface Told {
  readonly path: string;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly text: string;
  readonly names: readonly string[];
  readonly direction?: ContractDirection;
}

export class Report {
  readonly changes: ContractChange[] = [];

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
    this.changes.push(
      cutChange({
        rule,
        verdict,
        path,
        direction: direction ?? null,
        before: short(before ?? null),
        after: short(after ?? null),
        text,
        names,
      }),
    );
  }
}

function short(value: string | null): string | null {
  return value !== null && value.length > 200 ? `${value.slice(0, 199)}…` : value;
}

/** The last part of a full name, as generated code calls it. */
export function lastName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf(".") + 1);
}

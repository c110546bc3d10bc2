// Declares what every contract format answers: two versions of a specification in, the changes between them out, each with the rule that
// judged it. One folder a format (openapi/, graphql/, asyncapi/, protobuf/, json-schema/); all.ts lists them. A format reads files only
// through the source it is given, so it never fetches anything and never leaves the snapshot.

import type { Budget } from "./budget.ts";

export type ContractVerdict = "breaking" | "dangerous" | "compatible";

/** The sender of what the change is about: a request or a published message comes from the other side, seen from the contract. */
export type ContractDirection = "request" | "response" | "publish" | "subscribe";

export interface ContractChange {
  /** Stable: people silence and count by it. `request-property-became-required`. */
  readonly rule: string;
  readonly verdict: ContractVerdict;
  /** The place in the contract, in the format's own words: `POST /orders request body.customer.id`, `Order.total`, `shop.v1.Order#4`. */
  readonly path: string;
  /** null where a change has no direction: a GraphQL type, a message that travels both ways. */
  readonly direction: ContractDirection | null;
  /** As a person would write them, short; null where there was or is nothing. */
  readonly before: string | null;
  readonly after: string | null;
  /** One sentence: what changed and what it does to whom. */
  readonly text: string;
  /** The names a consumer's code would hold (fields, operations, routes), for finding the lines that use them. */
  readonly names: readonly string[];
}

/** One version of a specification: its entry file, and the files beside it. */
export interface ContractSource {
  readonly entry: string;
  /** Text of a file of the same snapshot by its path, `/` between parts; undefined when it is not there or is no text. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Paths below a directory, for formats whose files name each other by package; undefined where they cannot be listed. */
  readonly list?: (directory: string) => Promise<readonly string[]>;
}

/** The reason why a specification cannot be judged. It is a finding of its own, never "no change". */
export interface ContractProblem {
  readonly side: "before" | "after";
  readonly path: string;
  /** From 1; null where the problem has no line (a missing file). */
  readonly line: number | null;
  readonly message: string;
}

export type ContractComparison =
  | {
      readonly kind: "compared";
      readonly changes: readonly ContractChange[];
      /** The parts that were not looked at, and why: a remote reference, a bound. Then silence about them proves nothing. */
      readonly notes: readonly string[];
      readonly complete: boolean;
    }
  | { readonly kind: "unreadable"; readonly problems: readonly ContractProblem[] };

export interface ContractFormat {
  /** `inferred`: there is no specification, and routes in code say what there is. */
  readonly name: "openapi" | "graphql" | "asyncapi" | "protobuf" | "json-schema" | "inferred";
  /** Tells whether a file is an entry of this format, by its path and how its text begins. */
  readonly recognises: (path: string, text: string) => boolean;
  /**
   * `today` as 2026-11-15: whether an announced end has passed; without it, none has. `budget`: how many steps it may take; what they
   * did not suffice for is named, and the answer is not complete.
   */
  readonly compare: (
    before: ContractSource,
    after: ContractSource,
    signal?: AbortSignal,
    today?: string,
    budget?: Budget,
  ) => Promise<ContractComparison>;
}

/** The worst of the changes. */
export function verdictOf(changes: readonly ContractChange[]): ContractVerdict {
  if (changes.some(({ verdict }) => verdict === "breaking")) return "breaking";
  return changes.some(({ verdict }) => verdict === "dangerous") ? "dangerous" : "compatible";
}

// Holds what the parts of the OpenAPI comparison hand to each other: the two documents, and how to report.

import type { ChangeList } from "../change-list.ts";
import type { ContractDirection } from "../format.ts";
import { flowOf, ruleText } from "../rule.ts";
import type { SchemaComparer } from "../schema/compare-schemas.ts";
import type { Shapes } from "../schema/shapes.ts";
import { type OpenApiRuleName, openApiRules } from "./openapi-rules.ts";

export interface OpenApiSide {
  /** The document in the shape of OpenAPI 3. */
  readonly root: Readonly<Record<string, unknown>>;
  readonly shapes: Shapes;
}

export interface OpenApiComparing {
  readonly before: OpenApiSide;
  readonly after: OpenApiSide;
  readonly schemas: SchemaComparer;
  readonly changes: ChangeList;
  /** Tells whether two parts say the same word for word. */
  readonly same: (before: unknown, after: unknown) => boolean;
  /** Today as 2026-11-15, to know whether a sunset has passed; undefined where nobody says. */
  readonly today: string | undefined;
}

/** The operation in which one is: how a person calls it, who calls it, and the names a client's code would hold. */
export interface InOperation {
  readonly label: string;
  /** A callback or a webhook: the provider sends the request and reads the response. */
  readonly turned: boolean;
  readonly names: readonly string[];
}

export interface Told {
  readonly path: string;
  readonly name?: string | null;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly names?: readonly string[];
  readonly direction?: ContractDirection | null;
}

export function report({ changes }: OpenApiComparing, rule: OpenApiRuleName, turned: boolean, told: Told): void {
  const { what, verdicts } = openApiRules[rule];
  const verdict = verdicts[turned ? "out" : "in"];
  const { path, name = null, before = null, after = null, names = [], direction = null } = told;
  changes.add({
    rule: turned && !rule.startsWith("callback-") && !rule.startsWith("webhook-") ? `callback-${rule}` : rule,
    verdict,
    path,
    direction,
    before,
    after,
    text: ruleText(what, direction === null ? "clients" : flowOf(direction), verdict, { name, before, after }),
    names,
  });
}

/** Says who sends the request of an operation, and who the response. */
export function directionOf(part: "request" | "response", turned: boolean): ContractDirection {
  return (part === "request") === turned ? "response" : "request";
}

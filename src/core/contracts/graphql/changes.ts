// Turns the reports of GraphQL Inspector into changes of a contract: its type is our rule id, its criticality our verdict, except where the
// specification says otherwise. Reports that only repeat another one are left out.

import type { Change } from "@graphql-inspector/core";
import { isInputObjectType, isInterfaceType, isObjectType, isRequiredArgument, isRequiredInputField } from "graphql";
import type { GraphQLSchema } from "graphql";

import { cutChange } from "../cut-change.ts";
import type { ContractChange, ContractDirection, ContractVerdict } from "../format.ts";
import { effectOf } from "./effects.ts";

type Meta = Readonly<Record<string, unknown>>;

/** A directive's argument with another value is reported as removed and added; here it is one change. */
const argumentAdded = "DIRECTIVE_USAGE_ARGUMENT_ADDED";
const argumentRemoved = "DIRECTIVE_USAGE_ARGUMENT_REMOVED";

export function contractChanges(unplaced: readonly Change[], schema: GraphQLSchema): ContractChange[] {
  const reported = unplaced.map(placed);
  const added = new Set(reported.filter(({ type }) => additions.has(type)).map(({ path }) => path ?? ""));
  const told = new Set(
    reported.filter(({ type }) => deprecations.test(type)).map(({ path }) => withoutDirective(path)),
  );
  const replaced = new Map(
    reported.filter(({ type }) => type === argumentAdded).map((change) => [change.path ?? "", change] as const),
  );
  const removed = new Set(reported.filter(({ type }) => type === argumentRemoved).map(({ path }) => path ?? ""));
  return reported
    .filter(({ type, path = "" }) => !(type === argumentAdded && removed.has(path)))
    .map((change) => ({ change, verdict: verdictFor(change, schema) }))
    .filter(({ change, verdict }) => !(verdict === "compatible" && isPartOf(change, added)) && !repeats(change, told))
    .map(({ change, verdict }) => {
      const fresh = change.type === argumentRemoved ? replaced.get(change.path ?? "") : undefined;
      return fresh === undefined ? toChange(change, verdict) : argumentChanged(change, fresh, verdict);
    });
}

/** A directive's new argument is reported at the directive; here it stands at the argument, as a removed one does. */
function placed(change: Change): Change {
  if (change.type !== "DIRECTIVE_ARGUMENT_ADDED") return change;
  return { ...change, path: `${change.path}.${(change.meta as Meta)["addedDirectiveArgumentName"]}` };
}

const additions = new Set<string>([
  "TYPE_ADDED",
  "FIELD_ADDED",
  "FIELD_ARGUMENT_ADDED",
  "INPUT_FIELD_ADDED",
  "ENUM_VALUE_ADDED",
  "DIRECTIVE_ADDED",
  "DIRECTIVE_ARGUMENT_ADDED",
]);

/** A new type's fields, and a new field's description, are told with the type or the field. */
function isPartOf({ type, path = "" }: Change, added: ReadonlySet<string>): boolean {
  if (added.has(path) && !additions.has(type)) return true;
  for (let end = path.lastIndexOf("."); end > 0; end = path.lastIndexOf(".", end - 1)) {
    if (added.has(path.slice(0, end))) return true;
  }
  return false;
}

const deprecations = /^(?:FIELD|ENUM_VALUE)_DEPRECATION_/;

/** A deprecation is reported for the field, and once more as the use of a directive. */
function repeats({ type, path }: Change, told: ReadonlySet<string>): boolean {
  return type.startsWith("DIRECTIVE_USAGE_") && /\.@deprecated\b/.test(path ?? "") && told.has(withoutDirective(path));
}

function withoutDirective(path = ""): string {
  return path.replace(/\.@[^]*$/, "");
}

const verdicts: Readonly<Record<string, ContractVerdict>> = {
  BREAKING: "breaking",
  DANGEROUS: "dangerous",
  NON_BREAKING: "compatible",
};

function verdictFor(change: Change, schema: GraphQLSchema): ContractVerdict {
  const { type, path = "" } = change;
  // "GraphQL services should provide a scalar specification URL": saying what already holds changes nothing for clients.
  if (type === "DIRECTIVE_USAGE_SCALAR_ADDED" && path.endsWith(".@specifiedBy")) return "compatible";
  // The address of a scalar's specification, or what a directive asks of the server, may change what clients receive;
  // the words of a deprecation may not.
  if (type.startsWith("DIRECTIVE_USAGE_ARGUMENT_") && /\.@deprecated\b/.test(path)) return "compatible";
  // Without its default a non-null argument must be passed. GraphQL Inspector calls that a default that changed.
  if (/_DEFAULT(?:_VALUE)?_CHANGED$/.test(type) && isRequiredNow(path, schema)) return "breaking";
  // "An argument is required if the argument type is non-null and does not have a default value": with one it is not.
  if (type === "DIRECTIVE_ARGUMENT_ADDED" && !isRequiredNow(path, schema)) return "compatible";
  // "If a directive is not `repeatable`, then only one occurrence of it is allowed per location": operations that use it
  // twice fail, where operations can use it at all.
  if (type === "DIRECTIVE_REPEATABLE_REMOVED" && isForOperations(path, schema)) return "breaking";
  return verdicts[change.criticality.level] ?? "dangerous";
}

function isForOperations(path: string, schema: GraphQLSchema): boolean {
  const locations: readonly string[] = schema.getDirective(path.slice(1).split(".")[0] ?? "")?.locations ?? [];
  return locations.some((location) =>
    /^(?:QUERY|MUTATION|SUBSCRIPTION|FIELD|INLINE_FRAGMENT|VARIABLE_DEFINITION|FRAGMENT_\w+)$/.test(location),
  );
}

/** Tells whether the argument or input field at a path must be passed: `Type.field.argument`, `Input.field`, `@directive.argument`. */
function isRequiredNow(path: string, schema: GraphQLSchema): boolean {
  const [owner = "", member = "", argument = ""] = path.split(".");
  if (owner.startsWith("@")) {
    return (
      schema.getDirective(owner.slice(1))?.args.some((one) => one.name === member && isRequiredArgument(one)) === true
    );
  }
  const type = schema.getType(owner);
  if (isInputObjectType(type)) {
    const field = type.getFields()[member];
    return field !== undefined && isRequiredInputField(field);
  }
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  return type.getFields()[member]?.args.some((one) => one.name === argument && isRequiredArgument(one)) === true;
}

function toChange(change: Change, verdict: ContractVerdict): ContractChange {
  const meta = change.meta as Meta;
  const path = (deprecations.test(change.type) ? withoutDirective(change.path) : change.path) ?? "schema";
  return cutChange({
    rule: change.type.toLowerCase().replaceAll("_", "-"),
    verdict,
    path,
    direction: directionOf(change.type),
    before: valueOf(meta, /^(?:old|removed)/),
    after: valueOf(meta, /^(?:new|added)/),
    text: sentence(change, verdict),
    names: namesOf(path),
  });
}

function argumentChanged(removed: Change, added: Change, verdict: ContractVerdict): ContractChange {
  const { before, after } = toChange(added, verdict);
  const directive = /@[\w]+/.exec(removed.path ?? "")?.[0] ?? "a directive";
  const where = withoutDirective(removed.path);
  const text = `The argument ${removed.path?.split(".").at(-1)} of ${directive} on ${where} changed from ${before} to ${after}.`;
  return { ...toChange(removed, verdict), rule: "directive-usage-argument-changed", before, after, text };
}

function directionOf(type: string): ContractDirection | null {
  if (/^(?:FIELD_ARGUMENT|INPUT_FIELD|DIRECTIVE_USAGE_INPUT)/.test(type)) return "request";
  if (/^(?:FIELD_TYPE_CHANGED|FIELD_REMOVED|UNION_MEMBER|OBJECT_TYPE_INTERFACE)/.test(type)) return "response";
  return null;
}

const kinds: ReadonlyMap<string, string> = new Map([
  ["Object", "type"],
  ["Interface", "interface"],
  ["Union", "union"],
  ["Enum", "enum"],
  ["Scalar", "scalar"],
  ["InputObject", "input"],
]);

/** The most telling of the values that the report carries: a type before a name. */
function valueOf(meta: Meta, prefix: RegExp): string | null {
  const values = Object.entries(meta).filter(
    ([key, value]) => prefix.test(key) && (typeof value === "string" || Array.isArray(value)) && value !== "",
  );
  const [, best] = values.find(([key]) => /Type$|Value$|Reason$|Description$/.test(key)) ?? values[0] ?? [];
  if (best === undefined) return null;
  const text = Array.isArray(best)
    ? best.join(", ")
    : String(best).replace(/^(\w+)TypeDefinition$/, (_, kind) => kinds.get(kind) ?? kind);
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function sentence({ type, message }: Change, verdict: ContractVerdict): string {
  // Cut first: a description may be as long as the file.
  const short = message.length > 400 ? `${message.slice(0, 399)}…` : message;
  const said = short
    .replace(/\.$/, "")
    .replace(/\b(\w+)TypeDefinition\b/g, (_, kind: string) => kinds.get(kind) ?? kind);
  return verdict === "compatible" ? `${said}.` : `${said}: ${effectOf(type, verdict)}.`;
}

/** Field or argument first, then the type; root types are in nobody's code. */
function namesOf(path: string): string[] {
  // A change of the directive itself is about the directive; of its use, about what it stands on.
  const about = path.startsWith("@") ? path.slice(1) : withoutDirective(path);
  const parts = about
    .split(".")
    .filter((part) => part !== "" && !/^(?:Query|Mutation|Subscription|schema)$/.test(part));
  return [...new Set(parts)].toReversed();
}

// JSON Schema by itself, drafts 4 to 2020-12. Nobody says who writes the data and who reads it, so both are looked at: what
// shrinks the set of valid data is breaking (a writer's data is refused), and so is a described property that goes (a reader no longer
// finds it); what only widens the set is dangerous (a reader may meet something new). OpenAPI and AsyncAPI know the
// direction and are judged by it.

import type { Budget } from "../budget.ts";
import type { ChangeList, ChangeSink } from "../change-list.ts";
import { compareSources } from "../compare-sources.ts";
import type { ContractComparison, ContractFormat, ContractSource } from "../format.ts";
import { fieldsOf, isRecord } from "../json-value.ts";
import type { LoadedContract } from "../load-contract.ts";
import { referenceOf } from "../references.ts";
import { rule, type Rule, ruleText } from "../rule.ts";
import { SchemaComparer } from "../schema/compare-schemas.ts";
import { Shapes } from "../schema/shapes.ts";

export const jsonSchemaRules = {
  "definition-added": rule("ccc", "The definition {name} is new"),
  "definition-removed": rule("bbb", "The definition {name} is gone"),
  "unused-definition-changed": rule("ddd", "A definition that this file does not use itself holds or allows less"),
  "unused-definition-removed": rule("ddd", "The definition {name}, which this file does not use itself, is gone"),
} satisfies Record<string, Rule>;

export const jsonSchema: ContractFormat = {
  name: "json-schema",
  recognises: (path, text) =>
    /\.schema\.(json|ya?ml)$/i.test(path) ||
    (/\.(json|ya?ml)$/i.test(path) &&
      /["']?\$schema["']?\s*:\s*["']?https?:\/\/json-schema\.org\//.test(text.slice(0, 20_000))),
  compare: compareJsonSchemas,
};

function compareJsonSchemas(
  before: ContractSource,
  after: ContractSource,
  signal?: AbortSignal,
  _today?: string,
  budget?: Budget,
): Promise<ContractComparison> {
  return compareSources({
    before: withObject(before),
    after: withObject(after),
    signal,
    budget,
    refusal: () => undefined,
    judge: (was, is, changes, same, steps) => {
      const [one, other] = [shapesOf(was, steps), shapesOf(is, steps)];
      const schemas = new SchemaComparer(one, other, changes, same);
      schemas.compare(was.root, is.root, { direction: null, path: "$" });
      if (isLibrary(was.root)) compareDefinitions(schemas, changes, was, is);
      else compareUnused(new SchemaComparer(one, other, lowered(changes), same), changes, was, is);
      return { schemas, notes: [] };
    },
  });
}

/** A whole schema may be `true` or `false`, which an object can say too. */
function withObject(source: ContractSource): ContractSource {
  return {
    ...source,
    read: async (path) => {
      const text = await source.read(path);
      if (path !== source.entry || text === undefined || text.length > 100) return text;
      const whole = text.trim();
      return whole === "true" ? "{}" : whole === "false" ? '{"not":{}}' : text;
    },
  };
}

/** Until draft 7 nothing beside `$ref` counted. */
function shapesOf(contract: LoadedContract, budget: Budget): Shapes {
  const older = /draft-0[3-7]/.test(String(contract.root["$schema"] ?? ""));
  return new Shapes(contract, { besideReferences: !older, impliedTypes: false, nullableCounts: false }, budget);
}

const definitions = ["$defs", "definitions"];

/** A file that says nothing itself and holds only definitions is there for others to refer to, so each of them is public. */
function isLibrary(root: Readonly<Record<string, unknown>>): boolean {
  const silent = new Set([...definitions, "$schema", "$id", "id", "$comment", "title", "description", "$vocabulary"]);
  return Object.keys(root).every((key) => silent.has(key));
}

function compareDefinitions(
  schemas: SchemaComparer,
  changes: ChangeList,
  before: LoadedContract,
  after: LoadedContract,
): void {
  const [were, are] = [definitionsOf(before), definitionsOf(after)];
  for (const [name, was] of were) {
    if (are.has(name)) schemas.compare(was, are.get(name), { direction: null, path: name, name });
    else changes.add(changeOf("definition-removed", name));
  }
  for (const name of are.keys()) if (!were.has(name)) changes.add(changeOf("definition-added", name));
}

/**
 * A definition that its own file does not use may be there for other files, which refer to it by the file's `$id`, or for nobody: what would
 * break is told as dangerous. Without an `$id` it is left over, and a new one is no news.
 */
function compareUnused(
  schemas: SchemaComparer,
  changes: ChangeList,
  before: LoadedContract,
  after: LoadedContract,
): void {
  const [were, are] = [definitionsOf(before), definitionsOf(after)];
  if (were.size === 0 || typeof (before.root["$id"] ?? before.root["id"]) !== "string") return;
  const used = usedIn(before);
  for (const [name, was] of were) {
    if (used.has(was)) continue;
    if (are.has(name)) schemas.compare(was, are.get(name), { direction: null, path: name, name });
    else changes.add(changeOf("unused-definition-removed", name));
  }
}

function lowered(changes: ChangeList): ChangeSink {
  const unused = { rule: "unused-definition-changed", verdict: "dangerous" } as const;
  return {
    add: (change) => changes.add(change.verdict === "breaking" ? { ...change, ...unused } : change),
    leaveOut: changes.leaveOut,
  };
}

/** Everything that is reached from the root, references followed, without going through the list of definitions. */
function usedIn({ root, target }: LoadedContract): ReadonlySet<unknown> {
  const found = new Set<unknown>();
  const waiting: unknown[] = Object.entries(root).flatMap(([key, value]) => (definitions.includes(key) ? [] : [value]));
  if (typeof root["$ref"] === "string") waiting.push(target(root));
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if (typeof next !== "object" || next === null || found.has(next)) continue;
    found.add(next);
    waiting.push(...Object.values(next));
    if (isRecord(next) && referenceOf(next) !== undefined) waiting.push(target(next));
  }
  return found;
}

function definitionsOf({ root }: LoadedContract): Map<string, unknown> {
  return new Map(definitions.flatMap((key) => Object.entries(fieldsOf(root, key))));
}

function changeOf(name: keyof typeof jsonSchemaRules, definition: string): Parameters<ChangeList["add"]>[0] {
  const { what, verdicts } = jsonSchemaRules[name];
  const gone = name !== "definition-added";
  return {
    rule: name,
    verdict: verdicts.both,
    path: definition,
    direction: null,
    before: gone ? definition : null,
    after: gone ? null : definition,
    text: ruleText(what, "clients", verdicts.both, { name: definition }),
    names: [definition],
  };
}

// Turns a problem in the merged tree into a conflict people can act on: which side took what away, what became of it,
// and where the use is.

import { placeIn } from "../../check/places.ts";
import { isSymbolName } from "../../symbol-name.ts";
import type { Place, ReadBlob, SemanticConflict, SemanticRule, Side } from "../../../ports/semantic.ts";
import type { Declaration } from "../facts.ts";
import type { Problem } from "./problems.ts";
import type { Program } from "./program.ts";
import { nameOf, type FaultCode, type Target } from "./value.ts";

export interface Scene {
  readonly base: Program;
  readonly merged: Program;
  readonly sides: Readonly<Record<Side, Program>>;
  /** Paths each side changed against base. */
  readonly changed: Readonly<Record<Side, ReadonlySet<string>>>;
  readonly read: ReadBlob;
}

interface Spot {
  readonly program: Program;
  readonly path: string;
  readonly line: number;
  readonly endLine: number;
}

export async function explain(problem: Problem, useSide: Side, scene: Scene): Promise<SemanticConflict> {
  const definitionSide: Side = useSide === "ours" ? "theirs" : "ours";
  const use = await placeOf(
    { program: scene.merged, path: problem.path, line: problem.line, endLine: problem.line },
    scene.read,
  );
  const before = spotBefore(problem, useSide, scene);
  const fate = fateOf(problem, before, scene);
  const symbol = problem.fault.code === "no-module" ? (before?.path ?? problem.fault.symbol) : fate.symbol;
  return {
    language: "typescript",
    rule: fate.rule,
    symbol,
    definitionSide,
    definitionBefore: before === undefined ? use : await placeOf(before, scene.read),
    definitionAfter: fate.after === undefined ? undefined : await placeOf(fate.after, scene.read),
    use,
    message: `${symbol} ${fate.what}; ${problem.path}:${problem.line} still counts on it as it was.`,
    suggestion: fate.advice,
  };
}

const rules: Readonly<Record<FaultCode, SemanticRule>> = {
  "no-module": "removed",
  "no-export": "removed",
  "no-name": "removed",
  "no-member": "removed-member",
  "unknown-property": "removed-member",
  hidden: "made-private",
  arity: "signature",
  "type-arguments": "signature",
  abstract: "signature",
  "missing-property": "signature",
  "missing-member": "signature",
  async: "became-async",
  "type-only": "type-only",
  "not-a-type": "type-mismatch",
  "wrong-type": "type-mismatch",
  duplicate: "duplicate-definition",
};

interface Fate {
  readonly rule: SemanticRule;
  readonly symbol: string;
  readonly what: string;
  readonly after?: Spot;
  readonly advice: string;
}

function fateOf(problem: Problem, before: Spot | undefined, scene: Scene): Fate {
  const { code, target, detail } = problem.fault;
  const symbol = code === "no-name" || code === "duplicate" ? problem.fault.symbol : nameOf(target);
  const where = problem.path;
  if (code === "no-module") return moduleFate(problem, before, scene);
  if (code === "no-export" || code === "no-name") return nameFate(symbol, before, where, scene);
  if (code === "no-member" || code === "unknown-property") return memberFate(target, symbol, where, scene);
  const after = spotOf(scene.merged, target);
  const rule = rules[code];
  const at = after === undefined ? {} : { after };
  switch (rule) {
    case "duplicate-definition":
      if (isObjectKey(symbol)) {
        const key = symbol.slice(1, -1);
        const what = "is a key of one object twice";
        return {
          rule,
          symbol: isSymbolName(key) ? key : `key ${key}`,
          what,
          advice: `Keep one ${key} in the object at ${where}:${problem.line}.`,
        };
      }
      return {
        rule,
        symbol,
        what: "is defined by both sides",
        advice: `Keep one definition of ${symbol} in ${where}.`,
      };
    case "became-async":
      return { rule, symbol, ...at, what: `now ${detail}`, advice: `Await ${symbol} in ${where}.` };
    case "type-only":
      return {
        rule,
        symbol,
        ...at,
        what: "is now only a type",
        advice: `Use ${symbol} only as a type in ${where}, or keep its value exported.`,
      };
    case "made-private":
      return {
        rule,
        symbol,
        ...at,
        what: `now ${detail}`,
        advice: `Keep ${symbol} reachable, or use another member in ${where}.`,
      };
    default:
      return { rule, symbol, ...at, what: `now ${detail}`, advice: `Change ${where} to fit ${symbol} as it is now.` };
  }
}

function moduleFate(problem: Problem, before: Spot | undefined, scene: Scene): Fate {
  const symbol = before?.path ?? problem.fault.symbol;
  const name = symbol.slice(symbol.lastIndexOf("/") + 1);
  const blob = before?.program.tree.blobs.get(before.path);
  const now = [...scene.merged.tree.blobs].find(
    ([path, other]) => !scene.base.tree.blobs.has(path) && (other === blob || path.endsWith(`/${name}`)),
  );
  if (now === undefined)
    return {
      rule: "removed",
      symbol,
      what: "was removed",
      advice: `Bring ${symbol} back, or drop its import in ${problem.path}.`,
    };
  return {
    rule: "moved",
    symbol,
    what: `was moved to ${now[0]}`,
    after: { program: scene.merged, path: now[0], line: 1, endLine: 1 },
    advice: `Import ${now[0]} in ${problem.path}.`,
  };
}

function nameFate(symbol: string, before: Spot | undefined, where: string, scene: Scene): Fate {
  const gone: Fate = {
    rule: "removed",
    symbol,
    what: "was removed",
    advice: `Bring ${symbol} back, or stop using it in ${where}.`,
  };
  if (before === undefined) return gone;
  const was = before.program.file(before.path)?.summary.declarations.find((one) => one.line === before.line);
  const now = scene.merged.file(before.path);
  const kept = was === undefined ? undefined : now?.declarations.get(was.name)?.[0];
  if (was !== undefined && kept !== undefined) {
    const alias = now?.summary.exports.find((one) => one.local === was.name && one.name !== symbol);
    const after = spotAt(scene.merged, before.path, kept);
    if (alias !== undefined)
      return {
        rule: "renamed",
        symbol,
        what: `is now exported as ${alias.name}`,
        after,
        advice: `Import ${alias.name} in ${where}, or keep exporting ${symbol} too.`,
      };
    return {
      rule: "made-private",
      symbol,
      what: `is no longer exported from ${before.path}`,
      after,
      advice: `Export ${symbol} again, or stop using it in ${where}.`,
    };
  }
  const renamed = was === undefined ? undefined : successor(was, before, scene);
  if (renamed !== undefined) {
    return {
      rule: "renamed",
      symbol,
      what: `was renamed to ${plainName(renamed.name)}`,
      after: spotAt(scene.merged, before.path, renamed),
      advice: `Use ${plainName(renamed.name)} in ${where}, or keep ${symbol} as an alias.`,
    };
  }
  const moved = movedTo(was?.name ?? symbol, scene);
  if (moved === undefined) return gone;
  return {
    rule: "moved",
    symbol,
    what: `was moved to ${moved.path}`,
    after: moved,
    advice: `Import ${symbol} from ${moved.path} in ${where}.`,
  };
}

/** A key that an object literal has twice is written `{key}`, apart from a name of the file that is spelled the same. */
function isObjectKey(symbol: string): boolean {
  return symbol.startsWith("{") && symbol.endsWith("}");
}

/** `exports.a = …` defines a name of our making, kept apart from the file's own. */
function plainName(name: string): string {
  return name.replaceAll("*", "");
}

/** The one new definition that has the old one's body, or else its kind and shape. */
function successor(was: Declaration, before: Spot, scene: Scene): Declaration | undefined {
  const old = scene.base.file(before.path)?.declarations ?? before.program.file(before.path)?.declarations;
  const fresh = (scene.merged.file(before.path)?.summary.declarations ?? []).filter(
    (one) => !old?.has(one.name) && one.kind === was.kind,
  );
  const same = fresh.filter((one) => one.print === was.print);
  if (same.length === 1) return same[0];
  const alike = fresh.filter((one) => outline(one) === outline(was));
  if (alike.length === 1) return alike[0];
  return fresh.length === 1 && Math.abs((fresh[0]?.line ?? 0) - was.line) <= 3 ? fresh[0] : undefined;
}

function outline(one: Declaration): string {
  return JSON.stringify([one.shape, one.members?.map((member) => member.name)], (key, value: unknown) =>
    key === "line" ? undefined : value,
  );
}

function movedTo(name: string, scene: Scene): Spot | undefined {
  for (const path of [...scene.changed.ours, ...scene.changed.theirs]) {
    const [now] = scene.merged.file(path)?.declarations.get(name) ?? [];
    if (now === undefined || scene.base.file(path)?.declarations.has(name)) continue;
    return spotAt(scene.merged, path, now);
  }
  return undefined;
}

function memberFate(target: Target, symbol: string, where: string, scene: Scene): Fate {
  const holder: Target = { path: target.path, name: target.name };
  const was = membersOf(scene.base, holder);
  const now = membersOf(scene.merged, holder);
  const fresh = now.filter((one) => !was.some((other) => other.name === one.name));
  const gone = was.filter((one) => !now.some((other) => other.name === one.name));
  const after = spotOf(scene.merged, holder);
  const [only] = fresh;
  if (fresh.length === 1 && gone.length === 1 && only !== undefined) {
    const line = only.line;
    return {
      rule: "removed-member",
      symbol,
      what: `was renamed to ${nameOf({ ...target, member: only.name })}`,
      after: { program: scene.merged, path: target.path, line, endLine: line },
      advice: `Use ${only.name} in ${where}.`,
    };
  }
  return {
    rule: "removed-member",
    symbol,
    what: "was removed",
    ...(after === undefined ? {} : { after }),
    advice: `Bring ${symbol} back, or stop using it in ${where}.`,
  };
}

function membersOf(program: Program, target: Target): { name: string; line: number }[] {
  const found = program.file(target.path)?.declarations.get(target.name) ?? [];
  return found.flatMap((one) => [
    ...(one.members ?? []),
    ...(one.shape?.k === "object" ? one.shape.members : []),
    ...(one.inner ?? []),
  ]);
}

/** Returns the place of the thing while the use was right: in base if it was there, else on the use's own side. */
function spotBefore(problem: Problem, useSide: Side, scene: Scene): Spot | undefined {
  for (const program of [scene.base, scene.sides[useSide]]) {
    const spot = spotIn(program, problem);
    if (spot !== undefined) return spot;
  }
  return undefined;
}

function spotIn(program: Program, problem: Problem): Spot | undefined {
  const { code, target, symbol } = problem.fault;
  if (code === "no-module") {
    const found = program.resolve(problem.path, symbol);
    return typeof found === "string" ? undefined : { program, path: found.path, line: 1, endLine: 1 };
  }
  if (code === "no-export") {
    const found = program.exported(target.path, target.name);
    return spotFound(program, found) ?? spotOf(program, target);
  }
  if (code === "no-name")
    return spotFound(program, program.local(problem.path, symbol)) ?? importSpot(program, problem.path, symbol);
  if (code === "duplicate") return spotOf(program, { path: problem.path, name: symbol });
  return spotOf(program, target) ?? spotOf(program, { path: target.path, name: target.name });
}

function importSpot(program: Program, path: string, name: string): Spot | undefined {
  const found = program.file(path)?.imports.get(name);
  return found === undefined ? undefined : { program, path, line: found.line, endLine: found.line };
}

function spotFound(program: Program, found: ReturnType<Program["local"]>): Spot | undefined {
  if (typeof found !== "object") return undefined;
  if (found.what === "module") return { program, path: found.path, line: 1, endLine: 1 };
  const [first] = found.declarations;
  return first === undefined ? undefined : spotAt(program, found.path, first);
}

export function spotOf(program: Program, target: Target): Spot | undefined {
  const [first] = program.file(target.path)?.declarations.get(target.name) ?? [];
  if (first === undefined) return undefined;
  if (target.member === undefined) return spotAt(program, target.path, first);
  const member = membersOf(program, target).find((one) => one.name === target.member);
  return member === undefined ? undefined : { program, path: target.path, line: member.line, endLine: member.line };
}

function spotAt(program: Program, path: string, { line, endLine }: { line: number; endLine: number }): Spot {
  return { program, path, line, endLine };
}

function placeOf({ program, ...spot }: Spot, read: ReadBlob): Promise<Place> {
  return placeIn(read, program.tree, spot);
}

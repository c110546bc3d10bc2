// New uses of names that the other side took away or changed in code that is not always built: for another system, behind a feature or
// a build tag. A compiler builds one of these ways, and the rules leave them all alone, so nobody says whether the use still fits;
// it is named. The names alone are compared, since where they lead is what the conditions decide. The same goes for words in places that
// a language cannot read, such as what unknown macros are given, but those a compiler reads.

import type { Side, UnsureUse } from "../../ports/semantic.ts";
import type { SourceDeclaration, SourceSummary, SourceUse } from "./facts.ts";
import type { CompiledRules } from "./rules.ts";
import type { Changes, Trees } from "./source-tree.ts";

const because = "it is built only under conditions";

export async function unsureUses(rules: CompiledRules, trees: Trees, changes: Changes): Promise<UnsureUse[]> {
  const isConditional = (path: string, summary: SourceSummary): boolean =>
    summary.doubtful === 1 || rules.isConditional?.(path) === true;
  const found: UnsureUse[] = [];
  for (const [side, other] of [
    ["ours", "theirs"],
    ["theirs", "ours"],
  ] as const) {
    const lost = await lostBy(other, trees, changes[other], isConditional);
    if (lost.size === 0) continue;
    for (const path of changes[side]) {
      const own = await trees[side].summary(path);
      if (own === undefined || own.skipped !== undefined) continue;
      const isOwn = isConditional(path, own);
      const meets = own.uses.filter((use) => {
        const met = lost.get(lastName(use));
        // In the same file the rules know what is meant, wherever they can read it.
        if (met === undefined || met.path === path) return met !== undefined && use.macros !== undefined;
        return !own.declarations.some((one) => usedAs(one) === lastName(use));
      });
      if (meets.length === 0) continue;
      const before = await trees.base.summary(path);
      const old = new Set((before?.uses ?? []).map(inItsPlace));
      const told = new Set<string>();
      for (const use of meets) {
        const symbol = lastName(use);
        const met = lost.get(symbol);
        if (met === undefined || old.has(inItsPlace(use)) || told.has(symbol)) continue;
        const isUnder = (met.isConditional || isOwn) && met.path !== path;
        const unread = isUnder ? undefined : await rules.unread?.(trees[side], path, use);
        if (!isUnder && unread === undefined) continue;
        told.add(symbol);
        const why = unread === undefined ? { because } : { because: unread, isForCompiler: true as const };
        found.push({ side, path, line: use.line, symbol, definition: met.path, ...why });
      }
    }
  }
  return found;
}

interface Lost {
  readonly path: string;
  readonly isConditional: boolean;
}

/** Names of which a declaration is gone from all that the side changed, or has another form. */
async function lostBy(
  side: Side,
  trees: Trees,
  paths: ReadonlySet<string>,
  isConditional: (path: string, summary: SourceSummary) => boolean,
): Promise<ReadonlyMap<string, Lost>> {
  const before = new Map<string, { count: number; name: string; lost: Lost }>();
  const after = new Map<string, { count: number; isAlways: boolean }>();
  for (const path of paths) {
    const [was, is] = [await trees.base.summary(path), await trees[side].summary(path)];
    for (const one of was?.declarations ?? []) {
      // Tests are built for nobody else.
      if (/(^|::)tests?$/.test(one.module)) continue;
      const form = formOf(one);
      const known = before.get(form);
      const under = known?.lost.isConditional === true || isUnder(one, isConditional(path, was as SourceSummary));
      before.set(form, { count: (known?.count ?? 0) + 1, name: usedAs(one), lost: { path, isConditional: under } });
    }
    for (const one of is?.declarations ?? []) {
      const known = after.get(formOf(one));
      const isAlways = known?.isAlways === true || !isUnder(one, isConditional(path, is as SourceSummary));
      after.set(formOf(one), { count: (known?.count ?? 0) + 1, isAlways });
    }
  }
  const found = new Map<string, Lost>();
  for (const [form, { count, name, lost }] of before) {
    const now = after.get(form);
    if (now?.isAlways === true || (now?.count ?? 0) >= count || found.get(name)?.isConditional === true) continue;
    found.set(name, lost);
  }
  return found;
}

const isUnder = ({ words }: SourceDeclaration, isFile: boolean): boolean => isFile || words.includes("conditional");

/** A macro has a namespace of its own. */
const usedAs = ({ name, kind }: SourceDeclaration): string => (kind === "macro" ? `${name}!` : name);

/** A name in its place, and how it can be used. */
function formOf({ name, of, kind, access, takes, gives, types, answers }: SourceDeclaration): string {
  return JSON.stringify([of, name, kind, access, takes, gives, types, answers]);
}

/** A name is new where its file did not have it, and in a macro where its function did not. */
function inItsPlace(use: SourceUse): string {
  return use.macros === undefined ? lastName(use) : `${use.scope} ${lastName(use)}`;
}

function lastName({ members, path }: SourceUse): string {
  return (members.at(-1) ?? path.at(-1) ?? "").replace(/\(\)$/, "");
}

// Knows who asked for which paths, kept by the directory that a pattern begins with: a path asks only the patterns whose plain beginning it
// lies in, instead of all of them.

import { claimMatcher } from "../claims/claim-paths.ts";

export interface PathRule {
  readonly agent: string;
  readonly rule: string;
  /** The patterns, for people. */
  readonly shown: string;
  readonly matches: (path: string) => boolean;
}

export class PathRules {
  readonly #byBeginning = new Map<string, PathRule[]>();
  /** Of patterns that may match anywhere. */
  readonly #anywhere: PathRule[] = [];

  add(who: { readonly agent: string; readonly rule: string }, patterns: readonly string[]): void {
    const rule = { ...who, shown: patterns.join(", "), matches: claimMatcher(patterns) };
    for (const beginning of new Set(patterns.map(plainBeginning))) {
      if (beginning === "") {
        this.#anywhere.push(rule);
        continue;
      }
      const here = this.#byBeginning.get(beginning);
      if (here === undefined) this.#byBeginning.set(beginning, [rule]);
      else here.push(rule);
    }
  }

  /** A rule with several patterns may come more than once. */
  matching(path: string): PathRule[] {
    const found = this.#anywhere.filter(({ matches }) => matches(path));
    for (let at = path; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      for (const rule of this.#byBeginning.get(at) ?? []) if (rule.matches(path)) found.push(rule);
    }
    return found;
  }
}

/** The names before the first one with a wildcard; empty for a pattern that is not bound to the top. */
function plainBeginning(pattern: string): string {
  if (!pattern.replace(/\/$/, "").includes("/")) return "";
  const names = pattern.replace(/^\//, "").replace(/\/$/, "").split("/");
  const wild = names.findIndex((name) => /[*?[\\]/.test(name));
  return names.slice(0, wild === -1 ? names.length : wild).join("/");
}

// What templates of uses write, and arguments for the calls in them.

import type { Chance } from "./attempt.ts";
import type { Definition, Project } from "./project.ts";

/** What a template writes: a body for a file of its own, beside the module, in the tests, or at the end of a file that exists. */
export interface Draft {
  readonly how: string;
  readonly text: string;
  readonly place?: "beside" | "tests";
  readonly isGuarded?: true;
}

export interface Arguments {
  /** What the enclosing function takes, so that nothing is known about the types. */
  readonly takes: string;
  readonly gives: string;
}

/** Arguments that fit; a named parameter is given too, by name or by place. */
export function argumentsFor(
  project: Project,
  called: Definition,
  chance: Chance,
  parameter: string | undefined,
): Arguments {
  const wanted = wantedBy(project, called);
  const style = chance.below(3);
  const places: string[] = [];
  const keywords: string[] = [];
  let byName = style === 2;
  for (const { name, kind, required } of wanted) {
    const given = required || name === parameter || (style === 1 && chance.coin(0.2));
    if (!given || kind === "star" || kind === "stars") {
      if (kind !== "first") byName = true;
      continue;
    }
    const only = kind === "keyword" || (byName && kind !== "first");
    if (only || (name === parameter && chance.coin(0.5))) {
      keywords.push(`${name}=some_${name.replace(/^_+/, "")}`);
      byName = true;
    } else places.push(`some_${name.replace(/^_+/, "")}`);
  }
  const given = [...places, ...keywords];
  return { takes: given.map((one) => one.split("=").at(-1) ?? one).join(", "), gives: given.join(", ") };
}

function wantedBy(project: Project, called: Definition): { name: string; kind: string; required: boolean }[] {
  if (called.kind === "class") {
    const init = inChain(project, called, 0);
    if (init !== undefined) return wantedBy(project, init);
    return (called.fields ?? []).map((field) => ({ name: field.name, kind: "place", required: !field.default }));
  }
  const bound = called.owner !== null && !called.decorators.includes("staticmethod");
  return (called.parameters ?? [])
    .slice(bound ? 1 : 0)
    .map(({ name, kind, default: value }) => ({ name, kind, required: value === null && !kind.startsWith("star") }));
}

function inChain(project: Project, home: Definition, depth: number): Definition | undefined {
  const own = project.own.find(
    ({ path, owner, name }) => path === home.path && owner === home.name && name === "__init__",
  );
  if (own !== undefined || depth > 4) return own;
  for (const base of home.bases ?? []) {
    const found = project.own.find(
      ({ kind, owner, name }) => kind === "class" && owner === null && name === base.split(".").at(-1),
    );
    const init = found === undefined || found === home ? undefined : inChain(project, found, depth + 1);
    if (init !== undefined) return init;
  }
  return undefined;
}

// The other side's work: a new use of what the first side changes, or something that only looks like one. Whether it breaks is for
// the judge to say. Each use lies in files of its own, or in a file that no other use of the round touches.

import type { Span } from "./language-server.ts";
import { type Definition, edited, insert, type Project } from "./project.ts";
import type { Chance, Refactoring } from "./attempt.ts";
import type { Draft } from "./arguments.ts";
import { memberUses } from "./uses-of-members.ts";
import { nameUses } from "./uses-of-names.ts";

export interface Use {
  readonly how: string;
  readonly files: ReadonlyMap<string, string>;
  /** It reckons with the name being gone, which pyright does not see. */
  readonly isGuarded?: true;
}

export function newUses(
  project: Project,
  { target, parameter, through, moved, results, base }: Refactoring,
  references: readonly Span[],
  chance: Chance,
  round: number,
): Use[] {
  const drafts =
    target.owner === null || target.name === "__init__"
      ? nameUses(project, asCalled(project, target), chance, { parameter, through })
      : memberUses(project, target, chance, parameter);
  if (results !== undefined) drafts.push(...usesOfResults(drafts));
  if (base !== undefined) drafts.push(...usesOfBase(project, target, base));
  // A file put into a package that gets another name would keep the old one alive for the other uses.
  const [outermost = ""] = [...moved.keys()]
    .filter((path) => path.endsWith("/__init__.py"))
    .toSorted((a, b) => a.length - b.length);
  const isInMoved = outermost !== "";
  const home = (isInMoved ? outermost.replace(/\/[^/]+\/__init__\.py$/, "/x") : target.path).replace(/\/[^/]*$/, "");
  const tests = [...project.files.keys()]
    .filter((path) => /(^|\/)tests?\/[^/]+\.py$/.test(path))
    .toSorted((a, b) => a.length - b.length)[0];
  const uses = shuffled(
    drafts.filter(({ place }) => place !== "beside" || !isInMoved),
    chance,
  )
    .slice(0, results === undefined ? 10 : 24)
    .map(({ how, text, place, isGuarded }, at): Use => {
      const inTests = tests !== undefined && (place === "tests" || (place === undefined && chance.coin(0.4)));
      const directory = inTests ? tests.slice(0, tests.lastIndexOf("/")) : home;
      return {
        how,
        files: new Map([[`${directory}/${inTests ? "test_" : ""}use_${round}_${at}.py`, text]]),
        ...(isGuarded ? { isGuarded } : {}),
      };
    });
  return [...uses, ...copies(project, references, chance)];
}

/** The other side goes on with what it is given; those that do not fit what it is are left out by the judge. */
function usesOfResults(drafts: readonly Draft[]): Draft[] {
  const ways = [
    "return result.strip()",
    "return result.items()",
    "return result.append(1)",
    'return result["key"]',
    "return result[0]",
    "first, second = result\n    return first",
    "for one in result:\n        print(one)",
    "return result + 1",
    'return result + ""',
    "return result.keys()",
    "return result()",
    "return len(result)",
  ];
  const plain = drafts.filter(({ text }) => /\n +return [^\n]+\n$/.test(text) && !text.includes("await "));
  return plain.slice(0, 3).flatMap((draft) =>
    ways.map((way) => ({
      ...draft,
      how: `${draft.how}, then ${way.split("\n")[0]}`,
      text: draft.text.replace(/( +)return (?:result|([^\n]+))\n$/, (_all, indent: string, made?: string) =>
        [...(made === undefined ? [] : [`result = ${made}`]), ...way.replaceAll("\n    ", "\n").split("\n")]
          .map((line) => `${indent}${line}\n`)
          .join(""),
      ),
    })),
  );
}

/** What a class had from its base, and where it stands for it. */
function usesOfBase(project: Project, target: Definition, base: Definition): Draft[] {
  const from = `from ${project.moduleOf(target.path)} import ${target.name}`;
  const both = `${from}\nfrom ${project.moduleOf(base.path)} import ${base.name}`;
  const inherited = project.own.filter(
    ({ owner, path, name }) => owner === base.name && path === base.path && !name.startsWith("__"),
  );
  const drafts: Draft[] = [
    {
      how: "handed to who takes the base",
      text: `${both}\n\n\ndef take(one: ${base.name}):\n    return one\n\n\ndef make_use(thing: ${target.name}):\n    return take(thing)\n`,
    },
    {
      how: "given as the base",
      text: `${both}\n\n\ndef make_use(thing: ${target.name}) -> ${base.name}:\n    return thing\n`,
    },
    {
      how: "caught",
      text: `${from}\n\n\ndef make_use(work):\n    try:\n        work()\n    except ${target.name}:\n        return None\n`,
    },
  ];
  for (const { name } of inherited.slice(0, 4)) {
    drafts.push({
      how: `inherited ${name}`,
      text: `${from}\n\n\ndef make_use(thing: ${target.name}):\n    return thing.${name}\n`,
    });
    drafts.push({
      how: `inherited ${name} in a subclass`,
      text: `${from}\n\n\nclass Special(${target.name}):\n    def make_use(self):\n        return self.${name}\n`,
    });
  }
  return drafts;
}

/** A parameter of `__init__` is met by constructing the class. */
function asCalled(project: Project, target: Definition): Definition {
  if (target.name !== "__init__") return target;
  return (
    project.own.find(({ kind, path, name }) => kind === "class" && path === target.path && name === target.owner) ??
    target
  );
}

/** Functions of the project that use it, written a second time under another name: how its developers really write. */
function copies(project: Project, references: readonly Span[], chance: Chance): Use[] {
  const found = new Map<string, Use>();
  for (const use of shuffled(references, chance)) {
    const file = project.files.get(use.path);
    if (file === undefined || found.has(use.path) || found.size >= 4) continue;
    const around = file.definitions.find(
      ({ kind, nested, start, line, end }) =>
        kind === "function" && !nested && start <= use.line && use.line <= end && line < use.line,
    );
    if (
      around === undefined ||
      around.name.startsWith("__") ||
      around.decorators.some((text) => /setter|overload|property|fixture/.test(text))
    )
      continue;
    const lines = file.text.split("\n").slice(around.start, around.end + 1);
    const text = lines.join("\n").replace(`def ${around.name}(`, `def ${around.name}_again(`);
    const home =
      around.owner === null
        ? undefined
        : file.definitions.find(({ kind, name, nested }) => kind === "class" && !nested && name === around.owner);
    if (around.owner !== null && home === undefined) continue;
    const copy =
      home === undefined
        ? `${file.text.trimEnd()}\n\n\n${text}\n`
        : edited(file.text, [insert({ line: home.end + 1, column: 0 }, `\n${text}\n`)]);
    found.set(use.path, { how: `copies ${around.name} in its file`, files: new Map([[use.path, copy]]) });
  }
  return [...found.values()];
}

export function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(chance.below(left.length), 1));
  return drawn;
}

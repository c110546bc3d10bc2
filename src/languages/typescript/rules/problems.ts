// Everything in one file that does not hold in one program: modules that are not there, names that are not exported,
// uses that do not fit. Judged alone this would raise false alarms (much is not known); it is only ever compared between
// trees, so that what was already so on a side does not count.

import type { Export, Import } from "../facts.ts";
import { Evaluation } from "./evaluate.ts";
import type { FileIndex, Program } from "./program.ts";
import type { Fault } from "./value.ts";

export interface Problem {
  readonly path: string;
  readonly line: number;
  readonly fault: Fault;
  /** The name the use starts at, to recognise the same use on another side. */
  readonly root: string;
}

export interface ProblemScope {
  /** Programs in which a name that is external here may be a file of the tree. */
  readonly others?: readonly Program[];
  /** Files of which a doubt is worth naming: whoever changed them may have taken the name away. */
  readonly doubted: ReadonlySet<string>;
}

export function problemsIn(program: Program, path: string, { others = [], doubted }: ProblemScope): Problem[] {
  const file = program.file(path);
  if (file === undefined) return [];
  const problems: Problem[] = [];
  const dead = new Set<string>();
  for (const one of file.summary.mentions) {
    if (one.how === "glob" || dead.has(one.specifier) || !isGone(program, path, one.specifier, others)) continue;
    dead.add(one.specifier);
    problems.push({
      path,
      line: one.line,
      root: one.specifier,
      fault: { code: "no-module", symbol: one.specifier, target: { path: one.specifier, name: "" }, detail: "is gone" },
    });
  }
  problems.push(...linkProblems(program, path, file, dead));
  const evaluation = new Evaluation(program);
  for (const use of file.summary.uses) {
    const fault = evaluation.faultOf(use, path);
    if (fault !== undefined) problems.push({ path, line: fault.line ?? use.line, root: rootOf(use.from), fault });
  }
  return problems.filter(({ fault }) => fault.unsure === undefined || doubted.has(fault.target.path));
}

/** Missing, or outside the tree now though a side found it at a place where nothing is any more. */
function isGone(program: Program, path: string, specifier: string, others: readonly Program[]): boolean {
  const found = program.resolve(path, specifier);
  if (found !== "external") return found === "missing";
  return others.some((one) => {
    const there = one.tree.blobs.has(path) ? one.resolve(path, specifier) : "external";
    // When the file is still there, only settings changed, and those may say more than is understood here.
    return typeof there === "object" && !program.tree.blobs.has(there.path);
  });
}

function linkProblems(program: Program, path: string, file: FileIndex, dead: ReadonlySet<string>): Problem[] {
  const problems: Problem[] = [];
  const links: { specifier: string; name: string; line: number; typeOnly: boolean; root: string }[] = [
    ...file.summary.imports.map((one: Import) => ({
      specifier: one.specifier,
      name: one.imported,
      line: one.line,
      typeOnly: one.typeOnly === true,
      root: one.local,
    })),
    ...file.summary.exports.flatMap((one: Export) =>
      one.from === undefined
        ? []
        : [
            {
              specifier: one.from,
              name: one.imported ?? one.name,
              line: one.line,
              typeOnly: one.typeOnly === true,
              root: one.name,
            },
          ],
    ),
  ];
  for (const { specifier, name, line, root } of links) {
    if (name === "*" || dead.has(specifier)) continue;
    const target = program.resolve(path, specifier);
    if (typeof target === "string") continue;
    const found = program.exported(target.path, name);
    if (found !== "missing" && found !== undefined) continue;
    const detail = "is not exported";
    const gone: Fault = { code: "no-export", symbol: name, target: { path: target.path, name }, detail };
    const fault = found === "missing" ? gone : lackingInWhole(program, target.path, name, gone);
    if (fault !== undefined) problems.push({ path, line, root, fault });
  }
  return problems;
}

/** A name imported from CommonJS or JSON, or from a module that may export more than is written. */
function lackingInWhole(program: Program, path: string, name: string, gone: Fault): Fault | undefined {
  const fault = new Evaluation(program).faultOf(
    { line: 0, from: { k: "value", root: `import(./${path})`, steps: [] }, steps: [{ s: "member", name }] },
    "",
  );
  if (fault?.code !== "no-export") return undefined;
  return fault.unsure === undefined ? gone : { ...gone, unsure: fault.unsure };
}

function rootOf(shape: Parameters<Evaluation["valueOf"]>[0]): string {
  if (shape === undefined) return "";
  if (shape.k === "value") return shape.root;
  if (shape.k === "type") return shape.name.join(".");
  return shape.k === "from" ? rootOf(shape.shape) : shape.k;
}

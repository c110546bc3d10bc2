// Random merges of random projects: one side changes something and mends its own uses, the other writes new code that uses things.
// Whether the merge breaks is not decided here but by the compiler.

import { chance } from "../../../host/git/scratch.suite.ts";
import type { Block, Callable, ModuleModel, ProjectModel, Statement, Style } from "./model.ts";

export interface RandomMerge {
  readonly id: string;
  readonly base: ProjectModel;
  readonly ours: ProjectModel;
  readonly theirs: ProjectModel;
  readonly change: string;
}

type Chance = ReturnType<typeof chance>;

export function randomMerges(seed: number, count: number): RandomMerge[] {
  return Array.from({ length: count }, (_, at) => merge(`random-${seed}-${at}`, chance(seed * 10_000 + at)));
}

function merge(id: string, random: Chance): RandomMerge {
  const base = project(random);
  const theirs = structuredClone(base);
  const added = addWork(theirs, random);
  const ours = structuredClone(base);
  const change = changeOne(ours, random, added);
  return { id, base, ours, theirs, change };
}

/** Merges in which one side also moves files: those the other side works in, or those it uses. */
export function randomMoves(seed: number, count: number): RandomMerge[] {
  return Array.from({ length: count }, (_, at) => move(`moved-${seed}-${at}`, chance(seed * 20_000 + at)));
}

function move(id: string, random: Chance): RandomMerge {
  const made = merge(id, random);
  const { base, ours, theirs } = made;
  const edited = theirs.consumers.findIndex(({ blocks }, at) => blocks.length !== base.consumers[at]?.blocks.length);
  const grown = theirs.modules.findIndex(({ extras }, at) => extras.length !== base.modules[at]?.extras.length);
  const isElsewhere = random.below(10) < 3;
  const target = isElsewhere
    ? random.pick([...ours.modules, ...ours.consumers])
    : (ours.consumers[edited] ?? ours.modules[grown]);
  if (target === undefined) return made;
  target.name = `moved${target.name}`;
  return { ...made, change: `${made.change}, move ${isElsewhere ? "any file" : "the edited file"}` };
}

const words = ["load", "merge", "score", "trim", "pack", "route", "weigh", "sort", "probe", "fold", "blend", "chart"];

function project(random: Chance): ProjectModel {
  let made = 0;
  const name = (): string => `${random.pick(words)}${(made += 1)}`;
  const callable = (): Callable => ({ name: name(), arity: random.below(3) });
  const list = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
  const modules = list(3, () => ({
    name: `m${name()}`,
    functions: list(2 + random.below(2), callable),
    types: list(1, () => ({
      name: `Kind${name()}`,
      fields: list(1 + random.below(2), name),
      methods: list(2, callable),
    })),
    enums: list(1, () => ({ name: `Enum${name()}`, variants: list(2 + random.below(2), () => `V${name()}`) })),
    interfaces: list(1, () => ({ name: `Trait${name()}`, methods: list(1 + random.below(2), callable) })),
    extras: [],
  }));
  const consumers = list(3, () => ({ name: `use${name()}`, style: random.pick(styles), blocks: [] as Block[] }));
  const base = { modules, consumers };
  for (const consumer of consumers.slice(0, 2))
    consumer.blocks.push({ name: `first${name()}`, statements: list(2, () => statement(base, random)) });
  return base;
}

const styles: readonly Style[] = ["names", "module", "full", "all"];

function statement(project: ProjectModel, random: Chance): Statement {
  const module = random.pick(project.modules);
  const [type, enumeration] = [random.pick(module.types), random.pick(module.enums)];
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2:
      return { kind: "call", module, target: random.pick(module.functions) };
    case 3:
      return { kind: "make", module, type, read: random.below(2) === 0 };
    case 4:
    case 5:
      return {
        kind: "method",
        module,
        type,
        target: random.pick(type.methods),
        by: random.pick(["made", "parameter"] as const),
      };
    case 6:
      return { kind: "match", module, enum: enumeration };
    case 7:
      return { kind: "variant", module, enum: enumeration, at: random.below(enumeration.variants.length) };
    default:
      return { kind: "implement", module, interface: random.pick(module.interfaces) };
  }
}

/** New code: in a consumer that is there, in one that is empty, or in a module's own file. What it uses comes back, as places. */
function addWork(project: ProjectModel, random: Chance): string[] {
  const statements: Statement[] = Array.from({ length: 1 + random.below(3) }, () => statement(project, random));
  if (random.below(3) === 0) {
    const { name } = random.pick(random.pick(project.modules).functions);
    statements.push(random.below(2) === 0 ? { kind: "shadow", name } : { kind: "text", name });
  }
  const block = { name: `added${random.below(1000)}`, statements };
  if (random.below(4) === 0) {
    const home = random.pick(project.modules);
    const own = statements
      .filter((one) => !("module" in one) || one.module === home)
      .filter(({ kind }) => kind !== "implement");
    if (own.length > 0) {
      home.extras.push({ ...block, statements: own });
      return own.flatMap((one) => placeOf(project, one));
    }
  }
  random.pick(project.consumers).blocks.push(block);
  return statements.flatMap((one) => placeOf(project, one));
}

/** Which module and which of its lists a statement leads to. */
function placeOf(project: ProjectModel, one: Statement): string[] {
  if (!("module" in one)) return [];
  const at = project.modules.indexOf(one.module);
  switch (one.kind) {
    case "call":
      return [`${at} functions ${one.module.functions.indexOf(one.target)}`];
    case "make":
      return [`${at} types 0`];
    case "method":
      return [`${at} methods ${one.type.methods.indexOf(one.target)}`];
    case "match":
    case "variant":
      return [`${at} enums ${one.kind === "variant" ? one.at : 0}`];
    case "implement":
      return [`${at} interfaces 0`];
    default:
      return [];
  }
}

/** Changes one thing and drops, from its own work, the statements that cannot be mended. */
function changeOne(project: ProjectModel, random: Chance, used: readonly string[]): string {
  const anywhere = `${random.below(3)} ${random.pick(["functions", "functions", "types", "methods", "enums", "interfaces"])} ${random.below(2)}`;
  const [at = "0", list = "", index = "0"] = (
    random.below(10) < 7 && used.length > 0 ? random.pick(used) : anywhere
  ).split(" ");
  const module = project.modules[Number(at)];
  if (module === undefined) throw new Error("no such module");
  if (list === "functions") return changeFunction(project, module, Number(index), random);
  if (list === "methods") return changeMethod(project, module, Number(index), random);
  if (list === "enums") return changeEnum(project, module, Number(index), random);
  return list === "types" ? changeType(project, module, random) : changeInterface(project, module, random);
}

function changeFunction(project: ProjectModel, module: ModuleModel, index: number, random: Chance): string {
  const target = module.functions[index] ?? module.functions[0];
  if (target === undefined) return "nothing";
  switch (random.below(8)) {
    case 0:
    case 1:
      target.name = `new${target.name}`;
      return "rename function";
    case 2:
      drop(project, (one) => one.kind === "call" && one.target === target);
      module.functions.splice(module.functions.indexOf(target), 1);
      return "remove function";
    case 3:
      target.arity += 1;
      return "more parameters";
    case 4:
      target.arity = Math.max(0, target.arity - 1);
      return "fewer parameters";
    case 5: {
      drop(project, (one) => one.kind === "call" && one.target === target);
      target.isPrivate = true;
      return "make private";
    }
    case 6: {
      const other = project.modules.find((one) => one !== module);
      module.functions.splice(module.functions.indexOf(target), 1);
      other?.functions.push(target);
      drop(project, (one) => one.kind === "call" && one.target === target);
      return "move function";
    }
    default:
      module.functions.push({ name: `extra${target.name}`, arity: 1 });
      return "add function";
  }
}

function changeMethod(project: ProjectModel, module: ModuleModel, index: number, random: Chance): string {
  const type = module.types[0];
  const target = type?.methods[index] ?? type?.methods[0];
  if (type === undefined || target === undefined) return "nothing";
  switch (random.below(4)) {
    case 0:
      target.name = `new${target.name}`;
      return "rename method";
    case 1:
      drop(project, (one) => one.kind === "method" && one.target === target);
      type.methods.splice(type.methods.indexOf(target), 1);
      return "remove method";
    case 2:
      target.arity += 1;
      return "more parameters of a method";
    default:
      type.methods.push({ name: `extra${target.name}`, arity: 0 });
      return "add method";
  }
}

function changeType(_project: ProjectModel, module: ModuleModel, random: Chance): string {
  const type = module.types[0];
  if (type === undefined) return "nothing";
  switch (random.below(3)) {
    case 0:
      type.name = `New${type.name}`;
      return "rename type";
    case 1:
      type.fields.push(`extra${type.fields[0] ?? ""}`);
      return "add field";
    default:
      type.fields[0] = `new${type.fields[0] ?? ""}`;
      return "rename field";
  }
}

function changeEnum(project: ProjectModel, module: ModuleModel, index: number, random: Chance): string {
  const target = module.enums[0];
  if (target === undefined) return "nothing";
  switch (random.below(3)) {
    case 0:
      target.variants.push(`Extra${target.variants[0] ?? ""}`);
      return "add variant";
    case 1:
      target.variants[index] = `New${target.variants[index] ?? ""}`;
      return "rename variant";
    default:
      drop(project, (one) => one.kind === "variant" && one.enum === target);
      target.variants.pop();
      return "remove variant";
  }
}

function changeInterface(_project: ProjectModel, module: ModuleModel, random: Chance): string {
  const target = module.interfaces[0];
  const [method] = target?.methods ?? [];
  if (target === undefined || method === undefined) return "nothing";
  switch (random.below(3)) {
    case 0:
      target.methods.push({ name: `extra${method.name}`, arity: 1 });
      return "add method to interface";
    case 1:
      method.name = `new${method.name}`;
      return "rename method of interface";
    default:
      target.name = `New${target.name}`;
      return "rename interface";
  }
}

function drop(project: ProjectModel, isLost: (statement: Statement) => boolean): void {
  for (const holder of [
    ...project.consumers.map(({ blocks }) => blocks),
    ...project.modules.map(({ extras }) => extras),
  ])
    for (const block of holder) block.statements = block.statements.filter((one) => !isLost(one));
}

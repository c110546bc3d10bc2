// One use of the synthetic project, in a file of its own, written from the model in one of many styles. Written again from a
// refactored model it follows the refactoring; written from the old one it is the other side's new code.

import type { ClassModel, FunctionModel, Model, ModuleModel, Parameter } from "./project-model.ts";
import type { Draw } from "./random.ts";

export interface Use {
  readonly path: string;
  readonly target: number;
  readonly member: number | "construct" | "read";
  readonly field: number;
  readonly style: (typeof styles)[number];
  readonly shape: "positional" | "keywords" | "unpacked" | "unpacked variable";
  readonly holder: (typeof holders)[number];
}

const styles = [
  "from",
  "from as",
  "import",
  "import as",
  "package",
  "relative",
  "star",
  "inside",
  "mention",
  "optional",
] as const;
const holders = ["chain", "variable", "annotated", "subclass"] as const;

export function newUse(draw: Draw, model: Model, name: string): Use {
  const module = draw(model.modules);
  const things = [...module.functions, ...module.classes];
  const target = draw(things);
  const style = draw(styles);
  const methods = "methods" in target ? target.methods : [];
  const member =
    methods.length > 0 && draw([true, true, false]) ? draw(methods).id : draw(["construct", "read"] as const);
  return {
    path: style === "relative" ? `pkg/${name}.py` : draw([`${name}.py`, `tests/test_${name}.py`]),
    target: target.id,
    member,
    field: draw([0, 0, 1]),
    style,
    shape: draw([
      "positional",
      "positional",
      "positional",
      "positional",
      "keywords",
      "keywords",
      "unpacked",
      "unpacked variable",
    ]),
    holder: draw(holders),
  };
}

/** undefined when the model no longer has it: then the author took the use away too. */
export function writeUse(model: Model, use: Use): string | undefined {
  for (const module of model.modules) {
    const called = module.functions.find(({ id }) => id === use.target);
    if (called !== undefined)
      return wrap(module, called.name, use, (reached) => [`return ${callText(called, reached, use)}`]);
    const class_ = module.classes.find(({ id }) => id === use.target);
    if (class_ !== undefined) return wrap(module, class_.name, use, (reached) => classUse(class_, reached, use));
  }
  return undefined;
}

function callText(one: FunctionModel, reached: string, use: Use): string {
  const call = `${reached}(${argumentsText(one.parameters, use)})`;
  return one.isAsync ? `__import__("asyncio").run(${call})` : `${call} + 0`;
}

function argumentsText(parameters: readonly Parameter[], use: Use): string {
  const given = parameters.filter(({ optional }, at) => !optional || at % 2 === use.field);
  // How many values a variable holds is beyond any resolver; such breaks count as missed.
  if (use.shape === "unpacked variable" && given.every((one, at) => one === parameters[at]))
    return `*list(range(${given.length}))`;
  if (use.shape === "unpacked" && given.every((one, at) => one === parameters[at]))
    return `*[${given.map((_, at) => at).join(", ")}]`;
  return given
    .map((one, at) => (use.shape === "keywords" || one !== parameters[at] ? `${one.name}=${at}` : `${at}`))
    .join(", ");
}

function classUse(one: ClassModel, reached: string, use: Use): string[] {
  const field = one.fields[Math.min(use.field, one.fields.length - 1)];
  if (one.kind === "enum") return [`return ${reached}.${field?.name ?? ""}.value`];
  const make = `${reached}(${argumentsText(one.fields, use)})`;
  const method = one.methods.find(({ id }) => id === use.member);
  const after = (object: string): string =>
    method === undefined ? `${object}.${field?.name ?? ""}` : callText(method, `${object}.${method.name}`, use);
  if (use.member === "construct") return [`return ${make}`];
  if (use.holder === "variable") return [`thing = ${make}`, `return ${after("thing")}`];
  if (use.holder === "subclass" && method !== undefined) {
    const lines = [`class Own(${reached}):`, "    def go(self):", `        return ${after("self")}`];
    return [...lines, `return Own(${argumentsText(one.fields, use)}).go()`];
  }
  if (use.holder === "annotated")
    return [`def inner(thing: ${reached}):`, `    return ${after("thing")}`, `return inner(${make})`];
  return [`return ${after(make)}`];
}

function wrap(module: ModuleModel, name: string, use: Use, body: (reached: string) => string[]): string {
  const write = (imports: string, reached: string): string =>
    `${imports}\n\n\ndef use():\n${body(reached)
      .map((line) => `    ${line}\n`)
      .join("")}`;
  switch (use.style) {
    case "from":
      return write(`from pkg.${module.name} import ${name}`, name);
    case "from as":
      return write(`from pkg.${module.name} import ${name} as it`, "it");
    case "import":
      return write(`import pkg.${module.name}`, `pkg.${module.name}.${name}`);
    case "import as":
      return write(`import pkg.${module.name} as mod`, `mod.${name}`);
    case "package":
      return write(`from pkg import ${module.name}`, `${module.name}.${name}`);
    case "relative":
      return write(`from .${module.name} import ${name}`, name);
    case "star":
      return write(`from pkg.${module.name} import *`, name);
    case "inside":
      return `def use():\n    from pkg.${module.name} import ${name}\n${body(name)
        .map((line) => `    ${line}\n`)
        .join("")}`;
    case "mention":
      return `# ${name}\n\n\ndef use():\n    return "pkg.${module.name}.${name}"\n`;
    case "optional":
      return `try:\n    from pkg.${module.name} import ${name}\nexcept ImportError:\n    ${name} = None\n\n\ndef use():\n    return ${name} is None\n`;
  }
}

// The synthetic project as a model: modules with functions, classes, enums and dataclasses, each known by an id that survives renames.
// `refactor` changes the model as an author would; `matchModel` writes its files.

import type { Draw } from "./random.ts";

export interface Parameter {
  readonly name: string;
  readonly optional: boolean;
}
export interface FunctionModel {
  readonly id: number;
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly isAsync: boolean;
  readonly alias?: string;
}
export interface ClassModel {
  readonly id: number;
  readonly kind: "plain" | "enum" | "dataclass";
  readonly name: string;
  /** Constructor parameters; fields of a dataclass; members of an enum. */
  readonly fields: readonly Parameter[];
  readonly methods: readonly FunctionModel[];
}
export interface ModuleModel {
  readonly name: string;
  readonly functions: readonly FunctionModel[];
  readonly classes: readonly ClassModel[];
  /** Names brought from another module, for those who still import them from here. */
  readonly reexports: readonly { readonly module: string; readonly name: string }[];
}
export interface Model {
  readonly modules: readonly ModuleModel[];
  readonly next: number;
}

export function newProject(draw: Draw): Model {
  let next = 1;
  const words = ["load", "save", "parse", "render", "merge", "split", "count", "find", "open_", "close"];
  const fresh = (prefix: string): string => `${prefix}${next}`;
  const parameters = (): Parameter[] => {
    const required = draw([0, 1, 1, 2]);
    const optional = draw([0, 0, 1, 2]);
    return Array.from({ length: required + optional }, (_, at) => ({ name: `p${at}`, optional: at >= required }));
  };
  const makeFunction = (): FunctionModel => ({
    id: next++,
    name: fresh(draw(words)),
    parameters: parameters(),
    isAsync: false,
  });
  const makeClass = (): ClassModel => {
    const kind = draw(["plain", "plain", "enum", "dataclass"] as const);
    const id = next++;
    const fields = Array.from({ length: draw([1, 2, 3]) }, (_, at) => ({
      name: kind === "enum" ? `M${at}` : `f${at}`,
      optional: kind !== "enum" && at > 0 && draw([true, false]),
    }));
    // Python wants fields with defaults last.
    fields.sort((a, b) => Number(a.optional) - Number(b.optional));
    const methods = kind === "enum" ? [] : Array.from({ length: draw([1, 2]) }, makeFunction);
    return { id, kind, name: fresh("Class"), fields, methods };
  };
  const modules = ["alpha", "beta", "gamma", "delta"].map((name) => ({
    name,
    functions: Array.from({ length: draw([1, 2, 3]) }, makeFunction),
    classes: Array.from({ length: draw([0, 1, 2]) }, makeClass),
    reexports: [],
  }));
  return { modules, next };
}

export function refactor(draw: Draw, model: Model): Model {
  const module = draw(model.modules);
  const inModule = (change: (module: ModuleModel) => ModuleModel): Model => ({
    ...model,
    next: model.next + 1,
    modules: model.modules.map((one) => (one === module ? change(one) : one)),
  });
  if (module.classes.length > 0 && draw([true, false])) {
    const target = draw(module.classes);
    return inModule((one) => ({
      ...one,
      classes: one.classes.map((each) => (each === target ? changedClass(draw, each, model.next) : each)),
    }));
  }
  if (module.functions.length === 0) return model;
  const target = draw(module.functions);
  switch (draw(["move", "change", "change", "change", "remove"])) {
    case "remove":
      return inModule((one) => ({ ...one, functions: one.functions.filter((each) => each !== target) }));
    case "move": {
      const to = draw(model.modules.filter((one) => one !== module));
      const keep = draw([true, false]);
      return {
        ...model,
        modules: model.modules.map((one) => {
          if (one === to) return { ...one, functions: [...one.functions, target] };
          if (one !== module) return one;
          const reexports = keep ? [...one.reexports, { module: to.name, name: target.name }] : one.reexports;
          return { ...one, functions: one.functions.filter((each) => each !== target), reexports };
        }),
      };
    }
    default:
      return inModule((one) => ({
        ...one,
        functions: one.functions.map((each) => (each === target ? changedFunction(draw, each, model.next) : each)),
      }));
  }
}

function changedFunction(draw: Draw, before: FunctionModel, next: number): FunctionModel {
  const { parameters } = before;
  switch (draw(["rename", "rename", "alias", "require", "allow", "parameter", "drop", "async"])) {
    case "rename":
      return { ...before, name: `renamed${next}` };
    case "alias":
      return before.alias === undefined ? { ...before, name: `renamed${next}`, alias: before.name } : before;
    case "require":
      return { ...before, parameters: [{ name: `q${next}`, optional: false }, ...parameters] };
    case "allow":
      return { ...before, parameters: [...parameters, { name: `q${next}`, optional: true }] };
    case "parameter": {
      const at = parameters.length - 1;
      return {
        ...before,
        parameters: parameters.map((each, index) => (index === at ? { ...each, name: `r${next}` } : each)),
      };
    }
    case "drop":
      return { ...before, parameters: parameters.slice(0, -1) };
    default:
      return { ...before, isAsync: true };
  }
}

function changedClass(draw: Draw, before: ClassModel, next: number): ClassModel {
  const what = draw(["name", "field", "more", "method", "method"]);
  if (what === "name") return { ...before, name: `Renamed${next}` };
  if (what === "field") {
    const target = draw(before.fields);
    const name = before.kind === "enum" ? `N${next}` : `g${next}`;
    return { ...before, fields: before.fields.map((each) => (each === target ? { ...each, name } : each)) };
  }
  if (what === "more" || before.methods.length === 0) {
    const optional = before.kind !== "enum" && draw([true, false]);
    const added = { name: before.kind === "enum" ? `N${next}` : `g${next}`, optional };
    return {
      ...before,
      fields: optional || before.kind === "enum" ? [...before.fields, added] : [added, ...before.fields],
    };
  }
  const target = draw(before.methods);
  return {
    ...before,
    methods: before.methods.map((each) =>
      each === target ? changedFunction(draw, { ...each, alias: "" }, next) : each,
    ),
  };
}

export function matchModel(model: Model): Record<string, string> {
  const files: Record<string, string> = { "pkg/__init__.py": "" };
  for (const module of model.modules) {
    const parts = [
      [
        "import dataclasses",
        "import enum",
        ...module.reexports.map((one) => `from .${one.module} import ${one.name}`),
      ].join("\n"),
      ...module.functions.map((one) => functionText(one, "")),
      ...module.functions.flatMap((one) => (one.alias ? [`${one.alias} = ${one.name}`] : [])),
      ...module.classes.map(classText),
      // Space for the other side to add to the end without touching what stands here.
      "LAST = [\n    1,\n    2,\n    3,\n]",
    ];
    files[`pkg/${module.name}.py`] = `${parts.join("\n\n\n")}\n`;
  }
  return files;
}

function functionText(one: FunctionModel, indent: string): string {
  const self = indent === "" ? [] : ["self"];
  const parameters = [...self, ...parametersText(one.parameters)].join(", ");
  return `${indent}${one.isAsync ? "async " : ""}def ${one.name}(${parameters}):\n${indent}    return ${one.id}`;
}

function parametersText(parameters: readonly Parameter[]): string[] {
  return parameters.map(({ name, optional }) => (optional ? `${name}=0` : name));
}

function classText(one: ClassModel): string {
  const methods = one.methods.map((method) => functionText(method, "    ")).join("\n\n");
  if (one.kind === "enum")
    return `class ${one.name}(enum.Enum):\n${one.fields.map(({ name }, at) => `    ${name} = ${at}`).join("\n")}`;
  if (one.kind === "dataclass") {
    const fields = one.fields.map(({ name, optional }) => `    ${name}: int${optional ? " = 0" : ""}`).join("\n");
    return `@dataclasses.dataclass\nclass ${one.name}:\n${fields}\n\n${methods}`;
  }
  const parameters = ["self", ...parametersText(one.fields)].join(", ");
  const stores = one.fields.map(({ name }) => `        self.${name} = ${name}`).join("\n");
  return `class ${one.name}:\n    def __init__(${parameters}):\n${stores}\n\n${methods}`;
}

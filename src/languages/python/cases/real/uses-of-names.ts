// Uses and near misses of a function, class or constant at a module's top level.

import { type Definition, type Project } from "./project.ts";
import type { Chance } from "./attempt.ts";
import { argumentsFor, type Draft } from "./arguments.ts";

export function nameUses(
  project: Project,
  target: Definition,
  chance: Chance,
  { parameter, through }: { parameter: string | undefined; through: string | undefined },
): Draft[] {
  const module = project.moduleOf(target.path);
  const parent = module.includes(".") ? module.slice(0, module.lastIndexOf(".")) : "";
  const isPackage = target.path.endsWith("/__init__.py");
  const last = module.split(".").at(-1) ?? module;
  const { name, kind } = target;
  const way = through === undefined ? undefined : project.moduleOf(through);

  const using = (reference: string): { takes: string; expression: string } => {
    if (kind === "constant") return { takes: "", expression: reference };
    const { takes, gives } = argumentsFor(project, target, chance, parameter);
    return { takes, expression: `${reference}(${gives})` };
  };
  const wrap = (imports: string, reference: string, more = ""): string => {
    const { takes, expression } = using(reference);
    const awaited = target.isAsync === true && chance.coin(0.8);
    return `${imports}\n\n${more}\n${awaited ? "async " : ""}def make_use(${takes}):\n    result = ${awaited ? "await " : ""}${expression}\n    return result\n`;
  };
  const from = (source: string): string => `from ${source} import ${name}`;

  const drafts: Draft[] = [
    { how: "from import", text: wrap(from(module), name) },
    { how: "from import in a test", text: wrap(from(module), name).replace("make_use(", "test_use("), place: "tests" },
    { how: "from import as", text: wrap(`${from(module)} as other_name`, "other_name") },
    { how: "import as", text: wrap(`import ${module} as whole`, `whole.${name}`) },
    { how: "import", text: wrap(`import ${module}`, `${module}.${name}`) },
    { how: "star import", text: wrap(`from ${module} import *`, name) },
    { how: "import in function", text: inFunction(using(name), from(module)) },
    {
      how: "nested in a call",
      text: `${from(module)}\n\n\ndef make_use(${using(name).takes}):\n    return [str(${using(name).expression.replace(/\(.*/s, "")})]\n`,
    },
    { how: "handed on", text: `${from(module)}\n\nCALLBACKS = {"one": ${name}}\n` },
    { how: "statement only", text: statementOnly(using(name), from(module)) },
    { how: "string", text: `NAMES = ["${name}", "${module}.${name}"]\n` },
    { how: "comment", text: `# ${name} of ${module} is what we want here: ${name}()\nNAMES = []\n` },
    { how: "own symbol", text: `def ${name}(*args, **kwargs):\n    return args, kwargs\n\n\nRESULT = ${name}(1)\n` },
    {
      how: "shadowing parameter",
      text: `import ${module} as whole\n\n\ndef make_use(${name}, whole=whole):\n    return ${name}, whole\n`,
    },
    { how: "getattr with default", text: `import ${module} as whole\n\nFOUND = getattr(whole, "${name}", None)\n` },
    { how: "hasattr guard", text: `import ${module} as whole\n\nFOUND = hasattr(whole, "${name}")\n` },
    {
      how: "guarded import",
      text: `try:\n    ${from(module)}\nexcept ImportError:\n    ${name} = None\n`,
      isGuarded: true,
    },
    {
      how: "type checking only",
      text: `from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    ${from(module)}\n`,
    },
  ];
  if (parent !== "") {
    drafts.push({ how: "module from package", text: wrap(`from ${parent} import ${last}`, `${last}.${name}`) });
    if (!isPackage) {
      drafts.push({ how: "relative import", text: wrap(from(`.${last}`), name), place: "beside" });
      drafts.push({ how: "relative module", text: wrap(`from . import ${last}`, `${last}.${name}`), place: "beside" });
      drafts.push({
        how: "relative module as",
        text: wrap(`from . import ${last} as whole`, `whole.${name}`),
        place: "beside",
      });
    }
    const given = project.files.get(`${target.path.slice(0, target.path.lastIndexOf("/"))}/__init__.py`);
    if (given?.names.includes(name) === true) {
      drafts.push({ how: "from the package", text: wrap(from(parent), name) });
      drafts.push({ how: "attribute of the package", text: wrap(`import ${parent}`, `${parent}.${name}`) });
      drafts.push({ how: "star of the package", text: wrap(`from ${parent} import *`, name) });
    }
  }
  if (way !== undefined) {
    for (const again of [1, 2]) {
      drafts.push({ how: `through the package ${again}`, text: wrap(from(way), name) });
      drafts.push({ how: `attribute of the package ${again}`, text: wrap(`import ${way}`, `${way}.${name}`) });
    }
    drafts.push({ how: "star of the package", text: wrap(`from ${way} import *`, name) });
  }
  const neighbour = project.own.find(
    (one) => one.path === target.path && one.owner === null && one.name !== name && one.kind !== "constant",
  );
  if (neighbour !== undefined) {
    drafts.push({
      how: "unchanged neighbour",
      text: `from ${module} import ${neighbour.name}\n\nHANDLERS = [${neighbour.name}]\n`,
    });
  }
  if (kind === "class") drafts.push(...classUses(target, module, from(module), using(name)));
  if (kind === "function" && target.isAsync !== true)
    drafts.push({
      how: "partial",
      text: `import functools\n\n${from(module)}\n\nREADY = functools.partial(${name})\n`,
    });
  return drafts;
}

function classUses(
  target: Definition,
  module: string,
  from: string,
  made: { takes: string; expression: string },
): Draft[] {
  const { name } = target;
  return [
    { how: "subclass", text: `${from}\n\n\nclass Special(${name}):\n    extra = 1\n` },
    {
      how: "subclass by attribute",
      text: `import ${module} as whole\n\n\nclass Special(whole.${name}):\n    extra = 1\n`,
    },
    {
      how: "subclass that constructs",
      text: `${from}\n\n\nclass Special(${name}):\n    @classmethod\n    def again(cls, *args, **kwargs):\n        return cls(*args, **kwargs)\n`,
    },
    {
      how: "super().__init__",
      text: `${from}\n\n\nclass Special(${name}):\n    def __init__(self${made.takes === "" ? "" : `, ${made.takes}`}):\n        super().__init__(${made.expression.slice(name.length + 1, -1)})\n        self.extra = 1\n`,
    },
    {
      how: "constructed subclass",
      text: `${from}\n\n\nclass Special(${name}):\n    pass\n\n\ndef make_use(${made.takes}):\n    return ${made.expression.replace(name, "Special")}\n`,
    },
    { how: "annotation", text: `${from}\n\n\ndef make_use(thing: ${name}) -> "${name}":\n    return thing\n` },
    {
      how: "quoted annotation",
      text: `from typing import Optional\n\nimport ${module} as whole\n\n\ndef make_use(thing: "Optional[whole.${name}]" = None):\n    return thing\n`,
    },
    { how: "isinstance", text: `${from}\n\n\ndef make_use(thing):\n    return isinstance(thing, (int, ${name}))\n` },
    {
      how: "except or match",
      text: `${from}\n\n\ndef make_use(things):\n    return [one for one in things if type(one) is ${name}]\n`,
    },
    {
      how: "kept in self",
      text: `${from}\n\n\nclass Keeper:\n    def __init__(self${made.takes === "" ? "" : `, ${made.takes}`}):\n        self.kept = ${made.expression}\n`,
    },
  ];
}

const inFunction = ({ takes, expression }: { takes: string; expression: string }, from: string): string =>
  `def make_use(${takes}):\n    ${from}\n\n    return ${expression}\n`;

const statementOnly = ({ takes, expression }: { takes: string; expression: string }, from: string): string =>
  `${from}\n\n\ndef make_use(${takes}):\n    ${expression}\n`;

// Uses and near misses of a class's method, attribute or constant.

import type { Definition, Project } from "./project.ts";
import type { Chance } from "./attempt.ts";
import { argumentsFor, type Draft } from "./arguments.ts";

export function memberUses(
  project: Project,
  target: Definition,
  chance: Chance,
  parameter: string | undefined,
): Draft[] {
  const home = project.own.find(
    ({ kind, path, name, owner }) =>
      kind === "class" && path === target.path && name === target.owner && owner === null,
  );
  if (home === undefined) return [];
  const module = project.moduleOf(target.path);
  const last = module.split(".").at(-1) ?? module;
  const { name } = target;
  const c = home.name;
  const from = `from ${module} import ${c}`;
  const isCalled = target.kind === "function" && !target.decorators.some((text) => /property/.test(text));
  const asked = (): { takes: string[]; tail: string } => {
    if (!isCalled) return { takes: [], tail: "" };
    const { takes, gives } = argumentsFor(project, target, chance, parameter);
    return { takes: takes === "" ? [] : [takes], tail: `(${gives})` };
  };
  const made = argumentsFor(project, home, chance, undefined);
  const list = (...parts: readonly string[]): string =>
    [...new Set(parts.flatMap((part) => part.split(", ")))].filter((part) => part !== "").join(", ");
  const { takes, tail } = asked();
  const wait = target.isAsync === true;
  const def = wait ? "async def" : "def";
  const member = (object: string): string => `${wait ? "await " : ""}${object}.${name}${tail}`;

  const drafts: Draft[] = [
    {
      how: "annotated parameter",
      text: `${from}\n\n\n${def} make_use(${list("thing", ...takes).replace("thing", `thing: ${c}`)}):\n    return ${member("thing")}\n`,
    },
    {
      how: "quoted annotation",
      text: `from __future__ import annotations\n\nimport ${module} as whole\n\n\n${def} make_use(${list("thing", ...takes).replace("thing", `thing: whole.${c}`)}):\n    return ${member("thing")}\n`,
    },
    {
      how: "type checking annotation",
      text: `from __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    ${from}\n\n\n${def} make_use(${list("thing", ...takes).replace("thing", `thing: ${c}`)}):\n    return ${member("thing")}\n`,
    },
    {
      how: "optional parameter",
      text: `from typing import Optional\n\n${from}\n\n\n${def} make_use(${list("thing", ...takes).replace("thing", `thing: Optional[${c}]`)}):\n    if thing is None:\n        return None\n    return ${member("thing")}\n`,
    },
    {
      how: "made in place",
      text: `${from}\n\n\n${def} make_use(${list(made.takes, ...takes)}):\n    return ${member(`${c}(${made.gives})`)}\n`,
    },
    {
      how: "local variable",
      text: `${from}\n\n\n${def} make_use(${list(made.takes, ...takes)}):\n    thing = ${c}(${made.gives})\n    return ${member("thing")}\n`,
    },
    {
      how: "local variable of a module's class",
      text: `import ${module} as whole\n\n\n${def} make_use(${list(made.takes, ...takes)}):\n    thing = whole.${c}(${made.gives})\n    result = ${member("thing")}\n    return result\n`,
    },
    {
      how: "test with an instance",
      text: `${from}\n\n\n${def} test_use(${list(made.takes, ...takes)}):\n    thing = ${c}(${made.gives})\n    assert ${member("thing")} is not None\n`,
      place: "tests",
    },
    {
      how: "self in a subclass",
      text: `${from}\n\n\nclass Special(${c}):\n    ${def} make_use(${list("self", ...takes)}):\n        return ${member("self")}\n`,
    },
    {
      how: "subclass relative",
      text: `from .${last} import ${c}\n\n\nclass Special(${c}):\n    ${def} make_use(${list("self", ...takes)}):\n        return ${member("self")}\n`,
      place: target.path.endsWith("__init__.py") ? "tests" : "beside",
    },
    {
      how: "super in an override",
      text: `${from}\n\n\nclass Special(${c}):\n    ${def} ${name}_twice(${list("self", ...takes)}):\n        return ${member("super()")}\n`,
    },
    {
      how: "override",
      text: `${from}\n\n\nclass Special(${c}):\n    ${def} ${name}(self, *args, **kwargs):\n        return ${wait ? "await " : ""}super().${name}(*args, **kwargs)\n`,
    },
    {
      how: "instance of a subclass",
      text: `${from}\n\n\nclass Special(${c}):\n    pass\n\n\n${def} make_use(${list("thing", ...takes).replace("thing", "thing: Special")}):\n    return ${member("thing")}\n`,
    },
    {
      how: "isinstance",
      text: `${from}\n\n\n${def} make_use(${list("thing", ...takes)}):\n    if isinstance(thing, ${c}):\n        return ${member("thing")}\n    return None\n`,
    },
    {
      how: "kept in self",
      text: `${from}\n\n\nclass Keeper:\n    def __init__(${list("self", made.takes)}):\n        self.kept = ${c}(${made.gives})\n\n    ${def} make_use(${list("self", ...takes)}):\n        return ${member("self.kept")}\n`,
    },
    {
      how: "given to self",
      text: `${from}\n\n\nclass Keeper:\n    def __init__(self, kept: ${c}):\n        self.kept = kept\n\n    ${def} make_use(${list("self", ...takes)}):\n        return ${member("self.kept")}\n`,
    },
    {
      how: "list",
      text: `${from}\n\n\n${def} make_use(${list("things", ...takes).replace("things", `things: list[${c}]`)}):\n    for thing in things:\n        ${member("thing")}\n`,
    },
    {
      how: "list comprehension",
      text: `${from}\n\n\n${def} make_use(${list("things", ...takes).replace("things", `things: list[${c}]`)}):\n    return [${member("thing")} for thing in things]\n`,
    },
    {
      how: "dict",
      text: `${from}\n\n\n${def} make_use(${list("things", ...takes).replace("things", `things: dict[str, ${c}]`)}):\n    return ${member('things["one"]')}\n`,
    },
    {
      how: "returned",
      text: `${from}\n\n\ndef find() -> ${c}:\n    raise NotImplementedError\n\n\n${def} make_use(${list(...takes)}):\n    return ${member("find()")}\n`,
    },
    {
      how: "annotated variable",
      text: `${from}\n\n\n${def} make_use(${list("given", ...takes)}):\n    thing: ${c} = given\n    return ${member("thing")}\n`,
    },
    { how: "with the class", text: `${from}\n\nFOUND = ${c}.${name}\n` },
    { how: "untyped parameter", text: `${def} make_use(${list("thing", ...takes)}):\n    return ${member("thing")}\n` },
    {
      how: "getattr with default",
      text: `${from}\n\n\ndef make_use(thing: ${c}):\n    return getattr(thing, "${name}", None)\n`,
    },
    { how: "hasattr guard", text: `${from}\n\n\ndef make_use(thing: ${c}):\n    return hasattr(thing, "${name}")\n` },
    { how: "own class", text: `class ${c}:\n    ${name} = 1\n\n\nFOUND = ${c}().${name}\n` },
    {
      how: "own member in a subclass",
      text: `${from}\n\n\nclass Special(${c}):\n    def ${name}(self, *args, **kwargs):\n        return args, kwargs\n\n\ndef make_use(thing: Special):\n    return thing.${name}\n`,
    },
    { how: "string", text: `NAMES = ["${name}", "${c}.${name}"]\n` },
    {
      how: "attribute set",
      text: `${from}\n\n\nclass Special(${c}):\n    def prepare(self):\n        self.${name}_cache = None\n        return self.${name}_cache\n`,
    },
  ];
  const sibling = project.own.find(
    ({ path, owner, name: other, kind }) =>
      path === target.path && owner === c && other !== name && kind === "function" && !other.startsWith("_"),
  );
  if (sibling !== undefined)
    drafts.push({
      how: "unchanged sibling",
      text: `${from}\n\n\ndef make_use(thing: ${c}):\n    return thing.${sibling.name}\n`,
    });
  const factory = project.own.find(
    ({ kind, owner, returns, decorators, isAsync }) =>
      kind === "function" &&
      owner === null &&
      returns !== null &&
      returns !== undefined &&
      returns.replaceAll(/["']/g, "") === c &&
      decorators.length === 0 &&
      isAsync === false,
  );
  if (factory !== undefined) {
    const args = argumentsFor(project, factory, chance, undefined);
    drafts.push({
      how: "made by a function of the project",
      text: `from ${project.moduleOf(factory.path)} import ${factory.name}\n\n\n${def} make_use(${list(args.takes, ...takes)}):\n    return ${member(`${factory.name}(${args.gives})`)}\n`,
    });
  }
  return drafts;
}

// The model as Go: a package per module, consumers in a package of their own.

import {
  type Block,
  type Callable,
  type ConsumerModel,
  type ModuleModel,
  modulesOf,
  numbers,
  type Render,
} from "../../compiled/cases/model.ts";
import { blockParts, sum, type WriteStatement } from "../../compiled/cases/blocks.ts";

export const writeGo: Render = ({ modules, consumers }) => {
  const files: Record<string, string> = { "go.mod": "module example.org/p\n\ngo 1.19\n" };
  for (const module of modules) files[`${module.name}/${module.name}.go`] = moduleFile(module);
  for (const consumer of consumers) files[`app/${consumer.name}.go`] = consumerFile(consumer);
  return files;
};

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const nameOf = ({ name, isPrivate }: Callable): string =>
  isPrivate === true ? `hidden${capital(name)}` : capital(name);
const parameters = (count: number): string => Array.from({ length: count }, (_, at) => `a${at} int`).join(", ");

function moduleFile(module: ModuleModel): string {
  const parts = [`package ${module.name}\n`, ...module.extras.map((block) => blockText(block, () => ""))];
  for (const one of module.functions)
    parts.push(`func ${nameOf(one)}(${parameters(one.arity)}) int {\n\treturn ${sum(one.arity)}\n}\n`);
  for (const { name, fields, methods } of module.types) {
    parts.push(`type ${name} struct {\n${fields.map((field) => `\t${capital(field)} int\n`).join("")}}\n`);
    for (const one of methods)
      parts.push(
        `func (self *${name}) ${capital(one.name)}(${parameters(one.arity)}) int {\n\treturn ${sum(one.arity)}\n}\n`,
      );
  }
  for (const { name, variants } of module.enums)
    parts.push(
      `type ${name} int\n\nconst (\n${variants.map((one, at) => `\t${one}${at === 0 ? ` ${name} = iota` : ""}\n`).join("")})\n`,
    );
  for (const { name, methods } of module.interfaces)
    parts.push(
      `type ${name} interface {\n${methods.map((one) => `\t${capital(one.name)}(${parameters(one.arity)}) int\n`).join("")}}\n`,
    );
  return parts.join("\n");
}

function consumerFile(consumer: ConsumerModel): string {
  const isNamed = consumer.style === "full";
  const imports = modulesOf(consumer).map(
    ({ name }) => `import ${isNamed ? `x${name} ` : ""}"example.org/p/${name}"\n`,
  );
  const blocks = consumer.blocks.map((block) => blockText(block, ({ name }) => `${isNamed ? "x" : ""}${name}.`));
  return [`package app\n`, imports.join(""), ...blocks].join("\n");
}

type From = (module: ModuleModel) => string;

function blockText(block: Block, from: From): string {
  const { lines, after } = blockParts(block, "\t", writeWith(from));
  return `func ${capital(block.name)}() int {\n\ttotal := 0\n${lines}\treturn total\n}\n${after}`;
}

const writeWith =
  (from: From): WriteStatement =>
  (one, id, body, beside) => {
    const q = "module" in one ? from(one.module) : "";
    switch (one.kind) {
      case "call":
        body.push(`total += ${q}${nameOf(one.target)}(${numbers(one.target.arity)})`);
        return;
      case "make": {
        const given = one.read
          ? one.type.fields.map((field) => `${capital(field)}: 1`).join(", ")
          : numbers(one.type.fields.length);
        body.push(
          `${id} := ${q}${one.type.name}{${given}}`,
          one.read ? `total += ${id}.${capital(one.type.fields[0] ?? "")}` : `_ = ${id}`,
        );
        return;
      }
      case "method": {
        const call = `${capital(one.target.name)}(${numbers(one.target.arity)})`;
        if (one.by === "made") body.push(`${id} := &${q}${one.type.name}{}`, `total += ${id}.${call}`);
        else beside.push(`func take${id}(value *${q}${one.type.name}) int {\n\treturn value.${call}\n}\n`);
        return;
      }
      case "match":
        body.push(
          `switch ${q}${one.enum.name}(0) {`,
          ...one.enum.variants.map((variant) => `case ${q}${variant}:`),
          "}",
        );
        return;
      case "variant":
        body.push(`total += int(${q}${one.enum.variants[one.at] ?? ""})`);
        return;
      case "implement":
        beside.push(
          `type impl${id} struct{}\n\nvar _ ${q}${one.interface.name} = impl${id}{}\n`,
          ...one.interface.methods.map(
            (method) => `func (impl${id}) ${capital(method.name)}(${parameters(method.arity)}) int {\n\treturn 2\n}\n`,
          ),
        );
        return;
      case "shadow":
        body.push(`${capital(one.name)} := 3`, `total += ${capital(one.name)}`);
        return;
      case "text":
        body.push(`// ${capital(one.name)}(1) is nice`, `_ = "${capital(one.name)}(1)"`);
        return;
      default:
        return;
    }
  };

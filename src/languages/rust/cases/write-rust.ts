// The model as Rust: one crate, a file per module and consumer.

import {
  type Block,
  type ConsumerModel,
  type ModuleModel,
  modulesOf,
  type Render,
} from "../../compiled/cases/model.ts";
import { blockParts, called, nameUsed, sum, type WriteStatement } from "../../compiled/cases/blocks.ts";

export const writeRust: Render = ({ modules, consumers }) => {
  const files: Record<string, string> = {
    "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": [...modules, ...consumers].map(({ name }) => `pub mod ${name};\n`).join(""),
  };
  for (const module of modules) files[`src/${module.name}.rs`] = moduleFile(module);
  for (const consumer of consumers) files[`src/${consumer.name}.rs`] = consumerFile(consumer);
  return files;
};

const parameters = (count: number): string => Array.from({ length: count }, (_, at) => `a${at}: i32`).join(", ");
const withSelf = (count: number): string => ["&self", ...(count === 0 ? [] : [parameters(count)])].join(", ");

function moduleFile(module: ModuleModel): string {
  const parts = module.extras.map((block) => blockText(block, () => ""));
  for (const { name, arity, isPrivate } of module.functions)
    parts.push(`${isPrivate === true ? "" : "pub "}fn ${name}(${parameters(arity)}) -> i32 {\n    ${sum(arity)}\n}\n`);
  for (const { name, fields, methods } of module.types) {
    const body = methods.map(
      (one) => `    pub fn ${one.name}(${withSelf(one.arity)}) -> i32 {\n        ${sum(one.arity)}\n    }\n`,
    );
    parts.push(
      `pub struct ${name} {\n${fields.map((field) => `    pub ${field}: i32,\n`).join("")}}\n`,
      `impl ${name} {\n${body.join("\n")}}\n`,
    );
  }
  for (const { name, variants } of module.enums)
    parts.push(`pub enum ${name} {\n${variants.map((one) => `    ${one},\n`).join("")}}\n`);
  for (const { name, methods } of module.interfaces)
    parts.push(
      `pub trait ${name} {\n${methods.map((one) => `    fn ${one.name}(${withSelf(one.arity)}) -> i32;\n`).join("")}}\n`,
    );
  return parts.join("\n");
}

function consumerFile(consumer: ConsumerModel): string {
  const { style } = consumer;
  const imports = modulesOf(consumer).map((module) => {
    if (style === "module") return `use crate::${module.name};\n`;
    if (style === "all") return `use super::${module.name}::*;\n`;
    return style === "full" ? "" : `use crate::${module.name}::{${namesFrom(consumer, module).join(", ")}};\n`;
  });
  const from = ({ name }: ModuleModel): string =>
    style === "module" ? `${name}::` : style === "full" ? `crate::${name}::` : "";
  return [imports.join(""), ...consumer.blocks.map((block) => blockText(block, from))].join("\n");
}

function namesFrom({ blocks }: ConsumerModel, module: ModuleModel): string[] {
  const names = new Set<string>();
  for (const one of blocks.flatMap(({ statements }) => statements)) {
    if (!("module" in one) || one.module !== module) continue;
    names.add(nameUsed(one));
  }
  return [...names].sort();
}

type From = (module: ModuleModel) => string;

function blockText(block: Block, from: From): string {
  const { lines, after } = blockParts(block, "    ", writeWith(from));
  return `pub fn ${block.name}() -> i32 {\n    let mut total = 0;\n${lines}    total\n}\n${after}`;
}

const made = (fields: readonly string[]): string => fields.map((field) => `${field}: 1`).join(", ");

const writeWith =
  (from: From): WriteStatement =>
  (one, id, body, beside) => {
    const q = "module" in one ? from(one.module) : "";
    switch (one.kind) {
      case "call":
        body.push(`total += ${q}${called(one.target)};`);
        return;
      case "make":
        body.push(`let ${id} = ${q}${one.type.name} { ${made(one.type.fields)} };`);
        body.push(one.read ? `total += ${id}.${one.type.fields[0] ?? ""};` : `let _ = ${id};`);
        return;
      case "method":
        if (one.by === "made")
          body.push(
            `let ${id} = ${q}${one.type.name} { ${made(one.type.fields)} };`,
            `total += ${id}.${called(one.target)};`,
          );
        else
          beside.push(`pub fn take_${id}(value: &${q}${one.type.name}) -> i32 {\n    value.${called(one.target)}\n}\n`);
        return;
      case "match":
        beside.push(
          `pub fn match_${id}(value: &${q}${one.enum.name}) -> i32 {\n    match value {\n${one.enum.variants.map((variant, at) => `        ${q}${one.enum.name}::${variant} => ${at},\n`).join("")}    }\n}\n`,
        );
        return;
      case "variant":
        body.push(`let _ = ${q}${one.enum.name}::${one.enum.variants[one.at] ?? ""};`);
        return;
      case "implement":
        beside.push(
          `pub struct Impl${id};\n\nimpl ${q}${one.interface.name} for Impl${id} {\n${one.interface.methods.map((method) => `    fn ${method.name}(${withSelf(method.arity)}) -> i32 {\n        2\n    }\n`).join("")}}\n`,
        );
        return;
      case "shadow":
        body.push(`let ${one.name} = 3;`, `total += ${one.name};`);
        return;
      case "text":
        body.push(`// ${one.name}(1) is nice`, `let _ = "${one.name}(1)";`);
        return;
      default:
        return;
    }
  };

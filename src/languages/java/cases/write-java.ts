// The model as Java: a package per module with a class of static methods and a file for each type, consumers in a package of their
// own.

import {
  type Block,
  type ConsumerModel,
  type ModuleModel,
  modulesOf,
  numbers,
  type Render,
} from "../../compiled/cases/model.ts";
import { blockParts, called, nameUsed, sum, type WriteStatement } from "../../compiled/cases/blocks.ts";

export const writeJava: Render = ({ modules, consumers }) => {
  const files: Record<string, string> = {};
  for (const module of modules) writeModule(module, files);
  for (const consumer of consumers) files[`src/p/app/${classOf(consumer.name)}.java`] = consumerFile(consumer);
  return files;
};

const classOf = (name: string): string => `C${name}`;
const parameters = (count: number): string => Array.from({ length: count }, (_, at) => `int a${at}`).join(", ");

function writeModule(module: ModuleModel, files: Record<string, string>): void {
  const place = `src/p/${module.name}`;
  const head = `package p.${module.name};\n\n`;
  const functions = module.functions.map(
    ({ name, arity, isPrivate }) =>
      `  ${isPrivate === true ? "private" : "public"} static int ${name}(${parameters(arity)}) {\n    return ${sum(arity)};\n  }\n`,
  );
  const extras = module.extras.map((block) => blockText(block, (_, kind) => (kind === "function" ? "" : "")));
  files[`${place}/${classOf(module.name)}.java`] =
    `${head}public class ${classOf(module.name)} {\n${[...extras, ...functions].join("\n")}}\n`;
  for (const { name, fields, methods } of module.types) {
    const own = fields.map((field) => `  public int ${field};\n`);
    const sets = fields.map((field) => `    this.${field} = ${field};\n`);
    const maker = `  public ${name}(${fields.map((field) => `int ${field}`).join(", ")}) {\n${sets.join("")}  }\n`;
    const rest = methods.map(
      (one) => `  public int ${one.name}(${parameters(one.arity)}) {\n    return ${sum(one.arity)};\n  }\n`,
    );
    files[`${place}/${name}.java`] = `${head}public class ${name} {\n${[...own, maker, ...rest].join("\n")}}\n`;
  }
  for (const { name, variants } of module.enums)
    files[`${place}/${name}.java`] =
      `${head}public enum ${name} {\n${variants.map((one) => `  ${one},\n`).join("")}}\n`;
  for (const { name, methods } of module.interfaces)
    files[`${place}/${name}.java`] =
      `${head}public interface ${name} {\n${methods.map((one) => `  int ${one.name}(${parameters(one.arity)});\n`).join("")}}\n`;
}

type From = (module: ModuleModel, kind: "function" | "type") => string;

function consumerFile(consumer: ConsumerModel): string {
  const { style } = consumer;
  const imports = modulesOf(consumer).flatMap((module) => {
    const holder = `p.${module.name}.${classOf(module.name)}`;
    if (style === "full") return [];
    if (style === "module") return [`import p.${module.name}.*;\n`];
    const { functions, types } = namesFrom(consumer, module);
    const singles = types.map((name) => `import p.${module.name}.${name};\n`);
    if (functions.length === 0) return singles;
    if (style === "names") return [`import ${holder};\n`, ...singles];
    return [...functions.map((name) => `import static ${holder}.${name};\n`), ...singles];
  });
  const from: From = (module, kind) => {
    if (style === "full") return kind === "type" ? `p.${module.name}.` : `p.${module.name}.${classOf(module.name)}.`;
    return kind === "type" || style === "all" ? "" : `${classOf(module.name)}.`;
  };
  return `package p.app;\n\n${imports.join("")}\npublic class ${classOf(consumer.name)} {\n${consumer.blocks.map((block) => blockText(block, from)).join("\n")}}\n`;
}

function namesFrom({ blocks }: ConsumerModel, module: ModuleModel): { functions: string[]; types: string[] } {
  const [functions, types] = [new Set<string>(), new Set<string>()];
  for (const one of blocks.flatMap(({ statements }) => statements)) {
    if (!("module" in one) || one.module !== module) continue;
    (one.kind === "call" ? functions : types).add(nameUsed(one));
  }
  return { functions: [...functions].sort(), types: [...types].sort() };
}

function blockText(block: Block, from: From): string {
  const { lines, after } = blockParts(block, "    ", writeWith(from));
  return `  public static int ${block.name}() {\n    int total = 0;\n${lines}    return total;\n  }\n${after}`;
}

const writeWith =
  (from: From): WriteStatement =>
  (one, id, body, beside) => {
    const q = "module" in one ? from(one.module, one.kind === "call" ? "function" : "type") : "";
    switch (one.kind) {
      case "call":
        body.push(`total += ${q}${called(one.target)};`);
        return;
      case "make":
        body.push(`${q}${one.type.name} ${id} = new ${q}${one.type.name}(${numbers(one.type.fields.length)});`);
        if (one.read) body.push(`total += ${id}.${one.type.fields[0] ?? ""};`);
        return;
      case "method":
        if (one.by === "made")
          body.push(
            `var ${id} = new ${q}${one.type.name}(${numbers(one.type.fields.length)});`,
            `total += ${id}.${called(one.target)};`,
          );
        else
          beside.push(
            `  static int take${id}(${q}${one.type.name} value) {\n    return value.${called(one.target)};\n  }\n`,
          );
        return;
      case "match":
        beside.push(
          `  static int match${id}(${q}${one.enum.name} value) {\n    return switch (value) {\n${one.enum.variants.map((variant, at) => `      case ${variant} -> ${at};\n`).join("")}    };\n  }\n`,
        );
        return;
      case "variant":
        body.push(`total += ${q}${one.enum.name}.${one.enum.variants[one.at] ?? ""}.ordinal();`);
        return;
      case "implement":
        beside.push(
          `  static class Impl${id} implements ${q}${one.interface.name} {\n${one.interface.methods.map((method) => `    @Override\n    public int ${method.name}(${parameters(method.arity)}) {\n      return 2;\n    }\n`).join("")}  }\n`,
        );
        return;
      case "shadow":
        body.push(`int ${one.name} = 3;`, `total += ${one.name};`);
        return;
      case "text":
        body.push(`// ${one.name}(1) is nice`, `String text${id} = "${one.name}(1)";`);
        return;
      default:
        return;
    }
  };

// New code around one declaration of real code: a call with what its parameters ask for, by name and by literals, a read of a field, a
// type that implements an interface; and near misses that only share its name.

import type { Files } from "../judge-trees.ts";
import type { Piece } from "./piece.ts";
import type { RealLanguage } from "./read-pieces.ts";
import { besides, type Draft, goFile } from "./block.ts";

type Make = (number: number) => Draft;

export function madeUp(language: RealLanguage, files: Files, pieces: readonly Piece[], target: Piece): Make[] {
  return language === "go"
    ? go(files, target)
    : language === "java"
      ? java(files, pieces, target)
      : rust(files, pieces, target);
}

const literals: Readonly<Record<RealLanguage, Readonly<Record<string, string>>>> = {
  go: { int: "3", string: '"text"', bool: "true", byte: "'a'", "[]byte": '[]byte("text")' },
  java: { int: "3", String: '"text"', boolean: "true", char: "'a'", long: "3L" },
  rust: {
    usize: "3",
    "&str": '"text"',
    bool: "true",
    u8: "3",
    i64: "3",
    i32: "3",
    u32: "3",
    char: "'a'",
    String: "String::new()",
  },
};

function go(files: Files, target: Piece): Make[] {
  const whole = files[target.path] ?? "";
  const { name, kind, holder, header, type, result } = target;
  const made: Make[] = [];
  const file = (kindOfUse: string, text: (number: number) => string): void => {
    made.push((number) => ({
      kind: kindOfUse,
      path: besides(target.path, number),
      at: undefined,
      text: goFile(whole, text(number)),
    }));
  };
  if (kind === "function" && !target.isGeneric) {
    const receiver = header === "" ? [] : [`it ${/(\*?\s*[\w.]+)\s*\)$/.exec(header)?.[1] ?? holder}`];
    const named = target.parameters.map((one, at) => ({ ...one, name: `a${at}` }));
    const call = (args: readonly string[]): string => `${header === "" ? "" : "it."}${name}(${args.join(", ")})`;
    const list = [...receiver, ...named.map((one) => `${one.name} ${one.type}`)].join(", ");
    const args = named.map((one) => (one.type.startsWith("...") ? `${one.name}...` : one.name));
    const answer = result === "" ? "" : "return ";
    file("wrap", (n) => `func again${n}(${list}) ${bare(result)} {\n\t${answer}${call(args)}\n}`);
    const some = named.map(
      (one) => literals.go[one.type] ?? (one.type.startsWith("...") ? `${one.name}...` : one.name),
    );
    const rest = named.filter((one) => literals.go[one.type] === undefined);
    if (rest.length < named.length)
      file(
        "literals",
        (n) =>
          `func again${n}(${[...receiver, ...rest.map((one) => `${one.name} ${one.type}`)].join(", ")}) ${bare(result)} {\n\t${answer}${call(some)}\n}`,
      );
  }
  if (kind === "field") {
    file("read", (n) => `func again${n}(it *${holder}) ${type} {\n\treturn it.${name}\n}`);
    file("write", (n) => `func again${n}(it *${holder}, to ${type}) {\n\tit.${name} = to\n}`);
    file("literal", (n) => `func again${n}(to ${type}) *${holder} {\n\treturn &${holder}{${name}: to}\n}`);
  }
  if (kind === "constant") file("read", (n) => `var again${n} = ${name}`);
  if ((kind === "type" || kind === "interface") && !target.isGeneric)
    file("type", (n) => `func again${n}(it *${name}) *${name} {\n\treturn it\n}`);
  if (kind === "interface") {
    const methods = [...target.text.matchAll(/^\s*(\w+\([^\n]*?)(\s*\/\/.*)?$/gm)].map(([, one = ""]) => one);
    const body = (n: number): string =>
      [`type again${n} struct{}`, ...methods.map((one) => `func (again${n}) ${one} {\n\tpanic("later")\n}`)].join(
        "\n\n",
      );
    file("implements", (n) => `${body(n)}\n\nvar _ ${name} = again${n}{}`);
    file("implements", (n) => `${body(n)}\n\nfunc make${n}() ${name} {\n\treturn &again${n}{}\n}`);
    file(
      "implements",
      (n) => `${body(n)}\n\nfunc take${n}(it ${name}) {}\n\nfunc give${n}() {\n\ttake${n}(again${n}{})\n}`,
    );
  }
  const local = name.replace(/^./, (letter) => letter.toLowerCase());
  file("same name, local", (n) => `func again${n}(${local} int) int {\n\t${name} := ${local} + 1\n\treturn ${name}\n}`);
  file(
    "same name, member",
    (n) =>
      `type again${n} struct{}\n\nfunc (again${n}) ${name}(a, b, c, d int) int { return a }\n\nfunc use${n}() int { return again${n}{}.${name}(1, 2, 3, 4) }`,
  );
  return made;
}

/** Names of results are not repeated. */
const bare = (result: string): string => result;

function java(files: Files, pieces: readonly Piece[], target: Piece): Make[] {
  const whole = files[target.path] ?? "";
  const { name, kind, holder, type, result, header } = target;
  const home = /^package ([\w.]+);/m.exec(whole)?.[1] ?? "";
  const imports = whole.match(/^import [^\n]+$/gm) ?? [];
  const made: Make[] = [];
  const top = /([^/]+)\.java$/.exec(target.path)?.[1] ?? "";
  // Types that stand inside are written without what is around them in signatures.
  const inner =
    holder.includes(".") ||
    pieces.some(
      (one) =>
        one.path === target.path && one.holder.startsWith(top) && (one.kind === "type" || one.kind === "interface"),
    );
  const file = (kindOfUse: string, body: (number: number) => string, after = ""): void => {
    made.push((number) => ({
      kind: kindOfUse,
      path: target.path.replace(/[^/]+$/, `Again${number}.java`),
      at: undefined,
      text: `package ${home};\n\n${[...imports, ...(inner && kind === "function" ? [`import ${home}.${top}.*;`] : [])].join("\n")}\n\nclass Again${number}${after} {\n${body(number)}\n}\n`,
    }));
  };
  const it = target.isStatic ? holder : "it";
  const self = target.isStatic ? [] : [`${holder} it`];
  const throwing = /\)\s*(throws\s+[^{]+?)\s*\{/.exec(target.text.slice(0, target.text.indexOf("{") + 1))?.[1] ?? "";
  if ((kind === "function" || kind === "constructor") && !target.isGeneric && header === "") {
    const named = target.parameters.map((one, at) => ({ ...one, name: `a${at}` }));
    const isMade = kind === "constructor";
    const call = (args: string): string => (isMade ? `new ${holder}(${args})` : `${it}.${name}(${args})`);
    const answer = isMade ? holder : result;
    const before = answer === "void" ? "" : "return ";
    const own = isMade ? [] : self;
    const method = (list: readonly string[], args: readonly string[]): string =>
      `  static ${answer} use(${list.join(", ")}) ${throwing} {\n    ${before}${call(args.join(", "))};\n  }`;
    file("wrap", () =>
      method(
        [...own, ...named.map((one) => `${one.type} ${one.name}`)],
        named.map((one) => one.name),
      ),
    );
    const rest = named.filter((one) => literals.java[one.type] === undefined);
    const some = named.map((one) => literals.java[one.type] ?? one.name);
    if (rest.length < named.length)
      file("literals", () => method([...own, ...rest.map((one) => `${one.type} ${one.name}`)], some));
    if (isMade && !holder.includes("."))
      file(
        "extends",
        (n) =>
          `  Again${n}(${named.map((one) => `${one.type} ${one.name}`).join(", ")}) ${throwing} {\n    super(${named.map((one) => one.name).join(", ")});\n  }`,
        ` extends ${holder}`,
      );
    if (
      !isMade &&
      named.length === 0 &&
      answer !== "void" &&
      !["int", "boolean", "long", "char"].includes(answer) &&
      throwing === ""
    )
      file(
        "lambda",
        () =>
          `  static java.util.function.Supplier<${answer}> use(${self.map((one) => `final ${one}`).join("")}) {\n    return () -> ${call("")};\n  }`,
      );
  }
  if (kind === "field" || kind === "constant" || kind === "variant") {
    const owner = kind === "variant" || target.isStatic ? holder : "it";
    const taken = owner === "it" ? `${holder} it` : "";
    file(
      "read",
      () => `  static ${kind === "variant" ? holder : type} use(${taken}) {\n    return ${owner}.${name};\n  }`,
    );
    if (kind === "field")
      file(
        "write",
        () => `  static void use(${taken}${taken === "" ? "" : ", "}${type} to) {\n    ${owner}.${name} = to;\n  }`,
      );
  }
  if (kind === "type" || kind === "interface")
    file("type", () => `  ${target.holder === "" ? name : `${target.holder}.${name}`} it;`);
  if (kind === "interface" || kind === "type") {
    const heirs = pieces.filter(
      (one) =>
        one.kind === "type" &&
        one.holder === "" &&
        new RegExp(`(implements|extends)[^{]*\\b${name}\\b[^{]*\\{`).test(one.text.slice(0, 600)),
    );
    for (const heir of heirs.slice(0, 3))
      made.push((number) => ({
        kind: "implements",
        path: heir.path.replace(/[^/]+$/, `Again${number}.java`),
        at: undefined,
        text: (files[heir.path] ?? "").replaceAll(new RegExp(`\\b${heir.name}\\b`, "g"), `Again${number}`),
      }));
  }
  if (kind === "interface") {
    const methods = pieces.filter(
      (one) =>
        one.kind === "function" &&
        one.path === target.path &&
        one.holder === (target.holder === "" ? name : `${target.holder}.${name}`) &&
        !one.hasBody,
    );
    const [method] = methods;
    if (methods.length === 1 && method !== undefined) {
      const args = method.parameters.map((_, at) => `a${at}`).join(", ");
      const body = method.result === "void" ? "{ }" : "{ throw new IllegalStateException(); }";
      const wanted = target.holder === "" ? name : `${target.holder}.${name}`;
      const generic = target.isGeneric ? "<?>" : "";
      if (!target.isGeneric)
        file("lambda", () => `  static ${wanted}${generic} use() {\n    return (${args}) -> ${body};\n  }`);
    }
  }
  file("same name, local", () => `  static int use(int ${name}) {\n    return ${name} + 1;\n  }`);
  file(
    "same name, member",
    (n) =>
      `  static int ${name}(int a, int b, int c, int d) {\n    return a;\n  }\n\n  static int use() {\n    return ${name}(1, 2, 3, 4) + Again${n}.${name}(1, 2, 3, 4);\n  }`,
  );
  return made;
}

function rust(files: Files, pieces: readonly Piece[], target: Piece): Make[] {
  const whole = files[target.path] ?? "";
  const { name, kind, holder, header, type, result, path } = target;
  const made: Make[] = [];
  const end = (kindOfUse: string, text: (number: number) => string): void => {
    made.push((number) => ({ kind: kindOfUse, path, at: whole.length, text: text(number) }));
  };
  const arrow = (one: string): string => (one === "" ? "" : ` -> ${one}`);
  const isOpen =
    header.includes("<") || result.includes("'") || result.includes("Self") || (result.includes("&") && holder === "");
  if (kind === "function" && !target.isGeneric && !isOpen && !target.isBound) {
    const named = target.parameters.map((one, at) => ({ ...one, name: `a${at}` }));
    const self = /^\(\s*((?:&(?:'\w+\s+)?)?(?:mut\s+)?)self\b/.exec(
      target.text.slice(target.parametersAt[0] - target.at[0]),
    )?.[1];
    const own = self === undefined ? [] : [`it: ${self.replace(/^mut\s+/, "")}${holder}`];
    const call = (args: readonly string[]): string =>
      self !== undefined
        ? `it.${name}(${args.join(", ")})`
        : `${holder === "" ? "" : `${holder}::`}${name}(${args.join(", ")})`;
    const list = (some: typeof named): string => [...own, ...some.map((one) => `${one.name}: ${one.type}`)].join(", ");
    const isConst = /\bunsafe fn\b/.test(target.text.slice(0, 60)) ? "unsafe " : "";
    end(
      "wrap",
      (n) => `${isConst}fn again${n}(${list(named)})${arrow(result)} {\n    ${call(named.map((one) => one.name))}\n}`,
    );
    const rest = named.filter((one) => literals.rust[one.type] === undefined);
    const some = named.map((one) => literals.rust[one.type] ?? one.name);
    if (rest.length < named.length)
      end("literals", (n) => `${isConst}fn again${n}(${list(rest)})${arrow(result)} {\n    ${call(some)}\n}`);
    if (result !== "")
      end(
        "wrap",
        (n) =>
          `${isConst}fn again${n}(${list(named)}) {\n    let found: ${result} = ${call(named.map((one) => one.name))};\n    drop(found);\n}`,
      );
  }
  if (kind === "field" && !target.isGeneric)
    end("read", (n) => `fn again${n}(it: &${holder}) -> &${type} {\n    &it.${name}\n}`);
  if (kind === "constant") end("read", (n) => `fn again${n}() {\n    let _ = &${name};\n}`);
  if (kind === "type" && !target.isGeneric) {
    end("type", (n) => `fn again${n}(it: &${name}) -> &${name} {\n    it\n}`);
    const fields = pieces.filter((one) => one.kind === "field" && one.path === path && one.holder === name);
    if (fields.length > 0)
      end(
        "literal",
        (n) =>
          `fn again${n}(${fields.map((one) => `${one.name}: ${one.type}`).join(", ")}) -> ${name} {\n    ${name} { ${fields.map((one) => one.name).join(", ")} }\n}`,
      );
  }
  if (kind === "interface") {
    for (const one of pieces.filter((each) => each.kind === "implementation" && each.name === name).slice(0, 4)) {
      const home = pieces.find((each) => each.kind === "type" && each.name === one.holder && each.path === one.path);
      if (home === undefined) continue;
      const text = (n: number): string =>
        `${home.text}\n\n${one.text}`.replaceAll(new RegExp(`\\b${home.name}\\b`, "g"), `Again${n}`);
      made.push((number) => ({
        kind: "implements",
        path: one.path,
        at: (files[one.path] ?? "").length,
        text: text(number),
      }));
    }
    end(
      "implements",
      (n) =>
        `struct Again${n};\n\nimpl ${name} for Again${n} {\n${[...target.text.matchAll(/^\s*((?:unsafe )?fn [^;{]*);/gm)].map(([, one = ""]) => `    ${one} {\n        todo!()\n    }\n`).join("")}}`,
    );
  }
  const local = name.toLowerCase();
  end("same name, local", (n) => `fn again${n}(${local}: i32) -> i32 {\n    ${local} + 1\n}`);
  end(
    "same name, member",
    (n) =>
      `struct Again${n};\n\nimpl Again${n} {\n    fn ${local}(&self, a: i32, _b: i32, _c: i32, _d: i32) -> i32 {\n        a\n    }\n\n    fn used(&self) -> i32 {\n        self.${local}(1, 2, 3, 4)\n    }\n}`,
  );
  return made;
}

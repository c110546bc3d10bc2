// Files made to explode in whatever reads them: deep nesting, long lines, many declarations, repeated parts that unfold, patterns that try every way. Each is small
// enough to be written in a test, and larger or deeper than anything people write.

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join("");
const nested = (open: string, middle: string, close: string, depth: number): string =>
  `${open.repeat(depth)}${middle}${close.repeat(depth)}`;

const deep = 30_000;
const long = 2_000_000;
const lots = 5_000;

/** Nine levels of ten aliases: a billion values, were they unfolded. */
const aliases = (): string =>
  ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
    .concat([..."bcdefghi"].map((name, at) => `${name}: &${name} [${Array(10).fill(`*${"abcdefghi"[at]}`).join(",")}]`))
    .join("\n");

/** Each side of a pair has its own, in a directory of its name: what git cannot merge is read by nobody. */
export const bombs = (side: string): Record<string, string> =>
  Object.fromEntries(Object.entries(bombsOf(side)).map(([path, text]) => [`${side}/${path}`, text]));

/** The bombs that only count at the top of a repository. */
export const bombsAtTop = (): Record<string, string> => {
  const all = bombsOf("top");
  const names = [
    "services.yaml",
    "docker-compose.yml",
    ".gitattributes",
    "package.json",
    "tsconfig.json",
    "pyproject.toml",
  ];
  return Object.fromEntries(names.map((name) => [name, all[name] ?? ""]));
};

const bombsOf = (side: string): Readonly<Record<string, string>> => ({
  // Six languages.
  "src/deep.ts": `export const ${side} = ${nested("(", "1", ")", deep)};\n`,
  "src/arrows.ts": `export const ${side} = ${"a=>".repeat(deep)}1;\n`,
  "src/types.ts": `export type ${side} = ${nested("Array<", "string", ">", deep)};\n`,
  "src/template.ts": `export const ${side} = ${nested("`${", "1", "}`", deep)};\n`,
  "src/jsx.tsx": `export const ${side} = ${nested("<a>", "x", "</a>", 5_000)};\n`,
  "src/line.js": `export const ${side} = "${"x".repeat(long)}";\n`,
  "src/many.ts": many(lots, (at) => `export function ${side}${at}(a: number): number { return a + ${at}; }\n`),
  "src/union.ts": `export type ${side} = ${many(lots, (at) => `| "k${at}"`)};\n`,
  "src/deep.py": `${side} = ${nested("[", "1", "]", deep)}\n`,
  "src/indent.py": many(500, (at) => `${" ".repeat(at)}if ${side}:\n`) + " ".repeat(500) + "pass\n",
  "src/many.py": many(lots, (at) => `def ${side}${at}(a):\n    return a + ${at}\n`),
  "src/blank.py": `${side} = 1${" ".repeat(500_000)}x\n`,
  "src/deep.go": `package src\n\nvar ${side} = ${nested("(", "1", ")", deep)}\n`,
  "src/many.go": `package src\n${many(lots, (at) => `func ${side}${at}(a int) int { return a }\n`)}`,
  "src/Deep.java": `class Deep { Object ${side} = ${nested("(", "1", ")", deep)}; }\n`,
  "src/Generic.java": `class Generic { ${nested("java.util.List<", "String", ">", 10_000)} ${side}; }\n`,
  "src/deep.rs": `pub const ${side}: i32 = ${nested("(", "1", ")", deep)};\n`,
  "src/macro.rs": `macro_rules! ${side} { ${nested("(", "", ")", 10_000)} => {}; }\n`,
  "src/many.rs": many(lots, (at) => `pub fn ${side}${at}(a: i32) -> i32 { a }\n`),
  "bin/deep.sh": `${nested("$(", side, ")", deep)}\n`,
  // Contracts.
  "api/aliases.yaml": `openapi: 3.0.3\ninfo: { title: ${side} }\n${aliases()}\npaths: {}\n`,
  "api/deep.json": `{"openapi":"3.0.3","x":${nested("[", `"${side}"`, "]", deep)}}`,
  "api/loop.json": JSON.stringify({
    openapi: "3.0.3",
    info: { title: side, version: "1" },
    paths: {},
    components: { schemas: { a: { $ref: "#/components/schemas/b" }, b: { $ref: "#/components/schemas/a" } } },
  }),
  "api/many.graphql": `type Query { ${side}: T0 }\n${many(lots, (at) => `type T${at} { a: T${at + 1} b: Int }\n`)}type T${lots} { a: Int }\n`,
  "api/deep.graphql": `type Query { ${side}: ${nested("[", "Int", "]", deep)} }\n`,
  "api/deep.proto": `syntax = "proto3";\n${nested("message A {", ` int32 ${side} = 1; `, "}", deep)}\n`,
  "api/many.proto": `syntax = "proto3";\nmessage A {\n${many(lots, (at) => `  int32 ${side}${at} = ${at + 1};\n`)}}\n`,
  // Declarations, manifests and lock files.
  "services.yaml": `services:\n  - name: ${side}\n${aliases()}\n`,
  "sub/catalog-info.yaml": `kind: Component\nmetadata: { name: ${side} }\nspec: ${nested("[", "x", "]", deep)}\n`,
  "docker-compose.yml": `${aliases()}\nservices: { ${side}: { image: x } }\n`,
  "package.json": `{"name":"${side}","exports":${nested("[", '"x"', "]", deep)}}`,
  "tsconfig.json": `{"compilerOptions":{"paths":{${many(2_000, (at) => `"${side}${at}/*/*":["*"],`)}"x":["y"]}}}`,
  "pyproject.toml": `[project]\nname = "${side}"\nx = ${nested("[", "1", "]", deep)}\n`,
  "go.mod": `module ${side}\n${many(lots, (at) => `require example.com/m${at} v1.0.0\n`)}`,
  "Cargo.toml": `[package]\nname = "${side}"\nx = ${nested("[", "1", "]", deep)}\n`,
  "package-lock.json": `{"name":"${side}","packages":{${many(lots, (at) => `"node_modules/p${at}":{"version":"1.0.${at}"},`)}"x":{}}}`,
  "bun.lock": many(lots, (at) => `"${side}${at}": ["a@1"],\n`),
  "Cargo.lock": many(lots, (at) => `[[package]]\nname = "${side}${at}"\n`),
  "go.sum": many(lots, (at) => `example.com/${side}${at} v1.0.0 h1:x=\n`),
  "poetry.lock": many(lots, (at) => `[[package]]\nname = "${side}${at}"\n`),
  // Patterns and names.
  ".gitattributes": many(5_000, (at) => `${"**/*".repeat(20)}${side}${at} linguist-generated\n`),
  [`odd/${"a".repeat(200)} ${side}\n\u202e"$(x)`]: "name\n",
  ".editorconfig": "x".repeat(1_000_000),
  "README.md": `${side}${" ".repeat(300_000)}x\n${"[".repeat(100_000)}`,
});

/** Patterns that could be tried in very many ways. */
export const manyStars = Array.from({ length: 200 }, (_, at) => `${"**/a*".repeat(30)}${at}`);

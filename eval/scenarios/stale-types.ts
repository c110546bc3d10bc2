// Contracts that move and output that does not.

import type { Grow, Template } from "./scenario.ts";

const template = (name: string, grow: Grow): Template => ({ kind: "stale-types", name, grow });

const openapi = (field: string): string =>
  `openapi: 3.0.0\ninfo:\n  title: x\npaths: {}\ncomponents:\n  schemas:\n    Thing:\n      properties:\n        ${field}: { type: string }\n`;
const output = (field: string): string =>
  `/**\n * This file was generated from api/openapi.yaml.\n */\nexport interface Thing {\n  ${field}: string;\n}\n`;
const proto = (field: string): string => `syntax = "proto3";\nmessage Thing {\n  string ${field} = 1;\n}\n`;

const base = {
  "api/openapi.yaml": openapi("name"),
  "src/api.generated.ts": output("name"),
  "src/page.ts": 'import type { Thing } from "./api.generated.ts";\nexport const one: Thing = { name: "a" };\n',
  "src/plain.ts": "export const plain = 1;\n",
};

const use = (name: string): string =>
  `import type { Thing } from "./api.generated.ts";\nexport const ${name}: Thing = { name: "b" };\n`;

export const staleTypes: readonly Template[] = [
  template("a contract changed, its output not, and the other side uses the output", (seed) => ({
    base,
    ours: { "api/openapi.yaml": openapi(seed.name()) },
    theirs: { "src/new.ts": use(seed.name()) },
    expect: ["stale-types"],
  })),
  template("protobuf by its naming", (seed) => ({
    base: { "proto/thing.proto": proto("name"), "app/thing_pb2.py": "# made by a program\nThing = object\n" },
    ours: { "proto/thing.proto": proto(seed.name()) },
    theirs: { "app/new.py": "from app.thing_pb2 import Thing\n\nmine = Thing()\n" },
    expect: ["stale-types"],
  })),
  template("the other side changes the output by itself", (seed) => ({
    base,
    ours: { "api/openapi.yaml": openapi(seed.name()) },
    theirs: { "src/api.generated.ts": `${output("name")}export type Extra = string;\n` },
    expect: ["stale-types"],
  })),
  template("near miss: the output was made anew", (seed) => {
    const field = seed.name();
    return {
      base,
      ours: {
        "api/openapi.yaml": openapi(field),
        "src/api.generated.ts": `${output("name")}export type ${field} = string;\n`,
      },
      theirs: { "src/new.ts": use(seed.name()) },
      expect: [],
    };
  }),
  template("near miss: the other side has nothing to do with it", (seed) => ({
    base,
    ours: { "api/openapi.yaml": openapi(seed.name()) },
    theirs: { "src/plain.ts": `export const plain = "${seed.name()}";\n` },
    expect: [],
  })),
  template("near miss: only a comment in the contract changed", (seed) => ({
    base,
    ours: { "api/openapi.yaml": `# ${seed.name()}\n${openapi("name")}` },
    theirs: { "src/new.ts": use(seed.name()) },
    expect: [],
  })),
  template("near miss: nothing says that the output comes from this contract", (seed) => ({
    base: { ...base, "src/api.generated.ts": output("name").replace("api/openapi.yaml", "another place") },
    ours: { "api/openapi.yaml": openapi(seed.name()) },
    theirs: { "src/new.ts": use(seed.name()) },
    expect: [],
  })),
];

import { expect, test } from "bun:test";
import { Bounded } from "../ports/bounded.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import { CodeMemory } from "./code-memory.ts";
import { type InterfacesMemory, repositoryInterfaces } from "./repository-interfaces.ts";

/** A tree of these files, and how many of them were opened. */
function treeOf(files: Readonly<Record<string, string>>) {
  let opened = 0;
  const observer = {
    tree: async () => new Map(Object.keys(files).map((path) => [path, { mode: "100644", blob: path }])),
    read: async (blob: string) => {
      opened += 1;
      return Buffer.from(files[blob] ?? "");
    },
  } as unknown as RepositoryObserver;
  return { observer, opened: () => opened };
}

const landing = { tree: "tree" } as Snapshot;
const memory = (): InterfacesMemory => ({
  code: new CodeMemory(),
  headers: new Bounded(20_000),
  offers: new Bounded(40_000),
});

const many = (count: number, entry: (at: number) => [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));

test("a specification behind thousands of other files is found, and none of them is opened twice", async () => {
  const { observer, opened } = treeOf({
    ...many(3_000, (at) => [`data/${at}.json`, `{ "at": ${at} }`]),
    "web/openapi.yaml": "openapi: 3.0.0\ninfo: { title: t, version: '1' }\npaths: { /a: { get: {} } }\n",
  });
  const known = memory();
  const first = await repositoryInterfaces(observer, landing, known);
  expect(first.contracts.map(({ path }) => path)).toEqual(["web/openapi.yaml"]);
  const before = opened();
  expect((await repositoryInterfaces(observer, landing, known)).contracts).toEqual(first.contracts);
  expect(opened()).toBe(before);
});

test("what the last of many files imports is known, and of what all import one place in code and one in tests", async () => {
  const lines = Array.from({ length: 10 }, (_, at) => `import { a${at} } from "./lib/a${at}";\n`).join("");
  const { observer } = treeOf({
    ...many(6_000, (at) => [`src/${at}.ts`, lines]),
    "test/a.test.ts": lines,
    "web/z.ts": 'import { orders } from "@acme/orders-client";\n',
  });
  const { imports } = await repositoryInterfaces(observer, landing, memory());
  expect(imports.filter(({ module }) => module === "@acme/orders-client")).toMatchObject([{ file: "web/z.ts" }]);
  expect(imports.filter(({ module }) => module === "./lib/a3")).toMatchObject([{ isTest: false }, { isTest: true }]);
});

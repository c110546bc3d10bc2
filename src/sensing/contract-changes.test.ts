// Tests what uncommitted work does to contracts, in each format, on real repositories; and the consumer's lines that use what changed.

import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ContractOutcome } from "../core/services/contract-outcome.ts";
import { Scratch, snapshotOf } from "../host/git/scratch.suite.ts";
import { CodeMemory } from "./code-memory.ts";
import { contractChanges } from "./contract-changes.ts";
import { mergedContracts } from "./merged-contracts.ts";
import { serviceFiles, usesOf } from "./service-files.ts";
import { throwing } from "../../test/kit/rejection.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = new Scratch();
});
afterAll(() => scratch.close());

const today = "2026-11-16";
const code = new CodeMemory();
let count = 0;

/** Returns what the work does to contracts, compared with the commit it stands on. */
async function changesOf(
  before: Readonly<Record<string, string>>,
  work: (worktree: string) => void,
  contracts = Object.keys(before).slice(0, 1),
): Promise<ContractOutcome[]> {
  count += 1;
  const top = scratch.repository(`contract-${count}`, before);
  const worktree = scratch.worktree(top, `work-${count}`);
  work(worktree);
  const observer = await scratch.observe(worktree);
  const landing = await observer.snapshotOf("main");
  if (landing === undefined) throw new Error("no main");
  const snapshot = await snapshotOf(observer, worktree);
  return [...(await contractChanges(observer, { worktree, snapshot, landing, contracts, today, code })).outcomes];
}

test("a contract that the clone lacks, or that is no text, is told as unread, and neither as gone nor as no contract", async () => {
  const text = "openapi: 3.0.0\ninfo: { title: t, version: '1' }\npaths: {}\n";
  const before = { "openapi.yaml": text };
  const unread = [{ result: { kind: "unreadable", problems: [{ path: "openapi.yaml" }] } }];
  const latin = await changesOf(before, (at) =>
    writeFileSync(join(at, "openapi.yaml"), Buffer.from(`${text}# \xe9`, "latin1")),
  );
  expect(latin).toMatchObject(unread);
  const lacking = await changesOf(before, (at) => {
    const blob = scratch.git(at, "rev-parse", "HEAD:openapi.yaml").trim();
    scratch.write(at, { "openapi.yaml": `${text}x-more: 1\n` });
    const objects = join(scratch.git(at, "rev-parse", "--path-format=absolute", "--git-common-dir").trim(), "objects");
    rmSync(join(objects, blob.slice(0, 2), blob.slice(2)));
  });
  expect(lacking).toMatchObject(unread);
});

const namesIn = ([outcome]: readonly ContractOutcome[]): string[] =>
  outcome?.result.kind === "compared" ? outcome.result.breaking.flatMap(({ names }) => names) : [];

const openApi = (field: string): string =>
  `openapi: 3.0.3\ninfo: {title: t, version: "1"}\npaths:\n  /orders:\n    get:\n      responses:\n        "200":\n          description: d\n          content:\n            application/json:\n              schema: {type: object, required: [${field}], properties: {${field}: {type: number}}}\n`;

const formats: readonly (readonly [format: string, path: string, of: (field: string) => string])[] = [
  ["OpenAPI", "api/openapi.yaml", openApi],
  ["GraphQL", "schema.graphql", (field) => `type Query { order: Order }\ntype Order { id: ID! ${field}: Float! }\n`],
  [
    "AsyncAPI",
    "asyncapi.yaml",
    (field) =>
      `asyncapi: 2.6.0\ninfo: {title: t, version: "1"}\nchannels:\n  orders:\n    subscribe:\n      message:\n        payload: {type: object, required: [${field}], properties: {${field}: {type: number}}}\n`,
  ],
  [
    "protobuf",
    "shop/v1/order.proto",
    (field) =>
      `syntax = "proto3";\npackage shop.v1;\nmessage Order { string id = 1; double ${field} = ${field === "total" ? 2 : 3}; }\n`,
  ],
  [
    "JSON Schema",
    "order.schema.json",
    (field) =>
      JSON.stringify({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        required: [field],
        properties: { [field]: { type: "number" } },
      }),
  ],
];

describe("a field renamed in work that is not committed", () => {
  for (const [format, path, of] of formats) {
    test(`breaks who uses it, in ${format}, and undone it does not`, async () => {
      const broken = await changesOf({ [path]: of("total") }, (at) => scratch.write(at, { [path]: of("amount") }));
      expect(broken).toMatchObject([{ contract: path, renamedTo: null, result: { kind: "compared", complete: true } }]);
      expect(namesIn(broken).join(" ")).toMatch(/total|amount/);
      expect(
        await changesOf({ [path]: of("total") }, (at) => {
          scratch.write(at, { [path]: of("amount") });
          scratch.write(at, { [path]: of("total") });
        }),
      ).toEqual([]);
    });
  }
});

test("a specification that cannot be read is told as such, and a change in a file that it refers to counts", async () => {
  const unread = await changesOf({ "openapi.yaml": openApi("total") }, (at) =>
    scratch.write(at, { "openapi.yaml": `${openApi("total")}: [` }),
  );
  expect(unread).toMatchObject([{ result: { kind: "unreadable" } }]);
  const split = openApi("total").replace(/\{type: object.*/, "{$ref: order.yaml}");
  const inside = await changesOf(
    { "openapi.yaml": split, "order.yaml": "type: object\nproperties: {total: {type: number}}\nrequired: [total]\n" },
    (at) =>
      scratch.write(at, { "order.yaml": "type: object\nproperties: {amount: {type: number}}\nrequired: [amount]\n" }),
  );
  expect(namesIn(inside)).toContain("total");
});

test("a specification that is gone breaks, one that only has another name does not, and a new one breaks nobody", async () => {
  const before = { "openapi.yaml": openApi("total") };
  const gone = await changesOf(before, (at) => scratch.git(at, "rm", "-q", "openapi.yaml"));
  expect(gone).toMatchObject([{ result: { breaking: [{ rule: "contract-removed" }] } }]);
  expect(await changesOf(before, (at) => scratch.git(at, "mv", "openapi.yaml", "orders.yaml"))).toEqual([]);
  const fresh = await changesOf({ "a.txt": "a\n" }, (at) => scratch.write(at, { "new.yaml": openApi("x") }), [
    "new.yaml",
  ]);
  expect(fresh).toEqual([]);
});

test("the lines that hold a changed name are found as whole words in code, those being worked on first, and not in prose", async () => {
  const top = scratch.repository("consumer", {
    "a.ts": "const subtotal = 1;\nconst x = order.total;\n",
    "README.md": "the total\n",
    "z.ts": "nothing\n",
    "services.yaml": "services: []\n",
    "deep/services.yaml": "services: []\n",
    "deep/catalog-info.yaml": "kind: Location\n",
  });
  scratch.write(top, { "z.ts": "show(total);\n" });
  const observer = await scratch.observe(top);
  const landing = await observer.snapshotOf("main");
  const snapshot = await snapshotOf(observer, top);
  const { lines, used, unsure } = await usesOf(observer, snapshot, landing, ["total", "gone", "q"]);
  expect([used, unsure]).toEqual([["total"], ["q"]]);
  expect(lines.map(({ path, line }) => `${path}:${line}`)).toEqual(["z.ts:1", "a.ts:2"]);
  expect(await usesOf(observer, snapshot, landing, [])).toEqual({ lines: [], used: [], unsure: [] });
  expect((await serviceFiles(observer, snapshot)).map(({ path }) => path)).toEqual([
    "services.yaml",
    "deep/catalog-info.yaml",
  ]);
});

test("two that each leave a contract whole and break it together are told as that, and what one does alone is not told twice", async () => {
  const top = scratch.repository("merged", { "api.graphql": "type Query {\n  a: Int\n\n\n\n\n\n\n\n  z: Int\n}\n" });
  const [one, other] = [scratch.worktree(top, "merged-a"), scratch.worktree(top, "merged-b")];
  scratch.write(one, { "api.graphql": "type Query {\n  b: Int\n  a: Int\n\n\n\n\n\n\n\n  z: Int\n}\n" });
  scratch.write(other, { "api.graphql": "type Query {\n  a: Int\n\n\n\n\n\n\n\n  z: Int\n  b: String\n}\n" });
  const observer = await scratch.observe(top);
  const landing = await observer.snapshotOf("main");
  if (landing === undefined) throw new Error("no main");
  const sideOf = async (worktree: string) => {
    const snapshot = await snapshotOf(observer, worktree);
    const work = { worktree, snapshot, landing, contracts: ["api.graphql"], today, code };
    return { worktree, snapshot, ...(await contractChanges(observer, work)) };
  };
  const sides = [await sideOf(one), await sideOf(other)] as const;
  const broken = (outcomes: readonly ContractOutcome[]) =>
    outcomes.map(({ result }) => (result.kind === "compared" && result.complete ? result.breaking : result)).flat();
  expect(sides.map(({ outcomes, touched }) => [broken(outcomes), touched])).toEqual([
    [[], ["api.graphql"]],
    [[], ["api.graphql"]],
  ]);
  const merged = await mergedContracts(observer, sides, { today, code });
  expect(merged).toMatchObject([{ worktree: one, mergedWith: other, result: { kind: "unreadable" } }]);
  // A conflict in notes changes nothing of it; one in the specification is told by git.
  scratch.write(one, { "NOTES.md": "one\n" });
  scratch.write(other, { "NOTES.md": "other\n" });
  const noted = [await sideOf(one), await sideOf(other)] as const;
  expect(await mergedContracts(observer, noted, { today, code })).toHaveLength(1);
  scratch.write(one, { "more.json": "1\n" });
  scratch.write(other, { "more.json": "2\n" });
  const doubtful = [await sideOf(one), await sideOf(other)] as const;
  expect(await mergedContracts(observer, doubtful, { today, code })).toEqual([]);
  scratch.write(one, { "more.json": "2\n", "NOTES.md": "other\n" });
  scratch.write(other, { "api.graphql": "type Query {\n  a: Int\n\n\n\n\n\n\n\n}\n" });
  const alone = [sides[0], await sideOf(other)] as const;
  expect(namesIn(alone[1].outcomes)).toContain("z");
  expect(await mergedContracts(observer, alone, { today, code })).toEqual([]);
  // A merge that failed says nothing of the two.
  spyOn(observer, "merge").mockResolvedValue([{ kind: "skipped", reason: "failed", detail: "git was ended" }]);
  expect(await throwing(mergedContracts(observer, sides, { today, code }))).toThrow("git was ended");
});

test("of a change with many parts every one is known, because somebody may use only the last", async () => {
  const operations = (names: readonly string[]): string =>
    `openapi: 3.0.0\ninfo: { title: t, version: '1' }\npaths:\n${names.map((name) => `  /${name}: { get: { responses: { '200': { description: ok } } } }\n`).join("")}`;
  const names = Array.from({ length: 80 }, (_, at) => `part${at}`);
  const [outcome] = await changesOf({ "openapi.yaml": operations(["kept", ...names]) }, (at) =>
    scratch.write(at, { "openapi.yaml": operations(["kept"]) }),
  );
  const { result } = outcome ?? {};
  const gone = result?.kind === "compared" ? result.breaking.map(({ path }) => path) : [];
  expect(names.filter((name) => !gone.some((path) => path.includes(`/${name}`)))).toEqual([]);
});

// Measures how far the GraphQL and protobuf comparisons agree with what the specifications and the tools' documentation say. Exit 1 below
// the bars.
//   bun eval/contracts-typed.ts [--verbose]

import { parseArgs } from "node:util";
import { disagreements } from "../src/core/contracts/contract-case.ts";
import type { ContractCase } from "../src/core/contracts/contract-case.ts";
import type { ContractFormat } from "../src/core/contracts/format.ts";
import { graphqlCases, graphqlHeldAside } from "../src/core/contracts/graphql/cases/all.ts";
import { graphqlFormat } from "../src/core/contracts/graphql/graphql.ts";
import { protobufCases, protobufHeldAside } from "../src/core/contracts/protobuf/cases/all.ts";
import { protobufFormat } from "../src/core/contracts/protobuf/protobuf.ts";

const bars = { agreement: 0.95, missed: 0.01 };
const { values: options } = parseArgs({ options: { verbose: { type: "boolean", default: false } } });

const tables: readonly (readonly [string, ContractFormat, readonly ContractCase[], string])[] = [
  ["graphql", graphqlFormat, graphqlCases, "schema.graphql"],
  ["graphql, written before the rules", graphqlFormat, graphqlHeldAside, "schema.graphql"],
  ["protobuf", protobufFormat, protobufCases, "a.proto"],
  ["protobuf, written before the rules", protobufFormat, protobufHeldAside, "a.proto"],
];

let failed = false;
for (const [name, format, cases, onlyFile] of tables) {
  const differing = await disagreements(format, cases, onlyFile);
  const passed = cases.length - differing.length;
  const breaks = cases.filter(({ expected }) => expected === "breaking").length;
  const missed = differing.filter(({ expected, found }) => expected === "breaking" && found === "compatible").length;
  const compatible = cases.filter(({ expected }) => expected === "compatible").length;
  console.log(
    `${name}: passed ${passed} of ${cases.length} (${breaks} breaking, ${compatible} compatible); breaks called compatible: ${missed}`,
  );
  if (options.verbose || differing.length > 0) {
    for (const { name: which, expected, found, detail } of differing) {
      console.log(`  ${which}: expected ${expected}, found ${found ?? "unreadable"}: ${detail}`);
    }
  }
  if (passed / cases.length < bars.agreement || missed / Math.max(1, breaks) > bars.missed) failed = true;
}
process.exitCode = failed ? 1 : 0;

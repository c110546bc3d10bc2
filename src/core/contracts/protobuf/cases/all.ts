// The protobuf table.

import type { ContractCase } from "../../contract-case.ts";
import { protobufHarmlessCases } from "./harmless.ts";
import { protobufFieldCases } from "./fields.ts";
import { protobufFileCases } from "./files.ts";
import { protobufTypeCases } from "./types.ts";

export { protobufHeldAside } from "./held-aside.ts";

export const protobufCases: readonly ContractCase[] = [
  ...protobufHarmlessCases,
  ...protobufFieldCases,
  ...protobufFileCases,
  ...protobufTypeCases,
];

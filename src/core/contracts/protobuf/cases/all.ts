// The protobuf table.

import type { ContractCase } from "../../contract-case.ts";
import { protobufHarmlessCases } from "./harmless.ts";
import { protobufFieldCases } from "./fields.ts";
import { protobufFileCases } from "./files.ts";
import { protobufFifthSight } from "./fifth-sight.ts";
import { protobufFourthSight } from "./fourth-sight.ts";
import { protobufHeldAside as heldAside } from "./held-aside.ts";
import { protobufSixthSight } from "./sixth-sight.ts";
import { protobufSecondSight } from "./second-sight.ts";
import { protobufThirdSight } from "./third-sight.ts";
import { protobufTypeCases } from "./types.ts";

export const protobufCases: readonly ContractCase[] = [
  ...protobufHarmlessCases,
  ...protobufFieldCases,
  ...protobufFileCases,
  ...protobufTypeCases,
];

/** Written before anybody saw what the rules say of them. */
export const protobufHeldAside: readonly ContractCase[] = [
  ...heldAside,
  ...protobufSecondSight,
  ...protobufThirdSight,
  ...protobufFourthSight,
  ...protobufFifthSight,
  ...protobufSixthSight,
];

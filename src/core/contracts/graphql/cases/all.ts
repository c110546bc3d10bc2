// The GraphQL table.

import type { ContractCase } from "../../contract-case.ts";
import { graphqlHarmlessCases } from "./harmless.ts";
import { graphqlDocumentCases } from "./documents.ts";
import { graphqlInputCases } from "./inputs.ts";
import { graphqlFifthSight } from "./fifth-sight.ts";
import { graphqlFourthSight } from "./fourth-sight.ts";
import { graphqlHeldAside as heldAside } from "./held-aside.ts";
import { graphqlSixthSight } from "./sixth-sight.ts";
import { graphqlSecondSight } from "./second-sight.ts";
import { graphqlThirdSight } from "./third-sight.ts";
import { graphqlTypeCases } from "./types.ts";

export const graphqlCases: readonly ContractCase[] = [
  ...graphqlHarmlessCases,
  ...graphqlDocumentCases,
  ...graphqlInputCases,
  ...graphqlTypeCases,
];

/** Written before anybody saw what the rules say of them. */
export const graphqlHeldAside: readonly ContractCase[] = [
  ...heldAside,
  ...graphqlSecondSight,
  ...graphqlThirdSight,
  ...graphqlFourthSight,
  ...graphqlFifthSight,
  ...graphqlSixthSight,
];

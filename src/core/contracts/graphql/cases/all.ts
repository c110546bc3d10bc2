// The GraphQL table.

import type { ContractCase } from "../../contract-case.ts";
import { graphqlHarmlessCases } from "./harmless.ts";
import { graphqlDocumentCases } from "./documents.ts";
import { graphqlInputCases } from "./inputs.ts";
import { graphqlTypeCases } from "./types.ts";

export { graphqlHeldAside } from "./held-aside.ts";

export const graphqlCases: readonly ContractCase[] = [
  ...graphqlHarmlessCases,
  ...graphqlDocumentCases,
  ...graphqlInputCases,
  ...graphqlTypeCases,
];

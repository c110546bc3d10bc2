// GraphQL schemas in the schema definition language. Parser and comparison are loaded when two versions are compared, because they are large and most commands need neither.

import type { ContractFormat } from "../format.ts";
import { isGraphqlSchema } from "./recognise.ts";

export const graphqlFormat: ContractFormat = {
  name: "graphql",
  recognises: isGraphqlSchema,
  compare: async (before, after, signal, _today, budget) => {
    const { compareGraphql } = await import("./compare.ts");
    return compareGraphql(before, after, signal, budget);
  },
};

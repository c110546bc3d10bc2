// GraphQL schemas in the schema definition language. Here is only how a file is recognised; parser and comparison are
// loaded when two versions are compared, because they are large and most commands need neither.

import type { ContractFormat } from "../format.ts";

export const graphqlFormat: ContractFormat = {
  name: "graphql",
  // Operations and fragments have the same extensions. They are what consumers write, not a contract.
  recognises: (path, text) => /\.(graphqls?|gql|sdl)$/i.test(path) && definesTypes.test(text),
  compare: async (before, after, signal) => {
    const { compareGraphql } = await import("./compare.ts");
    return compareGraphql(before, after, signal);
  },
};

const definesTypes =
  /^[ \t\uFEFF]*(?:"(?:[^"\n\\]|\\.)*"[ \t]*)?(?:extend[ \t]+)?(?:schema\b|directive[ \t]*@|(?:type|interface|union|enum|input|scalar)[ \t]+[A-Za-z_])/m;

// Tells a GraphQL schema from other files. Operations and fragments have the same extensions; they are what consumers write, not a contract.

export function isGraphqlSchema(path: string, text: string): boolean {
  return isGraphqlPath(path) && definesTypes.test(text);
}

export function isGraphqlPath(path: string): boolean {
  return /\.(?:graphqls?|gql|sdl)$/i.test(path);
}

const definesTypes =
  /^[ \t\uFEFF]*(?:"(?:[^"\n\\]|\\.)*"[ \t]*)?(?:extend[ \t]+)?(?:schema\b|directive[ \t]*@|(?:type|interface|union|enum|input|scalar)[ \t]+[A-Za-z_])/m;

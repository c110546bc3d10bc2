import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/contract.ts");
const side = "A file or directory, or <revision>:<path> from the top of the repository";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "contract diff",
    summary: "Compare two versions of a specification: what would break those who use it",
    details:
      "Reads OpenAPI 3 and Swagger 2, AsyncAPI, GraphQL, protobuf and JSON Schema, with the files they refer to; nothing is fetched. Exits 1 if a change is breaking, 5 if not everything could be compared, and 3 if a specification cannot be read.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [
      { name: "old", summary: side },
      { name: "new", summary: side },
    ],
    flags: {
      dangerous: { summary: "Also exit 1 if a change is dangerous" },
      all: { summary: "Also show compatible changes" },
    },
    examples: [
      "constel contract diff main:api/openapi.yaml api/openapi.yaml",
      "constel contract diff v1/schema.graphql v2/schema.graphql --json",
    ],
    load: async () => (await load()).diff,
  },
  {
    name: "contract ls",
    summary: "List the specifications in this repository's last commit",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel contract ls"],
    load: async () => (await load()).list,
  },
  {
    name: "contract history",
    summary: "Show what each commit did to a specification",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "path", summary: "The specification, from the top of the repository" }],
    flags: { limit: { summary: "How many commits (default 20)", value: "N" } },
    examples: ["constel contract history api/openapi.yaml --limit 50"],
    load: async () => (await load()).history,
  },
];

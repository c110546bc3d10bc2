import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/services.ts");

// Its own word, in the plural: `constel service` is about constel's own units with the machine's service manager.
export const commands: readonly CommandDeclaration[] = [
  asking("service.graph", {
    name: "services ls",
    summary:
      "List the services that watched repositories declare, or that their code shows, with what they provide and who uses it",
    details:
      "Read from services.yaml, catalog-info.yaml and compose files on the branch that work lands on, and from routes and requests in code there. docs/guides/contracts.md says what they may hold.",
    examples: ["constel services ls", "constel services ls --json"],
    load: async () => (await load()).list,
  }),
  asking("service.graph", {
    name: "services graph",
    summary: "Show who uses whom: direct, through others, and for tests",
    flags: { dot: { summary: "As a graph for Graphviz" } },
    examples: ["constel services graph", "constel services graph --dot | dot -Tsvg > services.svg"],
    load: async () => (await load()).graph,
  }),
  {
    name: "services scan",
    summary: "Check the files here that declare services, before they are committed",
    details: "Reads the repository you are in, as it is on disk. Exits 1 if one of these files cannot be understood.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel services scan"],
    load: async () => (await load()).scan,
  },
];

// A repository as its code shows it: what it serves and asks for, without anything that it declares.

import type { RepositoryInterfaces } from "./repository-interfaces.ts";
import type { RepositoryDeclarations } from "./service-graph.ts";

export interface SeenRepository extends Pick<RepositoryDeclarations, "repository" | "name"> {
  readonly interfaces: RepositoryInterfaces;
}

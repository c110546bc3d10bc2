// What a refactoring is, once it could be made.

import type { LanguageServer } from "./language-server.ts";
import type { Definition, Project } from "./project.ts";

export interface Refactoring {
  readonly what: string;
  /** What it is about, as it was. */
  readonly target: Definition;
  /** For a parameter: which. */
  readonly parameter?: string;
  /** For a name that a package gives on: the package's file. */
  readonly through?: string;
  readonly isNowAsync?: true;
  /** For a class that loses its base: which. */
  readonly base?: Definition;
  /** Two parameters that changed their places. */
  readonly swapped?: readonly [string, string];
  /** It gives something else than it gave. */
  readonly results?: true;
  readonly files: ReadonlyMap<string, string | null>;
  readonly moved: ReadonlyMap<string, string>;
}

export interface Chance {
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  coin(share: number): boolean;
}

export type Attempt = (project: Project, server: LanguageServer, chance: Chance) => Promise<Refactoring | undefined>;

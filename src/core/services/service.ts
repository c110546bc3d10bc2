// Services as they are declared in files, before it is known how they fit together: what each provides, and what it uses. Three
// readers make these (read-services-yaml.ts, read-backstage.ts, read-compose.ts); service-graph.ts puts them together.

/** The ways a consumer depends on what it uses: its own code, or only its tests. */
export const uses = ["direct", "tests"] as const;
export type Use = (typeof uses)[number];

/** `inferred`: nobody says it, and code shows it. */
export type DeclaredIn = "services.yaml" | "backstage" | "compose" | "inferred";

/** A service, one contract of a service, a contract by its path alone, or an API by its name in the catalogue. */
export interface DeclaredUse {
  readonly service?: string | undefined;
  readonly contract?: string | undefined;
  readonly api?: string | undefined;
  readonly how: Use;
  /** Files and directories of the consumer's repository that are generated from it. */
  readonly generated?: readonly string[] | undefined;
  readonly line: number;
}

export interface DeclaredService {
  readonly name: string;
  /** The repository with its code, as it was written; null: the one that holds the declaration. */
  readonly repository: string | null;
  /** Paths from the top of its repository. */
  readonly provides: readonly string[];
  /** APIs of the catalogue, by name. */
  readonly providesApis: readonly string[];
  readonly consumes: readonly DeclaredUse[];
  readonly source: DeclaredIn;
  readonly path: string;
  readonly line: number;
}

/** An API of the catalogue, and the file that describes it; null where the description is not a file of the repository. */
export interface DeclaredApi {
  readonly name: string;
  readonly contract: string | null;
}

export interface ServiceProblem {
  readonly path: string;
  /** From 1; null where there is no line to name. */
  readonly line: number | null;
  readonly message: string;
}

export interface Declarations {
  readonly services: readonly DeclaredService[];
  readonly apis: readonly DeclaredApi[];
  readonly problems: readonly ServiceProblem[];
}

/** Longer names are no names. */
const longestName = 200;

export function isName(value: unknown): value is string {
  // oxlint-disable-next-line no-control-regex -- names reach terminals and other agents
  return typeof value === "string" && /^[^\s\u0000-\u001f\u007f]+$/u.test(value) && value.length <= longestName;
}

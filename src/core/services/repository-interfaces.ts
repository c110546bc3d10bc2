// Defines what a repository offers to others and asks of others, as its files on the branch that work lands on show it: specifications,
// routes in code, requests, events, imports. Plain data, because it crosses threads. infer-graph.ts makes services and uses of it.

import { isRecord } from "../contracts/json-value.ts";
import { readDocument } from "../contracts/read-document.ts";

export interface OfferedContract {
  /** From the top; `routes:<directory>` where it is inferred from code. */
  readonly path: string;
  readonly format: string;
  /** `GET /orders/{id}`. */
  readonly operations: readonly string[];
  /** The path that the operations are below: `/v1`. */
  readonly base: string;
  /** Addresses that messages go to. */
  readonly channels: readonly string[];
}

/** A place in code. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
  readonly isTest: boolean;
}

export interface RepositoryInterfaces {
  readonly contracts: readonly OfferedContract[];
  readonly requests: readonly (CodePlace & {
    readonly method: string | null;
    readonly path: string;
    readonly hints: readonly string[];
  })[];
  readonly events: readonly (CodePlace & { readonly name: string })[];
  readonly imports: readonly (CodePlace & { readonly module: string })[];
  /** Files that a generator made from something outside their repository. */
  readonly generated: readonly GeneratedFile[];
}

export interface GeneratedFile {
  readonly file: string;
  /** Specifications that its first lines name, as they are written there. */
  readonly from: readonly string[];
  /** The format its generator reads; null if that is not known. */
  readonly format: string | null;
}

/** The state in a worktree of the files that were made from one contract. */
export interface GeneratedState {
  readonly files: readonly string[];
  /** One of them is other than it was committed. */
  readonly isEdited: boolean;
  /** The date of the commit that last changed one of them; null where none did. */
  readonly madeMs: number | null;
}

/** Contracts that are inferred from code have this before the directory. */
export const routesPrefix = "routes:";

/** The directory of an inferred contract; undefined where a contract is a specification. */
export function routesDirectory(contract: string): string | undefined {
  return contract.startsWith(routesPrefix) ? contract.slice(routesPrefix.length) : undefined;
}

/** As people read it. */
export function contractTitle(contract: string): string {
  const directory = routesDirectory(contract);
  if (directory === undefined) return contract;
  return directory === "." ? "the routes in code" : `the routes in ${directory}`;
}

const methods = new Set(["get", "post", "put", "patch", "delete", "head", "options", "trace"]);
const most = 5_000;

/** Returns what a specification offers by name; references to other files are not followed for it. */
export function offeredBy(path: string, format: string, text: string): OfferedContract {
  const nothing = { path, format, operations: [], base: "", channels: [] };
  if (format !== "openapi" && format !== "asyncapi") return nothing;
  const read = readDocument(text);
  if (read.kind !== "read" || !isRecord(read.value)) return nothing;
  const root = read.value;
  if (format === "openapi") return { ...nothing, operations: operationsIn(root["paths"]), base: baseOf(root) };
  return { ...nothing, channels: channelsIn(root["channels"]) };
}

function operationsIn(paths: unknown): string[] {
  if (!isRecord(paths)) return [];
  return Object.entries(paths)
    .flatMap(([path, item]) => {
      const own = isRecord(item) ? Object.keys(item).filter((key) => methods.has(key)) : [];
      // A path in a file of its own: any method.
      return isRecord(item) && typeof item["$ref"] === "string"
        ? [`* ${path}`]
        : own.map((key) => `${key.toUpperCase()} ${path}`);
    })
    .slice(0, most);
}

function baseOf(root: Readonly<Record<string, unknown>>): string {
  const base = root["basePath"];
  if (typeof base === "string") return base.replace(/\/$/, "");
  const servers: readonly unknown[] = Array.isArray(root["servers"]) ? root["servers"] : [];
  const [first] = servers;
  const url = isRecord(first) && typeof first["url"] === "string" ? first["url"] : "";
  return url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/\/$/, "");
}

function channelsIn(channels: unknown): string[] {
  if (!isRecord(channels)) return [];
  return Object.entries(channels).map(([name, channel]) =>
    isRecord(channel) && typeof channel["address"] === "string" ? channel["address"] : name,
  );
}

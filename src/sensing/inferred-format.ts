// Routes in code as a contract format: what an application without a specification serves is read from its source, made into an OpenAPI
// document, and compared as one. What was inferred is marked so: code that is not understood is not seen.

import { formatOf } from "../core/contracts/format-of.ts";
import type { ContractComparison, ContractFormat, ContractSource } from "../core/contracts/format.ts";
import { type InferredDocument, routesDocument } from "../core/contracts/inferred/routes-document.ts";
import { openApi } from "../core/contracts/openapi/openapi.ts";
import { readInterfaces, tellsInterfaces } from "../languages/read-interfaces.ts";
import type { CodeInterfaces } from "../ports/code-interfaces.ts";

const mostFiles = 50_000;
const isTest =
  /(^|\/)(tests?|__tests__|e2e|spec|specs|fixtures)\/|\.(test|spec)\.[cm]?[jt]sx?$|(^|\/)(test_[^/]*|conftest|[^/]*_test)\.py$/;

/** Tells by its path whether a file belongs to tests. */
export const isTestFile = (path: string): boolean => isTest.test(path);

export const inferredFormat: ContractFormat = {
  name: "inferred",
  recognises: (path) => tellsInterfaces(path),
  compare: async (before, after, signal, today) => {
    const [was, is] = [await inferredFrom(before, signal), await inferredFrom(after, signal)];
    return await compareInferred(was, is, signal, today);
  },
};

export async function compareInferred(
  before: InferredDocument,
  after: InferredDocument,
  signal?: AbortSignal,
  today?: string,
): Promise<ContractComparison> {
  const compared = await openApi.compare(asSource(before), asSource(after), signal, today);
  return compared.kind === "unreadable" ? compared : { ...compared, notes: [...compared.notes, note] };
}

/** As core's formatOf; code, and a directory that holds nothing else, is read for its routes. */
export async function formatOrRoutes(source: ContractSource): Promise<ContractFormat | undefined> {
  const format = await formatOf(source);
  if ((await source.read(source.entry)) !== undefined)
    return format ?? (tellsInterfaces(source.entry) ? inferredFormat : undefined);
  if (format?.name === "graphql" || format?.name === "protobuf") return format;
  return ((await source.list?.(source.entry)) ?? []).some(tellsInterfaces) ? inferredFormat : format;
}

const note =
  "there is no specification: this was inferred from routes in code, and what was not understood was not compared";

/** Of a directory or a single file. `read` may remember what it was given. */
export async function inferredFrom(
  source: ContractSource,
  signal?: AbortSignal,
  read: (path: string, text: string) => Promise<CodeInterfaces> = readInterfaces,
): Promise<InferredDocument> {
  const own = await source.read(source.entry);
  const paths = own === undefined ? ((await source.list?.(source.entry)) ?? []) : [source.entry];
  const files = new Map<string, CodeInterfaces>();
  for (const path of paths
    .filter((one) => tellsInterfaces(one) && (own !== undefined || !isTestFile(one)))
    .slice(0, mostFiles)) {
    signal?.throwIfAborted();
    const text = await source.read(path);
    if (text !== undefined) files.set(path, await read(path, text));
  }
  return routesDocument(files);
}

function asSource({ document }: InferredDocument): ContractSource {
  const text = JSON.stringify(document);
  return { entry: "routes.json", read: (path) => Promise.resolve(path === "routes.json" ? text : undefined) };
}

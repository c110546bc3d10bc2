// Reads what a repository offers and asks for, from a tree. Which of it fits together with other repositories is not known here
// (core/services/infer-graph.ts).

import { formatOf, mayBeContract } from "../core/contracts/format-of.ts";
import { routesDocument } from "../core/contracts/inferred/routes-document.ts";
import {
  type OfferedContract,
  offeredBy,
  type RepositoryInterfaces,
  routesPrefix,
} from "../core/services/repository-interfaces.ts";
import type { GeneratedHeader } from "../core/contracts/generated-header.ts";
import type { Bounded } from "../ports/bounded.ts";
import type { CodeInterfaces } from "../ports/code-interfaces.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { CodeMemory } from "./code-memory.ts";
import { textOf } from "../ports/text-of.ts";
import { generatedFiles } from "./generated-files.ts";
import { isTestFile } from "./inferred-format.ts";

/** So many files are opened to see whether they are specifications. */
const mostOpened = 1_000;
const mostBytes = 4 * 1024 * 1024;
const mostPlaces = 5_000;
const isNoContract =
  /(^|\/)(node_modules|vendor|dist|build|fixtures|testdata)\/|(^|\/)(package|tsconfig|composer|package-lock)\.json$|-lock\.(json|ya?ml)$/;

export async function repositoryInterfaces(
  observer: RepositoryObserver,
  landing: Snapshot,
  memory: CodeMemory,
  headers: Bounded<GeneratedHeader>,
): Promise<RepositoryInterfaces> {
  const contracts = await offered(observer, landing);
  const files = await memory.interfacesIn(observer, landing.tree, "");
  const own = new Map([...files].filter(([path]) => !isTestFile(path)));
  if (!contracts.some(({ format }) => format === "openapi")) {
    const { operations } = routesDocument(own);
    if (operations.length > 0)
      contracts.push({ path: `${routesPrefix}.`, format: "inferred", operations, base: "", channels: [] });
  }
  return {
    contracts,
    requests: places(files, ({ requests }) => requests),
    events: places(files, ({ events }) => events),
    imports: places(files, ({ imports }) => imports),
    generated: await generatedFiles(observer, landing, headers),
  };
}

async function offered(observer: RepositoryObserver, { tree }: Snapshot): Promise<OfferedContract[]> {
  const found: OfferedContract[] = [];
  let opened = 0;
  for (const [path, { mode, blob }] of await observer.tree(tree)) {
    if (opened >= mostOpened) break;
    if (!mayBeContract(path) || isNoContract.test(path) || mode === "120000" || mode === "160000") continue;
    opened += 1;
    const bytes = await observer.read(blob, mostBytes);
    const text = bytes === undefined ? undefined : textOf(bytes);
    if (text === undefined) continue;
    const format = await formatOf({ entry: path, read: () => Promise.resolve(text) });
    // A schema by itself is offered to nobody in particular.
    if (format !== undefined && format.name !== "json-schema") found.push(offeredBy(path, format.name, text));
  }
  return found;
}

function places<Fact extends { readonly line: number }>(
  files: ReadonlyMap<string, CodeInterfaces>,
  of: (one: CodeInterfaces) => readonly Fact[],
): (Fact & { readonly file: string; readonly isTest: boolean })[] {
  const found: (Fact & { file: string; isTest: boolean })[] = [];
  for (const [file, one] of files) {
    for (const fact of of(one)) found.push({ ...fact, file, isTest: isTestFile(file) });
    if (found.length >= mostPlaces) break;
  }
  return found.slice(0, mostPlaces);
}

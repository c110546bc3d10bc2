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
import { inBudget, OverBudget, textSubject } from "../ports/budget.ts";
import type { Bounded } from "../ports/bounded.ts";
import type { CodeInterfaces } from "../ports/code-interfaces.ts";
import type { RepositoryObserver, Snapshot } from "../ports/git.ts";
import type { CodeMemory } from "./code-memory.ts";
import { textOf } from "../ports/text-of.ts";
import { generatedFiles } from "./generated-files.ts";
import { isTestFile } from "./inferred-format.ts";

/** So many files are opened to see whether they are specifications; what became of each is remembered by its content. */
const mostOpened = 20_000;
const mostBytes = 4 * 1024 * 1024;
/** Different ones: of what a thousand files import, ask for or send alike, one place is enough. */
const mostPlaces = 20_000;
const isNoContract =
  /(^|\/)(node_modules|vendor|dist|build|fixtures|testdata)\/|(^|\/)(package|tsconfig|composer|package-lock)\.json$|-lock\.(json|ya?ml)$/;

export interface InterfacesMemory {
  readonly code: CodeMemory;
  readonly headers: Bounded<GeneratedHeader>;
  /** By content and path. */
  readonly offers: Bounded<OfferedContract | "none">;
}

export async function repositoryInterfaces(
  observer: RepositoryObserver,
  landing: Snapshot,
  { code, headers, offers }: InterfacesMemory,
): Promise<RepositoryInterfaces> {
  const contracts = await offered(observer, landing, offers);
  const files = await code.interfacesReadIn(observer, landing.tree);
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

async function offered(
  observer: RepositoryObserver,
  { tree }: Snapshot,
  known: InterfacesMemory["offers"],
): Promise<OfferedContract[]> {
  const found: OfferedContract[] = [];
  let opened = 0;
  for (const [path, { mode, blob }] of await observer.tree(tree)) {
    if (opened >= mostOpened) break;
    if (!mayBeContract(path) || isNoContract.test(path) || mode === "120000" || mode === "160000") continue;
    opened += 1;
    const key = `${blob} ${path}`;
    const offer = known.get(key) ?? (await offerIn(observer, path, blob));
    if (offer === undefined) continue; // what this clone lacks may come
    known.set(key, offer);
    if (offer !== "none") found.push(offer);
  }
  return found;
}

/** Undefined where it cannot be read. */
async function offerIn(
  observer: RepositoryObserver,
  path: string,
  blob: string,
): Promise<OfferedContract | "none" | undefined> {
  const bytes = await observer.read(blob, mostBytes);
  if (bytes === undefined) return undefined;
  const text = textOf(bytes);
  if (text === undefined) return "none";
  try {
    return await inBudget(textSubject(path, text), () => offerOf(path, text));
  } catch (cause) {
    if (cause instanceof OverBudget) return undefined;
    throw cause;
  }
}

async function offerOf(path: string, text: string): Promise<OfferedContract | "none"> {
  const format = await formatOf({ entry: path, read: () => Promise.resolve(text) });
  // A schema by itself is offered to nobody in particular.
  if (format === undefined || format.name === "json-schema") return "none";
  return offeredBy(path, format.name, text);
}

type Placed<Fact> = Fact & { readonly file: string; readonly isTest: boolean };

/** The first place of each, in code and in tests. */
function places<Fact extends { readonly line: number }>(
  files: ReadonlyMap<string, CodeInterfaces>,
  of: (one: CodeInterfaces) => readonly Fact[],
): Placed<Fact>[] {
  const found = new Map<string, Placed<Fact>>();
  for (const [file, one] of files) {
    const isTest = isTestFile(file);
    for (const fact of of(one)) {
      const key = JSON.stringify({ ...fact, line: 0, isTest });
      if (!found.has(key) && found.size < mostPlaces) found.set(key, { ...fact, file, isTest });
    }
  }
  return [...found.values()];
}

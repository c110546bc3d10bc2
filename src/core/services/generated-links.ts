// Finds the generated files of a repository and the contract of another repository that each was made from. Three things tell: `generated:`
// in services.yaml, the first lines of the file, and, where the repository is known to use the provider, how generators name their files.
// Pure. If two contracts fit equally well, neither is said.

import { posix } from "node:path";
import type { GeneratedFile, OfferedContract } from "./repository-interfaces.ts";
import type { SeenRepository } from "./seen-repository.ts";
import type { GeneratedFrom, GraphService, GraphUse } from "./service-graph.ts";

/** A contract that a service provides, with the files that were recognised at or below its path. */
export interface Provided {
  readonly service: GraphService;
  readonly contract: string;
  readonly files: readonly OfferedContract[];
}

/** By what their first lines say alone, so that a use can be inferred from it. */
export function namedByHeader(
  { repository, interfaces }: SeenRepository,
  provided: readonly Provided[],
  uses: readonly GraphUse[],
): { readonly file: string; readonly provided: Provided }[] {
  const others = provided.filter(({ service }) => service.repository !== repository);
  return interfaces.generated.flatMap((one) => {
    const found = byHeader(one, others, uses);
    return found === undefined ? [] : [{ file: one.file, provided: found }];
  });
}

export function generatedLinks(
  repositories: readonly SeenRepository[],
  provided: readonly Provided[],
  { services, uses }: { readonly services: readonly GraphService[]; readonly uses: readonly GraphUse[] },
): GeneratedFrom[] {
  const links = new Map<string, { from: Omit<GeneratedFrom, "paths">; paths: Set<string> }>();
  const note = (repository: string, one: Provided, path: string): void => {
    const from = { repository, provider: one.service.name, contract: one.contract };
    const key = JSON.stringify(from);
    const known = links.get(key) ?? { from, paths: new Set<string>() };
    known.paths.add(path);
    links.set(key, known);
  };
  for (const seen of repositories) {
    const { repository, interfaces } = seen;
    const own = new Set(services.filter((one) => one.repository === repository).map(({ name }) => name));
    const used = uses.filter(({ consumer }) => own.has(consumer));
    const usable = provided.filter(
      ({ service, contract }) =>
        service.repository !== repository &&
        used.some((use) => use.provider === service.name && (use.contract ?? contract) === contract),
    );
    const declared: string[] = [];
    for (const { provider, contract, generated } of used) {
      const fitting = usable.filter(
        (one) => one.service.name === provider && (contract === null || one.contract === contract),
      );
      for (const path of generated) {
        declared.push(path);
        for (const one of fitting) note(repository, one, path);
      }
    }
    const named = new Map(namedByHeader(seen, provided, used).map((one) => [one.file, one.provided]));
    for (const one of interfaces.generated) {
      if (declared.some((path) => one.file === path || one.file.startsWith(`${path}/`))) continue;
      // A file that names a source other than any contract is made from that source.
      const found = named.get(one.file) ?? (one.from.length > 0 ? undefined : byName(one, usable));
      if (found !== undefined) note(repository, found, one.file);
    }
  }
  return [...links.values()].map(({ from, paths }) => ({ ...from, paths: [...paths].sort() }));
}

function byHeader(
  { file, from }: GeneratedFile,
  others: readonly Provided[],
  uses: readonly GraphUse[],
): Provided | undefined {
  for (const written of from) {
    const fitting = others.filter((one) => fits(written, one));
    const [only] = fitting;
    if (fitting.length === 1) return only;
    const words = partsOf(written);
    const hints: readonly ((one: Provided) => boolean)[] = [
      ({ service }) => words.includes(service.name.toLowerCase()) || words.includes(repositoryOf(service)),
      ({ service }) => uses.some((use) => use.provider === service.name),
      ({ service }) => isNamedIn(file, service),
    ];
    for (const hint of hints) {
      const [meant, ...more] = fitting.filter(hint);
      if (meant !== undefined && more.length === 0) return meant;
    }
  }
  return undefined;
}

/** `../shop/api/openapi.yaml` and `openapi.yaml` are both `api/openapi.yaml`. */
function fits(written: string, { contract, files }: Provided): boolean {
  const word = partsOf(written).join("/");
  const isSame = (path: string): boolean => {
    const own = path.toLowerCase();
    return word === own || word.endsWith(`/${own}`) || own.endsWith(`/${word}`);
  };
  return isSame(contract) || files.some(({ path }) => isSame(path));
}

const protobufEnding = /(_pb2(_grpc)?\.pyi?|\.pb(\.gw)?\.go|_grpc\.pb\.go|_pb\.(js|ts|d\.ts)|\.pb\.(cc|h))$/;

/** Of the contracts that the repository uses, the one that the file's name or its generator leaves. */
function byName({ file, format }: GeneratedFile, usable: readonly Provided[]): Provided | undefined {
  const name = posix.basename(file);
  if (protobufEnding.test(name)) {
    const stem = name.replace(protobufEnding, "");
    return onlyOne(
      usable.filter(({ contract, files }) =>
        [contract, ...files.map(({ path }) => path)].some((path) => posix.basename(path) === `${stem}.proto`),
      ),
    );
  }
  if (format === null) return undefined;
  const fitting = usable.filter(({ files }) => files.some((one) => one.format === format));
  return onlyOne(fitting.filter(({ service }) => isNamedIn(file, service))) ?? onlyOne(fitting);
}

const onlyOne = <One>([first, ...more]: readonly One[]): One | undefined => (more.length === 0 ? first : undefined);

const partsOf = (path: string): string[] =>
  path
    .toLowerCase()
    .split(/[/\\]+/)
    .filter((part) => part !== "" && part !== "." && part !== "..");

const repositoryOf = ({ repositoryName }: GraphService): string => posix.basename(repositoryName).toLowerCase();

function isNamedIn(file: string, service: GraphService): boolean {
  const parts = file.toLowerCase().split(/[^a-z0-9]+/);
  return [service.name.toLowerCase(), repositoryOf(service)].some((name) =>
    name.split(/[^a-z0-9]+/).every((word) => parts.includes(word)),
  );
}

// Adds to the declared service graph what code shows: repositories that offer something without saying so, and who asks for it. What is
// declared counts before what is inferred. Pure.
//
// A request belongs to an offer where its path fits one of the offer's operations, and nothing speaks against it: a host or a setting that
// names another service, or a second offer that fits as well. Without any name only a path that is not everybody's (`/health`) counts.

import { posix } from "node:path";
import { generatedLinks, namedByHeader, type Provided } from "./generated-links.ts";
import { type OfferedContract, type RepositoryInterfaces, routesDirectory } from "./repository-interfaces.ts";
import type { SeenRepository } from "./seen-repository.ts";
import type { Use } from "./service.ts";
import type { GraphService, GraphUse, ServiceGraph } from "./service-graph.ts";

interface Offer {
  readonly service: GraphService;
  readonly contract: OfferedContract;
}

/** The use that one repository was seen to make of an offer. */
interface Seen {
  readonly operations: Set<string>;
  because: string;
  how: Use;
}

export function inferGraph(graph: ServiceGraph, repositories: readonly SeenRepository[]): ServiceGraph {
  const services = new Map(graph.services.map((one) => [one.name, one]));
  for (const seen of repositories) offerOf(seen, services, graph);
  const offers = [...services.values()].flatMap((service): Offer[] => {
    const home = repositories.find(({ repository }) => repository === service.repository);
    return service.provides.flatMap((path) =>
      (home?.interfaces.contracts ?? [])
        .filter((one) => one.path === path || one.path.startsWith(`${path}/`))
        .map((contract) => ({ service, contract: { ...contract, path } })),
    );
  });
  const provided = providedBy(services, repositories);
  const uses: GraphUse[] = [...graph.uses];
  for (const seen of repositories) {
    for (const [offer, found] of usedBy(seen, offers, namedByHeader(seen, provided, graph.uses))) {
      const consumer = consumerOf(seen, services);
      const isDeclared = graph.uses.some(
        (one) => one.consumer === consumer.name && one.provider === offer.service.name,
      );
      if (isDeclared || consumer.name === offer.service.name) continue;
      services.set(consumer.name, consumer);
      uses.push({
        consumer: consumer.name,
        provider: offer.service.name,
        contract: offer.contract.path,
        how: found.how,
        source: "inferred",
        operations: found.operations.size === 0 ? null : [...found.operations].sort(),
        because: found.because,
        generated: [],
      });
    }
  }
  const byName = (one: GraphService, other: GraphService): number => (one.name < other.name ? -1 : 1);
  const all = [...services.values()].sort(byName);
  return { ...graph, services: all, uses, generated: generatedLinks(repositories, provided, { services: all, uses }) };
}

/** Contracts that are inferred from code are in no file that a generator could read. */
function providedBy(services: ReadonlyMap<string, GraphService>, repositories: readonly SeenRepository[]): Provided[] {
  return [...services.values()].flatMap((service) => {
    const home = repositories.find(({ repository }) => repository === service.repository);
    return service.provides
      .filter((contract) => routesDirectory(contract) === undefined)
      .map((contract) => ({
        service,
        contract,
        files: (home?.interfaces.contracts ?? []).filter(
          ({ path }) => path === contract || path.startsWith(`${contract}/`),
        ),
      }));
  });
}

/** A repository that nobody declares is a service of its own name if it offers something; one without a contract offers its routes. */
function offerOf(
  { repository, name, interfaces }: SeenRepository,
  services: Map<string, GraphService>,
  graph: ServiceGraph,
): void {
  const here = [...services.values()].filter((one) => one.repository === repository);
  const offered = interfaces.contracts.map(({ path }) => path);
  if (offered.length === 0 || here.some(({ provides }) => provides.length > 0)) return;
  const [only, ...others] = here;
  if (others.length > 0) return;
  const own = posix.basename(name);
  const known = only ?? services.get(own);
  // Compose may describe a service of that name, but that is not where its code is.
  if (
    known !== undefined &&
    only === undefined &&
    graph.services.some((one) => one.name === own && one.provides.length > 0)
  )
    return;
  services.set(known?.name ?? own, {
    ...(known ?? { name: own, declaredIn: [] }),
    repository,
    repositoryName: name,
    provides: [...offered].sort(),
    declaredIn: [...(known?.declaredIn ?? []), "inferred"],
  });
}

/** The one service of a repository, or one of the repository's name. */
function consumerOf({ repository, name }: SeenRepository, services: ReadonlyMap<string, GraphService>): GraphService {
  const here = [...services.values()].filter((one) => one.repository === repository);
  const own = posix.basename(name);
  const known = here.length === 1 ? here[0] : (here.find((one) => one.name === own) ?? services.get(own));
  if (known !== undefined && known.repository === repository) return known;
  return {
    name: known === undefined ? own : name,
    repository,
    repositoryName: name,
    provides: [],
    declaredIn: ["inferred"],
  };
}

function usedBy(
  seen: SeenRepository,
  offers: readonly Offer[],
  generated: ReturnType<typeof namedByHeader>,
): Map<Offer, Seen> {
  const others = offers.filter(({ service }) => service.repository !== seen.repository);
  const found = new Map<Offer, Seen>();
  const note = (
    offer: Offer,
    place: { readonly file: string; readonly line: number; readonly isTest: boolean },
    operation: string | null,
  ): void => {
    const known = found.get(offer);
    const how: Use = place.isTest ? "tests" : "direct";
    const because = `${place.file}:${place.line}`;
    const one = known ?? { operations: new Set<string>(), because, how };
    if (known !== undefined && known.how === "tests" && how === "direct") Object.assign(one, { how, because });
    if (operation !== null) one.operations.add(operation);
    found.set(offer, one);
  };
  for (const request of seen.interfaces.requests) {
    const fitting = others.flatMap((offer) => {
      const operation = operationFor(request, offer.contract);
      return operation === undefined ? [] : [{ offer, operation }];
    });
    for (const { offer, operation } of meant(request, fitting, others)) note(offer, request, operation);
  }
  for (const event of seen.interfaces.events) {
    for (const offer of others)
      if (offer.contract.channels.some((one) => sameChannel(one, event.name)))
        note(offer, event, channelOf(offer, event.name));
  }
  for (const one of seen.interfaces.imports) {
    for (const offer of others) if (importsClient(one.module, offer)) note(offer, one, null);
  }
  const isMadeFrom = ({ service, contract }: Offer, one: Provided): boolean =>
    service.name === one.service.name && contract.path === one.contract;
  for (const { file, provided } of generated) {
    const offer = others.find((one) => isMadeFrom(one, provided));
    if (offer !== undefined) note(offer, { file, line: 1, isTest: false }, null);
  }
  // Whoever has or imports the whole client may use all of it.
  for (const [offer, one] of found) {
    const hasClient = generated.some(({ provided }) => isMadeFrom(offer, provided));
    if (hasClient || seen.interfaces.imports.some(({ module }) => importsClient(module, offer))) one.operations.clear();
  }
  return found;
}

type Request = RepositoryInterfaces["requests"][number];

function operationFor({ method, path }: Request, { operations, base }: OfferedContract): string | undefined {
  const asked = segments(path);
  return operations.find((operation) => {
    const space = operation.indexOf(" ");
    const verb = operation.slice(0, space);
    if (method !== null && verb !== "*" && verb !== method) return false;
    const own = operation.slice(space + 1);
    return [own, `${base}${own}`].some((one) => fits(asked, segments(one)));
  });
}

function fits(asked: readonly string[], offered: readonly string[]): boolean {
  return asked.length === offered.length && offered.every((part, at) => part.startsWith("{") || part === asked[at]);
}

/** Of offers that fit, those that are meant. */
function meant<Fitting extends { readonly offer: Offer }>(
  request: Request,
  fitting: readonly Fitting[],
  all: readonly Offer[],
): readonly Fitting[] {
  const hints = request.hints.flatMap(words).filter((word) => !general.has(word));
  if (hints.length > 0) {
    const named = (offer: Offer): boolean => namesOf(offer).some((name) => hints.includes(name));
    if (all.some(named)) return fitting.filter(({ offer }) => named(offer));
    // A host of the outside world is none of ours.
    if (
      request.hints.some(
        (hint) => /\.[a-z]{2,}(:\d+)?$/i.test(hint) && !/\.(internal|local|svc|test)(:\d+)?$/i.test(hint),
      )
    )
      return [];
  }
  const isTelling = segments(request.path).some((part) => !part.includes("{") && !general.has(part.toLowerCase()));
  return fitting.length === 1 && isTelling ? fitting : [];
}

/** Words that say nothing of which service is meant. */
const general = new Set(
  "api apis base url uri host server service services backend endpoint origin localhost http https port public next vite react app env gateway health healthz healthcheck ready readyz live livez ping status metrics version login logout v1 v2 v3 v4 rest graphql internal local svc default cluster com dev prod staging".split(
    " ",
  ),
);

function words(hint: string): string[] {
  return hint
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 1);
}

function namesOf({ service }: Offer): string[] {
  return [...words(service.name), ...words(posix.basename(service.repositoryName))].filter(
    (word) => !general.has(word),
  );
}

const segments = (path: string): string[] => path.split("/").filter((part) => part !== "");

/** A channel's parameters stand for any value. */
function sameChannel(channel: string, name: string): boolean {
  if (channel === name) return true;
  const [one, other] = [channel.split(/[./]/), name.split(/[./]/)];
  return channel.includes("{") && fits(other, one) && one.some((part) => !part.startsWith("{"));
}

const channelOf = ({ contract }: Offer, name: string): string | null =>
  contract.channels.find((one) => sameChannel(one, name)) ?? null;

/** `@acme/orders-client`, `orders_sdk`, `./generated/orders`, `shop.v1.order_pb2`. */
function importsClient(module: string, offer: Offer): boolean {
  const parts = module.toLowerCase().split(/[^a-z0-9]+/);
  if (offer.contract.format === "protobuf") {
    const stem = posix
      .basename(offer.contract.path)
      .replace(/\.proto$/, "")
      .toLowerCase();
    const last =
      module
        .toLowerCase()
        .split(/[/.]/)
        .findLast((part) => !/^(js|ts|py)$/.test(part)) ?? "";
    if ([`${stem}_pb`, `${stem}_pb2`, `${stem}_pb2_grpc`, `${stem}_grpc_pb`, `${stem}_connect`].includes(last))
      return true;
  }
  const isMade = parts.some((part) => /^(client|clients|sdk|generated|gen|stub|stubs|pb|pb2|codegen)$/.test(part));
  const name = words(offer.service.name).filter((word) => !general.has(word));
  return isMade && name.length > 0 && name.every((word) => parts.includes(word));
}

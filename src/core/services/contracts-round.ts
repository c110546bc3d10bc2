// One round over the contracts of all watched repositories: reads who provides and uses what, has the worktrees of providers compared, and
// opens and closes findings in the repositories of consumers that are being worked on now. Safe to run twice.
//
// The way of a broken contract: `read-graph.ts` reads what repositories declare (`declared-files.ts` has a reader for each kind of
// file) and `service-graph.ts` puts it together. The sensing thread compares what providers' worktrees did
// (`sensing/contract-changes.ts`) and finds the consumers' lines (`sensing/service-files.ts`). `contract-findings.ts` makes findings
// of it, which `core/findings/lifecycle.ts` opens and closes. Where nobody declares anything, `languages/read-interfaces.ts` reads
// routes and `infer-graph.ts` adds them. Generated code is linked by `generated-links.ts` and dated by `stale-generated.ts`.

import type { FindingDraft, OpenPart, PairVerdict } from "../../protocol/findings.ts";
import type { WorktreesTable } from "../../store/tables/observed.ts";
import type { Context } from "../context.ts";
import { movesFor, reviewIn } from "../findings/apply-findings.ts";
import { pairKey } from "../findings/lifecycle.ts";
import { sideIdentity } from "../findings/pair-finding.ts";
import { type Guest, readScene } from "../notices/scene.ts";
import type { Workers } from "../notices/workers.ts";
import { type BrokenContract, contractFinding, contractVerdict } from "./contract-findings.ts";
import type { ContractOutcome, ContractResult } from "./contract-outcome.ts";
import type { NameUses, UseLine } from "./find-uses.ts";
import { isSettled, landingSide, sideOf, type WatchedRepository } from "./contract-sides.ts";
import { keepGraph } from "./keep-graph.ts";
import { type ContractSight, readGraph } from "./read-graph.ts";
import { type Consumer, consumersOf, type ServiceGraph } from "./service-graph.ts";
import { movedSides } from "./moved-sides.ts";
import { allWorktrees, openContractFindings, watchedRepositories } from "./services.sql.ts";
import { staleFinding } from "./stale-findings.ts";
import { lookForStale, type StaleLook, type StaleScene } from "./stale-generated.ts";
import { askedFor, type FoundBroken, unfollowed, withoutLanded } from "./what-concerns.ts";

export interface ContractsMachine {
  readonly sight: ContractSight;
  readonly root: string;
  readonly guests: () => readonly Guest[];
}

type RoundContext = Pick<Context, "store" | "clock" | "random" | "constellation">;

export async function contractsRound(context: RoundContext, machine: ContractsMachine): Promise<void> {
  const { store, constellation } = context;
  const { graph, isWhole } = await readGraph(context, machine.sight);
  if (isWhole) await keepGraph(context, graph);
  const open = await openContractFindings(store.db, constellation);
  if (open.length === 0 && !graph.services.some(({ provides }) => provides.length > 0)) return;
  const worktrees = await allWorktrees(store.db, constellation);
  const scene = await readScene(context, { root: machine.root, guests: machine.guests() });
  const repositories = await watchedRepositories(store.db, constellation);
  const branches = repositories.map((one) => sideIdentity(landingSide(one)));
  const looking = new Looking(machine.sight, worktrees, scene.workers, repositories);
  await looking.compare(graph, new Date(context.clock.nowMs()).toISOString().slice(0, 10));
  // It is not known what an unseen repository declares, so findings because of it stay.
  if (isWhole) looking.lookAgainAt(open);
  const everyMove = await movedSides(store.db, constellation, open, worktrees);
  // A finding that moved ends in the old place when the new one is looked at, and not before.
  const moved = new Map([...everyMove].filter(([, place]) => isWhole && looking.hasSeen(place)));
  const waiting = [...everyMove.keys()].filter((side) => !moved.has(side));
  for (const repository of new Set([...looking.verdicts.keys(), ...open.map((one) => one.repository)])) {
    const pairs = looking.verdicts.get(repository) ?? [];
    const sides = [...worktrees.map(({ path }) => `worktree ${path}`), ...branches, ...waiting];
    const report = { repository, pairs, sides, landed: [], kinds: "elsewhere", moved } as const;
    if ((await movesFor(context, store, report)).length === 0) continue;
    await store.write(async (tx) => void (await reviewIn(context, tx, report)));
  }
}

/** The results of looking at a pair. */
interface Found extends Pick<StaleLook, "repository" | "sides"> {
  readonly contracts: BrokenContract[];
  readonly stale: FindingDraft[];
  readonly open: OpenPart[];
}

function foundFor(all: Map<string, Found>, repository: string, sides: Found["sides"]): Found {
  const key = pairKey(sides.ours, sides.theirs);
  const known = all.get(key) ?? { repository, sides, contracts: [], stale: [], open: [] };
  all.set(key, known);
  return known;
}

class Looking {
  /** By the consumer's repository. */
  readonly verdicts = new Map<string, PairVerdict[]>();
  readonly #sight: ContractSight;
  readonly #worktrees: ReadonlyMap<string, WorktreesTable>;
  readonly #workers: Workers;
  /** Worktrees of providers that could not be looked at. */
  readonly #unseen = new Set<string>();

  /** Landing branches that were looked at for a consumer's worktree. */
  readonly #landings = new Set<string>();
  readonly #repositories: readonly WatchedRepository[];

  constructor(
    sight: ContractSight,
    worktrees: readonly WorktreesTable[],
    workers: Workers,
    repositories: readonly WatchedRepository[],
  ) {
    this.#sight = sight;
    this.#repositories = repositories;
    this.#worktrees = new Map(worktrees.map((one) => [one.path, one]));
    this.#workers = workers;
  }

  async compare(graph: ServiceGraph, today: string): Promise<void> {
    const broken = new Map<string, Found>();
    const worked: StaleScene["outcomes"][number][] = [];
    for (const [repository, contracts] of providersIn(graph)) {
      const seen = await this.#sight.contractChanges(repository, [...contracts], today);
      for (const { path, repository: its } of this.#worktrees.values()) {
        if (its === repository && seen?.looked.includes(path) !== true) this.#unseen.add(path);
      }
      for (const outcome of seen?.outcomes ?? []) {
        const worktree = this.#worktrees.get(outcome.worktree);
        if (worktree !== undefined && isSettled(worktree))
          worked.push({ ...outcome, repository, side: sideOf(worktree) });
      }
      const landed = await this.#landed(graph, repository, today);
      const found = await Promise.all(
        (seen?.outcomes ?? []).map((outcome) => this.#brokenBy(graph, repository, outcome)),
      );
      for (const one of [...landed, ...withoutLanded(found.flat(), landed)]) {
        foundFor(broken, one.repository, one.broken.sides).contracts.push(one.broken);
      }
    }
    for (const { repository, sides, result } of await this.#stale(graph, worked, today)) {
      const known = foundFor(broken, repository, sides);
      if (result === "unknown")
        known.open.push({ what: "comparison", why: "whether generated code is older than its contract is not known" });
      else if (result !== "fresh") known.stale.push(staleFinding(repository, result));
    }
    for (const { repository, sides, contracts: found, stale, open } of broken.values()) {
      const telling = found.filter(
        ({ outcome: { result } }) => result.kind === "unreadable" || result.breaking.length > 0,
      );
      const findings = [...telling.map((one) => contractFinding(repository, one)), ...stale];
      this.#put(repository, contractVerdict(sides, found, { findings, open }));
    }
  }

  hasSeen(path: string): boolean {
    const worktree = this.#worktrees.get(path);
    return worktree !== undefined && isSettled(worktree) && !this.#unseen.has(path);
  }

  async #stale(graph: ServiceGraph, outcomes: StaleScene["outcomes"], today: string): Promise<StaleLook[]> {
    const looks = await lookForStale({
      sight: this.#sight,
      graph,
      today,
      outcomes,
      sideOf,
      workedOn: (repository) =>
        [...this.#worktrees.values()].filter((one) => one.repository === repository && this.#isWorkedOn(one)),
      landingOf: (repository) => {
        const watched = this.#repositories.find(({ identity }) => identity === repository);
        return watched === undefined ? undefined : landingSide(watched);
      },
    });
    for (const { sides } of looks)
      if (sides.theirs.worktree === null)
        this.#landings.add(`${sideIdentity(sides.theirs)} ${sides.ours.worktree ?? ""}`);
    return looks;
  }

  /** Findings whose pair has nothing any more: looked at, and silent. */
  lookAgainAt(open: Awaited<ReturnType<typeof openContractFindings>>): void {
    for (const { repository, ours_worktree, theirs_worktree, theirs_branch, theirs_label } of open) {
      const [ours, theirs] = [ours_worktree, theirs_worktree].map((path) => this.#worktrees.get(path ?? ""));
      if (ours === undefined) continue;
      const landing = { label: theirs_label, worktree: null, branch: theirs_branch, commit: "", tree: "" };
      if (theirs_worktree === null) {
        // Nobody works there any more, or the branch was looked at and says nothing.
        const isLooked = this.#landings.has(`${sideIdentity(landing)} ${ours.path}`) || !this.#isWorkedOn(ours);
        if (!isLooked) continue;
      } else if (theirs === undefined || !isSettled(theirs) || this.#unseen.has(theirs.path)) continue;
      const sides = { ours: sideOf(ours), theirs: theirs === undefined ? landing : sideOf(theirs) };
      const key = pairKey(sides.ours, sides.theirs);
      const known = this.verdicts.get(repository) ?? [];
      if (!known.some((one) => pairKey(one.ours, one.theirs) === key))
        this.#put(repository, contractVerdict(sides, [], { findings: [], open: [] }));
    }
  }

  async #brokenBy(graph: ServiceGraph, repository: string, outcome: ContractOutcome): Promise<FoundBroken[]> {
    const provider = this.#worktrees.get(outcome.worktree);
    if (provider === undefined || !isSettled(provider)) return [];
    const found: FoundBroken[] = [];
    for (const { service, consumer, worktree } of this.#concerned(graph, repository, outcome.contract)) {
      const asked = isHarmless(outcome) ? undefined : askedFor(outcome, consumer);
      if (asked === undefined) continue;
      const uses = linesOf(await this.#usesOf(worktree, asked.result), consumer);
      const sides = { ours: sideOf(worktree), theirs: sideOf(provider) };
      const { kind, chain } = consumer;
      const whom = { provider: service, consumer: consumer.service.name, kind, chain };
      const other = this.#worktrees.get(outcome.mergedWith ?? "");
      const mergedLabel = other === undefined ? undefined : sideOf(other).label;
      found.push({
        repository: worktree.repository,
        broken: { ...whom, outcome: asked, sides, mergedLabel, uses, isLanded: false },
      });
    }
    return found;
  }

  /** Finds what broke on the landing branch since the work of a consumer began, and that the work has not followed. */
  async #landed(graph: ServiceGraph, repository: string, today: string): Promise<FoundBroken[]> {
    const found: FoundBroken[] = [];
    const watched = this.#repositories.find(({ identity }) => identity === repository);
    for (const contract of providersIn(graph).get(repository) ?? []) {
      for (const { service, consumer, worktree } of this.#concerned(graph, repository, contract)) {
        if (watched === undefined || consumer.kind === "indirect" || !isSettled(worktree)) continue;
        const sinceMs = await this.#sight.beganMs(worktree.repository, worktree.path);
        const seen =
          sinceMs === undefined ? undefined : await this.#sight.landedSince(repository, [contract], sinceMs, today);
        if (seen === undefined) continue;
        const theirs = { ...landingSide(watched), commit: seen.commit, tree: seen.tree };
        this.#landings.add(`${sideIdentity(theirs)} ${worktree.path}`);
        for (const { result } of seen.outcomes) {
          if (result.kind === "unreadable") continue;
          const outcome = { worktree: "", mergedWith: null, renamedTo: null, commit: seen.commit, tree: seen.tree };
          const asked = askedFor({ ...outcome, contract, result }, consumer);
          if (asked === undefined) continue;
          const used = await this.#usesOf(worktree, asked.result);
          const left = unfollowed(asked, used);
          if (left === undefined) continue;
          const uses = linesOf(used, consumer);
          const { kind, chain } = consumer;
          const whom = { provider: service, consumer: consumer.service.name, kind, chain };
          const sides = { ours: sideOf(worktree), theirs };
          found.push({
            repository: worktree.repository,
            broken: { ...whom, outcome: left, sides, uses, isLanded: true },
          });
        }
      }
    }
    return found;
  }

  /** The worktrees of consumers in which somebody works, each with the closest way in which it uses a contract. */
  #concerned(
    graph: ServiceGraph,
    repository: string,
    contract: string,
  ): { readonly service: string; readonly consumer: Consumer; readonly worktree: WorktreesTable }[] {
    const services = graph.services.filter((one) => one.repository === repository && one.provides.includes(contract));
    return services.flatMap((service) =>
      [...closest(consumersOf(graph, service.name, contract))].flatMap(([consuming, consumer]) =>
        consuming === repository
          ? []
          : [...this.#worktrees.values()]
              .filter((one) => one.repository === consuming && this.#isWorkedOn(one))
              .map((worktree) => ({ service: service.name, consumer, worktree })),
      ),
    );
  }

  async #usesOf({ repository, path }: WorktreesTable, result: ContractResult): Promise<NameUses | undefined> {
    const names = result.kind === "compared" ? result.breaking.flatMap((one) => one.names) : [];
    return await this.#sight.usesOf(repository, path, [...new Set(names)].sort());
  }

  /** Somebody is there, or has left work there that is not landed. */
  #isWorkedOn({ path, uncommitted, ahead, skipped }: WorktreesTable): boolean {
    return skipped === null && (this.#workers.has(path) || uncommitted === 1 || (ahead ?? 0) > 0);
  }

  #put(repository: string, verdict: PairVerdict): void {
    const known = this.verdicts.get(repository);
    if (known === undefined) this.verdicts.set(repository, [verdict]);
    else known.push(verdict);
  }
}

/** The repositories that are looked at, each with what its services provide. */
function providersIn(graph: ServiceGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { name, repository, provides } of graph.services) {
    if (repository === null || !graph.uses.some(({ provider }) => provider === name)) continue;
    const contracts = found.get(repository) ?? new Set();
    for (const contract of provides) contracts.add(contract);
    if (contracts.size > 0) found.set(repository, contracts);
  }
  return found;
}

/** Of several services in one repository, the one that a break reaches first. */
function closest(consumers: readonly Consumer[]): Map<string, Consumer> {
  const order = ["direct", "tests", "indirect"];
  const found = new Map<string, Consumer>();
  for (const consumer of consumers) {
    const { repository } = consumer.service;
    if (repository === null) continue;
    const known = found.get(repository);
    if (known === undefined || order.indexOf(consumer.kind) < order.indexOf(known.kind))
      found.set(repository, consumer);
  }
  return found;
}

/** Whoever uses it need not care, and everything was looked at. */
const isHarmless = ({ result }: ContractOutcome): boolean =>
  result.kind === "compared" && result.complete && result.breaking.length === 0;

/** Lines that hold a changed name; where none does, the line that shows the use at all. */
function linesOf(uses: NameUses | undefined, consumer: Consumer): readonly UseLine[] {
  const [, file, line] = /^(.+):(\d+)$/.exec(consumer.because ?? "") ?? [];
  if (uses !== undefined && uses.lines.length > 0) return uses.lines;
  return file === undefined ? [] : [{ path: file, line: Number(line), text: "", name: "" }];
}

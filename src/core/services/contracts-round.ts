// One round over the contracts of all watched repositories: reads who provides and uses what, has the worktrees of providers compared, and
// opens and closes findings in the repositories of consumers that are being worked on now. Safe to run twice.

import { basename } from "node:path";
import type { PairSide, PairVerdict } from "../../protocol/findings.ts";
import type { WorktreesTable } from "../../store/tables/observed.ts";
import type { Context } from "../context.ts";
import { movesFor, reviewIn } from "../findings/apply-findings.ts";
import { pairKey } from "../findings/lifecycle.ts";
import { type Guest, readScene } from "../notices/scene.ts";
import type { Workers } from "../notices/workers.ts";
import { type BrokenContract, contractFinding, contractVerdict } from "./contract-findings.ts";
import type { ContractOutcome } from "./contract-outcome.ts";
import { type ContractSight, readGraph } from "./read-graph.ts";
import { type Consumer, consumersOf, type ServiceGraph } from "./service-graph.ts";
import { allWorktrees, openContractFindings } from "./services.sql.ts";

export interface ContractsMachine {
  readonly sight: ContractSight;
  readonly root: string;
  readonly guests: () => readonly Guest[];
}

type RoundContext = Pick<Context, "store" | "clock" | "random" | "constellation">;

export async function contractsRound(context: RoundContext, machine: ContractsMachine): Promise<void> {
  const { store, constellation } = context;
  const { graph, isWhole } = await readGraph(context, machine.sight);
  const open = await openContractFindings(store.db, constellation);
  if (open.length === 0 && !graph.services.some(({ provides }) => provides.length > 0)) return;
  const worktrees = await allWorktrees(store.db, constellation);
  const scene = await readScene(context, { root: machine.root, guests: machine.guests() });
  const looking = new Looking(machine.sight, worktrees, scene.workers);
  await looking.compare(graph, new Date(context.clock.nowMs()).toISOString().slice(0, 10));
  // What an unseen repository declares is not known, so what was said because of it stays.
  if (isWhole) looking.lookAgainAt(open);
  for (const repository of new Set([...looking.verdicts.keys(), ...open.map((one) => one.repository)])) {
    const pairs = looking.verdicts.get(repository) ?? [];
    const sides = worktrees.map(({ path }) => `worktree ${path}`);
    const report = { repository, pairs, sides, landed: [], kinds: "elsewhere" } as const;
    if ((await movesFor(context, store, report)).length === 0) continue;
    await store.write(async (tx) => void (await reviewIn(context, tx, report)));
  }
}

class Looking {
  /** By the consumer's repository. */
  readonly verdicts = new Map<string, PairVerdict[]>();
  readonly #sight: ContractSight;
  readonly #worktrees: ReadonlyMap<string, WorktreesTable>;
  readonly #workers: Workers;
  /** Worktrees of providers that could not be looked at. */
  readonly #unseen = new Set<string>();

  constructor(sight: ContractSight, worktrees: readonly WorktreesTable[], workers: Workers) {
    this.#sight = sight;
    this.#worktrees = new Map(worktrees.map((one) => [one.path, one]));
    this.#workers = workers;
  }

  async compare(graph: ServiceGraph, today: string): Promise<void> {
    const broken = new Map<string, { repository: string; found: BrokenContract[] }>();
    for (const [repository, contracts] of providersIn(graph)) {
      const seen = await this.#sight.contractChanges(repository, [...contracts], today);
      for (const { path, repository: its } of this.#worktrees.values()) {
        if (its === repository && seen?.looked.includes(path) !== true) this.#unseen.add(path);
      }
      for (const outcome of seen?.outcomes ?? []) {
        for (const one of await this.#brokenBy(graph, repository, outcome)) {
          const key = pairKey(one.broken.sides.ours, one.broken.sides.theirs);
          const known = broken.get(key) ?? { repository: one.repository, found: [] };
          known.found.push(one.broken);
          broken.set(key, known);
        }
      }
    }
    for (const { repository, found } of broken.values()) {
      const [first] = found;
      if (first === undefined) continue;
      const telling = found.filter(
        ({ outcome: { result } }) => result.kind === "unreadable" || result.breaking.length > 0,
      );
      const findings = telling.map((one) => contractFinding(repository, one));
      this.#put(repository, contractVerdict(first.sides, found, findings));
    }
  }

  /** Findings whose pair has nothing any more: looked at, and silent. */
  lookAgainAt(open: Awaited<ReturnType<typeof openContractFindings>>): void {
    for (const { repository, ours_worktree, theirs_worktree } of open) {
      const [ours, theirs] = [ours_worktree, theirs_worktree].map((path) => this.#worktrees.get(path ?? ""));
      if (ours === undefined || theirs === undefined || !isSettled(theirs) || this.#unseen.has(theirs.path)) continue;
      const sides = { ours: sideOf(ours), theirs: sideOf(theirs) };
      const key = pairKey(sides.ours, sides.theirs);
      const known = this.verdicts.get(repository) ?? [];
      if (!known.some((one) => pairKey(one.ours, one.theirs) === key))
        this.#put(repository, contractVerdict(sides, [], []));
    }
  }

  async #brokenBy(
    graph: ServiceGraph,
    repository: string,
    outcome: ContractOutcome,
  ): Promise<{ readonly repository: string; readonly broken: BrokenContract }[]> {
    const provider = this.#worktrees.get(outcome.worktree);
    if (provider === undefined || !isSettled(provider)) return [];
    const names = outcome.result.kind === "compared" ? outcome.result.breaking.flatMap((one) => one.names) : [];
    const found: { repository: string; broken: BrokenContract }[] = [];
    const services = graph.services.filter(
      (one) => one.repository === repository && one.provides.includes(outcome.contract),
    );
    for (const service of services) {
      for (const [consuming, consumer] of closest(consumersOf(graph, service.name, outcome.contract))) {
        if (consuming === repository) continue;
        for (const worktree of this.#worktrees.values()) {
          if (worktree.repository !== consuming || !this.#isWorkedOn(worktree)) continue;
          const uses = await this.#sight.usesOf(consuming, worktree.path, [...new Set(names)].sort());
          const { kind, chain } = consumer;
          const sides = { ours: sideOf(worktree), theirs: sideOf(provider) };
          const broken = { provider: service.name, outcome, consumer: consumer.service.name, kind, chain, sides, uses };
          found.push({ repository: consuming, broken });
        }
      }
    }
    return found;
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

/** In the middle of a rebase files are nobody's word. */
const isSettled = ({ operation, skipped }: WorktreesTable): boolean => operation === null && skipped === null;

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

function sideOf({ path, branch, snapshot_commit, snapshot_tree }: WorktreesTable): PairSide {
  const label = branch ?? basename(path);
  return { label, worktree: path, branch, commit: snapshot_commit ?? "", tree: snapshot_tree ?? "" };
}

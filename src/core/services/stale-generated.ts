// Looks for generated code that is older than a contract of another repository, in every worktree where somebody works: what landed since the
// code was made, and what the provider's worktrees are changing now. By the dates of commits, and by the names that the code holds.

import type { PairSide } from "../../protocol/findings.ts";
import type { WorktreesTable } from "../../store/tables/observed.ts";
import type { ContractOutcome, ContractResult } from "./contract-outcome.ts";
import { isSettled } from "./contract-sides.ts";
import type { ContractSight } from "./read-graph.ts";
import type { GeneratedState } from "./repository-interfaces.ts";
import type { GeneratedFrom, ServiceGraph } from "./service-graph.ts";
import { hasFollowed, type StaleGenerated, tellingNames } from "./stale-findings.ts";

export interface StaleScene {
  readonly sight: ContractSight;
  readonly graph: ServiceGraph;
  readonly today: string;
  /** Worktrees of a repository in which somebody works. */
  readonly workedOn: (repository: string) => readonly WorktreesTable[];
  /**
   * The changes that providers' worktrees make to their contracts, each with its side; worktrees in the middle of a rebase are left out.
   */
  readonly outcomes: readonly (ContractOutcome & { readonly repository: string; readonly side: PairSide })[];
  readonly sideOf: (worktree: WorktreesTable) => PairSide;
  readonly landingOf: (repository: string) => PairSide | undefined;
}

export interface StaleLook {
  readonly repository: string;
  readonly sides: { readonly ours: PairSide; readonly theirs: PairSide };
  /** `unknown`: it could not be looked at, so that nothing ends. */
  readonly result: "unknown" | "fresh" | StaleGenerated;
}

export async function lookForStale(scene: StaleScene): Promise<StaleLook[]> {
  const found: StaleLook[] = [];
  for (const link of scene.graph.generated) {
    const provider = scene.graph.services.find(({ name }) => name === link.provider);
    const home = provider?.repository ?? undefined;
    if (home === undefined) continue;
    for (const worktree of scene.workedOn(link.repository)) {
      const landed = await landedSince(scene, link, home, worktree);
      if (landed !== undefined) found.push(landed);
      // A change that has landed is told as landed, even if a worktree of the provider still holds it.
      if (typeof landed?.result === "object") continue;
      found.push(...(await changingNow(scene, link, home, worktree)));
    }
  }
  return found;
}

async function landedSince(
  { sight, today, sideOf, landingOf }: StaleScene,
  link: GeneratedFrom,
  home: string,
  worktree: WorktreesTable,
): Promise<StaleLook | undefined> {
  const theirs = landingOf(home);
  if (theirs === undefined) return undefined;
  const sides = { ours: sideOf(worktree), theirs };
  const look = (result: StaleLook["result"]): StaleLook => ({ repository: link.repository, sides, result });
  const state = await stateIn(sight, link, worktree);
  if (state === undefined) return look("unknown");
  if (state === "gone" || state.madeMs === null) return look("fresh");
  const seen = await sight.landedSince(home, [link.contract], state.madeMs, today);
  const result = seen?.outcomes.find(({ contract }) => contract === link.contract)?.result;
  if (seen === undefined || result?.kind === "unreadable") return look("unknown");
  return look(await judge(sight, { link, worktree, state, result, sides, isLanded: true }));
}

async function changingNow(
  { sight, outcomes, sideOf }: StaleScene,
  link: GeneratedFrom,
  home: string,
  worktree: WorktreesTable,
): Promise<StaleLook[]> {
  const found: StaleLook[] = [];
  for (const { repository, contract, mergedWith, result, side } of outcomes) {
    if (repository !== home || contract !== link.contract || mergedWith !== null) continue;
    const sides = { ours: sideOf(worktree), theirs: side };
    const look = (answer: StaleLook["result"]): void =>
      void found.push({ repository: link.repository, sides, result: answer });
    const state = result.kind === "unreadable" ? undefined : await stateIn(sight, link, worktree);
    if (state === undefined) look("unknown");
    else if (state === "gone") look("fresh");
    else look(await judge(sight, { link, worktree, state, result, sides, isLanded: false }));
  }
  return found;
}

/** In the middle of a rebase files are nobody's word. */
async function stateIn(
  sight: ContractSight,
  { repository, paths }: GeneratedFrom,
  worktree: WorktreesTable,
): Promise<GeneratedState | "gone" | undefined> {
  return isSettled(worktree) ? await sight.generatedIn(repository, worktree.path, paths) : undefined;
}

async function judge(
  sight: ContractSight,
  asked: {
    readonly link: GeneratedFrom;
    readonly worktree: WorktreesTable;
    readonly state: GeneratedState;
    readonly result: ContractResult | undefined;
    readonly sides: StaleGenerated["sides"];
    readonly isLanded: boolean;
  },
): Promise<StaleLook["result"]> {
  const { link, worktree, state, result, sides, isLanded } = asked;
  if (result?.kind !== "compared") return "fresh";
  // From a contract that is gone nothing can be generated.
  const changes = [...result.breaking, ...result.others].filter(({ rule }) => rule !== "contract-removed");
  if (changes.length === 0) return "fresh";
  const names = tellingNames(changes);
  const held =
    names.length === 0 ? [] : await sight.namesInGenerated(link.repository, worktree.path, link.paths, names);
  if (held === undefined) return "unknown";
  if (hasFollowed(changes, held, { isEdited: state.isEdited && isLanded })) return "fresh";
  const { provider, contract } = link;
  return { provider, contract, files: state.files, changes, sides, isLanded };
}

// The plan of landing for each observed repository, from what is stored.

import type { ReadContext } from "../context.ts";
import { exclusiveClaims, heldBy, heldText } from "../claims/keeps-out.ts";
import { type OwnOpen, ownOpenIn, unaskedIn } from "../findings/open-pairs.ts";
import { planLanding } from "./landing.ts";
import type { Candidate, Clash } from "./landing-candidate.ts";
import { brokenContracts, openClashes, openTrespasses, readinessIn } from "./open-findings.sql.ts";
import { findRepository } from "./register.ts";
import { silenceOf } from "./silence.ts";
import type { WorktreesTable } from "../../store/tables/observed.ts";
import { redCommits, repositoriesOf, workspaceBases, worktreesOf } from "./worktrees.sql.ts";

export async function planFor(context: ReadContext, input: { readonly repository?: string | undefined }) {
  const { store } = context;
  const chosen =
    input.repository === undefined
      ? (await repositoriesOf(store.db, store.constellation)).filter(({ wanted }) => wanted === "observed")
      : [await findRepository(context, input.repository)];
  const repositories = [];
  for (const { identity, name, default_branch } of chosen) {
    const found = await clashesOf(context, identity);
    const silence = await silenceOf(context, identity);
    const isAwaited = silence.open.some(({ what, coming }) => what === "comparison" && coming);
    const unasked = await unaskedIn(context, identity);
    const own = await ownOpenIn(context, identity);
    const known = { clashes: found, isAwaited, unasked, own };
    const candidates = await candidatesOf(context, identity, default_branch, known);
    const clashes = found.flatMap(({ one, other, ...clash }) =>
      one === null || other === null ? [] : [{ one, other, ...clash }],
    );
    const steps = planLanding(candidates, clashes);
    repositories.push({
      repository: identity,
      name,
      default_branch,
      open_findings: found.length,
      ...silence,
      steps: steps.map(({ candidate, order, verdict, why, after }) => ({
        order,
        verdict,
        branch: candidate.branch,
        label: candidate.label,
        worktree: candidate.worktree,
        agent: candidate.agent,
        score: candidate.score,
        reasons: candidate.reasons === "" ? [] : candidate.reasons.split("; "),
        why: [...why],
        after: [...after],
      })),
    });
  }
  return { repositories };
}

interface Known {
  readonly clashes: readonly FoundClash[];
  readonly isAwaited: boolean;
  /** By worktree, pairs of which only notes are left. */
  readonly unasked: ReadonlyMap<string, number>;
  /** By worktree, what is open because of its own files. */
  readonly own: ReadonlyMap<string, OwnOpen>;
}

async function candidatesOf(
  context: ReadContext,
  repository: string,
  defaultBranch: string | null,
  { clashes, isAwaited, unasked, own }: Known,
): Promise<Candidate[]> {
  const { store } = context;
  const rows = await readinessIn(store.db, store.constellation, repository);
  const ready = new Map(rows.map((row) => [row.worktree, row]));
  const worktrees = await worktreesOf(store.db, store.constellation, repository);
  const bases = await workspaceBases(store.db, store.constellation);
  const red = await redCommits(store.db, store.constellation);
  const contracts = await contractsIn(context, worktrees);
  const held = await heldIn(context, repository, worktrees);
  const speakers = new Set(worktrees.filter((one) => isOnDefault(one, defaultBranch)).map(({ path }) => path));
  const withDefault = clashesWithDefault(clashes, speakers);
  const sharing = Map.groupBy(worktrees, ({ branch }) => branch);
  return worktrees.map((one) => {
    const row = ready.get(one.path);
    const shares = (sharing.get(one.branch)?.length ?? 0) > 1;
    const directory = one.path.slice(one.path.lastIndexOf("/") + 1);
    return {
      worktree: one.path,
      branch: one.branch,
      label: one.branch === null ? directory : shares ? `${one.branch} (${directory})` : one.branch,
      agent: one.agent,
      score: Number(row?.score ?? 0),
      reasons: row?.reasons ?? "",
      ahead: one.ahead,
      behind: one.behind,
      uncommitted: one.uncommitted === 1,
      withDefault: withDefault.get(one.path) ?? [],
      held: held.get(one.path) ?? null,
      isRed: one.head !== null && red.get(one.path)?.has(one.head) === true,
      unchecked: [...(own.get(one.path)?.unread ?? [])],
      contracts: contracts.get(one.path) ?? [],
      faults: [...(own.get(one.path)?.faults ?? [])],
      openPairs: Number(row?.open_pairs ?? 0),
      unaskedPairs: unasked.get(one.path) ?? 0,
      isAwaited,
      operation: one.operation,
      skipped: one.skipped,
      isDefault: speakers.has(one.path),
      isUnstarted: one.head !== null && bases.get(one.path) === one.head,
    };
  });
}

/** By worktree, the contracts between it and a worktree of another repository. */
async function contractsIn(
  { store }: ReadContext,
  worktrees: readonly WorktreesTable[],
): Promise<Map<string, string[]>> {
  const here = new Set(worktrees.map(({ path }) => path));
  const found = new Map<string, Set<string>>();
  const note = (path: string | null, counterpart: string | null, says: string): void => {
    if (path === null || !here.has(path) || (counterpart !== null && here.has(counterpart))) return;
    found.set(path, (found.get(path) ?? new Set()).add(says));
  };
  for (const row of await brokenContracts(store.db, store.constellation)) {
    note(row.theirs_worktree, row.ours_worktree, `breaks a contract that ${row.ours_label} uses`);
    note(row.ours_worktree, row.theirs_worktree, `uses a contract that ${row.theirs_label} breaks`);
  }
  return new Map([...found].map(([path, says]) => [path, [...says]]));
}

interface Trespass {
  readonly path: string;
  /** The hunks of whoever edits there. */
  readonly ours: readonly unknown[];
}

/** By worktree, the claims of others that it edits, as the open findings have it. */
async function heldIn(
  context: ReadContext,
  repository: string,
  worktrees: readonly WorktreesTable[],
): Promise<Map<string, string>> {
  const claims = await exclusiveClaims(context, repository);
  if (claims.length === 0) return new Map();
  const paths = new Map<string, string[]>();
  const { db, constellation } = context.store;
  const trespasses = await openTrespasses(db, constellation, repository);
  for (const { ours_worktree: ours, theirs_worktree: theirs, evidence } of trespasses) {
    for (const { path, ours: hunks } of JSON.parse(evidence) as Trespass[]) {
      const editor = hunks.length > 0 ? ours : theirs;
      if (editor !== null) paths.set(editor, [...(paths.get(editor) ?? []), path]);
    }
  }
  return new Map(
    worktrees.flatMap(({ path, agent }) => {
      const held = heldBy(claims, paths.get(path) ?? [], agent ?? "owner");
      return held.length === 0 ? [] : [[path, heldText(held)]];
    }),
  );
}

/** It stands on the default branch, and has nothing of its own. */
function isOnDefault({ branch, uncommitted, ahead }: WorktreesTable, defaultBranch: string | null): boolean {
  const isOnIt = branch !== null && [branch, `origin/${branch}`].includes(defaultBranch ?? "");
  return isOnIt && uncommitted === 0 && ahead === 0;
}

/** By worktree. The default branch is a side of its own, or a worktree that stands on it speaks for it. */
function clashesWithDefault(clashes: readonly FoundClash[], speakers: ReadonlySet<string>): Map<string, FoundClash[]> {
  const found = new Map<string, FoundClash[]>();
  const note = (path: string | null, counterpart: string | null, clash: FoundClash): void => {
    if (path === null || (counterpart !== null && !speakers.has(counterpart))) return;
    const own = found.get(path);
    if (own === undefined) found.set(path, [clash]);
    else own.push(clash);
  };
  for (const clash of clashes) {
    note(clash.one, clash.other, clash);
    if (clash.one !== clash.other) note(clash.other, clash.one, clash);
  }
  return found;
}

/** null is the default branch. */
type FoundClash = Omit<Clash, "one" | "other"> & { readonly one: string | null; readonly other: string | null };

async function clashesOf({ store }: ReadContext, repository: string): Promise<FoundClash[]> {
  const rows = await openClashes(store.db, store.constellation, repository);
  return rows.map(({ ours_worktree: one, theirs_worktree: other, ...clash }) => ({ one, other, ...clash }));
}

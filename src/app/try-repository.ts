// `constel try`: one look at a whole repository, with no daemon and no trace. It is seen from a private directory that is
// gone afterwards, and what was seen goes through the same rules as in a constellation: into a database that lives in that
// directory, and out as the plan of landing.

import { join } from "node:path";
import { knotsOf } from "../core/findings/knots.ts";
import { noteSummaryOf, notesOf, summaryOf } from "../core/findings/open-pairs.ts";
import { planFor } from "../core/worktrees/plan.ts";
import { register } from "../core/worktrees/register.ts";
import { takeIn } from "../core/worktrees/take-in.ts";
import { systemClock, systemRandom } from "../host/clock/system-clock.ts";
import { observe } from "../host/git/observer.ts";
import { systemProcesses } from "../host/process/run.ts";
import { withTemporaryDirectory } from "../host/process/temporary-directory.ts";
import { Refusal } from "../protocol/errors.ts";
import { type FindingDraft, type PairSide, type PairVerdict, severities } from "../protocol/findings.ts";
import type { CollidingPair, FirstLook, LookedKnot, LookRequest } from "../protocol/try-report.ts";
import type { MergeOutcome, RepositoryObserver } from "../ports/git.ts";
import { openLanguages } from "../languages/open-languages.ts";
import type { ReviewedSide } from "../sensing/merged-pair.ts";
import { openStore } from "../store/open.ts";
import { claimParts } from "./claim-parts.ts";
import { branchPrefix, lookOnce, type LookedRepository } from "../sensing/once.ts";
import { keepFacts } from "./keep-facts.ts";
import { PairPipeline } from "../sensing/pipeline.ts";
import { openMemory } from "../sensing/repository-memory.ts";
import { careOf, repositoryToolchains } from "./repository-toolchains.ts";

/** A pair that takes longer is answered as far as it got. */
const deadlineMs = 60_000;
const compilerDeadlineMs = 60_000;
/** In files that nobody changed something breaks seldom: somebody waits, so they share a minute. */
const allBetweenMs = 60_000;
const mostBetweenMs = 10_000;
const leastBetweenMs = 250;
const pairsOf = (worktrees: number): number => Math.max(1, (worktrees * (worktrees - 1)) / 2);

export async function lookAtRepository(request: LookRequest): Promise<FirstLook> {
  const started = performance.now();
  try {
    const look = await withTemporaryDirectory("try", (directory) => lookFrom(directory, request));
    return { ...look, durationMs: Math.round(performance.now() - started) };
  } catch (cause) {
    // A git that was ended by the interruption fails in its own words.
    if (request.signal.aborted) throw new Refusal("command.interrupted", "interrupted; nothing is left behind");
    throw cause;
  }
}

async function lookFrom(directory: string, request: LookRequest): Promise<Omit<FirstLook, "durationMs">> {
  const { environment, signal } = request;
  const git = { processes: systemProcesses, environment, signal };
  const observer = await observe(request.cwd, { ...git, clock: systemClock, directory });
  try {
    const seen = await look(observer, request, directory);
    const { name, steps } = await planOf(directory, request.cwd, seen);
    const pairs = seen.report.pairs.flatMap(colliding).sort(worstFirst);
    const alone = seen.report.pairs.map((one) => ({ open: one.open, notes: notesOf(one), pairs: 1 }));
    const unasked = alone.filter(({ notes }) => notes.length > 0).length;
    const open = [...seen.unseen.map((part) => ({ ...part, pairs: 0 })), ...summaryOf(alone, seen.report.pairs.length)];
    return {
      repository: seen.report.repository,
      name,
      default_branch: seen.report.defaultBranch,
      lines: linesOf(seen, steps),
      pairs,
      knots: knotsIn(seen.report.repository, pairs),
      compared: seen.report.pairs.length,
      complete: open.length + unasked === 0,
      open,
      unasked,
      notes: [...noteSummaryOf(alone).map(({ why }) => `${why}.`), ...seen.notes],
    };
  } finally {
    await observer.close();
  }
}

/** Everything is asked at once: who types `try` sees one answer, and it should be the whole one. */
async function look(observer: RepositoryObserver, request: LookRequest, directory: string): Promise<LookedRepository> {
  const bugs: string[] = [];
  const languages = openLanguages({ compiler: careOf(request.compilers), shelf: keepFacts(request.facts) });
  const { compilers, environment } = request;
  const checkouts = (await observer.worktrees()).found.map(({ path }) => path);
  const machine = { observer, processes: systemProcesses, environment, directory, checkouts: () => checkouts };
  const toolchains = compilers === undefined ? undefined : repositoryToolchains({ ...machine, compilers });
  try {
    const pipeline = new PairPipeline({
      observer,
      memory: openMemory(languages),
      compilers: {
        asked: { when: "now" },
        deadlineMs: compilerDeadlineMs,
        betweenMs: Math.max(leastBetweenMs, Math.min(mostBetweenMs, allBetweenMs / pairsOf(checkouts.length))),
        checkouts: async () => checkouts,
        ...(toolchains === undefined ? {} : { toolchains }),
      },
      ...(await claimParts(observer, request.claims)),
      deadlineMs,
      log: (line) => void bugs.push(line),
    });
    const judge = (ours: ReviewedSide, theirs: ReviewedSide, merge: MergeOutcome): Promise<PairVerdict> =>
      pipeline.judge(ours, theirs, merge, request.signal);
    const seen = await lookOnce(observer, judge, { ...request, nowMs: systemClock.nowMs() });
    return { ...seen, notes: [...seen.notes, ...bugs] };
  } finally {
    languages.close();
    toolchains?.close();
  }
}

type Plan = Awaited<ReturnType<typeof planFor>>["repositories"][number];

async function planOf(
  directory: string,
  path: string,
  { report }: LookedRepository,
): Promise<Pick<Plan, "name" | "steps">> {
  const constellation = "try";
  const store = await openStore({
    url: `sqlite:${join(directory, "look.db")}`,
    backupDirectory: directory,
    constellation,
    clock: systemClock,
    random: systemRandom,
  });
  try {
    const context = { store, constellation, clock: systemClock, random: systemRandom, actor: "owner" };
    const place = { repository: report.repository, path, top: report.present[0] };
    await register(context, { place, isOwnersWord: true });
    await takeIn(context, report);
    const [plan] = (await planFor(context, {})).repositories;
    return plan ?? { name: report.repository, steps: [] };
  } finally {
    await store.close();
  }
}

function linesOf({ report }: LookedRepository, steps: Plan["steps"]): FirstLook["lines"] {
  const byPath = new Map(report.worktrees.map((one) => [one.path.toWellFormed(), one]));
  return steps.map(({ label, branch, worktree, verdict, score, why, reasons }) => {
    const seen = byPath.get(worktree);
    const standing = { ahead: seen?.ahead ?? null, behind: seen?.behind ?? null };
    const uncommitted = seen?.uncommitted ?? false;
    const path = isBranch(worktree) ? null : worktree;
    return { label, branch, worktree: path, ...standing, uncommitted, verdict, score, why, reasons };
  });
}

function colliding(verdict: PairVerdict): CollidingPair[] {
  const findings = verdict.findings.filter(({ severity }) => severity !== "context");
  return findings.length === 0 ? [] : [{ ours: outward(verdict.ours), theirs: outward(verdict.theirs), findings }];
}

/** Inside, a branch that is checked out nowhere has a stand-in for a path. */
function outward(side: PairSide): PairSide {
  return side.worktree !== null && isBranch(side.worktree) ? { ...side, worktree: null } : side;
}

const isBranch = (path: string): boolean => path.startsWith(branchPrefix);

function worstFirst(one: CollidingPair, other: CollidingPair): number {
  const worst = ({ findings }: CollidingPair): number =>
    Math.min(...findings.map(({ severity }) => severities.indexOf(severity)));
  const name = ({ ours, theirs }: CollidingPair): string => `${ours.label}\0${theirs.label}`;
  return worst(one) - worst(other) || (name(one) < name(other) ? -1 : 1);
}

/** As `finding.list` has them: a look's findings are all open, and of one repository. */
export function knotsIn(repository: string, pairs: readonly CollidingPair[]): LookedKnot[] {
  const seen = pairs.flatMap(({ ours, theirs, findings }) =>
    findings.map((finding) => ({ ...finding, ours, theirs, repository, state: "open" })),
  );
  const once = [...Map.groupBy(seen, ({ fingerprint }) => fingerprint).values()].flatMap((same) => same.slice(0, 1));
  const rank = ({ severity }: FindingDraft): number => severities.indexOf(severity);
  return knotsOf(once.sort((a, b) => rank(a) - rank(b))).map(({ first, findings, sides, title }) => ({
    kind: first.kind,
    severity: first.severity,
    title,
    sides,
    findings: findings.map(({ fingerprint }) => fingerprint),
  }));
}

// The branch that work lands on: as the origin has it when it has been asked, else as a clone last heard of it, and then what is not
// known is said. Pure, but for `askOnce` and `unaskedLanding`.

import type { KnownBranch, RepositoryObserver } from "../ports/git.ts";
import type { OpenPart } from "../protocol/findings.ts";

/** The last thing the origin said. */
export type OriginWord =
  /** `localWas`: where the clone's own note of it stood when it was asked. */
  | {
      readonly kind: "told";
      readonly branch: string;
      readonly commit: string;
      readonly localWas: string | undefined;
    }
  /** `known`: since when nothing has been heard, in words. */
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly known: string | undefined;
      readonly last: Told | undefined;
    }
  /** There is no origin, or it has no branch. */
  | { readonly kind: "none" };

export type Told = Extract<OriginWord, { kind: "told" }>;

export interface LandingBranch extends KnownBranch {
  /** The parts of it that are not known. */
  readonly open: readonly OpenPart[];
  /** Other things that a reader should know of it. */
  readonly notes?: readonly string[];
}

/** `isOld`: a clone has heard something since, so that the origin is worth asking again. */
export function landingBranch(
  local: KnownBranch | undefined,
  word: OriginWord | undefined,
): { readonly branch: LandingBranch | undefined; readonly isOld: boolean } {
  const told = word?.kind === "told" ? word : word?.kind === "failed" ? word.last : undefined;
  const isOld = told !== undefined && isOfOrigin(local) && local?.commit !== told.localWas;
  const known = told === undefined || isOld ? local : { name: `origin/${told.branch}`, commit: told.commit };
  return { branch: known === undefined ? undefined : { ...known, open: openIn(known, word) }, isOld };
}

function openIn(known: KnownBranch, word: OriginWord | undefined): OpenPart[] {
  const name = `${shortOf(known.name)} at the origin`;
  if (word === undefined)
    return isOfOrigin(known) ? [{ what: "origin", why: `${name} is being asked for`, isComing: true }] : [];
  if (word.kind !== "failed") return [];
  const since = isOfOrigin(known) && word.known !== undefined ? `as of ${word.known}` : "not known";
  return [{ what: "origin", why: `${name} is ${since}: it could not be asked (${word.why})` }];
}

/** The branch as a clone last heard of it, where the owner does not want the origin asked. */
export async function unaskedLanding(
  observer: Pick<RepositoryObserver, "defaultBranch" | "fetchedMs">,
): Promise<LandingBranch | undefined> {
  const { branch } = landingBranch(await observer.defaultBranch(), { kind: "none" });
  if (branch === undefined || !isOfOrigin(branch)) return branch;
  const name = shortOf(branch.name);
  const heardMs = observer.fetchedMs(name);
  return { ...branch, notes: [notAsked(name, heardMs === undefined ? undefined : clockTime(heardMs))] };
}

const notAsked = (name: string, known = "some time ago"): string =>
  `${name} at the origin is as of ${known}: repo.fetch_seconds is 0, so it was not asked`;

/** For people, with the commit, because it moves while nobody here does anything. */
export function landingLabel({ name, commit }: KnownBranch): string {
  return isOfOrigin({ name }) ? `${shortOf(name)} at the origin (${commit.slice(0, 7)})` : name;
}

/** `origin/main` is `main`. */
export const shortOf = (name: string): string => name.replace(/^origin\//, "");

const isOfOrigin = (branch: Pick<KnownBranch, "name"> | undefined): boolean =>
  branch?.name.startsWith("origin/") === true;

export interface AskOnce {
  /** True when the network may be used. */
  readonly fetch: boolean;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
}

/** The person who typed a command waits for it. */
const onceDeadlineMs = 20_000;

/** The branch of the origin's, asked now. Without a branch it is the one that work lands on. */
export async function askOnce(
  observer: RepositoryObserver,
  branch: string | undefined,
  { fetch, nowMs, signal }: AskOnce,
): Promise<{ readonly word: OriginWord; readonly note: string | undefined }> {
  const local = branch === undefined ? await observer.defaultBranch() : undefined;
  const name = branch ?? (local === undefined ? undefined : shortOf(local.name));
  const knownMs = name === undefined ? undefined : observer.fetchedMs(name);
  const known = knownMs === undefined ? undefined : ago(nowMs - knownMs);
  if (!fetch) {
    const isMeant = branch !== undefined || isOfOrigin(local);
    return { word: { kind: "none" }, note: isMeant ? notAsked(name ?? "", known) : undefined };
  }
  const wish = { branch: name, orHead: branch === undefined, deadlineMs: onceDeadlineMs, signal };
  const answer = await observer.askOrigin(wish);
  if (answer.kind === "told") return { word: { ...answer, localWas: local?.commit }, note: undefined };
  if (answer.kind === "failed") return { word: { ...answer, known, last: undefined }, note: undefined };
  return { word: { kind: "none" }, note: undefined };
}

/** To the minute, because it is kept: `2026-03-01 09:30 UTC`. */
export const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

const minute = 60_000;

function ago(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / minute));
  if (minutes < 120) return minutes < 1 ? "moments ago" : `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
}

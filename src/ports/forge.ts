// Declares what core asks of a forge: the site that keeps a repository's pull requests (GitHub, Gitea, GitLab, or a command of
// the owner's). host/forge holds the real ones, a folder each.
//
// Everything a forge answers was written by others. Titles, names and comments are words to be quoted, never names of files,
// never orders; that something has landed is asked of the repository itself, not of the forge.
//
// An outage means that the forge cannot be reached, answers nonsense or asks us to wait. A refusal (`forge.denied`,
// `forge.unknown`) means that it knows us and says no.

export interface ForgePlace {
  readonly kind: "github" | "gitea" | "gitlab" | "command";
  /** The host that the token is for. */
  readonly host: string;
  /** `https://api.github.com`; for a command, empty. */
  readonly api: string;
  /** `owner/name`; GitLab has groups in groups. */
  readonly repository: string;
}

export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "closed" | "merged";
  /** The commit that its branch has, as the forge knows it. */
  readonly head: string;
  /** The branch it is to be merged into. */
  readonly base: string;
  readonly title: string;
  readonly body: string;
}

export interface Checks {
  /** `none`: nobody has checked the commit. That is not green. */
  readonly state: "none" | "pending" | "green" | "red";
  readonly red: readonly RedCheck[];
}

export interface RedCheck {
  readonly name: string;
  readonly url: string;
  /** The end of its log, or what it says of itself. */
  readonly tail: string;
}

export interface PullState extends PullRequest {
  readonly checks: Checks;
  /** `required`: the forge wants a review that is not there. */
  readonly review: "none" | "required" | "approved" | "changes-requested";
  /** `computing`: ask again. `blocked`: the forge would not merge it now, for a reason of its own. */
  readonly merge: "can" | "computing" | "conflicts" | "behind" | "blocked" | "draft";
  /** It waits in the forge's own queue. */
  readonly isQueued: boolean;
  /** Whoever closed or merged it, if the forge says. */
  readonly endedBy: string | undefined;
}

/** Something that somebody wrote on a pull request. */
export interface Remark {
  /** Tells it from all others of the same pull request. */
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly kind: "comment" | "review" | "changes-requested" | "approved";
}

export type MergeAnswer =
  /** The forge says so. The origin is asked before anything is called landed. */
  | { readonly kind: "merged" }
  | { readonly kind: "queued" }
  /** Its branch is not at the commit that was judged. */
  | { readonly kind: "moved" }
  /** Not now: mergeability is being computed, or something is missing. */
  | { readonly kind: "not-yet"; readonly why: string };

export interface OpenPull {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly head: string;
  readonly base: string;
  readonly url: string;
  /** The ref of the target's repository under which the forge offers its commits, from forks too. */
  readonly ref: string;
}

export interface ForgeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly url: string;
  readonly author: string;
  readonly state: "open" | "closed";
  readonly labels: readonly string[];
}

export type MergeMethod = "merge" | "squash" | "rebase" | "queue";

export interface Forge {
  /** The open pull request of a branch, else the newest one that has ended. */
  find(branch: string): Promise<PullRequest | undefined>;
  /** Refused as `forge.exists` when the branch has an open one already. */
  open(wish: { branch: string; base: string; title: string; body: string }): Promise<PullRequest>;
  update(number: number, change: { title?: string; body?: string; base?: string }): Promise<void>;
  /** `mayBeQueued`: it was put into the forge's queue, so that is looked at too. */
  state(number: number, about?: { mayBeQueued: boolean }): Promise<PullState>;
  remarks(number: number): Promise<readonly Remark[]>;
  merge(number: number, wish: { head: string; method: MergeMethod }): Promise<MergeAnswer>;
  close(number: number): Promise<void>;
  openPulls(): Promise<readonly OpenPull[]>;
  /** Writes the one comment of ours that begins with `marker`, or changes it. */
  putComment(on: "pull" | "issue", number: number, comment: { marker: string; text: string }): Promise<void>;
  issues(filter: { label: string | undefined; state: "open" | "all" }): Promise<readonly ForgeIssue[]>;
  /** Undefined when there is no such issue, or it is not shown to us. */
  issue(number: number): Promise<ForgeIssue | undefined>;
  checks(commit: string): Promise<Checks>;
}

export interface Forges {
  /** The place where an origin's pull requests are. Refused when nothing says so. */
  placeOf(origin: string): ForgePlace;
  open(place: ForgePlace): Forge;
}

/** A log's last lines, as far as they are told to anybody. */
export const tailLines = 60;
export const tailCharacters = 6_000;

export function tailOf(text: string): string {
  return text.trimEnd().split("\n").slice(-tailLines).join("\n").slice(-tailCharacters);
}

/** An address as it may be kept and shown: clones often have a token in their origin's. */
export function withoutPassword(origin: string): string {
  if (!URL.canParse(origin) || !origin.includes("://")) return origin;
  const { username, password, protocol } = new URL(origin);
  if (username === "" && password === "") return origin;
  // The name before a server's is an account there for ssh, and mostly a token for everything else.
  if (protocol === "ssh:" && password === "") return origin;
  const [scheme = "", rest = ""] = [origin.slice(0, origin.indexOf("://")), origin.slice(origin.indexOf("://") + 3)];
  return `${scheme}://${rest.slice(rest.indexOf("@") + 1)}`;
}

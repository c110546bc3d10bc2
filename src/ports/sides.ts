// Declares how the sides of pairs come and go between machines. A side is a line of work as its own daemon saw it: a commit that stands for the
// whole worktree, and a few words about it. What brings the words knows nothing of what moves the objects: words come by a team's database or by the
// mesh, and objects by the origin of the repository under a private ref wherever it takes one, else the way the words came.
//
// All that comes from others is untrusted: the words are only ever shown, and the objects are taken in by core/sharing through bounds.

/** As `RepositoryIdentity` of ports/git.ts has it. */
type RepositoryIdentity = string;

/** Words about a side, chosen by others: shown, and never acted upon. */
export interface SideWords {
  readonly branch: string | null;
  readonly agent: string | null;
  readonly task: string | null;
  readonly machine: string;
}

/** The way the objects of a side travel. `nowhere`: they do not, and `detail` says why. */
export type SideRoute = (typeof sideRoutes)[number];
export const sideRoutes = ["origin", "bundle", "nowhere"] as const;
export const isRoute = (word: string): word is SideRoute => (sideRoutes as readonly string[]).includes(word);

export interface PublishedSide {
  /** Sixteen hexadecimal digits that say nothing of a path. */
  readonly key: string;
  readonly ref: string;
  /** Null while nothing of it has been sent. */
  readonly commit: string | null;
  readonly route: SideRoute;
  readonly detail: string | null;
  readonly words: SideWords;
}

/** A side of another constellation. */
export interface OthersSide extends PublishedSide {
  /** Our name for it. */
  readonly constellation: string;
  /** When it last changed. */
  readonly atMs: number;
  /** When it was last known that its publisher is at work; by the publisher's own clock, where nothing better is known. */
  readonly heardMs: number;
}

/** What we publish, kept for whoever is to know it. */
export interface SideRecord {
  /** Everything that we publish of the repository from now on; what is not among it is withdrawn. */
  publish(repository: RepositoryIdentity, sides: readonly PublishedSide[]): Promise<void>;
  /** Nothing of the repository is known to others any more. */
  withdraw(repository: RepositoryIdentity): Promise<void>;
  /** Keeps the objects of a side whose origin does not take them. */
  bring(repository: RepositoryIdentity, key: string, bundle: Uint8Array): Promise<void>;
}

/** One way on which sides of others come. */
export interface SideSource {
  /** Sides of constellations whose owners shared the repository too, the newest first, at most so many. */
  others(repository: RepositoryIdentity, most: number): Promise<readonly OthersSide[]>;
  /** Returns the objects of a side; undefined if there are none, none yet, or more than so many bytes. */
  bundle(repository: RepositoryIdentity, side: OthersSide, most: number): Promise<Uint8Array | undefined>;
}

/** A line of work on this machine, ready to be published. */
export interface OwnSide {
  readonly worktree: string;
  readonly branch: string | null;
  readonly commit: string;
  /** The commits that it builds on and that the origin has. */
  readonly onto: readonly string[];
  /** Why it must not leave this machine: a secret in a file. Null when it may. */
  readonly heldBack: string | null;
}

/** Another machine's side, to be taken in and compared with ours. */
export interface SideToTake {
  readonly ref: string;
  readonly commit: string;
  readonly label: string;
  /** What is not known of it, in a sentence: how old it is. */
  readonly doubt: string | null;
  /** The objects, in base64, where the origin does not have them. */
  readonly bundle?: string;
}

export type TakenSide =
  | { readonly ref: string; readonly kind: "taken" }
  /** Its objects did not come from the origin, and none were given. */
  | { readonly ref: string; readonly kind: "lacking"; readonly why: string }
  | { readonly ref: string; readonly kind: "refused"; readonly why: string };

export interface PushedSide {
  readonly ref: string;
  /** Null when the origin has it. */
  readonly why: string | null;
}

/** Objects of sides, in and out of a repository that is watched. Undefined where it is not being looked at. */
export interface SideObjects {
  own(repository: RepositoryIdentity): Promise<readonly OwnSide[] | undefined>;
  /** Puts commits under private refs at the origin, and takes refs away that are no longer wanted. */
  push(
    repository: RepositoryIdentity,
    wish: { readonly put: readonly { ref: string; commit: string }[]; readonly remove: readonly string[] },
  ): Promise<readonly PushedSide[] | undefined>;
  /** The same objects in one piece, in base64; or why there is none. */
  bundle(
    repository: RepositoryIdentity,
    side: Pick<OwnSide, "commit" | "onto">,
  ): Promise<{ readonly content: string } | { readonly why: string } | undefined>;
  /** From now on these, and no others, are compared with the work on this machine. */
  take(repository: RepositoryIdentity, sides: readonly SideToTake[]): Promise<readonly TakenSide[] | undefined>;
}

/** Bounds for what is taken in from others, and for what is sent to them. */
export const sideLimits = {
  /** Sides of one repository that one constellation publishes, and that are taken in. */
  own: 50,
  others: 100,
  /** Objects of one side. */
  bundleBytes: 4 * 1024 * 1024,
  packBytes: 64 * 1024 * 1024,
  packObjects: 100_000,
  files: 300_000,
  /** All that is kept of others in one repository. */
  storeBytes: 512 * 1024 * 1024,
  fetchMs: 60_000,
} as const;

export type SideLimits = Readonly<Record<keyof typeof sideLimits, number>>;

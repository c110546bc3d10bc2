// Declares what core asks of the machine about workspaces: a fresh clone to work in, its removal without loss, and its return.
// host/workspace holds the real one.

/** For fault tests: called at each named step, after everything before it is done. */
export type Step = (name: string) => void;

export interface WorkspaceWish {
  /** A path inside the repository to clone. */
  readonly source: string;
  /** The answer that `inspect` gave about it a moment ago. If given, it is not asked again. */
  readonly facts?: SourceFacts | undefined;
  /** The root directory; the workspace is made below it, and no link in between is followed. */
  readonly root: string;
  /** Below the root: `workspaces/12/repo`. */
  readonly place: string;
  readonly branch: string;
  /** The branch of the true origin that the branch starts from. If absent, the origin's own default. */
  readonly target?: string | undefined;
  /** Ask the true origin for news first; when it does not answer, what the source knows counts, and a note says so. */
  readonly fetch: boolean;
  /** A branch of the origin that the work stands on, where it starts instead. One that is not there is left out, and a note says so. */
  readonly begins?: string | undefined;
  /**
   * Objects are copied, not linked: who works there is kept from the source, and through a link could change what the source
   * reads.
   */
  readonly isApart?: boolean;
  readonly ports: PortRange | undefined;
  /** More for the environment of the set-up command. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly step?: Step;
}

export interface PortRange {
  readonly first: number;
  readonly count: number;
}

export interface MadeWorkspace {
  readonly path: string;
  /** The repository it was cloned from, by its common git directory. */
  readonly source: string;
  /** The place where its work will land. */
  readonly origin: string;
  readonly target: string;
  readonly base: string;
  readonly branch: string;
  readonly setUp: SetUpOutcome;
  readonly notes: readonly string[];
}

export interface SetUpOutcome {
  readonly copied: readonly string[];
  /** `none`: no command is declared. */
  readonly command: "none" | "done" | "failed" | "late";
  /** The end of what the command printed. */
  readonly tail: string;
}

/** The facts about a repository, before anything is made of it. */
export interface SourceFacts {
  readonly commonDirectory: string;
  readonly top: string | undefined;
  readonly origin: string;
  readonly defaultTarget: string;
}

export interface RemoveWish {
  readonly root: string;
  readonly place: string;
  /** The common git directory it came from; the bundle directory is used when that is gone. */
  readonly source: string;
  /** One path component that names the workspace in rescue refs. */
  readonly name: string;
  /** The same when a removal is taken up again, so that what it saved is found. */
  readonly nowMs: number;
  readonly bundles: string;
  /** Save what git ignores without exception. Otherwise caches and what is too large are left out, and named. */
  readonly withIgnored: boolean;
  readonly step?: Step;
}

export interface Rescue {
  /** `ref:<name>` in the source, or `bundle:<path>`. */
  readonly where: string;
  readonly commit: string;
  readonly files: number;
  /** Sockets, pipes and devices, which have no content to save. */
  readonly skipped: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** Somebody wrote at the workspace's place again while it was removed: that was left as it is. */
  readonly isWrittenAgain: boolean;
}

/** Something that git ignores and that was not saved. */
export interface LeftOut {
  readonly path: string;
  readonly why: "cache" | "large";
  readonly bytes: number;
}

export interface Restored {
  /** The things that are not back, because they were left out when the workspace was saved. */
  readonly leftOut: readonly LeftOut[];
  readonly skipped: readonly string[];
}

export interface SaveNowWish {
  readonly root: string;
  /** Below the root. */
  readonly place: string;
  /** The common git directory it came from. */
  readonly source: string;
  /** One path component that no other workspace has. */
  readonly name: string;
  readonly nowMs: number;
}

export interface RestoreWish {
  readonly root: string;
  readonly place: string;
  readonly source: string;
  readonly where: string;
  readonly scratch: string;
  readonly step?: Step;
}

export interface ForgetWish {
  readonly source: string;
  readonly where: string;
  readonly bundles: string;
}

/** The place where a commit is kept outside its workspace. */
export interface KeptPlace {
  /** The common git directory it came from; the bundle directory is used when that is gone or may not be written. */
  readonly source: string;
  /** One path component that no other workspace has. */
  readonly name: string;
  readonly bundles: string;
}

export interface KeepWish extends KeptPlace {
  /** The workspace that has it. */
  readonly path: string;
  readonly commit: string;
}

export interface LiveProcess {
  readonly pid: number;
  readonly command: string;
  /** Its current directory or an open file below the workspace. */
  readonly path: string;
}

export interface WorkspaceFacts {
  readonly exists: boolean;
  readonly branch: string | undefined;
  readonly head: string | undefined;
  /** Tracked files that differ from HEAD, and untracked ones. */
  readonly uncommitted: number;
  /** Commits of the task's branch that its base does not have. */
  readonly ahead: number;
  /** The task's branch here, and as far as this workspace has pushed it. */
  readonly tip: string | undefined;
  readonly pushed: string | undefined;
}

export interface Workspaces {
  /** Refused when the path is in no repository. */
  inspect(source: string): Promise<SourceFacts>;
  make(wish: WorkspaceWish): Promise<MadeWorkspace>;
  look(path: string, base: string, branch: string): Promise<WorkspaceFacts>;
  /** What it changed since this commit, uncommitted changes of known files included, as a patch. */
  diff(path: string, base: string): Promise<string>;
  /** Files with changes that are not committed, new ones too. */
  uncommitted(path: string, head: string | undefined): Promise<string[]>;
  /** The paths that commits of the branch itself changed; what it merged in is not counted. */
  changed(path: string, base: string, tip: string): Promise<string[]>;
  /** Asks the origin now what it has under this name. Undefined if it has nothing; an outage if it does not answer. */
  atOrigin(origin: string, branch: string): Promise<string | undefined>;
  /** Another branch from where HEAD is. */
  branch(path: string, name: string): Promise<void>;
  /** Saves everything, then removes. Done again after a crash it goes on. Undefined when nothing was there. */
  remove(wish: RemoveWish): Promise<Rescue | undefined>;
  /** Answers when all that came back was compared with what was saved; an outage when it differs. */
  restore(wish: RestoreWish): Promise<Restored>;
  /** Saves all that it holds under a ref of the repository it came from, and changes nothing in it. Answers the ref. */
  saveNow(wish: SaveNowWish): Promise<string>;
  /** Keeps a commit outside its workspace, in place of the one before. Answers where: `ref:…` in the source, or `bundle:…`. */
  keep(wish: KeepWish): Promise<string>;
  letGo(place: KeptPlace): Promise<void>;
  /** Ends what a process that is gone left half done there. Answers whether the workspace stands. */
  settle(place: { readonly root: string; readonly place: string }): Promise<boolean>;
  /** Removes clones that were never finished and workspaces that are saved, below one root directory. Their paths. */
  sweep(root: string): Promise<string[]>;
  /** Lets go of what was saved. The commit it was, when there was one; again after a crash it is undefined. */
  forget(wish: ForgetWish): Promise<string | undefined>;
}

// Looking after the database itself: its health, backups, restore, undo. Works with no daemon.

export interface DatabaseHealth {
  readonly kind: "sqlite" | "postgres";
  /** A path, or an address without its password. */
  readonly where: string;
  readonly exists: boolean;
  /** The reason why it cannot be used; null if it can. */
  readonly problem: string | null;
  readonly hint: string | null;
  readonly schema: number | null;
  readonly newestSchema: number;
  /** The version of constel that wrote to it last; null if it was not written down. */
  readonly writtenBy: string | null;
  /** That version is newer than this program. */
  readonly isFromNewer: boolean;
  readonly bytes: number | null;
  /** Says whether the timeline's hash chain holds; null if it could not be read. */
  readonly chain: {
    readonly ok: boolean;
    readonly count: number;
    /** The number of events that were read. A long timeline is read whole only when asked for. */
    readonly checked: number;
    /** Events that were let go of because they were old. */
    readonly pruned: number;
    readonly problem: string | null;
    /** The newest restore of a backup, in words; null when there was none. */
    readonly restored: string | null;
  } | null;
  /** True when every page was looked at. With a large file, that happens only when asked for. */
  readonly checkedWhole: boolean;
  /** The things that were acknowledged and are not in the database, in words: now, and as seen when it was last opened. */
  readonly missing: string | null;
  readonly seenMissing: { readonly what: string; readonly at_ms: number } | null;
  /** Bytes in logs/ that wait to be taken in. */
  readonly backlogBytes: number | null;
}

export interface BackupInfo {
  readonly file: string;
  readonly schema: number;
  readonly made_ms: number;
  readonly bytes: number;
  readonly good: boolean;
}

/** Something that should have ended by now. */
export interface StuckWork {
  /** `workspace 12/repo`, `assignment of task 12 to agent2`, `harvest of task 12`. */
  readonly what: string;
  /** The state between two others that it is in. */
  readonly state: string;
  readonly sinceMs: number | null;
  /** The process that was at it has certainly ended. */
  readonly isAbandoned: boolean;
}

/** A login for people's own SQL on a team's database. */
export interface QueryLogin {
  readonly role: string;
  /** The constellation that it sees; null when it sees all of them. */
  readonly constellation: string | null;
}

export interface StoreKeeping {
  logins(): Promise<readonly QueryLogin[]>;
  /** Makes a login, or gives the one there is another password. The address has the password, and is told this once. */
  makeLogin(constellation: string | null): Promise<QueryLogin & { readonly url: string }>;
  /** False when there was none. */
  dropLogin(constellation: string | null): Promise<boolean>;
  /** Returns the work that is between two states for longer than it may be, or with nobody at it. */
  stuck(): Promise<readonly StuckWork[]>;
  /** `full` reads everything, which takes longer the more there is. */
  health(options?: { readonly full: boolean }): Promise<DatabaseHealth>;
  backups(): Promise<readonly BackupInfo[]>;
  backUp(): Promise<BackupInfo>;
  /** Puts it on the record first. `asOwner` signs with the owner's key; without one, the constellation's is used. */
  restore(
    file: string | undefined,
    asOwner?: (bytes: Uint8Array) => Promise<string>,
  ): Promise<{
    readonly restored: string;
    readonly kept: readonly string[];
    /** The things that were acknowledged after the backup was made, in words; null if none are known. */
    readonly missing: string | null;
    /** The reason why the record of it could not be told outside (audit.anchor_command); null if it was. */
    readonly notPublished: string | null;
  }>;
  /** Begins an empty database although this home had one. */
  begin(): Promise<void>;
  /** Lets this version write although a newer one has written: answers that one; null where nothing stood in the way. */
  letWrite(version: string): Promise<string | null>;
  undo(): Promise<{ readonly from: number; readonly to: number; readonly backup: string | null }>;
  size(): Promise<StoreSize>;
  /** Moves this home's constellation to another database: `postgres://…` or `sqlite:<absolute path>`. The settings still name the old one. */
  move(url: string, step: (words: string) => void): Promise<MovedStore>;
  /** Gives up a move that was begun. */
  cancelMove(url: string): Promise<{ readonly to: string }>;
}

export interface MovedStore {
  readonly constellation: string;
  readonly from: string;
  readonly to: string;
  /** A move that had been begun was gone on with. */
  readonly resumed: boolean;
  readonly events: number;
  readonly head: string | null;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly digest: string }[];
}

export interface StoreSize {
  readonly kind: "sqlite" | "postgres";
  readonly constellation: string;
  /** Of all tables with their indexes. */
  readonly bytes: number;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly bytes: number | null }[];
  /** The kinds of events that take the most; `bytes` of what they say. */
  readonly events: readonly { readonly type: string; readonly count: number; readonly bytes: number }[];
  /** Events of the last day, seven days and thirty days. */
  readonly growth: { readonly day: number; readonly week: number; readonly month: number };
}

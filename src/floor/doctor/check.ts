// Defines what doctor gives each check, and what the check answers.

import type { Jump } from "../../ports/witnessed-time.ts";
import type { Clock, Processes } from "../../ports/machine.ts";
import type { SensingState } from "../../protocol/sensing-state.ts";
import type { NamedCommand } from "../../settings/commands.ts";
import type { DatabaseHealth, StuckWork } from "../../protocol/store-keeping.ts";

export type CheckState = "well" | "note" | "warning" | "broken";

export interface CheckResult {
  /** Stable, for programs: `home.modes`. */
  readonly code: string;
  readonly state: CheckState;
  readonly saw: string;
  /** The meaning of the problem. Empty when there is none. */
  readonly means?: string;
  /** Advice on what to do about it. */
  readonly mend?: string;
  /** Mends it; only for what is safe to mend without asking. Answers what was done. */
  readonly fix?: () => string | Promise<string>;
}

/** A peer as `mesh.peers` tells of it. */
export interface PeerSeen {
  readonly name: string;
  readonly state: string;
  readonly step: string | null;
  readonly evidence: string;
  readonly clock_ahead_ms: number | null;
}

export interface DoctorContext {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Returns the difference between the wall clock and the time that passed. Undefined when there is none. */
  readonly clockJump?: (() => Jump | undefined) | undefined;
  readonly processes: Processes;
  readonly platform: string;
  /** Returns the reason why the settings cannot be read. Undefined when they can. */
  readonly settingsProblem: () => Promise<string | undefined>;
  /** Every command that the settings name; none where they cannot be read. */
  readonly commands: () => Promise<readonly NamedCommand[]>;
  readonly daemonNow: () => Promise<"answers" | "outdated" | "silent" | "out of reach" | "absent">;
  /** Returns the place that the daemon was started from, when that is another installation with another build. */
  readonly daemonIsForeign: () => Promise<string | undefined>;
  /** Lists the things that the running daemon does by itself and cannot do now, each with its reason. */
  readonly daemonProblems: () => Promise<readonly { readonly loop: string; readonly problem: string }[]>;
  /** Says how the daemon hears of changes in repositories. Undefined if it does not look at any. */
  readonly daemonSensing: () => Promise<SensingState | undefined>;
  /** Lists what some comparison was not asked, each with its reason. */
  readonly daemonOpen: () => Promise<readonly string[]>;
  /** Lists the other constellations, as the daemon sees their lines. */
  readonly meshPeers: () => Promise<readonly PeerSeen[]>;
  /** Tells whether some process holds the daemon's lock. */
  readonly daemonLockHeld: () => boolean;
  /** Look at everything, however long it takes. */
  readonly full: boolean;
  readonly database: (full: boolean) => Promise<DatabaseHealth>;
  /** Lists the work that is between two states for longer than it may be. */
  readonly stuck: () => Promise<readonly StuckWork[]>;
  /** Clones that run outside of the sandbox although the settings want them in it. */
  readonly unconfined: () => Promise<readonly string[]>;
  /** Says what is wrong with the ring of keys. Undefined when it is whole, or there are no keys yet. */
  readonly ringProblem: () => Promise<string | undefined>;
  /** Crons that were written into cron.toml by hand and that the owner has not accepted. */
  readonly waitingCrons: () => Promise<readonly string[]>;
  /** Starts the daemon unless it runs: it ends what was left half done. */
  readonly startDaemon: () => Promise<void>;
  readonly freeBytes: (path: string) => number;
  readonly agentPrograms: () => Promise<readonly { readonly name: string; readonly version: string | undefined }[]>;
}

export interface Check {
  readonly code: string;
  readonly look: (context: DoctorContext) => Promise<readonly CheckResult[]>;
}

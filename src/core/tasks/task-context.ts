// Defines what the task verbs that reach the machine are given besides the store.

import type { BackOffs } from "../../ports/back-off.ts";
import type { Forges } from "../../ports/forge.ts";
import type { Grounds } from "../../ports/harvest.ts";
import type { Step, Workspaces } from "../../ports/workspace.ts";
import type { Deliver } from "../../ports/deliver.ts";
import type { Context } from "../context.ts";

export interface TaskMachine {
  readonly workspaces: Workspaces;
  readonly grounds: Grounds;
  readonly forges: Forges;
  /** Tells whether a text has what looks like a secret. */
  readonly hasSecrets: (text: string) => boolean;
  /** Absent while no agents can be given work. */
  readonly deliver: Deliver | undefined;
  /** Reads a brief below the root; refused when it is missing or outside. Answers its path below the root. */
  readonly readBrief: (root: string, path: string) => { path: string; text: string };
  /** Writes a file below the root. */
  readonly writeFile: (root: string, path: string, text: string) => void;
  /** One name per repository, whatever clone of it a path is in; undefined when it is in none. */
  readonly identityOf: (path: string) => Promise<string | undefined>;
  /** The owner's word: nothing lands without a gate. */
  readonly requireGate: boolean;
  /** The owner's word: nothing lands that somebody else has not approved. */
  readonly requireReview: boolean;
  /** The directory for rescues of workspaces whose source is gone. */
  readonly bundles: string;
  /** The holder of leases here: tells this process from others, and later. */
  readonly holder: string;
  /** True only when it is certain that the holder has ended. */
  readonly isGone: (holder: string) => boolean;
  /** Assignments this process is carrying out now, by id, and leases it holds, as `lease NAME`. */
  readonly inHand: Set<string>;
  /** Assignments whose failure could not even be written down, by id: they are tried again later. */
  readonly unended: BackOffs;
  readonly step: Step;
  /** What becomes of a task whose agent stands at a usage limit. Absent: it waits. */
  readonly onLimit?: "wait" | "handover";
  /** Returns where an agent's conversation lies, as its hooks last said. */
  readonly transcriptOf?: (agent: string) => string | undefined;
  /** Returns where this agent's workspaces are, below the root, if not with everybody's: a confined agent sees no other's. */
  readonly ownWorkspaces?: (agent: string) => string | undefined;
}

export interface TaskContext extends Context {
  readonly machine: TaskMachine;
}

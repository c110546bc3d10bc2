// Declares the ports that starting and ending agents needs from the machine. The command line wires the real ones; with no daemon they are
// all there is.

import type { Account } from "../../settings/accounts.ts";
import type { Confinement } from "../../ports/confinement.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import type { ProcessTrees } from "../../ports/process-trees.ts";
import type { Detected, Permissions, Runtime, RuntimeMachine } from "../../ports/runtime.ts";
import type { Terminals } from "../../ports/terminal.ts";

export interface AgentPorts {
  readonly home: string;
  readonly root: string;
  readonly constellation: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly terminals: Terminals;
  readonly tmuxSocket: string;
  readonly trees: ProcessTrees;
  /** `env` is what agents inherit: the caller's, cleaned. */
  readonly machine: RuntimeMachine;
  readonly confinement: Confinement;
  runtimeNamed(name: string): Runtime;
  /** May remember its answer. */
  detect(runtime: Runtime): Promise<Detected>;
  readonly wishes: AgentSettings;
  /** The agent's own key, unless it has one: made before it starts, because inside a sandbox nobody could vouch for it. */
  makeKey(agent: string): void;
  /** Marks a line of JSON as written by constel itself. */
  seal(json: string): string;
  /** Tells whether a file carries the seal. Any process of the account can write a file, and one without the seal is not started again. */
  isGenuine(text: string): boolean;
  /**
   * Tells whether this process may act for the owner, as the ticker does. No agent's process may, because what it starts inherits its
   * programs and libraries.
   */
  mayActForOwner(): boolean;
  /** One caller at a time in this home; refuses when it takes too long to get its turn. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** The owner's settings for agents, and the command line of this program. */
export interface AgentSettings {
  readonly runtime: string;
  /** AGENT_RUNTIME: for root and watchdog. */
  readonly runtimeOfRoot: string | undefined;
  /** `up` starts the root too. */
  readonly root: boolean;
  readonly permissions: Permissions;
  /** Empty: our own. */
  readonly scriptCommand: readonly string[];
  /** The command line that runs constel itself. */
  readonly self: readonly string[];
  /** The mask for files that agents make: the caller's, not ours. */
  readonly umask: number;
  /** Clones are confined, whether or not it is asked for. */
  readonly confined: boolean;
  readonly confinedReads: readonly string[];
  readonly accounts: readonly Account[];
}

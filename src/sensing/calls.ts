// What the daemon and the process that looks at repositories ask of each other: every question with its input and its answer,
// once. Both ends import it, so that a field that is missing on one side does not compile on the other.

import type { LandedContracts, LookedContracts } from "../core/services/contract-outcome.ts";
import type { NameUses } from "../core/services/find-uses.ts";
import type { GeneratedState, RepositoryInterfaces } from "../core/services/repository-interfaces.ts";
import type { Declarations } from "../core/services/service.ts";
import type { Place } from "../core/worktrees/register.ts";
import type { Subject } from "../ports/budget.ts";
import type { GateRun, GateSubject } from "../ports/gate.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import type { FactsWish } from "../protocol/check.ts";
import type { HeldClaim } from "../protocol/claims.ts";
import type { EnclosureWish } from "../protocol/enclosure.ts";
import type { CompilerWish } from "../protocol/compilers.ts";
import type { LookedState } from "../protocol/sensing-state.ts";
import type { GateWish } from "./gate-command.ts";
import type { SetAside } from "./set-aside.ts";
import type { AffectedTests } from "./tests-of.ts";

/** A directory, or one below a root that is walked without following links. */
type Directory = string | { readonly root: string; readonly relative: string };

/** What a process that reads repositories may spend on one question, and what it is not to ask again. */
export interface BudgetStart {
  readonly holdMs: number;
  readonly setAside: readonly SetAside[];
  /** Pairs and contracts are asked about one after the other. */
  readonly isOneByOne: boolean;
}

export interface SensingStart {
  /** Where the private object directories are. */
  readonly directory: Directory;
  /** About how much the private objects of one repository may take. */
  readonly maxBytes: number;
  /** Where what is known of files is kept, and how much. */
  readonly facts: FactsWish | undefined;
  /** Directories that may be watched, over all repositories. */
  readonly watches: number;
  /** Where gates run. */
  readonly gates: Directory;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How gates are confined, where agents are. */
  readonly enclosure?: EnclosureWish;
  /** How often origins are asked; 0: never. */
  readonly fetchEveryMs: number;
  /** Where the owner's compilers work, and what the owner says about them; without, they are not asked. */
  readonly compilers?: CompilerWish & { readonly directory: Directory };
}

export interface WorkerStart extends SensingStart {
  readonly budget: BudgetStart;
}

interface InRepository {
  readonly repository: string;
}

interface AtWorktree extends InRepository {
  readonly worktree: string;
}

export interface ContractQuestion {
  /** From the top of the repository. */
  readonly contracts: readonly string[];
  /** As 2026-11-15: whether an announced end has passed. */
  readonly today: string;
}

/** What the daemon asks of the process. */
export interface SensingCalls {
  start(start: WorkerStart): void;
  locate(input: { readonly path: string }): Place;
  /** `origin`: where it is, from our own record. */
  open(
    input: InRepository & {
      readonly paths: readonly string[];
      readonly gate: GateWish | undefined;
      readonly origin: string | undefined;
    },
  ): void;
  /** Something was pushed to one of the origins. */
  originsMoved(input: Record<never, never>): void;
  leave(input: AtWorktree): void;
  claims(input: InRepository & { readonly claims: readonly HeldClaim[] }): void;
  touch(input: AtWorktree & { readonly files: readonly string[] }): void;
  tests(input: AtWorktree): AffectedTests | undefined;
  declared(input: InRepository): Declarations | undefined;
  contractChanges(input: InRepository & ContractQuestion): LookedContracts | undefined;
  usesOf(input: AtWorktree & { readonly names: readonly string[] }): NameUses | undefined;
  interfacesOf(input: InRepository): RepositoryInterfaces | undefined;
  beganMs(input: AtWorktree): number | undefined;
  generatedIn(input: AtWorktree & { readonly paths: readonly string[] }): GeneratedState | "gone" | undefined;
  namesInGenerated(
    input: AtWorktree & { readonly paths: readonly string[]; readonly names: readonly string[] },
  ): string[] | undefined;
  landedSince(input: InRepository & ContractQuestion & { readonly sinceMs: number }): LandedContracts | undefined;
  drop(input: InRepository): void;
  close(input: Record<never, never>): void;
}

/** A tree that the gate was run on, or may have been. */
export interface GateTree extends InRepository, GateSubject {}

/** What the process asks of the daemon. */
export interface DaemonCalls {
  report(report: RepositoryReport): void;
  gateRun(tree: GateTree): GateRun | undefined;
  gateRan(input: GateTree & { readonly run: GateRun }): void;
  /** How far it has come; told when it is different, a few times a second at most. */
  state(state: LookedState): void;
  /** Something that was set aside was asked for again, or another version of it was read. */
  unchecked(input: { readonly subject: Subject; readonly why: string | undefined }): void;
  log(input: { readonly line: string }): void;
}

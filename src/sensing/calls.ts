// Lists what the daemon and the process that looks at repositories ask of each other: every question with its input and its answer, once.
// Both ends import it, so that a field that is missing on one side does not compile on the other.

import type { LandedContracts, LookedContracts } from "../core/services/contract-outcome.ts";
import type { NameUses } from "../core/services/find-uses.ts";
import type { GeneratedState, RepositoryInterfaces } from "../core/services/repository-interfaces.ts";
import type { Declarations } from "../core/services/service.ts";
import type { Place } from "../core/worktrees/register.ts";
import type { Subject } from "../ports/budget.ts";
import type { OwnSide, PushedSide, SideToTake, TakenSide } from "../ports/sides.ts";
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

/** The budget of a process that reads repositories: what it may spend on one question, and what it is not to ask again. */
export interface BudgetStart {
  readonly holdMs: number;
  readonly setAside: readonly SetAside[];
  /** Pairs and contracts are asked about one after the other. */
  readonly isOneByOne: boolean;
}

export interface SensingStart {
  /** The directory that holds the private object directories. */
  readonly directory: Directory;
  /** About how much the private objects of one repository may take. */
  readonly maxBytes: number;
  /** The place where facts about files are kept, and how much may be kept. */
  readonly facts: FactsWish | undefined;
  /** Directories that may be watched, over all repositories. */
  readonly watches: number;
  /** The directory that gates run in. */
  readonly gates: Directory;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The way gates are confined, where agents are confined. */
  readonly enclosure?: EnclosureWish;
  /** The interval between questions to origins. 0 means never. */
  readonly fetchEveryMs: number;
  /** The directory where the owner's compilers work, and what the owner says about them. If absent, they are not asked. */
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

/** The questions that the daemon asks the process. */
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
  /** The work here that may be shown to other machines. Undefined where the repository is not looked at. */
  ownSides(input: InRepository): readonly OwnSide[] | undefined;
  pushSides(
    input: InRepository & {
      readonly put: readonly { readonly ref: string; readonly commit: string }[];
      readonly remove: readonly string[];
    },
  ): readonly PushedSide[] | undefined;
  /** `content` in base64. */
  bundleSide(
    input: InRepository & Pick<OwnSide, "commit" | "onto">,
  ): { readonly content: string } | { readonly why: string } | undefined;
  takeSides(input: InRepository & { readonly sides: readonly SideToTake[] }): readonly TakenSide[] | undefined;
  drop(input: InRepository): void;
  close(input: Record<never, never>): void;
}

/** A tree that the gate was run on, or may have been. */
export interface GateTree extends InRepository, GateSubject {}

/** The questions that the process asks the daemon. */
export interface DaemonCalls {
  report(report: RepositoryReport): void;
  gateRun(tree: GateTree): GateRun | undefined;
  gateRan(input: GateTree & { readonly run: GateRun }): void;
  /** Tells how far the process has come. Called when that is different, a few times a second at most. */
  state(state: LookedState): void;
  /** Something that was set aside was asked for again, or another version of it was read. */
  unchecked(input: { readonly subject: Subject; readonly why: string | undefined }): void;
  log(input: { readonly line: string }): void;
}

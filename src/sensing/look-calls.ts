// Lists what a command asks of the process that reads repositories for it, and what that asks back. What cannot be sent (a signal, a
// function) is asked for across instead.

import type { CheckReport, CheckRequest } from "../protocol/check.ts";
import type { KnownClaims } from "../protocol/claims.ts";
import type { Contracts } from "../protocol/contract-report.ts";
import type { FirstLook, LookRequest } from "../protocol/try-report.ts";
import type { BudgetStart, DaemonCalls } from "./calls.ts";

/** `knowsClaims`: there is a constellation, and its claims may be asked for. */
type Sent<Request> = Omit<Request, "signal" | "claims" | "told"> & { readonly knowsClaims: boolean };

type ContractInput<Name extends keyof Contracts> = Omit<Parameters<Contracts[Name]>[0], "signal">;
type ContractAnswer<Name extends keyof Contracts> = Awaited<ReturnType<Contracts[Name]>>;

export interface LookCalls {
  budget(start: BudgetStart): void;
  check(request: Sent<CheckRequest>): CheckReport;
  look(request: Sent<LookRequest>): FirstLook;
  contractDiff(request: ContractInput<"diff">): ContractAnswer<"diff">;
  contractList(request: ContractInput<"list">): ContractAnswer<"list">;
  contractHistory(request: ContractInput<"history">): ContractAnswer<"history">;
  contractServices(request: ContractInput<"services">): ContractAnswer<"services">;
  /** Somebody interrupted it: what is under way is taken down. */
  stop(input: Record<never, never>): void;
}

/** The questions that the process asks the command. */
export interface CommandCalls {
  claimsIn(input: { readonly repository: string }): KnownClaims;
  unchecked: DaemonCalls["unchecked"];
  told(input: { readonly what: string; readonly done: number; readonly total: number }): void;
}

// `constel contract diff`, `ls` and `history`: what is asked and what is answered, between the command line and the part of the
// program that reads repositories.

export type ContractVerdict = "breaking" | "dangerous" | "compatible";

export interface ContractRequest {
  readonly cwd: string;
  /** From the caller's environment: PATH and HOME, for git. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** A path, or `<revision>:<path>` from the top of the repository one stands in. */
export interface DiffRequest extends ContractRequest {
  readonly before: string;
  readonly after: string;
  /** As 2026-11-15: whether an announced end of something has passed. */
  readonly today: string;
}

export interface ReportedChange {
  readonly rule: string;
  readonly verdict: ContractVerdict;
  readonly path: string;
  readonly direction: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly text: string;
}

export interface DiffReport {
  readonly format: string;
  readonly verdict: ContractVerdict;
  readonly changes: readonly ReportedChange[];
  /** False when something was not looked at: then silence about it proves nothing. */
  readonly complete: boolean;
  readonly notes: readonly string[];
}

export interface ListedContract {
  readonly path: string;
  readonly format: string;
}

export interface ContractVersion {
  readonly commit: string;
  readonly at_ms: number;
  readonly subject: string;
  /** null for the first version, and where one of the two cannot be judged. */
  readonly verdict: ContractVerdict | null;
  readonly breaking: number;
  /** The reason why it could not be judged. */
  readonly problem: string | null;
}

export interface HistoryRequest extends ContractRequest {
  readonly path: string;
  readonly limit: number;
  readonly today: string;
}

export interface ListedContracts {
  readonly contracts: readonly ListedContract[];
  readonly complete: boolean;
}

/** The questions that commands ask about contracts. Nothing is fetched and nothing is written. `More`: the other fields of a request. */
export interface Contracts<More = unknown> {
  diff(request: DiffRequest & More): Promise<DiffReport>;
  list(request: ContractRequest & More): Promise<ListedContracts>;
  history(request: HistoryRequest & More): Promise<readonly ContractVersion[]>;
  /** Returns what the files of the repository one stands in declare, as they are on disk. */
  services(request: ContractRequest & More): Promise<ScannedServices>;
}

export interface ScannedServices {
  readonly files: readonly string[];
  readonly services: readonly {
    readonly name: string;
    readonly path: string;
    readonly line: number;
    readonly provides: readonly string[];
    /** Services, contracts and APIs, as they are named. */
    readonly consumes: readonly string[];
  }[];
  readonly problems: readonly { readonly path: string; readonly line: number | null; readonly message: string }[];
}

// `constel check --open-prs`: what is asked and what is answered.

import type { Budgeted, CheckRequest } from "./check.ts";
import type { FindingDraft } from "./findings.ts";

export interface OpenPullsRequest extends Pick<CheckRequest, "cwd" | "environment" | "signal">, Budgeted {
  /** The pull request that is asked about. */
  readonly pull: number;
  readonly most: number;
  /** The owner's settings for forges, as they stand in config.toml. */
  readonly hosts: readonly unknown[];
  /** Instead of the forge client's token. Empty: none, as anybody may read. Undefined: the client's, if it has one. */
  readonly token: string | undefined;
  /** Write the one comment of ours, or change it. */
  readonly comment: boolean;
  readonly told: (done: number, total: number) => void;
}

export interface OpenPullsReport {
  readonly pull: { readonly number: number; readonly title: string; readonly base: string };
  readonly compared: number;
  readonly collisions: readonly PullCollision[];
  /** The pull requests that were not compared, or not wholly, and why. */
  readonly open: readonly { readonly number: number; readonly why: string }[];
  readonly commented: boolean;
}

export interface PullCollision {
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly url: string;
  readonly findings: readonly Pick<FindingDraft, "kind" | "severity" | "title">[];
}

// Defines what a step of `session up` is given and what it answers. Each step is idempotent and tolerates what is absent.

import type { Clock, Processes, Random } from "../../ports/machine.ts";
import type { Identity } from "../../protocol/agent-id.ts";
import type { Escalation } from "../escalate/escalate.ts";
import type { LoopResume } from "../markers/loop-resume.ts";

export const stepNames = [
  "identity",
  "time",
  "runtime",
  "fresh-install",
  "notes",
  "readiness",
  "bus",
  "main-ci",
  "doctor",
  "resume",
  "escalation",
  "page",
] as const;
export type StepName = (typeof stepNames)[number];

export interface StepResult {
  readonly step: StepName;
  readonly status: "ok" | "skipped" | "failed";
  /** One line for people and for the agent. */
  readonly line: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The steps that follow are not run: `stop` when there is no more to do, `park` when the agent must wait. */
  readonly next?: "stop" | "park";
}

/** Something the owner should hear of. `delivered` runs once they were told. */
export interface Signal {
  readonly text: string;
  readonly delivered?: () => void;
}

export interface SessionPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly processes: Processes;
  /** The runtime's version line, asked of the runtime itself. Undefined when no runtime is known. */
  readonly runtimeVersion?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Sends an envelope to the agent itself and claims it; throws, or answers what is wrong, when that fails. */
  readonly probeBus?: ((agent: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Lists what is wrong, one line each. Empty when all is well. */
  readonly doctor?: ((signal: AbortSignal) => Promise<readonly string[]>) | undefined;
  /** Takes a loop up again. Safe to call twice for the same loop. */
  readonly armLoop?: ((resume: LoopResume, signal: AbortSignal) => Promise<void>) | undefined;
  readonly page: (
    message: { subject: string; body: string; urgent?: boolean },
    options?: { leaveMarker?: boolean },
  ) => Promise<Pick<Escalation, "told" | "line">>;
}

export interface SessionContext extends SessionPorts {
  readonly home: string;
  readonly root: string;
  readonly constellation: string;
  readonly identity: Identity;
  /** Answers 0 when main is green; its output may name the commit. Undefined means the default, GitHub's `gh`. */
  readonly mainCiCommand: readonly string[] | undefined;
  /** The environment of the programs that are run. */
  readonly env: Readonly<Record<string, string>>;
  /** Gathered by the steps for the page at the end. */
  readonly signals: Signal[];
  /** Work that was begun and not waited for; the runner waits at the end. */
  readonly later: Promise<unknown>[];
}

export type Step = (context: SessionContext) => Promise<StepResult> | StepResult;

export const utcSeconds = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

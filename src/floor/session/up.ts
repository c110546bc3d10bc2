// `constel session up`: twelve steps in order, one line each, as each ends. A step that throws has failed and the next one
// runs: an agent must come up on a machine where half of everything is broken. Nothing here opens the database.

import { messageOf } from "../../protocol/errors.ts";
import { tryAppendRecord } from "../records.ts";
import { busStep, doctorStep, escalationStep, mainCiStep, pageStep, resumeStep } from "./after-ready.ts";
import { freshInstallStep, identityStep, notesStep, readinessStep, runtimeStep, timeStep } from "./before-ready.ts";
import type { SessionContext, Step, StepName, StepResult } from "./step.ts";

const steps: readonly (readonly [StepName, Step])[] = [
  ["identity", identityStep],
  ["time", timeStep],
  ["runtime", runtimeStep],
  ["fresh-install", freshInstallStep],
  ["notes", notesStep],
  ["readiness", readinessStep],
  ["bus", busStep],
  ["main-ci", mainCiStep],
  ["doctor", doctorStep],
  ["resume", resumeStep],
  ["escalation", escalationStep],
  ["page", pageStep],
];

export interface SessionUp {
  /** `onboarded` after a fresh install, `parked` when the agent must not work yet. */
  readonly outcome: "ready" | "onboarded" | "parked";
  readonly steps: readonly StepResult[];
}

export async function sessionUp(
  given: Omit<SessionContext, "signals" | "later">,
  print: (result: StepResult) => void,
): Promise<SessionUp> {
  const context: SessionContext = { ...given, signals: [], later: [] };
  const results: StepResult[] = [];
  let outcome: SessionUp["outcome"] = "ready";
  for (const [name, step] of steps) {
    const result = await runStep(name, step, context);
    results.push(result);
    print(result);
    if (result.next !== undefined) {
      outcome = result.next === "park" ? "parked" : "onboarded";
      break;
    }
  }
  await Promise.allSettled(context.later);
  const summary = results.map(({ step, status, line }) => ({ step, status, line }));
  tryAppendRecord(context, "sessions", { event: "up", agent: context.identity.agent, outcome, steps: summary });
  return { outcome, steps: results };
}

/** Words a step for people. The readiness line stands alone: the watchdog looks for it at the start of a line. */
export function stepLine(result: StepResult): string {
  const line = result.line.replace(/(?<!\s)\s*\n\s*/g, " ");
  if (result.step === "readiness") return line;
  const mark = result.status === "ok" ? "ok     " : result.status === "skipped" ? "skipped" : "FAILED ";
  return `${mark} ${result.step}: ${line}`;
}

async function runStep(name: StepName, step: Step, context: SessionContext): Promise<StepResult> {
  try {
    return await step(context);
  } catch (cause) {
    return { step: name, status: "failed", line: messageOf(cause), data: {} };
  }
}

// A session on a fake machine with real files: everything well, and each port open to be replaced.

import { FakeClock, seededRandom } from "../../ports/fake-clock.ts";
import type { Processes, RunOutcome } from "../../ports/machine.ts";
import { agentIdentity } from "../../protocol/agent-id.ts";
import { temporaryDirectory } from "../floor.suite.ts";
import type { SessionContext } from "./step.ts";
import type { StepResult } from "./step.ts";
import { type SessionUp, sessionUp } from "./up.ts";
import { putNewMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

export type Given = Omit<SessionContext, "signals" | "later">;
export interface Paged {
  subject: string;
  body: string;
  urgent?: boolean;
}

export interface Scene {
  readonly given: Given;
  readonly pages: Paged[];
  readonly clock: FakeClock;
}

export function outcome(over: Partial<Omit<RunOutcome, "stdout">> & { stdout?: string } = {}): RunOutcome {
  const { stdout = "", ...rest } = over;
  const bytes = new TextEncoder().encode(stdout);
  return { code: 0, signal: null, stderr: "", timedOut: false, truncated: false, ...rest, stdout: bytes };
}

export function processesThat(answer: (command: readonly string[]) => RunOutcome): Processes {
  return { run: async (command) => answer(command) };
}

export function scene(agent: string, over: Partial<Given> = {}): Scene {
  const clock = new FakeClock();
  const pages: Paged[] = [];
  const home = temporaryDirectory();
  if (over.home === undefined) putNewMarker(home, markers.onboarded, "");
  const given: Given = {
    home,
    root: temporaryDirectory(),
    constellation: "constel0",
    identity: agentIdentity(agent),
    mainCiCommand: ["main-ci"],
    env: {},
    clock,
    random: seededRandom(),
    processes: processesThat(() => outcome()),
    runtimeVersion: async () => "script 1.0\nmore",
    probeBus: async () => undefined,
    doctor: async () => [],
    armLoop: async () => undefined,
    page: async (message) => {
      pages.push(message);
      return { told: true, line: "told through test" };
    },
    ...over,
  };
  return { given, pages, clock };
}

export async function up({ given }: Scene): Promise<SessionUp & { of(step: string): StepResult | undefined }> {
  const result = await sessionUp(given, () => undefined);
  return { ...result, of: (step) => result.steps.find((one) => one.step === step) };
}

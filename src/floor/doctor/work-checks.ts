// Work that stands between two states, with nobody at it or for longer than it may take. The daemon ends it: every few seconds, and
// first of all when it starts.

import { saysUnconfined } from "../agents/unconfined.ts";
import type { StuckWork } from "../../protocol/store-keeping.ts";
import type { Check, CheckResult, DoctorContext } from "./check.ts";

const lookEveryMs = 500;
const mostLooks = 40;

export const workChecks: readonly Check[] = [
  { code: "work.stuck", look },
  { code: "agents.unconfined", look: lookAtConfinement },
  { code: "schedules.not-accepted", look: lookAtCrons },
  { code: "keys.ring", look: lookAtRing },
];

async function lookAtRing({ ringProblem }: DoctorContext): Promise<CheckResult[]> {
  const problem = await ringProblem();
  if (problem === undefined) return [{ code: "keys.ring", state: "well", saw: "the ring of keys is whole" }];
  return [
    {
      code: "keys.ring",
      state: "broken",
      saw: problem,
      means:
        "Nobody can tell whether a signature is true: signed messages wait, and nothing that constel sealed is believed.",
      mend: "Put keys/ring.jsonl, or all of keys/, back from a backup of the home. Messages that wait are then taken by themselves. Without a backup: move keys/ and state/ring-began away, and constel begins a new ring.",
    },
  ];
}

async function lookAtCrons({ waitingCrons }: DoctorContext): Promise<CheckResult[]> {
  const labels = await waitingCrons();
  if (labels.length === 0) return [];
  return [
    {
      code: "schedules.not-accepted",
      state: "warning",
      saw: `cron.toml has lines that were written by hand and not accepted: ${labels.join(", ")}`,
      means: "Nothing of them fires. Any process of your account can write there, an agent's too.",
      mend: "`constel cron accept` shows them and accepts them; `constel cron remove` takes one out.",
    },
  ];
}

async function lookAtConfinement({ unconfined }: DoctorContext): Promise<CheckResult[]> {
  const agents = await unconfined();
  if (agents.length === 0) return [];
  return [
    {
      code: "agents.unconfined",
      state: "warning",
      saw: saysUnconfined(agents),
      means: "They can read and write whatever your account can.",
      mend: "`constel restart --all` restarts them, each in its sandbox and in the same conversation.",
    },
  ];
}

async function look(context: DoctorContext): Promise<CheckResult[]> {
  const stuck = await context.stuck();
  if (stuck.length === 0) return [{ code: "work.stuck", state: "well", saw: "nothing is left half done" }];
  return [
    {
      code: "work.stuck",
      state: "warning",
      saw: stuck
        .slice(0, 5)
        .map((one) => described(one, context))
        .join("; "),
      means: "It was left half done by a process that ended or by a disk that was full. What was in it is still there.",
      mend: "The daemon ends it within seconds once it can write; `constel doctor --fix` starts it and waits for that.",
      fix: () => end(context),
    },
  ];
}

function described({ what, state, sinceMs, isAbandoned }: StuckWork, { clock }: DoctorContext): string {
  const since = sinceMs === null ? "" : ` for ${Math.max(1, Math.round((clock.nowMs() - sinceMs) / 60_000))} min`;
  return `${what} is ${state}${since}${isAbandoned ? ", and nobody is at it" : ""}`;
}

async function end(context: DoctorContext): Promise<string> {
  await context.startDaemon();
  let left = await context.stuck();
  for (let looks = 0; left.length > 0 && looks < mostLooks; looks += 1) {
    await context.clock.sleep(lookEveryMs);
    left = await context.stuck();
  }
  const [first] = left;
  if (first !== undefined) throw new Error(`${described(first, context)} still; \`constel daemon logs\` says why`);
  return "nothing is left half done";
}

// An agent whose program is driven over a pipe, seen from outside: a holder (doors/hook/hold.ts) runs in its terminal, keeps the pipe, takes
// messages from the push inbox, and leaves the records that hooks of a program would. So the daemon's death ends no turn, and everything
// that knows an agent by its terminal, its process and its records knows this one too.

import { join } from "node:path";
import type {
  Delivery,
  Evidence,
  HookRecord,
  Launch,
  LiveSession,
  OutgoingMessage,
  Prepared,
  Proof,
  Runtime,
  RuntimeMachine,
} from "../../../ports/runtime.ts";
import { isAlive } from "../alive.ts";
import { readHooks } from "../hook-records.ts";
import { judge } from "../judge-status.ts";
import { pushWithProof } from "../push.ts";

/** In a `prompt-submitted` record of the holder: the model has begun to answer. A program's own hook comes before that. */
export const acknowledged = "acknowledged";

/** In the push inbox: a person wants the conversation in the program's own interface. No message reads so, for each carries its mark. */
export const attachOrder = "constel:attach";

/** The launch as the holder reads it. */
export const holdFile = (agent: string): string => join("state", "runtime", agent, "hold.json");

/** The same runtime, which starts and reaches a launch with `drive` over its pipe. */
export function drivable(runtime: Runtime): Runtime {
  const isHeld = ({ launch }: Pick<LiveSession, "launch">): boolean => launch.drive !== undefined;
  return {
    ...runtime,
    drives: "also",
    prepare: (launch, machine) =>
      launch.drive === undefined ? runtime.prepare(launch, machine) : prepareHeld(launch, runtime.name),
    observe: (session, machine) =>
      isHeld(session) ? observeHeld(session, machine) : runtime.observe(session, machine),
    inject: (session, message, machine) =>
      isHeld(session) ? injectHeld(session, message, machine) : runtime.inject(session, message, machine),
    proof: (session, messageId, machine) =>
      isHeld(session) ? Promise.resolve(proveHeld(session, messageId)) : runtime.proof(session, messageId, machine),
    status: (evidence) =>
      evidence.held === true
        ? judge(evidence, { title: () => undefined, screen: () => undefined })
        : runtime.status(evidence),
  };
}

/** What the program itself needs is prepared by the holder, at each of its starts. */
export function prepareHeld(launch: Launch, runtime: string): Promise<Prepared> {
  const self = launch.hookCommand.slice(0, -1);
  return Promise.resolve({
    files: [
      {
        path: holdFile(launch.agent),
        content: `${JSON.stringify({ ...launch, runtime, drive: launch.drive ?? {} })}\n`,
      },
    ],
    argv: [...self, "hold"],
    env: { CONSTEL_AGENT: launch.agent, CONSTEL_HOME: launch.home },
    unset: [],
    notes: [],
  });
}

export async function observeHeld(session: LiveSession, machine: RuntimeMachine): Promise<Evidence> {
  const screen = await session.pane?.capture();
  const nowMs = machine.clock.nowMs();
  const state = /^constel:(idle|busy|waiting)\b/.exec(screen?.title ?? "")?.[1] as
    | "idle"
    | "busy"
    | "waiting"
    | undefined;
  const isDead = screen?.dead === true || (session.pid !== undefined && !isAlive(session.pid));
  return {
    held: true,
    nowMs,
    sinceMs: session.sinceMs,
    process: isDead ? "dead" : session.pid === undefined ? "unknown" : "alive",
    hooks: holdersRecords(session),
    rows: [],
    ...(state === undefined ? {} : { own: { state, says: `its holder says ${state}`, at: nowMs } }),
  };
}

/** With a person at its terminal, or before it has begun, nobody takes a message. */
export async function injectHeld(
  session: LiveSession,
  message: OutgoingMessage,
  machine: RuntimeMachine,
): Promise<Delivery> {
  const { push } = session;
  if (push === undefined || !(await push.attended()))
    return { state: "unknown", way: "pipe", sent: false, reason: "its holder takes no messages now" };
  const sent = await pushWithProof(push, message, machine.clock, () => Promise.resolve(proveHeld(session, message.id)));
  return { ...sent, way: "pipe" };
}

export function proveHeld(session: LiveSession, messageId: string): Proof | undefined {
  const record = holdersRecords(session).find(
    ({ event, reason, messages }) =>
      event === "prompt-submitted" && reason === acknowledged && messages?.includes(messageId) === true,
  );
  return record === undefined ? undefined : { by: "acknowledgement", at: record.at };
}

function holdersRecords({ launch, sinceMs }: LiveSession): readonly HookRecord[] {
  return readHooks(launch.home, launch.agent, sinceMs);
}

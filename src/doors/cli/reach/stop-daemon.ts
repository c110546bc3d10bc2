// Ends the daemon and waits until its process is gone. Asking about the daemon never starts it.

import { join } from "node:path";
import { isSilent, silentDaemon } from "../../../client/no-daemon.ts";
import { NoDaemon, socketCaller } from "../../../client/socket.ts";
import { withDeadline } from "../../../floor/deadline.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import { daemonProof } from "../../../host/keys/daemon-proof.ts";
import { markOf } from "../../../host/process/liveness.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { ProcessMark } from "../../../ports/machine.ts";
import { inHome } from "../../../settings/paths.ts";
import type { CliContext } from "../context.ts";
import { answerMs } from "./daemon-now.ts";
import { daemonPid } from "./daemon-pid.ts";
import { endHolder, homeHolder, isGone, isHeld } from "./home-holder.ts";

const endsWithinMs = 15_000;

/** Its process id; undefined when it does not run. One that says nothing, or that does not end, is killed. */
export async function stopDaemon(context: CliContext): Promise<number | undefined> {
  const known = daemonMark(context);
  let pid: number;
  try {
    ({ pid } = await directCaller(context).call("daemon.stop", {}));
  } catch (cause) {
    if (cause instanceof NoDaemon) return stopHolder(context);
    if (isSilent(cause)) return killDaemon(context, known, cause);
    pid = impostorOf(cause);
    process.kill(pid, "SIGTERM");
  }
  const mark = markOf(pid);
  if (await isGone(context.places.home, mark)) return pid;
  const late = new Refusal(
    "daemon.unreachable",
    "the daemon did not end within 15 s",
    {},
    "Look at `constel daemon logs`.",
  );
  return await killDaemon(context, mark, late);
}

/** Nothing answers in our way. What holds the home all the same, such as a daemon of another build, is told to end. */
export async function stopHolder({ places }: CliContext): Promise<number | undefined> {
  const holder = homeHolder(places.home);
  if (holder === undefined) return undefined;
  await endHolder(places.home, holder);
  return holder.pid;
}

/**
 * Returns the process that sits in the daemon's place without being it, as the kernel names it. It is not asked but told to end. If only
 * the socket for requests is another's, the daemon is told to end, and takes that away.
 */
function impostorOf(cause: unknown): number {
  const { pid, daemon } = cause instanceof Refusal && cause.code === "daemon.impostor" ? cause.facts : {};
  const found = pid ?? daemon;
  if (typeof found !== "number") throw cause;
  return found;
}

/** The same for who must be sure: one that does not answer, or does not end, is killed. True when there was one. */
export async function endDaemon(context: CliContext): Promise<boolean> {
  const known = daemonMark(context); // it takes this down when it begins to end
  try {
    return (await withDeadline(systemClock, endsWithinMs, () => stopDaemon(context))) !== undefined;
  } catch (cause) {
    await killDaemon(context, known, cause);
    return true;
  }
}

/** For who has just found it silent, and does not wait for it once more. */
export async function killSilentDaemon(context: CliContext): Promise<void> {
  await killDaemon(context, daemonMark(context), silentDaemon(context.places.home, answerMs));
}

function daemonMark({ places }: CliContext): ProcessMark | undefined {
  const pid = daemonPid(places.home);
  return pid === undefined ? undefined : markOf(pid);
}

async function killDaemon(context: CliContext, mark: ProcessMark | undefined, because: unknown): Promise<number> {
  // Only a daemon holds its lock; without that, the number may be anybody's.
  if (mark === undefined || !isHeld(context.places.home)) throw because;
  process.kill(mark.pid, "SIGKILL");
  if (await isGone(context.places.home, mark)) return mark.pid;
  throw new Refusal("agents.not-ended", `the daemon is still there after SIGKILL: ${mark.pid}`, { pids: [mark.pid] });
}

/** Straight to the socket: asking about the daemon must not start it. */
export function directCaller(context: CliContext) {
  const { home, agent } = context.places;
  return socketCaller(join(home, inHome.socket), agent ?? "owner", { proof: daemonProof(home) });
}

// The process behind a tmux socket, and its certain end. tmux waits for its control clients to take what it wrote to them before
// it ends itself: one whose reader was killed or stands still never does, and the server stays for ever, without a session and
// turning everybody away. So whoever wants a server gone asks the kernel which process listens, and ends that very one.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../ports/machine.ts";
import { systemCode } from "../../protocol/errors.ts";
import { type ProcessIdentity, systemProcessTable } from "../process/process-table.ts";
import { peerOf } from "../process/socket-peer.ts";

export interface SocketWish {
  /** The name given to `tmux -L`. */
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

const connectMs = 1000;
const lookEveryMs = 5;

export const socketPath = ({ socket, env }: Pick<SocketWish, "socket" | "env">): string =>
  join(env["TMUX_TMPDIR"] ?? "/tmp", `tmux-${process.getuid?.() ?? 0}`, socket);

/** Finds the process that listens there, whether it answers or not. Undefined when nobody does, or it is not tmux. */
export async function serverProcess(wish: SocketWish): Promise<ProcessIdentity | undefined> {
  const path = socketPath(wish);
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return undefined;
  const pid = await listenerOf(path, wish.clock);
  const row = pid === undefined ? undefined : systemProcessTable.row(pid);
  return row === undefined || row.zombie || !/tmux/.test(row.name) ? undefined : { pid: row.pid, started: row.started };
}

/** Waits for it to end by itself, and then ends it. Another process that was given its number is left alone. */
export async function endWithin(process: ProcessIdentity, clock: Clock, graceMs: number): Promise<void> {
  if (await isGoneWithin(process, clock, graceMs)) return;
  kill(process);
  await isGoneWithin(process, clock, graceMs);
}

/** At once; true when there was something to end. */
export function kill({ pid, started }: ProcessIdentity): boolean {
  if (!isThere({ pid, started })) return false;
  try {
    return process.kill(pid, "SIGKILL");
  } catch (cause) {
    if (systemCode(cause) === "ESRCH" || systemCode(cause) === "EPERM") return false;
    throw cause;
  }
}

async function isGoneWithin(process: ProcessIdentity, clock: Clock, withinMs: number): Promise<boolean> {
  const untilMs = clock.monotonicMs() + withinMs;
  while (isThere(process)) {
    if (clock.monotonicMs() >= untilMs) return false;
    await clock.sleep(lookEveryMs);
  }
  return true;
}

function isThere({ pid, started }: ProcessIdentity): boolean {
  const row = systemProcessTable.row(pid);
  return row !== undefined && !row.zombie && row.started === started;
}

/** The kernel notes the process that listens; nothing is read from it or written to it. */
async function listenerOf(path: string, clock: Clock): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const answered = new AbortController();
  void clock.sleep(connectMs, answered.signal).then(() => resolve(undefined));
  const connecting = Bun.connect({
    unix: path,
    socket: {
      open(socket) {
        const peer = peerOf((socket as unknown as { readonly fd: number }).fd);
        resolve(peer === "ended" ? undefined : peer?.pid);
        socket.terminate();
      },
      data() {},
      connectError: () => resolve(undefined),
      error: () => resolve(undefined),
    },
  });
  connecting.catch(() => resolve(undefined));
  try {
    return await promise;
  } finally {
    answered.abort();
  }
}

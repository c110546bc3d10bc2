// Removes the socket that a tmux server leaves behind when it ends. A server that starts at that very moment must not lose its
// own: so the file goes only while we hold the lock that tmux itself takes to start one (`<socket>.lock`, by flock), and only
// when nobody listens behind it. Where there is no `flock` program, the file stays: it costs nothing but looks.

import { lstatSync, unlinkSync } from "node:fs";
import { connect } from "node:net";
import { Outage, systemCode } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";
import { type SocketWish, socketPath } from "./server-process.ts";

/** A server that does not even take the connection in this time is there, and busy. */
const answerMs = 1000;

/** True when it was there, and is gone. */
export async function removeDeadSocket(wish: SocketWish): Promise<boolean> {
  const path = socketPath(wish);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return false;
  return whileNoneStarts(`${path}.lock`, wish.env, async () => {
    if (!(await isRefused(path, wish.clock))) return false;
    remove(path);
    return true;
  });
}

/** A server that has started removes the lock's file: what was locked must be the file that others would find. */
const hold = `exec 9>>"$1" && flock -n 9 && [ "$1" -ef /dev/fd/9 ] && echo held && exec cat`;

/** False at once when somebody has the lock, or it cannot be had on this system. */
async function whileNoneStarts(lock: string, env: SocketWish["env"], work: () => Promise<boolean>): Promise<boolean> {
  const holder = Bun.spawn(["sh", "-c", hold, "sh", lock], {
    env: { ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
  });
  try {
    const { value } = await holder.stdout.getReader().read();
    if (value === undefined) return false;
    const done = await work();
    remove(lock); // as tmux does, while it is held: who waits for it looks again
    return done;
  } finally {
    await holder.stdin.end();
    await holder.exited;
  }
}

async function isRefused(path: string, clock: Clock): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  socket.on("connect", () => resolve(false));
  socket.on("error", (cause) => resolve(systemCode(cause) === "ECONNREFUSED"));
  const answered = new AbortController();
  void clock.sleep(answerMs, answered.signal).then(() => resolve(false));
  try {
    return await promise;
  } finally {
    answered.abort();
    socket.destroy();
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (cause) {
    if (systemCode(cause) !== "ENOENT") throw new Outage("remove", path, cause);
  }
}

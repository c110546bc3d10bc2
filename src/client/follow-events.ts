// Follows the timeline over server-sent events; a broken connection is resumed after the last event seen, also by a daemon
// that was started anew.

import type { z } from "zod";
import type { DaemonProof } from "../ports/daemon-proof.ts";
import type { eventShape } from "../protocol/operations/timeline.ts";
import { systemCode } from "../protocol/errors.ts";
import { fromWire } from "../protocol/wire.ts";
import { Door } from "./door.ts";
import { NoDaemon } from "./no-daemon.ts";

export type TimelineEvent = z.output<typeof eventShape>;

/** The time a daemon may be away, and the wait between two looks. */
const patienceMs = 30_000;
const pauseMs = 100;

/**
 * Without `after`, begins with what happens from now on. Ends when the signal aborts, and fails when the daemon was there
 * and stays away.
 */
export async function* followEvents(
  socketPath: string,
  after: number | undefined,
  signal: AbortSignal,
  proof?: DaemonProof,
): AsyncGenerator<TimelineEvent> {
  const door = new Door(socketPath, proof);
  let cursor = after === undefined ? "now" : String(after);
  let lastHeardMs: number | undefined;
  while (!signal.aborted) {
    try {
      const response = await door.request(`/events?after=${cursor}`, { signal });
      if (!response.ok) throw fromWire(await response.json());
      for await (const message of readStream(response, signal)) {
        cursor = message.id;
        lastHeardMs = performance.now();
        if (message.data !== undefined) yield JSON.parse(message.data) as TimelineEvent;
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (!isBreak(cause)) throw cause;
      if (lastHeardMs === undefined || performance.now() - lastHeardMs > patienceMs) throw cause;
    }
    door.close(); // the next one may be another daemon
    await pause(signal);
  }
}

/** The daemon ended, is not there yet, or was killed in the middle of a line. */
function isBreak(cause: unknown): boolean {
  return cause instanceof NoDaemon || cause instanceof TypeError || systemCode(cause) === "ECONNRESET";
}

async function pause(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, pauseMs);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}

interface Message {
  /** The position of the stream after this message. */
  readonly id: string;
  readonly data: string | undefined;
}

async function* readStream(response: Response, signal: AbortSignal): AsyncGenerator<Message> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let pending = "";
  for await (const chunk of response.body) {
    if (signal.aborted) return;
    pending += decoder.decode(chunk, { stream: true });
    for (let end = pending.indexOf("\n\n"); end !== -1; end = pending.indexOf("\n\n")) {
      const block = pending.slice(0, end);
      pending = pending.slice(end + 2);
      const id = /^id: (.*)$/m.exec(block)?.[1];
      if (id !== undefined) yield { id, data: /^data: (.*)$/m.exec(block)?.[1] };
    }
  }
}

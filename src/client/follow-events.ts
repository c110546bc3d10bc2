// Follows the timeline over server-sent events; a broken connection is resumed after the last event seen.

import type { z } from "zod";
import type { eventShape } from "../protocol/operations/timeline.ts";
import { request } from "./socket.ts";

export type TimelineEvent = z.output<typeof eventShape>;

/** Without `after`, begins with what happens from now on. Ends when the signal aborts or the daemon is gone for good. */
export async function* followEvents(
  socketPath: string,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<TimelineEvent> {
  let cursor = after === undefined ? "now" : String(after);
  while (!signal.aborted) {
    const response = await request(socketPath, `/events?after=${cursor}`, { signal });
    try {
      for await (const event of readStream(response, signal)) {
        cursor = String(event.seq);
        yield event;
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (!(cause instanceof TypeError || (cause as { code?: string }).code === "ECONNRESET")) throw cause;
    }
  }
}

async function* readStream(response: Response, signal: AbortSignal): AsyncGenerator<TimelineEvent> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let pending = "";
  for await (const chunk of response.body) {
    if (signal.aborted) return;
    pending += decoder.decode(chunk, { stream: true });
    for (let end = pending.indexOf("\n\n"); end !== -1; end = pending.indexOf("\n\n")) {
      const data = /^data: (.*)$/m.exec(pending.slice(0, end))?.[1];
      pending = pending.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as TimelineEvent;
    }
  }
}

// The timeline as server-sent events, resumed by id. The stream is pulled: a page is read from the store when the reader
// has taken the one before, so a slow reader costs no memory and a fast one misses nothing.

import { Refusal } from "../../protocol/errors.ts";
import type { Store } from "../../store/open.ts";
import { readEvents } from "../../store/timeline.ts";
import { headSeq } from "./stream-events.sql.ts";

const pageSize = 500;
/** Proxies and readers give up on a silent stream; a comment this often keeps it alive. */
const heartbeatMs = 15_000;

export function streamEvents(
  request: Request,
  url: URL,
  parts: { readonly store: Store; readonly stopping: AbortSignal },
): Response {
  let cursor: number | undefined = startOf(request, url);
  const ended = AbortSignal.any([request.signal, parts.stopping]);
  let arrived = Promise.withResolvers<void>();
  const unsubscribe = parts.store.onCommit(() => arrived.resolve());
  ended.addEventListener("abort", () => {
    unsubscribe();
    arrived.resolve();
  });
  const encoder = new TextEncoder();

  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode("retry: 1000\n: constel timeline\n\n")); // headers leave before the first event
      // A client that began with `now` learns where that was, and can resume there before anything has happened.
      cursor ??= await headSeq(parts.store.db, parts.store.constellation);
      controller.enqueue(encoder.encode(`id: ${cursor}\n\n`));
    },
    async pull(controller) {
      while (!ended.aborted) {
        arrived = Promise.withResolvers<void>();
        const events = await readEvents(parts.store.db, {
          constellation: parts.store.constellation,
          afterSeq: cursor,
          limit: pageSize,
        });
        const last = events.at(-1);
        if (last !== undefined) {
          cursor = last.seq;
          const lines = events.map(
            (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
          );
          controller.enqueue(encoder.encode(lines.join("")));
          return;
        }
        let quiet = false;
        const beat = setTimeout(() => {
          quiet = true;
          arrived.resolve();
        }, heartbeatMs);
        await arrived.promise;
        clearTimeout(beat);
        if (!ended.aborted && quiet) {
          controller.enqueue(encoder.encode(": still here\n\n"));
          return;
        }
      }
      controller.close();
    },
    cancel: unsubscribe,
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-store" } });
}

/** `now` means: only what happens from here on. */
function startOf(request: Request, url: URL): number | undefined {
  const given = request.headers.get("last-event-id") ?? url.searchParams.get("after") ?? "0";
  if (given === "now") return undefined;
  if (!/^\d{1,15}$/.test(given)) {
    throw new Refusal(
      "input.invalid",
      `events are resumed after a sequence number, not ${JSON.stringify(given.slice(0, 50))}`,
    );
  }
  return Number(given);
}

// A stream as server-sent events. Each has the number of its change as id, so that whoever lost the connection says where they were
// (`Last-Event-ID`); while nothing happens a comment shows that the connection lives.

import type { StreamEvent } from "./methods.ts";

interface StreamParts {
  readonly wrapped: (body: object) => object;
  readonly failed: (cause: unknown) => object;
  readonly signal: AbortSignal;
}

export function sse(events: AsyncGenerator<StreamEvent>, { wrapped, failed, signal }: StreamParts): Response {
  const body = new ReadableStream<string>({
    async pull(stream) {
      try {
        const { value, done } = await events.next();
        if (done === true) return void stream.close();
        stream.enqueue(
          value === undefined ? ": alive\n\n" : `id: ${value.seq}\ndata: ${JSON.stringify(wrapped(value.body))}\n\n`,
        );
      } catch (cause) {
        if (!signal.aborted) stream.enqueue(`data: ${JSON.stringify(failed(cause))}\n\n`);
        stream.close();
      }
    },
    async cancel() {
      await events.return(undefined);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

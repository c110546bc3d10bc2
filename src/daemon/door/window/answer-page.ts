// Answers a browser's session: the operation's own answer, with every text as a page may show it, and the place of the timeline before it was read.

import type { Store } from "../../../store/open.ts";
import { seqHeader } from "../../../protocol/window.ts";
import { keepAliveMs, slowHeader } from "../../../protocol/wire.ts";
import { headSeq } from "../stream-events.sql.ts";
import { forPage } from "./for-page.ts";
import { pageHeaders } from "./page.ts";

export async function answerForPage(
  store: Pick<Store, "db" | "constellation">,
  ask: () => Promise<Response>,
): Promise<Response> {
  const seq = await headSeq(store.db, store.constellation);
  const answer = await ask();
  const headers = new Headers({ ...Object.fromEntries(answer.headers), ...pageHeaders, [seqHeader]: String(seq) });
  headers.delete("content-length");
  const body = answer.json().then((value) => JSON.stringify(forPage(value)));
  return new Response(answer.headers.has(slowHeader) ? afterBlanks(body) : await body, {
    status: answer.status,
    headers,
  });
}

/** Signs of life until the answer is there, as those of the slow answer itself. */
function afterBlanks(body: Promise<string>): ReadableStream<string> {
  let beat: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<string>({
    async start(stream) {
      beat = setInterval(() => stream.enqueue(" "), keepAliveMs);
      const text = await body.finally(() => clearInterval(beat));
      stream.enqueue(text);
      stream.close();
    },
    cancel: () => clearInterval(beat),
  });
}

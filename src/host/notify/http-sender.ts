// Posts one HTTP request. See HttpSender in protocol/notify.ts.

import { messageOf, Outage } from "../../protocol/errors.ts";
import type { HttpAsker, HttpRequest, HttpSender } from "../../ports/notify.ts";

export const systemHttp: HttpSender & HttpAsker = { post, ask };

async function post(request: HttpRequest): Promise<{ status: number }> {
  return await posted(request, async (response) => {
    await response.body?.cancel();
    return { status: response.status };
  });
}

const longestAnswer = 1024 * 1024;

async function ask(request: HttpRequest): Promise<{ status: number; body: string }> {
  return await posted(request, async (response) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > longestAnswer) throw new Error("its answer is over 1 MiB");
      pieces.push(piece);
    }
    return { status: response.status, body: Buffer.concat(pieces).toString("utf8") };
  });
}

async function posted<T>(request: HttpRequest, read: (response: Response) => Promise<T>): Promise<T> {
  // Only the host: paths and queries of hooks hold their secrets.
  const target = new URL(request.url).host;
  try {
    const response = await fetch(request.url, {
      method: "POST",
      headers: { ...request.headers },
      body: request.body,
      redirect: "manual",
      signal: AbortSignal.timeout(request.deadlineMs),
    });
    return await read(response);
  } catch (cause) {
    throw new Outage("post to", target, plainly(cause, request.url, target), { mayRetry: true });
  }
}

/** Some of the runtime's messages name the whole address, and some give advice to programmers. */
function plainly(cause: unknown, url: string, target: string): Error {
  const { pathname, search } = new URL(url);
  const secret = pathname === "/" ? search : pathname + search;
  const said = messageOf(cause).replaceAll(url, target);
  const hidden = secret === "" ? said : said.replaceAll(secret, "");
  return new Error(hidden.replace(/\.? For more information, pass .*$/s, ""), { cause });
}

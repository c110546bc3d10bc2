// Posts one HTTP request. See HttpSender in protocol/notify.ts.

import { Outage } from "../../protocol/errors.ts";
import type { HttpRequest, HttpSender } from "../../ports/notify.ts";

export const systemHttp: HttpSender = { post };

async function post(request: HttpRequest): Promise<{ status: number }> {
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
    await response.body?.cancel();
    return { status: response.status };
  } catch (cause) {
    throw new Outage("post to", target, cause, { mayRetry: true });
  }
}

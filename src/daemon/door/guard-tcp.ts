// Guards the TCP surfaces: any web page and any program of any user on this machine can reach the one on loopback, and whoever is in the network
// the served one. So every request must name our own address (no DNS rebinding), come from no foreign page, carry a token, be small, and not come
// in floods.

import type { Asker } from "../../protocol/authority.ts";
import { Refusal } from "../../protocol/errors.ts";
import { Bounded } from "../../ports/bounded.ts";
import type { Clock } from "../../ports/machine.ts";
import { statusOf, toWire } from "../../protocol/wire.ts";

export interface GuardParts {
  readonly addresses: Addresses;
  /** Says where a request comes from, so that no stranger uses up what others may ask. */
  readonly from?: (request: Request) => string;
  /** Returns the holder of this token. Undefined if there is none, or no longer. */
  readonly holderOf: (token: string) => Promise<Asker | undefined>;
  readonly maxBodyBytes: number;
  readonly requestsPerMinute: number;
  readonly clock: Clock;
  /** Answers what is for anybody, with a token or without. Undefined when the request is for something else. */
  readonly answerAnybody?: (request: Request) => Promise<Response | undefined>;
  /** Answers a failure in the words of whoever asked. Undefined: in ours. */
  readonly answerFailure?: (request: Request, cause: unknown) => Response | undefined;
  /** Answers what needs no token: the page that asks for one. Undefined when the request is for something else. */
  readonly answerStranger?: (request: Request) => Promise<Response | undefined>;
}

/** What a request may name as the address that it wants, and as the page that it is from. */
export interface Addresses {
  isHost(host: string): boolean;
  isOrigin(origin: string, host: string): boolean;
}

export function guardTcp(
  fetch: (request: Request, asker: Asker) => Promise<Response>,
  parts: GuardParts,
): (request: Request) => Promise<Response> {
  // Apart, so that a stranger who knocks without end cannot use up what the owner's own programs may ask.
  const buckets = new Bounded<Bucket>(mostBuckets);
  const take = (whose: string): void => {
    const bucket = buckets.get(whose) ?? makeBucket(parts);
    buckets.set(whose, bucket);
    bucket.take();
  };
  return async (request) => {
    try {
      checkHost(request, parts.addresses);
      checkOrigin(request, parts.addresses);
      const place = parts.from?.(request) ?? "";
      const open = await parts.answerAnybody?.(request);
      if (open !== undefined) {
        take(`page ${place}`);
        return open;
      }
      if (parts.answerStranger !== undefined && !request.headers.has("authorization")) {
        take(`page ${place}`);
        const answer = await parts.answerStranger(await bounded(request, parts.maxBodyBytes));
        if (answer !== undefined) return answer;
      }
      const asker = await whoHas(request, parts);
      take(asker === undefined ? `stranger ${place}` : `holder ${asker.role} ${asker.name}`);
      if (asker === undefined)
        throw new Refusal("http.unauthorised", "the token is missing, wrong, revoked or expired");
      return await fetch(await bounded(request, parts.maxBodyBytes), asker);
    } catch (cause) {
      const told = parts.answerFailure?.(request, cause);
      if (told !== undefined) return told;
      const headers = cause instanceof Refusal && cause.code === "http.too-many" ? { "retry-after": "1" } : undefined;
      return Response.json(toWire(cause), { status: statusOf(cause), ...(headers === undefined ? {} : { headers }) });
    }
  };
}

const loopbackNames = ["127.0.0.1", "localhost", "[::1]"];

export const loopbackAddresses = (port: () => number): Addresses => ({
  isHost: (host) => loopbackNames.some((name) => host === `${name}:${port()}`),
  isOrigin: (origin) => loopbackNames.some((name) => origin === `http://${name}:${port()}`),
});

function checkHost(request: Request, { isHost }: Addresses): void {
  const host = request.headers.get("host") ?? "";
  if (!isHost(host)) {
    throw new Refusal("http.foreign-host", `this is not ${JSON.stringify(host.slice(0, 100))}`, {
      host: host.slice(0, 100),
    });
  }
}

function checkOrigin(request: Request, { isOrigin }: Addresses): void {
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const isOwn = origin === null || isOrigin(origin, request.headers.get("host") ?? "");
  if (!isOwn || site === "cross-site" || site === "same-site") {
    throw new Refusal("http.foreign-origin", `pages of ${origin ?? "another site"} may not call constel`, { origin });
  }
}

/** Tokens are found by their hash, so how long it takes tells nothing of them. */
async function whoHas(request: Request, { holderOf }: GuardParts): Promise<Asker | undefined> {
  const given = /^Bearer (\S{8,200})$/.exec(request.headers.get("authorization") ?? "")?.[1];
  return given === undefined ? undefined : await holderOf(given);
}

/** A body that says it is too large is refused unread; one that says nothing is read only up to the limit. */
async function bounded(request: Request, maxBytes: number): Promise<Request> {
  if (request.body === null) return request;
  const tooLarge = (): Refusal => new Refusal("http.too-large", `a body may have ${maxBytes} bytes`, { maxBytes });
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: Buffer.concat(chunks),
    signal: request.signal,
  });
}

/** The ones asked last; whoever comes from more places than this begins anew. */
const mostBuckets = 2_000;

interface Bucket {
  take(): void;
}

/** A bucket that refills evenly over a minute. */
function makeBucket(parts: GuardParts): Bucket {
  const perMs = parts.requestsPerMinute / 60_000;
  const most = Math.max(1, parts.requestsPerMinute / 10);
  let left = most;
  let lastMs = parts.clock.monotonicMs();
  return {
    take() {
      const nowMs = parts.clock.monotonicMs();
      left = Math.min(most, left + (nowMs - lastMs) * perMs);
      lastMs = nowMs;
      if (left < 1) throw new Refusal("http.too-many", "too many requests in a short time");
      left -= 1;
    },
  };
}

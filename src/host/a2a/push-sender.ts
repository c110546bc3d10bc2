// Tells an address of a change: one request to the address that its name was looked up as, no redirect followed, and signed, so that whoever
// takes it can tell that it is ours. `X-Constel-Signature` is a detached JWS over the body, by a key that our card names.

import { lookup } from "node:dns/promises";
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP } from "node:net";
import type { PushAddress, PushOutcome, PushSender } from "../../ports/a2a.ts";
import type { Clock } from "../../ports/machine.ts";
import { messageOf } from "../../protocol/errors.ts";
import { cardKeys } from "./card-keys.ts";
import { signDetached } from "./jws.ts";
import { complaintAboutPush, isAllowed, isPublic } from "./push-address.ts";

const deadlineMs = 10_000;

export interface PushSenderParts {
  readonly home: string;
  readonly clock: Clock;
  readonly allowed: readonly string[];
  /** For tests: how names are looked up. */
  readonly look?: (host: string) => Promise<readonly string[]>;
}

export function makePushSender({ home, clock, allowed, look = lookUp }: PushSenderParts): PushSender {
  return {
    async send(push, body): Promise<PushOutcome> {
      const complaint = complaintAboutPush(push, allowed);
      if (complaint !== undefined) return { kind: "refused", why: complaint };
      const url = new URL(push.url);
      try {
        const host = url.hostname.replace(/^\[|\]$/g, "");
        const addresses = isIP(host) === 0 ? await look(host) : [host];
        const address = addresses[0];
        if (address === undefined) return { kind: "away", why: `${host} has no address` };
        if (!isAllowed(url, allowed) && !addresses.every(isPublic))
          return {
            kind: "refused",
            why: `${host} is ${addresses.find((one) => !isPublic(one))}, which is not a public address`,
          };
        return judged(await post(url, address, headersOf(push, body, signedBy(home, clock, body)), body));
      } catch (cause) {
        return { kind: "away", why: messageOf(cause).slice(0, 200) };
      }
    },
  };
}

const lookUp = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

function signedBy(home: string, clock: Clock, body: string): string | undefined {
  const [key] = cardKeys(home, clock);
  return key === undefined ? undefined : signDetached(key, Buffer.from(body));
}

function headersOf(
  { token, scheme, credentials }: PushAddress,
  body: string,
  signature: string | undefined,
): Record<string, string> {
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "a2a-version": "1.0",
    ...(token === null ? {} : { "x-a2a-notification-token": token }),
    ...(scheme === null ? {} : { authorization: credentials === null ? scheme : `${scheme} ${credentials}` }),
    ...(signature === undefined ? {} : { "x-constel-signature": signature }),
  };
}

/** Answers with the status. What comes back is not read: nothing of it is of use here. */
function post(url: URL, address: string, headers: Record<string, string>, body: string): Promise<number> {
  const isSecure = url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const request = (isSecure ? overHttps : overHttp)(
    {
      host: address,
      port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method: "POST",
      headers: { ...headers, host: url.host },
      agent: false,
      timeout: deadlineMs,
      signal: AbortSignal.timeout(deadlineMs),
      ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
    },
    (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    },
  );
  request.on("error", reject);
  request.end(body);
  return promise;
}

function judged(status: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: "taken" };
  if (status >= 300 && status < 400) return { kind: "refused", why: `it answers ${status}: no redirect is followed` };
  if (status === 408 || status === 429 || status >= 500) return { kind: "away", why: `it answers ${status}` };
  return { kind: "refused", why: `it answers ${status}` };
}

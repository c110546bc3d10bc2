// Tells an address of a change: one request to the address that its name was looked up as, no redirect followed, and signed, so that whoever
// takes it can tell that it is ours. `X-Constel-Signature` is a detached JWS over the body, by a key that our card names.

import type { PushAddress, PushOutcome, PushSender } from "../../ports/a2a.ts";
import type { Clock } from "../../ports/machine.ts";
import { messageOf } from "../../protocol/errors.ts";
import { cardKeys } from "./card-keys.ts";
import { addressesOf, exchange, type LookUp, lookUp } from "./exchange.ts";
import { signDetached } from "./jws.ts";
import { complaintAboutPush, isAllowed, isPublic } from "./push-address.ts";

const deadlineMs = 10_000;

export interface PushSenderParts {
  readonly home: string;
  readonly clock: Clock;
  readonly allowed: readonly string[];
  /** For tests: how names are looked up. */
  readonly look?: LookUp;
}

export function makePushSender({ home, clock, allowed, look = lookUp }: PushSenderParts): PushSender {
  return {
    async send(push, body): Promise<PushOutcome> {
      const complaint = complaintAboutPush(push, allowed);
      if (complaint !== undefined) return { kind: "refused", why: complaint };
      const url = new URL(push.url);
      try {
        const addresses = await addressesOf(url, look);
        const address = addresses[0];
        if (address === undefined) return { kind: "away", why: `${url.hostname} has no address` };
        if (!isAllowed(url, allowed) && !addresses.every(isPublic))
          return {
            kind: "refused",
            why: `${url.hostname} is ${addresses.find((one) => !isPublic(one))}, which is not a public address`,
          };
        const headers = headersOf(push, signedBy(home, clock, body));
        // What comes back is not read: nothing of it is of use here.
        const { status } = await exchange({ url, address, method: "POST", headers, body, deadlineMs, mostBytes: 0 });
        return judged(status);
      } catch (cause) {
        return { kind: "away", why: messageOf(cause).slice(0, 200) };
      }
    },
  };
}

function signedBy(home: string, clock: Clock, body: string): string | undefined {
  const [key] = cardKeys(home, clock);
  return key === undefined ? undefined : signDetached(key, Buffer.from(body));
}

function headersOf({ token, scheme, credentials }: PushAddress, signature: string | undefined): Record<string, string> {
  return {
    "content-type": "application/json",
    "a2a-version": "1.0",
    ...(token === null ? {} : { "x-a2a-notification-token": token }),
    ...(scheme === null ? {} : { authorization: credentials === null ? scheme : `${scheme} ${credentials}` }),
    ...(signature === undefined ? {} : { "x-constel-signature": signature }),
  };
}

function judged(status: number): PushOutcome {
  if (status >= 200 && status < 300) return { kind: "taken" };
  if (status >= 300 && status < 400) return { kind: "refused", why: `it answers ${status}: no redirect is followed` };
  if (status === 408 || status === 429 || status >= 500) return { kind: "away", why: `it answers ${status}` };
  return { kind: "refused", why: `it answers ${status}` };
}

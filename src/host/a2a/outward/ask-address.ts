// Asks an address of somebody else's over HTTP. The origins that the owner named may be anywhere, and plain http is taken of them where they
// are not on the internet; everything else that a card names follows the rules for pushes (push-address.ts): https and public, or allowed.

import { messageOf, Outage, Refusal } from "../../../protocol/errors.ts";
import { addressesOf, exchange, type Exchanged, type LookUp, lookUp } from "../exchange.ts";
import { complaintAboutPush, isAllowed, isPublic } from "../push-address.ts";

export interface OutwardRules {
  /** `https://host:port`, as the owner typed or set it. */
  readonly named: readonly string[];
  /** The setting `a2a.push_allow`. */
  readonly allowed: readonly string[];
  /** For tests: how names are looked up. */
  readonly look?: LookUp | undefined;
}

export interface AddressWish {
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadlineMs?: number;
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

const usualDeadlineMs = 20_000;

export async function askAddress(address: string, wish: AddressWish, rules: OutwardRules): Promise<Exchanged> {
  const url = readAddress(address);
  const isNamed = rules.named.includes(url.origin);
  if (!isNamed) {
    const complaint = complaintAboutPush({ url: address, token: null, scheme: null, credentials: null }, rules.allowed);
    if (complaint !== undefined) throw refused(url, complaint);
  }
  try {
    const addresses = await addressesOf(url, rules.look ?? lookUp);
    const to = addresses[0];
    if (to === undefined) throw new Error("its name has no address");
    const inner = addresses.find((one) => !isPublic(one));
    if (!isNamed && !isAllowed(url, rules.allowed) && inner !== undefined)
      throw refused(url, `it is at ${inner}, which is not a public address, and you did not name it yourself`);
    if (url.protocol === "http:" && !isAllowed(url, rules.allowed) && addresses.some(isPublic))
      throw refused(url, "nothing is sent over the internet in clear: name its https address");
    const { deadlineMs = usualDeadlineMs, headers = {}, ...rest } = wish;
    const answer = await exchange({ ...rest, url, address: to, headers, deadlineMs });
    if (answer.status >= 300 && answer.status < 400)
      throw new Refusal("a2a.their-answer", `${url.host} answers ${answer.status}: no redirect is followed`, {
        status: answer.status,
      });
    return answer;
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Outage("ask", url.host, new Error(messageOf(cause).slice(0, 300), { cause }), { mayRetry: true });
  }
}

// oxlint-disable-next-line no-control-regex -- these are what must not be there
const acts = /[\u0000-\u0020\u007f]/;

export function readAddress(text: string): URL {
  const url = acts.test(text) ? null : URL.parse(text);
  const no = (why: string): Refusal => new Refusal("a2a.address", `${JSON.stringify(text.slice(0, 200))} ${why}`, {});
  if (url === null) throw no("is not an address");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw no("is not an address of http or https");
  if (url.username !== "" || url.password !== "") throw no("has a user in it: a token is given beside the address");
  return url;
}

const refused = (url: URL, why: string): Refusal =>
  new Refusal("a2a.address", `${url.host} is not asked: ${why}`, { host: url.host });

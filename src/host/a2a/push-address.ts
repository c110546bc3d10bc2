// Decides which addresses may be told anything. What an outside agent names is looked up once, and it is the looked-up address that is then
// connected to: a name that changes in between leads nowhere else.

import ipaddr from "ipaddr.js";
import type { PushAddress } from "../../ports/a2a.ts";

// oxlint-disable-next-line no-control-regex -- these are what must not be there
const acts = /[\u0000-\u0020\u007f]/;

/** By its words alone. */
export function complaintAboutPush(
  { url, token, scheme, credentials }: PushAddress,
  allowed: readonly string[],
): string | undefined {
  if (acts.test(url)) return "the address has a blank or a control character in it";
  // oxlint-disable-next-line no-control-regex -- these are what must not be there
  if ([token, scheme, credentials].some((word) => word !== null && /[^\u0020-\u007e]/.test(word)))
    return "a token or credential has a character that no header may have";
  if (scheme !== null && !/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,60}$/.test(scheme)) return "the scheme is not a word";
  const parsed = URL.parse(url);
  if (parsed === null) return `${JSON.stringify(url.slice(0, 100))} is not an address`;
  if (parsed.username !== "" || parsed.password !== "") return "the address has a user in it";
  if (isAllowed(parsed, allowed)) return /^https?:$/.test(parsed.protocol) ? undefined : "only https is told";
  if (parsed.protocol !== "https:") return "only https addresses are told anything";
  const host = bare(parsed.hostname);
  if (ipaddr.isValid(host) && !isPublic(host)) return `${host} is not a public address`;
  if (/(^|\.)(localhost|local|internal|home\.arpa)$/.test(host)) return `${host} is not a public name`;
  return undefined;
}

const bare = (host: string): string =>
  host
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();

/** The owner named this host, with its port where that is not the usual one. */
export function isAllowed({ hostname, host, port }: URL, allowed: readonly string[]): boolean {
  return allowed.some((one) => (port === "" ? one === hostname : one === host) || (port === "443" && one === hostname));
}

/** An address of the internet at large. What is not known to be one is none. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const read = ipaddr.process(address);
  return read.range() === "unicast";
}

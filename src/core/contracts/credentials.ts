// Compares who may use a contract: the alternatives that are accepted, and how each scheme works. Anyone who could get in with certain
// credentials must still get in with the same. OpenAPI and AsyncAPI share it.

import { field, fieldsOf, isRecord, sameValue, textOf } from "./json-value.ts";
import { rule, type Rule } from "./rule.ts";

/** The letters are b breaking, d dangerous, c compatible; the second is for what the provider calls, where nobody need change. */
export const securityRules = {
  "security-added": rule("bc", "Credentials are now needed: {after}"),
  "security-removed": rule("cc", "Credentials are no longer needed"),
  "security-alternative-added": rule("cc", "One may now also authenticate with {after}"),
  "security-alternative-removed": rule("bc", "One may no longer authenticate with {before}"),
  "security-alternative-extended": rule("bc", "Authenticating with {before} is no longer enough: {after} is needed"),
  "security-scope-added": rule("bc", "The scope {after} is now needed with {name}"),
  "security-scope-removed": rule("cc", "The scope {before} is no longer needed with {name}"),
  "security-scheme-changed": rule("bc", "Authenticating with {name} works otherwise: {after} instead of {before}"),
  "security-scheme-url-changed": rule("dc", "Authenticating with {name} uses {after} instead of {before}"),
  "security-flow-added": rule("cc", "{name} now has the flow {after}"),
  "security-flow-removed": rule("bc", "{name} no longer has the flow {before}"),
  "security-flow-scope-added": rule("cc", "{name} now offers the scope {after}"),
  "security-flow-scope-removed": rule("bc", "{name} no longer offers the scope {before}"),
} satisfies Record<string, Rule>;

export type SecurityRuleName = keyof typeof securityRules;

export interface ToldSecurity {
  readonly name?: string;
  readonly before?: string | null;
  readonly after?: string | null;
}

export type TellSecurity = (rule: SecurityRuleName, told: ToldSecurity) => void;

/** Schemes that are all needed, each with its scopes. None: no credentials. */
export type Credentials = ReadonlyMap<string, ReadonlySet<string>>;

export function compareCredentials(
  before: readonly Credentials[],
  after: readonly Credentials[],
  tell: TellSecurity,
): void {
  const [were, are] = [orNone(before), orNone(after)];
  for (const was of were) if (!are.some((is) => isEnough(was, is))) tellLost(tell, was, are);
  for (const is of are) {
    if (were.some((was) => isEnough(was, is))) tellFewer(tell, were, is);
    else if (!were.some((was) => sameSchemes(was, is) || was.size === 0))
      tell("security-alternative-added", { after: shown(is) });
  }
}

function orNone(list: readonly Credentials[]): readonly Credentials[] {
  return list.length === 0 ? [new Map()] : list;
}

/** Tells whether credentials for one alternative also satisfy another. */
function isEnough(has: Credentials, needs: Credentials): boolean {
  return [...needs].every(([name, scopes]) => {
    const held = has.get(name);
    return held !== undefined && [...scopes].every((scope) => held.has(scope));
  });
}

function sameSchemes(one: Credentials, other: Credentials): boolean {
  return one.size === other.size && [...one.keys()].every((name) => other.has(name));
}

function tellLost(tell: TellSecurity, was: Credentials, are: readonly Credentials[]): void {
  if (was.size === 0) return tell("security-added", { after: are.map(shown).join(", or ") });
  const same = are.find((is) => sameSchemes(was, is));
  if (same !== undefined) {
    for (const [name, scopes] of same) {
      for (const scope of [...scopes].filter((one) => was.get(name)?.has(one) !== true)) {
        tell("security-scope-added", { name, after: scope });
      }
    }
    return;
  }
  const larger = are.find((is) => [...was.keys()].every((name) => is.has(name)));
  if (larger === undefined) tell("security-alternative-removed", { before: shown(was) });
  else tell("security-alternative-extended", { before: shown(was), after: shown(larger) });
}

/** Reports that less would do now. The credentials that were enough before still are. */
function tellFewer(tell: TellSecurity, were: readonly Credentials[], is: Credentials): void {
  if (were.some((was) => isEnough(is, was))) return;
  if (is.size === 0) return tell("security-removed", { before: were.map(shown).join(", or ") });
  const same = were.find((was) => sameSchemes(was, is));
  if (same === undefined) return tell("security-alternative-added", { after: shown(is) });
  for (const [name, scopes] of same) {
    for (const scope of [...scopes].filter((one) => is.get(name)?.has(one) !== true)) {
      tell("security-scope-removed", { name, before: scope });
    }
  }
}

function shown(one: Credentials): string {
  if (one.size === 0) return "no credentials";
  const parts = [...one].map(([name, scopes]) => (scopes.size === 0 ? name : `${name} (${[...scopes].join(", ")})`));
  return parts.join(" with ");
}

export function sameScheme(one: unknown, other: unknown): boolean {
  const parts = ["type", "in", "name", "scheme", "flows", "openIdConnectUrl"];
  return parts.every((part) => sameValue(field(one, part), field(other, part)));
}

export function compareScheme(name: string, was: unknown, is: unknown, tell: TellSecurity): void {
  const [before, after] = [manner(was), manner(is)];
  if (before !== after) return tell("security-scheme-changed", { name, before, after });
  compareUrl(name, textOf(was, "openIdConnectUrl"), textOf(is, "openIdConnectUrl"), tell);
  compareFlows(name, fieldsOf(was, "flows"), fieldsOf(is, "flows"), tell);
}

function manner(scheme: unknown): string {
  const type = textOf(scheme, "type") ?? "unknown";
  const [name, place] = [textOf(scheme, "name"), textOf(scheme, "in")];
  // The names of headers are the same in capital letters.
  const key = place === "header" ? name?.toLowerCase() : name;
  if (/apikey/i.test(type)) return key === undefined ? `the key as ${place}` : `the key ${key} in the ${place}`;
  // The look of a bearer token is only a hint.
  return type === "http" ? `HTTP ${(textOf(scheme, "scheme") ?? "").toLowerCase()}` : type;
}

function compareUrl(name: string, was: string | undefined, is: string | undefined, tell: TellSecurity): void {
  if (was !== is) tell("security-scheme-url-changed", { name, before: was ?? null, after: is ?? null });
}

type Flows = Readonly<Record<string, unknown>>;

function compareFlows(name: string, before: Flows, after: Flows, tell: TellSecurity): void {
  const described = (flows: Flows): string[] => Object.keys(flows).filter((flow) => !flow.startsWith("x-"));
  for (const flow of described(before)) {
    const [was, is] = [field(before, flow), field(after, flow)];
    if (!isRecord(is)) {
      tell("security-flow-removed", { name, before: flow });
      continue;
    }
    for (const url of ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"]) {
      compareUrl(name, textOf(was, url), textOf(is, url), tell);
    }
    const [scopes, offered] = [scopesOf(was), scopesOf(is)];
    for (const scope of scopes.filter((one) => !offered.includes(one)))
      tell("security-flow-scope-removed", { name, before: scope });
    for (const scope of offered.filter((one) => !scopes.includes(one)))
      tell("security-flow-scope-added", { name, after: scope });
  }
  for (const flow of described(after).filter((one) => !Object.hasOwn(before, one)))
    tell("security-flow-added", { name, after: flow });
}

/** AsyncAPI 3 calls them availableScopes. */
function scopesOf(flow: unknown): string[] {
  return Object.keys({ ...fieldsOf(flow, "scopes"), ...fieldsOf(flow, "availableScopes") });
}

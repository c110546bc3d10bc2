// Compares the credentials that operations need. Schemes are told apart by how they work: one that only got another name is the same.

import {
  compareCredentials,
  compareScheme,
  type Credentials,
  sameScheme,
  type SecurityRuleName,
  type TellSecurity,
} from "../credentials.ts";
import { fieldsOf, isRecord, listOf, textsOf } from "../json-value.ts";
import { type OpenApiComparing, type OpenApiSide, report } from "./comparing.ts";

export function compareSecurity(comparing: OpenApiComparing, path: string, before: unknown, after: unknown): void {
  const renamed = renamedSchemes(comparing.before, comparing.after);
  const are = credentialsIn(after).map(
    (one) => new Map([...one].map(([name, scopes]) => [renamed.get(name) ?? name, scopes])),
  );
  compareCredentials(credentialsIn(before), are, tellAt(comparing, path));
}

/** Compares how the schemes work that somebody needs. */
export function compareSchemes(comparing: OpenApiComparing, used: ReadonlySet<string>): void {
  const [were, are] = [schemesOf(comparing.before), schemesOf(comparing.after)];
  for (const name of used) {
    const [was, is] = [were.get(name), are.get(name)];
    if (was !== undefined && is !== undefined)
      compareScheme(name, was, is, tellAt(comparing, `security scheme ${name}`));
  }
}

/** The names in security requirements. */
export function schemesIn(security: unknown): string[] {
  return listOf(security).flatMap((one) => Object.keys(fieldsOf(one)));
}

function tellAt(comparing: OpenApiComparing, path: string): TellSecurity {
  return (rule: SecurityRuleName, told) => {
    report(comparing, rule, false, { ...told, path, names: told.name === undefined ? [] : [told.name] });
  };
}

function credentialsIn(security: unknown): Credentials[] {
  return listOf(security)
    .filter(isRecord)
    .map((one) => new Map(Object.keys(one).map((name) => [name, new Set(textsOf(one, name))])));
}

function schemesOf({ root, shapes }: OpenApiSide): ReadonlyMap<string, unknown> {
  const schemes = fieldsOf(root["components"], "securitySchemes");
  return new Map(Object.entries(schemes).map(([name, scheme]) => [name, shapes.follow(scheme)]));
}

/** New names to old ones. */
function renamedSchemes(before: OpenApiSide, after: OpenApiSide): Map<string, string> {
  const [were, are] = [schemesOf(before), schemesOf(after)];
  const renamed = new Map<string, string>();
  for (const [name, scheme] of are) {
    if (were.has(name)) continue;
    for (const [old, was] of were) if (!are.has(old) && sameScheme(was, scheme)) renamed.set(name, old);
  }
  return renamed;
}

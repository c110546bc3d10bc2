// The servers of an AsyncAPI document: where they are, what they speak, and whom they let in.

import { compareCredentials, compareScheme, type Credentials } from "../credentials.ts";
import { withoutSlashes } from "../without-slashes.ts";
import { field, fieldsOf, isRecord, listOf, textOf, textsOf } from "../json-value.ts";
import { compareBindings } from "./bindings.ts";
import { type AsyncApiComparing, report, tellAt } from "./comparing.ts";
import type { Model, Node } from "./model.ts";

export function compareServers(comparing: AsyncApiComparing): void {
  const [were, are] = [serversOf(comparing.before), serversOf(comparing.after)];
  const gone: [string, Node][] = [];
  const found = new Set<Node>();
  for (const [name, was] of were) {
    const is = are.get(name) ?? [...are.values()].find((other) => addressOf(other) === addressOf(was));
    if (is === undefined) gone.push([name, was]);
    else {
      found.add(is);
      compareServer(comparing, name, was, is);
    }
  }
  if (gone.length > 0 && gone.length === were.size && are.size > 0) {
    const shown = (servers: Iterable<Node>): string => [...servers].map(addressOf).join(", ");
    const told = { path: "servers", before: shown(were.values()), after: shown(are.values()), names: [...were.keys()] };
    return report(comparing, "servers-replaced", told);
  }
  for (const [name, was] of gone)
    report(comparing, "server-removed", { path: `server ${name}`, name, before: addressOf(was) });
  for (const [name, is] of are) {
    if (!found.has(is)) report(comparing, "server-added", { path: `server ${name}`, name, after: addressOf(is) });
  }
}

export function serversOf({ root, shapes }: Model): Map<string, Node> {
  const entries = Object.entries(fieldsOf(root, "servers"));
  return new Map(entries.map(([name, reference]) => [name, fieldsOf(shapes.follow(reference))]));
}

/** Version 2 has a URL, version 3 a host and a path; a protocol in front of it is said once more in its own field. */
function addressOf(server: Node): string {
  const url = textOf(server, "url") ?? `${textOf(server, "host") ?? ""}${textOf(server, "pathname") ?? ""}`;
  return withoutSlashes(url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, ""));
}

function compareServer(comparing: AsyncApiComparing, name: string, was: Node, is: Node): void {
  const path = `server ${name}`;
  const told = { path, name };
  const [wasAddress, isAddress] = [addressOf(was), addressOf(is)];
  if (wasAddress !== isAddress)
    report(comparing, "server-address-changed", { ...told, before: wasAddress, after: isAddress });
  const [wasProtocol, isProtocol] = [textOf(was, "protocol"), textOf(is, "protocol")];
  if (wasProtocol !== isProtocol) {
    report(comparing, "server-protocol-changed", { ...told, before: wasProtocol ?? null, after: isProtocol ?? null });
  }
  const [wasVersion, isVersion] = [field(was, "protocolVersion"), field(is, "protocolVersion")];
  if (String(wasVersion) !== String(isVersion)) {
    const change = { ...told, before: String(wasVersion ?? "unknown"), after: String(isVersion ?? "unknown") };
    report(comparing, "server-protocol-version-changed", change);
  }
  compareVariables(comparing, path, fieldsOf(was, "variables"), fieldsOf(is, "variables"));
  compareSecurity(comparing, path, field(was, "security"), field(is, "security"));
  compareBindings(comparing, path, null, field(was, "bindings"), field(is, "bindings"));
}

function compareVariables(comparing: AsyncApiComparing, path: string, before: Node, after: Node): void {
  for (const name of Object.keys(before).filter((key) => Object.hasOwn(after, key))) {
    const was = comparing.before.shapes.follow(field(before, name));
    const is = comparing.after.shapes.follow(field(after, name));
    const [values, others] = [textsOf(was, "enum"), textsOf(is, "enum")];
    const told = { path: `${path} variable ${name}`, name };
    const lost =
      others.length === 0
        ? []
        : values.length === 0
          ? ["any other value"]
          : values.filter((one) => !others.includes(one));
    const gained =
      values.length === 0
        ? []
        : others.length === 0
          ? ["any other value"]
          : others.filter((one) => !values.includes(one));
    for (const value of lost) report(comparing, "server-variable-value-removed", { ...told, before: value });
    for (const value of gained) report(comparing, "server-variable-value-added", { ...told, after: value });
    const [wasDefault, isDefault] = [textOf(was, "default"), textOf(is, "default")];
    if (wasDefault !== isDefault) {
      const change = { ...told, before: wasDefault ?? null, after: isDefault ?? null };
      report(comparing, "server-variable-default-changed", change);
    }
  }
}

interface Scheme {
  readonly name: string;
  readonly node: unknown;
}

/** Of a server or an operation. */
export function compareSecurity(comparing: AsyncApiComparing, path: string, before: unknown, after: unknown): void {
  const [were, are] = [credentialsIn(comparing.before, before), credentialsIn(comparing.after, after)];
  compareCredentials(were.credentials, are.credentials, tellAt(comparing, path));
  for (const { name, node } of were.schemes) {
    const same = are.schemes.find((scheme) => scheme.name === name);
    if (same !== undefined) compareScheme(name, node, same.node, tellAt(comparing, `security scheme ${name}`));
  }
}

/** Version 2 names schemes with their scopes; version 3 refers to them, and the scopes stand in the scheme. */
function credentialsIn(model: Model, security: unknown): { credentials: Credentials[]; schemes: Scheme[] } {
  const credentials: Credentials[] = [];
  const schemes: Scheme[] = [];
  const declared = fieldsOf(model.root["components"], "securitySchemes");
  const nameOf = (node: unknown): string | undefined =>
    Object.keys(declared).find((name) => model.shapes.follow(field(declared, name)) === node);
  for (const one of listOf(security)) {
    const node = model.shapes.follow(one);
    if (!isRecord(node)) continue;
    if (typeof node["type"] === "string") {
      const name = nameOf(node) ?? node["type"];
      credentials.push(new Map([[name, new Set(textsOf(node, "scopes"))]]));
      schemes.push({ name, node });
    } else {
      credentials.push(new Map(Object.keys(node).map((name) => [name, new Set(textsOf(node, name))])));
      for (const name of Object.keys(node)) schemes.push({ name, node: model.shapes.follow(field(declared, name)) });
    }
  }
  return { credentials, schemes };
}

// Compares the addresses where an API is served. Clients hold one of these addresses, so losing all of them breaks every client.

import { withoutSlashes } from "../without-slashes.ts";
import { field, fieldsOf, isRecord, listOf, textOf, textsOf } from "../json-value.ts";
import { type OpenApiComparing, report } from "./comparing.ts";

export function compareServers(comparing: OpenApiComparing, path: string, before: unknown, after: unknown): void {
  const [were, are] = [serversOf(before), serversOf(after)];
  const gone = [...were.keys()].filter((url) => !are.has(url));
  const added = [...are.keys()].filter((url) => !were.has(url));
  for (const [url, was] of were) {
    const is = are.get(url);
    if (is !== undefined)
      compareVariables(comparing, `${path} ${url}`, fieldsOf(was, "variables"), fieldsOf(is, "variables"));
  }
  // A document that names no server is served from wherever it was found: nothing was promised that could be lost.
  if (were.size > 0 && gone.length === were.size && are.size > 0) {
    const told = { path, before: gone.join(", "), after: added.join(", "), names: gone };
    return report(comparing, "servers-replaced", false, told);
  }
  for (const url of gone) report(comparing, "server-removed", false, { path, before: url, names: [url] });
  for (const url of added) report(comparing, "server-added", false, { path, after: url });
}

function serversOf(servers: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const server of listOf(servers)) {
    const url = textOf(server, "url");
    if (isRecord(server) && url !== undefined && url !== "/") found.set(withoutSlashes(url), server);
  }
  return found;
}

type Variables = Readonly<Record<string, unknown>>;

function compareVariables(comparing: OpenApiComparing, path: string, before: Variables, after: Variables): void {
  for (const name of Object.keys(before)) {
    const [was, is] = [field(before, name), field(after, name)];
    const told = { path: `${path} variable ${name}`, name, names: [name] };
    const [values, others] = [textsOf(was, "enum"), textsOf(is, "enum")];
    if (others.length > 0) {
      const lost = values.length === 0 ? ["any other value"] : values.filter((value) => !others.includes(value));
      for (const value of lost) report(comparing, "server-variable-value-removed", false, { ...told, before: value });
    }
    if (values.length > 0) {
      const gained = others.length === 0 ? ["any other value"] : others.filter((value) => !values.includes(value));
      for (const value of gained) report(comparing, "server-variable-value-added", false, { ...told, after: value });
    }
    const [wasDefault, isDefault] = [textOf(was, "default"), textOf(is, "default")];
    if (wasDefault !== isDefault) {
      const change = { ...told, before: wasDefault ?? null, after: isDefault ?? null };
      report(comparing, "server-variable-default-changed", false, change);
    }
  }
}

// Files in `state/` whose name and presence are a signal. The body is for people: nothing decides by it, except the few
// markers that hold a value, and those treat a body they cannot read as no value.

import { Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { appendTrusted, listTrusted, readTrusted, removeTrusted, writeTrusted } from "../../files/trusted-files.ts";

const pathOf = (name: string): string => `${inHome.state}/${name}`;

/** `sync: false` is for what a tick only remembers: after a loss of power it is learnt anew. */
export function putMarker(home: string, name: string, body: string, options: { readonly sync?: boolean } = {}): void {
  writeTrusted(home, pathOf(name), body.endsWith("\n") ? body : `${body}\n`, options);
}

/** True when this call made it; false when it was there before. Of two callers at once, one gets true. */
export function putNewMarker(home: string, name: string, body: string): boolean {
  using state = TrustedDirectory.open(home, inHome.state, { create: true });
  try {
    state.writeNew(name, body.endsWith("\n") ? body : `${body}\n`);
  } catch (cause) {
    if (cause instanceof Outage && systemCode(cause.cause) === "EEXIST") return false;
    throw cause;
  }
  state.sync();
  return true;
}

/** For when nothing else can be written: a name without a body, not synced. False when not even that can be made. */
export function putEmptyMarker(home: string, name: string): boolean {
  try {
    using state = TrustedDirectory.open(home, inHome.state);
    state.writeNew(name, "", { sync: false });
    return true;
  } catch (cause) {
    if (cause instanceof Outage || cause instanceof Refusal) return false;
    throw cause;
  }
}

export function hasMarker(home: string, name: string): boolean {
  return markerMtimeMs(home, name) !== undefined;
}

export function readMarker(home: string, name: string): string | undefined {
  return readTrusted(home, pathOf(name))?.toString("utf8");
}

/** All of these go. True when any was there. */
export function removeMarker(home: string, ...names: readonly string[]): boolean {
  return names.map((name) => removeTrusted(home, pathOf(name))).some((was) => was);
}

export function appendMarker(home: string, name: string, line: string): void {
  appendTrusted(home, pathOf(name), `${line}\n`, { sync: true });
}

/** Names in `state/` that begin so, sorted. */
export function markersNamed(home: string, prefix: string): string[] {
  return listTrusted(home, inHome.state).filter((name) => name.startsWith(prefix));
}

/** Returns the time when the file was last written, by the machine's clock. Undefined when there is none. */
export function markerMtimeMs(home: string, name: string): number | undefined {
  try {
    using state = TrustedDirectory.open(home, inHome.state);
    return state.stat(name)?.mtimeMs;
  } catch (cause) {
    if (cause instanceof Outage && systemCode(cause.cause) === "ENOENT") return undefined;
    throw cause;
  }
}

type Values = Readonly<Record<string, unknown>>;

/** A marker's body as an object, for the few that hold values; undefined when it is absent or damaged. */
export function readMarkerValues(home: string, name: string): Values | undefined {
  const body = readMarker(home, name);
  return body === undefined ? undefined : valuesIn(body);
}

/** The values of all markers that begin so, by the rest of their names: one walk for a hundred agents. */
export function allMarkerValues(home: string, prefix: string): ReadonlyMap<string, Values> {
  const found = new Map<string, Values>();
  const names = markersNamed(home, prefix);
  if (names.length === 0) return found;
  using state = TrustedDirectory.open(home, inHome.state);
  for (const name of names) {
    const values = valuesIn(state.read(name)?.toString("utf8") ?? "");
    if (values !== undefined) found.set(name.slice(prefix.length), values);
  }
  return found;
}

function valuesIn(body: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

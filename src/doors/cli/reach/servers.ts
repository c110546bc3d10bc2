// The servers that the owner of this home logged in to, one file each with the token, readable by nobody else: `state/servers/<name>.json`.

import { listTrusted, readTrusted, removeTrusted, writeTrusted } from "../../../files/trusted-files.ts";
import { type RemotePlace, remoteDaemon } from "../../../client/remote.ts";
import { Refusal } from "../../../protocol/errors.ts";
import { inHome } from "../../../settings/paths.ts";
import { closest } from "../input/closest.ts";
import type { CliContext } from "../context.ts";
import { whoRuns } from "../who-runs.ts";

export interface KnownServer extends RemotePlace {
  readonly name: string;
  readonly token: string;
  /** As the server said at the login. */
  readonly constellation: string;
  readonly role: string;
  readonly holder: string;
}

export const isServerName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name);

export const serverNames = (home: string): string[] =>
  listTrusted(home, inHome.servers).flatMap((file) => (file.endsWith(".json") ? [file.slice(0, -5)] : []));

export function readServer(home: string, name: string): KnownServer | undefined {
  const text = isServerName(name) ? readTrusted(home, fileOf(name))?.toString() : undefined;
  try {
    return text === undefined ? undefined : { ...(JSON.parse(text) as KnownServer), name };
  } catch {
    return undefined;
  }
}

export function writeServer(home: string, server: KnownServer): void {
  writeTrusted(home, fileOf(server.name), `${JSON.stringify(server, null, 2)}\n`);
}

export const removeServer = (home: string, name: string): boolean =>
  isServerName(name) && removeTrusted(home, fileOf(name));

const fileOf = (name: string): string => `${inHome.servers}/${name}.json`;

interface ReachedServer extends ReturnType<typeof remoteDaemon> {
  readonly known: KnownServer;
}

export function reachServer(context: CliContext, name: string): ReachedServer {
  const { home } = context.places;
  const asker = whoRuns(context.places);
  if (asker.role !== "owner")
    throw new Refusal("server.not-for-agents", `${asker.name} cannot ask ${name}: its token is the owner's`, { name });
  const known = readServer(home, name);
  if (known !== undefined) return { ...remoteDaemon(known, known.token), known };
  const guess = closest(name, serverNames(home));
  const hint = guess === undefined ? undefined : `Did you mean ${guess}?`;
  throw new Refusal("server.unknown", `no server ${name} is known here`, { name }, hint);
}

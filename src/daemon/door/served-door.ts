// The served door: the same API for people on other machines, over TLS, or in plain behind a proxy on this machine. A token says who asks; none is
// an agent's, and nobody acts as somebody else.

import { statSync } from "node:fs";
import { systemClock } from "../../host/clock/system-clock.ts";
import { readIdentity } from "../../host/tls/identity.ts";
import type { Asker } from "../../protocol/authority.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { OutputOf } from "../../protocol/operation.ts";
import type { operations } from "../../protocol/operations/all.ts";
import { isLoopback, listenPlace } from "../../settings/listen-place.ts";
import type { Settings } from "../../settings/settings.ts";
import { behindTcp } from "./behind-tcp.ts";
import type { Addresses } from "./guard-tcp.ts";
import { endServer, type Fetch, listen, type Server } from "./socket-door.ts";
import type { OurCard } from "../a2a/our-card.ts";
import type { WindowParts } from "./window/window-door.ts";

type ServedStatus = Pick<OutputOf<(typeof operations)["daemon.status"]>, "serves" | "serves_problem">;

export interface ServedDoor {
  readonly status: ServedStatus;
  close(): Promise<void>;
  /** Settles when the certificate or the key is another file than the one that is shown; never, where it is not. */
  readonly renewed: Promise<void>;
}

/** The interval between looks at the files of the certificate. */
const certificateLookMs = 30_000;

export const servesNobody: ServedDoor = {
  status: { serves: null, serves_problem: null },
  close: async () => {},
  renewed: new Promise(() => {}),
};

/** Opens the door if the settings say so. A door that cannot be opened is told of; everything else goes on without it. */
export function openServedDoor(parts: ServedParts, log: (line: string) => void): ServedDoor {
  const { config } = parts.settings;
  if (config["serve.listen"] === "") return servesNobody;
  const ended = new AbortController();
  const renewed = untilRenewed([config["serve.certificate"], config["serve.key"]], ended.signal);
  try {
    const { server, serves } = serveOthers(parts);
    log(`serving others at ${serves?.address}`);
    const close = async (): Promise<void> => (ended.abort(), endServer(server));
    return { status: { serves, serves_problem: null }, close, renewed };
  } catch (cause) {
    const problem = whyNotServed(cause);
    log(`others are not served: ${problem}`);
    return { status: { serves: null, serves_problem: problem }, close: async () => ended.abort(), renewed };
  }
}

async function untilRenewed(files: readonly string[], signal: AbortSignal): Promise<void> {
  const look = (): string =>
    files
      .map((file) => statSync(file, { throwIfNoEntry: false }))
      .map((one) => `${one?.ino} ${one?.mtimeMs} ${one?.size}`)
      .join();
  const before = attemptLook(look);
  while (!signal.aborted) {
    await systemClock.sleep(certificateLookMs, signal);
    if (!signal.aborted && attemptLook(look) !== before) return;
  }
  await new Promise(() => {});
}

/** A directory that cannot be entered now is as if nothing were there. */
function attemptLook(look: () => string): string {
  try {
    return look();
  } catch {
    return "";
  }
}

interface ServedParts {
  readonly settings: Settings;
  readonly fetch: Fetch;
  readonly window: WindowParts;
  readonly a2aCard?: OurCard | undefined;
}

function serveOthers({ settings, fetch, window, a2aCard }: ServedParts): {
  server: Server;
  serves: ServedStatus["serves"];
} {
  const { config } = settings;
  const { host, port } = listenPlace(config["serve.listen"]);
  const identity =
    config["serve.certificate"] === "" ? undefined : readIdentity(config["serve.certificate"], config["serve.key"]);
  if (identity === undefined && !isLoopback(host))
    throw new Refusal(
      "serve.needs-certificate",
      `${host} can be reached from other machines, and there is no certificate`,
    );
  const names = config["serve.names"].length > 0 ? config["serve.names"] : (identity?.names ?? []);
  if (names.length === 0) throw new Refusal("serve.no-names", "nothing says by which names others reach this daemon");
  const server: Server = listen(`${host}:${port}`, () =>
    Bun.serve({
      hostname: host,
      port,
      idleTimeout: 60,
      maxRequestBodySize: config["http.max_body_bytes"] * 2,
      ...(identity === undefined ? {} : { tls: { cert: identity.certificate, key: identity.key } }),
      fetch: (request) => guarded(request),
      error: () => new Response(null, { status: 500 }),
    } as Bun.Serve.Options<undefined>),
  );
  const guarded = behindTcp({
    settings,
    fetch,
    window,
    a2aCard,
    addresses: servedAddresses(names, identity !== undefined),
    from: (request) => networkOf(server.requestIP(request)?.address ?? ""),
    mayBeSilent: (request) => server.timeout(request, 0),
    asWhom: asThemselves,
  });
  const scheme = identity === undefined ? "http" : "https";
  const shown = names.find((name) => !name.startsWith("*")) ?? host;
  const serves = {
    address: `${scheme}://${shown.includes(":") ? `[${shown}]` : shown}:${server.port}`,
    fingerprint: identity?.fingerprint ?? null,
    names: [...names],
    until_ms: identity?.untilMs ?? null,
  };
  return { server, serves };
}

/** By name, whatever the port: a proxy or a forwarded port shows another one than ours. */
export function servedAddresses(names: readonly string[], isSecured: boolean): Addresses {
  const isNamed = (name: string): boolean =>
    names.some((one) => {
      if (!one.startsWith("*.")) return one.toLowerCase() === name;
      const [first = "", ...rest] = name.split(".");
      return first !== "" && rest.join(".") === one.slice(2).toLowerCase();
    });
  return {
    isHost(host) {
      const [, name] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host) ?? [];
      return name !== undefined && isNamed(name.toLowerCase().replace(/^\[|\]$/g, ""));
    },
    // In plain a proxy stands in front, and browsers know only that one's scheme.
    isOrigin: (origin, host) => origin === `https://${host}` || (!isSecured && origin === `http://${host}`),
  };
}

/** Whoever has an IPv6 address has 2^64 of them. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/i, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const before = head.split(":").filter((group) => group !== "");
  const after = tail?.split(":").filter((group) => group !== "") ?? [];
  const groups = [...before, ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0"), ...after];
  return groups.slice(0, 4).join(":");
}

function asThemselves(asker: Asker, named: string | null): Asker {
  if (named === null || named === asker.name) return asker;
  throw new Refusal("identity.another", `${asker.name} cannot act as ${named.slice(0, 80)}`);
}

function whyNotServed(cause: unknown): string {
  if (cause instanceof Refusal) return `${cause.message}. ${cause.hint}`;
  if (cause instanceof Outage) return cause.message;
  throw cause;
}

// The loopback TCP surface: for the dashboard, MCP and the API over HTTP. guard-tcp.ts says who gets in, behind-tcp.ts what stands behind it; this
// file opens the port.

import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { type Asker, askerNamed } from "../../protocol/authority.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";
import type { Settings } from "../../settings/settings.ts";
import { behindTcp } from "./behind-tcp.ts";
import { loopbackAddresses } from "./guard-tcp.ts";
import { type Fetch, listen, type Server } from "./socket-door.ts";
import type { OurCard } from "../a2a/our-card.ts";
import type { WindowParts } from "./window/window-door.ts";

export interface TcpParts {
  readonly settings: Settings;
  readonly fetch: Fetch;
  readonly window: WindowParts;
  readonly a2aCard?: OurCard | undefined;
  readonly log: (line: string) => void;
}

export function openTcpDoor({ settings, fetch, window, a2aCard, log }: TcpParts): Server {
  const server = listenOnLoopback(settings, log, (request) => guarded(request));
  const guarded = behindTcp({
    settings,
    fetch,
    window,
    a2aCard,
    addresses: loopbackAddresses(() => server.port ?? 0),
    mayBeSilent: (request) => server.timeout(request, 0),
    asWhom: actingAs,
  });
  return server;
}

/**
 * The port of the daemon before it is taken again where any will do: open pages and tools know it. The usual port may be another
 * constellation's, and then any other will do; a port that the owner named is that one or none.
 */
function listenOnLoopback(
  { config, origins, home }: Settings,
  log: (line: string) => void,
  answer: (request: Request) => Promise<Response>,
): Server {
  const start = (port: number): Server =>
    Bun.serve({
      hostname: "127.0.0.1",
      port,
      // Anybody on this machine may connect here and say nothing.
      idleTimeout: 60,
      // Up to twice the limit the guard answers, in words; past that Bun hangs up by itself.
      maxRequestBodySize: config["http.max_body_bytes"] * 2,
      fetch: answer,
    });
  const wanted = config["http.port"];
  const server = listen(`127.0.0.1:${wanted}`, () => {
    if (wanted !== 0 && origins["http.port"] !== "default") return start(wanted);
    for (const port of new Set([lastPort(home), wanted])) {
      try {
        if (port !== 0) return start(port);
      } catch {
        log(`port ${port} is taken; another one is used`);
      }
    }
    return start(0);
  });
  rememberPort(home, server.port ?? 0, log);
  return server;
}

/** 0 when there was none. */
function lastPort(home: string): number {
  const port = Number(readTrusted(home, inHome.httpPort)?.toString() ?? "0");
  return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : 0;
}

function rememberPort(home: string, port: number, log: (line: string) => void): void {
  try {
    writeTrusted(home, inHome.httpPort, `${port}\n`);
  } catch (cause) {
    log(`the port could not be remembered: ${messageOf(cause)}`);
  }
}

/** The owner may act as an agent; nobody else is anybody else. */
function actingAs(asker: Asker, named: string | null): Asker {
  if (named === null || named === asker.name) return asker;
  if (asker.role !== "owner")
    throw new Refusal("identity.another", `${asker.name} cannot act as ${named.slice(0, 80)}`);
  return { ...asker, ...askerNamed(named) };
}

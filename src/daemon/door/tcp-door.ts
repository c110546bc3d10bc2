// The loopback TCP surface: for the dashboard, MCP and the API over HTTP. guard-tcp.ts says who gets in; this file opens the port, and says what
// stands behind it.

import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { holderOf, knownBy } from "../../core/tokens/tokens.ts";
import { type Asker, askerNamed, refuseUnlessAllowed } from "../../protocol/authority.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { operations } from "../../protocol/operations/all.ts";
import { actorHeader } from "../../protocol/wire.ts";
import { inHome } from "../../settings/paths.ts";
import type { Settings } from "../../settings/settings.ts";
import { guardTcp } from "./guard-tcp.ts";
import { type Fetch, listen, type Server } from "./socket-door.ts";
import { answerForPage } from "./window/answer-page.ts";
import { answerStranger, answerStream, type WindowParts } from "./window/window-door.ts";

export interface TcpParts {
  readonly settings: Settings;
  readonly fetch: Fetch;
  readonly window: WindowParts;
  readonly log: (line: string) => void;
}

export function openTcpDoor({ settings, fetch, window, log }: TcpParts): Server {
  const { config } = settings;
  const server = listenOnLoopback(settings, log, (request) => guarded(request));
  const admitted = async (request: Request, asker: Asker): Promise<Response> => {
    const stream = answerStream(request, asker, window);
    if (stream !== undefined) {
      server.timeout(request, 0); // it may be silent for longer than somebody who only connects
      return stream;
    }
    const { pathname } = new URL(request.url);
    // Following the timeline is reading it.
    const refusal = pathname === "/events" ? refuseUnlessAllowed(asker, operations["timeline.list"]) : undefined;
    if (refusal !== undefined) throw refusal;
    const ask = (): Promise<Response> => fetch(request, ({ headers }) => actingAs(asker, headers.get(actorHeader)));
    const isOfPage = asker.known === knownBy.browser && pathname.startsWith("/op/");
    return isOfPage ? await answerForPage(window.store, ask) : await ask();
  };
  const guarded = guardTcp(admitted, {
    port: () => server.port ?? 0,
    holderOf: (token) => holderOf(window.context, token),
    maxBodyBytes: config["http.max_body_bytes"],
    requestsPerMinute: config["http.requests_per_minute"],
    clock: systemClock,
    answerStranger: (request) => answerStranger(request, window),
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

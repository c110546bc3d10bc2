// What stands behind a TCP door, on loopback or served: the window, its stream, the operations, MCP, the timeline. guard-tcp.ts says who gets in.

import { holderOf, knownBy } from "../../core/tokens/tokens.ts";
import { systemClock } from "../../host/clock/system-clock.ts";
import { type Asker, refuseUnlessAllowed } from "../../protocol/authority.ts";
import { operations } from "../../protocol/operations/all.ts";
import { type WhoAmI, whoAmIPath } from "../../protocol/served.ts";
import { actorHeader } from "../../protocol/wire.ts";
import type { Settings } from "../../settings/settings.ts";
import { type Addresses, guardTcp } from "./guard-tcp.ts";
import type { Fetch } from "./socket-door.ts";
import { answerForPage } from "./window/answer-page.ts";
import { answerStranger, answerStream, type WindowParts } from "./window/window-door.ts";

export interface BehindTcpParts {
  readonly settings: Settings;
  readonly fetch: Fetch;
  readonly window: WindowParts;
  readonly addresses: Addresses;
  readonly from?: (request: Request) => string;
  /** A stream may be silent for longer than somebody who only connects. */
  readonly mayBeSilent: (request: Request) => void;
  /** Returns who the holder of a token is when they name somebody, or refuses. */
  readonly asWhom: (holder: Asker, named: string | null) => Asker;
}

export function behindTcp(parts: BehindTcpParts): (request: Request) => Promise<Response> {
  const { settings, fetch, window } = parts;
  const { config } = settings;
  return guardTcp(admitted, {
    addresses: parts.addresses,
    ...(parts.from === undefined ? {} : { from: parts.from }),
    holderOf: (token) => holderOf(window.context, token),
    maxBodyBytes: config["http.max_body_bytes"],
    requestsPerMinute: config["http.requests_per_minute"],
    clock: systemClock,
    answerStranger: (request) => answerStranger(request, window),
  });

  async function admitted(request: Request, asker: Asker): Promise<Response> {
    const stream = answerStream(request, asker, window);
    if (stream !== undefined) {
      parts.mayBeSilent(request);
      return stream;
    }
    const { pathname } = new URL(request.url);
    if (pathname === whoAmIPath) return Response.json(whoAmI(asker));
    // Following the timeline is reading it.
    const refusal = pathname === "/events" ? refuseUnlessAllowed(asker, operations["timeline.list"]) : undefined;
    if (refusal !== undefined) throw refusal;
    if (pathname === "/events") parts.mayBeSilent(request);
    const ask = (): Promise<Response> => fetch(request, ({ headers }) => parts.asWhom(asker, headers.get(actorHeader)));
    const isOfPage = asker.known === knownBy.browser && pathname.startsWith("/op/");
    return isOfPage ? await answerForPage(window.store, ask) : await ask();
  }

  function whoAmI({ role, name, scope }: Asker): WhoAmI {
    const { constellation } = window.store;
    return { constellation, version: window.version, role, name, scope: scope ?? null, root: settings.root };
  }
}

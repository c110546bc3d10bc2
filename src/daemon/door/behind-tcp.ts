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
import { answerCard } from "../a2a/answer-card.ts";
import type { OurCard } from "../a2a/our-card.ts";
import { httpFailure } from "../../doors/a2a/errors.ts";
import { Refusal } from "../../protocol/errors.ts";
import { a2aPath } from "./serve.ts";
import { answerForPage } from "./window/answer-page.ts";
import { answerStranger, answerStream, type WindowParts } from "./window/window-door.ts";

export interface BehindTcpParts {
  readonly settings: Settings;
  readonly fetch: Fetch;
  readonly window: WindowParts;
  /** Outside agents are served, and anybody is shown this card. */
  readonly a2aCard?: OurCard | undefined;
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
    answerAnybody: (request) => answerCard(request, parts.a2aCard),
    answerFailure: a2aFailure,
    answerStranger: (request) => answerStranger(request, window),
  });

  async function admitted(request: Request, asker: Asker): Promise<Response> {
    refuseOutside(request, asker);
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
    if (pathname === "/events" || pathname.startsWith(a2aPath)) parts.mayBeSilent(request);
    const ask = (): Promise<Response> => fetch(request, ({ headers }) => parts.asWhom(asker, headers.get(actorHeader)));
    const isOfPage = asker.known === knownBy.browser && pathname.startsWith("/op/");
    return isOfPage ? await answerForPage(window.store, ask) : await ask();
  }

  function whoAmI({ role, name, scope }: Asker): WhoAmI {
    const { constellation } = window.store;
    return { constellation, version: window.version, role, name, scope: scope ?? null, root: settings.root };
  }
}

/** An outside agent has its own door, and no other. */
function refuseOutside(request: Request, { role, name }: Asker): void {
  const { pathname } = new URL(request.url);
  if (role !== "outside" || pathname.startsWith(a2aPath) || pathname === whoAmIPath) return;
  throw new Refusal(
    "authority.outside",
    `${name} is an agent from outside, for whom nothing is served at ${pathname.slice(0, 100)}`,
  );
}

/** In the words of A2A, for those who came for that. */
function a2aFailure(request: Request, cause: unknown): Response | undefined {
  // Of a request that names no host, or a broken one, the address cannot be read.
  const isA2a = URL.canParse(request.url) && new URL(request.url).pathname.startsWith(a2aPath);
  return isA2a ? httpFailure(cause, systemClock.nowMs()) : undefined;
}

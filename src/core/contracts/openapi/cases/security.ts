// Credentials.

import type { OpenApiCase } from "./minimal-document.ts";
import { words } from "./words.ts";

const key = { type: "apiKey", in: "header", name: "X-Key" };
const basic = { type: "http", scheme: "basic" };
const bearer = { type: "http", scheme: "bearer" };
const oauth = (scopes: Record<string, string>, fields: object = {}) => ({
  type: "oauth2",
  flows: { clientCredentials: { tokenUrl: "https://x.test/token", scopes, ...fields } },
});
const under = (schemes: object, security: unknown, own?: unknown) => ({
  paths: {
    "/a": { get: { responses: { "200": { description: "ok" } }, ...(own === undefined ? {} : { security: own }) } },
  },
  components: { securitySchemes: schemes },
  security,
});
const both = { key, basic };

export const security: readonly OpenApiCase[] = [
  [
    "breaking",
    "an operation gets credentials of its own",
    "document",
    under(both, []),
    under(both, [], [{ key: [] }]),
    words.securityDefault,
  ],
  [
    "compatible",
    "an operation is opened",
    "document",
    under(both, [{ key: [] }]),
    under(both, [{ key: [] }], []),
    words.securityDefault,
  ],
  [
    "compatible",
    "an alternative is added",
    "document",
    under(both, [{ key: [] }]),
    under(both, [{ key: [] }, { basic: [] }]),
    words.security,
  ],
  [
    "breaking",
    "an alternative is removed",
    "document",
    under(both, [{ key: [] }, { basic: [] }]),
    under(both, [{ key: [] }]),
    words.security,
  ],
  [
    "compatible",
    "the alternatives change places",
    "document",
    under(both, [{ key: [] }, { basic: [] }]),
    under(both, [{ basic: [] }, { key: [] }]),
    words.security,
  ],
  [
    "breaking",
    "a second scheme is needed too",
    "document",
    under(both, [{ key: [] }]),
    under(both, [{ key: [], basic: [] }]),
    words.securityAll,
  ],
  [
    "compatible",
    "one of two schemes is enough",
    "document",
    under(both, [{ key: [], basic: [] }]),
    under(both, [{ key: [] }]),
    words.securityAll,
  ],
  [
    "compatible",
    "credentials become optional",
    "document",
    under(both, [{ key: [] }]),
    under(both, [{ key: [] }, {}]),
    words.security,
  ],
  [
    "breaking",
    "credentials are no longer optional",
    "document",
    under(both, [{ key: [] }, {}]),
    under(both, [{ key: [] }]),
    words.security,
  ],
  [
    "breaking",
    "another scheme is needed",
    "document",
    under(both, [{ key: [] }]),
    under(both, [{ basic: [] }]),
    words.security,
  ],
  [
    "breaking",
    "a scope is needed",
    "document",
    under({ o: oauth({ a: "", b: "" }) }, [{ o: ["a"] }]),
    under({ o: oauth({ a: "", b: "" }) }, [{ o: ["a", "b"] }]),
    words.scopes,
  ],
  [
    "compatible",
    "a scope is no longer needed",
    "document",
    under({ o: oauth({ a: "", b: "" }) }, [{ o: ["a", "b"] }]),
    under({ o: oauth({ a: "", b: "" }) }, [{ o: ["a"] }]),
    words.scopes,
  ],
  [
    "breaking",
    "a scheme works otherwise",
    "document",
    under({ s: basic }, [{ s: [] }]),
    under({ s: bearer }, [{ s: [] }]),
    words.scheme,
  ],
  [
    "breaking",
    "the header of a key is renamed",
    "document",
    under({ s: key }, [{ s: [] }]),
    under({ s: { ...key, name: "X-Other" } }, [{ s: [] }]),
    words.scheme,
  ],
  [
    "compatible",
    "a scheme is renamed",
    "document",
    under({ s: key }, [{ s: [] }]),
    under({ t: key }, [{ t: [] }]),
    words.scheme,
  ],
  [
    "compatible",
    "the look of a token is described",
    "document",
    under({ s: bearer }, [{ s: [] }]),
    under({ s: { ...bearer, bearerFormat: "JWT" } }, [{ s: [] }]),
    words.bearerFormat,
  ],
  [
    "compatible",
    "a scheme that nobody needs changes",
    "document",
    under({ s: key, t: basic }, [{ s: [] }]),
    under({ s: key, t: bearer }, [{ s: [] }]),
    words.components,
  ],
  [
    "dangerous",
    "tokens come from another address",
    "document",
    under({ o: oauth({ a: "" }) }, [{ o: ["a"] }]),
    under({ o: oauth({ a: "" }, { tokenUrl: "https://y.test/token" }) }, [{ o: ["a"] }]),
    words.flows,
  ],
  [
    "breaking",
    "a flow is removed",
    "document",
    under(
      { o: { type: "oauth2", flows: { ...oauth({}).flows, password: { tokenUrl: "https://x.test", scopes: {} } } } },
      [{ o: [] }],
    ),
    under({ o: oauth({}) }, [{ o: [] }]),
    words.flows,
  ],
  [
    "compatible",
    "a flow is added",
    "document",
    under({ o: oauth({}) }, [{ o: [] }]),
    under(
      { o: { type: "oauth2", flows: { ...oauth({}).flows, password: { tokenUrl: "https://x.test", scopes: {} } } } },
      [{ o: [] }],
    ),
    words.flows,
  ],
  [
    "compatible",
    "a scope is offered",
    "document",
    under({ o: oauth({ a: "" }) }, [{ o: [] }]),
    under({ o: oauth({ a: "", b: "" }) }, [{ o: [] }]),
    words.flows,
  ],
  [
    "breaking",
    "a scope is no longer offered",
    "document",
    under({ o: oauth({ a: "", b: "" }) }, [{ o: [] }]),
    under({ o: oauth({ a: "" }) }, [{ o: [] }]),
    words.flows,
  ],
];

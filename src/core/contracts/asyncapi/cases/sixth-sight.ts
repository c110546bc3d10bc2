// A sixth round, through the objects of AsyncAPI 2 and 3 once more: each field that somebody relies on, in both directions. Written before it was
// run, all but the channel whose address was unknown; decision 0073 has what it showed at first sight.

import { object, text, whole } from "./fragments.ts";
import type { AsyncApiCase } from "./minimal-document.ts";

const servers3 = "AsyncAPI 3.0.0, Server Object";
const channel3 = "AsyncAPI 3.0.0, Channel Object";
const operation3 = "AsyncAPI 3.0.0, Operation Object";
const message3 = "AsyncAPI 3.0.0, Message Object";
const tuple = { type: "array", prefixItems: [text, whole] };
const closed = { ...tuple, items: false };
const server = (more: object = {}) => ({ servers: { main: { host: "a.example.org", protocol: "kafka", ...more } } });
const server2 = (more: object = {}) => ({ servers: { main: { url: "a.example.org", protocol: "kafka", ...more } } });
const secured = (security: unknown, schemes: object) => ({
  ...server({ security }),
  components: { securitySchemes: schemes },
});
const plain = { type: "userPassword" };
const reply = (action: string) => ({ action, reply: { channel: { $ref: "#/channels/orders" } } });
const headers = (properties: object, required: string[] = []) => ({ headers: object(properties, required) });

export const sixthSight: readonly AsyncApiCase[] = [
  [
    "breaking",
    "the host of the only server changes",
    "v3 document",
    server(),
    server({ host: "b.example.org" }),
    servers3,
  ],
  ["breaking", "the path of the only server goes", "v3 document", server({ pathname: "/v1" }), server(), servers3],
  [
    "dangerous",
    "the version of a server's protocol changes, in version 3",
    "v3 document",
    server({ protocolVersion: "2" }),
    server({ protocolVersion: "3" }),
    servers3,
  ],
  [
    "compatible",
    "a server gets a title and a summary",
    "v3 document",
    server(),
    server({ title: "Main", summary: "one" }),
    servers3,
  ],
  [
    "breaking",
    "the address of the only server changes, in version 2",
    "v2 document",
    server2(),
    server2({ url: "b.example.org" }),
    "AsyncAPI 2.6.0, Server Object",
  ],
  [
    "breaking",
    "a variable of a server's host loses a value, in version 3",
    "v3 document",
    server({ host: "{at}.example.org", variables: { at: { enum: ["a", "b"] } } }),
    server({ host: "{at}.example.org", variables: { at: { enum: ["a"] } } }),
    servers3,
  ],
  [
    "compatible",
    "a variable of a server's host gets a value, in version 3",
    "v3 document",
    server({ host: "{at}.example.org", variables: { at: { enum: ["a"] } } }),
    server({ host: "{at}.example.org", variables: { at: { enum: ["a", "b"] } } }),
    servers3,
  ],
  [
    "breaking",
    "a scheme of another kind under the same name",
    "v3 document",
    secured([{ $ref: "#/components/securitySchemes/s" }], { s: plain }),
    secured([{ $ref: "#/components/securitySchemes/s" }], { s: { type: "X509" } }),
    servers3,
  ],
  [
    "compatible",
    "a scheme is described",
    "v3 document",
    secured([{ $ref: "#/components/securitySchemes/s" }], { s: plain }),
    secured([{ $ref: "#/components/securitySchemes/s" }], { s: { ...plain, description: "ask us" } }),
    servers3,
  ],
  [
    "breaking",
    "the address of a channel gets a parameter",
    "v3 channel",
    { address: "orders" },
    { address: "orders/{shop}", parameters: { shop: {} } },
    channel3,
  ],
  [
    "breaking",
    "the address of a channel becomes unknown",
    "v3 channel",
    { address: "orders" },
    { address: null },
    channel3,
  ],
  [
    "compatible",
    "a channel whose address was unknown gets one",
    "v3 channel",
    { address: null },
    { address: "shop/orders" },
    channel3,
  ],
  [
    "breaking",
    "a channel is on fewer servers",
    "v3 document",
    {
      servers: { a: { host: "a", protocol: "kafka" }, b: { host: "b", protocol: "kafka" } },
      channels: { orders: { address: "orders", messages: { placed: {} } } },
    },
    {
      servers: { a: { host: "a", protocol: "kafka" }, b: { host: "b", protocol: "kafka" } },
      channels: { orders: { address: "orders", messages: { placed: {} }, servers: [{ $ref: "#/servers/a" }] } },
    },
    channel3,
  ],
  [
    "compatible",
    "a channel names all the servers there are",
    "v3 document",
    {
      servers: { a: { host: "a", protocol: "kafka" } },
      channels: { orders: { address: "orders", messages: { placed: {} } } },
    },
    {
      servers: { a: { host: "a", protocol: "kafka" } },
      channels: { orders: { address: "orders", messages: { placed: {} }, servers: [{ $ref: "#/servers/a" }] } },
    },
    channel3,
  ],
  ["breaking", "an operation asks for credentials", "v3 operation", {}, { security: [plain] }, operation3],
  ["compatible", "an operation no longer asks for credentials", "v3 operation", { security: [plain] }, {}, operation3],
  ["breaking", "no reply is given any more", "v3 operation", reply("receive"), { action: "receive" }, operation3],
  ["compatible", "a reply is given now", "v3 operation", { action: "receive" }, reply("receive"), operation3],
  [
    "compatible",
    "an operation is described and tagged",
    "v3 operation",
    {},
    { title: "Move", description: "all of it", tags: [{ name: "orders" }] },
    operation3,
  ],
  [
    "breaking",
    "a header that is sent changes its type",
    "v3 message",
    headers({ at: text }),
    headers({ at: whole }),
    message3,
  ],
  [
    "breaking",
    "a header that was always sent is not always",
    "v3 message",
    headers({ at: text }, ["at"]),
    headers({ at: text }),
    message3,
  ],
  [
    "compatible",
    "a header is always sent now",
    "v3 message",
    headers({ at: text }),
    headers({ at: text }, ["at"]),
    message3,
  ],
  ["breaking", "the headers of a message go", "v3 message", headers({ at: text }), {}, message3],
  [
    "breaking",
    "the media type of a message changes, in version 3",
    "v3 message",
    { contentType: "application/json" },
    { contentType: "application/xml" },
    message3,
  ],
  [
    "compatible",
    "a message gets examples, in version 3",
    "v3 message",
    {},
    { examples: [{ payload: {} }], externalDocs: { url: "https://example.org" } },
    message3,
  ],
  ["breaking", "a tuple that is sent is opened", "v3 send", closed, tuple, "JSON Schema Core 10.3.1"],
  ["compatible", "a tuple that is sent is closed", "v3 send", tuple, closed, "JSON Schema Core 10.3.1"],
  ["breaking", "a tuple that is received is closed", "v3 receive", tuple, closed, "JSON Schema Core 10.3.1"],
  ["compatible", "a tuple that is received is opened", "v3 receive", closed, tuple, "JSON Schema Core 10.3.1"],
  ["breaking", "a bound of what is sent goes", "v3 send", { ...whole, maximum: 9 }, whole, "readers relied on it"],
  [
    "compatible",
    "a bound of what is received goes",
    "v3 receive",
    { ...whole, maximum: 9 },
    whole,
    "all that was accepted still is",
  ],
  [
    "breaking",
    "a bound of what is received is tighter, in version 2",
    "v2 publish",
    { ...whole, maximum: 9 },
    { ...whole, maximum: 8 },
    "JSON Schema Validation 6.2",
  ],
  [
    "compatible",
    "a bound of what is sent is tighter, in version 2",
    "v2 subscribe",
    { ...whole, maximum: 9 },
    { ...whole, maximum: 8 },
    "JSON Schema Validation 6.2",
  ],
];

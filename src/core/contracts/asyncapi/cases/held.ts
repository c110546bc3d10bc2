// Cases written from the specification before any rule; see the table of OpenAPI.

import { words as schemaWords } from "../../openapi/cases/words.ts";
import { object, text } from "./fragments.ts";
import type { AsyncApiCase } from "./minimal-document.ts";
import { words } from "./words.ts";

const carrying = (payload: unknown) => ({ name: "A", payload });

export const held: readonly AsyncApiCase[] = [
  [
    "breaking",
    "a property of a sent payload is removed",
    "v2 subscribe",
    object({ a: text, b: text }),
    object({ a: text }),
    words.payload,
  ],
  [
    "compatible",
    "a required property joins a sent payload",
    "v3 send",
    object({ a: text }),
    object({ a: text, b: text }, ["b"]),
    words.payload,
  ],
  [
    "breaking",
    "a required property joins a received payload",
    "v2 publish",
    object({ a: text }),
    object({ a: text, b: text }, ["b"]),
    words.publish,
  ],
  [
    "compatible",
    "an optional property joins a received payload",
    "v3 receive",
    object({ a: text }),
    object({ a: text, b: text }),
    words.action,
  ],
  [
    "breaking",
    "a channel is removed",
    "v2 document",
    { channels: { a: { subscribe: { message: carrying(text) } }, b: { subscribe: { message: carrying(text) } } } },
    { channels: { a: { subscribe: { message: carrying(text) } } } },
    words.channels,
  ],
  [
    "compatible",
    "a channel is added",
    "v2 document",
    { channels: { a: { subscribe: { message: carrying(text) } } } },
    { channels: { a: { subscribe: { message: carrying(text) } }, b: { subscribe: { message: carrying(text) } } } },
    words.channels,
  ],
  [
    "breaking",
    "a channel gets another address",
    "v3 channel",
    { address: "orders" },
    { address: "orders.v2" },
    words.address,
  ],
  [
    "compatible",
    "a channel parameter is renamed in the address",
    "v3 channel",
    { address: "orders/{id}", parameters: { id: {} } },
    { address: "orders/{order}", parameters: { order: {} } },
    words.parameters,
  ],
  [
    "breaking",
    "an operation changes its action",
    "v3 operation",
    { action: "send" },
    { action: "receive" },
    words.action,
  ],
  [
    "breaking",
    "a message is encoded otherwise",
    "v3 message",
    { contentType: "application/json" },
    { contentType: "application/xml" },
    words.contentType,
  ],
  [
    "compatible",
    "a message gets a summary and tags",
    "v2 message",
    {},
    { summary: "x", tags: [{ name: "y" }] },
    words.documentation,
  ],
  [
    "dangerous",
    "a second message is sent on the channel",
    "v2 channel",
    { subscribe: { message: carrying(object({ a: text })) } },
    { subscribe: { message: { oneOf: [carrying(object({ a: text })), { name: "B", payload: object({ b: text }) }] } } },
    words.messageOneOf,
  ],
  [
    "breaking",
    "the only server speaks another protocol",
    "v2 document",
    { servers: { main: { url: "x.test", protocol: "mqtt" } } },
    { servers: { main: { url: "x.test", protocol: "kafka" } } },
    words.protocol,
  ],
  [
    "compatible",
    "a server is added",
    "v3 document",
    { servers: { main: { host: "x.test", protocol: "mqtt" } } },
    { servers: { main: { host: "x.test", protocol: "mqtt" }, more: { host: "y.test", protocol: "mqtt" } } },
    words.servers,
  ],
  [
    "breaking",
    "the correlation id moves",
    "v3 message",
    { correlationId: { location: "$message.header#/a" } },
    { correlationId: { location: "$message.header#/b" } },
    words.correlationId,
  ],
  [
    "dangerous",
    "an enum of a sent payload gets a value",
    "v2 subscribe",
    { enum: ["a"] },
    { enum: ["a", "b"] },
    schemaWords.enum,
  ],
];

// A second round of cases, written after the rules and run once before anything was mended on them; see the table of OpenAPI.

import { words as schemaWords } from "../../openapi/cases/words.ts";
import { object, text, whole } from "./fragments.ts";
import type { AsyncApiCase } from "./minimal-document.ts";
import { words } from "./words.ts";

const message = (payload: unknown, more: object = {}) => ({ name: "A", payload, ...more });
const v2 = (channels: unknown, more: object = {}) => ({ channels, ...more });
const send = (payload: unknown) => ({ subscribe: { message: message(payload) } });
const take = (payload: unknown) => ({ publish: { message: message(payload) } });

export const secondSight: readonly AsyncApiCase[] = [
  [
    "breaking",
    "a sent property may now be null",
    "v3 send",
    object({ a: text }),
    object({ a: { type: ["string", "null"] } }),
    schemaWords.type,
  ],
  [
    "compatible",
    "a received property may now be null",
    "v3 receive",
    object({ a: text }),
    object({ a: { type: ["string", "null"] } }),
    schemaWords.type,
  ],
  [
    "breaking",
    "a received enum loses a value, once more",
    "v2 publish",
    object({ a: { enum: ["x", "y"] } }),
    object({ a: { enum: ["x"] } }),
    schemaWords.enum,
  ],
  [
    "dangerous",
    "a sent enum gets a value",
    "v2 subscribe",
    object({ a: { enum: ["x"] } }),
    object({ a: { enum: ["x", "y"] } }),
    schemaWords.enum,
  ],
  [
    "breaking",
    "a sent property is no longer always there",
    "v2 subscribe",
    object({ a: text }, ["a"]),
    object({ a: text }),
    schemaWords.required,
  ],
  [
    "breaking",
    "an operation is gone in version 3",
    "v3 document",
    {
      operations: {
        a: { action: "send", channel: { $ref: "#/channels/orders" } },
        b: { action: "receive", channel: { $ref: "#/channels/orders" } },
      },
    },
    { operations: { a: { action: "send", channel: { $ref: "#/channels/orders" } } } },
    words.action,
  ],
  ["breaking", "a sender becomes a receiver", "v3 operation", { action: "send" }, { action: "receive" }, words.action],
  [
    "compatible",
    "an operation is added in version 3",
    "v3 document",
    { operations: { a: { action: "send", channel: { $ref: "#/channels/orders" } } } },
    {
      operations: {
        a: { action: "send", channel: { $ref: "#/channels/orders" } },
        b: { action: "receive", channel: { $ref: "#/channels/orders" } },
      },
    },
    words.action,
  ],
  ["breaking", "a channel's address changes", "v3 channel", { address: "a" }, { address: "b" }, words.address],
  [
    "compatible",
    "a channel is added, once more",
    "v2 document",
    v2({ a: send(text) }),
    v2({ a: send(text), b: take(text) }),
    words.channels,
  ],
  [
    "breaking",
    "what was sent on a channel is now received",
    "v2 document",
    v2({ a: send(object({ a: text })) }),
    v2({ a: take(object({ a: text })) }),
    words.subscribe,
  ],
  [
    "compatible",
    "a received message may be of a second kind",
    "v2 document",
    v2({ a: { publish: { message: { oneOf: [message(object({ a: text }, ["a"]))] } } } }),
    v2({
      a: {
        publish: {
          message: {
            oneOf: [message(object({ a: text }, ["a"])), { name: "B", payload: object({ b: whole }, ["b"]) }],
          },
        },
      },
    }),
    words.messageOneOf,
  ],
  [
    "breaking",
    "a received message may no longer be of a second kind",
    "v2 document",
    v2({
      a: {
        publish: {
          message: {
            oneOf: [message(object({ a: text }, ["a"])), { name: "B", payload: object({ b: whole }, ["b"]) }],
          },
        },
      },
    }),
    v2({ a: { publish: { message: { oneOf: [message(object({ a: text }, ["a"]))] } } } }),
    words.messageOneOf,
  ],
  [
    "breaking",
    "a header that is always sent is gone",
    "v2 message",
    { headers: object({ h: text }, ["h"]) },
    { headers: object({}) },
    words.headers,
  ],
  [
    "breaking",
    "a payload is encoded otherwise",
    "v3 message",
    { contentType: "application/json" },
    { contentType: "application/cbor" },
    words.contentType,
  ],
  [
    "compatible",
    "the content type that held by default is written out",
    "v2 document",
    { defaultContentType: "application/json", channels: { a: send(text) } },
    { channels: { a: { subscribe: { message: message(text, { contentType: "application/json" }) } } } },
    words.defaultContentType,
  ],
  [
    "breaking",
    "a server speaks another protocol",
    "v2 document",
    v2({ a: send(text) }, { servers: { p: { url: "x.test", protocol: "amqp" } } }),
    v2({ a: send(text) }, { servers: { p: { url: "x.test", protocol: "kafka" } } }),
    words.protocol,
  ],
  [
    "breaking",
    "a server wants credentials",
    "v2 document",
    v2({ a: send(text) }, { servers: { p: { url: "x.test", protocol: "amqp" } } }),
    v2(
      { a: send(text) },
      {
        servers: { p: { url: "x.test", protocol: "amqp", security: [{ k: [] }] } },
        components: { securitySchemes: { k: { type: "userPassword" } } },
      },
    ),
    words.security,
  ],
  [
    "compatible",
    "messages and schemas move into components",
    "v2 document",
    v2({ a: send(object({ a: text })) }),
    v2(
      { a: { subscribe: { message: { $ref: "#/components/messages/M" } } } },
      {
        components: {
          messages: { M: message({ $ref: "#/components/schemas/S" }) },
          schemas: { S: object({ a: text }) },
        },
      },
    ),
    words.components,
  ],
  [
    "breaking",
    "a channel's parameter is renamed in meaning: another one is in the address",
    "v2 document",
    v2({ "a/{x}": { parameters: { x: { schema: text } }, ...send(text) } }),
    v2({ "a/{x}/{y}": { parameters: { x: { schema: text }, y: { schema: text } }, ...send(text) } }),
    words.parameters,
  ],
  [
    "breaking",
    "a parameter has fewer values",
    "v3 channel",
    { address: "a/{x}", parameters: { x: { enum: ["p", "q"] } } },
    { address: "a/{x}", parameters: { x: { enum: ["p"] } } },
    words.parameterEnum,
  ],
  [
    "breaking",
    "a reply is no longer sent",
    "v3 operation",
    { action: "receive", reply: { channel: { $ref: "#/channels/orders" } } },
    { action: "receive" },
    words.reply,
  ],
  [
    "compatible",
    "descriptions, tags and examples change",
    "v3 message",
    { summary: "a", examples: [{ payload: {} }] },
    { summary: "b", tags: [{ name: "t" }] },
    words.documentation,
  ],
  [
    "breaking",
    "the key of a Kafka message has another type",
    "v2 message",
    { bindings: { kafka: { key: text } } },
    { bindings: { kafka: { key: whole } } },
    words.kafkaKey,
  ],
  [
    "breaking",
    "version 2 becomes version 3 and a sent property is lost",
    "v2 document",
    v2({ orders: send(object({ a: text, b: text })) }),
    {
      asyncapi: "3.0.0",
      channels: { orders: { address: "orders", messages: { A: message(object({ a: text })) } } },
      operations: { sendOrder: { action: "send", channel: { $ref: "#/channels/orders" } } },
    },
    words.payload,
  ],
  [
    "compatible",
    "version 2 becomes version 3 and says the same",
    "v2 document",
    v2({ orders: { subscribe: { message: message(object({ a: text })) } } }),
    {
      asyncapi: "3.0.0",
      channels: { orders: { address: "orders", messages: { A: message(object({ a: text })) } } },
      operations: { sendOrder: { action: "send", channel: { $ref: "#/channels/orders" } } },
    },
    words.channelId,
  ],
];

// A seventh round: bindings, replies, traits, payloads that hold themselves, and the same in other words. Written before it was run; decision 0120 has
// what it showed at first sight.

import { object, text, whole } from "./fragments.ts";
import type { AsyncApiCase } from "./minimal-document.ts";

const operation3 = "AsyncAPI 3.0.0, Operation Object: the application sends, or receives.";
const channel3 = "AsyncAPI 3.0.0, Channel Object: the address says where.";
const message3 = "AsyncAPI 3.0.0, Message Object";
const bound = "AsyncAPI bindings, by protocol";
const server3 = "AsyncAPI 3.0.0, Server Object";
const same = "The same in other words.";
const nested = "JSON Schema Core 10.2.1";

const orders = { $ref: "#/channels/orders" };
const channels = (
  address: string | null,
  id = "orders",
  messages: object = { placed: { payload: object({ a: text }) } },
) => ({
  channels: { [id]: { address, messages } },
  operations: { moveOrder: { action: "send", channel: { $ref: `#/channels/${id}` } } },
});
const message = (more: object) => ({ name: "OrderPlaced", payload: object({ a: text }), ...more });
const servers = (more: object) => ({ servers: { main: { host: "a.example.org", protocol: "kafka", ...more } } });
const replies = (payload: unknown) => ({
  channels: {
    orders: { address: "orders", messages: { placed: { payload: text } } },
    answers: { address: "answers", messages: { done: { payload } } },
  },
  operations: {
    takeOrder: { action: "receive", channel: orders, reply: { channel: { $ref: "#/channels/answers" } } },
  },
});
const node = (value: unknown) => ({
  type: "object",
  properties: { value, next: { $ref: "#/components/schemas/Node" } },
});
const chain = (value: unknown) => ({
  ...channels("orders", "orders", { placed: { payload: { $ref: "#/components/schemas/Node" } } }),
  components: { schemas: { Node: node(value) } },
});
const family = (required: string[]) => ({
  channels: { orders: { address: "orders", messages: { placed: { payload: { $ref: "#/components/schemas/Pet" } } } } },
  operations: { take: { action: "receive", channel: orders } },
  components: {
    schemas: {
      Pet: { ...object({ kind: text }, ["kind"]), discriminator: "kind" },
      Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, object({ name: text }, required)] },
    },
  },
});
const events = (more: object) => ({
  oneOf: [object({ kind: { const: "placed" }, ...more }, ["kind"]), object({ kind: { const: "paid" } }, ["kind"])],
});

export const seventhSight: readonly AsyncApiCase[] = [
  [
    "breaking",
    "the application receives what it sent",
    "v3 operation",
    { action: "send" },
    { action: "receive" },
    operation3,
  ],
  [
    "breaking",
    "the address of a channel of version 3 changes",
    "v3 document",
    channels("orders"),
    channels("orders-v2"),
    channel3,
  ],
  [
    "compatible",
    "a channel of version 3 has another id and the same address",
    "v3 document",
    channels("orders"),
    channels("orders", "ordersChannel"),
    channel3,
  ],
  [
    "breaking",
    "one of two kinds of messages is no longer received",
    "v3 document",
    {
      channels: {
        orders: { address: "orders", messages: { a: { name: "A", payload: text }, b: { name: "B", payload: whole } } },
      },
      operations: { take: { action: "receive", channel: orders } },
    },
    {
      channels: { orders: { address: "orders", messages: { a: { name: "A", payload: text } } } },
      operations: { take: { action: "receive", channel: orders } },
    },
    operation3,
  ],
  [
    "breaking",
    "a message is Avro instead of JSON",
    "v3 message",
    message({ contentType: "application/json" }),
    message({ contentType: "application/avro" }),
    message3,
  ],
  [
    "compatible",
    "a message says the type that is the default anyway",
    "v3 document",
    { defaultContentType: "application/json", ...channels("orders", "orders", { placed: { payload: text } }) },
    {
      defaultContentType: "application/json",
      ...channels("orders", "orders", { placed: { payload: text, contentType: "application/json" } }),
    },
    same,
  ],
  [
    "breaking",
    "the default type changes, and no message says another",
    "v3 document",
    { defaultContentType: "application/json", ...channels("orders") },
    { defaultContentType: "application/xml", ...channels("orders") },
    message3,
  ],
  [
    "breaking",
    "a variable of an address loses a word",
    "v3 document",
    {
      channels: {
        orders: {
          address: "orders.{at}",
          parameters: { at: { enum: ["eu", "us"] } },
          messages: { placed: { payload: text } },
        },
      },
      operations: { move: { action: "send", channel: orders } },
    },
    {
      channels: {
        orders: {
          address: "orders.{at}",
          parameters: { at: { enum: ["eu"] } },
          messages: { placed: { payload: text } },
        },
      },
      operations: { move: { action: "send", channel: orders } },
    },
    channel3,
  ],
  [
    "breaking",
    "the exchange of a channel has another name",
    "v3 channel",
    { bindings: { amqp: { is: "routingKey", exchange: { name: "a", type: "topic" } } } },
    { bindings: { amqp: { is: "routingKey", exchange: { name: "b", type: "topic" } } } },
    bound,
  ],
  [
    "breaking",
    "a socket is opened by POST",
    "v3 channel",
    { bindings: { ws: { method: "GET" } } },
    { bindings: { ws: { method: "POST" } } },
    bound,
  ],
  [
    "breaking",
    "the topic of a channel is another",
    "v3 channel",
    { bindings: { kafka: { topic: "a" } } },
    { bindings: { kafka: { topic: "b" } } },
    bound,
  ],
  [
    "compatible",
    "a binding says which version of its words it uses",
    "v3 channel",
    { bindings: { kafka: { topic: "a" } } },
    { bindings: { kafka: { topic: "a", bindingVersion: "0.5.0" } } },
    same,
  ],
  [
    "breaking",
    "the server speaks another protocol",
    "v3 document",
    servers({}),
    servers({ protocol: "amqp" }),
    server3,
  ],
  [
    "breaking",
    "the reply to what is received changes its type",
    "v3 document",
    replies(object({ a: text })),
    replies(object({ a: whole })),
    operation3,
  ],
  [
    "compatible",
    "the reply to what is received has a property more",
    "v3 document",
    replies(object({ a: text })),
    replies(object({ a: text, b: text })),
    operation3,
  ],
  [
    "breaking",
    "the reply to what is received is no longer complete",
    "v3 document",
    replies(object({ a: text }, ["a"])),
    replies(object({ a: text })),
    operation3,
  ],
  ["breaking", "a payload that holds itself changes a type", "v3 document", chain(text), chain(whole), message3],
  [
    "compatible",
    "a payload that holds itself is written out by one level",
    "v3 document",
    chain(text),
    {
      ...channels("orders", "orders", { placed: { payload: node(text) } }),
      components: { schemas: { Node: node(text) } },
    },
    same,
  ],
  ["breaking", "one kind of what is sent loses a property", "v2 subscribe", events({ a: text }), events({}), nested],
  ["compatible", "one kind of what is sent gets a property", "v2 subscribe", events({}), events({ a: text }), nested],
  [
    "breaking",
    "one kind of what is received needs a property",
    "v2 publish",
    events({}),
    {
      oneOf: [
        object({ kind: { const: "placed" }, a: text }, ["kind", "a"]),
        object({ kind: { const: "paid" } }, ["kind"]),
      ],
    },
    nested,
  ],
  [
    "compatible",
    "what a message took from a trait stands in it",
    "v3 message",
    message({ traits: [{ headers: object({ trace: text }), contentType: "application/json" }] }),
    message({ headers: object({ trace: text }), contentType: "application/json" }),
    same,
  ],
  [
    "breaking",
    "a trait of what is sent loses a header",
    "v3 message",
    message({ traits: [{ headers: object({ trace: text }, ["trace"]) }] }),
    message({ traits: [{ headers: object({}) }] }),
    message3,
  ],
  [
    "breaking",
    "what tells messages that belong together stands elsewhere",
    "v3 message",
    message({ correlationId: { location: "$message.header#/id" } }),
    message({ correlationId: { location: "$message.payload#/a" } }),
    message3,
  ],
  [
    "breaking",
    "null of what is received is allowed by a word of another format",
    "v3 receive",
    { type: ["string", "null"] },
    { type: "string", nullable: true },
    "nullable is no keyword of AsyncAPI.",
  ],
  [
    "breaking",
    "a cat that is received needs a name, though only pets are mentioned",
    "v3 document",
    family([]),
    family(["name"]),
    "AsyncAPI 3.0.0, Schema Object, discriminator",
  ],
  [
    "compatible",
    "tags and documents of a channel",
    "v3 channel",
    { tags: [{ name: "a" }] },
    { tags: [{ name: "b" }], externalDocs: { url: "https://a.test" }, title: "Orders" },
    same,
  ],
];

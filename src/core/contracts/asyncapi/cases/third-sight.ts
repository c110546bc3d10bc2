// A third round, object by object through AsyncAPI 2 and 3, for what no earlier case names. Written before it was run; decision 0050 has what
// it showed at first sight.

import { object, text, whole } from "./fragments.ts";
import type { AsyncApiCase } from "./minimal-document.ts";

const placed = { name: "OrderPlaced", payload: { type: "object" } };
const server = (more: object) => ({ servers: { main: { host: "a:9092", protocol: "kafka", ...more } } });
const server2 = (more: object) => ({ servers: { main: { url: "a:9092", protocol: "kafka", ...more } } });
const two = (messages: object) => ({ channels: { orders: { address: "orders", messages } } });
const operations = (more: object) => ({
  operations: { moveOrder: { action: "send", channel: { $ref: "#/channels/orders" }, ...more } },
});

const said = {
  info: "Info Object: metadata about the API.",
  docs: "Title, summary, description, tags and external documentation are for people.",
  server: "Server Object: host, protocol, protocolVersion and pathname say where and how to connect.",
  channel: "Channel Object: the address is where messages are sent; null or absent means that it is unknown.",
  messages: "Channel Object: messages that will be sent to this channel by any application at any time.",
  operation:
    "Operation Object: the action is send when the application is expected to send a message, receive when it should expect receiving one.",
  operationMessages:
    "Operation Object: messages lists which of the channel's messages can be processed by this operation; an empty array means none.",
  reply: "Operation Reply Object: the reply part that MAY be applied to an operation that expects a reply.",
  trait: "Traits are merged into the object; what is said there counts as if it stood in it.",
  headers: "Message Object: headers is a schema of the application headers.",
  contentType:
    "Message Object: contentType says how the payload is encoded; when omitted, defaultContentType of the document counts.",
  parameter: "Channel Address Expressions: a parameter stands for a part of the address.",
  payload: "Message Object: the payload's schema is validated against what is sent.",
  security: "Security Requirement: only one of the schemes of the list needs to be satisfied.",
  extension: "Specification Extensions begin with x-.",
  binding: "Bindings describe protocol-specific information.",
};

export const thirdSight: readonly AsyncApiCase[] = [
  [
    "compatible",
    "the title and version of the document change",
    "v3 document",
    {},
    { info: { title: "B", version: "2" } },
    said.info,
  ],
  ["compatible", "an extension of a channel changes", "v3 channel", { "x-a": 1 }, { "x-a": 2 }, said.extension],
  [
    "compatible",
    "the title, summary and tags of a channel change",
    "v3 channel",
    {},
    { title: "T", summary: "s", tags: [{ name: "a" }] },
    said.docs,
  ],
  [
    "compatible",
    "the summary of an operation changes",
    "v3 operation",
    {},
    { summary: "s", description: "d" },
    said.docs,
  ],
  [
    "compatible",
    "the title and examples of a message change",
    "v3 message",
    {},
    { title: "T", examples: [{ payload: {} }] },
    said.docs,
  ],
  ["compatible", "the id of the document is added", "v2 document", {}, { id: "urn:a" }, said.info],
  // Servers.
  ["breaking", "a server gets another host", "v3 document", server({}), server({ host: "b:9092" }), said.server],
  ["breaking", "a server gets a path", "v3 document", server({}), server({ pathname: "/v1" }), said.server],
  [
    "breaking",
    "a server speaks another protocol, once more",
    "v2 document",
    server2({}),
    server2({ protocol: "amqp" }),
    said.server,
  ],
  [
    "compatible",
    "the description of a server changes",
    "v2 document",
    server2({ description: "a" }),
    server2({ description: "b" }),
    said.docs,
  ],
  [
    "breaking",
    "a server needs credentials",
    "v2 document",
    server2({}),
    { ...server2({ security: [{ s: [] }] }), components: { securitySchemes: { s: { type: "userPassword" } } } },
    said.security,
  ],
  [
    "compatible",
    "a server no longer needs credentials",
    "v2 document",
    { ...server2({ security: [{ s: [] }] }), components: { securitySchemes: { s: { type: "userPassword" } } } },
    { ...server2({}), components: { securitySchemes: { s: { type: "userPassword" } } } },
    said.security,
  ],
  [
    "breaking",
    "credentials are of another kind",
    "v3 document",
    server({ security: [{ type: "userPassword" }] }),
    server({ security: [{ type: "X509" }] }),
    said.security,
  ],
  [
    "compatible",
    "there is a second way to authenticate",
    "v3 document",
    server({ security: [{ type: "userPassword" }] }),
    server({ security: [{ type: "userPassword" }, { type: "X509" }] }),
    said.security,
  ],
  // Channels.
  [
    "breaking",
    "the address of a channel changes",
    "v3 channel",
    { address: "orders" },
    { address: "orders.v2" },
    said.channel,
  ],
  [
    "compatible",
    "a channel is renamed and keeps its address",
    "v3 document",
    two({ placed }),
    {
      channels: { renamed: { address: "orders", messages: { placed } } },
      operations: { moveOrder: { action: "send", channel: { $ref: "#/channels/renamed" } } },
    },
    said.channel,
  ],
  [
    "breaking",
    "a channel is renamed in version 2, where the name is the address",
    "v2 document",
    { channels: { a: { subscribe: { message: placed } } } },
    { channels: { b: { subscribe: { message: placed } } } },
    said.channel,
  ],
  [
    "compatible",
    "a parameter of an address is renamed",
    "v2 document",
    { channels: { "a/{x}": { parameters: { x: { schema: text } }, subscribe: { message: placed } } } },
    { channels: { "a/{y}": { parameters: { y: { schema: text } }, subscribe: { message: placed } } } },
    said.parameter,
  ],
  [
    "breaking",
    "a parameter may have fewer values",
    "v3 channel",
    { address: "a/{x}", parameters: { x: { enum: ["a", "b"] } } },
    { address: "a/{x}", parameters: { x: { enum: ["a"] } } },
    said.parameter,
  ],
  [
    "breaking",
    "a channel loses one of its messages",
    "v3 document",
    two({ placed, paid: { name: "Paid", payload: text } }),
    two({ placed }),
    said.messages,
  ],
  [
    "dangerous",
    "a channel carries a further message that the application sends",
    "v3 document",
    two({ placed }),
    two({ placed, paid: { name: "Paid", payload: text } }),
    said.messages,
  ],
  // Operations.
  [
    "breaking",
    "an operation that sent now receives",
    "v3 operation",
    { action: "send" },
    { action: "receive" },
    said.operation,
  ],
  [
    "breaking",
    "an operation goes",
    "v3 document",
    {
      operations: {
        moveOrder: { action: "send", channel: { $ref: "#/channels/orders" } },
        other: { action: "receive", channel: { $ref: "#/channels/orders" } },
      },
    },
    { operations: { moveOrder: { action: "send", channel: { $ref: "#/channels/orders" } } } },
    said.operation,
  ],
  [
    "compatible",
    "an operation is added, once more",
    "v3 document",
    {},
    {
      operations: {
        moveOrder: { action: "send", channel: { $ref: "#/channels/orders" } },
        other: { action: "receive", channel: { $ref: "#/channels/orders" } },
      },
    },
    said.operation,
  ],
  [
    "breaking",
    "an operation leaves out one of the channel's messages",
    "v3 document",
    { ...two({ placed, paid: { name: "Paid", payload: text } }), ...operations({}) },
    {
      ...two({ placed, paid: { name: "Paid", payload: text } }),
      ...operations({ messages: [{ $ref: "#/channels/orders/messages/placed" }] }),
    },
    said.operationMessages,
  ],
  [
    "compatible",
    "an operation names all of the channel's messages",
    "v3 document",
    { ...two({ placed }), ...operations({}) },
    { ...two({ placed }), ...operations({ messages: [{ $ref: "#/channels/orders/messages/placed" }] }) },
    said.operationMessages,
  ],
  [
    "compatible",
    "a trait of an operation is written into it",
    "v3 document",
    operations({ traits: [{ summary: "s" }] }),
    operations({ summary: "s" }),
    said.trait,
  ],
  [
    "breaking",
    "an operation of version 2 goes from a channel",
    "v2 channel",
    { subscribe: { message: placed }, publish: { message: placed } },
    { subscribe: { message: placed } },
    said.operation,
  ],
  [
    "breaking",
    "a reply loses a property, once more",
    "v3 document",
    {
      ...two({ placed }),
      ...operations({
        action: "receive",
        reply: { messages: [{ $ref: "#/components/messages/R" }], channel: { $ref: "#/channels/replies" } },
      }),
      channels: {
        orders: { address: "orders", messages: { placed } },
        replies: { address: "replies", messages: { r: { $ref: "#/components/messages/R" } } },
      },
      components: { messages: { R: { payload: object({ a: text, b: text }) } } },
    },
    {
      ...operations({
        action: "receive",
        reply: { messages: [{ $ref: "#/components/messages/R" }], channel: { $ref: "#/channels/replies" } },
      }),
      channels: {
        orders: { address: "orders", messages: { placed } },
        replies: { address: "replies", messages: { r: { $ref: "#/components/messages/R" } } },
      },
      components: { messages: { R: { payload: object({ a: text }) } } },
    },
    said.reply,
  ],
  // Messages.
  [
    "breaking",
    "a header that is always sent goes",
    "v3 message",
    { headers: object({ h: text }, ["h"]) },
    { headers: object({}) },
    said.headers,
  ],
  [
    "compatible",
    "a header is sent in addition",
    "v3 message",
    { headers: object({ h: text }) },
    { headers: object({ h: text, i: text }) },
    said.headers,
  ],
  [
    "breaking",
    "the default content type of the document changes",
    "v3 document",
    { defaultContentType: "application/json" },
    { defaultContentType: "application/cbor" },
    said.contentType,
  ],
  [
    "compatible",
    "the default content type is written at the message",
    "v2 message",
    { contentType: "application/json" },
    { contentType: "application/json", summary: "s" },
    said.contentType,
  ],
  [
    "compatible",
    "a trait with headers is written into its message",
    "v3 message",
    { traits: [{ headers: object({ h: text }) }] },
    { headers: object({ h: text }) },
    said.trait,
  ],
  [
    "breaking",
    "a trait's headers lose a property that is sent",
    "v3 message",
    { traits: [{ headers: object({ h: text, i: text }) }] },
    { traits: [{ headers: object({ h: text }) }] },
    said.trait,
  ],
  [
    "breaking",
    "one of the messages of an operation goes in version 2",
    "v2 channel",
    {
      subscribe: {
        message: {
          oneOf: [
            { name: "A", payload: text },
            { name: "B", payload: whole },
          ],
        },
      },
    },
    { subscribe: { message: { oneOf: [{ name: "A", payload: text }] } } },
    said.messages,
  ],
  [
    "compatible",
    "one message is written as the only one of several",
    "v2 channel",
    { subscribe: { message: { name: "A", payload: text } } },
    { subscribe: { message: { oneOf: [{ name: "A", payload: text }] } } },
    said.messages,
  ],
  [
    "compatible",
    "the messages of an operation change places",
    "v2 channel",
    {
      publish: {
        message: {
          oneOf: [
            { name: "A", payload: text },
            { name: "B", payload: whole },
          ],
        },
      },
    },
    {
      publish: {
        message: {
          oneOf: [
            { name: "B", payload: whole },
            { name: "A", payload: text },
          ],
        },
      },
    },
    said.messages,
  ],
  [
    "compatible",
    "the payload is described with its format",
    "v3 message",
    { payload: object({ a: text }) },
    { payload: { schemaFormat: "application/vnd.aai.asyncapi+json;version=3.0.0", schema: object({ a: text }) } },
    said.payload,
  ],
  [
    "breaking",
    "a payload with its format loses a property",
    "v3 message",
    {
      payload: {
        schemaFormat: "application/vnd.aai.asyncapi+json;version=3.0.0",
        schema: object({ a: text, b: text }),
      },
    },
    { payload: { schemaFormat: "application/vnd.aai.asyncapi+json;version=3.0.0", schema: object({ a: text }) } },
    said.payload,
  ],
  [
    "breaking",
    "what is received must hold a further property",
    "v2 publish",
    object({ a: text }),
    object({ a: text, b: text }, ["b"]),
    said.payload,
  ],
  [
    "compatible",
    "what is sent holds a further property",
    "v2 subscribe",
    object({ a: text }),
    object({ a: text, b: text }, ["b"]),
    said.payload,
  ],
  [
    "compatible",
    "a message moves into components",
    "v3 document",
    two({ placed }),
    {
      channels: { orders: { address: "orders", messages: { placed: { $ref: "#/components/messages/P" } } } },
      components: { messages: { P: placed } },
    },
    "Components have no effect unless they are referenced.",
  ],
  [
    "compatible",
    "a component that nothing uses goes",
    "v2 document",
    { components: { schemas: { A: text } } },
    {},
    "Components have no effect unless they are referenced.",
  ],
  // Bindings.
  [
    "compatible",
    "the version of a binding is written out",
    "v3 channel",
    { bindings: { kafka: { topic: "a" } } },
    { bindings: { kafka: { topic: "a", bindingVersion: "0.5.0" } } },
    said.binding,
  ],
  [
    "breaking",
    "a binding names another topic",
    "v3 channel",
    { bindings: { kafka: { topic: "a" } } },
    { bindings: { kafka: { topic: "b" } } },
    said.binding,
  ],
  [
    "breaking",
    "a queue is called otherwise",
    "v2 channel",
    { bindings: { amqp: { is: "queue", queue: { name: "a" } } } },
    { bindings: { amqp: { is: "queue", queue: { name: "b" } } } },
    said.binding,
  ],
  [
    "breaking",
    "the key of a message has another type",
    "v3 message",
    { bindings: { kafka: { key: text } } },
    { bindings: { kafka: { key: whole } } },
    said.binding,
  ],
  [
    "dangerous",
    "there are fewer partitions",
    "v3 channel",
    { bindings: { kafka: { partitions: 20 } } },
    { bindings: { kafka: { partitions: 10 } } },
    said.binding,
  ],
];

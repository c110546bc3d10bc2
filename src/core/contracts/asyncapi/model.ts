// AsyncAPI 2 and 3 as one: channels by address, operations that send or receive, and their messages. In version 2 `publish` is what the
// application receives and `subscribe` what it sends; version 3 says so. Traits are put together with what names them.

import type { ContractDirection } from "../format.ts";
import { field, fieldsOf, isRecord, listOf, textOf } from "../json-value.ts";
import { referenceOf } from "../references.ts";
import { lastPart } from "../schema/read-keywords.ts";
import type { Shapes } from "../schema/shapes.ts";

export type Node = Readonly<Record<string, unknown>>;

export interface Message {
  /** The names it may be known by, the surest first; none for the only message of an operation. */
  readonly ids: readonly string[];
  readonly name: string | undefined;
  readonly node: Node;
}

export interface Channel {
  readonly id: string;
  /** Its id, where it has none: version 3 allows an address that is known only at run time. */
  readonly address: string;
  readonly hasAddress: boolean;
  readonly node: Node;
  readonly messages: readonly Message[];
}

export interface Reply {
  readonly channel: Channel | undefined;
  readonly address: string | undefined;
  readonly messages: readonly Message[];
}

export interface Operation {
  readonly id: string | undefined;
  /** null: a channel of version 3 that no operation uses. */
  readonly direction: ContractDirection | null;
  readonly channel: Channel;
  readonly messages: readonly Message[];
  readonly node: Node;
  readonly reply: Reply | null;
}

export interface Model {
  readonly root: Node;
  readonly shapes: Shapes;
  readonly channels: readonly Channel[];
  readonly operations: readonly Operation[];
  readonly defaultContentType: string | undefined;
}

export function modelOf(root: Node, shapes: Shapes): Model {
  const reader = String(root["asyncapi"]).startsWith("2") ? new Version2(root, shapes) : new Version3(root, shapes);
  return { root, shapes, ...reader.read(), defaultContentType: textOf(root, "defaultContentType") };
}

/** `orders/{id}` and `orders/{order}` are the same address. */
export function addressKey(address: string): string {
  return address.replaceAll(/\{[^{}]*\}/g, "{}");
}

class Version2 {
  private readonly root: Node;
  private readonly shapes: Shapes;

  constructor(root: Node, shapes: Shapes) {
    this.root = root;
    this.shapes = shapes;
  }

  read(): Pick<Model, "channels" | "operations"> {
    const channels: Channel[] = [];
    const operations: Operation[] = [];
    for (const [address, reference] of Object.entries(this.shapes.fields(this.root, "channels"))) {
      const node = fieldsOf(this.shapes.follow(reference));
      const channel = { id: address, address, node, hasAddress: true, messages: [] };
      channels.push(channel);
      for (const direction of ["publish", "subscribe"] as const) {
        const found = this.shapes.follow(field(node, direction));
        if (isRecord(found)) operations.push(this.operation(found, direction, channel));
      }
    }
    return { channels, operations };
  }

  private operation(found: Node, direction: ContractDirection, channel: Channel): Operation {
    const node = withTraits(this.shapes, found, true);
    const message = field(node, "message");
    const several = listOf(this.shapes.follow(message), "oneOf");
    const messages = several.length > 0 ? several : message === undefined ? [] : [message];
    return {
      id: textOf(node, "operationId"),
      direction,
      channel,
      messages: messages.map((one) => this.message(one)),
      node,
      reply: null,
    };
  }

  private message(reference: unknown): Message {
    const node = withTraits(this.shapes, fieldsOf(this.shapes.follow(reference)), true);
    const called = isRecord(reference) ? referenceOf(reference) : undefined;
    return messageOf(node, called === undefined ? undefined : lastPart(called));
  }
}

class Version3 {
  private readonly root: Node;
  private readonly shapes: Shapes;
  private readonly channels = new Map<unknown, Channel>();
  private readonly messages = new Map<unknown, Message>();

  constructor(root: Node, shapes: Shapes) {
    this.root = root;
    this.shapes = shapes;
  }

  read(): Pick<Model, "channels" | "operations"> {
    for (const [id, reference] of Object.entries(this.shapes.fields(this.root, "channels")))
      this.channel(id, this.shapes.follow(reference));
    const operations: Operation[] = [];
    for (const [id, reference] of Object.entries(this.shapes.fields(this.root, "operations"))) {
      const operation = this.operation(id, fieldsOf(this.shapes.follow(reference)));
      if (operation !== undefined) operations.push(operation);
    }
    const used = new Set(operations.flatMap(({ channel, reply }) => [channel, reply?.channel]));
    for (const channel of this.channels.values()) {
      if (used.has(channel)) continue;
      operations.push({ id: undefined, direction: null, channel, messages: channel.messages, node: {}, reply: null });
    }
    return { channels: [...this.channels.values()], operations };
  }

  private channel(id: string, node: unknown): Channel {
    const known = this.channels.get(node);
    if (known !== undefined) return known;
    const messages = Object.entries(this.shapes.fields(node, "messages")).map(([key, reference]) =>
      this.message(key, reference),
    );
    const address = textOf(node, "address");
    const channel = { id, address: address ?? id, hasAddress: address !== undefined, node: fieldsOf(node), messages };
    this.channels.set(node, channel);
    return channel;
  }

  private message(key: string, reference: unknown): Message {
    const node = this.shapes.follow(reference);
    const message = messageOf(withTraits(this.shapes, fieldsOf(node), false), key);
    this.messages.set(node, message);
    return message;
  }

  private operation(id: string, found: Node): Operation | undefined {
    const node = withTraits(this.shapes, found, false);
    const channel = this.channels.get(this.shapes.follow(field(node, "channel")));
    if (channel === undefined) return undefined;
    const direction = field(node, "action") === "receive" ? "publish" : "subscribe";
    const messages = this.named(field(node, "messages")) ?? channel.messages;
    return { id, direction, channel, messages, node, reply: this.reply(field(node, "reply")) };
  }

  /** The messages a list refers to; undefined where there is no list, which means all of the channel's. */
  private named(list: unknown): Message[] | undefined {
    if (!Array.isArray(list)) return undefined;
    return list.map((reference: unknown) => {
      const known = this.messages.get(this.shapes.follow(reference));
      const called = isRecord(reference) ? referenceOf(reference) : undefined;
      return known ?? this.message(lastPart(called ?? ""), reference);
    });
  }

  private reply(reference: unknown): Reply | null {
    const node = this.shapes.follow(reference);
    if (!isRecord(node)) return null;
    const channel = this.channels.get(this.shapes.follow(field(node, "channel")));
    const place = textOf(this.shapes.follow(field(node, "address")), "location");
    return {
      channel,
      address: place ?? channel?.address,
      messages: this.named(field(node, "messages")) ?? channel?.messages ?? [],
    };
  }
}

function messageOf(node: Node, key: string | undefined): Message {
  const name = textOf(node, "name");
  const ids = [textOf(node, "messageId"), key, name, textOf(node, "title")].filter(
    (id) => id !== undefined && id !== "",
  );
  return { ids: ids.filter((id) => id !== undefined), name, node };
}

/** In version 2 a trait overrides what names it, in version 3 it only fills in. */
function withTraits(shapes: Shapes, node: Node, traitsWin: boolean): Node {
  let merged: Node = node;
  for (const reference of listOf(node, "traits")) {
    const trait = fieldsOf(shapes.follow(reference));
    merged = traitsWin ? overlaid(merged, trait) : overlaid(trait, merged);
  }
  return merged;
}

function overlaid(below: Node, above: Node): Node {
  const result: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = field(below, key);
    result[key] = key === "bindings" && isRecord(under) && isRecord(value) ? { ...under, ...value } : value;
  }
  return result;
}

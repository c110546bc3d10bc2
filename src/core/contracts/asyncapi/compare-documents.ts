// Two AsyncAPI documents: servers, channels, and the operations on them.

import { field, fieldsOf, isRecord, listOf, textOf, textsOf } from "../json-value.ts";
import { referenceOf } from "../references.ts";
import { lastPart } from "../schema/read-keywords.ts";
import type { Shapes } from "../schema/shapes.ts";
import { compareBindings } from "./bindings.ts";
import { type AsyncApiComparing, report } from "./comparing.ts";
import { compareMessages } from "./messages.ts";
import { addressKey, type Channel, type Model, type Operation } from "./model.ts";
import { compareSecurity, compareServers, serversOf } from "./servers.ts";

export function compareDocuments(comparing: AsyncApiComparing): void {
  compareServers(comparing);
  const pairs = pairedChannels(comparing.before.channels, comparing.after.channels);
  const found = new Set(pairs.values());
  for (const was of comparing.before.channels) {
    const is = pairs.get(was);
    const told = { path: `channel ${was.address}`, name: was.address, names: [was.address, was.id] };
    if (is === undefined) report(comparing, "channel-removed", { ...told, before: was.address });
    else compareChannel(comparing, was, is);
  }
  for (const is of comparing.after.channels) {
    if (!found.has(is))
      report(comparing, "channel-added", { path: `channel ${is.address}`, name: is.address, after: is.address });
  }
  compareOperations(comparing, pairs);
}

/** By address; what is left, by its id within the document. */
function pairedChannels(before: readonly Channel[], after: readonly Channel[]): Map<Channel, Channel> {
  const pairs = new Map<Channel, Channel>();
  const free = new Set(after);
  for (const same of [
    (was: Channel, is: Channel) => was.id === is.id && addressKey(was.address) === addressKey(is.address),
    (was: Channel, is: Channel) => addressKey(was.address) === addressKey(is.address),
    (was: Channel, is: Channel) => was.id === is.id,
  ]) {
    for (const was of before) {
      const is = pairs.has(was) ? undefined : [...free].find((one) => same(was, one));
      if (is === undefined) continue;
      pairs.set(was, is);
      free.delete(is);
    }
  }
  return pairs;
}

function compareChannel(comparing: AsyncApiComparing, was: Channel, is: Channel): void {
  const path = `channel ${was.address}`;
  // One that has an address now, where nobody knew one, can still be found as it was found.
  const isElsewhere = is.hasAddress ? addressKey(was.address) !== addressKey(is.address) : true;
  if (was.hasAddress && isElsewhere) {
    const after = is.hasAddress ? is.address : "one that is known only at run time";
    const told = { path, name: was.id, before: was.address, after, names: [was.address] };
    report(comparing, "channel-address-changed", told);
  }
  compareChannelServers(comparing, path, was, is);
  compareParameters(comparing, path, was, is);
  compareBindings(comparing, path, null, field(was.node, "bindings"), field(is.node, "bindings"));
}

function compareChannelServers(comparing: AsyncApiComparing, path: string, was: Channel, is: Channel): void {
  const [were, are] = [serverNames(comparing.before, was), serverNames(comparing.after, is)];
  for (const server of were) {
    // A server that is gone altogether is told as a server.
    if (are.has(server) || !serversOf(comparing.after).has(server)) continue;
    report(comparing, "channel-server-removed", { path, name: was.address, before: server });
  }
  for (const server of are) {
    if (were.has(server) || !serversOf(comparing.before).has(server)) continue;
    report(comparing, "channel-server-added", { path, name: was.address, after: server });
  }
}

/** Version 2 names servers, version 3 refers to them; none means all. */
function serverNames(model: Model, { node }: Channel): ReadonlySet<string> {
  const names = listOf(node, "servers").flatMap((server) => {
    if (typeof server === "string") return [server];
    const reference = isRecord(server) ? referenceOf(server) : undefined;
    return reference === undefined ? [] : [lastPart(reference)];
  });
  return new Set(names.length === 0 ? serversOf(model).keys() : names);
}

/** Whoever uses a channel fills in its parameters, so they flow in. They are matched by their place in the address. */
function compareParameters(comparing: AsyncApiComparing, path: string, was: Channel, is: Channel): void {
  const [were, are] = [parametersOf(comparing.before.shapes, was), parametersOf(comparing.after.shapes, is)];
  for (const [at, before] of were.entries()) {
    const after = are[at];
    if (after === undefined) continue;
    const told = { path: `${path} parameter ${before.name}`, name: before.name };
    comparing.schemas.compare(before.schema, after.schema, {
      direction: "publish",
      path: told.path,
      name: before.name,
      textual: true,
    });
    if (before.location === after.location) continue;
    const change = { ...told, before: before.location ?? "nowhere", after: after.location ?? "nowhere" };
    report(comparing, "channel-parameter-location-changed", change);
  }
}

interface Parameter {
  readonly name: string;
  readonly schema: unknown;
  readonly location: string | undefined;
}

function parametersOf(shapes: Shapes, { address, node }: Channel): Parameter[] {
  const described = fieldsOf(node, "parameters");
  return [...address.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => {
    const parameter = shapes.follow(field(described, name));
    const values = textsOf(parameter, "enum");
    const fallback = textOf(parameter, "default");
    const schema = field(parameter, "schema") ?? {
      type: "string",
      ...(values.length > 0 ? { enum: values } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
    return { name, schema, location: textOf(parameter, "location") };
  });
}

function compareOperations(comparing: AsyncApiComparing, channels: ReadonlyMap<Channel, Channel>): void {
  const free = new Set(comparing.after.operations);
  for (const was of comparing.before.operations) {
    const channel = channels.get(was.channel);
    // A channel that is gone took its operations with it.
    if (channel === undefined) continue;
    const candidates = [...free].filter((is) => is.channel === channel && is.direction === was.direction);
    const is = candidates.find(({ id }) => id === was.id) ?? candidates[0];
    const label = labelOf(was);
    if (is === undefined) {
      if (was.direction === null) continue;
      report(comparing, "operation-removed", {
        path: label,
        name: label,
        before: label,
        names: namesOf(was),
        direction: was.direction,
      });
      continue;
    }
    free.delete(is);
    compareOperation(comparing, label, was, is);
  }
  const known = new Set(channels.values());
  for (const is of free) {
    if (!known.has(is.channel) || is.direction === null) continue;
    const label = labelOf(is);
    report(comparing, "operation-added", { path: label, name: label, after: label, direction: is.direction });
  }
}

/** As the version of the document says it: version 2 from the other side, version 3 from the application's. */
function labelOf({ direction, channel }: Operation): string {
  if (direction === null) return `channel ${channel.address}`;
  return `${direction === "publish" ? "receive from" : "send to"} ${channel.address}`;
}

function namesOf({ id, channel }: Operation): string[] {
  return id === undefined ? [channel.address] : [channel.address, id];
}

function compareOperation(comparing: AsyncApiComparing, label: string, was: Operation, is: Operation): void {
  const { direction } = was;
  if (was.id !== undefined && is.id !== undefined && was.id !== is.id) {
    report(comparing, "operation-id-changed", {
      path: label,
      name: label,
      before: was.id,
      after: is.id,
      names: [was.id],
      direction,
    });
  }
  compareMessages(comparing, { path: label, direction }, was.messages, is.messages);
  compareBindings(comparing, label, direction, field(was.node, "bindings"), field(is.node, "bindings"));
  compareSecurity(comparing, label, field(was.node, "security"), field(is.node, "security"));
  compareReplies(comparing, label, was, is);
}

/** A reply travels the other way. */
function compareReplies(comparing: AsyncApiComparing, label: string, was: Operation, is: Operation): void {
  const told = { path: `${label} reply`, name: label, names: namesOf(was), direction: was.direction };
  if (was.reply === null && is.reply === null) return;
  if (was.reply === null) return report(comparing, "reply-added", told);
  if (is.reply === null) return report(comparing, "reply-removed", told);
  if (was.reply.address !== is.reply.address) {
    const change = { ...told, before: was.reply.address ?? "nowhere", after: is.reply.address ?? "nowhere" };
    report(comparing, "reply-address-changed", change);
  }
  const direction = was.direction === "publish" ? "subscribe" : "publish";
  compareMessages(comparing, { path: told.path, direction }, was.reply.messages, is.reply.messages);
}

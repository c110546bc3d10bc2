// Bindings: what a protocol needs to know. Fields by which others find or read a message break them when they change; schemas in
// bindings are compared as schemas; anything else may change what a broker does, so it is dangerous.

import type { ContractDirection } from "../format.ts";
import { field, fieldsOf, isRecord, sameValue, written } from "../json-value.ts";
import { type AsyncApiComparing, report } from "./comparing.ts";

/** `protocol.field`: a client that does not follow the change fails. */
const targets = new Set([
  "amqp.is",
  "amqp.exchange.name",
  "amqp.exchange.type",
  "amqp.exchange.vhost",
  "amqp.queue.name",
  "amqp.queue.vhost",
  "anypointmq.destination",
  "anypointmq.destinationType",
  "googlepubsub.schema",
  "googlepubsub.topic",
  "http.method",
  "http.statusCode",
  "http.type",
  "ibmmq.destinationType",
  "jms.destination",
  "jms.destinationType",
  "kafka.schemaIdLocation",
  "kafka.schemaIdPayloadEncoding",
  "kafka.topic",
  "mqtt5.topic",
  "pulsar.namespace",
  "pulsar.persistence",
  "sns.name",
  "sqs.queue.name",
  "ws.method",
]);

/** Fields that hold a schema, and which way that data flows: a connection is opened by the client, a message goes the message's way. */
const schemas: Readonly<Record<string, "client" | "message">> = {
  "kafka.key": "message",
  "kafka.groupId": "client",
  "kafka.clientId": "client",
  "ws.query": "client",
  "ws.headers": "client",
  "http.query": "client",
  "http.headers": "message",
  "jms.headers": "message",
};

export function compareBindings(
  comparing: AsyncApiComparing,
  path: string,
  direction: ContractDirection | null,
  before: unknown,
  after: unknown,
): void {
  const were = fieldsOf(comparing.before.shapes.follow(before));
  const are = fieldsOf(comparing.after.shapes.follow(after));
  for (const protocol of new Set([...Object.keys(were), ...Object.keys(are)])) {
    if (protocol.startsWith("x-")) continue;
    const was = comparing.before.shapes.follow(field(were, protocol));
    const is = comparing.after.shapes.follow(field(are, protocol));
    compareFields(comparing, { path, direction }, protocol, fieldsOf(was), fieldsOf(is));
  }
}

interface Place {
  readonly path: string;
  readonly direction: ContractDirection | null;
}

function compareFields(
  comparing: AsyncApiComparing,
  place: Place,
  prefix: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (key === "bindingVersion" || key.startsWith("x-")) continue;
    const name = `${prefix}.${key}`;
    const [was, is] = [field(before, key), field(after, key)];
    const flow = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    const path = `${place.path} binding ${name}`;
    if (flow !== undefined && (isRecord(was) || isRecord(is))) {
      const direction = flow === "client" ? "publish" : place.direction;
      comparing.schemas.compare(was, is, { direction, path, name: key });
    } else if (isRecord(was) && isRecord(is) && prefix.split(".").length < 4) {
      compareFields(comparing, place, name, was, is);
    } else if (!sameValue(was, is)) {
      const told = { ...place, path, name, before: shown(was), after: shown(is), names: [key] };
      if (targets.has(name) && was !== undefined) report(comparing, "binding-target-changed", told);
      else
        report(
          comparing,
          was === undefined ? "binding-added" : is === undefined ? "binding-removed" : "binding-changed",
          told,
        );
    }
  }
}

function shown(value: unknown): string | null {
  return value === undefined ? null : written(value, 60);
}

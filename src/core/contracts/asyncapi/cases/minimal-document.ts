// Makes whole AsyncAPI documents from the fragments in which the cases are written.

import type { ContractCase } from "../../document-case.ts";
import type { ContractVerdict } from "../../format.ts";

type Fragment = Record<string, unknown>;

/** Where the two fragments of a case go. v2 is AsyncAPI 2.6.0, v3 is 3.0.0. */
export type Place =
  /** The payload of what the application receives: v2 publish, v3 receive. */
  | "v2 publish"
  | "v3 receive"
  /** The payload of what the application sends: v2 subscribe, v3 send. */
  | "v2 subscribe"
  | "v3 send"
  /** The message that the application sends. */
  | "v2 message"
  | "v3 message"
  /** Fields of the channel, laid over the usual ones. */
  | "v2 channel"
  | "v3 channel"
  /** Fields of the operation by which the application sends. */
  | "v3 operation"
  /** Fields of the document, laid over the usual ones. */
  | "v2 document"
  | "v3 document";

export type AsyncApiCase = readonly [
  verdict: ContractVerdict,
  name: string,
  place: Place,
  before: unknown,
  after: unknown,
  because: string,
];

export function asyncApiCases(table: readonly AsyncApiCase[]): ContractCase[] {
  return table.map(([verdict, name, place, before, after, because]) => ({
    name,
    verdict,
    because,
    before: documentWith(place, before as Fragment),
    after: documentWith(place, after as Fragment),
  }));
}

function documentWith(place: Place, fragment: Fragment): unknown {
  return place.startsWith("v2") ? version2(place, fragment) : version3(place, fragment);
}

function version2(place: Place, fragment: Fragment): unknown {
  const fields = (wanted: Place): Fragment => (place === wanted ? fragment : {});
  const message = {
    name: "OrderPlaced",
    payload: place === "v2 subscribe" ? fragment : { type: "object" },
    ...fields("v2 message"),
  };
  const channel: Fragment = {
    subscribe: { operationId: "sendOrder", message },
    ...(place === "v2 publish" ? { publish: { operationId: "takeOrder", message: { payload: fragment } } } : {}),
    ...fields("v2 channel"),
  };
  return {
    asyncapi: "2.6.0",
    info: { title: "Shop", version: "1" },
    channels: { orders: channel },
    ...fields("v2 document"),
  };
}

function version3(place: Place, fragment: Fragment): unknown {
  const fields = (wanted: Place): Fragment => (place === wanted ? fragment : {});
  const carried = place === "v3 send" || place === "v3 receive" ? fragment : { type: "object" };
  const message = { name: "OrderPlaced", payload: carried, ...fields("v3 message") };
  const operation = {
    action: place === "v3 receive" ? "receive" : "send",
    channel: { $ref: "#/channels/orders" },
    ...fields("v3 operation"),
  };
  return {
    asyncapi: "3.0.0",
    info: { title: "Shop", version: "1" },
    channels: { orders: { address: "orders", messages: { placed: message }, ...fields("v3 channel") } },
    operations: { moveOrder: operation },
    ...fields("v3 document"),
  };
}

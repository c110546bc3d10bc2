// Asking across a thread boundary, both ways: each end answers what the other asks. Refusals and outages arrive as what
// they were.

import { messageOf, Outage } from "../protocol/errors.ts";
import { fromWire, toWire } from "../protocol/wire.ts";

/** What a Worker and its inside have in common. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  addEventListener(type: "message", hear: (event: MessageEvent) => void): void;
}

type Message =
  | { readonly ask: number; readonly name: string; readonly input: unknown }
  | { readonly answer: number; readonly value: unknown }
  | { readonly refused: number; readonly wire: unknown };

export interface Link {
  ask(name: string, input: unknown): Promise<unknown>;
  /** The other end is gone: whoever waits is told. */
  cut(cause: unknown): void;
}

export function makeLink(port: MessagePortLike, answer: (name: string, input: unknown) => Promise<unknown>): Link {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (cause: unknown) => void }>();
  let last = 0;
  let isCut: unknown;

  const reply = async (ask: number, name: string, input: unknown): Promise<void> => {
    try {
      port.postMessage({ answer: ask, value: await answer(name, input) } satisfies Message);
    } catch (cause) {
      port.postMessage({ refused: ask, wire: toWire(cause) } satisfies Message);
    }
  };
  port.addEventListener("message", ({ data }) => {
    const message = data as Message;
    if ("ask" in message) return void reply(message.ask, message.name, message.input);
    const number = "answer" in message ? message.answer : message.refused;
    const asker = waiting.get(number);
    waiting.delete(number);
    if ("answer" in message) asker?.resolve(message.value);
    else asker?.reject(fromWire(message.wire));
  });
  return {
    ask: (name, input) =>
      new Promise((resolve, reject) => {
        if (isCut !== undefined) return reject(isCut);
        last += 1;
        waiting.set(last, { resolve, reject });
        port.postMessage({ ask: last, name, input } satisfies Message);
      }),
    cut(cause) {
      isCut = new Outage("look at", "repositories", messageOf(cause), { mayRetry: true });
      for (const { reject } of waiting.values()) reject(isCut);
      waiting.clear();
    },
  };
}

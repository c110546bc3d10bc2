// Asking across a process boundary, both ways: each end answers what the other asks. Which questions there are, with their
// inputs and answers, is declared in calls.ts. Refusals and outages arrive as what they were.

import { messageOf, Outage } from "../protocol/errors.ts";
import { fromWire, toWire } from "../protocol/wire.ts";

/** The port where messages go out and come in. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  addEventListener(type: "message", hear: (event: MessageEvent) => void): void;
}

type Call = (input: never) => unknown;
/** Questions by name, as functions from input to answer. */
export type Calls<Asked> = { readonly [Name in keyof Asked]: Call };
type InputOf<Asked extends Calls<Asked>, Name extends keyof Asked> = Parameters<Asked[Name]>[0];
type AnswerOf<Asked extends Calls<Asked>, Name extends keyof Asked> = ReturnType<Asked[Name]>;

/** An answer to every question. */
export type Answers<Asked extends Calls<Asked>> = {
  readonly [Name in keyof Asked]: (
    input: InputOf<Asked, Name>,
  ) => AnswerOf<Asked, Name> | Promise<AnswerOf<Asked, Name>>;
};

type Message =
  | { readonly ask: number; readonly name: string; readonly input: unknown }
  | { readonly answer: number; readonly value: unknown }
  | { readonly refused: number; readonly wire: unknown };

export interface Link<Asked extends Calls<Asked>> {
  ask<Name extends keyof Asked & string>(name: Name, input: InputOf<Asked, Name>): Promise<AnswerOf<Asked, Name>>;
  /** The other end is gone: whoever waits is told. */
  cut(cause: unknown): void;
}

export function makeLink<Asked extends Calls<Asked>, Answered extends Calls<Answered>>(
  port: MessagePortLike,
  answers: Answers<Answered>,
): Link<Asked> {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (cause: unknown) => void }>();
  let last = 0;
  let isCut: unknown;

  const reply = async (ask: number, name: string, input: unknown): Promise<void> => {
    try {
      // The other end is compiled with the same declaration, so a name of its own has an input of its own.
      const answer = (answers as Readonly<Record<string, ((input: unknown) => unknown) | undefined>>)[name];
      if (answer === undefined) throw new Error(`nobody here knows ${name}`);
      port.postMessage({ answer: ask, value: await answer(input) } satisfies Message);
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
        waiting.set(last, { resolve: resolve as (value: unknown) => void, reject });
        port.postMessage({ ask: last, name, input } satisfies Message);
      }),
    cut(cause) {
      isCut = new Outage("look at", "repositories", messageOf(cause), { mayRetry: true });
      for (const { reject } of waiting.values()) reject(isCut);
      waiting.clear();
    },
  };
}

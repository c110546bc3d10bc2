// The one comment of ours: found by the marker at its beginning and by its author, then changed; written when there is none.

import { Refusal } from "../../protocol/errors.ts";
import type { ForgeClient } from "./client.ts";
import { at, numberAt, textAt } from "./read-answer.ts";

export interface WrittenComment {
  readonly id: number;
  readonly text: string;
  readonly author: string;
}

export interface CommentDesk {
  list(): Promise<readonly WrittenComment[]>;
  /** The name under which we write; undefined when the forge does not tell it to this kind of token. */
  me(): Promise<string | undefined>;
  add(text: string): Promise<void>;
  change(id: number, text: string): Promise<void>;
}

export async function putComment(desk: CommentDesk, { marker, text }: { marker: string; text: string }): Promise<void> {
  const body = `${marker}\n${text}`;
  const me = await desk.me();
  // Anybody can write our marker into a comment of theirs.
  const mine = (await desk.list()).filter(
    (one) => one.text.startsWith(marker) && (me === undefined || one.author === me),
  );
  for (const one of mine) {
    if (one.text.trimEnd() === body.trimEnd()) return;
    try {
      return await desk.change(one.id, body);
    } catch (cause) {
      // Somebody else's that only begins like ours.
      if (!(cause instanceof Refusal && cause.code === "forge.denied") || me !== undefined) throw cause;
    }
  }
  await desk.add(body);
}

export interface CommentPlace {
  /** The address of the list, to which new ones are sent too. */
  readonly all: string;
  readonly one: (id: number) => string;
  readonly change: "PATCH" | "PUT";
  /** The field that says who wrote a comment, and how a person's name is read. */
  readonly author: string;
  readonly by: (person: unknown) => string;
  /** The name of a token that may not ask for its own. */
  readonly me?: string;
}

/** Comments behind a REST interface: the forges differ in addresses and in the names of fields. */
export function commentDesk(client: ForgeClient, place: CommentPlace): CommentDesk {
  return {
    async list() {
      const found = await client.list(place.all);
      return found.map((one) => ({
        id: numberAt(one, "id"),
        text: textAt(one, "body"),
        author: place.by(at(one, place.author)),
      }));
    },
    me: async () => place.by((await client.get("/user", [401, 403, 404])).body) || place.me,
    add: async (text) => void (await client.ask({ method: "POST", path: place.all, body: { body: text } })),
    change: async (id, text) =>
      void (await client.ask({ method: place.change, path: place.one(id), body: { body: text } })),
  };
}

// The one comment of ours: found by the marker at its beginning and by its author, then changed; written when there is none.

import { Refusal } from "../../protocol/errors.ts";

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

// Reads and writes what the owner directs, each a row that the owner's key has signed. A row that is changed past constel no longer
// verifies: everyone who shows one checks it again.

import { directiveBytes, type OwnersWord, verifyOwner } from "../../protocol/owners-word.ts";
import type { VerifySignature } from "../../ports/keys.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { SignedDirectivesTable } from "../../store/tables/trust.ts";
import type { Context, ReadContext } from "../context.ts";
import { isDirectiveThere, newestDirectives } from "./directives.sql.ts";

export interface Directive {
  readonly id: string;
  readonly at_ms: number;
  readonly text: string;
  readonly owner_verified: boolean;
}

export async function addDirective(
  context: Context,
  input: { id: string; at_ms: number; text: string; sig: string },
): Promise<Directive> {
  const { store, constellation, audit, actor } = context;
  const { id, at_ms, text, sig } = input;
  const key =
    audit === undefined ? undefined : verifyOwner(audit.verify, sig, directiveBytes({ id, at_ms, text }), at_ms);
  if (key === undefined)
    throw new Refusal(
      "directive.not-owners",
      "the signature is not the owner's over this directive for this constellation",
      { id },
    );
  await store.write(async (tx) => {
    // Said again, with its signature, it is the same word, and is told once.
    if (await isDirectiveThere(tx.db, constellation, id)) return;
    await tx.insert("signed_directives", { id, constellation, at_ms, text, sig, key, owner_verified: 1 });
    await tx.record({ type: "owner.directed", subject: `directive:${id}`, actor, data: { text, sig } });
  });
  return { id, at_ms, text, owner_verified: true };
}

export async function listDirectives(
  { store, audit }: ReadContext,
  { limit }: { limit: number },
): Promise<{ directives: Directive[]; more: boolean }> {
  const rows = await newestDirectives(store.db, store.constellation, limit + 1);
  return {
    directives: rows.slice(0, limit).map((row) => shown(row, audit?.verify)),
    more: rows.length > limit,
  };
}

/** The column says what was found when it was written; what is shown is checked again. */
function shown(row: SignedDirectivesTable, verify: VerifySignature | undefined): Directive {
  const { id, at_ms, text, sig } = row;
  const word: OwnersWord = { id, at_ms, text };
  const key = verify === undefined ? undefined : verifyOwner(verify, sig, directiveBytes(word), at_ms);
  return { ...word, owner_verified: key !== undefined };
}

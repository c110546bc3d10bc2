// Before a daemon takes over a constellation from another one: its keys must be those that signed the chain, or all that it writes would be
// a forgery to whoever verifies.

import type { Kysely } from "kysely";
import type { VerifySignature } from "../../ports/keys.ts";
import { Refusal } from "../../protocol/errors.ts";
import { whyNotSigned } from "../../store/event-signatures.ts";
import type { Tables } from "../../store/tables.ts";
import { eventsAfter, newestSignature } from "./audit.sql.ts";

export async function refuseForeignChain(
  db: Kysely<Tables>,
  constellation: string,
  verify: VerifySignature,
): Promise<void> {
  const signature = await newestSignature(db, constellation);
  if (signature === undefined) return;
  const { first_seq: first, last_seq: last } = signature;
  const events = await eventsAfter(db, constellation, { after: first - 1, last, limit: last - first + 1 });
  if (events.length <= last - first) return; // some of them were let go, so nothing can be compared
  const hashes = events.map(({ hash }) => hash);
  const why = whyNotSigned(signature, hashes, verify);
  if (why === undefined) return;
  throw new Refusal("store.foreign-keys", `the keys of this home did not sign "${constellation}": ${why}`, {
    constellation,
  });
}

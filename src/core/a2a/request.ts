// A request of an outside agent: what A2A calls a task. It is held until the owner accepts it, and then it is a task of ours, or until they
// refuse it. The words of every message are held too, each until somebody lets it through: nothing of them reaches a model before.
//
//   decision   held ──► accepted            state  submitted ─► working ─► completed
//               │                                     │            │   ─► input-required ─► working
//               └────► refused                        └► rejected  └────► canceled, failed
//
// `decision` is the owner's and signed; `state` is what the outside agent is told, and follows the task (states.ts).

import type { VerifySignature } from "../../ports/keys.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { A2aRequestsTable } from "../../store/tables/a2a.ts";
import type { Context } from "../context.ts";
import { isBelieved, signedRow, standingOf } from "../signed-row.ts";
import { findRequest, requestsNamed, updateRequest } from "./a2a.sql.ts";

type Signer = Pick<Context, "actor" | "known" | "signAsOwner">;

export const signRequest = (tx: Tx, context: Signer, row: A2aRequestsTable): A2aRequestsTable =>
  signedRow<A2aRequestsTable>(tx, context, "a2a-request", row);

/** Inside a job: the row as it is decided now, signed anew. */
export async function rewrite(
  tx: Tx,
  context: Signer,
  row: A2aRequestsTable,
  change: Partial<A2aRequestsTable>,
): Promise<A2aRequestsTable> {
  const signed = signRequest(tx, context, { ...row, ...change });
  await updateRequest(tx, row.id, signed);
  return signed;
}

/** Its decision was made here, or nobody here can tell. */
export const isGenuine = (verify: VerifySignature | undefined, row: A2aRequestsTable): boolean =>
  isBelieved(standingOf(verify, "a2a-request", row));

/** The sender's own. Another's is as if it were not there. */
export async function ownRequest(db: Tx["db"], context: Context, id: string): Promise<A2aRequestsTable> {
  const row = await findRequest(db, context.constellation, id);
  if (row === undefined || row.sender !== context.actor)
    throw new Refusal("a2a.unknown", `you have no task ${JSON.stringify(id.slice(0, 100))}`, { id: id.slice(0, 100) });
  return row;
}

/** For those of this constellation, by the id or its end. */
export async function requestNamed(db: Tx["db"], constellation: string, id: string): Promise<A2aRequestsTable> {
  const found = await requestsNamed(db, constellation, id);
  const [row] = found;
  if (row === undefined || found.length > 1)
    throw new Refusal(
      "a2a.request-unknown",
      `${found.length === 0 ? "no" : "more than one"} request is named ${JSON.stringify(id)}`,
      {
        id,
      },
    );
  return row;
}

export function refuseIfOver({ id, state, ended_ms: endedMs }: A2aRequestsTable): void {
  if (endedMs !== null) throw new Refusal("a2a.over", `task ${id} is over: ${state}`, { id, state });
}

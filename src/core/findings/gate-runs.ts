// The store keeps what gates said of trees: a tree is run once, whatever pair it came from, and a daemon that starts again
// knows it.

import type { GateRun } from "../../ports/gate.ts";
import type { Context, ReadContext } from "../context.ts";
import { findGateRun, putGateRun } from "./gate-runs.sql.ts";

export interface KeptRun {
  readonly repository: string;
  readonly tree: string;
  readonly command: string;
}

export async function gateRun({ store }: ReadContext, kept: KeptRun): Promise<GateRun | undefined> {
  const row = await findGateRun(store.db, store.constellation, keyOf(kept));
  if (row === undefined) return undefined;
  return { outcome: row.outcome === "green" ? "green" : "red", detail: row.detail, confirmed: row.confirmed === 1 };
}

export async function keepGateRun(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  kept: KeptRun,
  run: GateRun,
): Promise<void> {
  await store.write(async (tx) => {
    await putGateRun(tx, {
      constellation,
      key: keyOf(kept),
      repository: kept.repository,
      tree: kept.tree,
      command: storable(kept.command),
      outcome: run.outcome,
      confirmed: run.confirmed === true ? 1 : 0,
      detail: storable(run.detail),
      ran_ms: tx.nowMs,
    });
  });
}

/** Repositories may share a tree, and it is the same files: but not what the command finds beside them. */
function keyOf({ repository, tree, command }: KeptRun): string {
  return Bun.CryptoHasher.hash("sha256", JSON.stringify([repository, command, tree]), "hex").slice(0, 40);
}

const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();

// Anchors the head of the timeline, and that of the ring of keys beside it.

import type { AuditMachine } from "../../ports/audit.ts";
import { messageOf } from "../../protocol/errors.ts";
import type { Context } from "../context.ts";
import { type AnchorSaid, anchorLine, hashOf, readAnchors } from "./anchors.ts";
import { genesisHash } from "../../store/timeline.ts";
import { chainHead, noteAnchored } from "./audit.sql.ts";

export interface AuditContext extends Context {
  readonly audit: AuditMachine;
}

export class Anchoring {
  readonly #context: AuditContext;
  #anchored: { readonly seq: number; readonly last: string; readonly ring: string } | undefined;

  constructor(context: AuditContext) {
    this.#context = context;
  }

  /** Safe to run at any time: where nothing changed it writes nothing. Answers what went wrong outside, if anything. */
  async round(): Promise<string | undefined> {
    const { store, constellation, clock } = this.#context;
    const head = await chainHead(store.db, constellation);
    const before = (this.#anchored ??= this.#newest());
    // A head that went back is for the audit to tell; another line would only hide it. A key that was revoked is anchored too: nobody
    // must be able to take the revocation away again.
    const isNew =
      head !== undefined && (head.seq > before.seq || (head.seq === before.seq && this.#ring() !== before.ring));
    if (!isNew) return undefined;
    return this.#append({
      kind: "head",
      constellation,
      at_ms: clock.nowMs(),
      seq: head.seq,
      hash: head.hash,
      ...(head.signed_since === null ? {} : { signed_since: head.signed_since }),
    });
  }

  /** Events up to `seq` are let go on purpose; to be called before they go. `digest` is over their hashes (anchors.ts). */
  async pruned(mark: { readonly seq: number; readonly hash: string; readonly digest: string }): Promise<void> {
    const { constellation, clock } = this.#context;
    await this.#append({ kind: "pruned", constellation, at_ms: clock.nowMs(), ...mark });
  }

  async #append(known: Omit<AnchorSaid, "ring">): Promise<string | undefined> {
    const { audit } = this.#context;
    const said = { ...known, ring: this.#ring() };
    const before = (this.#anchored ??= this.#newest());
    const line = anchorLine(said, before.last, audit.sign);
    audit.append(line);
    if (before.seq === 0) await noteAnchored(this.#context.store, said.constellation);
    this.#anchored = { seq: said.kind === "head" ? said.seq : before.seq, last: hashOf(line), ring: said.ring };
    try {
      await audit.publish(line);
      return undefined;
    } catch (cause) {
      return `the anchored head was not published: ${messageOf(cause)}`;
    }
  }

  #ring(): string {
    return this.#context.audit.ringHashes().at(-1) ?? genesisHash;
  }

  /** The audit judges whether the file is sound; here we only continue from it. */
  #newest(): { seq: number; last: string; ring: string } {
    const { audit, constellation } = this.#context;
    const lines = (audit.anchors() ?? "").split("\n").filter((line) => line !== "");
    const { anchors } = readAnchors(lines.slice(-100).join("\n"), audit.verify, "a part");
    const newest = anchors.findLast((one) => one.kind !== "pruned" && one.constellation === constellation);
    const last = lines.length === 0 ? genesisHash : hashOf(lines.at(-1) ?? "");
    return { seq: newest?.seq ?? 0, last, ring: anchors.at(-1)?.ring ?? genesisHash };
  }
}

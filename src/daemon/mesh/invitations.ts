// Codes that are open now. They live with the daemon, five minutes, and each is good once.

import {
  fingerprintOf,
  type Invitation,
  isRedeemed,
  redeeming,
  secretBytes,
  writeCode,
} from "../../core/peers/code.ts";
import type { PeerRole } from "../../core/peers/peer.ts";
import type { MeshPeersTable } from "../../store/tables/mesh.ts";
import type { Asking, Proven } from "../../host/mesh/handshake.ts";
import type { Clock, Random } from "../../ports/machine.ts";
import { Refusal } from "../../protocol/errors.ts";

const goodMs = 5 * 60_000;
const most = 20;

export interface OpenInvitation {
  readonly id: string;
  readonly secret: Uint8Array;
  /** What who joins will be to us. */
  readonly as: PeerRole;
  readonly untilMonotonicMs: number;
  peer?: MeshPeersTable;
  isTaken: boolean;
}

export class Invitations {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #open = new Map<string, OpenInvitation>();
  #wakers: (() => void)[] = [];

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  make(wish: {
    readonly as: PeerRole;
    readonly key: string;
    readonly transport: Invitation["transport"];
    readonly at: string;
  }): {
    id: string;
    code: string;
    untilMs: number;
  } {
    this.#forgetOld();
    if (this.#awaited().length >= most) throw new Refusal("mesh.too-many-codes", `${most} codes are open already`);
    const id = Buffer.from(this.#random.bytes(4)).toString("hex");
    const secret = this.#random.bytes(secretBytes);
    const { as, key, transport, at } = wish;
    const untilMonotonicMs = this.#clock.monotonicMs() + goodMs;
    this.#open.set(id, { id, secret, as, untilMonotonicMs, isTaken: false });
    const role = as === "root" ? "sibling" : "root";
    return { id, code: writeCode({ id, secret, key, role, transport, at }), untilMs: this.#clock.nowMs() + goodMs };
  }

  /** True while somebody may come with a code. */
  get areOpen(): boolean {
    return this.#awaited().length > 0;
  }

  /** The invitation that a stranger's proof redeems; it is taken with this. */
  redeem({ key, said, before }: Asking): OpenInvitation | undefined {
    const { id, code } = said.invitation ?? {};
    const open = this.#awaited().find((one) => one.id === id);
    if (open === undefined || code === undefined) return undefined;
    if (!isRedeemed(code, redeeming(open.secret, before, key))) return undefined;
    open.isTaken = true;
    return open;
  }

  joined(invitation: OpenInvitation, peer: MeshPeersTable): void {
    invitation.peer = peer;
    for (const wake of this.#wakers.splice(0)) wake();
  }

  /** It could not be put on the list: the code is good once, and was. */
  failed(invitation: OpenInvitation): void {
    this.#open.delete(invitation.id);
    for (const wake of this.#wakers.splice(0)) wake();
  }

  async becameOf(
    id: string,
    forMs: number,
    signal?: AbortSignal,
  ): Promise<{ state: "open" | "joined" | "over"; peer?: MeshPeersTable }> {
    const untilMs = this.#clock.monotonicMs() + forMs;
    for (;;) {
      const open = this.#open.get(id);
      if (open?.peer !== undefined) return { state: "joined", peer: open.peer };
      const nowMs = this.#clock.monotonicMs();
      if (open === undefined || open.untilMonotonicMs <= nowMs) return { state: "over" };
      if (nowMs >= untilMs || signal?.aborted === true) return { state: "open" };
      const woken = new AbortController();
      const waker = (): void => woken.abort();
      this.#wakers.push(waker);
      const stop = signal === undefined ? woken.signal : AbortSignal.any([woken.signal, signal]);
      await this.#clock.sleep(Math.min(untilMs, open.untilMonotonicMs) - nowMs, stop);
      this.#wakers = this.#wakers.filter((one) => one !== waker);
    }
  }

  #awaited(): OpenInvitation[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#open.values()].filter((one) => !one.isTaken && one.untilMonotonicMs > nowMs);
  }

  /** Who waits for one that was used may ask for a while after. */
  #forgetOld(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [id, one] of this.#open) if (one.untilMonotonicMs + goodMs < nowMs) this.#open.delete(id);
  }
}

/** The digits that both owners compare. */
export const fingerprintFor = ({ transcript, theirKey }: Proven<unknown>, ownKey: string): string =>
  fingerprintOf(transcript, [theirKey, ownKey]);

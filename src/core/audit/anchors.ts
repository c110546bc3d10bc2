// Anchored heads: where the timeline stood, signed by the constellation and kept outside the database, each line naming the one before
// by its hash. Whoever rewrites the timeline, cuts its end or removes all of it meets a head that no longer fits. A line of kind
// `pruned` says what was let go on purpose, with a digest of it; one of kind `restored` that a backup was put back (restored.ts).

import { bytesToSign, canonical } from "../../protocol/canonical.ts";
import { constellationHolder, ownerHolder, type SignAs, type VerifySignature } from "../../ports/keys.ts";
import { genesisHash } from "../../store/timeline.ts";

export interface AnchorSaid {
  readonly kind: "head" | "pruned" | "restored";
  readonly constellation: string;
  readonly at_ms: number;
  readonly seq: number;
  readonly hash: string;
  /** The last statement of the ring of keys at that moment, by its hash. */
  readonly ring: string;
  /** The first event that was signed when it was appended; absent while none was. */
  readonly signed_since?: number;
  /** Of `pruned`: the digest over the hashes of all that was let go. */
  readonly digest?: string;
  /** Of `restored`: the backup's file, and the last event that was known before. */
  readonly backup?: string;
  readonly dropped?: number;
}

export interface Anchor extends AnchorSaid {
  readonly prev: string;
  readonly sig: string;
}

export interface ReadAnchors {
  readonly anchors: readonly Anchor[];
  /** The first line that is not what constel wrote. */
  readonly problem?: string;
}

export const hashOf = (text: string): string => Bun.CryptoHasher.hash("sha256", text, "hex");

/** One line, without its end. */
export function anchorLine(said: AnchorSaid, prev: string, sign: SignAs): string {
  const unsigned = { ...said, prev };
  return canonical({ ...unsigned, sig: sign(constellationHolder, bytesToSign("anchor", unsigned)) });
}

export function readAnchors(text: string, verify: VerifySignature, amount: "all" | "a part" = "all"): ReadAnchors {
  const anchors: Anchor[] = [];
  const newest = new Map<string, number>();
  let last = amount === "all" ? genesisHash : undefined;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const anchor = parse(line);
    const why = anchor === undefined ? "it is not an anchored head" : outOfOrder(anchor, last, newest);
    if (anchor === undefined || why !== undefined) return { anchors, problem: told(anchors.length + 1, why ?? "") };
    anchors.push(anchor);
    follow(newest, anchor);
    last = hashOf(line);
  }
  // The last line names all before it, so its signature answers for them. Only where it fails is each looked at.
  const end = anchors.at(-1);
  if (end === undefined || badlySigned(end, verify) === undefined) return { anchors };
  const first = anchors.findIndex((anchor) => badlySigned(anchor, verify) !== undefined);
  const bad = anchors[first];
  return { anchors: anchors.slice(0, first), problem: told(first + 1, (bad && badlySigned(bad, verify)) ?? "") };
}

const told = (line: number, why: string): string => `line ${line} of the anchored heads: ${why}`;

/** The digest that a `pruned` line carries: over the hashes of the events that went, in order. @public for pruning */
export const digestOf = (hashes: Iterable<string>): string => hashOf([...hashes].join("\n"));

/** Keeps track of how far each kind of line has come. A restore takes all of them back. */
function follow(newest: Map<string, number>, { kind, constellation, seq }: Anchor): void {
  if (kind !== "restored") return void newest.set(`${kind} ${constellation}`, seq);
  for (const one of ["head", "pruned"]) {
    const reached = newest.get(`${one} ${constellation}`) ?? 0;
    newest.set(`${one} ${constellation}`, Math.min(reached, seq));
  }
}

function outOfOrder(anchor: Anchor, last: string | undefined, newest: ReadonlyMap<string, number>): string | undefined {
  if (last !== undefined && anchor.prev !== last) return "it does not follow the line before";
  return (newest.get(`${anchor.kind} ${anchor.constellation}`) ?? 0) > anchor.seq ? "it goes back in time" : undefined;
}

function badlySigned(anchor: Anchor, verify: VerifySignature): string | undefined {
  const { sig, ...said } = anchor;
  const verdict = verify(sig, bytesToSign("anchor", said), anchor.at_ms);
  if (!verdict.ok) return `its signature does not hold (${verdict.why})`;
  const may = anchor.kind === "restored" ? [constellationHolder, ownerHolder] : [constellationHolder];
  return may.includes(verdict.holder) ? undefined : `${verdict.holder} signed it, not the constellation`;
}

/** Whoever signed the line; undefined when the signature does not hold. */
export function holderOf(anchor: Anchor, verify: VerifySignature): string | undefined {
  const { sig, ...said } = anchor;
  const verdict = verify(sig, bytesToSign("anchor", said), anchor.at_ms);
  return verdict.ok ? verdict.holder : undefined;
}

function parse(line: string): Anchor | undefined {
  try {
    const given = JSON.parse(line) as Partial<Anchor> | null;
    const { kind, constellation, hash, ring, prev, sig, seq, at_ms: atMs } = given ?? {};
    const isWhole =
      (kind === "head" || kind === "pruned" || kind === "restored") &&
      [constellation, hash, ring, prev, sig].every((text) => typeof text === "string") &&
      [seq, atMs].every(Number.isSafeInteger);
    return isWhole && canonical(given) === line ? (given as Anchor) : undefined;
  } catch {
    return undefined;
  }
}
